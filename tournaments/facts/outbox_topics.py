"""Topics of the outbox: work that is due in a tournament or a palio, deleted by who has done it.

Standings are due with every fact that they follow from. Once they are computed, more is due. In tournaments
that are drawn round by round, it is what follows by itself from results
(`commands.following_rounds.advance`). Where they count in a palio, it is the overall table. That holds
whoever computed them, and whatever became of the message that was to wake a worker.
"""

from uuid import UUID

from celery import signature

from games.logbook import OUTCOME
from ledger import outbox
from tournaments.models import Palio, StandingsVersion, Tournament

STANDINGS = OUTCOME
ADVANCE = "advance"
OVERALL = "overall"
SHOWN = "shown"
"""The outbox topic of an event of which the public can be shown something new: standings, an overall table,
an outlook.
"""


def subscribe() -> None:
    """Have every committed outcome wake a worker for its tournament's standings.

    Every change of what an overall table is computed from wakes one for the table.
    """
    outbox.subscribe(STANDINGS, wake)
    outbox.subscribe(OVERALL, wake_overall)


def wake(tournament_id: UUID) -> None:
    """Send the message that wakes a worker. Lost or doubled, it changes nothing but the hour: the sweep finds
    what is due.
    """
    signature("tournaments.compute_standings", (str(tournament_id),)).apply_async()


def wake_overall(palio_id: UUID) -> None:
    """Send the message that wakes a worker for a palio's table, as `wake` does."""
    signature("tournaments.compute_overall", (str(palio_id),)).apply_async()


def standings_moved(
    tournament: Tournament, version: StandingsVersion, before: StandingsVersion | None
) -> None:
    """A tournament has new standings: if these count in the palio, or those before did, its table is due."""
    if not (version.is_final or (before is not None and before.is_final)):
        return
    for palio_id in Palio.objects.filter(event=tournament.event_id).values_list("pk", flat=True):
        outbox.announce(OVERALL, palio_id, tournament.pk, tournament.version)
