"""Bots meet every rule, and play the same game from the same seed on every machine."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine import PRESETS, Ruleset, State, advance, play_random_game, print_log, replay
from games.engine.bots import STYLES
from games.engine.bots.asides import slip
from games.engine.bots.game import CLOSED
from games.engine.events import (
    CLOSE_REASONS,
    EVENT_CLASSES,
    PENALTY_REASONS,
    CardsPlayed,
    ChallengeMade,
    Event,
    EventVoided,
    GameClosed,
    HandShown,
    PenaltyGiven,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from games.engine.state import (
    AFTER_DRAW,
    ANSWER,
    COLOR_PHASE,
    PHASES,
    SHOW,
)
from games.engine.transitions import TRANSITIONS
from games.engine.transitions.transition_types import never
from tests.support import ROOT

GOLDEN = Path(__file__).parent / "golden"

RULESETS: list[tuple[object, tuple[int, ...]]] = [
    *((preset, (2, 4)) for preset in PRESETS),
    # Windows that outlast the next act, with draws after which a card can be played.
    (
        {"preset": "classic", "uno_catch_window": "second_next_acts", "prompting_penalty": 2, "hand_size": 3},
        (3, 4),
    ),
    # Piles that run out.
    ({"preset": "palio", "hand_size": 52, "wrong_card_penalty": 2}, (2,)),
    ({"preset": "house", "hand_size": 26, "target": 5000}, (4,)),
    ({"preset": "to_go", "hand_size": 53}, (2,)),
    (
        {
            "preset": "house",
            "target": 120,
            "wild_four_on_draw_two": True,
            "wild_four_on_wild_four": True,
            "stack_on_last_card": True,
            "zero_gift": True,
            "burn": True,
        },
        (2, 4),
    ),
    (
        {"preset": "house", "single_card_per_turn": True, "burn": True, "zero_gift": True, "hand_size": 4},
        (2, 4),
    ),
]
BEGUN = 2000
"""So many games are closed after their first events: one in thirty begins with a Wild."""

IMPOSSIBLE = {
    # Before the first turn nobody has played a card.
    *((COLOR_PHASE, cls) for cls in (UnoCalled, UnoCaught, ZeroGift)),
    # A draw, or a draw card, is the next player's act, which ends the time for a gift.
    (AFTER_DRAW, ZeroGift),
    (ANSWER, ZeroGift),
}
"""Pairs that the table of transitions lists, which no log can reach."""

NEVER_BY_BOTS = {
    # They show all hands before anything else happens.
    (SHOW, GameClosed),
}
"""What could be, but bots never do; nor do they correct a log, or name a result."""


@pytest.fixture(scope="module")
def games() -> list[list[Event]]:
    whole = [
        played(rules, seats, seed, style, longest)
        for rules, tables in RULESETS
        for seats in tables
        for style in STYLES
        for seed, longest in enumerate((400, 400, 400, 400, 60, 40, 20, 10))
    ]
    return whole + [played("palio", 3, seed, "random", 1 + seed % 7) for seed in range(BEGUN)]


def played(rules: object, seats: int, seed: int, style: str, longest: int) -> list[Event]:
    return play_random_game(
        Ruleset.from_json(rules),
        seats,
        seed,
        table=seed % 2 == 0,
        style=style,
        longest=longest,
        closed=CLOSED[seed % 3],
        kin=((0, 1),),
    )


def test_bots_meet_every_transition_there_is(games: list[list[Event]]) -> None:
    met = set()
    for log in games:
        state = State()
        for event in log:
            met.add((state.phase, event.__class__))
            advance(state, event)
    listed = {
        (phase, cls)
        for phase in PHASES
        for cls in EVENT_CLASSES
        if TRANSITIONS[phase][cls][1] is not never and cls is not EventVoided
    }

    assert met == listed - IMPOSSIBLE - NEVER_BY_BOTS
    assert listed >= IMPOSSIBLE | NEVER_BY_BOTS


def test_bots_do_everything_that_the_rules_speak_of(games: list[list[Event]]) -> None:
    done: set[object] = set()
    endings = set()
    for log in games:
        endings.add(replay(log).close_reason)
        for event in log:
            if isinstance(event, PenaltyGiven):
                done.add((event.reason, event.card is not None))
            elif isinstance(event, ChallengeMade):
                done.add(("challenge", event.upheld, event.hand is not None))
            elif isinstance(event, HandShown):
                done.add("by cards" if event.points is None else "by points")
            elif isinstance(event, UnoCaught):
                done.add("seen by the referee" if event.catcher is None else "seen by a player")
            elif isinstance(event, CardsPlayed) and len(event.cards) > 1:
                done.add("burn" if event.cards == event.cards[:1] * 2 else "several")

    assert endings == {"played", *CLOSE_REASONS} - {"result"}
    assert done == {
        *((reason, False) for reason in PENALTY_REASONS),
        ("wrong_card", True),
        # A table log tells no hand.
        *(("challenge", upheld, shown) for upheld in (True, False) for shown in (True, False)),
        "by cards",
        "by points",
        "seen by the referee",
        "seen by a player",
        "burn",
        "several",
    }


def test_forfeit_is_won_by_another_than_who_leaves() -> None:
    log = play_random_game(Ruleset.from_json("palio"), 3, 1, longest=20, closed="forfeit")
    before = replay(log[:-1])
    assert (len(log), before.turn is None) == (21, False)
    assert replay(log).winner not in (None, before.turn)


def test_bots_refuse_an_unknown_style_or_ending() -> None:
    with pytest.raises(ValueError, match="one of time, forfeit, abandoned, not 'result'"):
        play_random_game(Ruleset.from_json("palio"), 2, 1, closed="result")
    with pytest.raises(ValueError, match="one of sensible, random, not 'wild'"):
        play_random_game(Ruleset.from_json("palio"), 2, 1, style="wild")


# The same everywhere

GOLDEN_LOGS = {
    "palio-2-150.jsonl": ("palio", 2, 150, "sensible"),
    "house-3-2.jsonl": ("house", 3, 2, "random"),
}


@pytest.mark.parametrize("name", GOLDEN_LOGS)
def test_bots_seed_gives_the_golden_log_to_the_letter(name: str) -> None:
    rules, seats, seed, style = GOLDEN_LOGS[name]
    log = play_random_game(Ruleset.from_json(rules), seats, seed, style=style, longest=120)
    assert print_log(log) == (GOLDEN / name).read_text("utf-8")


PRINTED = """
import sys
from games.engine import PRESETS, Ruleset, play_random_game, print_log
for rules in ("palio", "guide", "house"):
    for style in ("sensible", "random"):
        log = play_random_game(Ruleset.from_json(rules), 4, 5, style=style, longest=300)
        sys.stdout.write(print_log(log))
"""


def test_bots_play_the_same_game_whatever_order_sets_have() -> None:
    digests = set()
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", PRINTED],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
            timeout=60,
        )
        digests.add(hashlib.sha256(done.stdout).hexdigest())
        assert done.stdout
    assert len(digests) == 1


def test_wrong_card_is_any_card_before_a_colour_is_named() -> None:
    logs = (play_random_game(Ruleset.from_json("guide"), 3, seed) for seed in range(100))
    states = (replay(log, until=count) for log in logs for count in range(3, 6))
    state = next(state for state in states if state.phase == COLOR_PHASE)

    said = slip(state, lambda: 0.0)

    assert said == PenaltyGiven(0, "wrong_card", state.known[0][0])
    advance(state, said)
    assert state.owed == state.ruleset.wrong_card_penalty
