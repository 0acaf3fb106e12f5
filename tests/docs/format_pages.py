"""The tables of the pages on formats."""

from tests.support import ROOT
from tests.support.doc_pages import section


def tables_of(page: str, heading: str) -> list[list[list[str]]]:
    """The tables below a heading of a page in docs/reference/formats: rows of cells, without their heads."""
    found: list[list[list[str]]] = [[]]
    for line in section(ROOT / "docs" / "reference" / "formats" / page, heading).splitlines():
        if line.startswith("|"):
            found[-1].append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif found[-1]:
            found.append([])
    return [rows[2:] for rows in found if rows]
