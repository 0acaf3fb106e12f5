"""Checks of settings, and the problems that they find: a field each, with a code and what is expected."""

from collections.abc import Callable, Collection, Iterable, Mapping

from django.utils.translation import gettext as _

from people.refusals import Refused

MAX_SCALE = 100
MAX_POINTS = 1_000_000

Check = tuple[Callable[[object], bool], Callable[[], str]]
"""Whether a value fits, and what is expected of it, in the language that is active then."""


def whole(low: int, high: int) -> Check:
    """A whole number between these."""
    return (
        lambda item: isinstance(item, int) and not isinstance(item, bool) and low <= item <= high,
        lambda: _("a whole number from %(low)d to %(high)d") % {"low": low, "high": high},
    )


def one_of(known: Collection[str]) -> Check:
    """One of these texts."""
    return lambda item: isinstance(item, str) and item in known, lambda: ", ".join(known)


def is_selection(item: object, known: Collection[str]) -> bool:
    """Whether it is a list of some of these texts, each once."""
    return (
        isinstance(item, list | tuple)
        and all(isinstance(each, str) and each in known for each in item)
        and len(set(item)) == len(item)
    )


def is_scale(item: object) -> bool:
    """Whether it is a list of placement points, none more than the one before it."""
    fits, _expected = whole(0, MAX_POINTS)
    return (
        isinstance(item, list | tuple)
        and 1 <= len(item) <= MAX_SCALE
        and all(map(fits, item))
        and list(item) == sorted(item, reverse=True)
    )


def field_problem(field: str, code: str, expected: str) -> dict[str, str]:
    """What is wrong with a field."""
    return {"field": field, "code": code, "expected": expected}


def unknown_fields(names: Iterable[object], known: Iterable[str], where: str = "") -> list[dict[str, str]]:
    """Problems of those names that aren't known; `where` stands before each."""
    listed = list(known)
    expected = ", ".join(listed)
    return [
        field_problem(f"{where}{name}", "unknown-field", expected) for name in names if name not in listed
    ]


def wrong_values(values: Mapping[str, object], checks: Mapping[str, Check]) -> list[dict[str, str]]:
    """Problems of those values that don't fit."""
    found = []
    for name, item in values.items():
        fits, expected = checks[name]
        if not fits(item):
            found.append(field_problem(name, "wrong-value", expected()))
    return found


def refused(problems: list[dict[str, str]]) -> Refused:
    """`Refused("invalid-settings")` with problems of fields."""
    told = "; ".join(f"{each['field']}: {each['expected'].removesuffix('.')}" for each in problems)
    return Refused(
        "invalid-settings",
        _("These settings aren’t valid: %(problems)s.") % {"problems": told},
        status=422,
        problems=problems,
    )
