"""Who may open which page of the desk."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from desk.urls import urlpatterns
from integrations.webhooks import registration
from people import access
from people.actors import Actor
from people.announcements import announce
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.forms import address, open_page, send
from tests.support.page_reading import read
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.models import OtherGame
from tournaments.models import Palio as Overall

pytestmark = pytest.mark.django_db

OPEN_TO_ALL = {"sign-in", "sign-in-code", "sign-out"}
WITH_A_SECOND_FACTOR = {"second-factor-off", "recovery-codes"}
POST_ONLY = {
    *("event-publish", "team-remove", "entry-status", "entry-check-in", "pin", "pairing-admit"),
    *("pairing-replace", "pairings-turn-away", "table-renew"),
    *("pairing-revoke", "result", "draw-make", "draw-publish", "lots", "adjust", "close", "reopen", "verify"),
    *(
        "token-revoke",
        "sign-out-everywhere",
        "rules-preview",
        "play-off",
        "clock",
        "palio-joker",
        "palio-joker-withdraw",
        "palio-lots",
    ),
    *("round-draw", "round-redraw", "round-places", "stage-end", "stage-start", "stage-lots", "stage-order"),
    *("squad-add", "squad-back", "squad-bye", "team-back"),
    *("confirm", "result-confirm", "result-keep", "slips", "slips-paper"),
    *("announcement-take-back", "call", "rehearsal-end"),
    *(f"webhook-{each}" for each in ("pause", "resume", "test", "replay", "remove")),
    *("timetable-settings", "timetable-undo", "timetable-clear", "timetable-work-start"),
    *("timetable-work-stop", "timetable-work-keep", "timetable-work-change"),
}
PAPERS = {"audit-file", "tables-paper", "score-sheets", "archive"}
BY_ROUND = {"rounds", "next-stage", "plan-anew"}
"""Pages of tournaments that are drawn round by round, or planned by rounds (`test_desk_rounds` opens them, or
`test_desk_planned_rounds`)."""


def arguments(palio: Palio) -> dict[str, Any]:
    """A value for each part of the desk's addresses."""
    game = palio.games[0]
    return {
        "event_slug": palio.event.slug,
        "tournament_slug": palio.tournament.slug,
        "team_id": palio.teams[0].pk,
        "entry_id": palio.teams[0].entries.get(number=1).pk,
        "pairing_id": factories.make_pairing(palio.event)[0].pk,
        "match_id": game.match_id,
        "game_id": game.game_id,
        "line": 2,
        "discipline_id": other_game(palio),
        "squad_id": palio.tournament.stages.get().squads.all()[0].pk,
        "number": 1,
        "announcement_id": announcement(palio),
        "webhook_id": registration.register(
            palio.event, Actor.command(), "https://example.org/", ["result.entered"]
        )[0].pk,
        "token_id": uuid4(),
    }


def announcement(palio: Palio) -> UUID:
    """Something that is up."""
    return announce(palio.event, Actor.command(), {"it": "Ciao"}, timezone.now() + timedelta(minutes=5)).pk


def other_game(palio: Palio) -> UUID:
    """A sack race in the event's palio."""
    rules = {"disciplines": [{"kind": "other", "name": "Corsa nei sacchi"}]}
    if not Overall.objects.filter(event=palio.event).exists():
        set_up_palio(palio.event, Actor.command(), rules)
    return OtherGame.objects.get(palio__event=palio.event).pk


def addresses(palio: Palio) -> dict[str, str]:
    """Every address of the desk by name."""
    known = arguments(palio)
    return {
        each.name: address(each.name, *(known[name] for name in each.pattern.converters))
        for each in urlpatterns
        if each.name
    }


def test_organizer_opens_every_page(palio: Palio, desk: Client) -> None:
    fields = {"winner": "0", "client_id": uuid4(), "expected_version": 0}
    send(desk, address("result", palio.event.slug, palio.games[0].game_id), fields)
    for name, path in addresses(palio).items():
        if name in PAPERS:
            paper: Any = desk.get(path)
            assert (paper.status_code, b"".join(paper) != b"") == (200, True)
        elif name not in POST_ONLY | OPEN_TO_ALL:
            open_page(desk, path, 404 if name in BY_ROUND | WITH_A_SECOND_FACTOR else 200)


def test_address_for_forms_alone_answers_405_when_opened(palio: Palio, desk: Client) -> None:
    paths = addresses(palio)
    assert {desk.get(paths[name]).status_code for name in POST_ONLY} == {405}
    shown = open_page(desk, paths["close"], 405)
    assert shown.one("h1").text == "This address only takes what a form sends"


def test_form_sent_after_signing_out_leads_back_to_its_page(palio: Palio) -> None:
    browser = Client()
    game = palio.games[0]
    match = address("match", palio.event.slug, game.match_id)
    sent = browser.post(
        address("result", palio.event.slug, game.game_id), headers={"Referer": f"http://testserver{match}"}
    )
    door = open_page(browser, sent["Location"])
    assert "Nothing was stored" in door.one(".messages").text
    account = palio.organizer
    account.set_password("tenda-e-tavolo")
    account.save()
    signing_in = {"username": account.username, "password": "tenda-e-tavolo"}
    assert browser.post(sent["Location"], signing_in)["Location"] == f"http://testserver{match}"


def test_sign_in_never_leads_back_to_another_site(palio: Palio) -> None:
    path = address("result", palio.event.slug, palio.games[0].game_id)
    sent = Client().post(path, headers={"Referer": "http://elsewhere.example/palio/"})
    assert sent["Location"] == f"{address('sign-in')}?next={path}"


def test_language_switch_of_a_refusal_leads_to_the_page_of_its_form(palio: Palio, desk: Client) -> None:
    page = address("standings", palio.event.slug, palio.tournament.slug)
    answer = desk.post(
        address("close", palio.event.slug, palio.tournament.slug),
        {"client_id": str(uuid4()), "expected_version": palio.tournament.version},
        headers={"Referer": f"http://testserver{page}"},
    )
    assert answer.status_code == 409
    links = [link.attributes["href"] for link in read(answer).one(".switches").all("a")]
    assert links == [f"http://testserver{page.removeprefix('/en')}", f"http://testserver{page}"]


@pytest.fixture
def by_slug(palio: Palio) -> Callable[[str], list[tuple[int, str]]]:
    """What who isn't known is answered at each address of an event's desk with this slug in it: the status,
    and where it leads.
    """
    there = f"/{palio.event.slug}/"
    paths = [path for path in addresses(palio).values() if there in path]

    def answers(slug: str) -> list[tuple[int, str]]:
        given = [Client().get(path.replace(there, f"/{slug}/", 1)) for path in paths]
        return [(each.status_code, each.headers.get("Location", "").replace(slug, "…")) for each in given]

    return answers


def test_event_that_exists_and_one_that_does_not_answer_strangers_alike(
    palio: Palio, by_slug: Callable[[str], list[tuple[int, str]]]
) -> None:
    answers = by_slug(palio.event.slug)
    assert {status for status, _location in answers} == {302}
    assert answers == by_slug("nowhere")


def test_slugs_can_be_guessed_without_the_access_check(
    palio: Palio, by_slug: Callable[[str], list[tuple[int, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "is_open", lambda _check: True)
    assert {status for status, _location in by_slug(palio.event.slug)} == {302}
    assert {status for status, _location in by_slug("nowhere")} == {404}


def test_sign_in_leads_to_the_page_that_was_asked_for(palio: Palio) -> None:
    client = Client()
    wanted = address("teams", palio.event.slug)
    door = client.get(wanted)["Location"]
    page = open_page(client, door)
    fields = {"username": palio.organizer.username, "password": factories.PASSWORD, "next": wanted}

    assert page.one("h1").text == "The organizers’ desk"
    assert send(client, address("sign-in"), fields)["Location"] == wanted
    assert send(client, address("sign-out"), {})["Location"] == "/en/"
    assert client.get(wanted).status_code == 302


def test_wrong_password_is_told(palio: Palio) -> None:
    fields = {"username": palio.organizer.username, "password": "sbagliata"}
    response = send(Client(), address("sign-in"), fields, status=200)
    assert "notice-error" in response.content.decode()


@pytest.mark.parametrize(
    ("page", "kept"),
    [("entries", "private, no-store"), ("referees", "private, no-store"), ("board", "private, no-cache")],
)
def test_cache_control_of_pages_is_no_store_and_of_the_board_no_cache(
    page: str, kept: str, palio: Palio, desk: Client
) -> None:
    assert desk.get(address(page, palio.event.slug))["Cache-Control"] == kept
