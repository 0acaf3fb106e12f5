"""A stage that is drawn round by round as pages and programs read it: its course, places and bracket."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from people.refusals import Refused
from tournaments.formats.elimination.format import bracket_of, last_matches_of
from tournaments.formats.elimination.tree import Bracket
from tournaments.models import Stage, Tournament
from tournaments.projections.rounds.course import Key, StageHistory
from tournaments.projections.rounds.draw_comparison import as_due
from tournaments.projections.rounds.qualifying import coming_stage
from tournaments.projections.rounds.ranking import GroupTable, group_tables, squad_ids
from tournaments.projections.standings_inputs import StandingsInputs, inputs_now


@dataclass(frozen=True, slots=True)
class RoundsPlan:
    """A plan of rounds at tables: its number, and the rounds of the stage that are still as it says. Of a
    later one also when and why it was made (of `PLAN_REASONS`), and the squad that left or came.
    """

    number: int
    rounds: tuple[int, ...]
    at: datetime | None = None
    reason: str | None = None
    squad: UUID | None = None


@dataclass(frozen=True, slots=True)
class StageView:
    """A stage so far.

    `ids` are the squads through all stages. `groups` are there where metrics order it (one group, if it has
    no several). Else `places` are: who shares one, by number, the first place first. `plans` are there where
    rounds can be planned anew.
    """

    course: StageHistory
    ids: dict[Key, UUID]
    groups: tuple[GroupTable, ...]
    places: tuple[tuple[int, ...], ...]
    bracket: Bracket | None
    plans: tuple[RoundsPlan, ...]


def may_be_drawn(inputs: StandingsInputs, key: Key) -> bool:
    """Whether something is to come in which a squad could have a part, unless it has left."""
    if not inputs.courses or inputs.is_all_drawn():
        return False
    course = inputs.courses[-1]
    numbers = {course.key(number): number for number in range(1, len(course.squads) + 1)}
    if key not in numbers:
        return False
    if course.number < len(inputs.planned_stages()):
        return True
    number = numbers[key]
    progress = as_due(course).progress
    if number in last_matches_of(course.format, progress):
        return False
    return not any(number in level for level in course.format.places(progress) or ())


def may_play_on(inputs: StandingsInputs, key: Key) -> bool:
    """Whether another match of a squad can still be drawn.

    It can if the squad hasn't left and isn't out, and something is to come in which it has a part, or may
    have one.
    """
    if inputs.stages.is_gone(key) or not may_be_drawn(inputs, key):
        return False
    if inputs.courses[-1].number == len(inputs.planned_stages()):
        return True
    coming = coming_stage(inputs.courses, inputs.planned_stages(), inputs.rules(), inputs.decided())
    return coming is None or squad_ids(inputs.courses)[key] in coming.squads


def stage_view(tournament: Tournament, number: int) -> StageView:
    """A stage by its number; `Refused("no-stage")`. Four queries, however long it is, and one more
    where rounds can be planned anew.
    """
    inputs = inputs_now(tournament)
    course = next((each for each in inputs.by_round if each.number == number), None)
    if course is None:
        raise Refused("no-stage", _("There is no such stage that is drawn round by round."), status=404)
    ids = squad_ids(inputs.courses)
    return StageView(
        course,
        ids,
        group_tables(course, ids, inputs.rules(), inputs.decided()),
        (course.format.places(as_due(course).progress) or ()) if course.choice.has_places else (),
        bracket_of(course.format, course.progress, course.seed),
        _plans(course, ids) if course.format.replans else (),
    )


def _plans(course: StageHistory, ids: dict[Key, UUID]) -> tuple[RoundsPlan, ...]:
    """The plans of a stage's rounds; each round is of the last one that was made for it."""
    edits = [edit for edit in Stage.objects.get(pk=course.stage).edits if "plan" in edit]
    later = [
        RoundsPlan(
            edit["plan"],
            tuple(number - course.rounds_before for number in edit["rounds"]),
            datetime.fromisoformat(edit["at"]),
            edit["reason"],
            ids[edit["squad"]["team"], edit["squad"]["squad"]] if "squad" in edit else None,
        )
        for edit in edits
    ]
    planned = {number for plan in later for number in plan.rounds}
    first = (each.plan.number for each in course.progress.rounds if each.plan.number not in planned)
    return (RoundsPlan(1, tuple(first)), *later)
