"""Style sheets: what they define is used, and what the design language advertises is there."""

import re

import pytest

from tests.rendering.components.style_sheets import (
    Uses,
    animations,
    classes,
    properties,
    read_animations,
    read_properties,
    sheet_text,
    used_classes,
)
from tests.support import ROOT

DESIGN = ROOT / "docs" / "development" / "design.md"


@pytest.fixture(scope="module")
def uses() -> Uses:
    return used_classes()


def unused(sheet: str, uses: Uses) -> set[str]:
    return {name for name in classes(sheet) if not uses.has(name)}


def test_every_class_of_the_style_sheets_is_used(uses: Uses) -> None:
    assert unused(sheet_text(), uses) == set()


@pytest.mark.parametrize("name", ["climbs", "bracket-round", "display", "chip-purple", "is-purple"])
def test_class_that_nothing_uses_is_found(uses: Uses, name: str) -> None:
    sheet = f"{sheet_text()} .page-header > .{name}:hover {{ color: var(--ink); }}"

    assert unused(sheet, uses) == {name}


def test_class_that_ends_with_a_value_is_used(uses: Uses) -> None:
    # `chip-` of states, `step-` of places on the podium, `of-` of seats.
    assert unused(".chip-live, .step-2, .of-5, .movement-up, .banner-drape {}", uses) == set()


def test_design_language_names_only_classes_that_are_used(uses: Uses) -> None:
    text = re.sub(r"[|…]", " ", DESIGN.read_text())
    named = {name for names in re.findall(r'class="([^"]*)"', text) for name in names.split()}
    named |= set(re.findall(r"(?<![\w/*])\.([a-z][\w-]*)", text)) - {"css", "py", "js", "html", "md"}

    assert {name for name in named if not uses.has(name)} == set()


def test_custom_properties_are_set_and_read() -> None:
    sheet = sheet_text()

    assert properties(sheet) == read_properties(sheet)


def test_animations_are_started() -> None:
    sheet = sheet_text()

    assert animations(sheet) - read_animations(sheet) == set()
