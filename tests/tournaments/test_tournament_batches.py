"""Batches of log events: an entry that stands twice in one is one fact, and a refusal has its line."""

from collections.abc import Sequence
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from games import logbook
from games.engine import dump
from games.logbook import Written, replay
from games.models import Game
from ledger import read
from ledger.errors import ClientIdReusedError, ConflictError
from people.actors import Actor
from tests.support import factories
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
Sent = tuple[UUID | None, object]

BEGUN = (
    {"type": "dealer_named", "seat": 0},
    {"type": "deal_started", "dealer": 0},
    {"type": "card_turned", "card": "R7"},
)
TURNS = [
    event
    for seat in (1, 0, 1, 0)
    for event in ({"type": "cards_drawn", "seat": seat, "count": 1}, {"type": "turn_passed", "seat": seat})
]
ILLEGAL = {"type": "cards_played", "seat": 1, "cards": ["G4"]}


def sent(*events: object) -> list[Sent]:
    return [(uuid4(), event) for event in events]


def make_game(**settings: Any) -> MatchGame:
    return factories.games_of(factories.drawn_tournament(factories.make_event(), **settings))[0]


@pytest.fixture
def game() -> MatchGame:
    return make_game()


def agrees(game: MatchGame) -> bool:
    """Whether a game's stored state is what its log says."""
    row = Game.objects.get(pk=game.game_id)
    return row.snapshot == dump(replay(row.pk)) and row.version == len(read.facts(row.pk))


def refusal_of(written: Written) -> tuple[str, int | None, str | None]:
    assert written.refusal is not None
    return written.refusal.code, written.refusal.line, written.refusal.type


def test_batch_with_a_legal_entry_twice_moves_the_game_on_once(game: MatchGame) -> None:
    first, *others = sent(*BEGUN, *TURNS[:4])
    drawn = others[2]
    batch = [first, *others, drawn]

    written = results.write_log(game, ACTOR, batch, expected_version=0)
    again = results.write_log(game, ACTOR, batch, expected_version=0)

    assert (written.accepted, written.version, written.refusal, written.state.events) == (8, 8, None, 8)
    assert (again.accepted, again.version, dump(again.state)) == (8, 8, dump(written.state))
    assert agrees(game)


def test_batch_with_a_play_twice_does_not_win_a_game(game: MatchGame) -> None:
    plays: list[object] = []
    for card in ("R1", "R2", "R3", "R4", "R5", "R6"):
        plays += [{"type": "cards_played", "seat": 1, "cards": [card]}, *TURNS[2:4]]
    batch = sent(*BEGUN, *plays)

    written = results.write_log(game, ACTOR, [*batch, batch[-3]], expected_version=0)

    assert (written.outcome_changed, written.state.over, Game.objects.get(pk=game.game_id).is_over) == (
        False,
        False,
        False,
    )
    assert agrees(game)


def test_batch_with_a_refused_entry_twice_counts_the_same_each_time(game: MatchGame) -> None:
    played = {"type": "cards_played", "seat": 1, "cards": ["R2"]}
    batch = [*sent(*BEGUN), *sent(played) * 2, *sent(ILLEGAL) * 2]

    answers = [results.write_log(game, ACTOR, batch, expected_version=0) for _ in range(2)]

    assert [(each.accepted, each.version, refusal_of(each)) for each in answers] == [
        (5, 5, ("not-your-turn", 6, "cards_played"))
    ] * 2


def test_batch_with_two_bodies_under_one_id_is_refused(game: MatchGame) -> None:
    begun, key = sent(*BEGUN), uuid4()
    batch = [*begun, (key, TURNS[0]), (key, TURNS[1])]

    for _ in range(2):
        with pytest.raises(ClientIdReusedError) as refused:
            results.write_log(game, ACTOR, batch, expected_version=0)

    assert (refused.value.client_id, len(read.facts(game.game_id))) == (key, 0)


@pytest.mark.parametrize("version", [None, 4])
def test_batch_whose_later_entry_is_stored_already_is_a_conflict(
    game: MatchGame, version: int | None
) -> None:
    """Also where the new entry would be legal: in the log it would stand behind what it was sent before."""
    begun, new = sent(*BEGUN), sent(TURNS[0])
    results.write_log(game, ACTOR, begun, expected_version=0)

    with pytest.raises(ConflictError) as conflict:
        results.write_log(game, ACTOR, [*new, begun[1]], expected_version=version)

    assert (conflict.value.current_version, len(read.facts(game.game_id))) == (4, 4)
    assert results.write_log(game, ACTOR, new, expected_version=version).accepted == 1
    assert agrees(game)


@st.composite
def batches(draw: st.DrawFn) -> tuple[list[Sent], list[Sent]]:
    """A batch, and the same one with entries of it repeated behind them; one may be illegal."""
    events: list[object] = [*BEGUN, *TURNS]
    events.insert(
        draw(st.integers(0, len(events))), draw(st.sampled_from((ILLEGAL, {"type": "boh"}, TURNS[0])))
    )
    once: list[Sent] = [(UUID(int=number), event) for number, event in enumerate(events, start=1)]
    repeated: list[Sent] = []
    for at, entry in enumerate(once):
        repeated += [entry, *draw(st.lists(st.sampled_from(once[: at + 1]), max_size=2))]
    return once, repeated


def story(game: MatchGame, batch: Sequence[Sent], sendings: int = 2) -> list[object]:
    """What is answered to a batch each time that it is sent, and what is stored then; nothing remains."""
    told: list[object] = []
    with transaction.atomic():
        for _ in range(sendings):
            written = results.write_log(game, ACTOR, batch, expected_version=0)
            row = Game.objects.get(pk=game.game_id)
            refusal = None if written.refusal is None else written.refusal.to_json()
            stored = [fact.text for fact in read.facts(row.pk)]
            told.append((written.version, refusal, dump(written.state), row.version, row.snapshot, stored))
            # How many entries are taken is the same count of different ones.
            told.append({id_ for id_, _event in batch[: written.accepted]})
        transaction.set_rollback(True)
    return told


class TestRepeatedEntries(TestCase):
    @given(batches())
    def test_batch_with_repeated_entries_is_answered_and_stored_as_without(
        self, drawn: tuple[list[Sent], list[Sent]]
    ) -> None:
        once, repeated = drawn
        game = make_game()
        assert story(game, repeated) == story(game, once)


def test_twin_batch_with_an_entry_twice_leaves_the_log_without_the_safeguard(game: MatchGame) -> None:
    batch = sent(*BEGUN, *TURNS[:4])
    with mock.patch.object(logbook._SentFacts, "__init__", every_entry):
        results.write_log(game, ACTOR, [*batch, batch[3]], expected_version=0)

    assert not agrees(game)


def every_entry(self: Any, entries: Sequence[logbook.LogbookEntry], unreadable: None = None) -> None:
    """The facts of a batch with those that stand twice."""
    self.facts = [entry.fact() for entry in entries]
    self.unreadable, self._places, self._length = None, list(range(len(entries))), len(entries)


@pytest.mark.parametrize("wrong", [{"type": "turn_passed", "seat": 0.5}, {"type": "turn_passed"}])
def test_batch_entry_that_cannot_be_read_has_the_line_of_the_log(
    game: MatchGame, wrong: dict[str, Any]
) -> None:
    fresh = results.write_log(game, ACTOR, sent(wrong), expected_version=0)
    assert refusal_of(fresh) == ("malformed", 2, "turn_passed")

    begun = results.write_log(game, ACTOR, sent(*BEGUN, wrong), expected_version=0)
    assert (begun.accepted, refusal_of(begun)) == (3, ("malformed", 5, "turn_passed"))

    later = results.write_log(game, ACTOR, sent(wrong), expected_version=4)
    assert refusal_of(later) == ("malformed", 5, "turn_passed")


def test_result_for_an_unknown_team_has_the_line_that_an_unknown_seat_has(game: MatchGame) -> None:
    lines = [
        refusal_of(results.enter_result(game, ACTOR, **winner))[1]
        for winner in ({"team": uuid4()}, {"seat": 7})
    ]
    results.write_log(game, ACTOR, sent(*BEGUN, *TURNS[:5]), expected_version=0)
    later = refusal_of(results.enter_result(game, ACTOR, team=uuid4()))[1]

    assert (lines, later) == ([2, 2], 10)


def test_batch_with_a_refused_opening_says_line_one(game: MatchGame) -> None:
    written = results.write_log(game, ACTOR, sent({"type": "game_opened", "ruleset": "classic"}))
    assert refusal_of(written)[1:] == (1, "game_opened")
