"""Celery tasks: thin, idempotent, with simple values."""

import logging
from uuid import UUID

from celery import shared_task

from ledger import outbox
from tournaments import due, outlooks, standing
from tournaments.actions.advance import advance
from tournaments.palio import due as overall_due
from tournaments.palio import standing as overall
from tournaments.timetable import working

logger = logging.getLogger(__name__)


@shared_task(name="tournaments.compute_standings")
def compute_standings(tournament_id: str) -> None:
    """Bring one tournament's standings up to date, and do what follows by itself from the results.

    Each result sends a message, and the first that is read does the work of all that have come by then.
    """
    if outbox.waiting((due.TOPIC, due.ADVANCE), UUID(tournament_id)):
        standing.compute(UUID(tournament_id))
        advance(UUID(tournament_id))


@shared_task(name="tournaments.compute_overall")
def compute_overall(palio_id: str) -> None:
    """Bring one palio's overall table up to date."""
    overall.compute(UUID(palio_id))


@shared_task(name="tournaments.sweep_due_standings")
def sweep_due_standings() -> None:
    """Do whatever is due, overall tables and rounds to be drawn too: finds what a lost message left.

    A tournament that can't be computed keeps no other one waiting: it is logged, and stays due.
    """
    for tournament_id in outbox.pending(due.TOPIC):
        try:
            standing.compute(tournament_id)
        except Exception:
            logger.exception("The standings of %s can't be computed.", tournament_id)
    for tournament_id in outbox.pending(due.ADVANCE):
        try:
            advance(tournament_id)
        except Exception:
            logger.exception("What follows from the results of %s can't be done.", tournament_id)
    for palio_id in outbox.pending(overall_due.TOPIC):
        try:
            overall.compute(palio_id)
        except Exception:
            logger.exception("The overall table of %s can't be computed.", palio_id)


@shared_task(name="tournaments.work_out_timetable", acks_late=False)
def work_out_timetable(work_id: str) -> None:
    """Work out a timetable that was asked for. A worker that dies at it leaves a work that is taken to be
    gone; whoever asked asks again.
    """
    working.run(UUID(work_id))


@shared_task(name="tournaments.compute_outlooks")
def compute_outlooks() -> None:
    """Look ahead wherever the standings have moved on, one tournament after the other.

    Where they are to move on again by what was entered just now, they go first.
    """
    for tournament_id in outlooks.pending():
        if outbox.waiting((due.TOPIC,), tournament_id):
            continue
        try:
            outlooks.compute(tournament_id)
        except Exception:
            logger.exception("What is still open in %s can't be told.", tournament_id)
