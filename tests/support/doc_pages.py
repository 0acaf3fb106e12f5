"""The project's pages for readers: those at the top, and all below docs/."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.support import ROOT

FENCED = re.compile(r"^```[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def pages() -> list[Path]:
    """Every page, README first."""
    top = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
    return [*(ROOT / name for name in top), *sorted((ROOT / "docs").rglob("*.md"))]


def sessions(page: Path) -> Iterator[tuple[str, str]]:
    """Each command that a page shows after a `$`, with the output that it shows below."""
    for block in FENCED.findall(page.read_text("utf-8")):
        for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = shown.partition("\n")
            yield command, output


def section(page: Path, heading: str) -> str:
    """What stands below a heading, up to the next one of any level."""
    found = re.search(
        rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    if found is None:
        raise LookupError(f"{page.name} has no heading “{heading}”")
    return found[1]


def first_column(text: str) -> list[str]:
    """What stands as code in the first cell of each line of a table."""
    return [
        word
        for line in text.splitlines()
        if line.startswith("| `")
        for word in re.findall(r"`([^`]+)`", line.split("|")[1])
    ]
