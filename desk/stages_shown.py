"""Stages and rounds that are drawn one after another, as the desk's pages show them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from desk.stage_squads import DeskContestant, Who, shown
from rendering.components.bracket import Piece, Scores, pieces
from tournaments.formats.elimination import bracket_of, sections
from tournaments.formats.format import Contestant as Drawn
from tournaments.formats.format import Format, PlayedRound, RoundPlan, StageProgress
from tournaments.formats.swiss.notes import NOTES
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.ranking import group_name, groups_of

_OF_BOTH = ("rematch", "same_team", "off_fold")


@dataclass(frozen=True, slots=True)
class ShownPairing:
    """Who meets, in the order of the first game's seats; what is to be said of it."""

    sides: tuple[DeskContestant, ...]
    notes: tuple[str, ...]
    is_decided: bool = False


@dataclass(frozen=True, slots=True)
class ShownRound:
    """A round: its number through all stages, what it is called, who meets, who has a bye, who sits it out as
    asked, and who wins in it without playing, since the other one is gone.
    """

    number: int
    title: str
    pairings: tuple[ShownPairing, ...]
    byes: tuple[DeskContestant, ...]
    on_request: tuple[DeskContestant, ...] = ()
    walkovers: tuple[DeskContestant, ...] = ()


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


def round_title(plan: RoundPlan) -> str:
    """What a round is called, in the reader's language."""
    return _(plan.title) % dict(plan.values)


def round_of_course(
    course: StageHistory, plan: RoundPlan, who: Who, decided: Sequence[bool] | None = None
) -> ShownRound:
    """A round of a stage, drawn or to be drawn, with names."""
    found = shown_round(plan, who, course.rounds_before, decided)
    asked = (one.number for one in course.progress.contestants if plan.number in one.sits_out)
    walkovers = course.format.walkovers(course.progress, plan)
    return replace(
        found,
        byes=tuple(who[one] for one in plan.byes if one not in walkovers),
        on_request=tuple(who[one] for one in asked),
        walkovers=tuple(who[one] for one in sorted(walkovers)),
    )


def shown_round(
    plan: RoundPlan, who: Who, before: int = 0, decided: Sequence[bool] | None = None
) -> ShownRound:
    """A round with names; `before` are the rounds of earlier stages."""
    over = decided or [False] * len(plan.pairings)
    return ShownRound(
        before + plan.number,
        round_title(plan),
        tuple(
            ShownPairing(
                tuple(who[side] for side in pairing.sides), tuple(_notes(pairing.notes, who)), is_over
            )
            for pairing, is_over in zip(plan.pairings, over, strict=True)
        ),
        tuple(who[one] for one in plan.byes),
    )


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


def shown_stage(course: StageHistory, who: Who) -> ShownStage:
    """A stage as it is drawn and played so far."""
    groups = groups_of(course)
    return ShownStage(
        course.number,
        _(course.choice.name),
        course.seed,
        tuple(
            round_of_course(course, each.plan, who, [outcome is not None for outcome in each.outcomes])
            for each in course.progress.rounds
        ),
        shown_bracket(course.format, course.progress, course.seed, who, course.scores()),
        _groups(groups, who),
        course.choice.is_played,
        tuple(who.values()),
    )


def previewed_stage(
    drawn: Any, number: int, contestants: tuple[Drawn, ...], who: Who, before: int = 0
) -> ShownStage:
    """A stage that isn't kept yet (`DrawnStage`)."""
    format_ = drawn.settings.format()
    played = tuple(PlayedRound(plan, (None,) * len(plan.pairings)) for plan in drawn.rounds)
    progress = StageProgress(contestants, played)
    return ShownStage(
        number,
        _(drawn.settings.choice.name),
        drawn.seed,
        tuple(shown_round(plan, who, before) for plan in drawn.rounds),
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
