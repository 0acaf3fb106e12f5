"""Setting up events, teams, organizers and referees: what is refused, and what is made when it isn't."""

from datetime import date
from typing import Any

import pytest
from django.db.models import CharField, Model

from people.access import organizes
from people.actors import Actor
from people.entries import enter_by_hand
from people.events import (
    EVENT_TEXT,
    TEAM_LENGTHS,
    add_referee,
    add_referee_once,
    add_team,
    create_event,
    edit_event,
    edit_team,
    remove_team,
)
from people.input_problems import BadInputError
from people.intake.rows import MAX_NAME
from people.models import AuditEntry, Event, Referee, Team
from tests.people.support import festival, new_account

DAY = date(2022, 9, 17)
pytestmark = pytest.mark.django_db


def refused(error: pytest.ExceptionInfo[BadInputError]) -> list[tuple[str, str]]:
    """Which fields were refused, and why."""
    return [(problem.column, problem.code.value) for problem in error.value.problems]


def test_event_created_for_one_day_is_organized_by_its_maker() -> None:
    account = new_account()
    event = create_event(account, " Palio  dei rioni ", DAY)
    assert (event.name, event.slug, event.ends_on, event.is_published) == (
        "Palio dei rioni", "palio-dei-rioni", DAY, False,
    )  # fmt: skip
    assert (event.min_age, event.max_age, event.names_shown) == (7, 14, "number")
    assert organizes.test(Actor.of_account(account), event)
    assert not organizes.test(Actor.of_account(new_account()), event)
    trail = AuditEntry.objects.filter(event=event)
    assert {(line.model, line.action, line.actor_id) for line in trail} == {
        ("event", "created", account.pk), ("organizer", "created", account.pk),
    }  # fmt: skip


def test_event_slugs_are_unique_and_avoid_other_pages() -> None:
    account = new_account()
    names = ["Palio", "Palio", "Palio", "Desk", "Città di Lecco 2022", "Città di Lecco 2022", "★", "★"]
    slugs = [create_event(account, name, DAY).slug for name in names]
    assert slugs == [
        "palio", "palio-2022", "palio-2022-2", "desk-2022", "citta-di-lecco-2022", "citta-di-lecco-2022-2",
        "palio-2022-3", "palio-2022-4",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "problems"),
    [
        ({"name": " "}, [("name", "missing")]),
        ({"name": "A" * 121}, [("name", "too_long")]),
        ({"ends_on": date(2022, 9, 16)}, [("ends_on", "ends_before_start")]),
        ({"min_age": 15}, [("min_age", "ages_out_of_order")]),
        ({"min_age": -1}, [("min_age", "ages_out_of_order")]),
        ({"max_age": 121}, [("min_age", "ages_out_of_order")]),
        ({"time_zone": "Europe/Lecco"}, [("time_zone", "not_a_choice")]),
        ({"language": "fr"}, [("language", "not_a_choice")]),
        ({"names_shown": "all"}, [("names_shown", "not_a_choice")]),
        ({"team_word": "clan", "name": ""}, [("name", "missing"), ("team_word", "not_a_choice")]),
    ],
)
def test_event_settings_out_of_range_are_refused(
    values: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    with pytest.raises(BadInputError) as error:
        create_event(new_account(), **{"name": "Palio", "starts_on": DAY, **values})
    assert refused(error) == problems
    assert Event.objects.count() == 0
    event, _, actor = festival()
    with pytest.raises(BadInputError) as error:
        edit_event(event, actor, **values)
    assert refused(error) == problems


def test_event_settings_change_is_audited() -> None:
    event, _, actor = festival()
    assert edit_event(event, actor, names_shown="initial", max_age=12) is True
    (line,) = AuditEntry.objects.filter(event=event, action="changed")
    assert line.changes == {"names_shown": ["number", "initial"], "max_age": ["14", "12"]}
    assert edit_event(event, actor, max_age=12) is False


def test_teams_are_numbered_and_get_short_names_of_their_own() -> None:
    event, _, actor = festival()
    names = ["Contrada Superba di Sopra", "Rione Superba di Sotto", "Ponte"]
    made = [add_team(event, actor, name, color_one="#B3261E") for name in names]
    assert [(team.number, team.short_name, team.color_one) for team in made] == [
        (4, "Superba di S", "#b3261e"), (5, "Superba di 2", "#b3261e"), (6, "Ponte", "#b3261e"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "short_name"),
    [
        ("Rione della Fonte", "Fonte"),
        ("Rione del Mulino", "Mulino"),
        ("Contrada dell’Oca", "Oca"),
        ("Contrada di Sopra", "Sopra"),
        ("Team of the Mill", "Mill"),
        ("Rione Dino", "Dino"),
        ("Rione del", "del"),
        ("Della Fonte", "Della Fonte"),
    ],
)
def test_team_short_name_leaves_out_the_team_word_and_its_article(name: str, short_name: str) -> None:
    event, _, actor = festival()
    assert add_team(event, actor, name).short_name == short_name


@pytest.mark.parametrize(
    ("values", "problems"),
    [
        ({"name": ""}, [("name", "missing"), ("short_name", "missing")]),
        ({"name": "★", "short_name": "A"}, [("name", "no_letters")]),
        ({"name": "CÉNTRO", "short_name": "C"}, [("name", "name_taken")]),
        ({"name": "Nuovi", "short_name": "centro"}, [("short_name", "name_taken")]),
        ({"name": "Nuovi", "short_name": "A" * 13}, [("short_name", "too_long")]),
        ({"name": "Nuovi", "color_two": "red"}, [("color_two", "not_a_color")]),
        ({"name": "Nuovi", "division": "spiral"}, [("division", "not_a_choice")]),
    ],
)
def test_team_with_a_taken_name_or_a_wrong_color_is_refused(
    values: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    event, teams, actor = festival()
    with pytest.raises(BadInputError) as error:
        add_team(event, actor, **values)

    assert refused(error) == problems
    assert event.teams.count() == 3
    assert edit_team(teams["Centro"], actor, name="CENTRO", color_one="#000000") is True


def test_team_with_entries_can_not_be_removed() -> None:
    event, teams, actor = festival()
    enter_by_hand(event, actor, team=teams["Centro"], last_name="A", first_name="B", birth_date="2012-01-01")
    with pytest.raises(BadInputError, match="team_in_use"):
        remove_team(teams["Centro"], actor)
    remove_team(teams["Superiore"], actor)

    assert [team.name for team in event.teams.all()] == ["Centro", "Inferiore"]
    assert add_team(event, actor, "Ponte").number == 4


def length(model: type[Model], name: str) -> int | None:
    """How much text a column takes."""
    field = model._meta.get_field(name)
    assert isinstance(field, CharField)
    return field.max_length


def test_text_limits_are_those_of_their_columns() -> None:
    assert {length(Event, name) for name in ("name", "place")} == {EVENT_TEXT}
    assert {name: length(Team, name) for name in TEAM_LENGTHS} == TEAM_LENGTHS
    assert {length(Referee, name) for name in ("first_name", "last_name")} == {MAX_NAME}


def test_referee_s_name_stays_out_of_the_audit_trail() -> None:
    event, teams, actor = festival()
    referee = add_referee(event, actor, " Ivo ", "Fischietti", teams["Centro"])
    assert (referee.first_name, referee.team) == ("Ivo", teams["Centro"])
    (line,) = AuditEntry.objects.filter(model="referee")
    assert "Fischietti" not in str(line.changes) + repr(referee)
    with pytest.raises(BadInputError) as error:
        add_referee(event, actor, "", team=festival()[1]["Centro"])
    assert refused(error) == [("first_name", "missing"), ("team", "of_another_event")]


def test_referee_is_added_once_only_where_that_is_asked_for() -> None:
    event, teams, actor = festival()
    referee = add_referee_once(event, actor, "Ivo", "Fischietti", teams["Centro"])

    assert add_referee_once(event, actor, "Ivo", "Fischietti", teams["Centro"]) == referee
    assert add_referee_once(event, actor, "Ivo", "Fischietti") != referee
    assert add_referee(event, actor, "Ivo", "Fischietti") != referee
    assert event.referees.count() == 3
