"""Erasures: after a good backup, recorded beside the backups, repeated by restore, cancelled for a week."""

import shutil
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings as given
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.models import CharField
from django.utils import timezone

from config import housekeeping
from config.backup_folder import backups_in
from config.backups import postgresql, restoring, sqlite
from config.backups.goodness import BackupCheck
from people import erasures
from people.actors import Actor
from people.events import add_referee
from people.held_erasures import held_now
from people.models import AuditEntry, Entry, Event, PendingErasure, Person, Referee, ServiceClock
from people.person_erasure import drop_notes, erase_person, purge
from tests.support import factories
from tests.support.services.other_folder import elsewhere, migrations_worked_out_once
from tournaments.commands.delete_event import delete_event

pytestmark = pytest.mark.django_db(transaction=True)

Named = tuple[list[tuple[str, str]], list[str], int, int]


def named(event: Event) -> Named:
    """Names and notes, the referees', how many entries name a person, and audit rows of persons."""
    return (
        sorted(event.persons.values_list("last_name", "note")),
        sorted(event.referees.values_list("first_name", flat=True)),
        Entry.objects.filter(team__event=event, person__isnull=False).count(),
        AuditEntry.objects.filter(event=event, person__isnull=False).count(),
    )


@pytest.fixture
def event(tmp_path: Path, settings: Any) -> Event:
    """Players, one with a note, two referees of whom one has a phone, and a backup of all that."""
    settings.BACKUP_DIR = tmp_path / "backup"
    event = factories.make_event(factories.make_account(), slug="kept")
    factories.make_field(event)
    for person in event.persons.all():
        Person.objects.filter(pk=person.pk).update(last_name=f"Corti {person.pk}")
    Person.objects.filter(pk=person.pk).update(note="noci")
    changes = {"last_name": [None, "Corti"]}
    row = {"model": "person", "row_id": person.pk, "action": "created", "actor_kind": "command"}
    AuditEntry.objects.create(event=event, person=person, changes=changes, **row)
    factories.make_pairing(event, add_referee(event, Actor.command(), "Ivo"))
    add_referee(event, Actor.command(), "Lea")
    housekeeping.erase_what_is_due()
    assert housekeeping.make_backup() is not None
    return event


def record() -> list[erasures.Erasure]:
    """What is recorded now."""
    found = erasures.read(given.BACKUP_DIR)
    assert found.damaged == 0
    return found.erasures


def due_now(event: Event) -> None:
    """Names and notes are due, and were announced a day ago."""
    Event.objects.filter(pk=event.pk).update(starts_on="2020-01-01", ends_on="2020-01-01", purge_after_days=1)
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    Event.objects.filter(pk=event.pk).update(created_at=long_ago)
    PendingErasure.objects.all().delete()
    for kind in PendingErasure.ErasureKind:
        PendingErasure.objects.create(event=event, kind=kind, due_on="2020-01-02", announced_at=long_ago)


# The record


def test_erasure_record_holds_ids_and_no_names(event: Event, settings: Any) -> None:
    drop_notes(event, Actor.command())
    purge(event, Actor.command())

    notes, names = record()
    assert (len(notes.notes), len(names.persons), len(names.referees), names.is_everybody) == (1, 6, 2, True)
    text = (settings.BACKUP_DIR / erasures.FILE).read_text()
    assert [name for name in ("Corti", "Ivo", "Lea", "noci") if name in text] == []
    assert (settings.BACKUP_DIR / erasures.FILE).stat().st_mode & 0o777 == 0o600


def test_erasure_record_counts_damaged_lines_and_ignores_them(event: Event, settings: Any) -> None:
    purge(event, Actor.command())
    file = settings.BACKUP_DIR / erasures.FILE
    whole = file.read_text()

    file.write_text(whole.replace('"day": 0', '"day": 9'))
    assert erasures.read(settings.BACKUP_DIR) == erasures.ErasureRecord([], [], 2)
    file.write_text(whole.rstrip()[:-20])
    drop_notes(event, Actor.command())
    cut = erasures.read(settings.BACKUP_DIR)
    assert (cut.erasures, len(cut.intended), cut.damaged) == ([], 1, 1)


def test_erasure_that_fails_is_recorded_as_void_once_that_is_known(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = event.persons.first()
    assert person is not None

    def fail(erasure: erasures.Erasure) -> None:
        erasures.intend(erasure)
        raise RuntimeError("power cut")

    monkeypatch.setattr("people.person_erasure.intend", fail)
    with pytest.raises(RuntimeError):
        erase_person(person, Actor.command())

    assert (record(), len(erasures.read(given.BACKUP_DIR).intended), event.persons.count()) == ([], 1, 6)
    housekeeping.clear_backups()
    assert erasures.read(given.BACKUP_DIR) == erasures.ErasureRecord([], [], 0)


def test_erasure_whose_commit_is_not_answered_is_repeated_by_restore(
    event: Event, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    [backup] = backups_in(settings.BACKUP_DIR)
    wrapper: Any = connection
    commit = wrapper._commit

    def lose_the_answer() -> None:
        commit()
        raise OperationalError("the connection was lost")

    with monkeypatch.context() as lost:
        lost.setattr(wrapper, "_commit", lose_the_answer)
        with pytest.raises(OperationalError):
            purge(event, Actor.command())
    housekeeping.clear_backups()

    with elsewhere(tmp_path):
        call_command("restore", str(backup), stdout=StringIO(), stderr=StringIO())
        left = Event.objects.get(slug="kept").persons.count()

    assert left == 0


def test_erasure_cancelled_is_not_repeated_from_an_older_record(
    event: Event, tmp_path: Path, settings: Any
) -> None:
    purge(event, Actor.command())
    [names] = record()
    stick = tmp_path / "stick"
    shutil.copytree(settings.BACKUP_DIR, stick)
    call_command("erasures", "cancel", str(names.id)[:8], "--reason", "wrong event", stdout=StringIO())
    [backup, *_] = backups_in(stick)

    with elsewhere(tmp_path):
        call_command("restore", str(backup), stdout=StringIO(), stderr=StringIO())
        left = Event.objects.get(slug="kept").persons.count()

    assert left == 6


def test_deleted_event_is_restored_without_names_until_cancelled(event: Event, settings: Any) -> None:
    [backup] = backups_in(settings.BACKUP_DIR)
    delete_event(event)

    with migrations_worked_out_once():
        call_command("restore", str(backup), "--replace", stdout=StringIO(), stderr=StringIO())
    again = Event.objects.get(slug="kept")
    without, [deletion] = again.persons.count(), record()
    call_command("erasures", "cancel", str(deletion.id), "--reason", "mistake", stdout=StringIO())

    assert (without, again.persons.count()) == (0, 6)


def test_erasure_is_cancelled_after_an_update_that_added_a_column(event: Event) -> None:
    purge(event, Actor.command())
    [names] = record()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE people_person ADD COLUMN nickname varchar(20) NOT NULL DEFAULT ''")
    try:
        column = CharField(max_length=20, db_column="nickname")
        column.set_attributes_from_name("nickname")
        fields = [*Person._meta.concrete_fields, column]
        with patch.object(Person._meta, "concrete_fields", fields):
            call_command("erasures", "cancel", str(names.id), "--reason", "mistake", stdout=StringIO())
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE people_person DROP COLUMN nickname")

    assert event.persons.count() == 6


def test_erasures_command_says_that_there_is_none(event: Event, settings: Any) -> None:
    said = StringIO()

    call_command("erasures", stdout=said)

    assert said.getvalue() == f"No erasure is recorded in {settings.BACKUP_DIR}.\n"


def test_restore_warns_of_a_missing_erasure_record(event: Event, tmp_path: Path, settings: Any) -> None:
    [backup] = backups_in(settings.BACKUP_DIR)
    warned = StringIO()

    with elsewhere(tmp_path):
        call_command("restore", str(backup), stdout=StringIO(), stderr=warned)

    assert warned.getvalue().startswith("No record of erasures lies beside the backup")


@pytest.mark.parametrize("is_committed", [True, False])
def test_erasure_killed_at_its_end_is_settled_by_the_rows(
    event: Event, monkeypatch: pytest.MonkeyPatch, is_committed: bool
) -> None:
    killed_in_its_last_moment(event, monkeypatch, is_committed)
    assert (record(), len(erasures.read(given.BACKUP_DIR).intended)) == ([], 1)

    housekeeping.clear_backups()

    assert [len(each.persons) for each in record()] == ([6] if is_committed else [])
    assert erasures.read(given.BACKUP_DIR).intended == []


def test_restore_does_not_repeat_an_erasure_not_committed(
    event: Event, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    [backup] = backups_in(settings.BACKUP_DIR)
    killed_in_its_last_moment(event, monkeypatch, False)
    said, warned = StringIO(), StringIO()

    with elsewhere(tmp_path):
        call_command("restore", str(backup), stdout=said, stderr=warned)
        left = Event.objects.get(slug="kept").persons.count()

    assert (left, said.getvalue().count("Erased again")) == (6, 0)
    assert warned.getvalue().startswith("The service was killed at the end of this erasure")


def killed_in_its_last_moment(event: Event, monkeypatch: pytest.MonkeyPatch, is_committed: bool) -> None:
    """Everybody is erased, and the service is killed just after the commit, or just before."""
    with monkeypatch.context() as killed:
        killed.setattr(erasures, "settle", lambda erasure, *, is_done: None)
        if is_committed:
            purge(event, Actor.command())
            return

        def fail(erasure: erasures.Erasure) -> None:
            erasures.intend(erasure)
            raise RuntimeError("power cut")

        killed.setattr("people.person_erasure.intend", fail)
        with pytest.raises(RuntimeError):
            purge(event, Actor.command())


def test_erasure_record_that_can_not_be_read_stops_restore(
    event: Event, tmp_path: Path, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    [backup] = backups_in(settings.BACKUP_DIR)
    (settings.BACKUP_DIR / erasures.FILE).mkdir()

    housekeeping.clear_backups()
    assert "The record of erasures" in caplog.text
    assert housekeeping.removable(timezone.now(), [backup], lambda path: True) == []
    with pytest.raises(CommandError, match=r"erasures\.jsonl can't be read"):
        call_command("erasures")
    with elsewhere(tmp_path), pytest.raises(CommandError, match=r"erasures\.jsonl can't be read"):
        call_command("restore", str(backup))


# After a good backup


def test_erasure_of_what_is_due_follows_a_good_backup(event: Event, settings: Any) -> None:
    due_now(event)
    before = len(backups_in(settings.BACKUP_DIR))

    housekeeping.erase_what_is_due()

    assert (event.persons.count(), held_now()) == (0, None)
    made = backups_in(settings.BACKUP_DIR)
    assert len(made) > before
    assert {each.cleared for each in record()} == {housekeeping.number_of(made[-1])}


def test_erasure_of_what_is_due_waits_for_a_good_backup(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    due_now(event)
    before = named(event)
    monkeypatch.setattr(housekeeping, "make_backup", lambda: None)

    housekeeping.erase_what_is_due()

    held = held_now()
    assert held is not None
    assert (named(event), held.reason, held.held) == (before, "backup", ["names", "notes"])


@pytest.mark.parametrize("is_asked_again", [True, False])
@pytest.mark.parametrize("change", ["a longer time", "another person"])
def test_erasure_leaves_events_changed_during_the_backup(
    event: Event,
    monkeypatch: pytest.MonkeyPatch,
    change: str,
    is_asked_again: bool,  # the twin: without asking again all are gone
) -> None:
    due_now(event)
    made = housekeeping.make_backup

    def back_up_meanwhile() -> Path | None:
        backup = made()
        monkeypatch.setattr(housekeeping, "make_backup", made)
        if change == "a longer time":
            Event.objects.filter(pk=event.pk).update(purge_after_days=30000)
        else:
            factories.make_entry(factories.make_team(event))
        return backup

    if not is_asked_again:
        monkeypatch.setattr(housekeeping, "purge", lambda event, actor, is_due: purge(event, actor))
    monkeypatch.setattr(housekeeping, "make_backup", back_up_meanwhile)
    housekeeping.erase_what_is_due()

    expected = {"a longer time": 6, "another person": 7}[change] if is_asked_again else 0
    assert event.persons.count() == expected


def test_erasure_is_held_by_a_backup_that_takes_too_long(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    due_now(event)

    def take_too_long(*args: Any) -> None:
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(sqlite, "back_up", take_too_long)
    monkeypatch.setattr(postgresql, "back_up", take_too_long)
    housekeeping.erase_what_is_due()

    held = held_now()
    assert (event.persons.count(), held and (held.reason, held.held)) == (6, ("backup", ["names", "notes"]))


def test_erasure_of_names_goes_on_where_notes_fail(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: Any) -> None:
        raise RuntimeError("away")

    due_now(event)
    monkeypatch.setattr(housekeeping, "drop_notes", fail)

    housekeeping.erase_what_is_due()

    assert event.persons.count() == 0


# Restore


@pytest.mark.parametrize("is_repeated", [True, False])
def test_restore_repeats_erasures(
    event: Event,
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    is_repeated: bool,  # the twin: without the safeguard the names are back
) -> None:
    if not is_repeated:
        monkeypatch.setattr(restoring, "repeat_all", lambda *folders: erasures.ErasureRecord([], [], 0))
    [backup] = backups_in(settings.BACKUP_DIR)
    drop_notes(event, Actor.command())
    purge(event, Actor.command())
    said = StringIO()

    with elsewhere(tmp_path):
        call_command("restore", str(backup), stdout=said)
        persons, referees, entered, trail = named(Event.objects.get(slug="kept"))

    left = (len(persons), referees, entered, trail)
    assert left == ((0, [""], 0, 0) if is_repeated else (6, ["Ivo", "Lea"], 6, trail))
    assert said.getvalue().count("Erased again") == (2 if is_repeated else 0)


def test_restore_warns_of_a_damaged_erasure_record(event: Event, tmp_path: Path, settings: Any) -> None:
    [backup] = backups_in(settings.BACKUP_DIR)
    (settings.BACKUP_DIR / erasures.FILE).write_text("{}\n")
    said = StringIO()

    with elsewhere(tmp_path):
        call_command("restore", str(backup), stdout=StringIO(), stderr=said)

    assert said.getvalue().startswith("1 lines of the record of erasures can't be read")


# Cancelling


def test_erasure_cancelled_brings_everybody_back(event: Event) -> None:
    before = named(event)
    drop_notes(event, Actor.command())
    purge(event, Actor.command())
    notes, names = record()
    said = StringIO()
    call_command("erasures", stdout=said)
    assert said.getvalue().count("can be cancelled") == 2

    call_command("erasures", "cancel", str(names.id), "--reason", "wrong event", stdout=StringIO())
    call_command("erasures", "cancel", str(notes.id), "--reason", "wrong event", stdout=StringIO())

    persons, referees, entered, trail = named(event)
    assert (persons, referees, entered) == (before[0], ["Ivo", "Lea"], before[2])
    assert trail >= before[3]
    event.refresh_from_db()
    assert (event.purged_at, record()) == (None, [])
    told = AuditEntry.objects.filter(event=event, changes__has_key="erasure_cancelled")
    assert [(entry.changes["erasure_cancelled"], entry.is_seen) for entry in told] == [
        ([None, "wrong event"], False)
    ] * 2


def test_erasure_cancelled_keeps_persons_entered_since(event: Event) -> None:
    purge(event, Actor.command())
    [names] = record()
    factories.make_entry(factories.make_team(event))

    call_command("erasures", "cancel", str(names.id), "--reason", "mistake", stdout=StringIO())

    assert event.persons.count() == 7


def test_erasure_cancelled_brings_back_all_that_a_backup_holds(event: Event) -> None:
    factories.make_entry(factories.make_team(event))
    purge(event, Actor.command())
    [names] = record()
    said = StringIO()

    call_command("erasures", "cancel", str(names.id), "--reason", "mistake", stdout=said)

    assert event.persons.count() == 6
    assert "7 persons, 2 referees, but for 1 rows that no backup holds." in said.getvalue()


def test_erasure_is_final_after_seven_days_of_running(event: Event) -> None:
    purge(event, Actor.command())
    [names] = record()
    ServiceClock.objects.update(days_run=erasures.DAYS)

    with pytest.raises(CommandError, match="The service has run on 7 days since"):
        call_command("erasures", "cancel", str(names.id), "--reason", "mistake")


def test_erasure_cancelling_needs_a_reason_and_a_known_id(event: Event) -> None:
    with pytest.raises(CommandError, match="There is no erasure"):
        call_command("erasures", "cancel", str(event.pk), "--reason", "mistake")
    with pytest.raises(CommandError, match="--reason is empty"):
        call_command("erasures", "cancel", str(event.pk), "--reason", " ")
    # As a script gives a variable that isn't set: it is the beginning of any id.
    with pytest.raises(CommandError, match="The id is empty"):
        call_command("erasures", "cancel", "", "--reason", "mistake")


# Backups that hold what was erased


@pytest.mark.parametrize(("days", "left"), [(erasures.DAYS - 1, 2), (erasures.DAYS, 1)])
def test_backups_from_before_an_erasure_go_after_seven_days_of_running(
    event: Event, settings: Any, days: int, left: int
) -> None:
    purge(event, Actor.command())
    housekeeping.clear_backups()
    assert len(backups_in(settings.BACKUP_DIR)) == 2
    ServiceClock.objects.update(days_run=days)

    housekeeping.clear_backups()

    made = backups_in(settings.BACKUP_DIR)
    assert (len(made), housekeeping.number_of(made[-1])) == (left, 2)


@pytest.mark.parametrize("days", [erasures.DAYS - 1, erasures.DAYS])
def test_rotation_keeps_the_last_backup_from_before_an_erasure(
    event: Event, settings: Any, days: int
) -> None:
    [before] = backups_in(settings.BACKUP_DIR)
    purge(event, Actor.command())
    housekeeping.clear_backups()
    made = backups_in(settings.BACKUP_DIR)
    ServiceClock.objects.update(days_run=days)

    removed = housekeeping.removable(timezone.now(), made, BackupCheck(settings.VAR_DIR).is_good)

    assert (before in removed) == (days == erasures.DAYS)
    assert made[-1] in removed


def test_backups_from_before_an_erasure_stay_while_the_next_is_bad(event: Event, settings: Any) -> None:
    purge(event, Actor.command())
    housekeeping.clear_backups()
    backups_in(settings.BACKUP_DIR)[-1].write_bytes(b"lost")
    ServiceClock.objects.update(days_run=erasures.DAYS)

    housekeeping.clear_backups()

    assert len(backups_in(settings.BACKUP_DIR)) == 2


def test_service_clock_counts_days_of_running_once_a_day(event: Event) -> None:
    ServiceClock.objects.update(days_run=0, seen_at=timezone.now())
    for hours in range(0, 24 * 7 + 1, 6):
        housekeeping.erase_what_is_due(timezone.now() + timedelta(hours=hours))

    assert ServiceClock.objects.get().days_run == 7
    assert Referee.objects.filter(event=event).count() == 2
