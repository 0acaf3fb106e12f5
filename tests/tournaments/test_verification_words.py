"""Findings name columns in words, in the reader's language; programs have the names of the database."""

import pytest
from django.utils import translation

from games.models import Game
from people.actors import Actor
from tests.support import factories
from tournaments.commands import results
from tournaments.projections import outlooks
from tournaments.verification import verify
from tournaments.verification.messages import COLUMNS, column_called, value_called
from tournaments.verification.row_snapshots import KINDS, OVERALL

COMPARED = {column for kind in (*KINDS.values(), *OVERALL.values()) for column in kind.columns}


def test_finding_columns_all_have_words() -> None:
    assert (COMPARED | set(outlooks.COLUMNS)) - set(COLUMNS) == set()


@pytest.mark.parametrize("language", ["it", "en"])
def test_finding_columns_are_not_called_as_in_the_database(language: str) -> None:
    with translation.override(language):
        called = {column: column_called(column) for column in COLUMNS}

    assert [column for column, words in called.items() if "_" in words] == []


def test_finding_path_within_a_column_stays_as_it_is_stored() -> None:
    with translation.override("it"):
        assert column_called("settings.match.games") == "impostazioni.match.games"
        assert [value_called(value, {}) for value in (True, False, 1)] == ["sì", "no", "1"]


@pytest.mark.django_db
def test_finding_of_an_altered_game_is_told_in_italian() -> None:
    tournament = factories.drawn_tournament(factories.make_event(factories.make_account()))
    game = factories.games_of(tournament)[0]
    results.enter_result(game, Actor.command(), seat=0)
    Game.objects.filter(pk=game.game_id).update(is_over=False)

    with translation.override("it"):
        (found,) = [each for each in verify.verify(tournament.event) if each.column == "is_over"]

    assert found.what == (
        "i risultati delle partite, giro 1, tavolo 1, partita 1: "
        "finita vale no, e secondo le registrazioni sì"
    )
