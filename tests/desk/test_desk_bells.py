"""Bells of a kept timetable: matches of two rounds that begin at once share one, on every page and phone."""

from datetime import timedelta

import pytest
from django.test import Client

from people.actors import Actor
from tests.desk.palio import Palio, make_palio
from tests.support.forms import address, open_page
from tests.support.page_reading import Element
from tests.support.phones import phone
from tests.support.phones import read as read_phone
from tournaments.commands import clock as actions
from tournaments.commands.results import enter_result
from tournaments.commands.timetable import change_place
from tournaments.models import Clock, Match, Table
from tournaments.queries.timetable.match_starts import first_hour

pytestmark = pytest.mark.django_db
COMMAND = Actor.command()
WAVE = timedelta(minutes=35)


@pytest.fixture
def palio(db: None) -> Palio:
    """Two rounds of four matches at three tables, three at once: the last of round 1 begins with two of
    round 2.
    """
    found = make_palio(4, tables=3, rounds=2)
    matches = Match.objects.order_by("round", "drawn_wave", "drawn_table")
    for at, match in enumerate(matches):
        start = first_hour(found.tournament) + at // 3 * WAVE
        change_place(match, COMMAND, begins_at=start, table=at % 3 + 1)
    return found


def panel(desk: Client, palio: Palio) -> Element:
    return open_page(desk, address("board", palio.event.slug)).one(".clock-panel")


def at_table(client: Client, number: int) -> str:
    """The page of a table as the phone there shows it."""
    return read_phone(client, f"/en/t/{Table.objects.get(number=number).code}/").text


def play(round: int, wave: int) -> None:
    for match in Match.objects.filter(round=round, wave=wave):
        for game in match.match_games.all():
            enter_result(game, COMMAND, seat=0)


def test_board_has_one_bell_for_waves_that_begin_at_once(palio: Palio, desk: Client) -> None:
    assert [option.text for option in panel(desk, palio).all("option")] == [
        "Round 1, wave 1",
        "Round 1, wave 2 · Round 2, wave 1",
        "Round 2, wave 2",
    ]


def test_bell_rings_at_all_tables_that_began_with_it(palio: Palio, desk: Client) -> None:
    play(1, 1)
    client = phone(palio.event)

    actions.start_clock(palio.tournament, COMMAND)
    assert (Clock.objects.get().round, Clock.objects.get().wave) == (1, 2)
    for path in (address("board", palio.event.slug), f"/en/{palio.event.slug}/{palio.tournament.slug}/"):
        assert open_page(desk, path).one(".countdown-where").text == "Matches planned for 14:35"
    actions.ring_bell(palio.tournament, COMMAND)

    for number in (1, 2, 3):
        assert "The bell has rung: count game 1" in at_table(client, number)
    chosen = [option.text for option in panel(desk, palio).all("option") if "selected" in option.attributes]
    assert chosen == ["Round 2, wave 2"]


def test_wave_that_begins_later_waits_for_its_own_bell(palio: Palio) -> None:
    client = phone(palio.event)
    play(1, 1)
    play(1, 2)
    play(2, 1)

    actions.start_clock(palio.tournament, COMMAND, round=1, wave=2)
    actions.ring_bell(palio.tournament, COMMAND)

    assert "Enter game 1" in at_table(client, 1)
    assert "The bell has rung: count game" not in at_table(client, 1)


def test_bell_does_not_ring_for_a_later_match_of_an_earlier_round(palio: Palio) -> None:
    late = Match.objects.get(round=1, wave=2)
    change_place(late, COMMAND, begins_at=first_hour(palio.tournament) + 5 * WAVE)
    play(1, 1)

    actions.start_clock(palio.tournament, COMMAND)
    assert (Clock.objects.get().round, Clock.objects.get().wave) == (2, 1)
    actions.ring_bell(palio.tournament, COMMAND)

    client = phone(palio.event)
    assert "The bell has rung: count game 1" in at_table(client, 2)
    path = f"/en/t/{Table.objects.get(number=1).code}/matches/{late.pk}/"
    assert "The bell has rung: count game" not in read_phone(client, path).text
