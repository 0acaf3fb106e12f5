"""Topics of the outbox: work that is due in a tournament, deleted by who has done it.

Standings are due with every fact that they follow from. Once they are computed, what follows by itself from
results is due in tournaments that are drawn round by round (`commands.advance`): whoever computed them, and
whatever became of the message that was to wake a worker.
"""

from uuid import UUID

from celery import signature

from games.logbook import OUTCOME
from ledger import outbox

TOPIC = OUTCOME
ADVANCE = "advance"
SHOWN = "shown"
"""The outbox topic of an event of which the public can be shown something new: standings, an overall table, a
look ahead.
"""


def subscribe() -> None:
    """Have every committed outcome wake the computing of its tournament's standings."""
    outbox.subscribe(TOPIC, wake)


def wake(tournament_id: UUID) -> None:
    """Send the message that wakes a worker. Lost or doubled, it changes nothing but the hour: see the
    sweep.
    """
    signature("tournaments.compute_standings", (str(tournament_id),)).apply_async()
