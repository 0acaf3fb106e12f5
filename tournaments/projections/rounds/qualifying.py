"""Qualification from one stage to the next, as it stands."""

from collections.abc import Mapping, Sequence
from functools import cache
from uuid import UUID

from tournaments.formats import CannotDraw
from tournaments.formats.stages.compared import points_compared
from tournaments.formats.stages.model import Group, StagePreview, StageResult, Value
from tournaments.formats.stages.preview import preview_stage
from tournaments.projections.rounds.course import Key, StageHistory
from tournaments.projections.rounds.draw_comparison import as_due
from tournaments.projections.rounds.ranking import (
    ComingStage,
    Decided,
    GroupTables,
    compared_rows,
    group_tables,
    squad_ids,
)
from tournaments.settings.stage import StageSettings
from tournaments.standings import METRICS, Rules
from tournaments.standings.model import by_level


def stage_result(
    course: StageHistory,
    ids: Mapping[Key, UUID],
    rules: Rules,
    decided: Decided,
    tables: GroupTables = group_tables,
) -> StageResult:
    """A stage as what follows sees it: the places in its groups, what is missing, who is gone."""
    numbers = {ids[course.key(one.number)]: one.number for one in course.progress.contestants}
    if course.choice.has_places:
        placed = course.format.places(as_due(course).progress) or ()
        seen = {one for level in placed for one in level}
        waiting = tuple(one.number for one in course.progress.contestants if one.number not in seen)
        missing = 0 if course.is_finished() else max(1, len(waiting))
        groups = [Group("A", (*((waiting,) if waiting else ()), *placed), missing)]
        return StageResult(tuple(groups), points_compared(course.progress.played()), course.progress.gone)
    groups = [
        Group(table.name, by_level((row.place, numbers[row.team]) for row in table.rows), table.missing)
        for table in tables(course, ids, rules, decided)
    ]

    @cache
    def compare(left_out: frozenset[int]) -> dict[int, tuple[Value, ...]]:
        found: dict[int, tuple[Value, ...]] = {}
        # Who is left out is compared by what was played with those who count.
        for without in (left_out, *(left_out - {one} for one in left_out)):
            among = everybody - without
            for row in compared_rows(course, ids, rules, decided, among):
                if numbers[row.team] not in found:
                    found[numbers[row.team]] = tuple(
                        Value(key, value, METRICS[key].highest_first) for key, value in row.values
                    )
        return found

    everybody = frozenset(numbers.values())
    return StageResult(tuple(groups), compare, course.progress.gone)


def preview_next_stage(
    course: StageHistory,
    following: StageSettings,
    ids: Mapping[Key, UUID],
    rules: Rules,
    decided: Decided,
    seed: str,
    tables: GroupTables = group_tables,
) -> StagePreview:
    """Who would go on now, who wouldn't, who waits, and which ties have to be decided first.

    `tables` works out the groups. Raises CannotDraw where groups are compared that can't be.
    """
    if following.qualification is None:
        raise ValueError("the first stage follows none")
    numbers = {ids[course.key(one.number)]: one.number for one in course.progress.contestants}
    recorded = [
        tuple(numbers[squad] for squad in order if squad in numbers)
        for order in (*decided.lots, *decided.play_offs)
    ]
    result = stage_result(course, ids, rules, decided, tables)
    return preview_stage(result, following.qualification, recorded, seed)


def coming_stage(
    courses: Sequence[StageHistory], stages: Sequence[StageSettings], rules: Rules, decided: Decided
) -> ComingStage | None:
    """The stage that is drawn next; None where none follows, or it isn't decided yet who comes into it."""
    course = courses[-1]
    if len(courses) >= len(stages) or not course.is_finished():
        return None
    following, ids = stages[len(courses)], squad_ids(courses)
    try:
        preview = preview_next_stage(course, following, ids, rules, decided, course.seed)
    except CannotDraw:
        return None
    if preview.waits or len(preview.goes_on) < 2:
        return None
    squads = frozenset(ids[course.key(each.contestant)] for each in preview.goes_on)
    return ComingStage(squads, following.choice.has_places)
