"""What is erased because of the time: held while the clock isn't believed, and confirmed at the desk."""

import logging
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from config import housekeeping
from config.backup_folder import BackupName, backups_in, rotate
from integrations.models import Delivery
from integrations.webhooks import registration
from people import clock_trust, held_erasures
from people.actors import Actor
from people.clock_trust import BEHIND, GAP, Doubt, judge
from people.event_days import today
from people.held_erasures import Held, confirm_date, held_now
from people.models import AuditEntry, Event, PendingErasure, Person, ServiceClock
from tests.support import factories
from tests.support.clients import browser_of

NOW = datetime(2026, 9, 12, 16, 30, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("now", "doubt"),
    [
        (NOW, None),
        (NOW + GAP, None),
        (NOW + GAP + timedelta(seconds=1), Doubt.GAP),
        (NOW + DAY, Doubt.GAP),
        (NOW + 40 * DAY, Doubt.GAP),
        (NOW - BEHIND, None),
        (NOW - BEHIND - timedelta(seconds=1), Doubt.BEHIND),
        (NOW - HOUR, Doubt.BEHIND),
    ],
)
def test_clock_is_believed_between_the_last_reading_and_the_gap(now: datetime, doubt: Doubt | None) -> None:
    assert judge(now, seen_at=NOW, newest=None) == doubt


def test_clock_is_not_believed_for_records_made_by_it() -> None:
    wrong = NOW + 40 * DAY
    assert judge(wrong, seen_at=NOW, newest=wrong) == Doubt.GAP


def test_clock_before_the_newest_record_is_doubted_until_excused() -> None:
    wrong = NOW + 40 * DAY
    assert judge(NOW, seen_at=NOW, newest=wrong) == Doubt.BEHIND
    assert judge(NOW, seen_at=NOW, newest=wrong, excused_until=wrong) is None


def test_clock_without_a_last_reading_is_judged_by_records() -> None:
    assert judge(NOW, seen_at=None, newest=None) is None
    assert judge(NOW + DAY, seen_at=None, newest=NOW) == Doubt.GAP


class Service:
    """An event of which names and notes are due at a moment, and a service that ran until a minute ago."""

    def __init__(self, event: Event, folder: Path) -> None:
        self.event, self.folder = event, folder
        # Half past: backups of one hour stay of one hour, whenever the test runs.
        self.now = (timezone.now() + HOUR).replace(minute=30, second=0)

    def seen(self, at: datetime) -> None:
        """The clock was last believed then."""
        ServiceClock.objects.update_or_create(pk=1, defaults={"seen_at": at})

    def left(self) -> tuple[int, int]:
        """How many persons and how many notes there are."""
        persons = Person.objects.filter(event=self.event)
        return persons.count(), persons.exclude(note="").count()

    def run(self, after: timedelta = timedelta(0)) -> None:
        """Do what is due, with the clock so far ahead."""
        housekeeping.erase_what_is_due(self.now + after)

    def rotate(self, after: timedelta) -> int:
        """Rotate, with the clock so far ahead; how many backups are left."""
        rotate(self.folder, self.now + after, lambda path: True, housekeeping.removable)
        return len(backups_in(self.folder))


@pytest.fixture
def service(db: None, tmp_path: Path, settings: Any) -> Service:
    """Four players, one with a note; the event is today, and its names go the day after tomorrow."""
    settings.BACKUP_DIR = tmp_path / "backup"
    settings.BACKUP_DIR.mkdir()
    event = factories.make_event(factories.make_account())
    factories.make_field(event)
    person = Person.objects.filter(event=event).first()
    assert person is not None
    Person.objects.filter(pk=person.pk).update(note="noci")
    made = Service(event, settings.BACKUP_DIR)
    day = today(event, made.now)
    Event.objects.filter(pk=event.pk).update(starts_on=day, ends_on=day, purge_after_days=30)
    for number in range(1, 7):
        # All in one hour, of which rotation keeps one.
        name = BackupName(number, made.now.replace(minute=0, second=number) - 2 * HOUR)
        (made.folder / f"{name}.backup").touch()
    made.run()
    return made


WRONG = [DAY, 40 * DAY, 400 * DAY]


@pytest.mark.parametrize("after", WRONG)
def test_clock_ahead_erases_nothing(service: Service, after: timedelta) -> None:
    persons, notes = service.left()

    service.run(after)

    assert (service.left(), service.rotate(after)) == ((persons, notes), 6)
    assert notes == 1
    held = held_now()
    assert held is not None
    assert held.reason == "gap"
    assert set(held.held) == {"backups", "notes"} | ({"names"} if after > 30 * DAY else set())


@pytest.mark.parametrize("after", WRONG)
def test_twin_clock_ahead_erases_unless_it_is_judged(
    service: Service, after: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    persons, _ = service.left()
    monkeypatch.setattr(held_erasures, "judge", lambda *given: None)

    service.run(after)
    # Names weren't announced before.
    service.run(after + DAY)

    assert service.left() == (0 if after > 30 * DAY else persons, 0)
    # The newest stays, and the last one from before each erasure.
    assert service.rotate(after) <= 3


def test_clock_behind_erases_nothing(service: Service) -> None:
    past = service.now - 60 * DAY
    Event.objects.update(starts_on=past.date(), ends_on=past.date(), created_at=past)
    before = service.left()

    service.run(-HOUR)

    assert service.left() == before
    held = held_now()
    assert held is not None
    assert (held.reason, held.held) == ("behind", ["names", "notes"])


def test_twin_clock_behind_erases_unless_it_is_judged(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    past = service.now - 60 * DAY
    Event.objects.update(starts_on=past.date(), ends_on=past.date(), created_at=past)
    monkeypatch.setattr(held_erasures, "judge", lambda *given: None)

    service.run(-HOUR)
    service.run(DAY)

    assert service.left() == (0, 0)


def test_clock_is_not_believed_for_a_backup_or_audit_entry_of_its_day(service: Service) -> None:
    wrong = service.now + 40 * DAY
    (service.folder / f"{BackupName(7, wrong)}.backup").touch()
    AuditEntry.objects.filter(event=service.event).update(at=wrong)
    before = service.left()

    service.run(40 * DAY)
    service.run(40 * DAY)

    assert service.left() == before


def test_webhook_log_is_held_while_the_clock_is_doubted(service: Service) -> None:
    webhook, _secret = registration.register(
        service.event, Actor.command(), "https://93.184.216.34/", ["result.entered"]
    )
    registration.send_test(webhook)
    Delivery.objects.update(state=Delivery.State.DELIVERED, done_at=service.now)

    service.run(40 * DAY)
    assert (Delivery.objects.count(), getattr(held_now(), "held", [])) == (1, ["log", "names", "notes"])

    ServiceClock.objects.update(seen_at=service.now + 40 * DAY)
    service.run(40 * DAY)
    assert Delivery.objects.count() == 0


def test_erasure_takes_place_in_time_in_a_running_service(service: Service) -> None:
    for hour in range(0, 24 * 31 + 6, 12):
        service.run(hour * HOUR)
        if hour == 12:
            assert service.rotate(12 * HOUR) == 1
    assert (service.left(), held_now()) == ((0, 0), None)


def test_erasure_is_held_no_more_once_the_clock_is_right(service: Service) -> None:
    before = service.left()
    service.run(DAY)
    assert held_now() is not None

    service.run(HOUR)

    assert (service.left(), held_now()) == (before, None)


def test_held_erasure_is_logged_once(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)

    service.run(40 * DAY)
    service.run(40 * DAY + HOUR)

    (line,) = [record for record in caplog.records if record.name == "people.held_erasures"]
    assert "isn't believed (gap; last believed:" in line.getMessage()
    assert line.getMessage().endswith("Held: names, notes.")


def test_clock_ahead_holds_nothing_where_nothing_is_due(service: Service) -> None:
    Person.objects.update(note="")

    service.run(DAY)

    assert held_now() is None


def test_doubted_clock_is_not_believed_later_unconfirmed(service: Service) -> None:
    Person.objects.update(note="")
    before = service.left()
    service.run(25 * DAY)

    service.run(40 * DAY)

    assert (service.left(), [*getattr(held_now(), "held", [])]) == (before, ["names"])


# Notice


def announced(service: Service) -> list[tuple[str, bool]]:
    """What is announced at the desk of the event, and whether the day of notice has begun."""
    rows = PendingErasure.objects.filter(event=service.event)
    return [(row.kind, row.announced_at is not None) for row in rows]


def last_seen(service: Service, at: timedelta) -> None:
    """The clock was believed until then."""
    ServiceClock.objects.update(seen_at=service.now + at)


def test_erasure_is_announced_for_a_day(service: Service) -> None:
    persons, _ = service.left()
    assert announced(service) == [("notes", True)]
    last_seen(service, 29 * DAY)

    service.run(29 * DAY + 6 * HOUR)
    assert (announced(service), service.left()) == ([("names", True)], (persons, 0))
    service.run(30 * DAY)
    assert service.left() == (persons, 0)
    service.run(30 * DAY + 7 * HOUR)

    assert (announced(service), service.left()) == ([], (0, 0))


def test_twin_erasure_without_notice_is_at_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "had_notice", lambda *given: True)
    Event.objects.update(purge_after_days=1, starts_on="2020-01-01", ends_on="2020-01-01")
    last_seen(service, 2 * DAY)

    service.run(2 * DAY)

    assert service.left() == (0, 0)


def test_erasure_due_all_at_once_is_announced_for_a_day(service: Service) -> None:
    """An organizer has chosen another day, say."""
    before = service.left()
    Event.objects.update(purge_after_days=1, starts_on="2020-01-01", ends_on="2020-01-01")
    last_seen(service, 3 * DAY)
    PendingErasure.objects.all().delete()

    service.run(3 * DAY)
    assert (announced(service), service.left()) == ([("names", True), ("notes", True)], before)
    service.run(3 * DAY + 12 * HOUR)
    service.run(4 * DAY)

    assert service.left() == (0, 0)


def test_erasure_put_off_is_announced_no_more(service: Service) -> None:
    Event.objects.update(ends_on=service.now.date() + 5 * DAY)

    service.run(HOUR)

    assert announced(service) == []


def test_erasure_after_a_laptop_was_off_needs_one_confirmation(service: Service) -> None:
    then = 45 * DAY
    before = service.left()
    service.run(then)
    assert (sorted(announced(service)), service.left()) == ([("names", False), ("notes", True)], before)

    confirm_date(service.event, Actor.command(), service.now + then)
    service.run(then)

    assert (announced(service), service.left()) == ([], (0, 0))


def test_desk_announces_an_erasure(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: service.now)
    desk, address = organizer(service.event), f"/en/desk/events/{service.event.slug}/"
    assert "the notes about players are erased" in desk.get(address).content.decode()

    PendingErasure.objects.all().delete()

    assert "the notes about players are erased" not in desk.get(address).content.decode()


# Readiness and the desk


def test_readiness_warns_of_a_doubted_clock(service: Service, client: Client) -> None:
    service.run(40 * DAY)

    answer = client.get("/health/ready/")

    assert (answer.status_code, answer.json()) == (
        200,
        {"status": "degraded", "clock": {"reason": "gap", "held": ["names", "notes"]}},
    )


def organizer(event: Event) -> Client:
    """The browser of the event's organizer."""
    found = event.organizers.first()
    assert found is not None
    return browser_of(found.account)


@pytest.mark.parametrize("path", ["/en/desk/", "/en/desk/events/{slug}/", "/en/desk/events/{slug}/people/"])
def test_desk_links_to_the_date_page_while_erasures_are_held(service: Service, path: str) -> None:
    desk, address = organizer(service.event), path.format(slug=service.event.slug)
    link = f"/en/desk/events/{service.event.slug}/date/"
    assert link not in desk.get(address).content.decode()

    service.run(40 * DAY)

    assert link in desk.get(address).content.decode()


def test_date_confirmed_at_the_desk_lets_erasures_go_on(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    then = service.now + 40 * DAY
    service.run(40 * DAY)
    address = f"/en/desk/events/{service.event.slug}/date/"
    monkeypatch.setattr(timezone, "now", lambda: then)
    desk = organizer(service.event)

    wrong = desk.post(address, {"day": service.now.date().isoformat()})
    assert (wrong.status_code, held_now() is None) == (422, False)

    right = desk.post(address, {"day": today(service.event, then).isoformat()})
    assert (right.status_code, held_now()) == (302, None)
    service.run(40 * DAY)
    assert service.left() == (0, 0)
    entry = AuditEntry.objects.filter(event=service.event, model="event").get(
        changes__has_key="date_confirmed"
    )
    assert (entry.actor_kind, entry.is_seen) == ("account", False)


def test_desk_tells_the_day_of_an_erasure(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    later = service.now + 45 * DAY
    Event.objects.filter(pk=service.event.pk).update(purge_after_days=400)
    PendingErasure.objects.all().delete()
    service.seen(later - HOUR)
    service.run(45 * DAY)
    monkeypatch.setattr(timezone, "now", lambda: later)

    page = organizer(service.event).get(f"/en/desk/events/{service.event.slug}/").content.decode()

    goes_on = today(service.event, later + DAY)
    assert f"On <b>{goes_on:%A} {goes_on.day} {goes_on:%B %Y}</b> the notes about players are erased" in page


def test_date_page_tells_what_is_erased_at_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    later = service.now + 45 * DAY
    service.run(45 * DAY)
    monkeypatch.setattr(timezone, "now", lambda: later)
    desk = organizer(service.event)

    page = desk.get(f"/en/desk/events/{service.event.slug}/date/").content.decode()

    assert "the names of all players and referees are erased as soon as you confirm." in page
    assert "the notes about players are erased as soon as you confirm." in page
    assert "As soon as the date is confirmed, the notes about players are erased." in page


def test_date_of_an_event_is_confirmed_once(service: Service) -> None:
    service.run(DAY)
    assert confirm_date(service.event, Actor.command(), service.now + DAY)
    assert not confirm_date(service.event, Actor.command(), service.now + DAY)


def test_confirmed_date_ends_doubt_by_records_of_a_wrong_clock(service: Service) -> None:
    wrong = service.now + 40 * DAY
    (service.folder / f"{BackupName(7, wrong)}.backup").touch()
    past = service.now - 60 * DAY
    Event.objects.update(starts_on=past.date(), ends_on=past.date(), created_at=past)
    service.run(HOUR)
    assert getattr(held_now(), "reason", None) == "behind"

    confirm_date(service.event, Actor.command(), service.now + HOUR)
    service.run(2 * HOUR)

    assert service.left() == (0, 0)


def test_clock_that_went_back_holds_only_what_is_due_by_it(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = service.left()
    service.run(40 * DAY)
    service.rotate(40 * DAY)
    address = f"/en/desk/events/{service.event.slug}/"
    monkeypatch.setattr(timezone, "now", lambda: service.now + 40 * DAY)
    page = organizer(service.event).get(address).content.decode()
    assert "As soon as the date is confirmed, the names" in page

    service.run(-DAY)
    monkeypatch.setattr(timezone, "now", lambda: service.now - DAY)

    page = organizer(service.event).get(address).content.decode()
    assert "are erased" not in page
    assert "The clock of this service is earlier than what was recorded." in page
    assert client.get("/health/ready/").json()["clock"] == {"reason": "behind", "held": ["backups"]}
    confirm_date(service.event, Actor.command(), service.now - DAY)
    service.run(-DAY)
    assert (service.left(), held_now()) == (before, None)


def test_clock_that_went_back_holds_nothing_not_due_by_it(service: Service) -> None:
    service.run(40 * DAY)
    assert held_now() is not None

    service.run(-DAY)

    assert held_now() is None


def test_desk_tells_no_erasure_of_the_day_after_with_the_confirmation(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    noon = datetime.combine(today(service.event, service.now), time(12), service.now.tzinfo)
    later = noon + 29 * DAY
    service.run(later - service.now)
    monkeypatch.setattr(timezone, "now", lambda: later)

    page = organizer(service.event).get(f"/en/desk/events/{service.event.slug}/").content.decode()

    assert "As soon as the date is confirmed, the notes about players are erased." in page
    assert "the names of all players and referees of this event are erased" in page
    assert "As soon as the date is confirmed, the names" not in page


def test_every_held_kind_is_named_at_the_desk() -> None:
    text = Path("templates/desk/held_list.html").read_text()
    assert [held for held in Held if f'"{held}" in held.held' not in text] == []


def test_clock_gap_is_between_a_night_and_a_day() -> None:
    assert timedelta(hours=18) < clock_trust.GAP < timedelta(hours=24)
