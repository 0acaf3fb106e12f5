"""Counts of what positions can become: the corpus, by the engine and by a second implementation.

Without `--long` each position is counted as deep as it stays small.
"""

import json
from collections import Counter
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from games.engine import Refusal, Ruleset, State, play_random_game, replay
from games.engine.events import CardsDrawn, CardsPlayed, Event
from games.engine.jsonl import print_event
from games.engine.rule_fields import FIELDS
from games.engine.state import copies_to_deal
from tests.games.engine.naive import perft as naive
from tests.games.engine.perft.counts import PROFILES, Position, divide, perft, pile_order
from tests.games.engine.perft.positions import PerftEntry, read_corpus

CORPUS = Path(__file__).parent / "perft" / "corpus.txt"
SMALL, NAIVELY_SMALL = 400, 80
"""Up to which counts the engine, and the second implementation, count without `--long`."""
NAIVELY_LARGE = 3000


@cache
def corpus() -> tuple[PerftEntry, ...]:
    return tuple(read_corpus(CORPUS.read_text("utf-8")))


def spot_of(entry: PerftEntry) -> naive.Spot:
    spot = naive.root(entry.ruleset, entry.seats, entry.seed, entry.pack, entry.kin)
    for text in entry.then:
        spot = spot.then(json.loads(text))
    return spot


def deepest(entry: PerftEntry, most: int) -> list[tuple[str, int, int]]:
    """For each profile the last of the counts before one is larger than that."""
    found = []
    for profile in PROFILES:
        counts = []
        for count in (each for each in entry.counts if each[0] == profile):
            if count[2] > most:
                break
            counts.append(count)
        found += counts[-1:]
    return found


entries = pytest.mark.parametrize("entry", corpus(), ids=lambda entry: entry.title)


@entries
def test_perft_of_the_engine_counts_as_the_corpus_says(entry: PerftEntry) -> None:
    position = entry.position()
    for profile, depth, count in deepest(entry, SMALL):
        assert (profile, depth, perft(position, depth, profile)) == (profile, depth, count)


@entries
def test_perft_of_the_second_implementation_counts_the_same(entry: PerftEntry) -> None:
    spot = spot_of(entry)
    for profile, depth, count in deepest(entry, NAIVELY_SMALL):
        assert (profile, depth, naive.perft(spot, depth, profile)) == (profile, depth, count)


@entries
def test_perft_moves_of_both_implementations_are_the_same(entry: PerftEntry) -> None:
    position, spot = entry.position(), spot_of(entry)
    for profile in PROFILES:
        ours = sorted(written(event) for event in position.moves(profile))
        assert ours == sorted(plain(event) for event in naive.moves(spot, profile))


def written(event: Event) -> str:
    """As `plain`."""
    return plain(json.loads(print_event(event)))


def plain(event: dict[str, object]) -> str:
    """An event without the cards that a draw gives."""
    dropped = "cards" if event["type"] == "cards_drawn" else ""
    return json.dumps({key: value for key, value in event.items() if key != dropped}, sort_keys=True)


@pytest.mark.long
def test_perft_of_the_engine_counts_the_whole_corpus() -> None:
    for entry in corpus():
        position = entry.position()
        counted = [(profile, depth, perft(position, depth, profile)) for profile, depth, _ in entry.counts]
        assert (entry.title, counted) == (entry.title, entry.counts)


@pytest.mark.long
def test_perft_of_the_second_implementation_counts_deeper() -> None:
    for entry in corpus():
        spot, expected = spot_of(entry), deepest(entry, NAIVELY_LARGE)
        counted = [(profile, depth, naive.perft(spot, depth, profile)) for profile, depth, _ in expected]
        assert (entry.title, counted) == (entry.title, expected)


def test_perft_corpus_counts_each_position_in_both_profiles_from_depth_1() -> None:
    titles = [entry.title for entry in corpus()]
    assert len(set(titles)) == len(titles)
    for entry in corpus():
        for profile in PROFILES:
            depths = [depth for name, depth, _ in entry.counts if name == profile]
            assert depths == list(range(1, len(depths) + 1))
            assert depths


def test_perft_corpus_has_each_value_of_every_rule_that_makes_a_difference() -> None:
    """Numbers, how a dealer is found and how a log is scored apart: they change no legality one event on."""
    rulesets = [Ruleset.from_json(entry.ruleset) for entry in corpus()]
    for field in FIELDS:
        if field.kind == "int" or field.name in ("dealer_cut", "cut_action_cards"):
            continue
        values = (True, False) if field.kind == "bool" else field.choices
        assert {getattr(ruleset, field.name) for ruleset in rulesets} == set(values), field.name
    assert {ruleset.preset for ruleset in rulesets} == {"palio", "classic", "to_go", "guide", "house"}
    assert {entry.seats for entry in corpus()} >= {2, 3, 4, 5, 10}


def test_perft_corpus_counts_every_phase_and_every_type_of_event() -> None:
    phases, types = set(), set()
    for entry in corpus():
        places = [entry.position()]
        for _ in range(3):
            after = []
            for position in places[:40]:
                phases.add(position.state.phase)
                for event in position.moves("all"):
                    types.add(event.type)
                    after.append(position.after(event))
            # The last ones too, which interrupts are.
            places = after[:: max(1, len(after) // 40)]
    assert phases == {"deal", "turn_card", "color", "play", "after_draw", "answer", "draw", "over"}
    assert types == {
        "deal_started",
        "card_turned",
        "color_named",
        "cards_played",
        "cards_drawn",
        "turn_passed",
        "uno_called",
        "uno_caught",
        "challenge_made",
        "penalty_given",
        "zero_gift",
        "pile_reshuffled",
    }


def test_perft_parts_add_up() -> None:
    position = Position.start(Ruleset.from_json("house"), 3, 1)
    for profile in PROFILES:
        for depth in (1, 2, 3):
            parts = divide(position, depth, profile)
            assert sum(count for _, count in parts) == perft(position, depth, profile)
            assert len(parts) == perft(position, 1, profile)
    assert perft(position, 0) == 1


def test_pile_lies_as_the_digests_of_its_cards_do() -> None:
    # 7/1/W/0: 0480…, 7/1/R5/0: 4cce…, 7/1/R5/1: 63e9…, 7/1/G1/0: d332…
    assert pile_order(("G1", "R5", "W", "R5"), 7, 1) == ("W", "R5", "R5", "G1")
    assert pile_order((), 7, 1) == ()


def test_pack_lies_on_top_and_is_dealt_seat_after_seat() -> None:
    ruleset = Ruleset.from_json({"preset": "palio", "hand_size": 2})
    position = Position.start(ruleset, 2, 5, pack=("R1", "R2", "G1", "G2", "W+4", "B7", "Y3"))

    assert position.state.known == [["R1", "R2"], ["G1", "G2"]]
    # A Wild Draw Four was turned first: it went to the bottom.
    assert position.state.top == "B7"
    assert (position.pile[0], position.pile[-1]) == ("Y3", "W+4")
    assert len(position.pile) == position.state.pile == 103


def test_position_is_made_from_any_full_log() -> None:
    log = play_random_game(Ruleset.from_json("classic"), 3, 4)
    for length in (4, 20, 40):
        state = replay(log, until=length)
        position = Position.of(state, 1)
        moves = list(position.moves("moves"))

        assert len(position.pile) == state.pile
        lying = [*position.pile, *state.discards, *chain.from_iterable(state.known)]
        assert Counter(lying) == Counter(dict(copies_to_deal(state)))
        # What was played next is a move.
        assert written(log[length]) in map(written, moves)
        assert perft(position, 2) == sum(len(list(position.after(move).moves("moves"))) for move in moves)
        assert state.events == length


def test_position_needs_every_hand_known() -> None:
    table = play_random_game(Ruleset.from_json("classic"), 3, 4, table=True)
    with pytest.raises(ValueError, match="every hand known"):
        Position.of(replay(table, until=10), 1)


def test_position_before_the_game_has_no_pile() -> None:
    assert Position.of(State(), 1).pile == ()


def test_perft_leaves_the_position_as_it_was() -> None:
    position = Position.start(Ruleset.from_json("guide"), 3, 3)
    before = (position.pile, position.state.events, [list(hand) for hand in position.state.known])
    first = perft(position, 3, "all")

    assert perft(position, 3, "all") == first
    assert (position.pile, position.state.events, [list(hand) for hand in position.state.known]) == before


def test_position_draws_from_its_pile() -> None:
    position = Position.start(Ruleset.from_json("classic"), 2, 2)
    seat = position.state.turn
    assert seat is not None
    after = position.after(CardsDrawn(seat, 1))
    assert after.state.known[seat][-1] == position.pile[0]
    assert after.pile == position.pile[1:]


def test_position_and_perft_refuse_impossible_arguments() -> None:
    palio = Ruleset.from_json("palio")
    with pytest.raises(Refusal, match="too-many-copies"):
        Position.start(palio, 2, 1, pack=("R0", "R0"))
    with pytest.raises(Refusal, match="bad-ruleset"):
        Position.start(palio, 11, 1)
    position = Position.start(palio, 2, 1)
    with pytest.raises(Refusal, match="not-your-turn"):
        position.after(CardsPlayed(0, ("R1",)))
    with pytest.raises(ValueError, match="profile is one of moves, all"):
        perft(position, 1, "some")
    with pytest.raises(ValueError, match="0 or more"):
        perft(position, -1)
    with pytest.raises(ValueError, match="from depth 1"):
        divide(position, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('ruleset "palio"\n', "line 1: .* begins with its title"),
        ("## a\nseats 2\n", "line 1: 'a' needs a `ruleset` and `seats`"),
        ("## a\nruleset {\n", "line 2: .* can't be read"),
        ("## a\nseats two\n", "line 2: .* can't be read"),
        ("## a\npack R7 X\n", "line 2: .* X is no card"),
        ("## a\nkin 0\n", "line 2: .* can't be read"),
        ("## a\nmoves 1\n", "line 2: .* can't be read"),
        ("## a\nbold 1 2\n", "line 2: .* expected ruleset, seats"),
    ],
)
def test_perft_corpus_refuses_a_wrong_text(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_corpus(text)
