"""The shared clock on public pages: seen while it says something, and no page older than its phase."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from people.actors import Actor
from tests.support.computed_tournaments import address, palio, win
from tests.support.factories import games_of
from tests.support.forms import open_page
from tests.support.page_reading import Element, read
from tournaments.commands import clock as actions
from tournaments.models import Clock, Tournament

pytestmark = pytest.mark.django_db

COMMAND = Actor.command()
EVENT = "/en/palio/"
PAGES = ("", "matches/", "projector/")


def page(client: Client, tournament: Tournament, path: str = "", language: str = "/en") -> Element:
    return open_page(client, EVENT if path == EVENT else address(tournament, path, language))


def seen(shown: Element) -> list[str]:
    """What the clocks of a page say to who has no scripts."""
    return [
        " ".join(
            part.text
            for part in clock.walk()
            if "hidden" not in part.attributes and "data-when" in part.attributes
        )
        for clock in shown.all("div.countdown")
        if "hidden" not in clock.attributes
    ]


def pass_time(seconds: float) -> None:
    clock = Clock.objects.get()
    assert clock.started_at is not None
    Clock.objects.update(started_at=clock.started_at - timedelta(seconds=seconds))


@pytest.mark.parametrize("path", PAGES)
def test_clock_that_was_not_started_or_was_put_away_is_not_shown(client: Client, path: str) -> None:
    tournament = palio()
    win(games_of(tournament)[0], None, "time")
    assert seen(page(client, tournament, path)) == []
    actions.start_clock(tournament, COMMAND)
    actions.put_clock_away(tournament, COMMAND)
    assert seen(page(client, tournament, path)) == []


@pytest.mark.usefixtures("stopped_clock")
@pytest.mark.parametrize("path", [*PAGES, EVENT])
def test_clock_states_are_written_on_pages_without_scripts(client: Client, path: str) -> None:
    tournament = palio()
    win(games_of(tournament)[0], None, "time")
    actions.start_clock(tournament, COMMAND, seconds=600)
    assert {text.split(" at ")[0].strip() for text in seen(page(client, tournament, path))} == {
        "The bell rings"
    }
    pass_time(99)
    actions.pause_clock(tournament, COMMAND)
    assert set(seen(page(client, tournament, path))) == {"8:21 The clock is paused"}
    actions.resume_clock(tournament, COMMAND)
    actions.ring_bell(tournament, COMMAND)
    assert set(seen(page(client, tournament, path))) == {"The bell has rung"}


@pytest.mark.parametrize("path", PAGES)
def test_clock_s_bell_changes_the_page_for_readers_who_have_it(client: Client, path: str) -> None:
    tournament = palio()
    actions.start_clock(tournament, COMMAND, seconds=600)
    first = client.get(address(tournament, path))
    again = client.get(address(tournament, path), headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    pass_time(600)
    rung = client.get(address(tournament, path), headers={"If-None-Match": first["ETag"]})
    assert set(seen(read(rung))) == {"The bell has rung"}
    pass_time(600)
    assert seen(page(client, tournament, path)) == []


def test_clock_has_a_projector_screen_and_stands_in_each_screen_s_head(client: Client) -> None:
    tournament = palio()
    win(games_of(tournament)[0], None, "time")
    actions.start_clock(tournament, COMMAND)
    first, second = page(client, tournament, "projector/"), page(client, tournament, "projector/2/")

    assert (len(seen(first)), len(seen(second))) == (2, 1)
    assert not first.has("ol.standings")
    assert second.has("ol.standings")
    assert len(first.one(".screen-dots").all("i")) == 2


def test_clock_is_not_shown_on_earlier_standings(client: Client) -> None:
    tournament = palio()
    win(games_of(tournament)[0], None, "time")
    actions.start_clock(tournament, COMMAND)
    assert seen(page(client, tournament, "?at=2100-01-01T10:00")) == []


def test_clock_costs_public_pages_no_query(client: Client) -> None:
    tournament = palio()
    win(games_of(tournament)[0], None, "time")

    def costs() -> list[int]:
        counted = []
        for path in (*PAGES, EVENT):
            with CaptureQueriesContext(connection) as queries:
                page(client, tournament, path)
            counted.append(len(queries))
        return counted

    # What is asked once and then kept is asked before; any change has pages made anew.
    costs()
    win(games_of(tournament)[1], None, "time")
    without = costs()
    actions.start_clock(tournament, COMMAND)

    assert costs() == without


def test_clock_is_written_in_italian(client: Client) -> None:
    tournament = palio()
    actions.start_clock(tournament, COMMAND)
    assert seen(page(client, tournament, "", ""))[0].strip().startswith("La campana suona alle")
    actions.ring_bell(tournament, COMMAND)
    assert seen(page(client, tournament, "", "")) == ["La campana è suonata"]
