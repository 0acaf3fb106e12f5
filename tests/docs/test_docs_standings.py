"""The page on standings: its lists are the registries', its examples are recomputed."""

import re
from collections.abc import Iterator

import pytest
from django.utils import translation

from tests.docs.standings_tables import LIST, LISTS, PAGE, examples, with_tables
from tests.support.doc_pages import section
from tournaments.standings import METRICS, OVERALL_METRICS, TIE_POLICIES

TEXT = PAGE.read_text("utf-8")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def test_standings_page_lists_and_examples_are_those_of_the_code() -> None:
    assert [found[2] for found in LIST.finditer(TEXT)] == list(LISTS)
    assert with_tables(TEXT) == TEXT, "write them anew: python -m tests.docs.standings_tables"


def test_standings_page_examples_are_all_read() -> None:
    assert len(list(examples(TEXT))) == len(
        re.findall(r"^```(?:games|rounds|tables|palio)$", TEXT, re.MULTILINE)
    )


@pytest.mark.parametrize("key", METRICS)
def test_every_metric_has_a_section_with_an_example_that_it_decides(key: str) -> None:
    metric = METRICS[key]
    found = section(PAGE, metric.name)
    assert found.startswith(f"\n`{key}`: ")
    assert key in {asked for _, keys in examples(found) for asked in keys}
    # What its sentences begin with; the numbers are the example's. More than two are named or counted.
    begins = {metric.ahead.partition("%")[0]}
    if key.startswith("direct_match"):
        begins.add("Ahead in the games among ")
    assert any(words in found for words in begins)


@pytest.mark.parametrize("key", OVERALL_METRICS)
def test_every_metric_of_the_palio_has_an_example(key: str) -> None:
    asked = {each.partition(":")[0] for kind, keys in examples(TEXT) if kind == "palio" for each in keys}
    assert key in asked


def test_standings_page_lists_every_tie_policy() -> None:
    assert re.findall(r"^- `(\w+)`", section(PAGE, "Shared places"), re.MULTILINE) == list(TIE_POLICIES)
