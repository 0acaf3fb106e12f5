"""Tables of a round on the projector: who sits where next, what changed after the draw, and who sits out."""

import random

import pytest
from django.test import Client

from people.models import Event
from tests.support.factories import make_entry
from tests.support.page_reading import Element, read
from tests.support.rounds_play import ACTOR, play_tables, published, squad_named
from tournaments.commands.replanned_rounds import plan_rounds_anew
from tournaments.commands.squad_changes import add_squad, remove_squad
from tournaments.models import Match, Tournament

pytestmark = pytest.mark.django_db


def shown(entries: int, format: str = "tables", tables: int = 8, **options: object) -> Tournament:
    """A public tournament at tables of four, of so many teams of one."""
    made = published(entries, 1, format=format, tables=tables, options=options)
    Event.objects.filter(pk=made.event.pk).update(is_published=True)
    return made


def screens(client: Client, tournament: Tournament) -> list[Element]:
    """The screens with tables, each reached from the one before."""
    path = f"/en/{tournament.event.slug}/{tournament.slug}/projector/1/"
    found: list[Element] = []
    seen: set[str] = set()
    while path not in seen:
        seen.add(path)
        found.append(read(client.get(path)))
        path = found[-1].one(".screen").attributes["data-next"]
    return [screen.one(".screen") for screen in found if screen.has("ul.seating")]


def told(screens: list[Element]) -> list[tuple[str, list[str]]]:
    """Each table on these screens, and who sits there."""
    return [
        (table.one("h2").text, [side.text for side in table.one("ol").all("li")])
        for screen in screens
        for table in screen.one("ul.seating").all("li")
        if table.has("h2")
    ]


def drawn(tournament: Tournament, number: int) -> list[tuple[str, list[str]]]:
    """The same as it is stored."""
    matches = Match.objects.filter(stage__tournament=tournament, round=number).order_by(
        "wave", "table__number"
    )
    return [
        (
            f"Table {match.table.number}",
            [
                f"{side.squad.team.short_name} {side.squad.members.get().entry.number}"
                for side in match.sides.order_by("number")
            ],
        )
        for match in matches.order_by("wave", "table__number")
    ]


def name_of(tournament: Tournament, team: int) -> str:
    """Whom the public reads of the only one of a team."""
    return f"{tournament.event.teams.get(number=team).short_name} 1"


def test_projector_seating_shows_the_first_round_before_it_begins(client: Client) -> None:
    tournament = shown(12, rounds=2)

    there = screens(client, tournament)

    assert told(there) == drawn(tournament, 1)
    assert len(drawn(tournament, 1)) == 3
    assert "Round 1" in there[0].one("h1").text


def test_projector_seating_shows_the_next_round_once_a_table_is_over(client: Client) -> None:
    tournament = shown(12, rounds=2)
    play_tables(tournament, random.Random(1), most=1)

    there = screens(client, tournament)

    assert told(there) == drawn(tournament, 2)
    assert "Next: Round 2" in there[0].one("h1").text


def test_projector_seating_shows_a_round_by_standing_once_it_is_drawn(client: Client) -> None:
    tournament = shown(12, "tables_by_standing", rounds=2)
    play_tables(tournament, random.Random(1), most=2)
    before = screens(client, tournament)
    play_tables(tournament, random.Random(1), most=1)

    after = screens(client, tournament)

    assert told(before) == drawn(tournament, 1)
    assert told(after) == drawn(tournament, 2)


def test_projector_seating_ends_once_all_is_played(client: Client) -> None:
    tournament = shown(12, rounds=1)
    play_tables(tournament, random.Random(1))

    assert screens(client, tournament) == []


def test_projector_seating_of_many_tables_takes_further_screens(client: Client) -> None:
    tournament = shown(32, rounds=1)

    there = screens(client, tournament)

    assert [len(each.one("ul.seating").all("h2")) for each in there] == [4, 4]
    assert told(there) == drawn(tournament, 1)


def test_projector_seating_keeps_a_later_wave_beside_the_next_round(client: Client) -> None:
    tournament = shown(16, tables=2, rounds=2)
    play_tables(tournament, random.Random(1), most=1)

    there = screens(client, tournament)

    assert [each.one("h1").text.startswith("Next") for each in there] == [False, True]
    play_tables(tournament, random.Random(1), most=1)
    assert [each.one("h1").text.startswith("Next") for each in screens(client, tournament)] == [True]


def test_projector_seating_says_that_rounds_were_planned_anew(client: Client) -> None:
    tournament = shown(12, rounds=3)
    play_tables(tournament, random.Random(1), most=1)
    before = screens(client, tournament)
    remove_squad(tournament, ACTOR, squad_named(tournament, (5, 1)), "withdrawn")
    left_a_seat = screens(client, tournament)
    plan_rounds_anew(tournament, ACTOR)

    after = screens(client, tournament)

    assert [each.has(".seating-changes") for each in (before[0], left_a_seat[0])] == [False, False]
    gone = name_of(tournament, 5)
    assert any(gone in names for _table, names in told(before))
    assert all(gone not in names for _table, names in told(left_a_seat))
    assert "Planned anew at" in after[0].one(".seating-changes").text
    assert told(after) == drawn(tournament, 2)


def test_projector_seating_says_who_takes_a_free_seat(client: Client) -> None:
    tournament = shown(11, rounds=2)
    play_tables(tournament, random.Random(1), most=1)

    add_squad(tournament, ACTOR, [make_entry(tournament.event.teams.get(number=3), 2)])

    (screen,) = screens(client, tournament)
    name = tournament.event.teams.get(number=3).short_name
    assert screen.one(".seating-changes").text.endswith(f"{name} 2 takes a free seat.")


def test_projector_seating_says_who_sits_out(client: Client) -> None:
    tournament = shown(5, rounds=2)

    (screen,) = screens(client, tournament)

    seated = {name for _table, names in told([screen]) for name in names}
    (out,) = {name_of(tournament, number) for number in range(1, 6)} - seated
    assert f"{out} has a bye" in screen.one(".seating-rests").text


def test_projector_seating_shows_names_as_privacy_allows(client: Client) -> None:
    tournament = shown(12, rounds=1)
    Event.objects.filter(pk=tournament.event.pk).update(names_shown=Event.NamesShown.INITIAL)
    person = tournament.event.teams.get(number=1).entries.get().person
    assert person is not None
    person.shows_name = True
    person.save()

    names = {name for _table, there in told(screens(client, tournament)) for name in there}

    short = tournament.event.teams.get(number=1).short_name
    own = f"{short}: {person.first_name} {person.last_name[0]}."
    assert names == {own, *(name_of(tournament, number) for number in range(2, 13))}


def test_projector_seating_is_absent_from_a_swiss(client: Client) -> None:
    tournament = shown(6, "swiss", rounds=2)

    assert screens(client, tournament) == []
