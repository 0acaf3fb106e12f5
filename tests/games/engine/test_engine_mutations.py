"""Logs with one event dropped, doubled, swapped or changed: refused, or legal for a reason on the list.

A mutant that nobody refuses is a hole in the checks, or a freedom that the rules leave. So each survivor is
judged by the second implementation as well, and has to fall under one of `REASONS`: the list is closed.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine import (
    Refusal,
    Ruleset,
    State,
    advance,
    event_to_json,
    parse_event,
    play_random_game,
    summarize,
)
from games.engine.cards import CARDS
from tests.games.engine.naive.reading import read_line
from tests.games.engine.naive.steps import step
from tests.games.engine.naive.table import Event, Refused, Table
from tests.games.engine.perft.counts import copy_of

VARIATIONS = {
    "preset": "house",
    "hand_size": 3,
    "zero_gift": True,
    "burn": True,
    "wild_four_on_draw_two": True,
    "uno_call": "until_caught",
    "target": 60,
}
SCARCE = {"preset": "palio", "hand_size": 26}

Game = tuple[object, int, int, int]
"""A rule set, how many seats, the bots' seed, and how many events at most."""

GAMES = sorted((Path(__file__).parent / "mutations").glob("*.jsonl"))
"""Short games of bots, each as a full log and as a table log: whatever `REASONS` speak of happens there."""

MANY_GAMES: list[Game] = [
    (ruleset, seats, seed, 80)
    for ruleset in ("palio", "classic", "guide", "house", VARIATIONS, SCARCE)
    for seats in (2, 3, 4)
    for seed in range(10)
]
ANY_MOMENT = {"uno_called", "uno_caught", "penalty_given", "zero_gift"}


@dataclass(frozen=True)
class Mutant:
    """A log with one thing wrong: `kind` says what was done at `place` (from 0), `field` to which field."""

    kind: str
    field: str
    place: int
    events: list[Event]
    log: list[Event]
    tables: list[Table | None]

    @property
    def type(self) -> str:
        return str(self.log[self.place]["type"])

    @property
    def event(self) -> Event:
        """What stood there."""
        return self.log[self.place]

    @property
    def new(self) -> Event:
        """What stands there now."""
        return self.events[self.place]

    @property
    def next(self) -> Event:
        """What came after."""
        return self.log[self.place + 1] if self.place + 1 < len(self.log) else {"type": "none"}

    @property
    def table(self) -> Table:
        """The table before it."""
        table = self.tables[self.place]
        assert table is not None
        return table

    @property
    def pair(self) -> set[str]:
        """The types of the two events that were swapped."""
        return {self.type, str(self.next["type"])}

    def changes(self, type_: str, *fields: str) -> bool:
        return self.kind == "change" and self.type == type_ and self.field in fields

    def could_hold(self, cards: list[str], table: Table | None = None) -> bool:
        """Whether the seat, as far as its cards are known, could hold these."""
        table = table or self.table
        seat = self.event["seat"]
        return not Counter(cards) - Counter(table.known[seat]) or table.unknown[seat] > 0

    def nothing_hangs_on_it(self) -> bool:
        """Whether what comes after could as well come without it, since it hangs on nobody's move."""
        free = {"game_closed", "hand_shown", "pile_reshuffled", *ANY_MOMENT}
        return all(
            event["type"] in free or (event["type"] == "cards_drawn" and table is not None and table.debts)
            for event, table in zip(self.log[self.place + 1 :], self.tables[self.place + 1 :], strict=False)
        )

    def nearly_dry(self) -> bool:
        """Whether four cards, the dearest penalty here, are all that there is to draw, or more."""
        return self.table.pile + self.table.spare() <= 4

    def next_move(self) -> Event:
        """The first event after this one that can't come at any moment."""
        later = zip(self.log[self.place + 1 :], self.tables[self.place + 1 :], strict=False)
        moves = (
            event
            for event, table in later
            if event["type"] not in ANY_MOMENT and table is not None and not table.debts
        )
        return next(moves, {"type": "none"})

    def same_mover(self) -> bool:
        """Whether the seat moves again after this event."""
        after = self.tables[self.place + 1]
        return after is not None and after.mover() == self.event.get("seat")


Reason = tuple[str, Callable[[Mutant], bool]]
"""A sentence, and whether it explains a mutant that is legal."""

REASONS: list[Reason] = [
    (
        "a log may end anywhere",
        lambda m: m.kind == "drop" and m.nothing_hangs_on_it(),
    ),
    (
        "whether UNO is said is up to the player",
        lambda m: m.changes("cards_played", "uno"),
    ),
    (
        "a forgotten UNO needn't be called, and who noticed it needn't be known",
        lambda m: (m.kind == "drop" and m.type == "uno_called") or m.changes("uno_caught", "catcher"),
    ),
    (
        "nobody saw the pile: another card may have been drawn, or turned",
        lambda m: (
            (m.changes("cards_drawn", "cards") and len(m.new.get("cards", [])) in (0, m.event["count"]))
            or m.changes("card_turned", "card")
        ),
    ),
    (
        "what players hold needn't be written down",
        lambda m: (
            (m.changes("deal_started", "hands") and "hands" not in m.new)
            or (m.changes("challenge_made", "hand") and "hand" not in m.new)
        ),
    ),
    (
        "another hand may have been dealt, or shown",
        lambda m: (
            m.changes("deal_started", "hands")
            or m.changes("hand_shown", "cards", "points")
            or m.changes("challenge_made", "hand")
        ),
    ),
    (
        "another card that is held, or that a hidden hand may hold, can be played as well",
        lambda m: m.changes("cards_played", "cards") and m.could_hold(m.new["cards"]),
    ),
    (
        "which colour is named is up to the player",
        lambda m: m.changes("cards_played", "color") or m.changes("color_named", "color"),
    ),
    (
        "whatever else is cut, and however often, the same seat may deal",
        lambda m: m.type == "dealer_cut",
    ),
    (
        "a turn that comes back to its seat can be left out, or taken twice",
        lambda m: m.type == "cards_played" and m.kind in ("drop", "double") and m.same_mover(),
    ),
    (
        "the card that was played after a draw may have been held before",
        lambda m: (
            m.kind == "drop"
            and m.type == "cards_drawn"
            and m.next_move()["type"] == "cards_played"
            and m.could_hold(m.next_move()["cards"])
        ),
    ),
    (
        "hands are shown in any order",
        lambda m: m.kind == "swap" and m.pair == {"hand_shown"},
    ),
    (
        "a reshuffle can wait while nothing is drawn, and come as soon as the pile is empty",
        lambda m: m.kind == "swap" and "pile_reshuffled" in m.pair,
    ),
    (
        "a verdict on a hidden hand can be either",
        lambda m: m.changes("challenge_made", "upheld"),
    ),
    (
        "a wrong card may be any that the hand may hold, and needn't be named",
        lambda m: m.changes("penalty_given", "card"),
    ),
    (
        "a penalty of the same cards for another reason",
        lambda m: m.changes("penalty_given", "reason"),
    ),
    (
        "what can come at any moment can come a moment later or sooner",
        lambda m: m.kind == "swap" and bool(m.pair & ANY_MOMENT),
    ),
    (
        "what can come at any moment can come twice, or of another seat, where nothing hangs on it",
        lambda m: m.kind in ("double", "change") and m.type in ANY_MOMENT and m.nothing_hangs_on_it(),
    ),
    (
        "a seat that moves twice in a row can do it in the other order",
        lambda m: m.kind == "swap" and m.event.get("seat") == m.next.get("seat") and m.same_mover(),
    ),
    (
        "a Wild Draw Four that goes back can be turned again, or not at all",
        lambda m: m.kind in ("drop", "double") and m.event == {"type": "card_turned", "card": "W+4"},
    ),
    (
        "a debt of which nothing can be drawn lapses at once",
        lambda m: m.type in ANY_MOMENT and m.kind in ("drop", "double") and m.nearly_dry(),
    ),
    (
        "who owes twice draws twice, where nothing comes after",
        lambda m: (
            m.kind == "double" and m.type == "cards_drawn" and m.same_mover() and m.nothing_hangs_on_it()
        ),
    ),
]


def changes(event: Event, seats: int, random: Random) -> Iterator[tuple[str, Event]]:
    """Every field with other values, some at random, and an event without each field that may be left out."""
    for field, value in event.items():
        others: list[Any] = []
        if field in ("seat", "to", "catcher", "dealer", "winner") and value is not None:
            others = list(range(seats))
        elif field == "color":
            others = list("RYGB")
        elif field in ("count", "points"):
            others = [value - 1, value + 1, value + 10]
        elif field == "card":
            others = random.sample(CARDS, 4)
        elif field == "upheld":
            others = [not value]
        elif field == "reason" and event["type"] == "penalty_given":
            others = ["prompting", "wrong_card"]
        elif field in ("cards", "hand") and isinstance(value, list):
            others = [*other_lists(value, random), value[:-1], value + value[-1:]]
        elif field in ("cards", "hands") and isinstance(value, dict):
            for seat in value:
                if field == "cards":
                    others.append({**value, seat: random.choice(CARDS)})
                else:
                    others += [{**value, seat: cards} for cards in other_lists(value[seat][:2], random)]
                    others += [
                        {**value, seat: [*cards, *value[seat][1:]]}
                        for cards in other_lists(value[seat][:1], random)
                    ]
        yield from ((field, {**event, field: other}) for other in others if other != value)
    for field in ("color", "uno", "cards", "hand", "hands", "catcher", "card"):
        if field in event:
            yield field, {name: value for name, value in event.items() if name != field}
    if event["type"] == "cards_played" and "uno" not in event:
        yield "uno", {**event, "uno": True}


def other_lists(cards: list[str], random: Random) -> Iterator[list[str]]:
    """A list with one card changed, at each place."""
    for place in range(len(cards)):
        for card in random.sample(CARDS, 2):
            yield [*cards[:place], card, *cards[place + 1 :]]


def mutants(log: list[Event], tables: list[Table | None], random: Random) -> Iterator[Mutant]:
    seats = len(log[0]["seats"])
    for place, event in enumerate(log):
        rest = log[place + 1 :]
        yield Mutant("drop", "", place, log[:place] + rest, log, tables)
        yield Mutant("double", "", place, [*log[: place + 1], event, *rest], log, tables)
        if rest and rest[0] != event:
            yield Mutant("swap", "", place, [*log[:place], rest[0], event, *rest[1:]], log, tables)
        for field, new in changes(event, seats, random):
            yield Mutant("change", field, place, [*log[:place], new, *rest], log, tables)


Verdict = dict[str, Any] | tuple[int, str]


def judged_by_engine(state: State, events: list[Event], start: int) -> Verdict:
    state = copy_of(state)
    try:
        for event in events[start:]:
            advance(state, parse_event(event))
    except Refusal as refusal:
        return refusal.line or state.events + 1, refusal.code
    return summarize(state)


def judged_naively(table: Table | None, mutant: Mutant) -> Verdict:
    for number, event in enumerate(mutant.events[mutant.place :], start=mutant.place + 1):
        try:
            table = step(table, read_line(json.dumps(event)))
        except Refused as refused:
            return number, refused.code
    assert table is not None
    return table.summary(len(mutant.events))


def survivors(log: list[Event]) -> Counter[str]:
    """How often each reason explains a mutant of this log; fails for one that none explains."""
    states, tables = [State()], list[Table | None]([None])
    for event in log:
        state = copy_of(states[-1])
        advance(state, parse_event(event))
        states.append(state)
        tables.append(step(tables[-1], event))
    found = Counter[str]()
    for mutant in mutants(log, tables, Random(len(log))):
        verdict = judged_by_engine(states[mutant.place], mutant.events, mutant.place)
        where = f"{mutant.kind} {mutant.field}, line {mutant.place + 1}: {mutant.event} before {mutant.next}"
        assert verdict == judged_naively(tables[mutant.place], mutant), where
        if isinstance(verdict, dict):
            reasons = [sentence for sentence, explains in REASONS if explains(mutant)]
            assert reasons, f"nobody refuses this, and nothing says why it is legal: {where}"
            found[reasons[0]] += 1
    return found


@cache
def reasons_in(path: Path) -> Counter[str]:
    return survivors([json.loads(line) for line in path.read_text("utf-8").splitlines()])


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_mutant_of_a_kept_log_is_refused_or_legal_for_a_reason(path: Path) -> None:
    assert reasons_in(path)


def test_mutant_reasons_are_all_needed() -> None:
    found = sum((reasons_in(path) for path in GAMES), Counter[str]())
    assert [sentence for sentence, _ in REASONS if not found[sentence]] == []


def test_mutants_are_legal_more_often_where_hands_are_hidden() -> None:
    """A full log leaves less open than the table log of the same game."""
    sentence = "another card that is held, or that a hidden hand may hold, can be played as well"
    full, table = (
        sum(reasons_in(path)[sentence] for path in GAMES if path.stem.endswith(kind))
        for kind in ("-full", "-table")
    )
    assert 0 < full < table


@pytest.mark.long
@pytest.mark.parametrize("table", [False, True], ids=["full log", "table log"])
def test_mutant_of_many_games_is_refused_or_legal_for_a_reason(table: bool) -> None:
    for ruleset, seats, seed, longest in MANY_GAMES:
        game = play_random_game(
            Ruleset.from_json(ruleset), seats, seed, table=table, longest=longest, kin=((0, 1),)
        )
        assert survivors([event_to_json(event) for event in game]), (ruleset, seats, seed)
