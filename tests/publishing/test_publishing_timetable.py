"""The public timetable and its feeds: what is now, next and late, by team and table; in calendars too."""

from datetime import datetime, time, timedelta
from typing import Any
from unittest import mock
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from icalendar import Calendar
from pytest_django import DjangoAssertNumQueries

from people.actors import Actor
from people.events import edit_event
from people.models import Event
from publishing import page_store
from publishing.page_cache import at_once
from publishing.timetable import items_of, planned_of
from tests.publishing.store import publish, there
from tests.support.computed_tournaments import palio, sides_of, win
from tests.support.factories import (
    DAY,
    drawn_tournament,
    games_of,
    make_entry,
    make_event,
    make_table,
    make_team,
)
from tests.support.forms import open_page
from tests.support.page_reading import Element
from tournaments.commands.timetable import change_place, undo_change
from tournaments.models import Match, Tournament

pytestmark = pytest.mark.django_db
ROME = ZoneInfo("Europe/Rome")
ACTOR = Actor.command()


def at(clock: str) -> datetime:
    """A moment of the day of the event."""
    return datetime.combine(DAY, time.fromisoformat(clock), ROME)


def page(client: Client, path: str, now: str = "13:00") -> Element:
    """A page at a moment."""
    with mock.patch("tournaments.queries.timetable.agenda.timezone.now", return_value=at(now)):
        return without_hidden(open_page(client, path))


def without_hidden(element: Element) -> Element:
    """What is shown without scripts."""
    element.content = [
        without_hidden(each) if isinstance(each, Element) else each
        for each in element.content
        if isinstance(each, str) or "hidden" not in each.attributes
    ]
    return element


def told(shown: Element) -> list[tuple[str, list[str]]]:
    """The hours with what begins then."""
    return [
        (slot.all("time")[0].text, [line.text for ul in slot.all("ul") for line in ul.all("li")])
        for agenda in shown.all("ol.agenda")
        for slot in agenda.content
        if isinstance(slot, Element)
    ]


def feed(client: Client, path: str) -> list[Any]:
    """The entries of a feed."""
    answer = client.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    return list(Calendar.from_ical(answer.content).walk("VEVENT"))


def test_timetable_marks_matches_as_done_or_next(client: Client) -> None:
    tournament = palio(entries=3, tables=2, rounds=1)
    for game in games_of(tournament)[:3]:
        win(game, min(sides_of(game), key=lambda team: team.number))
    shown = page(client, "/en/palio/timetable/", "14:32")
    rows = told(shown)

    assert [(hour, [line.split(" Superiore")[0] for line in lines]) for hour, lines in rows] == [
        ("14:00", ["Table 1", "Table 2"]),
        ("14:35", ["Table 1"]),
    ]
    assert [line.rpartition(" ")[2] for _, lines in rows for line in lines] == ["done", "next", "next"]


def test_timetable_of_a_team_and_of_a_table_has_their_matches(client: Client) -> None:
    event = make_event(slug="palio")
    drawn_tournament(event, teams=4, entries=2, tables=2)
    shown = page(client, "/en/palio/timetable/team/2/")
    assert shown.one("h1").text == "Centro"
    lines = [line for _, lines in told(shown) for line in lines]
    assert {"Centro" in line for line in lines} == {True}
    lines = [line for _, lines in told(page(client, "/en/palio/timetable/table/2/")) for line in lines]
    assert {line.startswith("Table 2 ") for line in lines} == {True}
    for kind in ("team", "table"):
        assert client.get(f"/en/palio/timetable/{kind}/9/").status_code == 404


def test_timetable_of_an_unpublished_draw_is_empty(client: Client) -> None:
    drawn_tournament(make_event(slug="palio"), published=False)
    shown = page(client, "/en/palio/timetable/")
    assert shown.one(".empty").one("h2").text == "No timetable yet"
    assert feed(client, "/en/palio/timetable.ics") == []


def test_timetable_costs_as_many_queries_for_many_matches_as_for_few(client: Client) -> None:
    few, many = palio(), palio(12, make_event(slug="grande"), tables=12)
    palio(4, many.event, tables=3)
    # What a process learns once.
    client.get(f"/en/{few.event.slug}/timetable/")
    for path in ("timetable/", "timetable/team/1/", "timetable.ics"):
        costs = []
        for tournament in (few, many):
            with CaptureQueriesContext(connection) as queries:
                client.get(f"/en/{tournament.event.slug}/{path}")
            costs.append(len(queries))
        assert costs[0] == costs[1] <= 14, path


def test_timetable_feed_has_what_the_page_has(client: Client) -> None:
    palio(entries=2, tables=1, rounds=1)
    entries = feed(client, "/en/palio/timetable.ics")
    assert [(each["DTSTART"].dt, each["DTEND"].dt) for each in entries] == [
        (at("14:00"), at("14:30")),
        (at("14:35"), at("15:05")),
    ]
    assert {str(each["LOCATION"]) for each in entries} == {"Table 1, Borgo Alto"}
    assert {str(each["DESCRIPTION"]) for each in entries} == {"Torneo, Round 1"}
    assert {str(each["UID"]) for each in entries} == {
        f"{pk}@tendone" for pk in Match.objects.values_list("pk", flat=True)
    }
    lines = [line for _, lines in told(page(client, "/en/palio/timetable/")) for line in lines]
    for entry, line in zip(entries, lines, strict=True):
        assert all(side in line for side in str(entry["SUMMARY"]).split(" – "))
    team = feed(client, "/en/palio/timetable/team/1.ics")
    assert [each["UID"] for each in team] == [each["UID"] for each in entries]
    assert feed(client, "/en/palio/timetable/table/1.ics") == entries


def test_timetable_feed_changes_with_a_move_and_raises_its_sequence(client: Client) -> None:
    tournament = palio(entries=2, tables=1, rounds=1)
    path = "/en/palio/timetable.ics"
    first = client.get(path)
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
    win(games_of(tournament)[0], None)
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
    before = {each["UID"]: each for each in feed(client, path)}
    match = Match.objects.order_by("-wave")[0]
    change_place(match, ACTOR, begins_at=at("16:00"))
    moved = {each["UID"]: each for each in feed(client, path)}
    uid = f"{match.pk}@tendone"
    assert moved.keys() == before.keys()
    assert moved[uid]["DTSTART"].dt == at("16:00")
    assert moved[uid]["SEQUENCE"] > before[uid]["SEQUENCE"]
    assert moved[uid]["LAST-MODIFIED"].dt >= before[uid]["LAST-MODIFIED"].dt
    undo_change(tournament.event, ACTOR)
    back = {each["UID"]: each for each in feed(client, path)}
    assert back[uid]["DTSTART"].dt == before[uid]["DTSTART"].dt
    assert back[uid]["SEQUENCE"] > moved[uid]["SEQUENCE"]


def test_timetable_shows_names_where_event_and_parents_allow_it(client: Client) -> None:
    event = make_event(slug="palio", names_shown=Event.NamesShown.INITIAL)
    for consents in (True, False, False):
        make_entry(make_team(event), shows_name=consents)
    palio(event=event)
    expected = "Superiore: Ortensia Z. – Centro 1 – Inferiore 1"
    assert [str(each["SUMMARY"]) for each in feed(client, "/palio/timetable.ics")] == [expected]
    ((_, (line,)),) = told(page(client, "/en/palio/timetable/"))
    assert line == "Table 1 Superiore: Ortensia Z. Centro 1 Inferiore 1 next"


def stored(event: Event) -> dict[str, bytes]:
    """The published timetables and feeds."""
    return {path: page for path, page in there(event).items() if "/timetable" in path}


def test_timetable_is_published_anew_only_where_something_changed(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event = make_event(slug="palio", name="Palio")
    drawn_tournament(event, teams=4, entries=1, tables=4, rounds=1)
    publish(event)
    before = stored(event)
    assert len(before) == 2 * 2 * (1 + 4 + event.tables.count())
    with django_assert_num_queries(0):
        answer = client.get("/palio/timetable.ics", headers={"Accept-Encoding": "gzip"})
        page_ = client.get("/en/palio/timetable/team/1/")
    assert (answer["Content-Type"], answer["Content-Encoding"]) == ("text/calendar; charset=utf-8", "gzip")
    assert page_.content == before["/en/palio/timetable/team/1/"]
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    match = Match.objects.order_by("table__number")[0]
    make_table(event, 9)
    change_place(match, ACTOR, table=9)
    publish(event)
    after = stored(event)
    playing = {side.squad.team.number for side in match.sides.select_related("squad__team")}
    still = {number for number in (1, 2, 3, 4) if number not in playing}
    same = {path for path in before if after.get(path) == before[path]}
    assert {f"/palio/timetable/team/{number}.ics" for number in still} <= same
    assert {f"/palio/timetable/team/{number}.ics" for number in playing} & same == set()
    made = client.get("/palio/timetable/table/9.ics").content
    page_store.remove("/palio/timetable/table/9.ics")
    assert client.get("/palio/timetable/table/9.ics").content == made
    edit_event(event, ACTOR, place="Altrove")
    assert client.get("/palio/timetable.ics").content != before["/palio/timetable.ics"]


def test_timetable_has_the_hours_of_the_event_s_time_zone(client: Client) -> None:
    tournament: Tournament = palio()
    assert [hour for hour, _ in told(page(client, "/en/palio/timetable/"))] == ["14:00"]
    edit_event(tournament.event, ACTOR, time_zone="America/New_York")
    assert [hour for hour, _ in told(page(client, "/en/palio/timetable/"))] == ["14:00"]
    (entry,) = feed(client, "/en/palio/timetable.ics")
    assert entry["DTSTART"].dt == datetime.combine(DAY, at("14:00").time(), ZoneInfo("America/New_York"))
    assert entry["DTSTART"].dt.utcoffset() == timedelta(hours=-4)


def test_timetable_pages_made_at_once_load_only_what_has_changed() -> None:
    tournament = palio(2, tables=2)
    event = tournament.event

    def queries() -> int:
        """How many it takes to have all matches, in the next of many runs."""
        with at_once(), CaptureQueriesContext(connection) as found:
            loaded = items_of(event, planned_of(event, [tournament]))
        # Made for who asks, it is always loaded.
        assert loaded == items_of(event, planned_of(event, [tournament]))
        return len(found)

    game = games_of(tournament)[0]
    assert (queries(), queries()) == (8, 4)
    win(game, sides_of(game)[0])
    assert (queries(), queries()) == (8, 4)
    edit_event(event, ACTOR, name="Palio nuovo")
    assert (queries(), queries()) == (8, 4)
