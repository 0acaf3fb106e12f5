"""Notation beside JSON Lines: one text for the same events, from which a reader has them back."""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    FIELDS,
    PRESETS,
    Event,
    Field,
    Log,
    Refusal,
    Ruleset,
    Seat,
    dump,
    event_to_json,
    parse_event,
    parse_log,
    play_random_game,
    print_log,
    print_notation,
    replay,
)
from games.engine.cards import CARDS, COLORS
from games.engine.events import (
    CLOSE_REASONS,
    EVENT_CLASSES,
    EVENT_FIELDS,
    NEEDED,
    CardsDrawn,
    ChallengeMade,
    EventVoided,
    GameClosed,
    HandShown,
    LogEvent,
    PenaltyGiven,
    UnoCaught,
)
from games.engine.field_kinds import MOST_TOTAL
from tests.games.engine.rulesets import RULESETS
from tests.support.notation_reading import read_notation
from tests.support.run.long import examples

FOLDER = Path(__file__).parent / "notation"
PRINTED = sorted(FOLDER.glob("*.txt"))

# Events of every class, with every field set or not: whatever a line of JSON can hold.

seat_numbers = st.integers(0, 12) | st.integers(0, 10**8)
counts = st.integers(1, 12) | st.integers(1, 10**30)
totals = st.integers(0, 700) | st.integers(0, MOST_TOTAL)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ['"', "\\", "(", ";", "]", "\n", "\u2028", "\u202e", "\ufeff", "😀", "x" * 100, "#1", "é\u0301"]
)
cards = st.sampled_from(CARDS)
hands = st.lists(cards, max_size=5).map(tuple)
times = st.sampled_from(
    [
        "2026-09-19T14:05:07+02:00",
        "2026-09-19T14:05:08+02:00",
        "2026-09-19T14:05:08.125+02:00",
        "2026-09-19t14:05:08+02:00",
        "2026-09-19T14:05:07Z",
        "2026-09-19T14:05:07z",
        "2026-09-20T00:00:00Z",
        "2024-02-29T23:59:60-23:59",
    ]
)


def value_of(field: Field) -> st.SearchStrategy[object]:
    if field.kind == "bool":
        return st.booleans()
    return st.sampled_from(field.choices) if field.kind == "choice" else st.integers(-5, 10**12)


rulesets = st.builds(
    lambda preset, changed: Ruleset.read({"preset": preset, **changed}),
    st.sampled_from(sorted(PRESETS)),
    st.fixed_dictionaries({}, optional={field.name: value_of(field) for field in FIELDS}),
)


def ranked(reason: str, seats: list[int], scores: dict[int, int] | None) -> GameClosed:
    places = {seat: place for place, seat in enumerate(seats, start=1)}
    return GameClosed(reason, seats[0], None, scores, places)


def ended(reason: str, winner: int | str | None, scores: dict[int, int] | None) -> GameClosed:
    if winner is None and reason == "result":
        reason = "time"
    if isinstance(winner, str):
        return GameClosed(reason, None, winner, scores)
    return GameClosed(reason, winner, None, scores)


pairs = st.tuples(seat_numbers, seat_numbers).filter(lambda pair: pair[0] != pair[1])
VALUES: dict[str, st.SearchStrategy[object]] = {
    "ruleset": rulesets,
    "people": st.lists(st.builds(Seat, texts, st.none() | texts), max_size=4).map(tuple),
    "kin": st.lists(pairs, max_size=3).map(tuple),
    "seat": seat_numbers,
    "card": cards,
    "cards": st.lists(cards, min_size=1, max_size=3).map(tuple),
    "color": st.sampled_from(COLORS),
    "flag": st.booleans(),
    "count": counts,
    "points": totals,
    "text": texts,
    "line": counts,
    "card_by_seat": st.dictionaries(seat_numbers, cards, max_size=4),
    "cards_by_seat": st.dictionaries(seat_numbers, hands, max_size=3),
}


def any_event(cls: type[Event]) -> st.SearchStrategy[Event]:
    """One of a type whose fields can't contradict each other."""
    kinds = {name: kind for name, kind in EVENT_FIELDS[cls].items() if name not in ("at", "by")}
    return st.builds(
        cls,
        **{
            name: VALUES[kind.name] if name in NEEDED[cls] else st.none() | VALUES[kind.name]
            for name, kind in kinds.items()
        },
    )


plain_events: list[st.SearchStrategy[Event]] = [
    *[any_event(cls) for cls in EVENT_CLASSES if cls.check_fields is LogEvent.check_fields],
    st.builds(CardsDrawn, seat_numbers, counts),
    st.builds(
        lambda seat, drawn: CardsDrawn(seat, len(drawn), drawn), seat_numbers, hands.filter(lambda hand: hand)
    ),
    pairs.map(lambda pair: UnoCaught(*pair)) | st.builds(UnoCaught, seat_numbers),
    st.builds(ChallengeMade, seat_numbers, st.booleans(), hands),
    st.builds(PenaltyGiven, seat_numbers, st.just("prompting")),
    st.builds(PenaltyGiven, seat_numbers, st.just("wrong_card"), st.none() | cards),
    st.builds(HandShown, seat_numbers, hands) | st.builds(HandShown, seat_numbers, st.none(), totals),
    st.builds(
        ended,
        st.sampled_from(CLOSE_REASONS),
        st.none() | seat_numbers | texts,
        st.none() | st.dictionaries(seat_numbers, totals, max_size=3),
    ),
    st.builds(
        ranked,
        st.sampled_from(CLOSE_REASONS),
        st.lists(seat_numbers, unique=True, min_size=1, max_size=4),
        st.none() | st.dictionaries(seat_numbers, totals, max_size=3),
    ),
]


def stamped(event: Event, at: str | None, by: str | None) -> Event:
    return replace(event, at=at, by=by)


events = st.builds(
    stamped, st.one_of(plain_events), st.none() | times, st.none() | st.sampled_from(["Ugo", "Ada"]) | texts
)
logs = st.lists(events, min_size=1, max_size=12)
games = st.builds(
    lambda ruleset, seats, seed, table: play_random_game(
        Ruleset.from_json(ruleset), seats, seed, table=table, longest=250, kin=((0, 1),)
    ),
    st.sampled_from(RULESETS),
    st.integers(2, 6),
    st.integers(0, 10**6),
    st.booleans(),
)


@examples(200)
@given(logs)
def test_notation_of_any_events_reads_back_to_the_letter(log: list[Event]) -> None:
    text = print_notation(log)
    again = read_notation(text)

    assert again == log
    # To the letter: the order of seats in an object as well.
    assert print_log(again) == print_log(log)
    assert print_notation(again) == text


def test_notation_property_tries_events_of_every_class_and_field() -> None:
    """Guards the test above against an event or a field that it would never see."""
    found: dict[type[Event], set[str]] = {cls: set() for cls in EVENT_CLASSES}

    @settings(max_examples=80, database=None, derandomize=True)
    @given(st.lists(events, min_size=20, max_size=20))
    def look(log: list[Event]) -> None:
        for event in log:
            assert parse_event(event_to_json(event)) == event
            found[event.__class__] |= event_to_json(event).keys() - {"type"}

    look()
    assert found == {cls: {field.name for field in fields(cls)} for cls in EVENT_CLASSES}


@examples(40)
@given(games, st.booleans())
def test_notation_and_json_give_the_same_game(log: list[Event], with_stamps: bool) -> None:
    if with_stamps:
        log = [
            stamped(event, f"2026-09-19T14:{place // 60 % 60:02}:{place % 60:02}+02:00", f"R{place // 50}")
            for place, event in enumerate(log)
        ]
    text = print_notation(log)
    assert dump(replay(read_notation(text))) == dump(replay(parse_log(print_log(log))))
    assert print_log(read_notation(text)) == print_log(log)
    headers, *_ = text.split("\n\n")
    assert headers.count("[Winner ") == 1
    # Nothing but what can't be broken is wider than a page.
    assert [line for line in text.split("\n") if len(line) > 78 and line.count(" ") > 2] == []


@examples(40)
@given(games, st.lists(st.integers(1, 60), max_size=8))
def test_notation_of_a_corrected_log_reads_back_with_its_marks(log: list[Event], lines: list[int]) -> None:
    corrected = Log()
    for event in log[:60]:
        corrected.add(event)
    for line in lines:
        try:
            corrected.add(EventVoided(line, "perhaps"))
        except Refusal:
            continue
    text = print_notation(corrected.events)

    assert read_notation(text) == corrected.events
    assert dump(replay(read_notation(text))) == dump(corrected.state)


# Files to look at, each beside its JSON Lines.


@pytest.mark.parametrize("path", PRINTED, ids=lambda path: path.stem)
def test_notation_examples_are_what_is_printed(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = path.with_suffix(".jsonl").read_text("utf-8")
    assert print_notation(parse_log(lines)) == text
    assert print_log(read_notation(text)) == lines


def test_notation_examples_hold_every_event() -> None:
    log = [event for path in PRINTED for event in read_notation(path.read_text("utf-8"))]
    assert {event.__class__ for event in log} == set(EVENT_CLASSES)


def test_notation_of_a_log_that_the_rules_refuse_has_no_winner() -> None:
    head = '[Rules palio]\n[Seat 0 "Ada"]\n[Seat 1 "Bea" "Alta"]\n'
    log = read_notation(head + "dealer=0 deal=0 top=R7 1:G4")

    text = print_notation(log)

    with pytest.raises(Refusal, match="no-match"):
        replay(log)

    assert "Winner" not in text
    assert "[Winner *]" in print_notation(log[:-1])
