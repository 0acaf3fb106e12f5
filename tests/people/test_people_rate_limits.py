"""Rate limits on guessing: many tries at once, right ones among wrong ones, and how long tries are stored."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import timedelta
from threading import Barrier, BrokenBarrierError

import pytest
from django.db import connections
from django.utils import timezone

from config.housekeeping import erase_what_is_due
from people import check_in, rate_limits
from people.actors import Actor
from people.check_in import SLIP_CODES, entry_for, entry_of_code
from people.models import Entry, Event, Try
from people.pairings import DAY_PIN
from people.rate_limits import LONGEST, RateLimitedError, begin
from tests.support import factories

PLACE, WRONG = "192.0.2.1", "AAAA-BBBB-CCCC"
AT_ONCE, MOST = 8, 3

at_once = pytest.mark.django_db(transaction=True)


@pytest.fixture
def _few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the pause come after so few wrong codes."""
    monkeypatch.setattr(check_in, "SLIP_CODES", replace(SLIP_CODES, tries=MOST))


def make_slip() -> str:
    """The code of the slip of a child who is here."""
    entry = factories.make_entry(factories.make_team(factories.make_event()))
    return check_in.check_in(entry, Actor.command())


def type_at_once(code: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have a code typed many times at once from one address; what each was told, in alphabetical order.

    Each waits in the middle of its look for the others, but not for long: they may have to wait for it.
    """
    looking = Barrier(AT_ONCE)

    def look(typed: str) -> Entry | None:
        with suppress(BrokenBarrierError):
            looking.wait(0.5)
        return entry_of_code(typed)

    def type_code(_place: int) -> str:
        try:
            return "right" if entry_for(code, PLACE) else "wrong"
        except RateLimitedError:
            return "paused"
        finally:
            connections.close_all()

    monkeypatch.setattr(check_in, "entry_of_code", look)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return sorted(pool.map(type_code, range(AT_ONCE)))


@at_once
@pytest.mark.usefixtures("_few_tries")
def test_wrong_slip_codes_at_once_are_limited_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    told = type_at_once(WRONG, monkeypatch)

    assert (told, Try.objects.count()) == (["paused"] * (AT_ONCE - MOST) + ["wrong"] * MOST, MOST)


@at_once
@pytest.mark.usefixtures("_few_tries")
def test_twin_wrong_slip_codes_at_once_pass_the_limit_unless_one_waits_for_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "_one_by_one", lambda limit, key: nullcontext())

    assert type_at_once(WRONG, monkeypatch) == ["wrong"] * AT_ONCE


@at_once
@pytest.mark.usefixtures("_few_tries")
def test_right_slip_codes_at_once_are_neither_limited_nor_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    told = type_at_once(make_slip(), monkeypatch)

    assert (told, Try.objects.count()) == (["right"] * AT_ONCE, 0)


@at_once
@pytest.mark.usefixtures("_few_tries")
def test_twin_right_slip_codes_at_once_are_limited_where_each_is_noted_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def note_first(limit: rate_limits.RateLimit, key: str, find: Callable[[], Entry | None]) -> Entry | None:
        attempt = begin((limit, key))
        found = find()
        if found is not None:
            attempt.was_right()
        return found

    monkeypatch.setattr(rate_limits, "look_up", note_first)

    assert "paused" in type_at_once(make_slip(), monkeypatch)


@pytest.mark.django_db
def test_same_wrong_slip_code_counts_each_time() -> None:
    for _ in range(SLIP_CODES.tries):
        assert entry_for(WRONG, PLACE) is None

    with pytest.raises(RateLimitedError):
        entry_for(WRONG, PLACE)


@pytest.mark.django_db
def test_tries_at_slip_codes_and_pins_are_erased_after_an_hour() -> None:
    event: Event = factories.make_event()
    entry_for(WRONG, PLACE)
    begin((DAY_PIN, str(event.pk)))

    erase_what_is_due()
    stored = Try.objects.count()
    Try.objects.update(at=timezone.now() - LONGEST - timedelta(seconds=1))
    erase_what_is_due()

    assert (stored, Try.objects.count()) == (2, 0)


@pytest.mark.parametrize(("seconds", "minutes"), [(0, 0), (1, 1), (60, 1), (61, 2), (600, 10)])
def test_pause_is_told_in_minutes_rounded_up(seconds: int, minutes: int) -> None:
    assert rate_limits.in_minutes(seconds) == minutes
