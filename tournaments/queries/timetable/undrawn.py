"""Rounds that follow from results and aren't drawn yet: a day's hours leave them out."""

from collections.abc import Iterable
from dataclasses import dataclass

from people.models import Event
from tournaments.models import Tournament
from tournaments.projections.standings_inputs import StandingsInputs, inputs_now


@dataclass(frozen=True, slots=True)
class Undrawn:
    """What isn't drawn yet of a tournament: so many rounds, None where results or a later stage decide how
    many.
    """

    tournament: Tournament
    rounds: int | None


def undrawn_of(event: Event) -> list[Undrawn]:
    """Of an event's tournaments that are drawn and not closed those with rounds to come. A query, and three
    for each in which something follows from results.
    """
    drawn = event.tournaments.filter(status__in=Tournament.DRAWN_NOT_CLOSED).order_by("created_at")
    return undrawn((each, inputs_now(each)) for each in drawn if each.follows_results)


def undrawn(tournaments: Iterable[tuple[Tournament, StandingsInputs]]) -> list[Undrawn]:
    """Of these tournaments, with what is known of them, those with rounds to come."""
    found = []
    for tournament, inputs in tournaments:
        if not inputs.courses or inputs.is_all_drawn():
            continue
        course = inputs.courses[-1]
        first = sum(each.since <= 1 for each in course.progress.contestants)
        total = (
            course.format.rounds_for(first) if len(inputs.courses) == len(inputs.settings.stages()) else None
        )
        left = None if total is None else total - len(course.progress.rounds)
        found.append(Undrawn(tournament, left if left is not None and left > 0 else None))
    return found
