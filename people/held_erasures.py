"""Erasing that is held while the wall clock isn't believed, and an organizer's confirmation of the date."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import Q

from people import audit
from people.actors import Actor
from people.clock_trust import Doubt, judge
from people.event_days import today
from people.models import Event, PendingErasure, ServiceClock

NOTICE = timedelta(days=1)
"""For so long at least it is announced that names or notes go by themselves."""
SEEN_EVERY = timedelta(hours=1)
"""So often a believed reading is stored: on an idle laptop each one makes the next backup a new one."""
ERASE = "config.erase_what_is_due"
"""The task that erases."""

logger = logging.getLogger(__name__)


class Held(StrEnum):
    """What is due by the clock, and waits while it isn't believed."""

    NAMES = "names"
    NOTES = "notes"
    LOG = "log"
    BACKUPS = "backups"


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of the wall clock, and why it isn't believed.

    `seen_at` is the last believed reading, None in a new database; `newest` is the time of the newest fact,
    audit row or backup.
    """

    now: datetime
    doubt: Doubt | None
    seen_at: datetime | None
    newest: datetime | None


def read_clock(now: datetime, newest: datetime | None) -> Reading:
    """Judge a reading by what is stored; one query."""
    row = ServiceClock.objects.first()
    seen_at, excused_until = (row.seen_at, row.excused_until) if row else (None, None)
    return Reading(now, judge(now, seen_at, newest, excused_until), seen_at, newest)


def note_believed(reading: Reading) -> None:
    """Store a believed reading, if the last one is an hour or a day old, and let go on what was held."""
    row, is_new = ServiceClock.objects.get_or_create(defaults={"seen_at": reading.now})
    is_another_day = reading.now.astimezone(UTC).date() > row.seen_at.astimezone(UTC).date()
    if not is_new and (is_another_day or reading.now - row.seen_at >= SEEN_EVERY):
        ServiceClock.objects.filter(pk=row.pk, seen_at=row.seen_at).update(
            seen_at=reading.now, days_run=row.days_run + is_another_day
        )
    if row.held and row.reason != ServiceClock.HoldReason.BACKUP:
        release("The clock is believed again.")


@transaction.atomic
def release(why: str) -> None:
    """Let go on what is held, if anything is, and log why."""
    row = ServiceClock.objects.select_for_update().exclude(reason="").first()
    if row is not None:
        logger.warning("%s What was held goes on: %s.", why, ", ".join(row.held))
        _let_go(row)
        row.save()


@transaction.atomic
def hold_without_backup(now: datetime, due: set[Held]) -> None:
    """Store and log that this is due and isn't erased, since no good backup could be made before."""
    row = ServiceClock.objects.select_for_update().get()
    if (row.held, row.reason) != (sorted(due), ServiceClock.HoldReason.BACKUP):
        row.held, row.reason, row.held_since = sorted(due), ServiceClock.HoldReason.BACKUP, now
        row.save()
        logger.warning("Nothing is erased until a good backup could be made. Held: %s.", ", ".join(row.held))


@transaction.atomic
def hold(reading: Reading, due: Mapping[Held, object]) -> None:
    """Store and log which of these kinds are due by this reading and aren't erased; nothing is written where
    that is known. What is held of other kinds stays.
    """
    if reading.doubt is None:
        return
    row = ServiceClock.objects.select_for_update().first()
    others = set(row.held if row else ()) - due.keys()
    held = sorted(others | {kind for kind, what in due.items() if what})
    if not held:
        release("Nothing is due by the clock any more.")
        return
    row = row or ServiceClock(seen_at=reading.newest or reading.now)
    if (row.held, row.reason) == (held, reading.doubt):
        return
    if row.reason != reading.doubt:
        row.held_since = reading.now
    row.held, row.reason, row.newest = held, reading.doubt, reading.newest
    row.save()
    logger.warning(
        "The clock says %s, and that isn't believed (%s; last believed: %s). Nothing is erased until an "
        "organizer confirms the date at the desk. Held: %s.",
        reading.now.isoformat(timespec="seconds"),
        reading.doubt,
        row.seen_at.isoformat(timespec="seconds"),
        ", ".join(held),
    )


def announce(reading: Reading, coming: dict[tuple[UUID, str], date]) -> None:
    """Store what goes by itself within a day, by event and kind; what goes no more, or later, is forgotten.

    While the clock isn't believed nothing is forgotten, and the day of notice doesn't begin.
    """
    for row in PendingErasure.objects.all():
        due_on = coming.pop((row.event_id, row.kind), None)
        announced_at = row.announced_at or (None if reading.doubt else reading.now)
        if due_on is None:
            if reading.doubt is None:
                row.delete()
        elif (row.announced_at, row.due_on) != (announced_at, due_on):
            row.announced_at, row.due_on = announced_at, due_on
            row.save()
    PendingErasure.objects.bulk_create(
        [
            PendingErasure(
                event_id=event_id,
                kind=kind,
                due_on=due_on,
                announced_at=None if reading.doubt else reading.now,
            )
            for (event_id, kind), due_on in coming.items()
        ],
        ignore_conflicts=True,
    )


def announced_for(
    event: Event, now: datetime, waiting: ServiceClock | None
) -> list[tuple[PendingErasure, date | None]]:
    """What goes by itself at an event within a day by this clock, each with its day; one query.

    None for a day: as soon as somebody confirms the date, where that is `waiting`. What was announced under
    another clock, and is due later by this one, isn't told.
    """
    is_doubted = waiting is not None and waiting.reason in list(Doubt)
    rows = PendingErasure.objects.filter(event=event, due_on__lte=today(event, now + NOTICE))
    return [
        (row, None if is_doubted and row.due_on <= today(event, now) else row.goes_on(NOTICE, now))
        for row in rows.select_related("event")
    ]


def waiting_for_date(event: Event, now: datetime) -> tuple[list[PendingErasure], int]:
    """What goes at once when somebody confirms the date: that of this event, and how many other events have
    something; one query.
    """
    rows = [
        row for row in PendingErasure.objects.select_related("event") if row.due_on <= today(row.event, now)
    ]
    here = [row for row in rows if row.event_id == event.pk]
    return here, len({row.event_id for row in rows} - {event.pk})


def had_notice(event: Event, kind: str, now: datetime) -> bool:
    """Whether it was announced a day ago, or agreed to, that this goes; one query."""
    rows = PendingErasure.objects.filter(event=event, kind=kind)
    return rows.filter(Q(is_agreed=True) | Q(announced_at__lte=now - NOTICE)).exists()


def forget_notice(event: Event, kind: str) -> None:
    """Whoever is entered after an erasure has a notice of their own."""
    PendingErasure.objects.filter(event=event, kind=kind).delete()


def held_now() -> ServiceClock | None:
    """What is held, if anything is; one query."""
    return ServiceClock.objects.exclude(reason="").first()


@transaction.atomic
def confirm_date(event: Event, actor: Actor, now: datetime) -> bool:
    """Believe this reading, and let go on what was held; False, and nothing done, if nothing was.

    Names and notes that are due by then need no further notice: this page has told of them.

    The trail of the event says who confirmed which date.
    """
    row = ServiceClock.objects.select_for_update().filter(reason__in=list(Doubt)).first()
    if row is None:
        return False
    row.days_run += now.astimezone(UTC).date() != row.seen_at.astimezone(UTC).date()
    row.seen_at = now
    # What was recorded later than now was recorded under a wrong clock.
    row.excused_until = max(filter(None, (row.newest, row.excused_until, now)))
    _let_go(row)
    row.save()
    for pending in PendingErasure.objects.select_related("event"):
        if pending.due_on <= today(pending.event, now):
            PendingErasure.objects.filter(pk=pending.pk).update(is_agreed=True)
    day = today(event, now)
    audit.note(event, actor, event.pk, "date_confirmed", day.isoformat())
    logger.warning("An organizer has confirmed the date, %s.", day.isoformat())
    # Without a broker it is done at the next turn.
    transaction.on_commit(lambda: current_app.send_task(ERASE), robust=True)
    return True


def _let_go(row: ServiceClock) -> None:
    row.held, row.reason, row.held_since, row.newest = [], "", None, None
