"""Small signs that stand before a word, never instead of it: states, arrows, a few actions."""

from typing import Final

from rendering.svg.markup import element, frame, stroked

_LINES: Final = {
    "up": "M8 13V3M3.5 7.5L8 3l4.5 4.5",
    "down": "M8 3v10M3.5 8.5L8 13l4.5-4.5",
    "next": "M3 8h10M8.5 3.5L13 8l-4.5 4.5",
    "back": "M13 8H3M7.5 3.5L3 8l4.5 4.5",
    "undo": "M4 3v5h5M4.5 8A5 5 0 1 1 6 12.5",
    "waiting": "M8 2a6 6 0 1 0 .01 0M8 5v3.5l2.5 1.5",
    "called": "M3 6v4h3l5 3.5v-11L6 6ZM13.5 6v4",
    "done": "M2.5 8.5L6.5 12.5L13.5 4",
    "confirmed": "M1 9l3.5 3.5L11 5M8 11.5L9 12.5L15.5 5",
    "disputed": "M8 2L15 14H1ZM8 6.5v3M8 11.6v.4",
    "info": "M8 2a6 6 0 1 0 .01 0M8 7.5v4M8 4.8v.2",
    "refused": "M8 2a6 6 0 1 0 .01 0M5.5 5.5l5 5M10.5 5.5l-5 5",
    "late": "M4 2h8M4 14h8M5 2v2.5L11 11.5V14M11 2v2.5L5 11.5V14",
    "absent": "M3 8h10",
    "withdrawn": "M8 13V3M3 3h10M3 13h10",
    "correction": "M2 14l1-4L11 2l3 3l-8 8ZM9.5 3.5l3 3",
    "queued": "M8 10V2M4.5 5.5L8 2l3.5 3.5M2 10v4h12v-4",
    "print": "M4 6V2h8v4M4 12H2V6h12v6h-2M4 10h8v4H4Z",
    "add": "M8 3v10M3 8h10",
    "lock": "M3 7h10v7H3ZM5 7V5a3 3 0 0 1 6 0v2",
    "practice": "M8 1.5a6.5 6.5 0 1 0 .01 0M8 5a3 3 0 1 0 .01 0M8 7.9v.2",
    "bell": "M2 12h12M3.5 12V8a4.5 4.5 0 0 1 9 0v4M8 3.5V2M6.5 14.5h3",
}
_SOLIDS: Final = {
    "playing": "M4 2.5L14 8L4 13.5Z",
    "paused": "M3.5 3h3v10h-3ZM9.5 3h3v10h-3Z",
    "possible": "M8 4a4 4 0 1 0 .01 0Z",
    "star": "M8 1l2 5h5l-4 3.3L12.5 14.5L8 11.3L3.5 14.5L5 9.3L1 6h5Z",
}

SIGNS: Final = (*_LINES, *_SOLIDS)
"""The names of all signs."""


def sign(name: str) -> str:
    """SVG of a sign as high as the text around it, in its colour, with class ``sign sign-<name>``.

    It is ornament to a screen reader: the word that stands beside it says what it means.
    ValueError for a name that isn't in SIGNS.
    """
    if name in _LINES:
        content = stroked(_LINES[name], 2)
    elif name in _SOLIDS:
        content = element("path", d=_SOLIDS[name], fill="currentColor")
    else:
        raise ValueError(f"not a sign: {name!r} (expected one of {', '.join(SIGNS)})")
    return frame(content, width=16, height=16, class_=f"sign sign-{name}", label="")
