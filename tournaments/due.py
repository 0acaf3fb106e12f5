"""Due standings: rows of the ledger's outbox, inserted with the fact, deleted by who has computed from it."""

from uuid import UUID

from games.logbook import OUTCOME
from ledger import outbox

TOPIC = OUTCOME


def subscribe() -> None:
    """Have every committed outcome wake the computing of its tournament's standings."""
    outbox.subscribe(TOPIC, wake)


def wake(tournament_id: UUID) -> None:
    """Send the message that wakes a worker. Lost or doubled, it changes nothing but the hour: see the
    sweep.
    """
    from tournaments.tasks import compute_standings

    compute_standings.delay(str(tournament_id))
