"""The settings of one stage, as JSON and as what they stand for.

Of the qualification only what is asked for is there; the first stage has none.

    {"format": "single_elimination", "options": {…}, "match": {"length": "best_of", "games": 3},
     "qualification": {"first_of_each_group": 2, "best_of_place": [3, 4], "first_overall": 8,
                       "everybody": true, "seeding": "crossed", "unequal": null}}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from tournaments.formats.catalogue import FORMATS, STAGE_FORMATS
from tournaments.formats.choice import FormatChoice
from tournaments.formats.errors import CannotDraw, gettext_noop
from tournaments.formats.format import Format
from tournaments.formats.match_lengths import ONE_GAME, Length, MatchKind, kind_of
from tournaments.formats.stages.model import (
    BestOfPlace,
    Everybody,
    FirstOfEachGroup,
    FirstOverall,
    PlannedStage,
    Qualification,
    Seeding,
    UnequalGroups,
)
from tournaments.models import Stage

DEFAULT_QUALIFICATION: Final = {"first_of_each_group": 2, "seeding": Seeding.CROSSED.value, "unequal": None}
_MOST_GOING_ON = 1024


@dataclass(frozen=True, slots=True)
class StageSettings:
    """What a stage is played by; `qualification` None for the first."""

    choice: FormatChoice
    options: Mapping[str, Any]
    match: Mapping[str, Any]
    qualification: Qualification | None = None
    asked: Mapping[str, Any] | None = None

    @classmethod
    def of(
        cls, format_key: str, options: object, match: object, qualification: object = None, *, first: bool
    ) -> Self:
        """Checked settings; raises CannotDraw with what is wrong."""
        known = FORMATS if first else STAGE_FORMATS
        if format_key not in known:
            raise CannotDraw(
                "format",
                gettext_noop("There is no format %(given)s; there are %(known)s."),
                given=repr(format_key),
                known=", ".join(known),
            )
        choice = known[format_key]
        usual = {} if first else choice.after_stage
        complete = choice.complete({**usual, **_object(options, "options")})
        choice.build(complete)
        found = cls(choice, complete, _match(match, choice))
        found.kind()
        if first:
            return found
        asked = dict(
            DEFAULT_QUALIFICATION if qualification is None else _object(qualification, "qualification")
        )
        return cls(choice, complete, found.match, qualification_of(asked), asked)

    def format(self) -> Format:
        """The format with its options."""
        return self.choice.build(self.options)

    def kind(self) -> MatchKind:
        """What a match is."""
        return self.choice.kind(self.match)

    def planned(self) -> PlannedStage:
        """The stage as the planning of stages takes it."""
        return PlannedStage(self.choice.key, self.format().groups, self.qualification)

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        found: dict[str, Any] = {
            "format": self.choice.key,
            "options": dict(self.options),
            "match": dict(self.match),
        }
        return found if self.asked is None else {**found, "qualification": dict(self.asked)}


def stage_kind(stage: Stage) -> MatchKind:
    """What a match of a kept stage is."""
    return FORMATS[stage.format].kind(stage.match)


def stage_format(stage: Stage) -> Format:
    """The format of a kept stage, with what was chosen in it."""
    return FORMATS[stage.format].build_by(stage.method, stage.options)


def may_need_fewer(settings: Mapping[str, Any], stage: int, still_open: int) -> bool:
    """Whether a stage with so many open games may need fewer, since its matches can end early.

    `settings` are the tournament's, `stage` is the number of the stage, from 1. A single open game is needed
    in any case.
    """
    if still_open < 2:
        return False
    chosen = (settings, *settings.get("later", ()))[stage - 1]
    return FORMATS[chosen["format"]].kind(chosen.get("match") or {}).can_end_early


def _object(value: object, name: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise CannotDraw("malformed", gettext_noop("`%(name)s` is an object with its fields."), name=name)
    return value


def _match(value: object, choice: FormatChoice) -> dict[str, Any]:
    if choice.pairs:
        return {}
    given = {**ONE_GAME, **_object(value, "match")}
    games = given["games"]
    if set(given) != set(ONE_GAME) or not isinstance(games, int) or isinstance(games, bool):
        raise CannotDraw(
            "match_kind",
            gettext_noop("A match has a `length` (one of %(known)s) and a whole number of `games`."),
            known=", ".join(Length),
        )
    if choice.adds_points and given != ONE_GAME:
        raise CannotDraw(
            "match_kind", gettext_noop("In this format a match is one game, whose points add up.")
        )
    if given["length"] not in list(Length):
        kind_of(str(given["length"]), games)
    return given


def qualification_of(asked: Mapping[str, Any]) -> Qualification:
    """The rules by which one comes into a stage; raises CannotDraw for what can't be read."""
    known = {
        "first_of_each_group",
        "best_of_place",
        "first_overall",
        "everybody",
        "seeding",
        "unequal",
    }
    if not set(asked) <= known:
        raise _wrong_qualification("qualification", ", ".join(sorted(known)))
    rules: list[FirstOfEachGroup | BestOfPlace | FirstOverall | Everybody] = []
    if asked.get("first_of_each_group"):
        rules.append(FirstOfEachGroup(_count(asked["first_of_each_group"], "first_of_each_group")))
    best = asked.get("best_of_place")
    if best:
        if not isinstance(best, list | tuple) or len(best) != 2:
            raise _wrong_qualification("best_of_place", "[3, 4]")
        rules.append(BestOfPlace(*(_count(each, "best_of_place") for each in best)))
    if asked.get("first_overall"):
        rules.append(FirstOverall(_count(asked["first_overall"], "first_overall")))
    if asked.get("everybody"):
        rules.append(Everybody())
    seeding, unequal = asked.get("seeding", Seeding.CROSSED.value), asked.get("unequal")
    if seeding not in list(Seeding):
        raise _wrong_qualification("seeding", ", ".join(Seeding))
    if unequal is not None and unequal not in list(UnequalGroups):
        raise _wrong_qualification("unequal", ", ".join(UnequalGroups))
    return Qualification(tuple(rules), Seeding(seeding), None if unequal is None else UnequalGroups(unequal))


def _count(value: object, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _MOST_GOING_ON:
        raise _wrong_qualification(name, f"1–{_MOST_GOING_ON}")
    return value


def _wrong_qualification(name: str, expected: str) -> CannotDraw:
    return CannotDraw(
        "qualification",
        gettext_noop("How one comes into a stage: %(name)s can't be read; expected: %(expected)s."),
        name=name,
        expected=expected,
    )
