"""The step from a preview to the contestants of the next stage."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import CannotDraw, gettext_noop
from ..format import Contestant, unknown_contestant
from .model import StagePreview


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant of the next stage, numbered by seed, and the number it had in the last one."""

    contestant: Contestant
    was: int


def apply(preview: StagePreview, contestants: Iterable[Contestant]) -> tuple[Entrant, ...]:
    """The next stage's contestants, by seed; teams are numbered in the order in which they come. What was
    asked for in the stage before is forgotten. Raises CannotDraw as long as anything is open.

    Codes: `unresolved_tie` names who is level, `stage_open` how many wait for results, `too_few` and
    `unknown_contestant`.
    """
    if preview.ties:
        tied = preview.ties[0]
        raise CannotDraw(
            "unresolved_tie",
            gettext_noop("Nobody goes on before this is decided: %(who)s are level (ties in all: %(ties)d)."),
            who=", ".join(map(str, tied.contestants)),
            ties=len(preview.ties),
        )
    if preview.waits:
        raise CannotDraw(
            "stage_open",
            gettext_noop("The stage isn't over. Contestants who wait for results: %(waiting)d."),
            waiting=len(preview.waits),
        )
    if len(preview.goes_on) < 2:
        raise CannotDraw(
            "too_few",
            gettext_noop("Going on: %(given)d; a stage needs two contestants at least."),
            given=len(preview.goes_on),
        )
    by_number = {one.number: one for one in contestants}
    entrants: list[Entrant] = []
    teams: dict[int, int] = {}
    for seed, going in enumerate(preview.goes_on, start=1):
        if going.contestant not in by_number:
            raise unknown_contestant(going.contestant)
        was = by_number[going.contestant]
        team = teams.setdefault(was.team, len(teams) + 1)
        entrant = Contestant(number=seed, team=team, labels=was.labels)
        entrants.append(Entrant(entrant, going.contestant))
    return tuple(entrants)
