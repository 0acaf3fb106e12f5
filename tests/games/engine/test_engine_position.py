"""A position on one line: it holds the whole state, plays on like it, and what can't be is refused."""

import json
import re
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.engine import (
    Refusal,
    Ruleset,
    Seat,
    State,
    advance,
    audit,
    dump,
    legal_events,
    load,
    parse_log,
    parse_notation,
    parse_position,
    play_random_game,
    print_position,
    replay,
)
from games.engine.events import Event, GameOpened
from games.engine.notation import position
from tests.games.engine.test_engine_games import RULESETS
from tests.services.long import examples

games = st.builds(
    lambda ruleset, seats, seed, table, style: play_random_game(
        Ruleset.from_json(ruleset), seats, seed, table=table, style=style, longest=250, kin=((0, 1),)
    ),
    st.sampled_from(RULESETS),
    st.integers(2, 6),
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from(["sensible", "random"]),
)


def stored(state: State) -> dict[str, object]:
    """All that a state knows but how many log events led to it."""
    return {**dump(state), "events": 0}


def refusal_of_position(text: str | bytes) -> Refusal | None:
    try:
        parse_position(text)
    except Refusal as refusal:
        return refusal
    return None


@examples(40)
@given(games)
def test_every_position_of_a_game_reads_back_and_plays_on(log: list[Event]) -> None:
    """At each event the game goes on from the line alone, and stays the same game."""
    state, continued = State(), State()
    for event in log:
        line = print_position(state)
        assert "\n" not in line
        continued = parse_position(line)
        assert stored(continued) == stored(state)
        assert print_position(continued) == line
        advance(state, event)
        advance(continued, event)
        assert stored(continued) == stored(state)
    assert parse_position(print_position(state).encode()).over


@examples(40)
@given(st.sampled_from(RULESETS), st.integers(2, 5), st.integers(0, 10**6), st.booleans())
def test_every_position_of_a_walk_reads_back(ruleset: object, seats: int, seed: int, named: bool) -> None:
    """Through whatever is legal, with hidden hands: penalties upon penalties, and a referee who closes."""
    random = Random(seed)
    people = tuple(
        Seat(f'"{seat}\n', "A: B" if seat else None) if named else Seat("") for seat in range(seats)
    )
    state = State()
    event: Event = GameOpened(Ruleset.from_json(ruleset), tuple(people), ((0, 1),))
    for _ in range(60):
        advance(state, event)
        again = parse_position(print_position(state))
        assert stored(again) == stored(state)
        assert ("seats=" in print_position(state)) == named
        choices = legal_events(state)
        if not choices:
            break
        type_ = random.choice(sorted({choice.type for choice in choices}))
        event = random.choice([choice for choice in choices if choice.type == type_])


def test_a_fixture_starts_from_here() -> None:
    """A position and a few tokens tell a whole case."""
    state = parse_position("house/zero_gift=true 1:2 play:0 R0,?3/Y+2,G7/?5 R7 > 96 R7 turns=1 kin=0-2")
    for event in parse_notation("0:R0 0:gift=2 2:+4 1:penalty=wrong_card/G7 1:+2"):
        advance(state, event)
    assert print_position(state) == (
        "house/zero_gift=true 1:2 play:2 ?3/Y+2,G7,?2/?9 R0 > 90 R7,R0 turns=3 act=1 kin=0-2"
    )


def test_before_the_first_event_nothing_is_told() -> None:
    assert print_position(State()) == "start"
    assert stored(parse_position(" Start (no game yet)\n")) == stored(State())


# What is refused.

PLAYING = "palio 1:0 play:1 ?7/?7 R7 > 93 R7"


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ("", 1, "expected a preset's name, not the end of the text"),
        (b"pal\xffio", 4, "isn't UTF-8"),
        ("start now", 7, "expected nothing more, since no game has begun, not 'now'"),
        ("poker 1:0 play:1 ?7/?7 R7 > 93 R7", 1, "poker"),
        ("palio/target=0 1:0 play:1 ?7/?7 R7 > 93 R7", 1, "target"),
        ("palio/decks=999999999999 1:0 play:1 ?7/?7 R7 > 93 R7", 1, "decks"),
        ("palio 1 play:1 ?7/?7 R7 > 93 R7", 8, "expected :, not a blank"),
        ("palio 1:0 wait:1 ?7/?7 R7 > 93 R7", 11, "expected one of cut, deal, turn_card"),
        ("palio 1:0 start:1 ?7/?7 R7 > 93 R7", 11, "not 'start"),
        ("palio 1:0 play ?7/?7 R7 > 93 R7", 15, "expected :"),
        ("palio 1:0 play:x ?7/?7 R7 > 93 R7", 16, "expected a seat's number or -"),
        ("palio 1:0 play:1 7/?7 R7 > 93 R7", 18, "expected a card such as R7"),
        ("palio 1:0 play:1 ?0/?7 R7 > 93 R7", 19, "expected how many cards are unknown, from 1"),
        ("palio 1:0 play:1 ?7,R1/?7 R7 > 93 R7", 20, "expected a space"),
        ("palio 1:0 play:1 ?7/?7 R7 ^ 93 R7", 27, "expected the direction: > clockwise, < the other way"),
        ("palio 1:0 play:1 ?7/?7 R7 > some R7", 29, "expected how many cards the draw pile holds"),
        ("palio 1:0 play:1 ?7/?7 R7 > 1234567890 R7", 29, "expected how many cards the draw pile holds"),
        ("palio 1:0 play:1 ?7/?7 R7 > 93", 31, "expected a card such as R7"),
        (f"{PLAYING} color=R", 35, "expected one of then, owes, hit"),
        (f"{PLAYING} turns=3 turns=3", 43, "the field turns stands twice"),
        (f"{PLAYING} turns", 40, "expected ="),
        (f"{PLAYING} turns=many", 41, "expected a whole number"),
        (f"{PLAYING} owes/0=2:fun", 44, "expected one of penalty, penalty_ends_turn, hit, hit_then_play"),
        (f"{PLAYING} gift/-", 39, "expected one seat and the turn of its 0"),
        (f"{PLAYING} ended=won/0", 41, "expected one of played, result, time"),
        (f'{PLAYING} seats="Ada"', 1, "every list by seat is as long as the hands: 2"),
        (f"{PLAYING} deals=0,0,0", 1, "every list by seat is as long as the hands: 2"),
        (f"{PLAYING} scores=0,0,0", 1, "no game can come to this position: seats"),
        (f"{PLAYING} four=R7/R/?6", 47, "who played the Wild Draw Four"),
        (f"{PLAYING} kin=0-9", 1, "no game can come to this position"),
        ("palio 1:0 play:1 ?7/?7 R7 > 92 R7", 1, "no game can come to this position"),
        ("palio 1:0 play:1 ?7/?7 R7 > 93 R8", 1, "no game can come to this position"),
        ("palio 1:0 play:1 ?7/?7 R7>G > 93 R7", 1, "no game can come to this position"),
        ("palio 1:0 play:2 ?7/?7 R7 > 93 R7", 1, "no game can come to this position"),
        ("palio 1:0 play:1 R0,R0,?5/?7 R7 > 93 R7", 1, "no game can come to this position"),
        ("palio 1:0 answer:1 ?7/?7 R7 > 93 R7", 1, "no game can come to this position"),
        ("palio 1:0 draw:1 ?7/?7 R7 > 93 R7", 1, "no game can come to this position"),
        ("palio 0:0 play:1 ?7/?7 R7 > 93 R7", 1, "no game can come to this position"),
    ],
)
def test_a_bad_position_is_refused_with_its_place(line: str | bytes, column: int, words: str) -> None:
    refusal = refusal_of_position(line)
    assert refusal is not None
    assert (refusal.code, refusal.line) == ("malformed", 1)
    assert refusal.message.startswith(f"column {column}: ")
    assert words in refusal.message


@examples(40)
@given(st.binary(max_size=80))
@example(b"start start")
@example(b"palio")
def test_any_bytes_are_a_position_or_a_refusal(data: bytes) -> None:
    refusal = refusal_of_position(data)
    assert refusal is None or refusal.code == "malformed"


UNSOUND = "classic 1:1 after_draw:0 R1/?7 R7 > 99 R7 drawn=W+4 turns=1 act=1"


def test_a_drawn_card_that_nobody_holds_is_refused() -> None:
    refusal = refusal_of_position(UNSOUND)
    assert refusal is not None
    assert "drawn: W+4 was drawn and isn't held by seat 0" in refusal.message


def test_without_the_audit_such_a_position_breaks_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: what the refusal keeps out."""
    monkeypatch.setattr(position, "audit", lambda state: [])
    state = parse_position(UNSOUND)
    with pytest.raises(ValueError, match="not in list"):
        legal_events(state)


def altered(line: str, random: Random) -> str:
    """The line with a few of its values changed, exchanged or gone."""
    pieces = re.split(r"([ /,:=+>?])", line)
    for _ in range(random.randint(1, 3)):
        place = 2 * random.randrange((len(pieces) + 1) // 2)
        pieces[place] = random.choice([random.choice(pieces[::2]), str(random.randint(0, 12)), "-", ""])
    return "".join(pieces)


@examples(60)
@given(games, st.integers(0, 10**6))
def test_an_altered_position_is_refused_or_plays_on(log: list[Event], seed: int) -> None:
    """Nothing that is accepted breaks the engine later: it goes on in whatever is legal."""
    random = Random(seed)
    line = print_position(replay(log, until=random.randrange(1, len(log) + 1)))
    for _ in range(20):
        text = altered(line, random)
        refusal = refusal_of_position(text)
        if refusal is not None:
            assert refusal.code == "malformed"
            continue
        state = parse_position(text)
        assert stored(parse_position(print_position(state))) == stored(state)
        for _ in range(12):
            choices = legal_events(state)
            if not choices:
                break
            advance(state, random.choice(choices))
            assert audit(state) == [], text


JUDGED_BY_ANOTHER_COLOR = """
{"type": "dealer_named", "seat": 0}
{"type": "deal_started", "dealer": 0}
{"type": "card_turned", "card": "R7"}
{"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "G"}
{"type": "cards_played", "seat": 2, "cards": ["W+4"], "color": "Y"}
{"type": "challenge_made", "seat": 0, "upheld": true}
{"type": "cards_drawn", "seat": 2, "count": 8}
"""


@pytest.mark.parametrize(("color", "told"), [("before_first", "taken_back/draw"), ("named", "taken_back")])
def test_who_took_a_card_back_may_draw_or_not_in_a_position_and_a_stored_state_too(
    color: str, told: str
) -> None:
    rules = {"preset": "guide", "wild_four_on_wild_four": True, "stacked_wild_four_color": color}
    opened = json.dumps(
        {"type": "game_opened", "ruleset": rules, "seats": [{"name": name} for name in "abc"]}
    )
    state = replay(parse_log(opened + JUDGED_BY_ANOTHER_COLOR))
    kept = dump(state)

    line = print_position(state)

    assert told in line.split(" ")
    assert parse_position(line).can_draw_instead == load(kept).can_draw_instead == state.can_draw_instead
    # An engine that didn't know of it stored such a state without a word: the log says it.
    del kept["can_draw_instead"]
    with pytest.raises(ValueError, match="doesn't say whether a draw is allowed"):
        load(kept)
