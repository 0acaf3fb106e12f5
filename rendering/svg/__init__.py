"""SVG drawings: plain data in, a string of SVG out.

Nothing here knows Django or where it is shown. Every function escapes the text it is given, writes no
``style`` attribute (the content security policy forbids them) and no ``id`` (so that a drawing may stand on a
page many times), and draws the same string for the same input.
"""
