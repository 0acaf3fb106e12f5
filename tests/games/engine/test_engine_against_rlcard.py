"""The engine beside RLCard's UNO environment: every card at every recorded moment, and what an act leads to.

Where both differ it is by one of the named deviations, all of which occur: docs/development/engine-proofs.md.
"""

import importlib
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice, pairwise

import pytest

from games.engine.cards import WILD_FOUR
from tests.games.engine.against_rlcard import compare
from tests.games.engine.against_rlcard.corpus import (
    DRAW,
    Moment,
    Recorded,
    read_games,
    read_moment,
    write_game,
    write_moment,
)

SHARE = 23
"""Of so many recorded games one is judged card by card, unless all are; no table size has that period."""


def compare_games(games: Iterable[Recorded]) -> tuple[int, set[str]]:
    """How many moments were compared in every respect, and the deviations found."""
    found: set[str] = set()
    moments = 0
    for game in games:
        found |= compare.compare_start(game)
        for moment, after in pairwise(game.moments):
            found |= compare.compare_legal(moment) | compare.compare_act(moment, after)
            moments += 1
    return moments, found


def test_rlcard_pile_fits_the_same_cards_in_100_000_moments() -> None:
    moments = 0
    for game in read_games():
        for moment in game.moments[:-1]:
            compare.compare_fitting(moment)
            moments += 1
    assert moments >= 100_000


def test_rlcard_judges_every_card_alike_but_for_the_named_deviations() -> None:
    moments, found = compare_games(read_games(every=SHARE))
    assert moments >= 4_000
    assert found == compare.DEVIATIONS


@pytest.mark.long
def test_rlcard_judges_every_card_alike_in_every_recorded_moment() -> None:
    moments, found = compare_games(read_games())
    assert moments >= 100_000
    assert found == compare.DEVIATIONS


def test_rlcard_games_played_now_are_judged_alike() -> None:
    """Seeds that aren't in the corpus, where RLCard is at hand."""
    for module in ("numpy", "rlcard.games.uno"):
        pytest.importorskip(module, reason=f"{module} isn't installed: a checkout of RLCard and numpy")
    record = importlib.import_module("tests.games.engine.against_rlcard.record")
    moments, found = compare_games(islice(record.games(first=1_000_000), 60))
    assert moments > 1_000
    assert found <= compare.DEVIATIONS
    # What was recorded is what RLCard plays.
    recorded = next(read_games())
    assert record.record(recorded.players, recorded.seed) == recorded


# That the comparison sees what it is for


def a_moment() -> tuple[Moment, Moment]:
    """A number is played in the first recorded game with something else to play."""
    for game in read_games():
        for moment, after in pairwise(game.moments[:-1]):
            plain = moment.action is not None and moment.action[0][1:].isdigit()
            if plain and len(moment.legal) > 1 and WILD_FOUR not in moment.hands[moment.seat]:
                return moment, after
    raise AssertionError("no such moment")


def test_rlcard_comparison_notices_a_card_too_few_or_too_many_or_a_draw() -> None:
    moment, _ = a_moment()
    compare.compare_legal(moment)
    assert moment.action is not None
    for legal in (moment.legal - {moment.action}, moment.legal | {("W", "R")}, moment.legal | {DRAW}):
        wrong = replace(moment, legal=legal)
        with pytest.raises(AssertionError):
            compare.compare_legal(wrong)
        with pytest.raises(AssertionError):
            compare.compare_fitting(wrong)


def test_rlcard_comparison_notices_a_card_that_is_nowhere() -> None:
    moment, _ = a_moment()
    with pytest.raises(AssertionError):
        compare.compare_legal(replace(moment, pile=moment.pile - 1))


def test_rlcard_comparison_notices_another_turn_direction_hand_or_pile() -> None:
    moment, after = a_moment()
    compare.compare_act(moment, after)
    hands = (*after.hands[:-1], (*after.hands[-1], "R1"))
    wrong = (
        replace(after, seat=moment.seat),
        replace(after, direction=-after.direction),
        replace(after, hands=hands),
        replace(after, pile=after.pile - 1),
        replace(after, discards=after.discards[1:]),
    )
    for other in wrong:
        with pytest.raises(AssertionError):
            compare.compare_act(moment, other)


def test_rlcard_record_of_a_game_is_read_as_it_was_written() -> None:
    game = next(read_games())
    header, *lines = write_game(game).splitlines()

    assert header == f"= {game.players} {game.seed}"
    assert tuple(map(read_moment, lines)) == game.moments
    assert [write_moment(moment) for moment in game.moments] == lines
