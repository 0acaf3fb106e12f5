"""What holds in every game under every rule set: one property each, on walks through what is legal."""

import json
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from games.engine import (
    FIELDS,
    PRESETS,
    Event,
    Log,
    Refusal,
    Ruleset,
    State,
    advance,
    audit,
    dump,
    legal,
    legal_events,
    load,
    parse_log,
    print_log,
    refusal_of,
    replay,
    replay_while_valid,
    summarize,
)
from games.engine.events import EVENT_CLASSES, CardsPlayed, EventVoided, HandShown
from games.engine.hiding import hide
from games.engine.legal import is_stuck
from games.engine.state import DRAW, PHASES, SHOW, START, TABLE_PHASES
from games.engine.transitions.closing import unshown
from tests.games.engine.kit.rulesets import VALUES, rulesets
from tests.games.engine.kit.universe import MOST_POINTS, universe
from tests.games.engine.kit.walks import LONGEST, Walk, Walker, pile_by_the_log, walks
from tests.support.run.long import examples

Property = Callable[[Walk], None]


def no_invariant_is_broken(walk: Walk) -> None:
    for number, (_, state) in enumerate(walk.states(), start=1):
        assert audit(state) == []
        assert state.events == number


def cards_are_conserved(walk: Walk) -> None:
    """Of a full log: the hands, the discards and what is left of the pack are the pack, card by card."""
    for state, pile in pile_by_the_log(walk) if walk.full else ():
        assert pile.total() == state.pile
        visible = Counter(state.discards)
        for cards in state.known:
            visible.update(cards)
        assert sum(state.unknown) == 0
        assert visible + pile == (Counter(state.limit) if state.deal else Counter())


def exactly_one_seat_is_to_act_in_play(walk: Walk) -> None:
    """In `color`, `play`, `after_draw`, `answer` and `draw`, and nobody in other phases: all others wait."""
    random = walk.random()
    for _, state in walk.states():
        if state.phase in TABLE_PHASES:
            assert state.turn in state.active()
            assert state.owed > 0 or state.phase != DRAW
            assert not is_stuck(state)
        else:
            assert (state.turn, state.owed) == (None, 0)
        # Asked of some states only: it takes long.
        if random.random() < 0.1:
            assert _able(state) == ({state.turn} if state.phase in TABLE_PHASES else set())


def _able(state: State) -> set[int | None]:
    """The seats that can act; where the discards have to be turned over first, that is for who then draws."""
    acts = ("cards_played", "cards_drawn", "turn_passed", "challenge_made", "color_named")
    options = {option.type: option for option in legal(state)}
    able: set[int | None] = {seat for type_ in acts if type_ in options for seat in options[type_].seats}
    return able | ({state.turn} if "pile_reshuffled" in options else set())


def every_prefix_replays_to_the_state_on_the_way(walk: Walk) -> None:
    for number, (_, state) in enumerate(walk.states(), start=1):
        assert dump(replay(walk.events, until=number)) == dump(state)


def a_log_written_and_read_gives_the_same_state(walk: Walk) -> None:
    text = print_log(walk.events)
    events = parse_log(text)
    assert tuple(events) == walk.events
    assert print_log(parse_log(text.encode())) == text
    assert dump(replay(events)) == dump(replay(walk.events))


def hiding_the_cards_changes_nothing_that_everybody_sees(walk: Walk) -> None:
    """With the hands shown that are then needed, and counted."""
    if not walk.full:
        return
    table, shown = State(), 0
    for event, full in walk.states():
        advance(table, hide(event))
        while table.phase == SHOW and full.phase != SHOW:
            seat = unshown(table)[0]
            advance(table, HandShown(seat, tuple(full.known[seat])))
            shown += 1
        assert summarize(table) == {**summarize(full), "events": full.events + shown}


def voiding_the_last_event_equals_never_having_had_it(walk: Walk) -> None:
    length = walk.random().randint(2, len(walk.events))
    log = Log()
    for event in walk.events[:length]:
        log.add(event)
    log.add(EventVoided(length, "mistake"))
    without = dump(replay(walk.events, until=length - 1))
    assert dump(log.state) == {**without, "events": length + 1}
    # And the game goes on from there as it did, with all lines counted.
    for event in walk.events[length - 1 :]:
        log.add(event)
    assert dump(log.state) == {**dump(replay(walk.events)), "events": len(walk.events) + 2}
    assert dump(replay(log.events)) == dump(log.state)


def any_corrections_leave_a_log_that_replays_to_its_state(walk: Walk) -> None:
    """Corrections anywhere, most of them refused: a refused one changes nothing, the rest replay."""
    random = walk.random()
    log = Log()
    for event in walk.events[:40]:
        log.add(event)
    for _ in range(8):
        before = dump(log.state)
        code = _code_of(log, EventVoided(random.randint(1, len(log.events) + 1), "perhaps"))
        assert code in (None, "void")
        assert (code == "void") == (dump(log.state) == before)
        assert audit(log.state) == []
    assert dump(replay(log.events)) == dump(log.state)
    assert log.effective() == Log.of(log.events, log.state).effective()


def _code_of(log: Log, event: Event) -> str | None:
    try:
        log.add(event)
    except Refusal as refusal:
        return refusal.code
    return None


def a_stored_state_goes_on_like_the_game_itself(walk: Walk) -> None:
    stored = dump(State())
    for event, state in walk.states():
        continued = load(json.loads(json.dumps(stored)))
        advance(continued, event)
        stored = dump(continued)
        assert stored == dump(state)
        assert (continued.seen, continued.limit) == (state.seen, state.limit)


def a_refused_event_changes_nothing(walk: Walk) -> None:
    """Whatever is asked, also what came before or after in this game: refused without a trace, or legal."""
    random = walk.random()
    state = replay(walk.events, until=random.randint(1, len(walk.events)))
    before = dump(state)
    asked = [*universe(state), *walk.events]
    refused = [(event, refusal) for event in asked if (refusal := refusal_of(state, event)) is not None]
    assert dump(state) == before
    for event, refusal in random.sample(refused, min(60, len(refused))):
        with pytest.raises(Refusal) as caught:
            advance(state, event)
        assert caught.value.to_json() == refusal.to_json()
        assert (refusal.line, refusal.type) == (state.events + 1, event.type)
        assert dump(state) == before


def what_is_offered_is_accepted_and_nothing_else(walk: Walk) -> None:
    random = walk.random()
    for number in sorted(random.sample(range(1, len(walk.events) + 1), min(3, len(walk.events)))):
        state = replay(walk.events, until=number)
        offered = legal_events(state)
        assert len(offered) == len(set(offered))
        for event in offered:
            assert refusal_of(state, event) is None
        accepted = {event for event in universe(state) if refusal_of(state, event) is None}
        assert {event for event in offered if not _beyond(event)} == accepted


def _beyond(event: Event) -> bool:
    return isinstance(event, HandShown) and event.points is not None and event.points >= MOST_POINTS


def options_say_what_events_are_offered(walk: Walk) -> None:
    state = replay(walk.events, until=walk.random().randint(1, len(walk.events)))
    options = {option.type: option for option in legal(state)}
    assert len(options) == len(legal(state))
    assert {event.type for event in legal_events(state)} == options.keys() - {"dealer_cut"}
    for event in legal_events(state):
        option = options[event.type]
        if isinstance(event, CardsPlayed):
            assert event.cards[0] in option.cards
            assert (event.color is not None) == (event.cards[0] in option.needs_color)
            assert event.uno is None or option.uno
        json.dumps(option.to_json())


def a_broken_log_is_read_to_its_first_refusal(walk: Walk) -> None:
    random = walk.random()
    number = random.randrange(1, len(walk.events))
    state = replay(walk.events, until=number)
    refused = [event for event in universe(state) if refusal_of(state, event) is not None]
    wrong = random.choice(refused)
    found, accepted, refusal = replay_while_valid((*walk.events[:number], wrong, *walk.events[number:]))
    assert (accepted, dump(found)) == (number, dump(state))
    assert refusal is not None
    assert (refusal.line, refusal.type) == (number + 1, wrong.type)


PROPERTIES: list[Property] = [
    no_invariant_is_broken,
    cards_are_conserved,
    exactly_one_seat_is_to_act_in_play,
    every_prefix_replays_to_the_state_on_the_way,
    a_log_written_and_read_gives_the_same_state,
    hiding_the_cards_changes_nothing_that_everybody_sees,
    voiding_the_last_event_equals_never_having_had_it,
    any_corrections_leave_a_log_that_replays_to_its_state,
    a_stored_state_goes_on_like_the_game_itself,
    a_refused_event_changes_nothing,
    what_is_offered_is_accepted_and_nothing_else,
    options_say_what_events_are_offered,
    a_broken_log_is_read_to_its_first_refusal,
]
ONLY_FULL = (cards_are_conserved, hiding_the_cards_changes_nothing_that_everybody_sees)


def walks_for(holds: Property) -> st.SearchStrategy[Walk]:
    return walks(full=True if holds in ONLY_FULL else None)


@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda holds: holds.__name__)
@examples(20)
@given(data=st.data())
def test_engine_property_holds_on_every_walk(holds: Property, data: st.DataObject) -> None:
    holds(data.draw(walks_for(holds)))


@pytest.mark.long
@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda holds: holds.__name__)
@settings(max_examples=500)
@given(data=st.data())
def test_engine_property_holds_in_many_games(holds: Property, data: st.DataObject) -> None:
    holds(data.draw(walks_for(holds)))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("full", [True, False], ids=["full", "table"])
def test_engine_properties_hold_under_every_preset(preset: str, full: bool) -> None:
    for seats in (2, 5):
        walker = Walker(Ruleset.from_json(preset), seats, seats, full=full)
        walker.walk(LONGEST)
        for holds in PROPERTIES:
            holds(Walk(tuple(walker.events), full, seats))


# That the kit reaches what it is for


def sampled(strategy: st.SearchStrategy[Walk | Ruleset], count: int) -> list[Walk | Ruleset]:
    """The same examples of a strategy each time."""
    found: list[Walk | Ruleset] = []

    @settings(max_examples=count, derandomize=True, database=None, phases=[Phase.generate])
    @given(strategy)
    def collect(example: Walk | Ruleset) -> None:
        found.append(example)

    collect()
    return found


def test_rule_sets_vary_in_every_field_and_take_every_choice() -> None:
    assert set(VALUES) == {field.name for field in FIELDS}
    examples = [each.values() for each in sampled(rulesets(), 200) if isinstance(each, Ruleset)]
    for field in FIELDS:
        values = {example[field.name] for example in examples}
        if field.kind == "int":
            assert len(values) > 1
        else:
            assert values == ({True, False} if field.kind == "bool" else set(field.choices))


@pytest.mark.long
def test_walks_meet_every_phase_and_type_of_event_with_real_and_with_hidden_cards() -> None:
    phases: dict[bool, set[str]] = {True: set(), False: set()}
    types: dict[bool, set[str]] = {True: set(), False: set()}
    for walk in sampled(walks(), 600):
        assert isinstance(walk, Walk)
        for event, state in walk.states():
            phases[walk.full].add(state.phase)
            types[walk.full].add(event.type)
    everything = {cls.type for cls in EVENT_CLASSES} - {"event_voided"}

    assert phases == {True: set(PHASES) - {START, SHOW}, False: set(PHASES) - {START}}
    assert types == {True: everything - {"hand_shown"}, False: everything}
