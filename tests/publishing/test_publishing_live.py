"""Marks: they change with what their pages show, cost the same however much that is, and tell nothing."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from people import audit, pairings
from people.actors import Actor
from people.models import Event
from people.pairings import COOKIE
from tests.support import factories
from tests.support.phones import phone
from tournaments.commands import clock, results
from tournaments.commands.close import close_tournament
from tournaments.models import Clock, MatchGame, Tournament
from tournaments.projections.standings import compute

pytestmark = pytest.mark.django_db

COMMAND = Actor.command()
KINDS = ("event", "outcomes", "tournament", "match", "table")
DEALER: tuple[tuple[None, dict[str, Any]], ...] = ((None, {"type": "dealer_named", "seat": 0}),)
MORE: tuple[tuple[None, dict[str, Any]], ...] = ((None, {"type": "deal_started", "dealer": 0}),)


@pytest.fixture
def tournament() -> Tournament:
    return factories.drawn_tournament(factories.make_event())


def addresses(tournament: Tournament) -> dict[str, str]:
    """Where the marks are of the first match and of all that it is part of."""
    match = factories.games_of(tournament)[0].match
    event = tournament.event_id
    subjects = (event, event, tournament.pk, match.pk, match.table_id)
    return {
        kind: reverse(f"live:{kind}", args=[subject]) for kind, subject in zip(KINDS, subjects, strict=True)
    }


def marks(tournament: Tournament, client: Client | None = None) -> dict[str, str]:
    asking = client or Client()
    return {kind: asking.get(address)["ETag"] for kind, address in addresses(tournament).items()}


def changed(tournament: Tournament, change: Callable[[], object]) -> set[str]:
    """Whose marks are others after a change."""
    before = marks(tournament)
    change()
    return {kind for kind, mark in marks(tournament).items() if mark != before[kind]}


def last_game(tournament: Tournament) -> MatchGame:
    """A game of another match, at another table."""
    first, *games = factories.games_of(tournament)
    return next(game for game in games if game.match.table_id != first.match.table_id)


def test_mark_of_every_kind_changes_with_a_game_s_first_entry(tournament: Tournament) -> None:
    game = factories.games_of(tournament)[0]
    assert changed(tournament, lambda: results.write_log(game, COMMAND, DEALER)) == set(KINDS)


def test_marks_of_event_match_and_table_alone_change_with_a_deal(tournament: Tournament) -> None:
    game = factories.games_of(tournament)[0]
    results.write_log(game, COMMAND, DEALER)
    assert changed(tournament, lambda: results.write_log(game, COMMAND, MORE)) == {"event", "match", "table"}


def test_mark_of_a_table_is_not_changed_by_another_table(tournament: Tournament) -> None:
    game = last_game(tournament)
    seen = changed(tournament, lambda: results.write_log(game, COMMAND, DEALER))
    assert seen == {"event", "outcomes", "tournament"}


def test_mark_of_the_tournament_changes_with_computed_standings(tournament: Tournament) -> None:
    team = factories.games_of(tournament)[0].game.seats.get(number=0).team
    results.enter_result(factories.games_of(tournament)[0], COMMAND, team=team)
    assert changed(tournament, lambda: compute(tournament.pk)) == {"event", "outcomes", "tournament"}


def test_marks_change_with_clock_team_name_and_closing(tournament: Tournament) -> None:
    team = tournament.event.teams.get(number=1)
    everywhere = set(KINDS)
    # A match's pages have no clock.
    assert changed(tournament, lambda: clock.start_clock(tournament, COMMAND)) == everywhere - {"match"}
    rename = {"short_name": "Su"}
    assert changed(tournament, lambda: audit.change(team, COMMAND, team.event_id, rename)) == everywhere
    tournament.refresh_from_db()
    for game in factories.games_of(tournament):
        results.enter_result(game, COMMAND, team=game.game.seats.get(number=0).team)
    compute(tournament.pk)
    assert changed(tournament, lambda: close_tournament(tournament, COMMAND)) == everywhere


def test_mark_of_the_event_changes_when_the_bell_rings_by_itself(tournament: Tournament) -> None:
    started = clock.start_clock(tournament, COMMAND, seconds=600)

    def pass_time() -> None:
        Clock.objects.filter(pk=started.pk).update(started_at=timezone.now() - timedelta(seconds=601))

    assert changed(tournament, pass_time) == {"event"}


def test_mark_of_a_table_changes_with_the_admission_of_its_phone(tournament: Tournament) -> None:
    address = addresses(tournament)["table"]
    pairing, secret = factories.make_pairing(tournament.event, admitted=False)
    client = Client()
    client.cookies[COOKIE] = secret
    seen = [client.get(address)["ETag"]]
    pairings.admit(pairing, factories.make_account())
    seen.append(client.get(address)["ETag"])
    pairing.refresh_from_db()
    pairings.revoke(pairing, COMMAND)
    seen.append(client.get(address)["ETag"])

    assert len(set(seen)) == 3


def test_mark_that_is_current_is_answered_with_304(tournament: Tournament) -> None:
    client = phone(tournament.event)
    for address in addresses(tournament).values():
        first = client.get(address)
        again = client.get(address, HTTP_IF_NONE_MATCH=first["ETag"])
        assert (first.status_code, first.content, again.status_code) == (200, b"", 304)
        assert again["ETag"] == first["ETag"]


def test_mark_of_a_private_event_is_like_that_of_an_unknown_subject(tournament: Tournament) -> None:
    Event.objects.filter(pk=tournament.event_id).update(is_published=False)
    for kind, address in addresses(tournament).items():
        there = Client().get(address)
        nothing = Client().get(reverse(f"live:{kind}", args=[uuid4()]))
        for name in ("ETag", "X-Request-ID"):
            del there[name], nothing[name]
        assert (there.status_code, dict(there.items()), there.content) == (
            nothing.status_code,
            dict(nothing.items()),
            nothing.content,
        )


def test_mark_costs_one_or_two_queries_however_many_games(tournament: Tournament) -> None:
    """One query; one more for the bells of all tournaments, or for who the phone is. No page is made."""
    large = factories.drawn_tournament(factories.make_event(), entries=12)
    for each in (tournament, large):
        client = phone(each.event)
        for kind, address in addresses(each).items():
            # That the phone is there is noted once a minute.
            client.get(address)
            mark = client.get(address)["ETag"]
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address, HTTP_IF_NONE_MATCH=mark).status_code == 304
            assert (kind, len(queries)) == (kind, {"event": 2, "table": 2}.get(kind, 1))


def test_phone_pages_carry_the_mark_of_their_table(tournament: Tournament) -> None:
    game = factories.games_of(tournament)[0]
    client = phone(tournament.event)
    for path in ("", f"matches/{game.match_id}/", f"games/{game.game_id}/", f"games/{game.game_id}/cards/"):
        page = client.get(f"/t/{game.match.table.code}/{path}")
        mark = client.get(addresses(tournament)["table"])["ETag"].replace('"', "&quot;")
        assert f'data-mark="{mark}"' in page.content.decode()
