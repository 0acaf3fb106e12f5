"""The arithmetic of the clock: nothing of time is lost or made, whatever is pressed in whatever order."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.countdown import (
    MAX_SECONDS,
    Countdown,
    Phase,
    WrongLengthError,
    WrongPhaseError,
)

START = datetime(2026, 9, 5, 14, 0, tzinfo=UTC)
STOPPED = Countdown(600)
lengths = st.integers(1, MAX_SECONDS)
waits = st.timedeltas(timedelta(0), timedelta(hours=2))


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def left(clock: Countdown, seconds: float) -> float:
    return clock.remaining(after(seconds)).total_seconds()


def test_clock_counts_down_and_rings_by_itself() -> None:
    clock = STOPPED.start(START, 300)
    assert [(clock.phase(after(at)), left(clock, at)) for at in (0, 0.5, 299.5, 300, 999)] == [
        (Phase.RUNNING, 300),
        (Phase.RUNNING, 299.5),
        (Phase.RUNNING, 0.5),
        (Phase.RUNG, 0),
        (Phase.RUNG, 0),
    ]
    assert {clock.bell_at(after(at)) for at in (0, 299, 300, 999)} == {after(300)}


def test_clock_that_is_stopped_shows_its_length() -> None:
    assert (STOPPED.phase(START), left(STOPPED, 0), STOPPED.bell_at(START)) == (Phase.STOPPED, 600, None)


def test_clock_pause_moves_the_bell_by_as_much() -> None:
    clock = STOPPED.start(START, 300).pause(after(100))
    assert (clock.phase(after(5000)), left(clock, 5000), clock.bell_at(after(5000))) == (
        Phase.PAUSED,
        200,
        None,
    )
    clock = clock.resume(after(150))
    assert (clock.bell_at(after(150)), left(clock, 150)) == (after(350), 200)


def test_clock_rung_by_hand_has_rung_then() -> None:
    for clock in (STOPPED.start(START, 300), STOPPED.start(START, 300).pause(after(20))):
        rung = clock.ring(after(50))
        assert (rung.phase(after(50)), left(rung, 50), rung.bell_at(after(500))) == (Phase.RUNG, 0, after(50))


def test_clock_with_more_time_after_the_bell_counts_from_then() -> None:
    by_itself = STOPPED.start(START, 300)
    by_hand = by_itself.ring(after(50))
    while_paused = by_itself.pause(after(20)).ring(after(50))
    for clock in (by_itself, by_hand, while_paused):
        again = clock.add(after(400), 60)
        assert (again.phase(after(400)), left(again, 400)) == (Phase.RUNNING, 60)
        assert again.bell_at(after(500)) == after(460)
        assert left(again.add(after(470), 60), 470) == 60


def test_clock_with_another_length_subtracts_what_has_passed() -> None:
    clock = STOPPED.start(START, 300).add(after(10), 60).pause(after(100)).resume(after(130))
    assert left(clock.with_length(after(130), 120), 130) == 20
    with pytest.raises(WrongLengthError) as refused:
        clock.with_length(after(130), 100)
    assert (refused.value.low, refused.value.high) == (101, MAX_SECONDS)


@pytest.mark.parametrize(
    ("phase", "possible"),
    [
        (Phase.STOPPED, {"start"}),
        (Phase.RUNNING, {"pause", "add", "ring", "with_length", "put_away"}),
        (Phase.PAUSED, {"resume", "add", "ring", "with_length", "put_away"}),
        (Phase.RUNG, {"start", "add", "put_away"}),
    ],
)
def test_clock_phase_allows_only_its_own_changes(phase: Phase, possible: set[str]) -> None:
    running = STOPPED.start(START, 300)
    clocks = {
        Phase.STOPPED: STOPPED,
        Phase.RUNNING: running,
        Phase.PAUSED: running.pause(START),
        Phase.RUNG: running.ring(START),
    }
    changes: dict[str, tuple[Any, ...]] = {
        "start": (100,),
        "pause": (),
        "resume": (),
        "add": (60,),
        "ring": (),
        "with_length": (100,),
        "put_away": (),
    }
    done, told = set(), set()
    for name, values in changes.items():
        try:
            getattr(clocks[phase], name)(after(1), *values)
        except WrongPhaseError as refused:
            told.add(refused.phase)
        else:
            done.add(name)

    assert (done, told) == (possible, {phase})


@pytest.mark.parametrize("seconds", [0, -1, MAX_SECONDS + 1])
def test_clock_lengths_out_of_range_are_refused(seconds: int) -> None:
    with pytest.raises(WrongLengthError):
        STOPPED.start(START, seconds)
    with pytest.raises(WrongLengthError):
        STOPPED.start(START, 60).add(START, seconds)


def test_clock_never_has_more_than_the_most_left() -> None:
    clock = STOPPED.start(START, MAX_SECONDS)
    with pytest.raises(WrongLengthError):
        clock.add(START, 1)
    assert left(clock.add(after(60), 60), 60) == MAX_SECONDS


@given(lengths, st.lists(st.tuples(waits, waits), max_size=5))
def test_clock_takes_only_the_time_in_which_it_runs(
    length: int, spells: list[tuple[timedelta, timedelta]]
) -> None:
    """A naive sum beside it: run for so long, stand for so long."""
    clock, now, ran = STOPPED.start(START, length), START, timedelta(0)
    for run, stand in spells:
        now += run
        ran += run
        if ran >= timedelta(seconds=length):
            break
        clock = clock.pause(now)
        now += stand
        clock = clock.resume(now)
    assert clock.remaining(now) == max(timedelta(seconds=length) - ran, timedelta(0))
    assert (clock.phase(now) is Phase.RUNG) == (ran >= timedelta(seconds=length))


presses = st.sampled_from(["pause", "resume", "ring", "add", "put_away", "start", "with_length"])


@given(lengths, st.lists(st.tuples(presses, waits), max_size=12))
def test_clock_makes_sense_whatever_is_pressed(length: int, pressed: list[tuple[str, timedelta]]) -> None:
    clock, now = STOPPED.start(START, length), START
    for name, wait in pressed:
        now += wait
        values = (60,) if name in ("add", "start", "with_length") else ()
        try:
            clock = getattr(clock, name)(now, *values)
        except (WrongPhaseError, WrongLengthError):
            continue
        remaining, phase, bell = clock.remaining(now), clock.phase(now), clock.bell_at(now)
        assert timedelta(0) <= remaining <= timedelta(seconds=MAX_SECONDS)
        assert (bell is None) == (phase in (Phase.STOPPED, Phase.PAUSED))
        if phase is Phase.RUNNING:
            assert bell == now + remaining
            assert clock.phase(now + remaining) is Phase.RUNG
            assert clock.remaining(now + remaining / 2) == remaining - remaining / 2
        if phase is Phase.RUNG:
            assert bell is not None
            assert bell <= now


@given(lengths, st.timedeltas(timedelta(seconds=-60), timedelta(hours=5)))
def test_clock_never_counts_up(length: int, moment: timedelta) -> None:
    """Not even for a server whose clock is behind that of the one which started it."""
    clock = STOPPED.start(START, length)
    later = clock.remaining(START + moment + timedelta(seconds=1))
    assert later <= clock.remaining(START + moment) <= timedelta(seconds=length)
