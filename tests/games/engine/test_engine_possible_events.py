"""Which events and fields a rule set has: all that its games can hold, and nothing that they can't."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    PRESETS,
    Refusal,
    Ruleset,
    State,
    advance,
    event_to_json,
    parse_event,
    play_random_game,
    refusal_of,
)
from games.engine.bots import STYLES
from games.engine.events import CardsPlayed, PenaltyGiven
from games.engine.possible_events import ALL, EventField, Vocabulary, draw_counts, vocabulary
from tests.games.engine.kit.rulesets import rulesets, seats_for
from tests.games.engine.kit.universe import universe

SAMPLES: dict[str, Any] = {
    "seat": 1,
    "card": "R7",
    "cards": ["R7", "W+4"],
    "color": "G",
    "flag": True,
    "count": 2,
    "points": 20,
    "text": "words",
    "time": "2026-09-19T14:05:00+02:00",
    "card_by_seat": {"0": "R7"},
    "cards_by_seat": {"0": ["R7"]},
    "points_by_seat": {"0": 20},
    "place_by_seat": {"1": 1, "0": 2},
    "line": 3,
    "ruleset": "palio",
    "people": [{"name": "Ada"}, {"name": "Bea"}],
    "kin": [[0, 1]],
}
NOT: dict[str, Any] = dict.fromkeys(SAMPLES, "nothing") | {"text": 5}


def sample(field: EventField) -> Any:
    return field.choices[0] if field.kind == "choice" else SAMPLES[field.kind]


def readable(obj: dict[str, Any]) -> bool:
    try:
        parse_event(obj)
    except Refusal:
        return False
    return True


def whole(type_: str, names: set[str]) -> dict[str, Any]:
    """An event with these fields that agree with each other."""
    found = {"type": type_} | {field.name: sample(field) for field in ALL[type_] if field.name in names}
    match type_:
        case "uno_caught" if "catcher" in found:
            found["catcher"] = 2
        case "penalty_given" if "card" in found:
            found["reason"] = "wrong_card"
        case "game_closed" if "team" in found:
            found["winner"] = None
    return found


@pytest.mark.parametrize("type_", ALL)
def test_vocabulary_declares_each_field_as_it_is_read(type_: str) -> None:
    needed = {field.name for field in ALL[type_] if field.is_needed}
    # A hand is shown as cards or as points.
    some = {"cards"} if type_ == "hand_shown" else set()
    assert readable(whole(type_, needed | some))
    for field in ALL[type_]:
        others = {"at"} if field.name in some else some - ({"cards"} if field.name == "points" else set())
        names = needed | others | {field.name}
        assert readable(whole(type_, names)), field
        wrong = whole(type_, names) | {field.name: NOT.get(field.kind, "nothing")}
        assert not readable(wrong), field
        if field.is_needed:
            assert not readable(whole(type_, names - {field.name})), field
    assert not readable(whole(type_, needed | some) | {"more": 1})


def test_vocabulary_has_the_types_of_the_log() -> None:
    with pytest.raises(Refusal, match=", ".join(ALL)):
        parse_event({"type": "nothing"})


@given(st.data())
def test_vocabulary_of_a_rule_set_covers_all_that_its_games_hold(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    seats = data.draw(seats_for(ruleset))
    log = play_random_game(
        ruleset,
        seats,
        data.draw(st.integers(0, 10_000)),
        table=data.draw(st.booleans()),
        style=data.draw(st.sampled_from(sorted(STYLES))),
        longest=300,
        kin=((0, 1),),
    )
    has = vocabulary(ruleset, has_kin=True)
    for event in log:
        fields = {field.name: field for field in has[event.type]}
        for name, value in event_to_json(event).items():
            if name == "type":
                continue
            field = fields[name]
            assert field.kind != "choice" or value in field.choices
            assert field.most is None or len(value) <= field.most


@given(st.data())
def test_vocabulary_leaves_out_only_what_is_refused_throughout(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    kin = data.draw(st.sampled_from([None, ((0, 1),)]))
    seed = data.draw(st.integers(0, 10_000))
    log = play_random_game(ruleset, ruleset.min_players, seed, style="random", longest=60, kin=kin)
    has = vocabulary(ruleset, has_kin=kin is not None)
    state = State()
    for number, event in enumerate(log):
        advance(state, event)
        if number % 7:
            continue
        for other in lacking(state, has):
            assert refusal_of(state, other) is not None, other


def lacking(state: State, has: Vocabulary) -> list[Any]:
    """Events of types, and with values, that a vocabulary leaves out."""
    events = [event for event in universe(state) if event.type not in has]
    if "penalty_given" in has:
        (reasons,) = [field.choices for field in has["penalty_given"] if field.name == "reason"]
        penalties = (
            PenaltyGiven(seat, reason) for seat in range(2) for reason in ("prompting", "wrong_card")
        )
        events += [event for event in penalties if event.reason not in reasons]
    if any(field.most == 1 for field in has["cards_played"]):
        cards = (("R5", "G5"), ("R5", "R5"), ("R5", "G5", "B5"))
        events += [CardsPlayed(seat, several) for seat in range(2) for several in cards]
    return events


def words(preset: str) -> set[str]:
    """What a preset has, where presets differ: "uno_called", "cards_played.cards=1"."""
    found = set()
    for type_, fields in vocabulary(Ruleset.from_json(preset)).items():
        found.add(type_)
        for field in fields:
            found |= {f"{type_}.{field.name}={choice}" for choice in field.choices}
            found |= {f"{type_}.{field.name}"} | ({f"{type_}.{field.name}=1"} if field.most == 1 else set())
    return found


def every(type_: str) -> set[str]:
    """A type with all its fields."""
    return {type_, *(f"{type_}.{field.name}" for field in ALL[type_])}


def test_vocabulary_of_each_preset_lacks_only_what_is_listed() -> None:
    everything = set().union(*map(every, ALL))
    assert {preset: everything - words(preset) for preset in PRESETS} == {
        "palio": every("zero_gift") | every("uno_called") | every("hand_shown") | {"penalty_given.card"},
        "classic": every("zero_gift") | every("penalty_given"),
        "to_go": every("zero_gift") | every("penalty_given"),
        "guide": every("zero_gift") | every("uno_called"),
        "house": every("zero_gift"),
    }
    one = {preset for preset in PRESETS if "cards_played.cards=1" in words(preset)}
    assert one == {"palio", "classic", "to_go", "guide"}
    wrong_card = {preset for preset in PRESETS if "penalty_given.reason=wrong_card" in words(preset)}
    assert wrong_card == {"guide", "house"}


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        ({"preset": "palio"}, [1, 2, 4, 6]),
        ({"preset": "classic", "challenge": False}, [1, 2, 4]),
        ({"preset": "house"}, [1, 2, 4, 6, 7, 8]),
        ({"preset": "classic", "challenge": False, "draw_two_on_wild_four": True}, [1, 2, 4, 6]),
        ({"preset": "classic", "wild_four_on_wild_four": True}, [1, 2, 4, 6, 8, 10, 12, 14, 16, 18]),
        ({"preset": "classic", "wild_four_on_draw_two": True}, [1, 2, 4, 6, 8]),
        (
            {"preset": "classic", "draw_two_on_wild_four": True, "wild_four_on_draw_two": True},
            [1, 2, 4, 6, 8, 10, 12, 14],
        ),
    ],
    ids=str,
)
def test_vocabulary_s_draw_counts_follow_from_what_answers_what(
    rules: dict[str, object], counts: list[int]
) -> None:
    assert draw_counts(Ruleset.from_json(rules)) == counts
