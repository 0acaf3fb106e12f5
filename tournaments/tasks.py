"""Celery tasks: thin, idempotent, with simple values."""

import logging
from uuid import UUID

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded

from ledger import outbox
from tournaments.commands import timetable_work
from tournaments.commands.following_rounds import advance
from tournaments.facts import outbox_topics
from tournaments.facts.locks import is_locked
from tournaments.projections import outlooks, overall, standings

logger = logging.getLogger(__name__)


@shared_task(name="tournaments.compute_standings")
def compute_standings(tournament_id: str) -> None:
    """Bring one tournament's standings up to date, and do what follows by itself from the results.

    Each result sends a message, and the first that is read does the work of all that have come by then.
    Where somebody is at it, it is left to them, so that one tournament takes one process at most.
    """
    tournament = UUID(tournament_id)
    if not _is_due(tournament) or is_locked(tournament):
        return
    standings.compute(tournament)
    advance(tournament)
    if _is_due(tournament):
        # It came meanwhile, and whoever was woken for it left it to us.
        outbox_topics.wake(tournament)


def _is_due(tournament: UUID) -> bool:
    return bool(outbox.waiting((outbox_topics.STANDINGS, outbox_topics.ADVANCE), tournament))


@shared_task(name="tournaments.compute_overall")
def compute_overall(palio_id: str) -> None:
    """Bring one palio's overall table up to date."""
    overall.compute(UUID(palio_id))


@shared_task(name="tournaments.sweep_due_standings")
def sweep_due_standings() -> None:
    """Wake a worker for whatever is due: finds what a lost message left.

    Each tournament and each overall table has a message of its own, and so a time limit of its own. One that
    fails, or takes too long, keeps no other one waiting.
    """
    for tournament_id in dict.fromkeys(
        (*outbox.pending(outbox_topics.STANDINGS), *outbox.pending(outbox_topics.ADVANCE))
    ):
        outbox_topics.wake(tournament_id)
    for palio_id in outbox.pending(outbox_topics.OVERALL):
        outbox_topics.wake_overall(palio_id)


@shared_task(name="tournaments.work_out_timetable", acks_late=False)
def work_out_timetable(work_id: str) -> None:
    """Work out a timetable that was asked for. A worker that dies at it leaves a work that is taken to be
    gone; whoever asked asks again.
    """
    timetable_work.run(UUID(work_id))


@shared_task(name="tournaments.compute_outlooks")
def compute_outlooks() -> None:
    """Look ahead wherever the standings have moved on, one tournament after the other.

    Where they are to move on again by what was entered just now, they go first.
    """
    for tournament_id in outlooks.pending():
        if outbox.waiting((outbox_topics.STANDINGS,), tournament_id):
            continue
        try:
            outlooks.compute(tournament_id)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            logger.exception("What is still open in %s can't be told.", tournament_id)
