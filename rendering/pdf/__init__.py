"""PDF papers: plain data in, the bytes of a PDF out.

Nothing here knows Django, a database or what is printed. Drawings are those of `rendering.svg`, as vectors.
Both weights of the face lie in `rendering/pdf/fonts` and are embedded. The same input gives the same bytes.
"""
