"""Settings of a tournament's order, as an organizer makes them and as a fact records them."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any, Final, Self

from django.utils.translation import gettext as _

from games.engine import DEFAULT_PRESET, PRESETS, Refusal, Ruleset, sentence
from games.engine.presets import TITLES
from games.outcome import NO_POINTS
from rendering.text.active_language import reader_language
from tournaments.formats import CannotDraw
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.choice import FormatChoice
from tournaments.formats.model import MAX_ROUNDS
from tournaments.formats.table_result import ResultKind
from tournaments.settings.bell import BELL_RULES, DEFAULT_BELL_RULE
from tournaments.settings.confirmation import CONFIRMATIONS, NOBODY
from tournaments.settings.keep_apart_labels import DEFAULT_KEEP_APART, KEEP_APART
from tournaments.settings.problems import (
    Check,
    field_problem,
    is_scale,
    is_selection,
    one_of,
    refused,
    unknown_fields,
    whole,
    wrong_values,
)
from tournaments.settings.stage import StageSettings
from tournaments.standings import (
    METRICS,
    CannotRank,
    Data,
    Metric,
    Rules,
    TiePolicy,
    TiePolicyText,
    metrics_offered,
    tie_policies_offered,
)

_ORDERED_BY_FORMAT: Final = ("stage_place", "lots")
"""What there is to ask where the format itself says who is where."""


def default_metrics(format_key: str, options: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """What a tournament of this format with these options is ordered by if nobody says; of a format that
    isn't there points.
    """
    choice = FORMATS.get(format_key)
    if choice is None:
        return ("points",)
    try:
        return choice.usual_order(options or {})
    except CannotDraw:
        return choice.default_metrics


def metrics_of(
    format_key: str, scoring: str | None = None, options: Mapping[str, Any] | None = None
) -> dict[str, Metric]:
    """The metrics that a tournament of this format can be ordered by.

    With these options, and with games of a rule set of this `scoring`; None: with any of them.
    """
    # Games give penalty cards whatever the format, and card points where the rules count them.
    games_give = {Data.PENALTIES} if scoring == NO_POINTS else {Data.PENALTIES, Data.CARD_POINTS}
    offered = {
        key for gives in FORMATS[format_key].data_with(options) for key in metrics_offered(gives | games_give)
    }
    if Data.PLACES in FORMATS[format_key].gives:
        offered &= set(_ORDERED_BY_FORMAT)
    return {key: each for key, each in METRICS.items() if key in offered}


@cache
def every_metric() -> dict[str, Metric]:
    """The metrics that some format can be ordered by, with some rule set."""
    return {key: each for format_key in FORMATS for key, each in metrics_of(format_key).items()}


def tie_policies_of(format_key: str) -> dict[str, TiePolicyText]:
    """What tied teams of a tournament of this format can get."""
    return tie_policies_offered(FORMATS[format_key].gives)


def every_tie_policy() -> dict[str, TiePolicyText]:
    """What tied teams can get with some format."""
    return {
        key: each for choice in FORMATS.values() for key, each in tie_policies_offered(choice.gives).items()
    }


DEFAULT_FORMAT = "triangle"
MAX_TABLES = 200
MAX_MINUTES = 240
MAX_STAGES = 4
MAX_SQUADS = 200
_STAGE_FIELDS = frozenset({"format", "options", "match", "qualification"})
_OF_FORMATS = ("options", "match", "later", "rounds")
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)


def counts_hands(rules: Ruleset) -> bool:
    """Whether by these rules everybody scores what is left in hand."""
    return rules.scoring in ("lowest_wins", "elimination")


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """The settings of one tournament; the defaults are the palio's (30/20/10, triangle, singles).

    `rounds` None means as many as the format proposes; it is of mini-tournaments alone. With another format
    `options` and `match` are those of its first stage, `later` the stages that follow
    (`tournaments.settings.stage`). `squads_per_team` is how many of each team take part (None: all).
    `draws_itself`: whether a round is drawn as soon as the results are in that it follows from. `scale` is
    the placement points from the first place on. `starts_at` is a local time of the event's first day,
    `HH:MM`; durations are whole minutes. `bell` is one of `BELL_RULES`. `keep_apart` says which of
    `KEEP_APART` a draw heeds. `confirmation` is who confirms a result before it counts: one of
    `CONFIRMATIONS`.
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
        if not isinstance(value, Mapping):
            raise refused([field_problem("settings", "malformed", _("an object with the settings' fields"))])
        given = {name: item for name, item in value.items() if name in _CHECKS}
        problems = unknown_fields(value, sorted(_CHECKS)) + wrong_values(given, _CHECKS)
        if problems:
            raise refused(problems)
        try:
            ruleset = Ruleset.from_json(given.get("ruleset", DEFAULT_PRESET))
        except Refusal as refusal:
            language = reader_language()
            # These stand in the middle of other texts, which end with their own full stop.
            told = f"{sentence(refusal.code, language)} {refusal.expected(language)}".rstrip(".")
            wrong = field_problem("ruleset", refusal.code, told)
            raise refused([wrong | ({"rule": refusal.rule} if refusal.rule else {})]) from refusal
        given["ruleset"] = ruleset.to_json()
        usual = default_metrics(given.get("format", DEFAULT_FORMAT), given.get("options"))
        given.setdefault("metrics", usual)
        for name in ("metrics", "scale", "later"):
            if name in given:
                given[name] = tuple(given[name])
        if "keep_apart" in given:
            # In whatever order they are given: it is the same choice.
            given["keep_apart"] = tuple(kind for kind in KEEP_APART if kind in given["keep_apart"])
        chosen = cls(**given)
        problems = chosen._stage_problems() or chosen._not_offered()
        if problems:
            raise refused(problems)
        try:
            chosen.rules()
        except CannotRank as error:
            raise refused([field_problem("metrics", error.code, _(error.template) % error.values)]) from error
        first, *later = chosen.stages()
        options = {option.key: first.options[option.key] for option in first.choice.own_options}
        following = tuple(stage.to_json() for stage in later)
        return replace(chosen, options=options, match=first.match, later=following)

    @property
    def choice(self) -> FormatChoice:
        """The format of the first stage."""
        return FORMATS[self.format]

    def _first(self) -> StageSettings:
        known = {option.key for option in self.choice.options}
        asked = {name: getattr(self, name) for name in self.choice.asks if name in known}
        return StageSettings.of(self.format, {**self.options, **asked}, self.match, first=True)

    def stages(self) -> tuple[StageSettings, ...]:
        """The stages; raises CannotDraw for wrong ones."""
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
        return (self._first(), *later)

    def _stage_problems(self) -> list[dict[str, str]]:
        """What is wrong with the stages, or was set for another kind of format."""
        told = _("nothing, with the format %(format)s") % {"format": self.format}
        others = [name for name in _OF_FORMATS if name not in self.choice.asks and getattr(self, name)]
        if others or not self.choice.is_by_round:
            return [field_problem(name, "not-offered", told) for name in others]
        try:
            self._first()
        except CannotDraw as error:
            name = "match" if error.code in ("match_kind", "games") else "options"
            return [field_problem(name, error.code, _(error.template) % error.values)]
        try:
            stages = self.stages()
        except CannotDraw as error:
            return [field_problem("later", error.code, _(error.template) % error.values)]
        ruleset = Ruleset.from_json(self.ruleset)
        by_points = [stage for stage in stages if stage.format().result_kind is ResultKind.POINTS]
        if by_points and not counts_hands(ruleset):
            told = _(
                "“%(rules)s”, or others in which everybody scores what is left in hand, for “%(format)s”"
            )
            known = (_(TITLES[name]) for name in PRESETS if counts_hands(Ruleset.read(name)))
            values = {"rules": "”, “".join(known), "format": _(by_points[0].choice.name)}
            return [field_problem("ruleset", "not-offered", told % values)]
        if len({Data.HAND_POINTS in stage.choice.data_with(stage.options)[0] for stage in stages}) > 1:
            told = _("points of the same kind in all stages: of places and matches, or of cards left in hand")
            return [field_problem("later", "not-offered", told)]
        seats = max(stage.format().seats for stage in stages) * self.squad_size
        most = ruleset.max_players
        if seats > most:
            told = _("at most %(most)d players at a table; these settings seat %(seats)d")
            return [field_problem("squad_size", "too-many", told % {"most": most, "seats": seats})]
        return []

    def _not_offered(self) -> list[dict[str, str]]:
        """What decides the order and can't with this format, or with these rules of the game."""
        problems = []
        policies = tie_policies_of(self.format)
        metrics = metrics_of(self.format, Ruleset.from_json(self.ruleset).scoring, self.options)
        if not set(self.metrics) <= set(metrics):
            expected = _("with the format %(format)s: %(metrics)s")
            if set(self.metrics) <= set(metrics_of(self.format, options=self.options)):
                expected = _("with rules of the game that count no points: %(metrics)s")
            told = expected % {"format": self.format, "metrics": ", ".join(metrics)}
            problems.append(field_problem("metrics", "not-offered", told))
        if self.tie_policy not in policies:
            expected = _("with the format %(format)s: %(policies)s")
            told = expected % {"format": self.format, "policies": ", ".join(policies)}
            problems.append(field_problem("tie_policy", "not-offered", told))
        return problems

    def rules(self) -> Rules:
        """What of the settings orders the teams, as the pure standings take it."""
        return Rules(self.metrics, self.scale, TiePolicy(self.tie_policy))

    def to_json(self) -> dict[str, Any]:
        """The settings as a decision keeps them, every field written out."""
        lists = ("metrics", "scale", "later", "keep_apart")
        return {**asdict(self), **{name: list(getattr(self, name)) for name in lists}}


_CHECKS: Mapping[str, Check] = {
    "ruleset": (
        lambda item: isinstance(item, str | dict),
        lambda: _("a preset's name, or an object with `preset` and the fields that differ"),
    ),
    "format": one_of(FORMATS),
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
        lambda item: item is None or whole(1, MAX_SQUADS)[0](item),
        lambda: _("a whole number from 1 to %(most)d, or nothing for all") % {"most": MAX_SQUADS},
    ),
    "draws_itself": (lambda item: isinstance(item, bool), lambda: _("true or false")),
    "squad_size": whole(1, 5),
    "rounds": (
        lambda item: item is None or whole(1, MAX_ROUNDS)[0](item),
        lambda: (
            _("a whole number from 1 to %(most)d, or nothing for the format's proposal")
            % {"most": MAX_ROUNDS}
        ),
    ),
    "tables": whole(1, MAX_TABLES),
    "minutes_per_game": whole(1, MAX_MINUTES),
    "minutes_between": whole(0, MAX_MINUTES),
    "starts_at": (
        lambda item: isinstance(item, str) and _CLOCK.fullmatch(item) is not None,
        lambda: _("a time such as 14:00"),
    ),
    "bell": one_of(BELL_RULES),
    "confirmation": one_of(CONFIRMATIONS),
    "metrics": (
        lambda item: bool(item) and is_selection(item, every_metric()),
        lambda: _("a list without repetition of: %(metrics)s") % {"metrics": ", ".join(every_metric())},
    ),
    "tie_policy": one_of(every_tie_policy()),
    "scale": (
        is_scale,
        lambda: _("placement points from the first place on, none more than the one before it"),
    ),
    "keep_apart": (
        lambda item: is_selection(item, KEEP_APART),
        lambda: _("a list without repetition of: %(kinds)s") % {"kinds": ", ".join(KEEP_APART)},
    ),
}
