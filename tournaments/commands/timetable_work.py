"""Commands: have a timetable worked out in the background, watch it, stop it, keep what it found.

What is asked for is a row; a worker takes it, says how far it is, and leaves its answer there.
"""

import logging
import secrets
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from celery import signature
from django.conf import settings as service
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from people.actors import Actor
from people.models import Event, Referee
from people.refusals import Refused
from tournaments.commands.table_cards import put_up_tables
from tournaments.commands.timetable import At, keep_places, set_timetable, unlock_matches
from tournaments.models import Place, TimetableWork
from tournaments.queries.timetable.match_starts import hours_of_event
from tournaments.queries.timetable.problem import Given, clock, placed, read, settings_of
from tournaments.scheduling.figures import Comparison, figures
from tournaments.scheduling.model import (
    Impossible,
    Placement,
    Progress,
    SettingsChange,
    SolvedTimetable,
    Stopped,
)
from tournaments.scheduling.solving import SECONDS, solve
from tournaments.settings.timetable import OWN, Span, TimetableSettings, minutes_of

WATCH = 0.5
"""Seconds between two looks whether to stop, at which it says how far it is."""
GONE = timedelta(seconds=30)
"""A worker who gave no sign of life for so long is taken to be gone."""
Status = TimetableWork.Status
ON = (Status.WAITING, Status.RUNNING)
CHANGED_ELSEWHERE = (SettingsChange.JUDGES, SettingsChange.FEWER_ROUNDS)
"""Changes that no setting of the timetable makes."""

logger = logging.getLogger(__name__)


def newest(event: Event) -> TimetableWork | None:
    """What was asked for last, if anything; one query."""
    return TimetableWork.objects.filter(event=event).order_by("-asked_at").first()


def is_on(work: TimetableWork | None) -> bool:
    """Whether somebody works at it, or will."""
    if work is None or work.status not in ON:
        return False
    return timezone.now() - (work.seen_at or work.asked_at) < GONE


@transaction.atomic
def ask(
    event: Event, actor: Actor, values: Mapping[str, Any] | None = None, *, seed: str = ""
) -> TimetableWork:
    """Have the event's timetable worked out, with other settings if they are given.

    Raises `Refused` for settings that don't hold, without a draw, or while another one is being worked out.
    """
    timetable = set_timetable(event, actor, values or {})
    if is_on(newest(event)):
        raise Refused(
            "already-working", _("A timetable is being worked out already: wait for it, or stop it.")
        )
    chosen = TimetableSettings.from_json(timetable.settings or {}, settings_of(event))
    if not read(event, chosen).problem.meetings:
        raise Refused("nothing-to-place", _("There is no match to be placed: draw first."))
    TimetableWork.objects.filter(event=event).delete()
    work = TimetableWork.objects.create(
        event=event,
        seed=seed or secrets.token_hex(4),
        version=timetable.version,
        settings=chosen.as_json(),
    )
    transaction.on_commit(lambda: _begin(work.pk))
    return work


def _begin(work_id: UUID) -> None:
    """Wake a worker. In one process it is a thread of its own: standings don't wait behind it."""
    if service.CELERY_BROKER_URL.startswith("memory:"):
        threading.Thread(target=_run_apart, args=(work_id,), name="timetable", daemon=True).start()
        return
    signature("tournaments.work_out_timetable", (str(work_id),)).apply_async()


def _run_apart(work_id: UUID) -> None:
    try:
        run(work_id)
    finally:
        connection.close()


def stop(event: Event) -> TimetableWork | None:
    """Have the work stop; what was found so far is its answer."""
    work = newest(event)
    if work is not None and work.status in ON:
        TimetableWork.objects.filter(pk=work.pk).update(is_to_stop=True)
        TimetableWork.objects.filter(pk=work.pk, status=Status.WAITING).update(status=Status.CANCELLED)
        if not is_on(work):
            TimetableWork.objects.filter(pk=work.pk, status__in=ON).update(status=Status.FAILED)
        work.refresh_from_db()
    return work


def run(work_id: UUID, *, seconds: float = SECONDS, is_watched: bool = True) -> None:
    """Do what was asked for; nothing if somebody does already. Twice, late or after a stop it harms nothing.

    `is_watched`: a thread beside it says how far it is, and looks whether to stop.
    """
    rows = TimetableWork.objects.filter(pk=work_id)
    if not rows.filter(status=Status.WAITING).update(status=Status.RUNNING, seen_at=timezone.now()):
        return
    watcher = _Watcher(work_id)
    if is_watched:
        watcher.start()
    try:
        work = rows.select_related("event").get()
        given = read(work.event, TimetableSettings.from_json(work.settings), anew=True, now=timezone.now())
        answer = solve(
            given.problem,
            seed=work.seed,
            seconds=seconds,
            report=watcher.note,
            cancelled=watcher.stopping.is_set,
        )
        status, told = _told(answer, given.settings)
    except Stopped:
        status, told = Status.CANCELLED, {}
    except Exception:
        logger.exception("The timetable %s can't be worked out.", work_id)
        status, told = Status.FAILED, {}
    finally:
        watcher.end()
    rows.filter(status=Status.RUNNING).update(status=status, answer=told, seen_at=timezone.now())


class _Watcher(threading.Thread):
    """Writes down how far the work is, and hears that it is to stop; on a connection of its own."""

    def __init__(self, work_id: UUID) -> None:
        super().__init__(name="timetable-watch", daemon=True)
        self.stopping = threading.Event()
        self._work_id = work_id
        self._over = threading.Event()
        self._last: Progress | None = None

    def note(self, progress: Progress) -> None:
        """Keep what is said, until it is written down."""
        self._last = progress

    def run(self) -> None:
        """Look now and then, until the end."""
        try:
            while not self._over.wait(WATCH):
                self._look()
        finally:
            connection.close()

    def _look(self) -> None:
        try:
            rows = TimetableWork.objects.filter(pk=self._work_id)
            said = asdict(self._last) if self._last else {}
            rows.update(progress=said, seen_at=timezone.now())
            if rows.filter(is_to_stop=False).first() is None:
                self.stopping.set()
        except Exception:
            # The work goes on: what can't be said now is said a moment later.
            logger.exception("The timetable %s can't say how far it is.", self._work_id)

    def end(self) -> None:
        """Look no more."""
        self._over.set()
        if self.is_alive():
            self.join()


def _told(answer: SolvedTimetable | Impossible, settings: TimetableSettings) -> tuple[Status, dict[str, Any]]:
    if isinstance(answer, SolvedTimetable):
        return Status.FOUND, {
            "method": answer.method.value,
            "end": answer.end,
            "is_best": answer.is_best,
            "waiting": answer.waiting,
            "placements": [asdict(each) for each in answer.placements],
        }
    return Status.IMPOSSIBLE, {
        "cause": answer.cause.value,
        "proved": answer.proved,
        "needed": answer.needed,
        "there": answer.there,
        "about": answer.about,
        "not_before": answer.not_before,
        "in_all": answer.in_all,
        "keys": list(answer.keys),
        "conflicts": [asdict(each) for each in answer.conflicts],
        "remedies": [
            {"change": each.change.value, "amount": each.amount, "least": each.least}
            for each in answer.remedies
            if each.change in CHANGED_ELSEWHERE or remedied(settings, each.change, each.amount) is not None
        ],
    }


def proposed(work: TimetableWork) -> tuple[Placement, ...]:
    """The places that were found."""
    return tuple(Placement(**each) for each in work.answer.get("placements", ()))


def compare(given: Given, placements: Iterable[Placement]) -> Comparison:
    """The figures of the timetable as it is now, and with these placements. Only matches that have both
    count, with the lengths that each timetable gives them. `given` is what the placements were worked out
    from. Some twelve queries.
    """
    now = read(given.event)
    proposed = [each for each in placements if each.key in now.matches and each.key in given.matches]
    keys = {each.key for each in proposed}
    before = [each for each in placed(now, hours_of_event(given.event)) if each.key in keys]
    return Comparison(figures(now.problem, before), figures(given.problem, proposed))


@transaction.atomic
def keep(event: Event, actor: Actor) -> TimetableWork:
    """Store what was found as the event's timetable. Raises `Refused` where there is nothing to keep, and
    `ConflictError` where somebody has changed the timetable since it was asked for.
    """
    work = TimetableWork.objects.select_for_update().filter(event=event).order_by("-asked_at").first()
    if work is None or work.status != Status.FOUND:
        raise Refused("nothing-found", _("There is no proposal to keep: have one worked out first."))
    given = read(event, TimetableSettings.from_json(work.settings), anew=True)
    store(given, actor, proposed(work), expected_version=work.version)
    work.status = Status.KEPT
    work.save(update_fields=["status"])
    return work


@transaction.atomic
def store(
    given: Given,
    actor: Actor,
    placements: Iterable[Placement],
    *,
    kind: str = "kept",
    expected_version: int | None = None,
) -> None:
    """Make these placements the event's timetable; tables that aren't there yet are put up. Raises as
    `keep_places` does.
    """
    listed = [each for each in placements if each.key in given.matches]
    put_up_tables(given.event, actor, (int(each.table) for each in listed))
    keep_places(given.event, actor, _places_of(given, listed), kind=kind, expected_version=expected_version)


def _places_of(given: Given, placements: Iterable[Placement]) -> dict[UUID, At]:
    """Placements as they are stored."""
    tables = {table.number: table for table in given.event.tables.all()}
    referees = set(Referee.objects.filter(event=given.event).values_list("pk", flat=True))
    locked = set(
        Place.objects.filter(tournament__event=given.event, is_locked=True).values_list("pk", flat=True)
    )
    found = {}
    for each in placements:
        judge = UUID(each.judge) if each.judge else None
        found[UUID(each.key)] = At(
            given.ruler.moment(each.start),
            given.problem.by_key[each.key].minutes,
            tables[int(each.table)].pk,
            judge if judge in referees else None,
            UUID(each.key) in locked,
        )
    return found


def remedied(settings: TimetableSettings, change: SettingsChange, amount: int) -> TimetableSettings | None:
    """The settings with a change that makes it fit; None where they can't be so. To let go of what is fixed
    no setting has to change.
    """
    changed = _changed(settings, change, amount)
    try:
        return TimetableSettings.from_json(changed.as_json()) if changed else None
    except Refused:
        return None


def _changed(settings: TimetableSettings, change: SettingsChange, amount: int) -> TimetableSettings | None:
    """The same, perhaps out of what settings can be."""
    first, last = settings.days[0], settings.days[-1]
    match change:
        case SettingsChange.TABLES:
            return replace(settings, tables=settings.tables + amount)
        case SettingsChange.END_LATER:
            end = minutes_of(last.ends) + amount
            return replace(settings, days=(*settings.days[:-1], Span(last.day, last.begins, clock(end))))
        case SettingsChange.BEGIN_EARLIER:
            begin = minutes_of(first.begins) - amount
            return replace(settings, days=(Span(first.day, clock(begin), first.ends), *settings.days[1:]))
        case SettingsChange.SHORTER:
            return replace(settings, shorter=settings.shorter + amount)
        case SettingsChange.NO_BREAKS:
            return replace(settings, breaks=())
        case SettingsChange.LESS_REST:
            return replace(settings, rest=max(0, settings.rest - amount))
        case SettingsChange.LESS_CHANGEOVER:
            return replace(settings, changeover=max(0, settings.changeover - amount))
        case SettingsChange.WITHOUT_JUDGES:
            return replace(settings, is_judged=False)
        case SettingsChange.MIXED_ROUNDS:
            return replace(settings, rounds="free")
        case SettingsChange.OWN_STARTS:
            return replace(settings, starts=OWN)
        case SettingsChange.UNPINNED:
            return settings
        case _:
            return None


@transaction.atomic
def ask_with(event: Event, actor: Actor, change: str, amount: int | None) -> TimetableWork:
    """Apply a change that makes it fit, one that the last answer named, and have it worked out anew."""
    work = newest(event)
    named = [(each["change"], each["amount"]) for each in work.answer.get("remedies", ())] if work else []
    if work is None or amount is None or (change, amount) not in named:
        raise Refused("unknown-change", _("The last answer names no such change."), status=422)
    found = remedied(TimetableSettings.from_json(work.settings), SettingsChange(change), amount)
    if found is None:
        raise Refused("not-a-setting", _("This is changed elsewhere, not in the timetable’s settings."))
    if change == SettingsChange.UNPINNED:
        unlock_matches(event, actor)
    return ask(event, actor, found.as_json())
