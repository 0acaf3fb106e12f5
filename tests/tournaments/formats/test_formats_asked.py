"""What differs between formats is asked of their entries in the registry, never of their keys."""

import ast

import pytest

from tests.docs.module_list import modules
from tests.support import ROOT
from tournaments.formats.catalogue import FORMATS


def compared_keys(source: str) -> list[str]:
    """The keys of formats that a module compares something with."""
    comparisons = [
        each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Compare | ast.MatchValue)
    ]
    constants = [each for one in comparisons for each in ast.walk(one) if isinstance(each, ast.Constant)]
    return [each.value for each in constants if isinstance(each.value, str) and each.value in FORMATS]


def test_format_keys_are_compared_in_no_module_outside_the_registry() -> None:
    outside = [path for path in modules() if not path.is_relative_to("tournaments/formats")]

    found = {str(path): compared_keys((ROOT / path).read_text("utf-8")) for path in outside}

    assert {path: keys for path, keys in found.items() if keys} == {}


@pytest.mark.parametrize(
    "source",
    [
        'stage.format != "swiss"',
        'stage.format in ("swiss", "other")',
        'match stage.format:\n    case "swiss":\n        pass',
    ],
)
def test_twin_comparison_with_the_key_of_a_format_is_found(source: str) -> None:
    assert compared_keys(source) == ["swiss"]
