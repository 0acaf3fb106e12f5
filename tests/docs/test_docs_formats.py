"""The pages on formats: tables of settings are the catalogue's, the settings shown are taken."""

import json
import re
from pathlib import Path

import pytest

from tests.docs.formats_tables import FOLDER, formats_of, pages, with_tables
from tests.support.doc_pages import section
from tournaments.commands import decision_recording
from tournaments.facts.reasons import GONE_REASONS
from tournaments.formats.catalogue import STAGE_FORMATS
from tournaments.projections.tournament_rows import PROJECT
from tournaments.settings.stage import qualification_of
from tournaments.settings.tournament import MAX_STAGES, TournamentSettings

INDEX = FOLDER / "README.md"


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_format_page_settings_tables_are_those_of_the_catalogue(page: Path) -> None:
    text = page.read_text("utf-8")
    assert with_tables(text) == text, "write them anew: python -m tests.docs.formats_tables"


def test_every_format_has_a_page_with_its_settings_and_its_method() -> None:
    marked = [(key, page) for page in pages() for key in formats_of(page)]
    assert sorted(key for key, _page in marked) == sorted(STAGE_FORMATS)
    for key, page in marked:
        assert STAGE_FORMATS[key].method in page.read_text("utf-8"), key


def test_format_settings_example_is_accepted() -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```$", INDEX.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    given = json.loads(shown)
    kept = TournamentSettings.from_json(given).to_json()
    assert kept == {**kept, **given, "options": kept["options"], "later": kept["later"]}
    usual = {"legs": 1, "annul": True, "win": "1", "draw": "1/2", "loss": "0"}
    assert kept["options"] == {**usual, **given["options"]}
    (later,), (asked,) = kept["later"], given["later"]
    assert later == {**asked, "options": {"seeded": 1024, "apart": False, **asked["options"]}}
    assert (MAX_STAGES, list(GONE_REASONS)) == (4, ["withdrawn", "no-show", "disqualified"])


def test_stages_page_shows_every_qualification_rule_as_set() -> None:
    told = section(FOLDER / "stages.md", "Rules")
    rules = dict(re.findall(r"^\| `(\w+)` \| `(.+?)` \|", told, re.MULTILINE))
    read = {name: qualification_of(json.loads(f"{{{asked}}}")).rules for name, asked in rules.items()}
    assert {name: [type(rule).__name__ for rule in found] for name, found in read.items()} == {
        name: [name] for name in ("FirstOfEachGroup", "BestOfPlace", "FirstOverall", "Everybody")
    }


def test_every_decision_is_in_the_table_of_decisions() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", decision_recording.__doc__ or "", re.MULTILINE)
    assert sorted(listed) == sorted(PROJECT)
