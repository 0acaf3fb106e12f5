"""Sheets of paper of Tendone: plain data in, the bytes of a PDF out.

Nothing here knows Django, a database or what is printed. Drawings are those of `drawings`, as vectors; both
weights of the face lie in `printing/fonts` and are embedded; the same input gives the same bytes.
"""
