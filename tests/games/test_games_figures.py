"""Points and penalty cards of a game: from its log, to the card."""

import json
from collections import Counter
from typing import Any
from uuid import UUID

from hypothesis import given

from games.engine import Event, Log, Seat, State, advance, parse_event, replay
from games.engine.events import (
    ChallengeMade,
    EventVoided,
    GameClosed,
    GameOpened,
    PenaltyGiven,
    PileReshuffled,
    UnoCaught,
)
from games.outcome import Figures, Outcome, penalty_cards
from tests.games.engine.kit.walks import Walk, walks
from tests.support.run.long import examples

ONE, OTHER = (UUID(int=number) for number in (1, 2))


def log(ruleset: object, teams: tuple[UUID, ...], *events: dict[str, Any]) -> list[Event]:
    seats = [{"name": str(place), "team": str(team)} for place, team in enumerate(teams)]
    opened = {"type": "game_opened", "ruleset": ruleset, "seats": seats}
    return [parse_event(event) for event in (opened, *events)]


def figures(events: list[Event]) -> Figures | None:
    return Outcome.of_log(events, replay(events)).figures


def closed(reason: str = "result", **fields: Any) -> dict[str, Any]:
    return {"type": "game_closed", "reason": reason, "winner": 0, **fields}


def drawn(seat: int, count: int) -> dict[str, Any]:
    return {"type": "cards_drawn", "seat": seat, "count": count}


def played(seat: int, card: str, color: str | None = None) -> dict[str, Any]:
    return {"type": "cards_played", "seat": seat, "cards": [card], **({"color": color} if color else {})}


BEGUN = (
    {"type": "dealer_named", "seat": 0},
    {"type": "deal_started", "dealer": 0},
    {"type": "card_turned", "card": "R5"},
)
PROMPTED = {"type": "penalty_given", "seat": 0, "reason": "prompting"}
BELL = closed("time", winner=None)


# Penalty cards


def test_penalty_cards_for_prompting_count_once_they_are_drawn() -> None:
    rules = {"preset": "classic", "prompting_penalty": 2}
    owing = log(rules, (ONE, OTHER), *BEGUN, PROMPTED)
    assert penalty_cards(owing) == (0, 0)
    assert penalty_cards([*owing, parse_event(drawn(0, 2))]) == (2, 0)


def test_penalty_cards_leave_out_a_free_draw_and_a_draw_card() -> None:
    events = log("classic", (ONE, OTHER), *BEGUN, drawn(1, 1), played(1, "R+2"), drawn(0, 2))
    assert penalty_cards(events) == (0, 0)


def test_penalty_cards_of_a_failed_challenge_are_those_beyond_the_card_s_own() -> None:
    four = (*BEGUN, played(1, "W+4", "R"))
    fails = {"type": "challenge_made", "seat": 0, "upheld": False}
    assert penalty_cards(log("classic", (ONE, OTHER), *four, fails, drawn(0, 6))) == (2, 0)
    assert penalty_cards(log("classic", (ONE, OTHER), *four, drawn(0, 4))) == (0, 0)


def test_penalty_cards_of_an_offender_are_all_that_it_draws() -> None:
    four = (*BEGUN, played(1, "W+4", "R"), {"type": "challenge_made", "seat": 0, "upheld": True})
    assert penalty_cards(log("classic", (ONE, OTHER), *four, drawn(1, 4))) == (0, 4)


def imposed_by(events: tuple[Event, ...]) -> Counter[int]:
    """What each seat was told to draw for something done wrong."""
    state, imposed = State(), Counter[int]()
    for event in events:
        rules = state.ruleset
        if isinstance(event, UnoCaught):
            imposed[event.seat] += rules.uno_penalty
        elif isinstance(event, PenaltyGiven):
            wrong = event.reason == "wrong_card"
            imposed[event.seat] += rules.wrong_card_penalty if wrong else rules.prompting_penalty
        elif isinstance(event, ChallengeMade) and state.hit is not None:
            if event.upheld:
                imposed[state.hit.offender] += state.hit.total
            else:
                imposed[event.seat] += rules.challenge_failed_cards - 4
        advance(state, event)
    return imposed


@given(walks())
@examples(150)
def test_penalty_cards_imposed_are_drawn_where_nothing_comes_between(walk: Walk) -> None:
    state = replay(walk.events)
    counted, imposed = penalty_cards(walk.events), imposed_by(walk.events)
    assert all(0 <= count <= imposed[seat] for seat, count in enumerate(counted))
    short = any(isinstance(event, PileReshuffled | GameClosed) for event in walk.events)
    if not short and not state.debts and state.pile > 0:
        assert counted == tuple(imposed[seat] for seat in range(len(state.seats)))


@given(walks())
@examples(60)
def test_figures_of_a_corrected_log_are_those_of_what_is_left(walk: Walk) -> None:
    """Closed, taken back to the line before, closed again: as if the first had never been."""
    opening = walk.events[0]
    assert isinstance(opening, GameOpened)
    teams = tuple(Seat(seat.name, str(UUID(int=place))) for place, seat in enumerate(opening.seats))
    opened = GameOpened(opening.ruleset, teams, opening.kin)
    events = [opened, *walk.events[1:]]
    if replay(events).over:
        events.pop()
    plain = [*events, GameClosed("time", None)]
    twice = Log()
    for event in (*plain, EventVoided(len(plain), "wrong-winner"), GameClosed("time", None)):
        twice.add(event)
    assert figures(list(twice.events)) == figures(plain)


# Points


def test_figures_of_a_result_need_the_points_of_everybody() -> None:
    said = figures(log("classic", (ONE, OTHER), closed(scores={"0": 512, "1": 0})))
    assert said == Figures((ONE, OTHER), "winner_takes", (512, 0), None)
    assert figures(log("classic", (ONE, OTHER), closed())) is None
    assert figures(log("classic", (ONE, OTHER), closed(scores={"0": 512}))) is None


def test_figures_have_no_points_under_rules_without_points() -> None:
    assert figures(log("palio", (ONE, OTHER), closed(scores={"0": 20, "1": 0}))) is None


def test_figures_of_a_game_that_goes_on_are_none() -> None:
    events = log("classic", (ONE, OTHER), *BEGUN)
    assert Outcome.of_log(events, replay(events)) == Outcome()


def test_figures_of_a_log_up_to_the_bell_are_complete() -> None:
    events = log("classic", (ONE, OTHER), *BEGUN, BELL)
    assert figures(events) == Figures((ONE, OTHER), "winner_takes", (0, 0), (0, 0))


def test_figures_of_a_result_in_the_middle_of_a_log_have_no_penalties() -> None:
    assert figures(log("classic", (ONE, OTHER), *BEGUN, closed())) is None
    said = figures(log("classic", (ONE, OTHER), *BEGUN, closed(scores={"0": 7, "1": 3})))
    assert said == Figures((ONE, OTHER), "winner_takes", (7, 3), None)


def test_figures_of_a_team_are_those_of_its_seats_together() -> None:
    held = Figures((ONE, OTHER, ONE, OTHER), "winner_takes", (10, 20, 30, 0), (1, 0, 2, 0))
    assert held.card_points_of((ONE, OTHER)) == (40, 20)
    assert held.penalties_of((OTHER, ONE)) == (0, 3)


def test_figures_give_a_team_the_others_cards_where_all_score_what_they_hold() -> None:
    third = UUID(int=3)
    held = Figures((ONE, OTHER, third), "lowest_wins", (0, 10, 30), None)

    assert held.card_points_of((ONE, OTHER, third)) == (40, 30, 10)
    assert held.penalties_of((ONE, OTHER, third)) is None


def test_figures_are_kept_as_json() -> None:
    for each in (
        Figures((ONE, OTHER), "elimination", (1, 2), None),
        Figures((ONE,), "first_out", None, (3,)),
    ):
        stored = json.loads(json.dumps(each.to_json()))
        assert Figures.from_json(stored) == each


# Places


def test_places_that_were_entered_rank_the_seats_whatever_their_points() -> None:
    seats = (ONE, OTHER, OTHER)
    places = {"0": 3, "1": 1, "2": 1}
    scores = {"0": 500, "1": 20, "2": 10}

    found = figures(log("classic", seats, closed(winner=None, places=places, scores=scores)))

    assert found is not None
    assert (found.places, found.ranking) == ((3, 1, 1), (3, 1, 1))
    assert Figures.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_places_alone_are_figures() -> None:
    found = figures(log("palio", (ONE, OTHER), closed(places={"0": 1, "1": 2})))

    assert found is not None
    assert (found.points, found.ranking) == (None, (1, 2))


def test_points_rank_the_seats_in_the_direction_of_the_rules_without_places() -> None:
    seats = (ONE, OTHER, OTHER)
    scores = {"0": 40, "1": 120, "2": 40}
    lowest = {"preset": "classic", "scoring": "lowest_wins"}

    ranked = [
        Outcome.of_log(events, replay(events)).places
        for events in (
            log("classic", seats, closed(winner=1, scores=scores)),
            log(lowest, seats, closed(winner=0, scores=scores)),
        )
    ]

    assert ranked == [(2, 1, 2), (1, 3, 1)]


def test_cards_left_rank_the_seats_where_no_points_count() -> None:
    found = figures(log("palio", (ONE, OTHER), *BEGUN, drawn(1, 1), BELL))

    assert found is not None
    assert (found.points, found.cards, found.ranking) == (None, (7, 8), (1, 2))
    assert Figures.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_cards_left_play_no_part_beside_points_or_places() -> None:
    points = figures(log("classic", (ONE, OTHER), *BEGUN, drawn(1, 1), BELL))
    places = figures(log("palio", (ONE, OTHER), *BEGUN, closed("time", winner=1, places={"0": 2, "1": 1})))

    assert points is not None
    assert places is not None
    assert (points.cards, points.ranking) == (None, (1, 1))
    assert (places.cards, places.ranking) == (None, (2, 1))


def test_seats_are_not_ranked_without_places_or_points() -> None:
    events = log("classic", (ONE, OTHER), closed())

    assert Outcome.of_log(events, replay(events)).places is None


def test_figures_without_places_are_kept_as_before() -> None:
    found = figures(log("classic", (ONE, OTHER), closed(scores={"0": 500, "1": 0})))

    assert found is not None
    assert found.to_json().keys() == {"teams", "scoring", "points", "penalties"}
