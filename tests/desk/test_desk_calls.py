"""The call list and the board of the day: who is next where, called, late; counted and filtered."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ledger.models import Fact
from people.actors import Actor
from people.check_in import check_in
from people.event_days import today
from people.models import AuditEntry, Entry
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, fields_of, form_to, open_page, send
from tests.support.page_reading import Element, read
from tournaments.commands import results
from tournaments.commands.calls import call_match
from tournaments.models import Call, Match, Tournament
from tournaments.projections.rebuild import rebuild
from tournaments.queries.change_marks import match_mark, outcomes_mark

pytestmark = pytest.mark.django_db


def lines(page: Element) -> list[tuple[str, list[str], list[str]]]:
    """The call list: table, names, states."""
    return [
        (
            line.one(".call-table").one("b").text,
            [name.text for side in line.one("ul").all("li") for name in side.all("b")],
            [chip.text for chip in line.all(".chip")],
        )
        for line in page.one("ol.call-list").all("li")
        if line.attributes.get("id")
    ]


def matches(tournament: Tournament) -> list[Match]:
    """The matches in the order of play."""
    return factories.matches_of(tournament)


def names_of(match: Match) -> list[str]:
    """The full names of who plays."""
    sides = match.sides.order_by("number")
    return [str(member.entry.person) for side in sides for member in side.squad.members.all()]


def called_at(match: Match) -> str:
    """What the chip of a called match says."""
    at = Call.objects.get(pk=match.pk).called_at
    assert at is not None
    return f"called at {at.astimezone(ZoneInfo(match.stage.tournament.event.time_zone)):%H:%M}"


def states(page: Element) -> dict[str, int]:
    """The figures above the board, by their words."""
    links = page.one("ul.figures").all("a")
    return {link.one(".chip").text: int(link.one("b").text) for link in links}


def call(desk: Client, palio: Palio, match: Match, status: int = 302, **fields: str) -> object:
    """Press the button of a match on the call list."""
    action = address("call", palio.event.slug, match.pk)
    page = open_page(desk, address("calls", palio.event.slug))
    return send(desk, action, fields_of(form_to(page, action)) | {"do": "call"} | fields, status)


def test_match_states_agree_in_number_in_italian(palio: Palio, desk: Client) -> None:
    there = f"/desk/events/{palio.event.slug}/board/"
    assert states(read(desk.get(there))) == {"prossimi": 2, "in gioco": 0, "finiti": 0}

    call_match(matches(palio.tournament)[0], Actor.command())

    shown = read(desk.get(there, {"show": "called"}))
    assert states(shown) == {"prossimo": 1, "chiamato": 1, "in gioco": 0, "finiti": 0}
    assert shown.one(".picked").one("h2").one(".chip").text == "chiamati"


def test_call_list_begins_with_free_tables_and_has_full_names(palio: Palio, desk: Client) -> None:
    first, second = matches(palio.tournament)
    results.enter_result(palio.games[0], Actor.command(), seat=0)
    page = open_page(desk, address("calls", palio.event.slug))

    assert lines(page) == [("2", names_of(second), ["next"])]
    assert first.table.number == 1


def test_call_is_told_on_the_board_and_to_the_public_without_names(palio: Palio, desk: Client) -> None:
    first, second = matches(palio.tournament)
    facts = Fact.objects.count()
    call(desk, palio, first)
    (line,) = [each for each in lines(open_page(desk, address("calls", palio.event.slug))) if each[0] == "1"]
    assert line == ("1", names_of(first), [called_at(first)])
    board = states(open_page(desk, address("board", palio.event.slug)))
    assert board == {"next": 1, "called": 1, "playing": 0, "done": 0}
    public = Client().get(f"/en/{palio.event.slug}/{palio.tournament.slug}/matches/")
    assert [chip.text for chip in read(public).all(".chip")] == [called_at(first), "waiting"]
    assert factories.LAST_NAME not in public.content.decode()
    assert Fact.objects.count() == facts
    assert second.pk not in Call.objects.values_list("pk", flat=True)
    history = open_page(desk, address("audit", palio.event.slug)).text
    assert "Called to the table · Round 1, table 1" in history


def test_call_is_repeated_and_taken_back(palio: Palio, desk: Client) -> None:
    first = matches(palio.tournament)[0]
    call(desk, palio, first)
    call(desk, palio, first)
    assert Call.objects.get(pk=first.pk).times == 2
    call(desk, palio, first, do="back")
    assert Call.objects.get(pk=first.pk).called_at is None
    assert AuditEntry.objects.filter(model="call").count() == 3


def test_call_of_the_second_of_two_organizers_is_refused(palio: Palio, desk: Client) -> None:
    first = matches(palio.tournament)[0]
    action = address("call", palio.event.slug, first.pk)
    fields = fields_of(form_to(open_page(desk, address("calls", palio.event.slug)), action)) | {"do": "call"}
    send(desk, action, fields)

    assert read(send(desk, action, fields, 409)).one("h1").text == "Somebody was faster"
    assert Call.objects.get(pk=first.pk).times == 1


@pytest.mark.parametrize("do", ["", "shout"])
def test_call_form_with_an_unknown_button_is_a_bad_request(palio: Palio, desk: Client, do: str) -> None:
    call(desk, palio, matches(palio.tournament)[0], 400, do=do)

    assert not Call.objects.exists()


def test_match_that_is_playing_can_not_be_called(palio: Palio, desk: Client) -> None:
    results.enter_result(palio.games[0], Actor.command(), seat=0)
    first = matches(palio.tournament)[0]
    action = address("call", palio.event.slug, first.pk)
    send(desk, action, {"do": "call", "expected_version": "0"}, 409)
    send(desk, action, {"do": "back", "expected_version": "0"}, 409)

    assert not Call.objects.exists()


def test_calls_survive_a_rebuild(palio: Palio) -> None:
    first = matches(palio.tournament)[0]
    call_match(first, Actor.command())
    rebuild(palio.event)
    assert Call.objects.get(pk=first.pk).times == 1


def test_call_list_names_who_is_missing_once_anybody_has_checked_in(palio: Palio, desk: Client) -> None:
    path = address("calls", palio.event.slug)
    assert not open_page(desk, path).has(".call-missing")
    here = Entry.objects.get(team=palio.teams[0], number=1)
    check_in(here, Actor.command())
    missing = [each.text for each in open_page(desk, path).all(".call-missing")]
    others = [str(each.person) for each in Entry.objects.exclude(pk=here.pk).select_related("person")]
    assert sorted(missing) == sorted(f"{name} hasn’t checked in" for name in others)


def test_match_that_should_have_begun_is_late_on_the_day_of_the_event(palio: Palio, desk: Client) -> None:
    """In the middle of the event, whatever the hour of the test: it began the day before."""
    path = address("board", palio.event.slug)
    assert "late" not in states(open_page(desk, path))
    day = today(palio.event)
    palio.event.starts_on, palio.event.ends_on = day - timedelta(days=1), day + timedelta(days=1)
    palio.event.save()
    assert states(open_page(desk, path)) == {"next": 2, "playing": 0, "late": 2, "done": 0}
    picked = open_page(desk, f"{path}?show=late").one("ul.match-cards")
    assert len(picked.all("a.match")) == 2


def test_board_filter_shows_only_matches_of_the_chosen_state(palio: Palio, desk: Client) -> None:
    results.enter_result(palio.games[0], Actor.command(), seat=0)
    path = address("board", palio.event.slug)
    page = open_page(desk, f"{path}?show=playing")
    (link,) = page.one("ul.match-cards").all("a.match")
    assert link.attributes["href"] == address("match", palio.event.slug, palio.games[0].match_id)
    # A reader who has the whole board doesn't take it for this.
    tag = desk.get(path)["ETag"]
    assert desk.get(f"{path}?show=playing", headers={"If-None-Match": tag}).status_code == 200
    assert open_page(desk, f"{path}?show=nonsense").has("ul.tables-now")


@pytest.mark.sqlite
def test_call_list_and_board_cost_as_many_queries_for_many_as_for_few() -> None:
    counts = []
    for entries in (1, 6):
        organizer = factories.make_account()
        event = factories.make_event(organizer)
        factories.drawn_tournament(event, entries=entries)
        desk = browser_of(organizer)
        for name in ("calls", "board"):
            with CaptureQueriesContext(connection) as queries:
                open_page(desk, address(name, event.slug))
            counts.append(len(queries))
    assert counts[:2] == counts[2:]


def test_call_list_says_that_absent_and_withdrawn_players_are_not_coming(palio: Palio, desk: Client) -> None:
    first = matches(palio.tournament)[0]
    absent, withdrawn = [side.squad.members.get().entry for side in first.sides.order_by("number")][:2]
    Entry.objects.filter(pk=absent.pk).update(status=Entry.Status.ABSENT)
    Entry.objects.filter(pk=withdrawn.pk).update(status=Entry.Status.WITHDRAWN)
    page = open_page(desk, address("calls", palio.event.slug))
    told = [each.text for each in page.all(".call-missing")]

    assert told[:2] == [f"{absent.person} isn’t coming", f"{withdrawn.person} isn’t coming"]


def test_hour_of_a_call_stands_on_the_pages_of_the_match(palio: Palio, desk: Client) -> None:
    first = matches(palio.tournament)[0]
    event, mark = palio.event, match_mark(first.pk)
    of_event = outcomes_mark(event.pk)
    at = call_match(first, Actor.command()).called_at
    assert at is not None
    told = f"called at {at.astimezone(ZoneInfo(event.time_zone)):%H:%M}"
    assert match_mark(first.pk) != mark
    assert outcomes_mark(event.pk) != of_event
    for path in (
        f"/en/{event.slug}/{palio.tournament.slug}/matches/{first.pk}/",
        f"/en/{event.slug}/timetable/",
    ):
        assert [chip.text for chip in read(Client().get(path)).all(".chip")][:1] == [told]
    coming = read(Client().get(f"/en/{event.slug}/")).one(".now-next").all(".chip")
    assert [chip.text for chip in coming] == [told]
    page = open_page(desk, address("match", event.slug, first.pk))
    assert page.one(".page-header").one(".chip").text == told
    (link,) = [each for each in page.all("a") if each.text == "Table, time, referee"]
    assert link.attributes["href"] == address("match-place", event.slug, first.pk)
    board = open_page(desk, address("board", event.slug))
    places = {each.attributes["href"] for each in board.all("a.place-link")}
    assert places == {address("match-place", event.slug, each.pk) for each in matches(palio.tournament)}
