"""What an organizer can choose fits what the format gives to go by."""

from dataclasses import replace

import pytest

from people.refusals import Refused
from tournaments.formats.catalogue import FORMATS
from tournaments.settings.tournament import (
    TournamentSettings,
    every_metric,
    every_tie_policy,
    metrics_of,
    tie_policies_of,
)
from tournaments.standings import METRICS, Data


def test_formats_all_have_data_and_default_metrics() -> None:
    assert [key for key, choice in FORMATS.items() if not choice.gives or not choice.default_metrics] == []


@pytest.mark.parametrize("key", ["triangle", "duel"])
def test_mini_tournaments_have_metrics_of_games(key: str) -> None:
    assert list(metrics_of(key, "first_out")) == [
        "points",
        "wins",
        "direct_match",
        "direct_match_once",
        "penalties",
        "mini_tournaments",
        "play_off",
        "lots",
    ]
    assert list(tie_policies_of(key)) == ["same", "average", "play_off", "lots"]


@pytest.mark.parametrize("scoring", ["winner_takes", "lowest_wins", "elimination"])
def test_card_points_go_with_rules_that_count_them(scoring: str) -> None:
    more = set(metrics_of("duel", scoring)) - set(metrics_of("duel", "first_out"))
    assert more == {"card_points_difference", "card_points_for"}
    assert metrics_of("duel", scoring) == metrics_of("duel")


def test_card_points_are_refused_where_nobody_counts_them() -> None:
    chosen = ["points", "card_points_for"]
    assert TournamentSettings.from_json({"ruleset": "classic", "metrics": chosen}).metrics == (*chosen,)
    with pytest.raises(Refused) as refused:
        TournamentSettings.from_json({"ruleset": "palio", "metrics": chosen})
    (problem,) = refused.value.params["problems"]
    without = ", ".join(metrics_of("triangle", "first_out"))
    assert (problem["field"], problem["code"]) == ("metrics", "not-offered")
    assert problem["expected"] == f"con regole del gioco che non contano punti: {without}"


def test_metrics_and_tie_policies_to_choose_are_those_of_any_format() -> None:
    assert set(every_metric()) == {key for format_key in FORMATS for key in metrics_of(format_key)}
    assert set(every_tie_policy()) == {key for format_key in FORMATS for key in tie_policies_of(format_key)}


def test_metric_of_another_format_is_refused() -> None:
    """Swiss has it, and still it is none of a duel's."""
    assert "buchholz" in every_metric()
    with pytest.raises(Refused) as refused:
        TournamentSettings.from_json({"format": "duel", "metrics": ["points", "buchholz"]})
    assert refused.value.params["problems"] == [
        {
            "field": "metrics",
            "code": "not-offered",
            "expected": f"con la formula duel: {', '.join(metrics_of('duel', 'first_out'))}",
        }
    ]


def test_play_off_is_refused_where_its_result_cannot_be_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    without = replace(FORMATS["triangle"], gives=frozenset({Data.MINI_TOURNAMENTS}))
    monkeypatch.setitem(FORMATS, "triangle", without)
    with pytest.raises(Refused) as refused:
        TournamentSettings.from_json({"tie_policy": "play_off"})
    assert [problem["field"] for problem in refused.value.params["problems"]] == ["tie_policy"]
    with pytest.raises(Refused) as refused:
        TournamentSettings.from_json({"metrics": ["points", "play_off"]})
    assert [problem["field"] for problem in refused.value.params["problems"]] == ["metrics"]
    assert "play_off" in METRICS
