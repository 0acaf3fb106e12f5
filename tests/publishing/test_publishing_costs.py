"""What public pages cost: as many queries at a hundred teams as at three. Of one there is nothing to draw."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from people.models import Entry, Event, Team
from tests.support.computed_tournaments import address, win
from tests.support.factories import drawn_tournament, games_of, make_event
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def tournament_of(teams: int, entries: int) -> Tournament:
    """A Swiss tournament of so many teams of so many entries, each on its own, with one game played."""
    event = make_event(slug=f"palio-{teams}", starts_on="2026-09-05", ends_on="2026-09-05")
    event.refresh_from_db()
    numbers = range(1, teams + 1)
    made = Team.objects.bulk_create(
        Team(event=event, number=number, name=f"Squadra {number}", short_name=f"S{number}")
        for number in numbers
    )
    Entry.objects.bulk_create(
        Entry(team=team, number=number) for team in made for number in range(1, entries + 1)
    )
    tables = teams * entries // 2
    tournament = drawn_tournament(event, format="swiss", options={"rounds": 2}, tables=tables)
    win_game(tournament, 0)
    return tournament


def win_game(tournament: Tournament, number: int) -> None:
    """A game is won by its match's first side."""
    game = games_of(tournament)[number]
    win(game, game.match.sides.select_related("squad__team").get(number=0).squad.team)


def pages(event: Event, tournament: Tournament) -> dict[str, str]:
    """The addresses of pages that list something, by their kind."""
    match = games_of(tournament)[-1].match_id
    kinds = ("", "matches/", "matches/round/1/", "day/", "open/", "projector/", "projector/1/", "rules/")
    found = {kind: address(tournament, kind) for kind in (*kinds, f"matches/{match}/")}
    whole = ("", "teams/1/", "timetable/", "timetable/team/1/", "timetable/table/1/", "timetable.ics")
    found |= {f"event/{kind}": f"/en/{event.slug}/{kind}" for kind in whole}
    return {re.sub(r"[0-9a-f-]{36}", "…", kind): path for kind, path in found.items()}


def cost(client: Client, path: str) -> int:
    """The queries that a page takes."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200, path
    return len(queries)


def test_public_pages_cost_the_same_for_three_and_a_hundred_teams(client: Client) -> None:
    few, many = tournament_of(3, entries=2), tournament_of(100, entries=1)
    # What a process learns once; asked for at another address, so that the page itself isn't kept.
    for path in pages(few.event, few).values():
        client.get(f"{path}?warm")
    for each in (few, many):
        win_game(each, 1)
    at_few, at_many = (
        {kind: cost(client, path) for kind, path in pages(each.event, each).items()} for each in (few, many)
    )

    assert at_few == at_many
    # Of a Swiss one more: who sat out a round.
    assert at_few[""] == 6
