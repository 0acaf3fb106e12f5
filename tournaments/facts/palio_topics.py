"""Due overall tables: rows of the ledger's outbox, as `tournaments.facts.topics` has them for standings."""

from uuid import UUID

from celery import signature

from ledger import outbox
from tournaments.models import Palio, StandingsVersion, Tournament

TOPIC = "overall"


def subscribe() -> None:
    """Have every change of what the overall table reads wake its computing."""
    outbox.subscribe(TOPIC, wake)


def wake(palio_id: UUID) -> None:
    """Send the message that wakes a worker; lost or doubled, it changes nothing but the hour."""
    signature("tournaments.compute_overall", (str(palio_id),)).apply_async()


def standings_moved(
    tournament: Tournament, version: StandingsVersion, before: StandingsVersion | None
) -> None:
    """A tournament has new standings: if these count in the palio, or those before did, its table is due."""
    if not (version.is_final or (before is not None and before.is_final)):
        return
    for palio_id in Palio.objects.filter(event=tournament.event_id).values_list("pk", flat=True):
        outbox.announce(TOPIC, palio_id, tournament.pk, tournament.version)
