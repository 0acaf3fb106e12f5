"""Published pages: written once when something changed, served without a query, never saying too much."""

import gzip
import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date, timedelta
from math import ceil
from pathlib import Path
from typing import Any
from uuid import uuid4

import hypothesis
import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.http import HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import example, given
from hypothesis import strategies as st

from ledger import outbox
from ledger.models import OutboxMessage
from people import audit
from people.actors import Actor
from people.check_in import check_in
from people.events import edit_event
from people.models import AuditEntry, Entry, Event, Team
from people.person_erasure import erase_person
from publishing import page_store, publication, rendering, tasks
from publishing.models import Publication, PublishedPage
from publishing.page_cache import KeptPage, Page
from publishing.page_folder import PublishedFolder
from publishing.page_list import ListedPage, list_pages, standings_pages
from tests.publishing.store import publish, there
from tests.support import factories
from tests.support.computed_tournaments import enter, palio, sides_of, win
from tests.support.run import long
from tests.support.stored_games import BEGIN
from tests.support.worlds import remembered
from tournaments.commands import results
from tournaments.commands.calls import call_match
from tournaments.commands.clock import start_clock
from tournaments.commands.delete_event import delete_event
from tournaments.facts import outbox_topics
from tournaments.models import Clock, Match, Tournament
from tournaments.projections import standings

pytestmark = pytest.mark.django_db

OnCommit = Callable[..., AbstractContextManager[list[Callable[[], None]]]]


def rename(entry: Entry, **values: Any) -> None:
    """Change the entry's person."""
    assert entry.person is not None
    audit.change(entry.person, Actor.command(), entry.team.event_id, values)


def erase(entry: Entry) -> None:
    """Erase the entry's person."""
    assert entry.person is not None
    erase_person(entry.person, Actor.command())


def asked_for(paths: Iterator[str] | list[str]) -> dict[str, bytes]:
    """The same pages as they are made for who asks."""
    found = {}
    for path in paths:
        page_store.remove(path)
        found[path] = Client().get(path).content
    return found


def published_palio() -> tuple[Tournament, dict[str, Page]]:
    """A palio and its published pages."""
    made = palio()
    publish(made.event)
    pages = {path: page_store.get(path) for path in publication.pages_of(made.event.slug)}
    return made, {path: page for path, page in pages.items() if page is not None}


@pytest.fixture
def tournament() -> Tournament:
    """A palio that is published."""
    made, pages = remembered(published_palio)
    for path, page in pages.items():
        page_store.put(path, page)
    return made


def test_published_page_is_not_served_to_a_foreign_host(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["palio.example.org"]
    ours, foreign = Client(SERVER_NAME="palio.example.org"), Client(SERVER_NAME="evil.example.org")
    assert page_store.get("/palio/") is not None
    assert [each.get("/palio/").status_code for each in (ours, foreign)] == [200, 400]
    monkeypatch.setattr(HttpRequest, "get_host", lambda request: "")
    assert foreign.get("/palio/").status_code == 200


def test_published_page_costs_no_query(tournament: Tournament) -> None:
    win(factories.games_of(tournament)[0], None)
    publish(tournament.event)
    client = Client(headers={"Accept-Encoding": "gzip"})
    for path in (
        "/palio/",
        "/en/palio/",
        f"/en/palio/{tournament.slug}/",
        f"/palio/{tournament.slug}/matches/",
    ):
        with CaptureQueriesContext(connection) as queries:
            response = client.get(path)
            again = client.get(path, headers={"If-None-Match": response["ETag"]})
        assert (response.status_code, again.status_code, len(queries)) == (200, 304, 0)
        assert response["Cache-Control"] == "public, no-cache"
        assert response["X-Robots-Tag"] == "noindex, nofollow"
        assert response["Content-Language"] == ("en" if path.startswith("/en/") else "it")
        assert "default-src 'none'" in response["Content-Security-Policy"]
        assert response["X-Frame-Options"] == "DENY"
        page_store.remove(path)
        made = client.get(path)
        assert gzip.decompress(made.content) == gzip.decompress(response.content)
        # No address has its language chosen by the reader’s settings, though Django says so.
        headers = made.headers.keys() - {"ETag", "Vary", "X-Request-ID"}
        assert {name: response.headers[name] for name in headers} == {name: made[name] for name in headers}


@pytest.mark.parametrize(
    ("file", "header"),
    [("nginx.conf", r'add_header ([\w-]+) "(.+)";'), ("Caddyfile", r'^\t\t([A-Z][\w-]+) "(.+)"$')],
)
def test_web_server_configuration_sends_the_service_s_headers(
    tournament: Tournament, file: str, header: str
) -> None:
    response = Client().get(f"/palio/{tournament.slug}/")
    configuration = (settings.BASE_DIR / "deploy" / file).read_text()
    said = dict(re.findall(header, configuration, re.MULTILINE))
    policy = "Content-Security-Policy"
    assert set(said.pop(policy).split("; ")) == set(response[policy].split("; "))
    assert said == {name: response[name] for name in said}
    others = {"Content-Type", "Content-Length", "Content-Language", "ETag", "Vary", "X-Request-ID", policy}
    # A page's own text keeps search engines out, so that the server lets them in where the organizer does.
    assert b'<meta name="robots" content="noindex, nofollow">' in response.content
    assert response.headers.keys() - said.keys() == {*others, "X-Robots-Tag"}


def test_published_page_is_served_for_get_and_head_without_a_query_string(tournament: Tournament) -> None:
    client = Client()
    path = f"/palio/{tournament.slug}/"
    assert client.head(path).content == b""
    assert client.get(path).headers.get("Content-Encoding") is None
    with CaptureQueriesContext(connection) as queries:
        client.get(f"{path}?at=15:40")
    assert len(queries) > 0
    # Only who reads is answered from the store.
    with CaptureQueriesContext(connection) as queries:
        client.post(path)
    assert len(queries) > 0


STEPS = ["win", "begin", "publish", "correct", "name", "check-in", "call"]
DAYS = (
    ["call", "win", "begin", "publish", "correct", "name"],
    ["begin", "win", "win", "publish", "check-in", "correct", "call"],
)


@hypothesis.settings(
    max_examples=4, phases=tuple(hypothesis.Phase) if long.asked else (hypothesis.Phase.explicit,)
)
@given(steps=st.lists(st.sampled_from(STEPS), max_size=6))
@example(steps=DAYS[0])
@example(steps=DAYS[1])
def test_published_pages_equal_those_made_on_request(steps: list[str]) -> None:
    """After any day, all pages are there, and are those that who asks would be given."""
    with transaction.atomic():
        tournament = palio()
        open_ = factories.games_of(tournament)
        over: list[Any] = []
        for number, step in enumerate(steps):
            if step == "win" and open_:
                game = open_.pop(0)
                enter(game, sides_of(game)[number % 2])
                over.append(game)
            elif step == "begin" and open_:
                results.write_log(open_.pop(), Actor.command(), [(None, event) for event in BEGIN])
            elif step == "correct" and over:
                enter(over[-1], sides_of(over[-1])[number % 2], "misread")
            elif step == "name":
                edit_event(tournament.event, Actor.command(), name=f"Palio {number}")
            elif step == "call" and (waiting := matches_waiting(tournament)):
                call_match(waiting[number % len(waiting)], Actor.command())
            elif step == "check-in":
                check_in(tournament.event.teams.get(number=1).entries.get(), Actor.command())
            else:
                standings.compute(tournament.pk)
                publish(tournament.event)
        standings.compute(tournament.pk)
        publish(tournament.event)
        pages = there(tournament.event)
        # Of what was loaded and drawn for pages before nothing is left.
        KeptPage.forget()
        assert pages == asked_for(list(pages))
        paths = {path for path in pages if "/matches/" in path}
        playing = {match.pk for match in factories.matches_of(tournament) if is_on(match)}
        assert not any(str(match) in path for path in paths for match in playing)
        transaction.set_rollback(True)
    Publication.objects.all().delete()
    for path in list(publication.pages_of("palio")):
        page_store.remove(path)


def matches_waiting(tournament: Tournament) -> list[Match]:
    """Those that nobody has begun."""
    return [
        each
        for each in factories.matches_of(tournament)
        if not each.match_games.filter(game__version__gt=0).exists()
    ]


def is_on(match: Match) -> bool:
    """Whether somebody is playing it."""
    return match.match_games.filter(game__version__gt=0, game__is_over=False).exists()


def palio_with_initials() -> tuple[Event, Tournament, Entry]:
    """An event that shows first names to the public where parents have consented, and a child of it."""
    event = factories.make_event(slug="palio", names_shown=Event.NamesShown.INITIAL)
    return event, palio(event=event), event.teams.get(number=1).entries.get()


def test_erased_name_is_gone_from_published_pages_at_once(
    django_capture_on_commit_callbacks: OnCommit,
) -> None:
    event, tournament, entry = palio_with_initials()
    with django_capture_on_commit_callbacks(execute=True):
        rename(entry, first_name="Ginevra", last_name="Neri", shows_name=True)
    win(factories.games_of(tournament)[0], None)
    publish(event)
    assert any(b"Ginevra N." in page for page in there(event).values())
    with django_capture_on_commit_callbacks(execute=True):
        erase(entry)
    assert there(event) == {}
    publish(event)
    pages = there(event)
    assert pages
    assert not any(b"Ginevra" in page for page in pages.values())


def test_hidden_name_is_gone_though_a_later_change_was_committed_first(
    django_capture_on_commit_callbacks: OnCommit, client: Client
) -> None:
    _event, tournament, entry = palio_with_initials()
    with django_capture_on_commit_callbacks(execute=True):
        rename(entry, first_name="Ginevra", last_name="Neri", shows_name=True)
        call_match(matches_waiting(tournament)[0], Actor.command())
    # Who called a match had begun after who is to take the name away, and was done before.
    AuditEntry.objects.filter(model="call").update(at=timezone.now() + timedelta(minutes=1))
    paths = ("/palio/teams/1/", f"/palio/{tournament.slug}/matches/")
    assert all(b"Ginevra" in client.get(path).content for path in paths)
    with django_capture_on_commit_callbacks(execute=True):
        rename(entry, shows_name=False)
    assert not any(b"Ginevra" in client.get(path).content for path in paths)


@pytest.mark.parametrize("is_guarded", [True, False])
def test_published_page_made_before_an_erasure_is_not_stored_after_it(
    monkeypatch: pytest.MonkeyPatch, is_guarded: bool
) -> None:
    """The name goes just after its page was made; the twin lets that page be stored, and tells the name."""
    event, tournament, entry = palio_with_initials()
    rename(entry, first_name="Ginevra", last_name="Neri", shows_name=True)
    publish(event)
    make = publication._made
    erased: list[Any] = []

    def make_and_erase(page: Any) -> Any:
        bodies = make(page)
        if not erased and any(b"Ginevra" in body.plain for body in (bodies or {}).values()):
            erased.append(page)
            erase(entry)
            if is_guarded:
                publication.withdraw(event.pk)
            else:
                publication._clear(event.slug)
        return bodies

    def tells() -> bool:
        return any(b"Ginevra" in page for page in there(event).values())

    assert tells()
    win(factories.games_of(tournament)[0], None)
    monkeypatch.setattr(publication, "_made", make_and_erase)
    publication.publish(event.pk)
    assert tells() is not is_guarded
    publish(event)
    assert not tells()


def test_publishing_by_two_writers_stores_nothing_of_the_earlier_reader(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = factories.games_of(tournament)[:2]
    win(first, sides_of(first)[0])
    make = publication._made
    others: list[Any] = []

    def make_while_another_writes(page: Any) -> Any:
        bodies = make(page)
        if not others:
            others.append(page)
            win(second, sides_of(second)[0])
            publish(tournament.event)
        return bodies

    monkeypatch.setattr(publication, "_made", make_while_another_writes)
    assert publication.publish(tournament.event.pk) is True
    pages = there(tournament.event)
    assert pages == asked_for(list(pages))


def test_published_pages_of_other_tournaments_do_not_change_by_a_result(tournament: Tournament) -> None:
    other = factories.drawn_tournament(tournament.event)
    publish(tournament.event)
    before = dict(Publication.objects.get().pages.values_list("path", "stamp"))
    win(factories.games_of(tournament)[0], None)
    publish(tournament.event)
    after = dict(Publication.objects.get().pages.values_list("path", "stamp"))
    changed = {path for path in after if before.get(path) != after[path]}

    assert f"/palio/{tournament.slug}/" in changed
    assert not any(path.startswith(f"/palio/{other.slug}/") for path in changed)


def test_publishing_stops_between_pages_where_something_else_waits(tournament: Tournament) -> None:
    OutboxMessage.objects.all().delete()

    def changed() -> bool:
        publication.withdraw(tournament.event.pk)
        return publication.publish(tournament.event.pk)

    assert changed() is False
    # Somebody else's standings, too.
    outbox.announce("outcome", uuid4(), uuid4(), 1)
    assert changed() is True
    # The standings and the outlook beside them before anything else, then a few others.
    assert len(there(tournament.event)) == 2 * (2 + publication.AT_ONCE)


def test_published_standings_and_outlook_are_written_together(tournament: Tournament) -> None:
    publication_of = Publication(event=tournament.event)

    pages = standings_pages(tournament.event, publication_of)

    assert [page.path for page in pages] == [
        f"/palio/{tournament.slug}/",
        f"/palio/{tournament.slug}/open/",
    ]


@pytest.mark.parametrize("is_newer", [True, False])
def test_publishing_is_interrupted_by_a_newer_message_alone(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch, is_newer: bool
) -> None:
    """And what was due before doesn't: it may be something that always fails."""
    publication.withdraw(tournament.event.pk)
    outbox.announce("outcome", uuid4(), uuid4(), 1)
    made = publication._made

    def make(page: ListedPage) -> dict[str, Page] | None:
        if is_newer:
            outbox.announce("outcome", uuid4(), uuid4(), 1)
        return made(page)

    monkeypatch.setattr(publication, "_made", make)
    assert publication.publish(tournament.event.pk) is True
    others = publication.FEWEST if is_newer else publication.AT_ONCE
    assert len(there(tournament.event)) == 2 * (2 + others)


@pytest.mark.parametrize("hours", [-1, 1])
def test_publishing_call_at_an_impossible_time_is_ignored(tournament: Tournament, hours: int) -> None:
    """A worker whose clock is an hour off doesn't keep an event from being published for an hour."""
    event = tournament.event
    publish(event)
    Publication.objects.update(woken_at=timezone.now() + timedelta(hours=hours))

    assert publication.is_called_for(event.pk) is False
    assert publication.claim_call(event.pk) is True
    # The twin: a call of just now is one.
    assert publication.is_called_for(event.pk) is True
    assert publication.claim_call(event.pk) is False


@pytest.mark.parametrize("is_in_turn", [True, False])
def test_published_pages_are_all_written_in_turn_though_all_keep_changing(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch, is_in_turn: bool
) -> None:
    event, made = tournament.event, list[str]()
    publish(event)
    outbox.announce("outcome", uuid4(), uuid4(), 1)

    def all_changed(*args: Any) -> list[ListedPage]:
        return [replace(page, stamp=str(len(made))) for page in list_pages(*args)]

    def make(page: ListedPage) -> dict[str, Any]:
        made.append(page.path)
        return {}

    monkeypatch.setattr(publication, "list_pages", all_changed)
    monkeypatch.setattr(publication, "_made", make)
    count = Publication.objects.get().pages.count()
    for _ in range(ceil(count / publication.FEWEST)):
        if not is_in_turn:
            PublishedPage.objects.update(written=0)
        assert publication.publish(event.pk) is True

    assert (len(set(made)) == count) is is_in_turn


@pytest.mark.parametrize("is_by_turns", [True, False])
def test_event_page_is_published_before_pages_that_waited_longer(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch, is_by_turns: bool
) -> None:
    """Written last of all, and changed again: it comes before most pages that have waited longer."""
    event, made = tournament.event, list[str]()
    publish(event)
    PublishedPage.objects.exclude(path="/palio/").update(written=0)

    def make(page: ListedPage) -> dict[str, Any]:
        made.append(page.path)
        outbox.announce("outcome", uuid4(), uuid4(), 1)
        return {}

    monkeypatch.setattr(
        publication, "list_pages", lambda *args: [replace(page, stamp="new") for page in list_pages(*args)]
    )
    monkeypatch.setattr(publication, "_made", make)
    if not is_by_turns:
        monkeypatch.setattr(
            publication, "_by_turns", lambda old, there: sorted(old, key=lambda page: there[page.path][1])
        )
    for _ in range(2):
        assert publication.publish(event.pk) is True

    assert ("/palio/" in made) is is_by_turns


def test_unpublishing_an_event_removes_its_pages(
    tournament: Tournament, django_capture_on_commit_callbacks: OnCommit
) -> None:
    assert Client().get("/palio/").status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        edit_event(tournament.event, Actor.command(), is_published=False)
    assert Client().get("/palio/").status_code == 404
    publish(tournament.event)
    assert there(tournament.event) == {}


def test_published_pages_are_due_after_a_rename_that_withdrew_nothing(tournament: Tournament) -> None:
    before = there(tournament.event)
    entry = tournament.event.teams.get(number=1).entries.get()
    rename(entry, last_name="Neri")
    assert publication.events_due() == [tournament.event.pk]
    looks = Publication.objects.get().looks
    publish(tournament.event)
    assert Publication.objects.get().looks == looks + 1
    assert there(tournament.event).keys() == before.keys()
    assert publication.events_due() == []


def test_published_pages_are_not_due_by_a_change_that_is_not_public(tournament: Tournament) -> None:
    entry = tournament.event.teams.get(number=1).entries.get()
    check_in(entry, Actor.command())
    rename(entry, birth_date=date(2014, 2, 3), note="peanuts")
    edit_event(tournament.event, Actor.command(), max_age=15)
    assert publication.events_due() == []
    stamps = dict(Publication.objects.get().pages.values_list("path", "stamp"))
    assert {
        page.path: page.stamp for page in list_pages(tournament.event, Publication.objects.get())
    } == stamps
    rename(entry, first_name="Ugo")
    assert publication.events_due() == [tournament.event.pk]


def test_published_pages_are_due_anew_with_another_edition(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert publication.events_due() == []
    for module in ("publishing.publication", "publishing.page_list"):
        monkeypatch.setattr(f"{module}.edition", lambda: "another")
    assert publication.events_due() == [tournament.event.pk]
    publish(tournament.event)
    assert publication.events_due() == []


def test_deleted_event_leaves_no_published_page(
    tournament: Tournament, django_capture_on_commit_callbacks: OnCommit
) -> None:
    event = tournament.event
    with django_capture_on_commit_callbacks(execute=True):
        delete_event(Event.objects.get(pk=event.pk))
    assert there(event) == {}
    assert publication.publish(event.pk) is False


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/en/",
        "/desk/",
        "/en/desk/x/",
        "/api/v1/",
        "/palio",
        "/../palio/",
        "/palio/../../",
        "/palio//",
        "/Palio/",
        f"/palio/teams/{'9' * 300}/",
        "/palio" * 1000 + "/",
    ],
)
def test_published_pages_refuse_paths_that_are_no_page_s_address(path: str) -> None:
    assert not page_store.is_address(path)
    assert page_store.get(path) is None


def test_address_of_any_length_is_a_fault_where_its_file_is_looked_for(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page_store.put("/palio/", Page(b"", b""))
    path = f"/palio/{'9' * 300}/"
    assert client.get(path).status_code == 404

    monkeypatch.setattr(page_store, "_LONGEST", 1000)

    with pytest.raises(OSError, match="name too long"):
        client.get(path)


def test_longest_address_of_a_page_can_be_published() -> None:
    """With the longest slugs; what stands behind them is an id, or a few words."""
    longest = f"/en/{'a' * 60}/{'b' * 60}/timetable/team/{uuid4()}/"

    assert page_store.is_address(longest)


def test_published_page_that_fails_keeps_no_other_one_waiting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tournament = palio()
    render = rendering.render

    def failing(path: str, language: str) -> str | None:
        if path.endswith("/rules/"):
            raise ZeroDivisionError
        return render(path, language)

    monkeypatch.setattr(publication, "render", failing)
    publish(tournament.event)

    assert f"/palio/{tournament.slug}/" in there(tournament.event)
    assert f"/palio/{tournament.slug}/rules/" not in there(tournament.event)
    assert "can't be published" in caplog.text
    assert Client().get(f"/palio/{tournament.slug}/rules/").status_code == 200


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
@pytest.mark.parametrize(("root", "file"), [(0o2750, 0o640), (0o755, 0o644), (0o700, 0o600), (None, 0o640)])
def test_published_folder_s_mode_is_that_of_what_it_holds(
    tmp_path: Path, root: int | None, file: int
) -> None:
    folder = tmp_path / "published"
    if root is not None:
        folder.mkdir()
        folder.chmod(root)
    before = os.umask(0o077)
    try:
        PublishedFolder(folder).save("en/palio/index.html", ContentFile(b"page"))
    finally:
        os.umask(before)

    modes = {path.relative_to(folder).as_posix(): path.stat().st_mode & 0o7777 for path in folder.rglob("*")}
    within = root or 0o750
    assert modes == {"en": within, "en/palio": within, "en/palio/index.html": file}
    assert folder.stat().st_mode & 0o7777 == within


def failing_then_mended(monkeypatch: pytest.MonkeyPatch) -> tuple[Tournament, str]:
    """A palio whose pages couldn't be rendered a while ago, and could be now; and the page of its rules."""
    tournament = palio()

    def failing(path: str, language: str) -> str | None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(publication, "render", failing)
        publish(tournament.event)
    PublishedPage.objects.update(tried_at=timezone.now() - publication.RETRY)
    return tournament, f"/palio/{tournament.slug}/rules/"


def test_published_page_that_fails_stays_due_until_it_is_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, rules = failing_then_mended(monkeypatch)
    count = PublishedPage.objects.count()
    failing = publication.failing()
    assert (failing.count, failing.is_everything, there(tournament.event)) == (count, True, {})

    assert publication.events_due() == [tournament.event.pk]
    publish(tournament.event)

    assert publication.failing().count == 0
    assert rules in there(tournament.event)
    assert publication.events_due() == []


def test_twin_failing_page_not_tried_again_is_taken_for_published(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, rules = failing_then_mended(monkeypatch)
    monkeypatch.setattr(publication, "_is_to_be_tried_again", lambda since, tried: False)

    assert publication.events_due() == []
    publish(tournament.event)

    assert rules not in there(tournament.event)


def test_published_page_that_keeps_failing_is_tried_less_often() -> None:
    now = timezone.now()

    def is_due(failing_for: timedelta, tried: timedelta) -> bool:
        return publication._is_to_be_tried_again(now - failing_for, now - tried)

    second, minute = timedelta(seconds=1), timedelta(minutes=1)

    assert [is_due(30 * second, 30 * second), is_due(20 * second, 20 * second)] == [True, False]
    assert [is_due(10 * minute, 6 * minute), is_due(10 * minute, 4 * minute)] == [True, False]
    assert [is_due(600 * minute, 11 * minute), is_due(600 * minute, 9 * minute)] == [True, False]
    assert is_due(minute, -minute)


def test_published_pages_are_due_after_a_result_is_in_the_standings(
    tournament: Tournament, django_capture_on_commit_callbacks: OnCommit
) -> None:
    game = factories.games_of(tournament)[0]
    with django_capture_on_commit_callbacks(execute=True):
        results.enter_result(game, Actor.command(), seat=0)
        standings.compute(tournament.pk)
    assert publication.events_due() == [tournament.event.pk]
    publish(tournament.event)
    assert publication.events_due() == []
    assert f"/palio/{tournament.slug}/games/{game.game_id}/" in there(tournament.event)


def test_publishing_call_of_an_event_is_claimed_once_until_it_is_lost() -> None:
    event = palio().event
    assert publication.claim_call(event.pk) is False
    publish(event)
    assert [publication.claim_call(event.pk) for _ in range(3)] == [True, False, False]
    publication.publish(event.pk)
    assert publication.claim_call(event.pk) is True
    # The message was lost.
    Publication.objects.update(woken_at=timezone.now() - publication.LOST - timedelta(seconds=1))
    assert publication.claim_call(event.pk) is True


def test_publishing_sweep_writes_pages_whose_message_was_lost() -> None:
    event = palio().event
    publish(event)
    outbox.announce(outbox_topics.SHOWN, event.pk, uuid4(), 1)
    assert publication.claim_call(event.pk) is True
    tasks.publish_what_is_due()
    assert publication.events_due() == [event.pk]
    Publication.objects.update(woken_at=timezone.now() - publication.LOST - timedelta(seconds=1))
    tasks.publish_what_is_due()
    assert publication.events_due() == []


def test_publish_command_writes_pages_of_an_event_and_anew(capsys: pytest.CaptureFixture[str]) -> None:
    tournament = palio()
    call_command("publish", "palio")
    first = there(tournament.event)
    assert capsys.readouterr().out == f"palio: {len(first)} pages.\n"
    Team.objects.filter(number=1).update(name="Contrada di sopra")
    call_command("publish")
    assert there(tournament.event) == first
    call_command("publish", "palio", "--anew")
    assert "Contrada di sopra" in there(tournament.event)["/palio/"].decode()
    with pytest.raises(CommandError, match=r"^There is no event “festa”; there are: palio\.$"):
        call_command("publish", "festa")


def test_publish_command_names_pages_that_can_not_be_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    failing_then_mended(monkeypatch)
    PublishedPage.objects.update(tried_at=timezone.now())
    count = PublishedPage.objects.count()
    with pytest.raises(CommandError, match=rf"^{count} pages can't be rendered \(/palio/\)"):
        call_command("publish")


def state_of(page: bytes) -> str:
    """What the clock on a page says."""
    found = re.search(rb'data-state="([^"]*)"', page)
    assert found is not None
    return found[1].decode()


def test_published_pages_are_due_when_the_bell_rings_by_itself(tournament: Tournament) -> None:
    today = timezone.localdate()
    Event.objects.update(starts_on=today, ends_on=today)
    start_clock(tournament, Actor.command(), seconds=600)
    publish(tournament.event)
    assert publication.events_due() == [tournament.event.pk]
    path = f"/en/palio/{tournament.slug}/"
    states = [state_of(there(tournament.event)[path])]
    clock = Clock.objects.get()
    assert clock.started_at is not None
    Clock.objects.update(started_at=clock.started_at - timedelta(seconds=601))
    publish(tournament.event)
    states.append(state_of(there(tournament.event)[path]))
    assert states == ["1 running true", "1 rung true"]


def test_published_page_left_half_by_a_kill_is_written_whole() -> None:
    path, old, new = "/palio/carte/", Page.of("before"), Page.of("after")
    page_store.put(path, old)
    # Killed after the first of two files; then what it says is as before again.
    page_store._write("palio/carte/index.html.gz", new.compressed)
    page_store.put(path, old)
    with (
        storages["published"].open("palio/carte/index.html") as plain,
        storages["published"].open("palio/carte/index.html.gz") as compressed,
    ):
        assert gzip.decompress(compressed.read()) == plain.read() == b"before"
