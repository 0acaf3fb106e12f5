"""The audit trail, erasure, notes that go, slips of the check-in, and names that stay out of logs."""

import logging
from collections.abc import Callable
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.utils import timezone

from config.tasks import erase_what_is_due
from people import check_in
from people.actors import Actor
from people.entries import confirm_import, correct_person, enter_by_hand, preview_import, withdraw
from people.events import add_referee, edit_event
from people.input_problems import BadInputError
from people.models import Announcement, AuditEntry, Entry, Event, Pairing, PendingErasure, Person
from people.person_erasure import drop_notes, erase_person, is_purged, purge
from tests.people.support import CENTRO, INFERIORE, SUPERIORE, festival
from tests.support import factories

pytestmark = pytest.mark.django_db


def filled(data: bytes = CENTRO) -> tuple[Event, Actor, list[Entry]]:
    """An event into which a file was imported, notes included."""
    event, _, actor = festival()
    digest = preview_import(event, data, with_notes=True).digest
    result = confirm_import(event, data, actor, expected_digest=digest, with_notes=True, skip_bad=True)
    return event, actor, list(result.entries)


def person_of(entry: Entry) -> Person:
    """The person, who has to be there."""
    assert entry.person is not None
    return entry.person


def test_import_is_audited_person_by_person() -> None:
    event, actor, entries = filled()
    trail = AuditEntry.objects.filter(person=entries[3].person)
    assert {line.model: (line.action, line.actor_kind, line.actor_id, line.event_id) for line in trail} == {
        "person": ("created", "account", actor.id, event.pk),
        "entry": ("created", "account", actor.id, event.pk),
    }
    assert trail.get(model="person").changes == {
        "first_name": [None, "Giulia"], "last_name": [None, "Brambilla"], "birth_date": [None, "2010-06-26"],
        "shows_name": [None, "False"], "note": [None, "…"], "is_strong": [None, "False"],
    }  # fmt: skip
    created = trail.get(model="entry").changes
    assert {name: created[name] for name in ("number", "status")} == {
        "number": [None, "4"], "status": [None, "entered"],
    }  # fmt: skip


def test_erased_person_is_in_no_row_and_the_entry_keeps_its_number() -> None:
    _, actor, entries = filled()
    entry = entries[0]
    person = person_of(entry)
    code = check_in.check_in(entry, actor)
    withdraw(entry, actor)
    erase_person(Person.objects.get(pk=person.pk), actor)
    assert not Person.objects.filter(last_name="Corti", first_name="Mariasole").exists()
    assert "Mariasole" in str(list(AuditEntry.objects.values_list("changes", flat=True)))  # another one's
    assert "2009-02-27" not in str(list(AuditEntry.objects.values_list("changes", flat=True)))
    kept = Entry.objects.get(pk=entry.pk)
    assert (kept.person, kept.number, kept.status) == (None, 1, Entry.Status.WITHDRAWN)
    assert check_in.entry_of_code(code) is None
    (line,) = AuditEntry.objects.filter(row_id=person.pk)
    assert (line.action, line.changes, line.person, line.actor_id) == ("deleted", {}, None, actor.id)


def test_purge_erases_all_persons_of_the_event() -> None:
    event, actor, entries = filled()
    _, _, others = filled(SUPERIORE)
    assert purge(event, actor).persons == 12
    assert Person.objects.count() == len(others)
    assert list(event.teams.get(name="Centro").entries.values_list("person", flat=True)) == [None] * 12
    trail = AuditEntry.objects.filter(event=event)
    assert "Corti" not in str(list(trail.values_list("changes", flat=True)))
    assert trail.filter(model="person", action="deleted").count() == len(entries)


def test_drop_notes_empties_notes_and_keeps_persons() -> None:
    event, actor, _ = filled()

    assert drop_notes(event, actor) == 1
    assert drop_notes(event, actor) == 0
    assert (event.persons.exclude(note="").count(), event.persons.count()) == (0, 12)
    assert AuditEntry.objects.get(action="changed").changes == {"note": ["…", ""]}


def test_slip_code_finds_its_entry_however_it_is_typed() -> None:
    _, actor, entries = filled()
    code = check_in.check_in(entries[0], actor)
    other = check_in.check_in(entries[1], actor)
    assert len(code.replace("-", "")) == 12
    assert code != other
    for typed in (code, code.lower(), code.replace("-", " "), f" {code} "):
        assert check_in.entry_of_code(typed) == entries[0]
    for typed in ("", "-", code[:-1], code + "A"):
        assert check_in.entry_of_code(typed) is None
    assert code not in str(list(Entry.objects.values())) + str(list(AuditEntry.objects.values()))


def test_check_in_twice_keeps_the_time_and_replaces_the_slip_code() -> None:
    _, actor, entries = filled()
    entry = entries[0]
    first = check_in.check_in(entry, actor)
    at = entry.checked_in_at
    second = check_in.check_in(entry, actor)
    assert (entry.checked_in_at, check_in.entry_of_code(first), check_in.entry_of_code(second)) == (
        at,
        None,
        entry,
    )
    check_in.undo_check_in(entry, actor)
    assert (Entry.objects.get(pk=entry.pk).checked_in_at, check_in.entry_of_code(second)) == (None, None)


def announced(event: Event) -> None:
    """All that goes by itself was announced at the desk a day ago."""
    for kind in PendingErasure.ErasureKind:
        PendingErasure.objects.create(
            event=event, kind=kind, due_on=event.ends_on, announced_at=timezone.now() - timedelta(days=1)
        )


NAMES = ("Ginevra", "Nava")
FAMILY = "Mulinacci"


def everything(event: Event, actor: Actor) -> None:
    """All that is done with persons, refusals included."""
    for data in (SUPERIORE, INFERIORE):
        digest = preview_import(event, data).digest
        confirm_import(event, data, actor, expected_digest=digest, skip_bad=True)
    team = event.teams.get(name="Centro")
    first_name, last_name = NAMES
    headless = SUPERIORE.split(b"\n", 1)[1]

    def enter(day: str) -> Entry:
        return enter_by_hand(
            event, actor, team=team, birth_date=day, first_name=first_name, last_name=last_name
        )

    entry = enter("2012-01-01")
    refused: list[Callable[[], object]] = [
        lambda: enter("2012-01-01"), lambda: enter("2021-01-01"), lambda: preview_import(event, headless)
    ]  # fmt: skip
    for attempt in refused:
        try:
            attempt()
        except BadInputError as error:
            logging.getLogger("people").exception("refused: %r", error.problems)
    correct_person(
        entry,
        actor,
        first_name=first_name,
        last_name=last_name,
        birth_date="2012-01-01",
        note="x",
        shows_name=True,
        family=FAMILY,
        school_class=FAMILY,
        is_strong=True,
    )
    logging.getLogger("people").warning("%r %r", entry.person, add_referee(event, actor, last_name))
    check_in.check_in(entry, actor)
    erase_person(person_of(entry), actor)


def test_log_holds_no_names(caplog: pytest.LogCaptureFixture) -> None:
    event, _, actor = festival()
    caplog.set_level(logging.DEBUG)
    everything(event, actor)
    assert caplog.text.count("refused: ") == 3
    for name in (*NAMES, FAMILY, "Perego", "PEREGO", "Gatti"):
        assert name not in caplog.text


def test_twin_name_in_the_log_is_found(caplog: pytest.LogCaptureFixture) -> None:
    """The twin: a person put into a log by `str` is what the test above looks for."""
    _, _, entries = filled()
    logging.getLogger("people").warning("%s", entries[0].person)
    assert "Corti" in caplog.text


def test_erased_person_is_not_brought_back_by_an_open_form() -> None:
    event, actor, entries = filled()
    person = person_of(entries[0])
    erase_person(Person.objects.get(pk=person.pk), actor)

    correct_person(
        entries[0], actor, last_name="Corti", first_name="Anna", birth_date="2010-01-01", note="",
        shows_name=False, family="Corti", school_class="3 B", is_strong=True,
    )  # fmt: skip

    assert not Person.objects.filter(pk=person.pk).exists()
    assert not AuditEntry.objects.filter(event=event, person=person.pk).exists()


@pytest.mark.parametrize(("days_over", "left"), [(0, 1), (1, 0)])
def test_notes_are_erased_the_day_after_the_event(days_over: int, left: int) -> None:
    event, _, entries = filled()
    person = person_of(entries[0])
    Person.objects.filter(event=event).update(note="")
    Person.objects.filter(pk=person.pk).update(note="noci")
    today = timezone.localdate(timezone=ZoneInfo(event.time_zone))
    day = today - timedelta(days=days_over)
    Event.objects.filter(pk=event.pk).update(starts_on=day, ends_on=day)
    announced(event)
    erase_what_is_due()
    erase_what_is_due()

    assert Person.objects.filter(event=event, note="noci").count() == left
    assert AuditEntry.objects.filter(person=person, action="changed").count() == 1 - left


def past(event: Event, days: int) -> None:
    """The event as if its last day, on which it was made here too, were so many days ago."""
    now = timezone.now() - timedelta(hours=4)
    day = now.astimezone(ZoneInfo(event.time_zone)).date() - timedelta(days=days)
    made = now - timedelta(days=days + 1)
    Event.objects.filter(pk=event.pk).update(starts_on=day, ends_on=day, created_at=made)


@pytest.mark.parametrize(("days", "left"), [(29, 12), (30, 0)])
def test_persons_are_erased_so_many_days_after_the_event(days: int, left: int) -> None:
    event, actor, _ = filled()
    _, _, others = filled(SUPERIORE)
    add_referee(event, actor, "Ivo", "Fischietti")
    past(event, days)
    announced(event)
    erase_what_is_due()
    erase_what_is_due()
    assert event.persons.count() == left
    assert Person.objects.count() == left + len(others)
    assert event.referees.count() == (1 if left else 0)
    event.refresh_from_db()
    assert (event.purged_at is None, is_purged(event)) == (bool(left), not left)
    assert AuditEntry.objects.filter(event=event, model="event", action="changed").count() == (not left)


def test_purge_keeps_a_referee_with_results_without_a_name() -> None:
    event, actor, _ = filled()
    phone, _ = factories.make_pairing(event, add_referee(event, actor, "Ivo", "Fischietti"))
    Announcement.objects.create(event=event, texts={"it": "Bravo Corti"}, shown_until=timezone.now())
    gone = purge(event, actor)
    assert (gone.persons, gone.referees, Announcement.objects.count()) == (12, 1, 0)
    phone = Pairing.objects.select_related("referee").get(pk=phone.pk)
    assert str(phone.referee) == "–"
    assert phone.revoked_at is not None
    assert "Ivo" not in str(list(AuditEntry.objects.values_list("changes", flat=True)))
    again = purge(event, actor)
    assert (again.persons, again.referees) == (0, 0)


def test_event_created_after_its_day_is_kept_for_as_long_from_then_on() -> None:
    event, _, _ = filled()
    assert event.ends_on.year == 2022
    announced(event)
    erase_what_is_due()
    assert event.persons.count() == 12


def test_celery_beat_erases_what_is_due() -> None:
    tasks = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert erase_what_is_due.name in tasks


@pytest.mark.parametrize("days", [0, 401])
def test_purge_after_days_is_limited_to_1_to_400(days: int) -> None:
    event, _, actor = festival()
    with pytest.raises(BadInputError) as refused:
        edit_event(event, actor, purge_after_days=days)
    assert [problem.code for problem in refused.value.problems] == ["out_of_range"]
