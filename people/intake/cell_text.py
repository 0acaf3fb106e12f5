"""Cleaning, comparing and showing what stands in a cell."""

import unicodedata

SHOWN_LENGTH = 60
# Joiners are letters' business in some scripts; other format characters are invisible leftovers of copying.
_JOINERS = {"\u200c", "\u200d"}
_LINE_ENDS_AND_TABS = set("\t\n\r\x0b\x0c\x85")


def clean(text: str) -> str:
    """The text composed (NFC), without invisible format characters, blanks collapsed and stripped."""
    composed = unicodedata.normalize("NFC", text)
    visible = (c for c in composed if c in _JOINERS or unicodedata.category(c) != "Cf")
    return " ".join("".join(visible).split())


def clean_lines(text: str) -> str:
    """As `clean`, line by line: for notes, where a line break means something."""
    lines = (clean(line) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def has_odd_characters(text: str) -> bool:
    """True if there are control, private or broken characters, which no keyboard writes into a name."""
    return any(
        c == "\N{REPLACEMENT CHARACTER}"
        or (unicodedata.category(c) in {"Cc", "Cs", "Co"} and c not in _LINE_ENDS_AND_TABS)
        for c in text
    )


def fold(text: str) -> str:
    """What two spellings of a name have in common: no case, accents, blanks or punctuation."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if c.isalnum())


def mark(text: str) -> str:
    """A word or number that several share, cleaned; empty where a cell only says that there is none (`-`)."""
    cleaned = clean(text)
    return cleaned if any(c.isalnum() for c in cleaned) else ""


def shown(text: str) -> str:
    """The text as a problem quotes it: on one line, printable, at most `SHOWN_LENGTH` characters."""
    line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split()))
    return line if len(line) <= SHOWN_LENGTH else line[: SHOWN_LENGTH - 1] + "…"
