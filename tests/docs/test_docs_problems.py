"""The codes of problems that the programmers' guide lists are those that the service has."""

import ast
import re
from collections.abc import Iterator

from api.problems import AGAINST_STORED
from ledger.findings import FindingCode
from ledger.outages import Outage
from tests.support import ROOT

PAGE = (ROOT / "docs" / "reference" / "api.md").read_text()
LAYERS = ("api", "people", "integrations", "tournaments", "games", "ledger")
PLACES = {"Refused": 0, "_refused": 0, "_expect_none": 1, "Problem": 1, "problem": 1, "__init__": 0}
"""Which argument is the code, of each call that makes a refusal, also that of a subclass to its base."""
OF_PAGES = {"id-derived", "is-practice", "not-practice", "not-its-side", "too-many-tries"}
"""What is refused on pages alone, or has another code in the API."""
OF_THE_FRAMEWORK = {
    *("authentication-failed", "method-not-allowed", "not-acceptable", "not-authenticated"),
    *("permission-denied", "unsupported-media-type"),
}
OF_JOKERS = {"late-joker", "many-jokers"}
"""The pure standings refuse a joker by these; the palio hands them on."""
OF_LOGS = {"malformed", "not-your-turn", "no-match"}
"""Examples of what the game log refuses: docs/reference/game-log.md has all of it."""


def listed() -> set[str]:
    """The codes in the guide's table of problems."""
    table = PAGE[PAGE.index("| status | code |") : PAGE.index("## Sending again")]
    cells = [row.split("|")[2] for row in table.splitlines() if row.startswith("| ") and row[2].isdigit()]
    return {code for cell in cells for code in re.findall(r"`([a-z]+(?:-[a-z]+)*)`", cell)}


def written(node: ast.expr) -> Iterator[str]:
    """The texts that an argument can be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*written(node.body), *written(node.orelse))


def codes_in_code() -> set[str]:
    """The codes that the layers refuse by."""
    found = set()
    for layer in LAYERS:
        for file in (ROOT / layer).rglob("*.py"):
            places = PLACES | ({"refuse": 0} if file.name == "parsers.py" else {})
            for node in ast.walk(ast.parse(file.read_text())):
                if not isinstance(node, ast.Call):
                    continue
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if len(node.args) > places.get(name, 99):
                    found |= set(written(node.args[places[name]]))
    return found


def test_api_guide_lists_every_problem_code_and_no_other() -> None:
    invalid = {"invalid-input"}
    stored = {code.value.replace("_", "-") for code in AGAINST_STORED}
    outages = {outage.value for outage in Outage}

    there = codes_in_code() - OF_PAGES | stored | outages | invalid | OF_THE_FRAMEWORK | OF_JOKERS | OF_LOGS

    assert listed() == there


def test_ledger_page_lists_the_code_of_every_finding() -> None:
    page = (ROOT / "docs" / "reference" / "ledger.md").read_text()
    table = page[page.index("Each finding\nhas a code") :]
    cells = [
        row.split("|")[1] for row in table[: table.index("\n\nWhoever")].splitlines() if row.startswith("| `")
    ]

    assert {code for cell in cells for code in re.findall(r"`([a-z-]+)`", cell)} == {*FindingCode}
