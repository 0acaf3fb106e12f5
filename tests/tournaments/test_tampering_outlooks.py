"""An outlook that is changed in the database is found by working it out again."""

import json
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.utils import translation

from tests.support import factories
from tests.support.computed_tournaments import enter, sides_of
from tests.support.worlds import remembered
from tournaments.models import Outlook, Tournament
from tournaments.projections import outlooks, standings
from tournaments.projections.rounds import outlook
from tournaments.standings.outlook import OutlookMethod
from tournaments.tasks import compute_outlooks
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
MODEL = Outlook._meta.label


@pytest.fixture
def tournament(db: None) -> Tournament:
    """A tournament with an outlook."""
    return remembered(make_tournament)


def make_tournament() -> Tournament:
    """Eight teams of two singles, some games played: so many ways to go on that they are sampled."""
    tournament = factories.drawn_tournament(factories.make_event(), 8, 2, tables=8)
    win(tournament, 6)
    compute_outlooks()
    assert Outlook.objects.get().method == OutlookMethod.SAMPLED
    return tournament


def win(tournament: Tournament, games: int) -> None:
    """So many games more are won by whoever comes first in the alphabet, and the standings follow."""
    still_open = [game for game in factories.games_of(tournament) if not game.game.is_over]
    for game in still_open[:games]:
        enter(game, min(sides_of(game), key=lambda team: team.name))
    standings.compute(tournament.pk)


def found() -> list[tuple[str, str]]:
    """Model and column of everything that is wrong."""
    with translation.override("en"):
        return [(wrong.model, wrong.column) for wrong in verify.verify()]


def write(column: str, value: Any) -> None:
    """Change a column of the only outlook, past everything that the service does."""
    assert column in outlooks.COLUMNS
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE tournaments_outlook SET {column} = %s", [value])
        assert cursor.rowcount == 1


@pytest.mark.parametrize("column", outlooks.COLUMNS)
def test_altered_column_of_a_stored_outlook_is_found(tournament: Tournament, column: str) -> None:
    teams = Outlook.objects.get().teams
    teams[0]["places"], teams[1]["places"] = [1], [2]
    values = {
        "number": 7,
        "open_games": 3,
        "method": "all",
        "samples": 50,
        "seed": "chosen",
        "teams": json.dumps(teams),
        "first_is_decided": True,
    }

    write(column, values[column])

    assert found() == [(MODEL, column)]


def test_twin_altered_outlook_is_not_found_without_working_it_out_again(tournament: Tournament) -> None:
    write("open_games", 3)

    with mock.patch.object(outlooks, "differing", return_value=""):
        assert found() == []


def test_outlook_that_is_late_is_compared_with_its_own_version(tournament: Tournament) -> None:
    win(tournament, 4)
    assert found() == []

    write("open_games", 3)

    assert found() == [(MODEL, "open_games")]


def test_verification_leaves_a_stored_outlook_as_it_is(tournament: Tournament) -> None:
    before = list(Outlook.objects.values())

    assert found() == []

    assert list(Outlook.objects.values()) == before


@pytest.mark.parametrize("format", ["triangle", "round_robin", "swiss", "single_elimination"])
def test_outlooks_of_formats_verify_as_they_were_stored(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlook, "MOST_WAYS", 32)
    monkeypatch.setattr(outlook, "MOST_SAMPLES", 20)
    tournament = factories.drawn_tournament(factories.make_event(), 4, 1, format=format)
    for games in (0, 1, 2):
        win(tournament, games)
        compute_outlooks()
        assert (Outlook.objects.count(), found()) == (1, [])
