"""Stages and rounds as the desk's pages show them, drawn or to be drawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from desk.stage_squads import DeskContestant, Who, shown
from people.models import Team
from rendering.components.bracket import Piece, Scores, pieces
from tournaments.formats.catalogue import FormatChoice
from tournaments.formats.elimination.format import bracket_of
from tournaments.formats.elimination.sections import sections
from tournaments.formats.format import Contestant as Drawn
from tournaments.formats.format import Format, PlayedRound, RoundPlan, StageProgress
from tournaments.formats.swiss.notes import NOTES
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.ranking import group_name, groups_of
from tournaments.queries.round_names import plan_name

_OF_BOTH = ("rematch", "same_team", "off_fold")


class Placed(NamedTuple):
    """Where and when a pairing is played; `sides` are who sits there, where that is known otherwise."""

    wave: int
    table: int
    begins_at: datetime
    ends_at: datetime
    sides: tuple[DeskContestant, ...] = ()


PlacedPairings = Mapping[tuple[int, str], Placed]
"""By the number of a round in its stage and the pairing's slot."""


@dataclass(frozen=True, slots=True)
class ShownPairing:
    """Who meets, in the order of the first game's seats; what is to be said of it; the table, if known."""

    sides: tuple[DeskContestant, ...]
    notes: tuple[str, ...]
    is_decided: bool = False
    table: int | None = None


@dataclass(frozen=True, slots=True)
class ShownWave:
    """Who meets at the same time; from when to when, if that is known."""

    number: int
    pairings: tuple[ShownPairing, ...]
    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class ShownRound:
    """A round: its number through all stages, what it is called, who meets, who has a bye, who sits it out as
    asked, who wins in it without playing, since the other one is gone, and which teams wait as a whole.
    """

    number: int
    title: str
    waves: tuple[ShownWave, ...]
    byes: tuple[DeskContestant, ...]
    on_request: tuple[DeskContestant, ...] = ()
    walkovers: tuple[DeskContestant, ...] = ()
    waiting: tuple[Team, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage as drawn: rounds, a bracket where there is one, groups where there are several."""

    number: int
    format: str
    seed: str
    rounds: tuple[ShownRound, ...]
    pieces: tuple[Piece, ...]
    groups: tuple[tuple[str, tuple[DeskContestant, ...]], ...] = ()
    is_played: bool = True
    field: tuple[DeskContestant, ...] = ()


def round_of_course(
    course: StageHistory,
    plan: RoundPlan,
    who: Who,
    decided: Sequence[bool] | None = None,
    placed: PlacedPairings | None = None,
) -> ShownRound:
    """A round of a stage, drawn or to be drawn, with names."""
    found = shown_round(plan, who, course.rounds_before, decided, placed)
    asked = (one.number for one in course.progress.contestants if plan.number in one.sits_out)
    walkovers = course.format.walkovers(course.progress, plan)
    return replace(
        found,
        byes=tuple(who[one] for one in plan.byes if one not in walkovers),
        on_request=tuple(who[one] for one in asked),
        walkovers=tuple(who[one] for one in sorted(walkovers)),
    )


def shown_round(
    plan: RoundPlan,
    who: Who,
    before: int = 0,
    decided: Sequence[bool] | None = None,
    placed: PlacedPairings | None = None,
) -> ShownRound:
    """A round with names; `before` are the rounds of earlier stages."""
    return ShownRound(
        before + plan.number,
        plan_name(plan, before),
        _waves(plan, who, decided or [False] * len(plan.pairings), placed or {}),
        tuple(who[one] for one in plan.byes),
    )


def _waves(
    plan: RoundPlan, who: Who, decided: Sequence[bool], placed: PlacedPairings
) -> tuple[ShownWave, ...]:
    """The pairings by wave and table; all in one wave, in their order, where nobody knows where they are."""
    found = []
    for pairing, is_over in zip(plan.pairings, decided, strict=True):
        where = placed.get((plan.number, pairing.slot))
        sides = tuple(who[side] for side in pairing.sides)
        if where is not None and where.sides:
            sides = where.sides
        table = None if where is None else where.table
        found.append((where, ShownPairing(sides, tuple(_notes(pairing.notes, who)), is_over, table)))
    if any(where is None for where, _pairing in found):
        return (ShownWave(1, tuple(pairing for _where, pairing in found)),)
    known = sorted(
        [(where, pairing) for where, pairing in found if where is not None],
        key=lambda each: (each[0].wave, each[0].table),
    )
    waves = []
    for number, grouped in groupby(known, key=lambda each: each[0].wave):
        together = list(grouped)
        waves.append(
            ShownWave(
                number,
                tuple(pairing for _where, pairing in together),
                min(where.begins_at for where, _pairing in together),
                max(where.ends_at for where, _pairing in together),
            )
        )
    return tuple(waves)


def _waiting(choice: FormatChoice, plan: RoundPlan, who: Who) -> tuple[Team, ...]:
    """The teams that a round leaves out as a whole, where all rounds are drawn at once."""
    if not choice.all_at_once:
        return ()
    there = {who[side].team for pairing in plan.pairings for side in pairing.sides}
    there |= {who[one].team for one in plan.byes}
    return tuple(team for team in dict.fromkeys(one.team for one in who.values()) if team not in there)


def _notes(notes: Iterable[tuple[str, int]], who: Who) -> list[str]:
    """Sentences; what is said of both sides of a pairing is said once."""
    first: dict[str, int] = {}
    for code, one in notes:
        if code in NOTES and (code not in _OF_BOTH or code not in first):
            first.setdefault(f"{code}/{one}" if code not in _OF_BOTH else code, one)
    return [_(NOTES[key.split("/")[0]]) % {"contestant": who[one].players} for key, one in first.items()]


def shown_bracket(
    format_: Format, progress: StageProgress, seed: str, who: Who, scores: Scores | None = None
) -> tuple[Piece, ...]:
    """The bracket of a knockout so far with the `scores` of its matches; nothing of other formats."""
    bracket = bracket_of(format_, progress, seed) if progress.rounds else None
    return () if bracket is None else pieces(sections(bracket), shown(who), scores=scores)


def shown_stage(course: StageHistory, who: Who, placed: PlacedPairings | None = None) -> ShownStage:
    """A stage as it is drawn and played so far."""
    groups = groups_of(course)
    return ShownStage(
        course.number,
        _(course.choice.name),
        course.seed,
        tuple(
            replace(
                round_of_course(
                    course, each.plan, who, [outcome is not None for outcome in each.outcomes], placed
                ),
                waiting=_waiting(course.choice, each.plan, who),
            )
            for each in course.progress.rounds
        ),
        shown_bracket(course.format, course.progress, course.seed, who, course.scores()),
        _groups(groups, who),
        course.choice.is_played,
        tuple(who.values()),
    )


def previewed_stage(
    drawn: Any,
    number: int,
    contestants: tuple[Drawn, ...],
    who: Who,
    before: int = 0,
    placed: PlacedPairings | None = None,
) -> ShownStage:
    """A stage that isn't kept yet (`DrawnStage`)."""
    format_ = drawn.settings.format()
    played = tuple(PlayedRound(plan, (None,) * len(plan.pairings)) for plan in drawn.rounds)
    progress = StageProgress(contestants, played)
    return ShownStage(
        number,
        _(drawn.settings.choice.name),
        drawn.seed,
        tuple(
            replace(
                shown_round(plan, who, before, placed=placed),
                waiting=_waiting(drawn.settings.choice, plan, who),
            )
            for plan in drawn.rounds
        ),
        shown_bracket(format_, progress, drawn.seed, who),
        _groups(format_.division(progress, drawn.seed), who),
        drawn.settings.choice.is_played,
        tuple(who.values()),
    )


def _groups(groups: Sequence[Sequence[int]], who: Who) -> tuple[tuple[str, tuple[DeskContestant, ...]], ...]:
    if len(groups) < 2:
        return ()
    return tuple(
        (group_name(at), tuple(who[number] for number in members)) for at, members in enumerate(groups)
    )
