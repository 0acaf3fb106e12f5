"""Who sits a round out, as the public sees it."""

from collections.abc import Iterable
from uuid import UUID

from people.models import Event
from publishing.squads import squads_called
from tournaments.models import DrawnRound, Tournament


def byes(event: Event, tournament: Tournament, numbers: Iterable[int]) -> dict[int, list[str]]:
    """Who has a bye in these rounds, by the names that may be shown; two queries."""
    if not tournament.is_by_round:
        return {}
    rounds = DrawnRound.objects.filter(stage__tournament=tournament, number__in=list(numbers))
    found = {each.number: [UUID(squad) for squad in each.byes] for each in rounds}
    names = squads_called(event, [squad for squads in found.values() for squad in squads])
    return {number: [names[squad] for squad in squads if squad in names] for number, squads in found.items()}
