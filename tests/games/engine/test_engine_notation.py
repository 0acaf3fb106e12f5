"""Notation beside JSON Lines: the same events, one text for them, and nothing but a refusal for any other."""

import re
from dataclasses import fields, replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
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
    parse_notation,
    play_random_game,
    print_log,
    print_notation,
    replay,
)
from games.engine.cards import CARDS, COLORS
from games.engine.events import (
    CLOSE_REASONS,
    EVENT_CLASSES,
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerCut,
    DealerNamed,
    DealStarted,
    EventVoided,
    GameClosed,
    GameOpened,
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from tests.games.engine.test_engine_games import RULESETS
from tests.services.long import examples

FOLDER = Path(__file__).parent / "notation"
PRINTED = sorted(path for path in FOLDER.glob("*.txt") if not path.stem.endswith("-by-hand"))
BY_HAND = sorted(FOLDER.glob("*-by-hand.txt"))

# Events of every class, with every field set or not: whatever a line of JSON can hold.

seat_numbers = st.integers(0, 12) | st.integers(0, 10**8)
counts = st.integers(1, 12) | st.integers(1, 10**30)
totals = st.integers(0, 700) | st.integers(0, 10**30)
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
plain_events: list[st.SearchStrategy[Event]] = [
    st.builds(
        GameOpened,
        rulesets,
        st.lists(st.builds(Seat, texts, st.none() | texts), max_size=4).map(tuple),
        st.none() | st.lists(pairs, max_size=3).map(tuple),
    ),
    st.builds(DealerCut, st.dictionaries(seat_numbers, cards, max_size=4)),
    st.builds(DealerNamed, seat_numbers),
    st.builds(DealStarted, seat_numbers, st.none() | st.dictionaries(seat_numbers, hands, max_size=3)),
    st.builds(CardTurned, cards),
    st.builds(ColorNamed, seat_numbers, st.sampled_from(COLORS)),
    st.builds(
        CardsPlayed,
        seat_numbers,
        st.lists(cards, min_size=1, max_size=3).map(tuple),
        st.none() | st.sampled_from(COLORS),
        st.none() | st.booleans(),
    ),
    st.builds(CardsDrawn, seat_numbers, counts),
    st.builds(
        lambda seat, drawn: CardsDrawn(seat, len(drawn), drawn), seat_numbers, hands.filter(lambda hand: hand)
    ),
    st.builds(TurnPassed, seat_numbers),
    st.builds(UnoCalled, seat_numbers),
    pairs.map(lambda pair: UnoCaught(*pair)) | st.builds(UnoCaught, seat_numbers),
    st.builds(ChallengeMade, seat_numbers, st.booleans(), st.none() | hands),
    st.builds(PenaltyGiven, seat_numbers, st.just("prompting")),
    st.builds(PenaltyGiven, seat_numbers, st.just("wrong_card"), st.none() | cards),
    st.builds(ZeroGift, seat_numbers, seat_numbers),
    st.builds(PileReshuffled),
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
    st.builds(EventVoided, counts, texts),
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


def refusal_of_text(text: str | bytes) -> Refusal | None:
    try:
        parse_notation(text)
    except Refusal as refusal:
        return refusal
    return None


@examples(200)
@given(logs)
def test_any_events_read_back_to_the_letter(log: list[Event]) -> None:
    text = print_notation(log)
    again = parse_notation(text)
    assert again == log
    # To the letter: the order of seats in an object as well.
    assert print_log(again) == print_log(log)
    assert print_notation(again) == text
    assert parse_notation(text.encode()) == log


def test_events_of_every_class_and_field_are_tried() -> None:
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
def test_a_game_is_the_same_game_from_json_and_from_notation(log: list[Event], with_stamps: bool) -> None:
    if with_stamps:
        log = [
            stamped(event, f"2026-09-19T14:{place // 60 % 60:02}:{place % 60:02}+02:00", f"R{place // 50}")
            for place, event in enumerate(log)
        ]
    text = print_notation(log)
    assert dump(replay(parse_notation(text))) == dump(replay(parse_log(print_log(log))))
    assert print_log(parse_notation(text)) == print_log(log)
    headers, *_ = text.split("\n\n")
    assert headers.count("[Winner ") == 1
    # Nothing but what can't be broken is wider than a page.
    assert [line for line in text.split("\n") if len(line) > 78 and line.count(" ") > 2] == []


@examples(40)
@given(games, st.lists(st.integers(1, 60), max_size=8))
def test_a_corrected_log_reads_back_with_its_marks(log: list[Event], lines: list[int]) -> None:
    corrected = Log()
    for event in log[:60]:
        corrected.add(event)
    for line in lines:
        try:
            corrected.add(EventVoided(line, "perhaps"))
        except Refusal:
            continue
    text = print_notation(corrected.events)
    assert parse_notation(text) == corrected.events
    assert dump(replay(parse_notation(text))) == dump(corrected.state)


BLANKS = (" ", "\n", "\r\n\t", " (so it goes) ", " ; a remark\n", "\n(two\nlines)\n")


@examples(60)
@given(logs, st.integers(0, 10**6))
def test_layout_case_and_remarks_are_free(log: list[Event], seed: int) -> None:
    """As somebody types it: other line breaks, remarks, small letters; the same events."""
    random = Random(seed)
    text = print_notation(log)
    # Every second piece is a text or a time, in which each letter counts.
    pieces = re.split(r'("(?:[^"\\]|\\.)*"|@[^~\s]+|\[At \S+)', text)
    typed = "".join(
        piece
        if index % 2
        else re.sub(r"[ \n]+", lambda _: random.choice(BLANKS), random.choice([piece, piece.lower()]))
        for index, piece in enumerate(pieces)
    )
    assert parse_notation(typed) == log
    assert print_notation(parse_notation(typed)) == text


def test_numbers_and_marks_can_be_left_out() -> None:
    log = play_random_game(Ruleset.from_json("classic"), 3, 5)
    text = print_notation(log)
    bare = re.sub(r"(?m)^\d+\. |#\d+ |^\[Winner.*\n", "", text)
    assert bare != text
    assert parse_notation(bare) == log
    assert parse_notation("\ufeff" + text) == parse_notation(b"\xef\xbb\xbf" + text.encode()) == log


def test_a_text_without_headers_is_the_rest_of_a_log() -> None:
    assert parse_notation("1:r7 0:+1 (nothing fits) 0:pass") == parse_log(
        '{"type": "cards_played", "seat": 1, "cards": ["R7"]}\n'
        '{"type": "cards_drawn", "seat": 0, "count": 1}\n'
        '{"type": "turn_passed", "seat": 0}\n'
    )


# Files to look at, each beside its JSON Lines.


@pytest.mark.parametrize("path", PRINTED, ids=lambda path: path.stem)
def test_a_readable_example_is_what_is_printed(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = path.with_suffix(".jsonl").read_text("utf-8")
    assert print_notation(parse_log(lines)) == text
    assert print_log(parse_notation(text)) == lines


@pytest.mark.parametrize("path", BY_HAND, ids=lambda path: path.stem)
def test_what_was_typed_by_hand_is_the_same_log(path: Path) -> None:
    lines = path.with_name(path.name.replace("-by-hand.txt", ".jsonl")).read_text("utf-8")
    assert print_log(parse_notation(path.read_bytes())) == lines


def test_the_examples_hold_every_event_and_both_hands() -> None:
    log = [event for path in PRINTED for event in parse_notation(path.read_text("utf-8"))]
    assert {event.__class__ for event in log} == set(EVENT_CLASSES)
    assert len(PRINTED) + len(BY_HAND) == len(list(FOLDER.glob("*.txt")))
    assert PRINTED
    assert BY_HAND


# What is refused.

HEAD = '[Rules palio]\n[Seat 0 "Ada"]\n[Seat 1 "Bea" "Alta"]\n'


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 1, "expected a log: at least one event, not the end of the text"),
        (" \n; nothing\n", 3, 1, "expected a log"),
        (b"2:R7\n2:\xffR", 2, 3, "isn't UTF-8"),
        ("2:R77", 1, 3, "expected a card, > and a colour, + and a number, or one of pass, uno, caught"),
        ("2:r77 ", 1, 3, "not 'r77'"),
        ("R7", 1, 1, "expected a seat's number and what it does, or one of cut, dealer, deal"),
        ("2 R7", 1, 2, "expected :, not a blank"),
        ("2:", 1, 3, "the end of the text"),
        ("02:R7", 1, 2, "expected :, not '2:R7'"),
        ("-2:R7", 1, 1, "expected a seat's number and what it does"),
        ("٢:R7", 1, 1, "expected a seat's number"),
        ("2:R7,", 1, 6, "expected a card such as R7"),
        ("2:R7,,R8", 1, 6, "expected a card such as R7"),
        ("2:W>", 1, 5, "expected a colour: R, Y, G or B"),
        ("2:W>RG", 1, 5, "expected a colour: R, Y, G or B, not 'RG'"),
        ("2:R7!?", 1, 6, "expected a space after what is complete, not '?'"),
        ("2:R7 3:passed", 1, 8, "not 'passed'"),
        ("2:R7\n\n 3:pass+1", 3, 8, "expected a space"),
        ("2:+", 1, 4, "expected how many cards are drawn"),
        ("2:+0", 1, 1, "`count` must be a whole number from 1"),
        ("2:+2=R1", 1, 1, "as many cards as `count` says"),
        ("2:+" + "9" * 5000, 1, 4, "expected how many cards are drawn"),
        ("2:caught=2", 1, 1, "`catcher` must be another seat"),
        ("2:challenge", 1, 12, "expected =, not the end of the text"),
        ("2:challenge=true", 1, 13, "expected one of upheld, failed, not 'true'"),
        ("2:penalty=late", 1, 11, "expected one of prompting, wrong_card"),
        ("2:penalty=prompting/R7", 1, 1, "prompting has none"),
        ("2:shows", 1, 8, "expected ="),
        ("2:shows=many", 1, 9, "expected the hand: its cards, - or its points"),
        ("cut", 1, 4, "expected /"),
        ("cut/0=R1/0=R2", 1, 4, "a seat stands twice"),
        ("cut/0=R1/", 1, 10, "expected a seat's number"),
        ("cut/0R1", 1, 6, "expected =, not 'R1'"),
        ("deal", 1, 5, "expected ="),
        ("deal=0/0=R1,/1=R2", 1, 13, "expected a card"),
        ("top=7R", 1, 5, "expected a card such as R7"),
        ("end=result/-", 1, 1, "a result names who won"),
        ("end=rain/0", 1, 5, "expected one of result, time, forfeit, abandoned"),
        ("end=time", 1, 9, "expected /"),
        ("end=time/x", 1, 10, "expected who won: a seat's number, a team in quotes, or -"),
        ("void=3", 1, 7, "expected /"),
        ("void=3/typo", 1, 8, "expected a text in straight quotes \"…\", on one line, not 'typo'"),
        ("void=3/“typo”", 1, 8, "straight quotes"),
        ('void=3/"typo', 1, 8, "straight quotes"),
        ('void=3/"ty\npo"', 1, 8, "straight quotes"),
        ('void=3/"ty\\po"', 1, 11, "an escape that JSON doesn't have"),
        ('void=3/"\\ud83d"', 1, 8, "half of a surrogate pair"),
        ('void=3/"\ud83d"', 1, 8, "half of a surrogate pair"),
        ("2:pass@14:05:07", 1, 8, "the first time is written in full"),
        ("2:pass@2026-09-19 14:05:07", 1, 8, "expected a time such as"),
        ("2:pass@2026-02-30T14:05:07Z", 1, 1, "`at` must be a time"),
        ("2:pass~", 1, 8, "expected who recorded it, in quotes"),
        ('2:pass~"Ugo"@2026-09-19T14:05:07Z', 1, 13, "expected a space"),
        ("(2:pass", 1, 1, "this remark has no end"),
        ("2:pass (a (b) c)", 1, 8, "holds no other parenthesis"),
        ("2:pass)", 1, 7, "expected a space"),
        ("2:pass {fine}", 1, 8, "expected a seat's number and what it does"),
        ("[Rule palio]", 1, 2, "expected the name of a header: one of rules, seat, kin"),
        ("[Rules palio", 1, 13, "expected ], not the end of the text"),
        ("[Rules]", 1, 7, "expected a preset's name"),
        ("[Rules poker]", 1, 1, "poker"),
        ("[Rules palio/speed=1]", 1, 1, "speed"),
        ("[Rules palio/target=high]", 1, 1, "target"),
        ("[Rules palio/target=" + "9" * 5000 + "]", 1, 21, "expected a whole number"),
        ("[Rules palio/target]", 1, 20, "expected ="),
        ("[Rules palio/target=3/target=4]", 1, 23, "target stands twice"),
        ('[Seat 0 "Ada"]', 1, 1, "the first header is [Rules …]"),
        ('[Rules palio]\n[Seat 1 "Ada"]', 2, 7, "expected 0, the next seat's number, not '1'"),
        ("[Rules palio]\n[Seat 0]", 2, 8, "expected a text in straight quotes"),
        ('[Rules palio]\n[Seat 0 "Ada" "Alta" "8"]', 2, 22, "expected ], not"),
        ("[Rules palio]\n[Kin 0-0]", 1, 1, "`kin` must be"),
        ("[Rules palio]\n[Kin 0]", 2, 7, "expected -"),
        ("[Rules palio]\n[By Ugo]", 2, 5, "in quotes"),
        ("[Rules palio]\n[By “Ugo”]", 2, 5, "in quotes"),
        ('[Rules palio]\n[By "Ugo"]\n[By "Ugo"]', 3, 1, "By stands twice"),
        (HEAD + "3. dealer=0", 4, 1, "expected 2., the next event's number, not '3.'"),
        (HEAD + "2. dealer=0\n3. #2 deal=0", 5, 4, "expected #1, the next deal's number, not '#2'"),
        (HEAD + "dealer=0 #1 top=R7", 4, 10, "after a deal's number the cards are dealt"),
        (HEAD + "dealer=0 #1 #1 deal=0", 4, 10, "after a deal's number the cards are dealt"),
        (HEAD + "dealer=0 #1", 4, 10, "after a deal's number the cards are dealt"),
        (HEAD + "[Winner 1]\ndealer=0", 4, 9, "the winner of this log is *, not 1"),
        (HEAD + "[Winner *]\nend=forfeit/0", 4, 9, "the winner of this log is 0, not *"),
        (HEAD + '[Winner -]\nend=result/"Alta"', 4, 9, 'the winner of this log is "Alta", not -'),
        (HEAD + "[Winner Ada]\nend=result/0", 4, 9, "expected who won"),
        (HEAD + "dealer=0\n[Rules palio]\n[Winner *]", 6, 9, "the winner stands in the first headers"),
    ],
)
def test_bad_text_is_refused_with_its_place(text: str | bytes, line: int, column: int, words: str) -> None:
    refusal = refusal_of_text(text)
    assert refusal is not None
    assert (refusal.code, refusal.line) == ("malformed", line)
    assert refusal.message.startswith(f"column {column}: ")
    assert words in refusal.message


def test_a_refused_event_is_named_by_its_type() -> None:
    refusal = refusal_of_text("2:+0")
    assert refusal is not None
    assert refusal.type == "cards_drawn"


def test_the_winner_of_a_log_that_the_rules_refuse_is_not_judged() -> None:
    """Replaying says more: which event, and why."""
    log = parse_notation(HEAD + "[Winner 0]\ndealer=0 deal=0 top=R7 1:G4")
    with pytest.raises(Refusal, match="no-match"):
        replay(log)
    assert "Winner" not in print_notation(log)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_log_or_a_refusal(data: bytes) -> None:
    refusal = refusal_of_text(data)
    assert refusal is None or (refusal.code, refusal.message[:7]) == ("malformed", "column ")


# Every word and mark that there is.
PIECES = st.sampled_from(sorted(set(re.findall(r"\w+|\W", (FOLDER / "every_event.txt").read_text("utf-8")))))


@given(st.lists(PIECES, max_size=12).map("".join))
@example("[Rules palio][Rules palio]")
def test_any_heap_of_marks_is_a_log_or_a_refusal(text: str) -> None:
    refusal = refusal_of_text(text)
    assert refusal is None or refusal.code == "malformed"
    if refusal is None:
        log = parse_notation(text)
        assert parse_notation(print_notation(log)) == log


def mutilated(text: str, data: st.DataObject, pieces: st.SearchStrategy[str]) -> str:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 6)))
        text = text[:start] + data.draw(pieces | st.just("")) + text[end:]
    return text


@examples(150)
@given(logs, st.data())
def test_a_mutilated_log_is_a_log_or_a_refusal(log: list[Event], data: st.DataObject) -> None:
    text = mutilated(print_notation(log), data, PIECES)
    refusal = refusal_of_text(text)
    if refusal is None:
        other = parse_notation(text)
        assert parse_notation(print_notation(other)) == other
    else:
        assert refusal.code == "malformed"
        assert 1 <= (refusal.line or 0) <= text.count("\n") + 1
