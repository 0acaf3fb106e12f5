"""Settings of a tournament's order, as an organizer makes them and as a fact records them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.engine import DEFAULT_PRESET, Refusal, Ruleset, sentence
from people.refusals import Refused
from tournaments.formats import CannotDraw
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.model import MAX_ROUNDS
from tournaments.settings.available_metrics import (
    default_metrics,
    every_metric,
    every_tie_policy,
    metrics_of,
    tie_policies_of,
)
from tournaments.settings.bell import BELL_RULES, DEFAULT_BELL_RULE
from tournaments.settings.confirmation import CONFIRMATIONS, NOBODY
from tournaments.settings.keep_apart import DEFAULT_KEEP_APART, KEEP_APART
from tournaments.settings.stage import StageSettings
from tournaments.standings import CannotRank, Rules, TiePolicy

POINTS_IN_HAND = ("lowest_wins", "elimination")
DEFAULT_FORMAT = "triangle"
MAX_TABLES = 200
MAX_MINUTES = 240
MAX_SCALE = 100
MAX_STAGES = 4
MAX_SQUADS = 200
_STAGE_FIELDS = frozenset({"format", "options", "match", "qualification"})
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """The settings of one tournament; the defaults are the palio's (30/20/10, triangle, singles).

    `rounds` None means as many as the format proposes; it is of mini-tournaments alone. With another format
    `options` and `match` are those of its first stage, `later` the stages that follow
    (`tournaments.settings.stage`), `squads_per_team` how many of each team take part (None: all), and
    `draws_itself` whether a round is drawn as soon as the results are in that it follows from. `scale` is the
    placement points from the first place on. `starts_at` is a local time of the event's first day, `HH:MM`;
    durations are whole minutes. `bell` is one of `BELL_RULES`. `keep_apart` says which of `KEEP_APART` a draw
    heeds. `confirmation` is who confirms a result before it counts: one of `CONFIRMATIONS`.
    """

    ruleset: str | dict[str, Any] = DEFAULT_PRESET
    format: str = DEFAULT_FORMAT
    squad_size: int = 1
    rounds: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    match: Mapping[str, Any] = field(default_factory=dict)
    later: tuple[Mapping[str, Any], ...] = ()
    squads_per_team: int | None = None
    draws_itself: bool = True
    tables: int = 6
    minutes_per_game: int = 10
    minutes_between: int = 5
    starts_at: str = "14:00"
    bell: str = DEFAULT_BELL_RULE
    confirmation: str = NOBODY
    metrics: tuple[str, ...] = ("points", "direct_match", "mini_tournaments")
    tie_policy: str = "same"
    scale: tuple[int, ...] = field(default=(30, 20, 10))
    keep_apart: tuple[str, ...] = DEFAULT_KEEP_APART

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Read settings; raises `Refused("invalid-settings")` with every problem, a field each."""
        problems: list[dict[str, str]] = []
        if not isinstance(value, Mapping):
            raise _refused([_problem("settings", "malformed", _("an object with the settings' fields"))])
        known = {known_field.name for known_field in fields(cls)}
        problems += [
            _problem(str(name), "unknown-field", ", ".join(sorted(known)))
            for name in value
            if name not in known
        ]
        given = {name: item for name, item in value.items() if name in known}
        for name, item in given.items():
            fits, expected = _CHECKS[name]
            if not fits(item):
                problems.append(_problem(name, "wrong-value", expected()))
        if problems:
            raise _refused(problems)
        try:
            ruleset = Ruleset.from_json(given.get("ruleset", DEFAULT_PRESET))
        except Refusal as refusal:
            language = get_language() or "it"
            # These stand in the middle of other texts, which end with their own full stop.
            told = f"{sentence(refusal.code, language)} {refusal.expected(language)}".rstrip(".")
            problem = _problem("ruleset", refusal.code, told)
            raise _refused([problem | ({"rule": refusal.rule} if refusal.rule else {})]) from refusal
        given["ruleset"] = ruleset.to_json()
        given.setdefault("metrics", default_metrics(given.get("format", DEFAULT_FORMAT)))
        for name in ("metrics", "scale", "later"):
            if name in given:
                given[name] = tuple(given[name])
        if "keep_apart" in given:
            # In whatever order they are given: it is the same choice.
            given["keep_apart"] = tuple(kind for kind in KEEP_APART if kind in given["keep_apart"])
        chosen = cls(**given)
        problems = chosen._stage_problems() or chosen._not_offered()
        if problems:
            raise _refused(problems)
        try:
            chosen.rules()
        except CannotRank as error:
            raise _refused([_problem("metrics", error.code, _(error.template) % error.values)]) from error
        if chosen.ranks_teams:
            return chosen
        first, *later = (stage.to_json() for stage in chosen.stages())
        return replace(chosen, options=first["options"], match=first["match"], later=tuple(later))

    @property
    def ranks_teams(self) -> bool:
        """Whether squads play for their teams, which are ranked: in mini-tournaments."""
        return FORMATS[self.format].ranks_teams

    def stages(self) -> tuple[StageSettings, ...]:
        """The stages; raises CannotDraw for wrong ones."""
        options = {"rounds": self.rounds} if self.ranks_teams else self.options
        first = StageSettings.of(self.format, options, self.match, first=True)
        later = (
            StageSettings.of(
                str(stage.get("format")),
                stage.get("options"),
                stage.get("match"),
                stage.get("qualification"),
                first=False,
            )
            for stage in self.later
        )
        return (first, *later)

    def _stage_problems(self) -> list[dict[str, str]]:
        """What is wrong with the stages, or was set for another kind of format."""
        if self.ranks_teams:
            others = {"options": self.options, "match": self.match, "later": self.later}
            told = _("nothing, with the format %(format)s") % {"format": self.format}
            return [_problem(name, "not-offered", told) for name, value in others.items() if value]
        if self.rounds is not None:
            told = _("nothing, with the format %(format)s") % {"format": self.format}
            return [_problem("rounds", "not-offered", told)]
        try:
            StageSettings.of(self.format, self.options, self.match, first=True)
        except CannotDraw as error:
            name = "match" if error.code in ("match_kind", "games") else "options"
            return [_problem(name, error.code, _(error.template) % error.values)]
        try:
            stages = self.stages()
        except CannotDraw as error:
            return [_problem("later", error.code, _(error.template) % error.values)]
        if any(stage.choice.adds_points for stage in stages) and self._scoring() not in POINTS_IN_HAND:
            told = _("rules of the game in which everybody scores what is left in hand, for %(format)s")
            return [_problem("ruleset", "not-offered", told % {"format": self.format})]
        seats = max((stage.options.get("seats", 2) for stage in stages), default=2) * self.squad_size
        most = Ruleset.from_json(self.ruleset).max_players
        if seats > most:
            told = _("at most %(most)d players at a table; these settings seat %(seats)d")
            return [_problem("squad_size", "too-many", told % {"most": most, "seats": seats})]
        return []

    def _scoring(self) -> str:
        return Ruleset.from_json(self.ruleset).scoring

    def _not_offered(self) -> list[dict[str, str]]:
        """What decides the order and can't with this format, or with these rules of the game."""
        problems = []
        policies = tie_policies_of(self.format)
        metrics = metrics_of(self.format, self._scoring())
        if not set(self.metrics) <= set(metrics):
            expected = _("with the format %(format)s: %(metrics)s")
            if set(self.metrics) <= set(metrics_of(self.format)):
                expected = _("with rules of the game that count no points: %(metrics)s")
            told = expected % {"format": self.format, "metrics": ", ".join(metrics)}
            problems.append(_problem("metrics", "not-offered", told))
        if self.tie_policy not in policies:
            expected = _("with the format %(format)s: %(policies)s")
            told = expected % {"format": self.format, "policies": ", ".join(policies)}
            problems.append(_problem("tie_policy", "not-offered", told))
        return problems

    def rules(self) -> Rules:
        """What of the settings orders the teams, as the pure standings take it."""
        return Rules(self.metrics, self.scale, TiePolicy(self.tie_policy))

    def to_json(self) -> dict[str, Any]:
        """The settings as a decision keeps them, every field written out."""
        lists = ("metrics", "scale", "later", "keep_apart")
        return {**asdict(self), **{name: list(getattr(self, name)) for name in lists}}


def _problem(name: str, code: str, expected: str) -> dict[str, str]:
    return {"field": name, "code": code, "expected": expected}


def _refused(problems: list[dict[str, str]]) -> Refused:
    told = "; ".join(f"{problem['field']}: {problem['expected']}" for problem in problems)
    return Refused(
        "invalid-settings",
        _("These settings don't hold: %(problems)s.") % {"problems": told},
        status=422,
        problems=problems,
    )


def _whole(low: int, high: int) -> Callable[[object], bool]:
    return lambda item: isinstance(item, int) and not isinstance(item, bool) and low <= item <= high


def _a_number(low: int, high: int) -> Callable[[], str]:
    return lambda: _("a whole number from %(low)d to %(high)d") % {"low": low, "high": high}


def _is_scale(item: object) -> bool:
    return (
        isinstance(item, list | tuple)
        and 1 <= len(item) <= MAX_SCALE
        and all(_whole(0, 1_000_000)(points) for points in item)
        and list(item) == sorted(item, reverse=True)
    )


def _is_metrics(item: object) -> bool:
    return (
        isinstance(item, list | tuple)
        and bool(item)
        and all(isinstance(key, str) and key in every_metric() for key in item)
        and len(set(item)) == len(item)
    )


def _is_keep_apart(item: object) -> bool:
    return (
        isinstance(item, list | tuple)
        and all(isinstance(kind, str) and kind in KEEP_APART for kind in item)
        and len(set(item)) == len(item)
    )


_CHECKS: dict[str, tuple[Callable[[object], bool], Callable[[], str]]] = {
    "ruleset": (
        lambda item: isinstance(item, str | dict),
        lambda: _("a preset's name, or an object with `preset` and the fields that differ"),
    ),
    "format": (
        lambda item: isinstance(item, str) and item in FORMATS,
        lambda: ", ".join(FORMATS),
    ),
    "options": (lambda item: isinstance(item, Mapping), lambda: _("an object with the format's settings")),
    "match": (
        lambda item: isinstance(item, Mapping),
        lambda: _("an object with `length` and `games`"),
    ),
    "later": (
        lambda item: (
            isinstance(item, list | tuple)
            and len(item) < MAX_STAGES
            and all(isinstance(stage, Mapping) and set(stage) <= _STAGE_FIELDS for stage in item)
        ),
        lambda: (
            _("a list of at most %(most)d stages, each an object with %(fields)s")
            % {"most": MAX_STAGES - 1, "fields": ", ".join(sorted(_STAGE_FIELDS))}
        ),
    ),
    "squads_per_team": (
        lambda item: item is None or _whole(1, MAX_SQUADS)(item),
        lambda: _("a whole number from 1 to %(most)d, or nothing for all") % {"most": MAX_SQUADS},
    ),
    "draws_itself": (lambda item: isinstance(item, bool), lambda: _("true or false")),
    "squad_size": (_whole(1, 5), _a_number(1, 5)),
    "rounds": (
        lambda item: item is None or _whole(1, MAX_ROUNDS)(item),
        lambda: (
            _("a whole number from 1 to %(most)d, or nothing for the format's proposal")
            % {"most": MAX_ROUNDS}
        ),
    ),
    "tables": (_whole(1, MAX_TABLES), _a_number(1, MAX_TABLES)),
    "minutes_per_game": (_whole(1, MAX_MINUTES), _a_number(1, MAX_MINUTES)),
    "minutes_between": (_whole(0, MAX_MINUTES), _a_number(0, MAX_MINUTES)),
    "starts_at": (
        lambda item: isinstance(item, str) and _CLOCK.fullmatch(item) is not None,
        lambda: _("a time such as 14:00"),
    ),
    "bell": (lambda item: isinstance(item, str) and item in BELL_RULES, lambda: ", ".join(BELL_RULES)),
    "confirmation": (
        lambda item: isinstance(item, str) and item in CONFIRMATIONS,
        lambda: ", ".join(CONFIRMATIONS),
    ),
    "metrics": (
        _is_metrics,
        lambda: _("a list without repetition of: %(metrics)s") % {"metrics": ", ".join(every_metric())},
    ),
    "tie_policy": (
        lambda item: isinstance(item, str) and item in every_tie_policy(),
        lambda: ", ".join(every_tie_policy()),
    ),
    "scale": (
        _is_scale,
        lambda: _("placement points from the first place on, none more than the one before it"),
    ),
    "keep_apart": (
        _is_keep_apart,
        lambda: _("a list without repetition of: %(kinds)s") % {"kinds": ", ".join(KEEP_APART)},
    ),
}
