"""The tables of settings on the pages of docs/reference/formats, made from the catalogue of formats.

`python -m tests.docs.formats_tables` writes them there, between `<!-- options: swiss -->`, or
`<!-- formats -->`, and `<!-- end -->`.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polib

from tests.support import ROOT
from tournaments.formats.catalogue import STAGE_FORMATS
from tournaments.formats.options import FormatOption, OneOf, PlacePoints, Points, WholeOption, YesNo
from tournaments.formats.points import MOST_POINTS

FOLDER = ROOT / "docs" / "reference" / "formats"
PO = ROOT / "locale" / "it" / "LC_MESSAGES" / "django.po"
MARKED = re.compile(r"(<!-- (formats|options: (\w+)) -->\n)(?:(?!<!--).)*(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """The pages that have such tables."""
    return [page for page in sorted(FOLDER.glob("*.md")) if MARKED.search(page.read_text("utf-8"))]


def formats_of(page: Path) -> dict[str, str]:
    """The formats whose settings stand on a page, with the address: the section's, where the page is named
    after something else.
    """
    section, found = "", {}
    for line in page.read_text("utf-8").splitlines():
        if line.startswith("## "):
            section = re.sub(r"[^\w-]", "", line[3:].lower().replace(" ", "-"))
        elif marked := re.fullmatch(r"<!-- options: (\w+) -->", line):
            is_own = page.stem == marked[1].replace("_", "-")
            found[marked[1]] = page.name if is_own else f"{page.name}#{section}"
    return found


def with_tables(text: str) -> str:
    """The page's text with every marked table as the catalogue has it."""

    def table(found: re.Match[str]) -> str:
        made = options_table(found[3]) if found[3] else formats_table()
        return f"{found[1]}{made}\n{found[4]}"

    return MARKED.sub(table, text)


def formats_table() -> str:
    """One line a format."""
    addresses = {key: address for page in pages() for key, address in formats_of(page).items()}
    italian = {entry.msgid: entry.msgstr for entry in polib.pofile(str(PO)) if not entry.msgctxt}
    lines = [
        "| `format` | name | nome | drawn | the order follows from | method of the lots |",
        "|---|---|---|---|---|---|",
    ]
    for key, choice in STAGE_FORMATS.items():
        method = f"`{choice.method}`" if choice.method else "–"
        drawn = "all rounds at once" if choice.is_predetermined else "round by round"
        if not choice.is_played:
            drawn = "nothing is drawn"
        order = "the format itself" if choice.has_places else "the metrics chosen"
        lines.append(
            f"| [`{key}`]({addresses[key]}) | {choice.name} | {italian.get(choice.name, '')} | {drawn} "
            f"| {order} | {method} |"
        )
    return "\n".join(lines)


def options_table(key: str) -> str:
    """One line a setting of a format."""
    if not STAGE_FORMATS[key].options:
        return "It has no settings of its own."
    lines = ["| option | name | values | at first | what it decides |", "|---|---|---|---|---|"]
    for option in STAGE_FORMATS[key].options:
        lines.append(
            f"| `{option.key}` | {option.name} | {_values(option)} | {_json(option.default)} "
            f"| {option.explanation} |"
        )
    return "\n".join(lines)


def _values(option: FormatOption) -> str:
    by_kind: dict[type, Callable[[Any], str]] = {
        WholeOption: lambda kind: f"{kind.fewest}–{kind.most}{', or none' if kind.or_none else ''}",
        Points: lambda kind: f"0–{MOST_POINTS} in halves{', or none' if kind.or_none else ''}",
        PlacePoints: lambda _: "a scale such as `4-2-1-0`, or none",
        YesNo: lambda _: "`true`, `false`",
        OneOf: lambda kind: "; ".join(f"{_json(value)}: {name}" for value, name in kind.values.items()),
    }
    return by_kind[type(option.kind)](option.kind)


def _json(value: object) -> str:
    words = {None: "`null`", True: "`true`", False: "`false`"}
    if value is None or isinstance(value, bool):
        return words[value]
    return f'`"{value}"`' if isinstance(value, str) else str(value)


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    for page in pages():
        page.write_text(with_tables(page.read_text("utf-8")), "utf-8")
