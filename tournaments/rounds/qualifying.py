"""Who goes on from one stage to the next, as it stands: the preview, in contestants of the stage before."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from tournaments.formats.stages import (
    Entrant,
    Group,
    StagePreview,
    StageResult,
    apply,
    points_compared,
    preview_stage,
)
from tournaments.rounds.course import Key, StageCourse
from tournaments.rounds.ranking import Decided, annulled_of, group_tables
from tournaments.rounds.stage_settings import StageSettings
from tournaments.standings import Rules


def stage_result(course: StageCourse, ids: Mapping[Key, UUID], rules: Rules, decided: Decided) -> StageResult:
    """A stage as what follows sees it: the places in its groups, what is missing, who is gone."""
    numbers = {ids[course.key(one.number)]: one.number for one in course.progress.contestants}
    if course.choice.has_places:
        placed = course.format.places(course.progress) or ()
        seen = {one for level in placed for one in level}
        waiting = tuple(one.number for one in course.progress.contestants if one.number not in seen)
        missing = 0 if course.is_finished() else max(1, len(waiting))
        groups = [Group("A", (*((waiting,) if waiting else ()), *placed), missing)]
    else:
        groups = [
            Group(table.name, _levels([(row.place, numbers[row.team]) for row in table.rows]), table.missing)
            for table in group_tables(course, ids, rules, decided)
        ]
    without = annulled_of(course)
    compared = points_compared(
        tuple(each for each in course.progress.played() if without.isdisjoint(each[0].sides))
    )
    return StageResult(tuple(groups), compared, course.progress.gone)


def _levels(places: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    by_place: dict[int, list[int]] = {}
    for place, number in places:
        by_place.setdefault(place, []).append(number)
    return tuple(tuple(by_place[place]) for place in sorted(by_place))


def preview_next_stage(
    course: StageCourse,
    following: StageSettings,
    ids: Mapping[Key, UUID],
    rules: Rules,
    decided: Decided,
    seed: str,
) -> StagePreview:
    """Who would go on now, who wouldn't, who waits, and which ties have to be decided first.

    Raises CannotDraw where groups are compared that can't be.
    """
    if following.qualification is None:
        raise ValueError("the first stage follows none")
    numbers = {ids[course.key(one.number)]: one.number for one in course.progress.contestants}
    recorded = [
        tuple(numbers[squad] for squad in order if squad in numbers)
        for order in (*decided.lots, *decided.play_offs)
    ]
    return preview_stage(stage_result(course, ids, rules, decided), following.qualification, recorded, seed)


def entrants(course: StageCourse, preview: StagePreview) -> tuple[Entrant, ...]:
    """The contestants of the next stage, by seed. Raises CannotDraw as long as anything is open."""
    return apply(preview, course.progress.contestants)
