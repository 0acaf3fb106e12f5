"""Bots' games under rule sets that vary in every field, each the same from its number; and what they met."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from games.engine import Event, Ruleset, State, advance, audit, play_random_game
from games.engine.bots import STYLES
from games.engine.bots.game import CLOSED
from games.engine.legal import is_stuck
from games.engine.state import copies_in
from tests.games.engine.kit.rulesets import MOST_SEATS, any_ruleset

LONGEST = 600
"""So many events are played, and then the game is closed."""
SCARCE = 0.25
"""The share of games in which nearly the whole pack is dealt, so that draw pile and discards run out."""
ANSWERED = 0.15
"""The share of games with the rules of `ANSWERS`: by chance alone these seldom come together."""
ANSWERS: Final[Mapping[str, Any]] = {
    "draw_two_stacks": True,
    "wild_four_on_draw_two": True,
    "draw_two_on_wild_four": True,
    "wild_four_on_wild_four": True,
    "stacked_wild_four_free": False,
    "stacked_wild_four_color": "before_first",
    "challenge": True,
    "challenge_upheld": "taken_back",
}
"""Every draw card is answered, and a Wild Draw Four that is taken back may leave nothing that fits."""


@dataclass(frozen=True, slots=True)
class AnyGame:
    """How one of the games is played: everything that the bots need."""

    ruleset: Ruleset
    seats: int
    seed: int
    style: str
    table: bool

    def play(self) -> list[Event]:
        """Its log; Refusal or AssertionError where the bots can't go on."""
        return play_random_game(
            self.ruleset,
            self.seats,
            self.seed,
            table=self.table,
            style=self.style,
            longest=LONGEST,
            closed=CLOSED[self.seed % len(CLOSED)],
            kin=((0, 1),),
        )


def any_game(number: int) -> AnyGame:
    """The game of that number: any value of each field, 2 to 10 seats, full or only what everybody sees."""
    random = Random(number)
    ruleset = any_ruleset(random)
    seats = random.randint(2, MOST_SEATS)
    # The table fixes how many play, so that tables of two are as frequent as those of ten.
    ruleset = replace(
        ruleset,
        min_players=min(ruleset.min_players, seats),
        max_players=max(ruleset.max_players, seats),
    )
    if random.random() < ANSWERED:
        ruleset = replace(ruleset, **ANSWERS)
    if random.random() < SCARCE:
        removed = ruleset.reverse_with_two == "removed" and seats == 2
        cards = sum(copies_in(ruleset.decks, reverses=not removed).values())
        ruleset = replace(ruleset, hand_size=(cards - 1 - random.randint(0, 3)) // seats)
    return AnyGame(ruleset, seats, number, random.choice(list(STYLES)), random.random() < 0.5)


def never_stuck(log: list[Event]) -> State:
    """The state that a log leads to; AssertionError for one on the way in which nobody can act.

    Quicker than `audited`, which asks for that and for everything else.
    """
    state = State()
    for event in log:
        advance(state, event)
        if is_stuck(state):
            raise AssertionError(f"event {state.events}: seat {state.turn} can do nothing in {state.phase}")
    return state


def audited(log: list[Event]) -> State:
    """The state that a log leads to; AssertionError where one on the way breaks an invariant."""
    state = State()
    for event in log:
        advance(state, event)
        broken = audit(state)
        if broken:
            raise AssertionError(f"event {state.events}: {broken[0]}")
    return state
