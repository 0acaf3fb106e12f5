"""Why a team is ahead, in one line, and exact numbers as people read them."""

from typing import Any

import pytest
from django.utils import translation

from rendering.text.numbers import bent_by, spoken, spoken_apart
from tournaments.queries.order_reasons import ShownTie, reason
from tournaments.standings import METRICS

NAMES = {"1": "Superiore", "2": "Centro", "3": "Inferiore", "4": "Poggio"}


@pytest.fixture(autouse=True)
def _english() -> Any:
    with translation.override("en"):
        yield


def decided(metric: str, value: str, next_value: str, among: str) -> dict[str, Any]:
    return {"metric": metric, "value": value, "next_value": next_value, "among": list(among)}


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_has_its_sentence_in_both_languages(metric: str, language: str) -> None:
    with translation.override(language):
        line = reason(decided(metric, "25/2", "11", "12"), NAMES)
    assert line.startswith({"it": "Avanti ", "en": "Ahead "}[language])
    assert "%" not in line
    if metric not in {"lots", "play_off"}:
        assert line.endswith({"it": ": 12½\xa0a\xa011", "en": ": 12½ to 11"}[language])


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (decided("points", "12", "9", "1234"), "Ahead on points: 12 to 9"),
        (decided("direct_match", "3", "1", "12"), "Ahead by the direct match: 3 to 1"),
        (
            {**decided("direct_match", "2", "1", "123"), "missing": True},
            "Ahead by the direct match, whatever the missing games give: 2 to at most 1",
        ),
        (
            decided("direct_match", "4", "3", "123"),
            "Ahead in the games among Superiore, Centro and Inferiore: 4 to 3",
        ),
        (
            decided("direct_match", "5", "3", "1234"),
            "Ahead in the games among the 4 who were level: 5 to 3",
        ),
        (decided("mini_tournaments", "3", "2", "12"), "Ahead on mini-tournaments won: 3 to 2"),
        (decided("direct_match_once", "3", "1", "12"), "Ahead by the direct match: 3 to 1"),
        (
            decided("direct_match_once", "4", "3", "123"),
            "Ahead in the games among Superiore, Centro and Inferiore: 4 to 3",
        ),
        (decided("wins", "5", "4", "12"), "Ahead on wins: 5 to 4"),
        (decided("penalties", "2", "6", "12"), "Ahead with fewer penalty cards: 2 to 6"),
        (
            decided("buchholz", "25/2", "12", "1234"),
            "Ahead on Buchholz, the points of those they met: 12½ to 12",
        ),
        (decided("play_off", "1", "2", "12"), "Ahead by the play-off"),
        (decided("lots", "1", "2", "12"), "Ahead by lot: drawn before the next"),
        (None, ""),
    ],
)
def test_reason_says_which_metric_decides_and_by_how_much(
    decision: dict[str, Any] | None, expected: str
) -> None:
    assert reason(decision, NAMES) == expected


@pytest.mark.parametrize(
    ("decision", "tie", "expected"),
    [
        (None, ShownTie(["Centro"]), "Level with Centro"),
        (
            decided("points", "9", "4", "1234"),
            ShownTie(["Centro", "Poggio"]),
            "Level with Centro and Poggio; ahead on points: 9 to 4",
        ),
        (None, ShownTie(["Centro"], "lots"), "Level with Centro: lots will be drawn"),
        (None, ShownTie(["Centro"], "play_off"), "Level with Centro: a play-off will decide"),
        (
            decided("mini_tournaments", "2", "1", "123"),
            ShownTie(["Centro"], "lots"),
            "Level with Centro: lots will be drawn; ahead on mini-tournaments won: 2 to 1",
        ),
        (
            decided("mini_tournaments", "2", "1", "123"),
            ShownTie(["Centro"], "play_off"),
            "Level with Centro: a play-off will decide; ahead on mini-tournaments won: 2 to 1",
        ),
        (None, ShownTie(list(NAMES.values())), "Level with 4 others"),
    ],
)
def test_reason_names_who_is_level(decision: dict[str, Any] | None, tie: ShownTie, expected: str) -> None:
    assert reason(decision, NAMES, tie) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("25", "25"),
        ("0", "0"),
        ("50/3", "16⅔"),
        ("15/2", "7½"),
        ("1/3", "⅓"),
        ("30/7", "4\N{NO-BREAK SPACE}2/7"),
        ("-3", "−3"),
        ("943/144", "6.55"),
        ("-943/144", "−6.55"),
    ],
)
def test_number_is_written_with_fractions_as_by_hand(number: str, expected: str) -> None:
    assert spoken(number) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("13/2", "6", ("6½", "6")),
        ("943/144", "223/36", ("6.55", "6.19")),
        ("941/144", "13/2", ("6.53", "6.50")),
        ("6501/1000", "13/2", ("6.501", "6.500")),
    ],
)
def test_numbers_that_differ_are_written_with_enough_decimals(
    first: str, second: str, expected: tuple[str, str]
) -> None:
    assert spoken_apart(first, second) == expected


@pytest.mark.parametrize(
    ("number", "expected"), [("1", 1), ("1/2", 1), ("-1/4", 1), ("0", 0), ("3/2", 2), ("2", 2)]
)
def test_half_a_point_is_singular(number: str, expected: int) -> None:
    assert bent_by(number) == expected


def test_number_has_the_decimal_comma_in_italian() -> None:
    with translation.override("it"):
        written = spoken("943/144")

    assert written == "6,55"
