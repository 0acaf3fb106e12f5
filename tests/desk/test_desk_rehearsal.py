"""A practice copy: drawn and ready, with nobody's name, kept apart, deleted whole."""

from datetime import datetime, time
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.models import Game
from ledger.models import Fact
from people.actors import Actor
from people.models import Event, Person
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.forms import address, fill, open_page, send
from tournaments.commands.timetable import change_place
from tournaments.models import Match, MatchGame, Place, Tournament

pytestmark = pytest.mark.django_db


def rehearsal_of(palio: Palio, desk: Client) -> Event:
    """A practice copy, made at the desk."""
    fill(desk, address("rehearsal", palio.event.slug))
    return Event.objects.get(is_practice=True)


def test_practice_copy_is_drawn_and_ready_with_invented_players(palio: Palio, desk: Client) -> None:
    before = Fact.objects.filter(stream=palio.tournament.pk).count()
    made = rehearsal_of(palio, desk)
    assert [team.name for team in made.teams.all()] == [team.name for team in palio.teams]
    assert [team.entries.count() for team in made.teams.all()] == [2, 2, 2]
    assert not Person.objects.filter(event=made, last_name__startswith=factories.LAST_NAME).exists()
    (tournament,) = made.tournaments.all()
    assert tournament.status == Tournament.Status.PUBLISHED
    games = MatchGame.objects.filter(match__stage__tournament=tournament)
    assert games.count() == len(palio.games)
    assert Fact.objects.filter(stream=palio.tournament.pk).count() == before
    open_page(desk, address("board", made.slug))


def clock_times(event: Event) -> list[tuple[str, int, int]]:
    """When, where and how long matches are played that the timetable has, by the clock of the tent."""
    zone = ZoneInfo(event.time_zone)
    return [
        (f"{place.begins_at.astimezone(zone):%H:%M}", place.table.number, place.minutes)
        for place in Place.objects.filter(tournament__event=event)
    ]


def move_to_half_past_five(match: Match) -> None:
    event = match.stage.tournament.event
    begins_at = datetime.combine(event.starts_on, time(17, 30), ZoneInfo(event.time_zone))
    change_place(match, Actor.command(), begins_at=begins_at)


def test_practice_copy_takes_the_timetable_along(palio: Palio, desk: Client) -> None:
    match = palio.games[0].match
    move_to_half_past_five(match)

    made = rehearsal_of(palio, desk)

    assert clock_times(made) == clock_times(palio.event)
    assert ("17:30", match.table.number) in [each[:2] for each in clock_times(made)]
    assert {place.begins_at.date() for place in Place.objects.filter(tournament__event=made)} == {
        made.starts_on
    }


def test_practice_copy_leaves_out_the_timetable_of_another_draw(palio: Palio, desk: Client) -> None:
    move_to_half_past_five(palio.games[0].match)
    for team in palio.teams:
        factories.make_entry(team)

    made = rehearsal_of(palio, desk)

    assert [team.entries.count() for team in made.teams.all()] == [3, 3, 3]
    assert clock_times(palio.event) != []
    assert clock_times(made) == []


def test_practice_copy_is_hidden_from_the_public(palio: Palio, desk: Client) -> None:
    made = rehearsal_of(palio, desk)
    assert Client().get(f"/en/{made.slug}/").status_code == 404
    assert made.name not in Client().get("/en/?all").content.decode()


def test_practice_copy_asked_for_twice_is_made_once(palio: Palio, desk: Client) -> None:
    rehearsal_of(palio, desk)
    rehearsal_of(palio, desk)
    assert Event.objects.count() == 2


def test_practice_copy_is_deleted_whole_and_the_real_event_never(palio: Palio, desk: Client) -> None:
    made = rehearsal_of(palio, desk)
    end = address("rehearsal-end", made.slug)
    send(desk, end, {})
    assert Event.objects.filter(pk=made.pk).exists()
    send(desk, end, {"sure": "yes"})
    assert not Event.objects.filter(pk=made.pk).exists()
    assert not Game.objects.filter(scope=made.pk).exists()
    assert set(Fact.objects.values_list("stream__scope", flat=True)) == {palio.event.pk}
    send(desk, address("rehearsal-end", palio.event.slug), {"sure": "yes"}, 409)
    assert Event.objects.get() == palio.event


def test_practice_copy_of_a_practice_copy_is_refused(palio: Palio, desk: Client) -> None:
    made = rehearsal_of(palio, desk)
    send(desk, address("rehearsal", made.slug), {}, 409)

    assert Event.objects.count() == 2


def test_rehearse_command_makes_a_practice_copy(palio: Palio) -> None:
    told = StringIO()
    call_command("rehearse", palio.event.slug, stdout=told)
    assert Event.objects.get(slug=told.getvalue().strip()).is_practice
    with pytest.raises(CommandError):
        call_command("rehearse", told.getvalue().strip())
