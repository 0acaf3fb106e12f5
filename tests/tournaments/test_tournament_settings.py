"""Settings: the defaults are the palio's, and whatever is wrong is told field by field."""

from importlib import import_module
from typing import Any
from unittest import mock

import pytest
from django.apps import apps

from people.actors import Actor
from people.refusals import Refused
from tests.support.factories import make_event
from tournaments.commands.set_up import change_settings, create_tournament
from tournaments.models import Tournament
from tournaments.projections.standings_inputs import edition_of, inputs_now
from tournaments.settings.stage import may_need_fewer
from tournaments.settings.tournament import TournamentSettings
from tournaments.standings import EDITION


def test_settings_default_to_those_of_the_palio() -> None:
    assert TournamentSettings.from_json({}).to_json() == {
        "ruleset": "palio",
        "format": "triangle",
        "squad_size": 1,
        "rounds": None,
        "options": {},
        "match": {},
        "later": [],
        "squads_per_team": None,
        "draws_itself": True,
        "tables": 6,
        "minutes_per_game": 10,
        "minutes_between": 5,
        "starts_at": "14:00",
        "bell": "no_point",
        "metrics": ["points", "direct_match", "mini_tournaments"],
        "tie_policy": "same",
        "scale": [30, 20, 10],
        "keep_apart": ["family", "strong"],
        "confirmation": "none",
    }


def test_settings_from_before_there_was_a_bell_rule_give_no_point() -> None:
    kept = TournamentSettings().to_json()
    del kept["bell"]
    assert TournamentSettings.from_json(kept).bell == "no_point"


def test_settings_survive_being_kept() -> None:
    given = TournamentSettings.from_json({"scale": [9, 4, 4, 1], "format": "duel", "tie_policy": "lots"})
    assert TournamentSettings.from_json(given.to_json()) == given


def test_open_games_may_be_more_than_needed_where_matches_can_end_early() -> None:
    knockout = {
        "format": "single_elimination",
        "match": {"length": "best_of", "games": 3},
        "qualification": {"first_of_each_group": 2},
    }
    settings = TournamentSettings.from_json(
        {"format": "round_robin", "metrics": ["points"], "later": [knockout]}
    ).to_json()

    found = {
        (stage, games): may_need_fewer(settings, stage, games) for stage in (1, 2) for games in (0, 1, 2)
    }

    assert [key for key, may_be in found.items() if may_be] == [(2, 2)]
    assert not may_need_fewer(TournamentSettings.from_json({}).to_json(), 1, 9)


def test_keep_apart_setting_does_not_depend_on_its_order() -> None:
    given = TournamentSettings.from_json({"keep_apart": ["strong", "class"]})
    assert given == TournamentSettings.from_json({"keep_apart": ["class", "strong"]})
    assert TournamentSettings.from_json({"keep_apart": []}).keep_apart == ()


WRONG: list[tuple[Any, list[tuple[str, str]]]] = [
    ([], [("settings", "malformed")]),
    ({"colour": "red"}, [("colour", "unknown-field")]),
    ({"ruleset": "poker"}, [("ruleset", "malformed")]),
    ({"ruleset": 7}, [("ruleset", "wrong-value")]),
    ({"ruleset": {"preset": "palio", "hand_size": 0}}, [("ruleset", "bad-ruleset")]),
    ({"format": "knockdown"}, [("format", "wrong-value")]),
    ({"squad_size": 6}, [("squad_size", "wrong-value")]),
    ({"squad_size": True}, [("squad_size", "wrong-value")]),
    ({"rounds": 0}, [("rounds", "wrong-value")]),
    ({"rounds": "4"}, [("rounds", "wrong-value")]),
    ({"tables": 0}, [("tables", "wrong-value")]),
    ({"minutes_per_game": 0}, [("minutes_per_game", "wrong-value")]),
    ({"minutes_between": -1}, [("minutes_between", "wrong-value")]),
    ({"starts_at": "25:00"}, [("starts_at", "wrong-value")]),
    ({"bell": "gong"}, [("bell", "wrong-value")]),
    ({"bell": 1}, [("bell", "wrong-value")]),
    ({"metrics": []}, [("metrics", "wrong-value")]),
    ({"metrics": ["points", "points"]}, [("metrics", "wrong-value")]),
    ({"metrics": ["luck"]}, [("metrics", "wrong-value")]),
    ({"tie_policy": "fight"}, [("tie_policy", "wrong-value")]),
    ({"scale": [10, 20, 30]}, [("scale", "wrong-value")]),
    ({"scale": []}, [("scale", "wrong-value")]),
    ({"keep_apart": "family"}, [("keep_apart", "wrong-value")]),
    ({"keep_apart": ["friends"]}, [("keep_apart", "wrong-value")]),
    ({"confirmation": "everybody"}, [("confirmation", "wrong-value")]),
    ({"confirmation": None}, [("confirmation", "wrong-value")]),
    ({"keep_apart": [["family"]]}, [("keep_apart", "wrong-value")]),
    ({"keep_apart": ["class", "class"]}, [("keep_apart", "wrong-value")]),
    ({"tables": 0, "scale": 30}, [("tables", "wrong-value"), ("scale", "wrong-value")]),
]


@pytest.mark.parametrize(("value", "problems"), WRONG)
def test_settings_that_are_wrong_are_told_by_field_and_code(
    value: Any, problems: list[tuple[str, str]]
) -> None:
    with pytest.raises(Refused) as refused:
        TournamentSettings.from_json(value)
    told = [(problem["field"], problem["code"]) for problem in refused.value.params["problems"]]
    assert (refused.value.code, refused.value.status, told) == ("invalid-settings", 422, problems)


@pytest.mark.parametrize("preset", ["palio", "classic", "to_go", "guide"])
def test_rules_without_points_in_hand_are_refused_with_those_that_count_them(preset: str) -> None:
    asked = {"format": "tables_by_standing", "options": {"by_places": False}}

    with pytest.raises(Refused) as caught:
        TournamentSettings.from_json({**asked, "ruleset": preset})

    assert caught.value.params["problems"] == [
        {
            "field": "ruleset",
            "code": "not-offered",
            "expected": "“Le regole di casa”, o altre in cui ognuno segna quello che gli resta in mano, per "
            "“Tavoli secondo la classifica”",
        }
    ]
    assert TournamentSettings.from_json({**asked, "ruleset": "house"}).format == asked["format"]


def test_lots_before_another_metric_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        TournamentSettings.from_json({"metrics": ["lots", "points"]})
    assert [problem["field"] for problem in refused.value.params["problems"]] == ["metrics"]


@pytest.mark.django_db
@pytest.mark.parametrize("edition", [1, EDITION])
def test_edition_stays_the_one_that_the_tournament_was_set_up_with(edition: int) -> None:
    actor = Actor.command()
    with mock.patch("tournaments.commands.set_up.EDITION", edition):
        tournament = create_tournament(make_event(), actor, "Torneo", {})

    change_settings(tournament, actor, {"tables": 3})

    assert inputs_now(tournament).edition == edition


def test_edition_is_the_first_where_a_set_up_names_none() -> None:
    assert edition_of({"settings": {}}) == 1


@pytest.mark.django_db
def test_tournaments_name_is_cleaned_as_all_names_are() -> None:
    made = create_tournament(make_event(), Actor.command(), " Torneo\tdi\u200b  sabato\n", {})

    assert made.name == "Torneo di sabato"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Torneo\x07", "\ufffd", "\x1b[31mRosso"])
def test_tournaments_name_with_control_or_broken_characters_is_refused(name: str) -> None:
    event = make_event()

    with pytest.raises(Refused) as refusal:
        create_tournament(event, Actor.command(), name, {})

    assert (refusal.value.code, event.tournaments.count()) == ("invalid-name", 0)


@pytest.mark.django_db
def test_names_of_before_are_cleaned_by_the_migration() -> None:
    tournament = create_tournament(make_event(), Actor.command(), "Torneo", {})
    Tournament.objects.update(name="Carte\tdi\x07sabato")

    import_module("tournaments.migrations.0022_names_on_one_line").fill(apps, None)

    tournament.refresh_from_db()

    assert tournament.name == "Carte di sabato"


@pytest.mark.django_db
def test_thirty_rounds_at_tables_are_the_most_for_a_new_tournament() -> None:
    event = make_event()

    made = create_tournament(
        event, Actor.command(), "Tavoli", {"format": "tables", "options": {"rounds": 30}}
    )
    with pytest.raises(Refused) as refusal:
        create_tournament(event, Actor.command(), "Troppi", {"format": "tables", "options": {"rounds": 31}})

    assert (made.settings["options"]["rounds"], refusal.value.code) == (30, "invalid-settings")
    assert (
        TournamentSettings.from_json({**made.settings, "options": {"rounds": 100}}).options["rounds"] == 100
    )
