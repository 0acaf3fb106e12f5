"""Announcements: written at the desk, pinned everywhere, gone by themselves or taken back."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from people.actors import Actor
from people.announcements import announce, current
from people.input_problems import BadInputError, Code
from people.models import Announcement, AuditEntry
from people.person_erasure import purge
from publishing.publication import publish
from tests.desk.palio import Palio
from tests.support.forms import address, errors, fields_of, form_to, open_page, send
from tests.support.page_reading import read
from tournaments.models import Table
from tournaments.queries import change_marks
from tournaments.queries.history import happenings

pytestmark = pytest.mark.django_db

TEXT = "La merenda è pronta alla tenda rossa"


def soon(minutes: int = 30) -> datetime:
    """In some minutes."""
    return timezone.now() + timedelta(minutes=minutes)


def pinned(client: Client, path: str) -> list[str]:
    """The announcements on a page."""
    return [each.one("span").text for each in read(client.get(path)).all("aside.announcements")]


def write(
    desk: Client, palio: Palio, italian: str, english: str = "", status: int = 302, **filled: str
) -> object:
    """Send the form."""
    filled |= {"texts.it": italian, "texts.en": english}
    path = address("announcements", palio.event.slug)
    return send(desk, path, fields_of(form_to(open_page(desk, path))) | filled, status)


def test_announcement_is_pinned_to_public_pages_projector_and_phones(palio: Palio, desk: Client) -> None:
    write(desk, palio, TEXT)
    public, slug = Client(), palio.tournament.slug
    base = f"/en/{palio.event.slug}"
    for path in (f"{base}/", f"{base}/{slug}/", f"{base}/{slug}/matches/", f"{base}/{slug}/projector/"):
        assert pinned(public, path) == [TEXT], path
    table = Table.objects.filter(event=palio.event)[0]
    assert pinned(desk, f"/en/t/{table.code}/") == [TEXT]
    # A match is published once for all time.
    assert pinned(public, f"{base}/{slug}/matches/{palio.games[0].match_id}/") == []
    path = address("announcements", palio.event.slug)
    (row,) = current(palio.event)
    send(desk, address("announcement-take-back", palio.event.slug, row.pk), {})
    assert pinned(public, f"{base}/") == []
    assert TEXT in open_page(desk, path).one("aside.desk-side").text


def test_announcement_is_read_in_the_own_language_if_it_has_a_text(palio: Palio) -> None:
    announce(palio.event, Actor.command(), {"it": TEXT, "en": "Tea is ready"}, soon())
    announce(palio.event, Actor.command(), {"it": "Solo italiano"}, soon())
    said = read(Client().get(f"/en/{palio.event.slug}/")).one("aside.announcements").all("p")
    assert [(each.one("span").text, each.one("span").attributes.get("lang")) for each in said] == [
        ("Solo italiano", "it"),
        ("Tea is ready", None),
    ]


def test_announcement_falls_back_to_the_event_s_language_then_any(palio: Palio) -> None:
    both = announce(palio.event, Actor.command(), {"en": "Tea is ready", "it": TEXT}, soon())
    alone = announce(palio.event, Actor.command(), {"en": "Tea is ready"}, soon())

    assert (palio.event.language, both.text("de"), both.text("en-GB")) == (
        "it",
        (TEXT, "it"),
        ("Tea is ready", "en"),
    )
    assert alone.text("de") == alone.text("it") == ("Tea is ready", "en")


def test_announcement_written_by_the_release_before_is_read(palio: Palio) -> None:
    """It has a column for each of two languages, and reads what is written now."""
    row = Announcement.objects.create(event=palio.event, text_it=TEXT, shown_until=soon())

    assert (row.by_language(), row.text("en")) == ({"it": TEXT}, (TEXT, "it"))
    new = announce(palio.event, Actor.command(), {"it": TEXT, "en": "Tea is ready"}, soon())
    assert (new.text_it, new.text_en) == (TEXT, "Tea is ready")


def test_announcement_expires_by_itself_and_pages_are_published_anew(palio: Palio) -> None:
    before = change_marks.outcomes_mark(palio.event.pk), change_marks.tournament_mark(palio.tournament.pk)
    row = announce(palio.event, Actor.command(), {"it": TEXT}, soon())
    up = change_marks.outcomes_mark(palio.event.pk), change_marks.tournament_mark(palio.tournament.pk)
    while publish(palio.event.pk):
        pass
    path = f"/en/{palio.event.slug}/"
    assert pinned(Client(), path) == [TEXT]
    Announcement.objects.filter(pk=row.pk).update(shown_until=timezone.now())
    gone = change_marks.outcomes_mark(palio.event.pk), change_marks.tournament_mark(palio.tournament.pk)
    assert all(len({*three}) == 3 for three in zip(before, up, gone, strict=True))
    while publish(palio.event.pk):
        pass
    assert pinned(Client(), path) == []


def test_announcement_sent_twice_is_stored_once(palio: Palio, desk: Client) -> None:
    path = address("announcements", palio.event.slug)
    fields = fields_of(form_to(open_page(desk, path))) | {"texts.it": TEXT}
    send(desk, path, fields)
    send(desk, path, fields)

    assert Announcement.objects.count() == 1


def test_announcement_that_is_empty_late_or_too_long_is_refused(palio: Palio, desk: Client) -> None:
    empty = write(desk, palio, "", status=422)
    late = write(desk, palio, TEXT, status=422, shown_until="25:00")
    assert errors(read(empty))[0] == "The text is missing."
    assert errors(read(late))[0] == "Enter a valid time."
    codes = []
    for texts, until in (
        ({"it": "x" * 161}, soon()),
        ({"it": TEXT}, soon(-1)),
        ({"it": TEXT}, soon(60 * 25)),
        ({"it": "a\x00b"}, soon()),
    ):
        with pytest.raises(BadInputError) as refused:
            announce(palio.event, Actor.command(), texts, until)
        codes += [problem.code for problem in refused.value.problems]
    assert codes == [Code.TOO_LONG, Code.TIME_NOT_AHEAD, Code.TIME_NOT_AHEAD, Code.ODD_CHARACTERS]
    for _ in range(3):
        announce(palio.event, Actor.command(), {"it": TEXT}, soon())
    write(desk, palio, TEXT, status=422)
    assert Announcement.objects.count() == 3


def test_audit_trail_keeps_no_text_of_an_announcement(palio: Palio, desk: Client) -> None:
    """Somebody may have written a name: it goes with the announcement."""
    row = announce(palio.event, Actor.command(), {"it": TEXT}, soon(), client_id=uuid4())
    kept = AuditEntry.objects.get(row_id=row.pk)
    assert kept.changes["texts"] == [None, "…"]
    purge(palio.event, Actor.command())
    assert not Announcement.objects.exists()


def test_history_shortens_the_texts_of_announcements(palio: Palio, desk: Client) -> None:
    write(desk, palio, TEXT)
    write(desk, palio, "a" * 100, "b" * 100)
    (_second, first) = current(palio.event)
    send(desk, address("announcement-take-back", palio.event.slug, first.pk), {})

    lines, _more = happenings(palio.event, limit=3)

    # New ones of one minute are told as one line.
    told = {each for line in lines for each in (line.what, *line.details) if "“" in each}
    assert told == {
        f"Changed: announcement “{TEXT}”",
        f"New announcement “{'b' * 79}…”",
        f"New announcement “{TEXT}”",
    }


def test_history_keeps_no_text_of_an_announcement_that_was_erased(palio: Palio, desk: Client) -> None:
    write(desk, palio, TEXT)
    Announcement.objects.all().delete()

    lines, _more = happenings(palio.event, limit=1)

    assert [line.what for line in lines] == ["New announcement"]
