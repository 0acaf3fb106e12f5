"""SVG drawings: plain data in, a string of SVG out.

Nothing here knows Django or where it is shown. Every function escapes the text it is given, and draws the
same string for the same input. None writes a ``style`` attribute, since the content security policy forbids
them. None writes an ``id``, so a drawing may stand on a page many times.
"""
