"""How a match stands: by itself, and among the others of the day."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from people.models import Event
from rendering.components.states import STATES
from tournaments.queries.match_state import (
    FORGOTTEN,
    PATIENCE,
    DayMatch,
    DayState,
    day_states,
    is_late,
    state_of,
)
from tournaments.settings.confirmation import Check

HOUR = datetime(2026, 9, 5, 14, tzinfo=UTC)
EVENT = Event(starts_on=date(2026, 9, 5), ends_on=date(2026, 9, 5), time_zone="Europe/Rome")
ONE, OTHER = uuid4(), uuid4()
ANNA, BRUNO, CARLA, DINO = (uuid4() for _ in range(4))


def at(table: UUID, *players: UUID, state: DayState = DayState.WAITING, begins: int = 0) -> DayMatch:
    """A match at a table, `begins` minutes after the first hour."""
    is_on = state in (DayState.PLAYING, DayState.CALLED)
    return DayMatch(table, state, is_on, frozenset(players), HOUR + timedelta(minutes=begins))


def states(*matches: DayMatch, now: datetime = HOUR) -> list[str]:
    return [state.value for state in day_states(matches, EVENT, now)]


def test_match_states_all_have_a_word_and_a_sign() -> None:
    assert [state for state in DayState if state.value not in STATES] == []


@pytest.mark.parametrize(
    ("check", "is_begun", "is_over", "is_called", "expected"),
    [
        (Check.NOTHING, False, False, False, "waiting"),
        (Check.NOTHING, False, False, True, "called"),
        (Check.NOTHING, True, False, True, "playing"),
        (Check.WAITING, True, False, False, "playing"),
        (Check.DISPUTED, True, False, False, "disputed"),
        (Check.WAITING, True, True, False, "submitted"),
        (Check.DISPUTED, True, True, False, "disputed"),
        (Check.CONFIRMED, True, True, False, "done"),
        (Check.NOTHING, True, True, True, "done"),
    ],
)
def test_match_state_by_result_beginning_end_and_call(
    check: Check, is_begun: bool, is_over: bool, is_called: bool, expected: str
) -> None:
    assert state_of(check, is_begun=is_begun, is_over=is_over, is_called=is_called) == expected


def test_next_match_is_the_first_that_waits_at_each_free_table() -> None:
    assert states(at(ONE, ANNA), at(OTHER, BRUNO), at(ONE, CARLA)) == ["next", "next", "waiting"]


def test_next_match_has_no_table_and_no_player_of_one_that_is_on() -> None:
    on = at(ONE, ANNA, BRUNO, state=DayState.CALLED)

    assert states(on, at(ONE, DINO), at(OTHER, BRUNO, CARLA)) == ["called", "waiting", "waiting"]


def test_match_that_is_over_frees_its_table_and_its_players() -> None:
    assert states(at(ONE, ANNA, state=DayState.DONE), at(ONE, ANNA)) == ["done", "next"]


def test_disputed_match_that_is_still_played_holds_its_table() -> None:
    played = DayMatch(ONE, DayState.DISPUTED, True, frozenset([ANNA]), HOUR)
    over = DayMatch(ONE, DayState.DISPUTED, False, frozenset([ANNA]), HOUR)

    assert (states(played, at(ONE, DINO)), states(over, at(ONE, DINO))) == (
        ["disputed", "waiting"],
        ["disputed", "next"],
    )


def test_next_match_is_the_first_of_two_that_need_the_same_player() -> None:
    assert states(at(ONE, ANNA), at(OTHER, ANNA)) == ["next", "waiting"]


def test_late_match_is_one_that_waits_after_its_hour_and_is_not_next() -> None:
    matches = (at(ONE, ANNA), at(ONE, BRUNO, begins=10), at(ONE, CARLA, begins=20))

    assert states(*matches, now=HOUR + timedelta(minutes=15)) == ["next", "late", "waiting"]


def test_late_match_is_late_only_on_the_event_s_days_and_hours_after() -> None:
    evening = HOUR.replace(hour=20)
    days = Event(starts_on=date(2026, 9, 5), ends_on=date(2026, 9, 7), time_zone="Europe/Rome")

    assert not is_late(EVENT, HOUR, HOUR + PATIENCE)
    assert is_late(EVENT, HOUR, HOUR + PATIENCE + timedelta(seconds=1))
    assert is_late(EVENT, evening, evening + FORGOTTEN - timedelta(seconds=1))
    assert not is_late(EVENT, evening, evening + FORGOTTEN)
    assert is_late(days, HOUR, HOUR + timedelta(days=2))
    assert not is_late(EVENT, None, HOUR)
