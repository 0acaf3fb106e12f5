"""What holds in every game: checked on games of bots and on random walks through what is legal."""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    Log,
    Refusal,
    Ruleset,
    State,
    advance,
    dump,
    hide,
    legal,
    legal_events,
    load,
    parse_event,
    parse_log,
    play_random_game,
    print_log,
    refusal_of,
    replay,
    replay_while_valid,
    summarize,
)
from games.engine.cards import CARDS
from games.engine.events import CardsPlayed, Event, EventVoided, GameOpened, Seat
from games.engine.state import ANSWER, DRAW, PLAY, SHOW

RULESETS = [
    "palio",
    "classic",
    "to_go",
    {"preset": "palio", "hand_size": 16, "max_players": 6},
    {"preset": "to_go", "scoring": "lowest_wins", "target": 150},
    {
        "preset": "classic",
        "uno_call": "until_next_acts",
        "uno_catch_window": "second_next_acts",
        "target": 100,
    },
    {
        "preset": "palio",
        "draw_two_skips": False,
        "drawn_card": "keep",
        "finish_on_action": False,
        "reverse_with_two": "plain",
        "reverse_matches_skip": True,
        "decks": 2,
        "wild_four_condition": "no_color_match",
        "challenge_failed_cards": 8,
    },
    {"preset": "palio", "challenge": False, "final_draw": True},
    "guide",
    {"preset": "guide", "decks": 1, "uno_catch_window": "second_next_acts", "wrong_card_ends_turn": True},
    "house",
    {
        "preset": "house",
        "target": 120,
        "wild_four_on_draw_two": True,
        "wild_four_on_wild_four": True,
        "stack_on_last_card": True,
        "stacked_wild_four_color": "before_first",
        "zero_gift": True,
        "burn": True,
        "reverse_with_two": "removed",
        "wild_four_condition": "no_playable_card",
    },
    {
        "preset": "house",
        "hand_size": 4,
        "target": 60,
        "scoring": "elimination",
        "after_out": "new_deal",
        "draw_two_skips": False,
        "stacked_wild_four_free": True,
        "wild_four_on_wild_four": True,
        "reverse_with_two": "removed",
    },
    {"preset": "house", "challenge_upheld": "taken_back", "wild_four_on_draw_two": True, "burn": True},
]

games = st.builds(
    lambda ruleset, seats, seed, style: play_random_game(
        Ruleset.from_json(ruleset), seats, seed, style=style, longest=400, kin=((0, 1),)
    ),
    st.sampled_from(RULESETS),
    st.integers(2, 6),
    st.integers(0, 10**6),
    st.sampled_from(["sensible", "random"]),
)


def check_invariants(state: State) -> None:
    """What is true of every state whatever was played."""
    total = sum(state.limit.values())
    if state.deal:
        assert sum(state.hands) + state.pile + len(state.discards) == total
    assert min([state.pile, *state.unknown], default=0) >= 0
    visible = Counter(state.discards)
    for cards in state.known:
        visible.update(cards)
    assert {card: state.seen[card] for card in CARDS} == {card: visible[card] for card in CARDS}
    assert all(visible[card] <= state.limit[card] for card in CARDS)
    moves = state.phase in ("color", "play", "after_draw", "answer", "draw")
    assert (state.turn is not None) == moves
    assert (state.phase == DRAW) == bool(state.debts)
    assert (state.owed > 0) == (state.phase == DRAW or (state.phase == ANSWER and state.owed > 0))
    assert state.turn is None or state.turn not in state.left
    if state.phase in (PLAY, ANSWER):
        assert state.discards[-1] == state.top


@given(games)
def test_a_game_keeps_its_invariants_at_every_event(log: list[Event]) -> None:
    state = State()
    for number, event in enumerate(log, start=1):
        advance(state, event)
        assert state.events == number
        check_invariants(state)
    assert state.over


def test_a_bot_that_is_out_second_plays_on_without_cards() -> None:
    ruleset = next(rules for rules in RULESETS if isinstance(rules, dict) and "stack_on_last_card" in rules)
    log = play_random_game(Ruleset.from_json(ruleset), 5, 58, style="random", longest=400, kin=((0, 1),))
    assert replay(log).over


@settings(max_examples=25)
@given(games)
def test_every_prefix_replays_to_the_state_on_the_way(log: list[Event]) -> None:
    state = State()
    for number, event in enumerate(log[:120], start=1):
        advance(state, event)
        if number % 7 == 0:
            assert dump(replay(log, until=number)) == dump(state)


@settings(max_examples=50)
@given(games)
def test_a_stored_state_goes_on_like_the_game_itself(log: list[Event]) -> None:
    state = State()
    stored = dump(state)
    for event in log:
        advance(state, event)
        continued = load(json.loads(json.dumps(stored)))
        advance(continued, event)
        stored = dump(continued)
        assert stored == dump(state)


@given(games)
def test_a_log_prints_and_reads_as_it_was(log: list[Event]) -> None:
    text = print_log(log)
    assert parse_log(text) == log
    assert print_log(parse_log(text.encode())) == text


@given(
    st.sampled_from(["palio", {"preset": "palio", "hand_size": 16}]), st.integers(2, 6), st.integers(0, 10**6)
)
def test_hiding_the_cards_changes_nothing_that_everybody_sees(ruleset: object, seats: int, seed: int) -> None:
    log = play_random_game(Ruleset.from_json(ruleset), seats, seed)
    full, table = State(), State()
    for event in log:
        advance(full, event)
        advance(table, hide(event))
        assert summarize(table) == summarize(full)


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_a_table_log_of_the_same_seed_ends_the_same(ruleset: object) -> None:
    for seed in range(5):
        full = replay(play_random_game(Ruleset.from_json(ruleset), 3, seed))
        table = replay(play_random_game(Ruleset.from_json(ruleset), 3, seed, table=True))
        assert {**summarize(table), "events": 0} == {**summarize(full), "events": 0}


def test_the_same_seed_gives_the_same_game() -> None:
    palio = Ruleset.from_json("palio")
    seats = [Seat("Ada", "A"), Seat("Bea", "B")]
    assert play_random_game(palio, seats, 7) == play_random_game(palio, seats, 7)
    assert play_random_game(palio, seats, 7) != play_random_game(palio, seats, 8)


@settings(max_examples=40)
@given(games, st.data())
def test_voiding_the_last_event_equals_never_having_had_it(log: list[Event], data: st.DataObject) -> None:
    length = data.draw(st.integers(2, len(log)))
    voided = Log()
    for event in log[:length]:
        voided.add(event)
    voided.add(EventVoided(length, "mistake"))
    without = dump(replay(log, until=length - 1))
    assert dump(voided.state) == {**without, "events": length + 1}
    # And the game goes on from there as it did, with all lines counted.
    for event in log[length - 1 :]:
        voided.add(event)
    assert dump(voided.state) == {**dump(replay(log)), "events": len(log) + 2}
    assert dump(replay(voided.events)) == dump(voided.state)


@settings(max_examples=40)
@given(games, st.lists(st.integers(1, 60), max_size=12))
def test_any_corrections_leave_a_log_that_replays_to_its_state(log: list[Event], lines: list[int]) -> None:
    """Corrections anywhere, most of them refused: a refused one changes nothing, the rest replay."""
    corrected = Log()
    for event in log[:40]:
        corrected.add(event)
    for line in lines:
        before = dump(corrected.state)
        refused = False
        try:
            corrected.add(EventVoided(line, "perhaps"))
        except Refusal as refusal:
            refused = refusal.code == "void"
        assert refused == (dump(corrected.state) == before)
        check_invariants(corrected.state)
    assert dump(replay(corrected.events)) == dump(corrected.state)
    assert [event for _, event in corrected.effective()] == [
        event for _, event in Log.of(corrected.events, corrected.state).effective()
    ]


@settings(max_examples=60)
@given(
    st.sampled_from(RULESETS),
    st.integers(2, 5),
    st.integers(0, 10**6),
    st.booleans(),
)
def test_a_random_walk_through_what_is_legal(ruleset: object, seats: int, seed: int, full: bool) -> None:
    """With hidden hands, or from a full log's middle: whatever is offered is accepted, and nothing breaks."""
    random = Random(seed)
    rules = Ruleset.from_json(ruleset)
    state = State()
    log: list[Event] = []
    if full:
        log = play_random_game(rules, seats, seed)
        log = log[: random.randrange(4, len(log))]
    else:
        log = [GameOpened(rules, tuple(Seat(str(seat)) for seat in range(seats)))]
    for event in log:
        advance(state, event)
    for _ in range(60):
        choices = [event for event in legal_events(state) if event.type != "game_closed"]
        if state.phase == SHOW:
            choices = random.sample(choices, min(3, len(choices)))
        if not choices:
            assert state.over
            break
        # Each type equally often, or penalties would be most of the game.
        type_ = random.choice(sorted({event.type for event in choices}))
        event = random.choice([choice for choice in choices if choice.type == type_])
        advance(state, event)
        log.append(event)
        check_invariants(state)
    assert dump(replay(parse_log(print_log(log)))) == dump(state)


@settings(max_examples=60)
@given(games, games, st.integers(0, 10**6))
def test_a_refused_event_changes_nothing(log: list[Event], other: list[Event], seed: int) -> None:
    """Events from another game, in the middle of this one: each is refused without a trace, or is legal."""
    random = Random(seed)
    state = replay(log, until=random.randrange(1, len(log)))
    before = dump(state)
    for event in other:
        refusal = refusal_of(state, event)
        assert dump(state) == before
        if refusal is None:
            continue
        with pytest.raises(Refusal) as caught:
            advance(state, event)
        assert caught.value.to_json() == refusal.to_json()
        assert dump(state) == before


@given(games, st.integers(0, 10**6))
def test_what_is_offered_agrees_with_what_is_accepted(log: list[Event], seed: int) -> None:
    state = replay(log, until=Random(seed).randrange(1, len(log)))
    options = {option.type: option for option in legal(state)}
    assert len(options) == len(legal(state))
    for event in legal_events(state):
        option = options[event.type]
        if isinstance(event, CardsPlayed):
            assert event.cards[0] in option.cards
            assert (event.color is not None) == (event.cards[0] in option.needs_color)
            assert event.uno is None or option.uno
        assert refusal_of(state, event) is None
        json.dumps(option.to_json())


def test_the_accepted_prefix_and_the_first_refusal() -> None:
    log = play_random_game(Ruleset.from_json("palio"), 3, 1)
    wrong = parse_event({"type": "color_named", "seat": 0, "color": "R"})
    state, accepted, refusal = replay_while_valid([*log[:20], wrong, *log[20:]])
    assert (accepted, state.events) == (20, 20)
    assert refusal is not None
    assert (refusal.line, refusal.type, refusal.code) == (21, "color_named", refusal.code)
    assert dump(state) == dump(replay(log, until=20))
