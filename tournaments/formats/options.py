"""Options of formats: what can be chosen, within which limits, and the refusal of anything else."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import CannotDraw, gettext_noop
from .points import MOST_POINTS, POINTS
from .tables.scale import is_scale, unreadable_scale

MOST_SCALE = 40
"""The characters of the longest scale of a table's places: ten places of three digits."""


@dataclass(frozen=True, slots=True)
class WholeOption:
    """A whole number from `fewest` to `most`; with `or_none`, none leaves it to the format.

    Stages that were set up before may have up to `stored_most`, where that is more.
    """

    fewest: int
    most: int
    or_none: bool = False
    stored_most: int = 0

    def fits(self, value: object) -> bool:
        """Whether a stored stage can have it."""
        if value is None:
            return self.or_none
        most = max(self.most, self.stored_most)
        return isinstance(value, int) and not isinstance(value, bool) and self.fewest <= value <= most

    def is_offered(self, value: int | None) -> bool:
        """Whether a new stage can have it, among what `fits`."""
        return value is None or value <= self.most


@dataclass(frozen=True, slots=True)
class Points:
    """Points of `POINTS`, as text: "3", "1/2"; with `or_none`, none for those of a win."""

    or_none: bool = False

    def fits(self, value: object) -> bool:
        """Whether it is one of them."""
        return self.or_none if value is None else isinstance(value, str) and value in POINTS


@dataclass(frozen=True, slots=True)
class PlacePoints:
    """The points of each place at a full table, as a text such as 4-2-1-0; none for the usual ones."""

    def fits(self, value: object) -> bool:
        """Whether it can be read; how many places there are hangs on the table."""
        return value is None or (isinstance(value, str) and len(value) <= MOST_SCALE and is_scale(value))


@dataclass(frozen=True, slots=True)
class YesNo:
    """Yes or no; `words` are the msgids by which settings tell it, empty where they tell name and value."""

    words: Mapping[bool, str] = field(default_factory=dict)

    def fits(self, value: object) -> bool:
        """Whether it is one of them."""
        return isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some values, each with its msgid."""

    values: Mapping[Any, str]

    def fits(self, value: object) -> bool:
        """Whether it is one of them (True isn't 1)."""
        return any(value == known and type(value) is type(known) for known in self.values)


@dataclass(frozen=True, slots=True)
class FormatOption:
    """What can be chosen in a format: name and explanation are msgids.

    `phrases` are the msgids of values that settings tell by a phrase, not by name and value.
    """

    key: str
    name: str
    explanation: str
    default: Any
    kind: WholeOption | Points | PlacePoints | YesNo | OneOf
    phrases: Mapping[Any, str] = field(default_factory=dict)


def wrong_value(option: FormatOption, value: object) -> CannotDraw:
    """The refusal of a value that doesn't fit an option: what fits it."""
    kind = option.kind
    values: dict[str, int | str]
    if isinstance(kind, WholeOption):
        template = gettext_noop(
            "The setting %(key)s is a whole number from %(fewest)d to %(most)d, not %(given)s."
        )
        values = {"fewest": kind.fewest, "most": kind.most}
    elif isinstance(kind, Points):
        template = gettext_noop(
            "The setting %(key)s is a number of points in halves from 0 to %(most)d, as a text such as 3 "
            "or 1/2, not %(given)s."
        )
        values = {"most": MOST_POINTS}
    elif isinstance(kind, PlacePoints):
        return unreadable_scale(value)
    else:
        template = gettext_noop("The setting %(key)s is one of %(known)s, not %(given)s.")
        known = ("true", "false") if isinstance(kind, YesNo) else map(str, kind.values)
        values = {"known": ", ".join(known)}
    return CannotDraw("wrong_option", template, key=option.key, given=repr(value), **values)
