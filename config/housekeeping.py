"""Everything that is erased because of the time: names, notes, old logs and backups.

None of it trusts one reading of the wall clock.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from math import inf
from pathlib import Path
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.db.models import Max
from django.utils import timezone

from config.backup_folder import backups_in, newest_backup_at, parse_name
from config.backups.container import BackupError
from config.backups.goodness import BackupCheck
from config.backups.making import FAILURES, back_up
from integrations.webhooks import delivery
from ledger.models import Fact
from people import erasures, stored_answers
from people.actors import Actor
from people.erasures import Erasure
from people.event_days import are_notes_due, is_purge_due, notes_day, purge_day
from people.held_erasures import (
    NOTICE,
    Held,
    Reading,
    announce,
    forget_notice,
    had_notice,
    hold,
    hold_without_backup,
    note_believed,
    read_clock,
    release,
)
from people.models import AuditEntry, Event, PendingErasure
from people.pairings import drop_expired
from people.person_erasure import drop_notes, named_events, noted_events, purge, settle_intentions
from people.rate_limits import drop_past

ErasureKind = PendingErasure.ErasureKind

logger = logging.getLogger(__name__)


def erase_what_is_due(now: datetime | None = None) -> None:
    """Erase what is due by the calendar; hold all of it while the clock isn't believed.

    An event that fails keeps no other waiting.
    """
    reading = read_clock_here(now or timezone.now())
    announce_erasures(reading)
    names, notes = due_names(reading.now), due_notes(reading.now)
    has_old_log = delivery.old_log(reading.now).exists()
    if reading.doubt:
        hold(reading, {Held.NAMES: names, Held.NOTES: notes, Held.LOG: has_old_log})
        return
    note_believed(reading)
    _erase_names_and_notes(reading.now, names, notes)
    clear_backups()
    delivery.drop_old_log(reading.now)
    _drop_what_signing_in_left(reading.now)


def _erase_names_and_notes(now: datetime, names: list[Event], notes: list[Event]) -> None:
    """Erase what was announced, once there is a good backup."""
    names = [event for event in names if had_notice(event, ErasureKind.NAMES, now)]
    notes = [event for event in notes if had_notice(event, ErasureKind.NOTES, now)]
    if not (names or notes):
        release("Nothing is due any more.")
        return
    held = {event.pk: _people_of(event) for event in (*names, *notes)}
    if make_backup() is None:
        due = {Held.NAMES: names, Held.NOTES: notes}
        hold_without_backup(now, {held for held, what in due.items() if what})
        return
    release("A good backup was made.")
    due_notes = [(ErasureKind.NOTES, event, are_notes_due, drop_notes) for event in notes]
    due_names = [(ErasureKind.NAMES, event, is_purge_due, purge) for event in names]
    for kind, event, is_due, erase in (*due_notes, *due_names):

        def is_still_due(current: Event, is_due: Callable[[Event, datetime], bool] = is_due) -> bool:
            """Whether it is due after all that was changed meanwhile, and all of it is in the backup."""
            return is_due(current, now) and _people_of(current) <= held[current.pk]

        try:
            erase(event, Actor.service(), is_still_due)
            forget_notice(event, kind)
            logger.warning("The %s of the event %s were erased, as its settings say.", kind, event.pk)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            logger.exception("The %s of the event %s can't be erased.", kind, event.pk)


def _people_of(event: Event) -> set[UUID]:
    rows = (event.persons, event.referees)
    return {pk for manager in rows for pk in manager.values_list("pk", flat=True)}


def clear_backups() -> None:
    """Note which backup is the first without what was erased.

    Those before it are removed after seven days on which the service ran, once that one is good. A record
    that can't be read is logged, and no backup is removed.
    """
    folder = Path(settings.BACKUP_DIR)
    try:
        settle_intentions(erasures.read(folder))
        recorded = erasures.read(folder).erasures
    except OSError:
        logger.exception("The record of erasures in %s can't be read: no backup is removed.", folder)
        return
    if not recorded:
        return
    open_ones = [erasure for erasure in recorded if erasure.cleared is None]
    if open_ones and (made := make_backup()):
        for erasure in open_ones:
            erasure.cleared = number_of(made)
            erasures.add(folder, "cleared", erasure.id, number=erasure.cleared)
    days_run = erasures.count_days_run()
    past = [each.cleared for each in recorded if each.cleared and not each.is_open(days_run)]
    if past:
        remove_before(folder, max(past))


def remove_before(folder: Path, number: int) -> None:
    """Remove the backups before this number, if that one or a later one is good."""
    found = [path for path in folder.iterdir() if parse_name(path, path.suffix)]
    old = [path for path in found if number_of(path) < number]
    later = [path for path in backups_in(folder) if number_of(path) >= number]
    check = BackupCheck(Path(settings.VAR_DIR))
    if old and any(check.is_good(path) for path in reversed(later)):
        for path in old:
            path.unlink(missing_ok=True)
        logger.warning("Removed %d backups that still held what was erased.", len(old))


def number_of(path: Path) -> int:
    """The number in the name of a backup."""
    name = parse_name(path, path.suffix)
    return name.number if name else 0


def make_backup() -> Path | None:
    """A backup of now that was read back and found good.

    None, logged, if there is none, or if it takes too long for a task.
    """
    folder = Path(settings.BACKUP_DIR)
    try:
        made = back_up(folder)
        return made if BackupCheck(Path(settings.VAR_DIR)).is_good(made) else None
    except SoftTimeLimitExceeded:
        logger.error("No backup was made in %s: it takes longer than a task may.", folder)
    except (BackupError, *FAILURES):
        logger.exception("No backup was made in %s.", folder)
    return None


def removable(now: datetime, paths: Sequence[Path], is_good: Callable[[Path], bool]) -> list[Path]:
    """Those of the superfluous backups `paths` of one folder that may be removed because of this reading.

    None while the clock is doubted. Of what was erased, and can still be brought back, the newest good backup
    from before stays.
    """
    try:
        reading = read_clock_here(now)
        hold(reading, {Held.BACKUPS: True})
        if reading.doubt or reading.seen_at is None:
            return []
        days_run = erasures.count_days_run()
        recorded = erasures.read(Path(settings.BACKUP_DIR)).erasures
    except (DatabaseError, OSError):
        logger.exception("No backup is removed: whether the clock is right, or what was erased, isn't known.")
        return []
    there = backups_in(paths[0].parent) if paths else []
    open_ones = [erasure for erasure in recorded if erasure.is_open(days_run)]
    needed = {_last_before(erasure, there, is_good) for erasure in open_ones}
    return [path for path in paths if path not in needed]


def _last_before(erasure: Erasure, paths: list[Path], is_good: Callable[[Path], bool]) -> Path | None:
    """The newest good backup, of those from the oldest to the newest, that was made before an erasure."""
    first_without = erasure.cleared or inf
    for path in reversed(paths):
        name = parse_name(path)
        if name and name.number < first_without and name.made_at <= erasure.at and is_good(path):
            return path
    return None


def read_clock_here(now: datetime) -> Reading:
    """Judge a reading by what is recorded here; four queries."""
    facts = Fact.objects.aggregate(at=Max("recorded_at"))["at"]
    audit = AuditEntry.objects.aggregate(at=Max("at"))["at"]
    newest = max(filter(None, (facts, audit, newest_backup_at(settings.BACKUP_DIR))), default=None)
    return read_clock(now, newest)


def announce_erasures(reading: Reading) -> None:
    """Announce at the desk which names and notes go within a day."""
    then = reading.now + NOTICE
    names = {(event.pk, str(ErasureKind.NAMES)): purge_day(event) for event in due_names(then)}
    notes = {(event.pk, str(ErasureKind.NOTES)): notes_day(event) for event in due_notes(then)}
    announce(reading, names | notes)


def due_names(now: datetime) -> list[Event]:
    """The events whose players and referees are to be erased."""
    return [event for event in named_events() if is_purge_due(event, now)]


def due_notes(now: datetime) -> list[Event]:
    """The events whose notes of persons (an allergy, say) are to be erased."""
    return [event for event in noted_events() if are_notes_due(event, now)]


def _drop_what_signing_in_left(now: datetime) -> None:
    """Forget tries that count no more, answers that nobody is given again, phones that nobody has let in,
    and sessions that are over.
    """
    drop_past(now)
    stored_answers.drop_old(now)
    drop_expired()
    Session.objects.filter(expire_date__lt=now).delete()
