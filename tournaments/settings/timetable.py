"""Settings of an event's timetable: hours of each day, breaks, rest, tables, referees."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from typing import Any, Self

from django.utils.translation import gettext as _

from tournaments.scheduling.model import RoundOrder
from tournaments.settings.problems import field_problem, refused, whole
from tournaments.settings.tournament import MAX_MINUTES, MAX_TABLES

MAX_DAYS = 31
MAX_BREAKS = 60
MAX_STEP = 60
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d|24:00", re.ASCII)
ROUNDS = tuple(order.value for order in RoundOrder)
TOGETHER, OWN = STARTS = ("together", "own")


@dataclass(frozen=True, slots=True)
class Span:
    """From a clock time until before another of one day (`HH:MM`, the end up to `24:00`). Days count from
    1, the event's first.
    """

    day: int
    begins: str
    ends: str


@dataclass(frozen=True, slots=True)
class TimetableSettings:
    """`days` are the opening hours; nobody plays in the `breaks`. `tables` are how many stand there. A match
    begins every `step` minutes; `rest` are the minutes between two matches of a person, `changeover` those
    between two at a table. `shorter` are minutes that each match has less than the tournament's settings
    say. `is_judged`: no match goes without a referee. `rounds` says how rounds follow each other. `starts`:
    the matches of a wave start together, or each has a start of its own.
    """

    days: tuple[Span, ...] = (Span(1, "14:00", "20:00"),)
    breaks: tuple[Span, ...] = ()
    tables: int = 6
    step: int = 5
    rest: int = 0
    changeover: int = 5
    shorter: int = 0
    is_judged: bool = False
    rounds: str = RoundOrder.IN_TURN.value
    starts: str = TOGETHER

    @classmethod
    def from_json(cls, value: object, base: Self | None = None) -> Self:
        """Read settings, those that aren't given from `base`; raises `Refused("invalid-settings")` with every
        problem.
        """
        if not isinstance(value, Mapping):
            raise refused([field_problem("settings", "malformed", _("an object with the settings' fields"))])
        problems = [
            field_problem(str(name), "malformed", _("a field that is known"))
            for name in value
            if name not in {each.name for each in fields(cls)}
        ]
        given: dict[str, Any] = {}
        for name, (check, expected) in _CHECKS.items():
            if name in value and not check(value[name]):
                problems.append(field_problem(name, "malformed", expected()))
            elif name in value:
                given[name] = _spans(value[name]) if name in ("days", "breaks") else value[name]
        if problems:
            raise refused(problems)
        found = replace(base or cls(), **given)
        if not _apart(found.days):
            told = _("days in their order, each once or with hours that are apart")
            raise refused([field_problem("days", "malformed", told)])
        return found

    def as_json(self) -> dict[str, Any]:
        """As it is stored."""
        return {
            **asdict(self),
            "days": [asdict(each) for each in self.days],
            "breaks": [asdict(each) for each in self.breaks],
        }


def minutes_of(clock: str) -> int:
    """`HH:MM` as minutes of the day."""
    return int(clock[:2]) * 60 + int(clock[3:])


def _spans(value: Any) -> tuple[Span, ...]:
    return tuple(Span(each["day"], each["begins"], each["ends"]) for each in value)


def _apart(days: tuple[Span, ...]) -> bool:
    return all(
        (before.day, minutes_of(before.ends)) <= (after.day, minutes_of(after.begins))
        for before, after in pairwise(days)
    )


def _is_span(value: object) -> bool:
    return (
        isinstance(value, Mapping)
        and value.keys() == {"day", "begins", "ends"}
        and whole(1, MAX_DAYS)[0](value["day"])
        and all(isinstance(value[name], str) and _CLOCK.fullmatch(value[name]) for name in ("begins", "ends"))
        and minutes_of(value["begins"]) < minutes_of(value["ends"])
    )


def _are_spans(least: int, most: int) -> Any:
    return lambda value: (
        isinstance(value, list | tuple) and least <= len(value) <= most and all(map(_is_span, value))
    )


_CHECKS: dict[str, tuple[Any, Any]] = {
    "days": (
        _are_spans(1, MAX_DAYS),
        lambda: _("for each day its number and two clock times (HH:MM), the end after the beginning"),
    ),
    "breaks": (
        _are_spans(0, MAX_BREAKS),
        lambda: _("for each break its day and two clock times (HH:MM), the end after the beginning"),
    ),
    "tables": whole(1, MAX_TABLES),
    "step": whole(1, MAX_STEP),
    "rest": whole(0, MAX_MINUTES),
    "changeover": whole(0, MAX_MINUTES),
    "shorter": whole(0, MAX_MINUTES),
    "is_judged": (lambda value: type(value) is bool, lambda: _("true or false")),
    "rounds": (lambda value: value in ROUNDS, lambda: _("one of: %(all)s") % {"all": ", ".join(ROUNDS)}),
    "starts": (lambda value: value in STARTS, lambda: _("one of: %(all)s") % {"all": ", ".join(STARTS)}),
}
