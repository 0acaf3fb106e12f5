"""Settings of the overall table, as an organizer makes them and as a fact records them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Self
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.settings.problems import (
    MAX_POINTS,
    Check,
    field_problem,
    is_scale,
    one_of,
    refused,
    unknown_fields,
    whole,
    wrong_values,
)
from tournaments.standings import CannotRank, OverallRules, overall_metric

MAX_DISCIPLINES: Final = 30
MAX_JOKERS: Final = 10
MAX_WEIGHT: Final = 100
DEFAULT_SCALE: Final = (30, 20, 10)


class DisciplineKind(StrEnum):
    """What a discipline is."""

    TOURNAMENT = "tournament"
    OTHER = "other"


class TieRule(StrEnum):
    """What becomes of teams that are level in every metric."""

    SAME = "same"
    LOTS = "lots"


TIE_RULES: Final = {
    TieRule.SAME: (
        gettext_noop("Shared place"),
        gettext_noop("Who is level in everything shares the place."),
    ),
    TieRule.LOTS: (
        gettext_noop("Drawing of lots"),
        gettext_noop("Lots are drawn once all is decided, and the order is recorded."),
    ),
}
"""Name and explanation of each, msgids."""


@dataclass(frozen=True, slots=True)
class DisciplineRules:
    """One part of the palio, by the id of its tournament or other game.

    `weight` multiplies its points; `scale` is what the places of another game are worth, empty for a
    tournament, which has its own.
    """

    id: UUID
    kind: DisciplineKind
    weight: Fraction = Fraction(1)
    scale: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """The discipline's key in the pure standings."""
        return str(self.id)

    def to_json(self) -> dict[str, Any]:
        """As a decision keeps it."""
        return {
            "id": str(self.id),
            "kind": str(self.kind),
            "weight": str(self.weight),
            "scale": list(self.scale),
        }


@dataclass(frozen=True, slots=True)
class PalioRules:
    """The disciplines in order, metric keys in order of weight, the rule for ties, jokers a team has."""

    disciplines: tuple[DisciplineRules, ...] = ()
    metrics: tuple[str, ...] = field(default=("total", "places:1", "places:2", "places:3"))
    tie_policy: TieRule = TieRule.SAME
    jokers_each: int = 1

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Read rules; raises `Refused("invalid-settings")` with every problem, a field each."""
        if not isinstance(value, Mapping):
            raise refused([field_problem("rules", "malformed", _("an object with the palio's rules"))])
        problems = unknown_fields(value, ("disciplines", *_CHECKS))
        usual = cls().to_json()
        given = {name: value.get(name, usual[name]) for name in _CHECKS}
        disciplines = _disciplines(value.get("disciplines", []), problems)
        problems += wrong_values(given, _CHECKS)
        if problems:
            raise refused(problems)
        rules = cls(
            tuple(disciplines), tuple(given["metrics"]), TieRule(given["tie_policy"]), given["jokers_each"]
        )
        rules._check_metrics()
        return rules

    def _check_metrics(self) -> None:
        try:
            self.overall()
        except CannotRank as error:
            raise refused([field_problem("metrics", error.code, _(error.template) % error.values)]) from error
        ids = {each.key for each in self.disciplines}
        for metric, asked in map(overall_metric, self.metrics):
            if metric.asks == "discipline" and asked not in ids:
                told = _("a discipline that counts")
                raise refused([field_problem("metrics", "unknown-discipline", told)])

    def overall(self) -> OverallRules:
        """As the pure standings take them: with the rule `lots`, these are asked last."""
        lots = ("lots",) if self.tie_policy is TieRule.LOTS and "lots" not in self.metrics else ()
        return OverallRules((*self.metrics, *lots), self.jokers_each)

    def asks_lots(self) -> bool:
        """Whether lots are drawn among those who are level in all else."""
        return "lots" in self.overall().metrics

    def discipline(self, discipline_id: UUID) -> DisciplineRules | None:
        """The discipline of this id, if it is one."""
        return next((each for each in self.disciplines if each.id == discipline_id), None)

    def to_json(self) -> dict[str, Any]:
        """As a decision keeps them, every field written out."""
        return {
            "disciplines": [each.to_json() for each in self.disciplines],
            "metrics": list(self.metrics),
            "tie_policy": str(self.tie_policy),
            "jokers_each": self.jokers_each,
        }


def _disciplines(value: object, problems: list[dict[str, str]]) -> list[DisciplineRules]:
    if not isinstance(value, list | tuple) or len(value) > MAX_DISCIPLINES:
        most = _("a list of up to %(most)d disciplines") % {"most": MAX_DISCIPLINES}
        problems.append(field_problem("disciplines", "wrong-value", most))
        return []
    found: list[DisciplineRules] = []
    for place, each in enumerate(value):
        made = _discipline(f"disciplines.{place}", each, problems)
        if made is not None:
            found.append(made)
    if len({each.id for each in found}) < len(found):
        problems.append(field_problem("disciplines", "repeated", _("each discipline once")))
    return found


def _discipline(where: str, value: object, problems: list[dict[str, str]]) -> DisciplineRules | None:
    if not isinstance(value, Mapping):
        problems.append(
            field_problem(where, "malformed", _("an object with a discipline’s id, kind and weight"))
        )
        return None
    before = len(problems)
    problems += unknown_fields(value, ("id", "kind", "weight", "scale"), f"{where}.")
    kind = value.get("kind")
    is_kind = isinstance(kind, str) and kind in tuple(DisciplineKind)
    if not is_kind:
        problems.append(field_problem(f"{where}.kind", "wrong-value", ", ".join(DisciplineKind)))
    try:
        discipline_id = UUID(str(value.get("id")))
    except ValueError:
        problems.append(
            field_problem(f"{where}.id", "wrong-value", _("the id of a tournament or another game"))
        )
    weight = read_weight(value.get("weight", "1"))
    if weight is None:
        told = _("a number above 0, at most %(most)d, such as 2, 1/2 or 1.5") % {"most": MAX_WEIGHT}
        problems.append(field_problem(f"{where}.weight", "wrong-value", told))
    scale = value.get("scale", list(DEFAULT_SCALE) if kind == DisciplineKind.OTHER else [])
    if is_kind and not (scale in ([], ()) if kind == DisciplineKind.TOURNAMENT else is_scale(scale)):
        told = (
            _("none: a tournament has its own placement points")
            if kind == DisciplineKind.TOURNAMENT
            else _("placement points from the first place on, none more than the one before it")
        )
        problems.append(field_problem(f"{where}.scale", "wrong-value", told))
    if len(problems) > before or weight is None:
        return None
    return DisciplineRules(discipline_id, DisciplineKind(str(kind)), weight, tuple(scale))


def read_weight(value: object) -> Fraction | None:
    """A weight that is written as text ("2", "1/2", "1.5", "1,5"); None if it isn't one."""
    if not isinstance(value, str) or len(value) > 20 or not value.isascii() or "e" in value.lower():
        return None
    try:
        weight = Fraction(value.strip().replace(",", "."))
    except (ValueError, ZeroDivisionError):
        return None
    return weight if 0 < weight <= MAX_WEIGHT and weight.denominator <= MAX_POINTS else None


def _is_texts(value: object) -> bool:
    return (
        isinstance(value, list | tuple)
        and 1 <= len(value) <= MAX_DISCIPLINES
        and all(isinstance(each, str) and len(each) <= 60 for each in value)
    )


_CHECKS: Final[Mapping[str, Check]] = {
    "metrics": (_is_texts, lambda: _("a list of metrics")),
    "tie_policy": one_of(TIE_RULES),
    "jokers_each": whole(0, MAX_JOKERS),
}
