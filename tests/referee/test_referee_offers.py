"""What is offered is what can happen: whatever bots do can be tapped, under every preset."""

from typing import Any

import pytest
from django.utils import translation

from games.engine import (
    PRESETS,
    Event,
    Ruleset,
    State,
    advance,
    dump,
    load,
    parse_event,
    play_random_game,
)
from games.engine.events import (
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    DealerCut,
    GameClosed,
    GameOpened,
    HandShown,
    PenaltyGiven,
    TurnPassed,
    UnoCaught,
)
from people.models import Team
from referee.offers import offer
from referee.sentences import People, entry_text, next_step_heading
from tests.referee.taps import events_of, kind, steps, way_to

PLAYERS = 3
KIN = ((0, 1),)
PEOPLE = People(tuple(f"Seat {seat}" for seat in range(PLAYERS)), {})
TEAMS = [Team(name=f"Team {seat}", short_name=f"T{seat}") for seat in range(PLAYERS)]
RULES: dict[str, Any] = {
    **{name: name for name in PRESETS},
    "house with all variations": {
        "preset": "house",
        "zero_gift": True,
        "burn": True,
        "wild_four_on_draw_two": True,
        "draw_two_on_wild_four": True,
        "wild_four_on_wild_four": True,
        "stack_on_last_card": True,
    },
}


def can_be_tapped(state: State, event: Event) -> bool:
    """Whether an event is behind some taps, or is what a form of this step puts together."""
    if isinstance(event, HandShown):
        return event.seat in offer(state, PEOPLE, TEAMS, {}).hands
    return way_to(state, event) is not None


@pytest.mark.parametrize("rules", RULES)
def test_every_event_of_a_game_by_bots_can_be_tapped(rules: str) -> None:
    ruleset = Ruleset.from_json(RULES[rules])
    log = play_random_game(ruleset, PLAYERS, 8, table=True, kin=KIN, longest=90)
    state = State()
    lost = []
    for event in log:
        if not isinstance(event, (GameOpened, GameClosed)) and not can_be_tapped(state, event):
            lost.append(event)
        advance(state, event)

    assert lost == []


@pytest.mark.parametrize("rules", ["palio", "house"])
def test_every_event_takes_no_more_taps_than_there_are_things_to_see(rules: str) -> None:
    state = State()
    for event in play_random_game(Ruleset.from_json(rules), PLAYERS, 3, table=True, longest=150):
        if not isinstance(event, (GameOpened, GameClosed, HandShown)):
            way = way_to(state, event)
            assert way is not None
            assert (kind(state, event), len(way) + 1) <= (kind(state, event), things_to_see(state, event))
        advance(state, event)


def things_to_see(state: State, event: Event) -> int:
    """What a referee has to look at to know an event."""
    match event:
        case CardsPlayed(seat=seat, cards=cards, color=color):
            together = len(cards) > 1
            is_last_but_one = state.held(seat) == len(cards) + 1
            return len(cards) + together + (color is not None) + (is_last_but_one and not together)
        case DealerCut(cards=cut):
            return 1 + 2 * len(cut)
        case CardTurned() | UnoCaught() | PenaltyGiven():
            return 2
    return 1


@pytest.mark.parametrize("rules", RULES)
def test_every_offered_tap_is_legal(rules: str) -> None:
    ruleset = Ruleset.from_json(RULES[rules])
    state = State()
    for number, event in enumerate(play_random_game(ruleset, PLAYERS, 4, table=True, kin=KIN, longest=60)):
        advance(state, event)
        if number % 6:
            continue
        for _way, step in steps(state, 2):
            for offered in events_of(step):
                copy = _copy(state)
                advance(copy, parse_event(offered))


def _copy(state: State) -> State:
    return load(dump(state))


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_next_step_and_every_entry_has_words(language: str) -> None:
    state = State()
    told = set()
    with translation.override(language):
        for event in play_random_game(Ruleset.from_json("house"), PLAYERS, 274, table=True):
            advance(state, event)
            told |= {next_step_heading(state, PEOPLE), entry_text(event, PEOPLE)}
    assert all(told)


@pytest.mark.parametrize(
    "query",
    [
        {"color": ["X"]},
        {"card": ["R99"]},
        {"card": ["R7", "G7", "nonsense"]},
        {"card": ["R7"], "several": ["1"]},
        {"uno": ["1"]},
        {"do": ["caught"]},
        {"do": ["x"]},
        {"do": ["cut"]},
        {"seat": ["99"]},
    ],
)
def test_cards_page_address_that_makes_no_sense_is_the_first_step(query: dict[str, list[str]]) -> None:
    state = State()
    for event in play_random_game(Ruleset.from_json("palio"), PLAYERS, 1, table=True)[:2]:
        advance(state, event)
    assert offer(state, PEOPLE, TEAMS, query).groups == offer(state, PEOPLE, TEAMS, {}).groups


def replayed(rules: object, *events: dict[str, Any]) -> State:
    """A table of three after the deal, seat 1 to begin on a red 7, and these events."""
    state = State()
    seats = [{"name": name} for name in PEOPLE.names]
    opening: tuple[dict[str, Any], ...] = (
        {"type": "game_opened", "ruleset": rules, "seats": seats},
        {"type": "dealer_named", "seat": 0},
        {"type": "deal_started", "dealer": 0},
        {"type": "card_turned", "card": "R7"},
    )
    for event in (*opening, *events):
        advance(state, parse_event(event))
    return state


FOURS = (
    {"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "G"},
    {"type": "cards_played", "seat": 2, "cards": ["W+4"], "color": "Y"},
    {"type": "challenge_made", "seat": 0, "upheld": True},
    {"type": "cards_drawn", "seat": 2, "count": 8},
)


def test_stacked_wild_four_color_decides_who_may_draw_after_a_challenge() -> None:
    rules = {"preset": "guide", "wild_four_on_wild_four": True}
    draw = CardsDrawn(2, 1)
    card = CardsPlayed(2, ("G4",))

    free, bound = (
        replayed({**rules, "stacked_wild_four_color": color}, *FOURS) for color in ("before_first", "named")
    )

    assert (way_to(free, draw), way_to(bound, draw)) == ((), None)
    assert way_to(free, card) is not None
    assert way_to(bound, card) is not None


def test_draw_debt_is_asked_for_whole_and_tapped_as_far_as_cards_are_left() -> None:
    rules = {"preset": "guide", "decks": 1, "hand_size": 35}
    state = replayed(rules, {"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "G"})

    with translation.override("en"):
        heading = next_step_heading(state, PEOPLE)

    assert state.pile == 2
    assert heading == "Seat 2 answers, or draws 4 cards"
    assert way_to(state, CardsDrawn(2, 2)) == ()


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "Seat 2 answers or passes: there is nothing to draw"),
        ("it", "Seat 2 risponde o passa: non c’è niente da pescare"),
    ],
)
def test_seat_hit_with_nothing_to_draw_is_asked_to_answer_or_pass(language: str, heading: str) -> None:
    state = replayed(
        {"preset": "guide", "decks": 1, "hand_size": 35},
        {"type": "cards_drawn", "seat": 1, "count": 1},
        {"type": "turn_passed", "seat": 1},
        {"type": "cards_drawn", "seat": 2, "count": 1},
        {"type": "turn_passed", "seat": 2},
        {"type": "turn_passed", "seat": 0},
        {"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "G"},
    )

    with translation.override(language):
        assert next_step_heading(state, PEOPLE) == heading

    assert way_to(state, TurnPassed(2)) == ()
