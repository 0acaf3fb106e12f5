"""Stages after which nothing can be drawn: second meetings for one round, or the end as played."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from people.models import Organizer
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.computed_tournaments import address as public_address
from tests.support.desk_client import Desk
from tests.support.forms import address, fields_of, form_to, open_page, send
from tests.support.page_reading import read
from tournaments.formats.draw_verification import repeat_all
from tournaments.formats.record import read_record
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def win(desk: Desk) -> None:
    """Enter every open game, and draw what follows by itself."""
    desk.win(["1", "2", "3", "4"])
    desk.compute()


def leave(desk: Desk, *teams: int) -> None:
    """The first squads of these teams withdraw."""
    squads = desk.squads()
    for team in teams:
        desk.post(f"/api/v1/squads/{squads[f'{team}/1']['id']}/remove/", reason="withdrawn")
    desk.compute()


@pytest.fixture
def desk(db: None) -> Desk:
    """A Swiss of four squads of whom the two of one table have withdrawn after the first round."""
    found = Desk(4, format="swiss", draws_itself=False)
    win(found)
    (first, _) = found.get("stages/1/")["rounds"][0]["pairings"]
    leave(found, *first["sides"])
    return found


def test_stuck_round_names_both_ways_out(desk: Desk) -> None:
    refused = desk.get("next-round/preview/", 422)
    closing = desk.post("close/", 409)

    assert (refused["code"], refused["why"]) == ("cannot-draw", "no_pairing")
    assert refused["detail"].endswith(
        "Si possono ammettere per questo giro, oppure si chiude la fase con i giri giocati."
    )
    assert (closing["code"], closing["detail"]) == (
        "rounds-to-draw",
        "Qui non si può sorteggiare altro: chiudi la fase con i giri giocati, poi il torneo.",
    )


def test_second_meetings_are_allowed_for_one_round_and_recorded(desk: Desk) -> None:
    (previewed,) = desk.get("next-round/preview/", rematches="true")["rounds"]
    desk.post("next-round/", rematches=True)

    stage = desk.get("stages/1/")
    drawn = stage["rounds"][1]
    assert (previewed["rematches"], previewed["title"]) == (True, "Giro 2, incontri ripetuti ammessi")
    assert (drawn["rematches"], drawn["title"]) == (True, "Giro 2, incontri ripetuti ammessi")
    assert drawn["pairings"][0]["notes"][0]["code"] == "rematch"
    assert stage["repeat"]["options"]["rematches"] is False
    record = read_record(stage["repeat"])
    assert record.to_json() == stage["repeat"]
    assert [list(each.differences()) for each in repeat_all(record)] == [[], []]
    assert desk.get("changed-rounds/")["rounds"] == []
    assert desk.post(f"/api/v1/events/{desk.event.pk}/verification/") == {"findings": []}
    win(desk)
    assert desk.post("close/")["status"] == "closed"


def test_second_meetings_are_not_recorded_where_they_are_not_needed(db: None) -> None:
    desk = Desk(4, format="swiss", draws_itself=False)
    win(desk)

    desk.post("next-round/", rematches=True)

    assert [each["rematches"] for each in desk.get("stages/1/")["rounds"]] == [False, False]


def test_stuck_stage_is_ended_with_the_rounds_played(desk: Desk) -> None:
    desk.post("end-stage/")
    desk.compute()

    stage, version = desk.get("stages/1/"), desk.get("standings/")["version"]
    assert [stage[name] for name in ("is_all_drawn", "is_finished", "is_ended", "is_last")] == [True] * 4
    assert (version["is_all_drawn"], len(stage["rounds"])) == (True, 1)
    assert desk.post("end-stage/", 409)["code"] == "stage-goes-on"
    assert desk.post("close/")["status"] == "closed"


def test_stuck_stage_s_end_is_taken_back_by_a_further_round(desk: Desk) -> None:
    desk.post("end-stage/")

    desk.post("next-round/", rematches=True)
    desk.compute()

    stage = desk.get("stages/1/")
    assert [stage[name] for name in ("is_finished", "is_ended", "is_last")] == [False] * 3


def test_ended_stage_is_not_drawn_on_by_itself(db: None) -> None:
    desk = Desk(4, format="swiss", options={"rounds": 5})
    for _ in range(3):
        win(desk)
    assert desk.get("next-round/preview/", 422)["why"] == "no_pairing"

    desk.post("end-stage/")
    desk.compute()

    assert len(desk.get("stages/1/")["rounds"]) == 3
    assert desk.post("close/")["status"] == "closed"


def test_stage_that_can_go_on_is_not_ended(db: None) -> None:
    desk = Desk(4, format="swiss", draws_itself=False)

    while_played = desk.post("end-stage/", 409)
    win(desk)
    between = desk.post("end-stage/", 409)

    assert (while_played["code"], between["code"]) == ("stage-goes-on", "stage-goes-on")


@pytest.mark.parametrize("gone", [(1, 2, 3), (1, 2, 3, 4)])
def test_swiss_with_fewer_than_two_left_is_over(gone: tuple[int, ...]) -> None:
    desk = Desk(4, format="swiss", draws_itself=False)

    leave(desk, *gone)

    assert desk.get("next-round/preview/")["rounds"] == []
    assert desk.get("stages/1/")["is_finished"]
    assert desk.post("close/")["status"] == "closed"


def test_stage_is_ended_when_byes_on_request_leave_too_few(db: None) -> None:
    desk = Desk(4, format="swiss", options={"rounds": 2})
    squads = desk.squads()
    for team in (1, 2, 3):
        desk.post(f"/api/v1/squads/{squads[f'{team}/1']['id']}/bye/", round=2)
    win(desk)
    assert desk.get("next-round/preview/", 422)["why"] == "contestants"

    desk.post("end-stage/")
    desk.compute()

    assert desk.post("close/")["status"] == "closed"


@pytest.mark.parametrize("format_", ["round_robin", "swiss"])
@pytest.mark.parametrize("gone", [(1, 2, 3), (1, 2, 3, 4)])
def test_tournament_ends_where_too_few_go_on(format_: str, gone: tuple[int, ...]) -> None:
    later = [{"format": "single_elimination", "qualification": {"first_overall": 2}}]
    desk = Desk(4, format=format_, later=later)
    for _ in range(3):
        win(desk)
    leave(desk, *gone)
    assert desk.get("next-stage/preview/", 422)["why"] == "too_few"
    assert desk.post("close/", 409)["code"] == "rounds-to-draw"

    desk.post("end-stage/")
    desk.compute()

    stage = desk.get("stages/1/")
    assert (stage["is_ended"], stage["is_last"]) == (True, True)
    assert desk.get("standings/")["version"]["is_all_drawn"]
    assert desk.post("close/")["status"] == "closed"
    assert desk.post(f"/api/v1/events/{desk.event.pk}/verification/") == {"findings": []}


def test_stage_that_ends_early_leads_to_the_next_one(db: None) -> None:
    later = [{"format": "single_elimination", "qualification": {"first_overall": 2}}]
    desk = Desk(4, format="swiss", options={"rounds": 5}, later=later)
    for _ in range(3):
        win(desk)
    assert not desk.get("next-stage/preview/")["can_be_drawn"]

    desk.post("end-stage/")
    seed = desk.get("next-stage/preview/")["seed"]
    desk.post("next-stage/", seed=seed)

    assert (desk.get("stages/1/")["is_last"], len(desk.get("stages/2/")["rounds"])) == (False, 1)


def test_stage_started_after_all_takes_the_end_of_the_tournament_back(db: None) -> None:
    later = [{"format": "single_elimination", "qualification": {"first_overall": 2}}]
    desk = Desk(4, format="round_robin", later=later)
    win(desk)
    leave(desk, 1, 2, 3)
    desk.post("end-stage/")
    desk.post(f"/api/v1/squads/{desk.squads()['1/1']['id']}/bring-back/")

    desk.post("next-stage/", seed=desk.get("next-stage/preview/")["seed"])
    desk.compute()

    assert not desk.get("stages/2/")["is_finished"]
    assert [desk.get("stages/1/")[name] for name in ("is_finished", "is_ended", "is_last")] == [
        True,
        False,
        False,
    ]
    assert desk.post("close/", 409)["code"] == "games-open"


def organizer_of(desk: Desk) -> Client:
    """The browser of somebody who organizes its event."""
    account = factories.make_account()
    Organizer.objects.create(event=desk.event, account=account)
    return browser_of(account)


def page_of(desk: Desk) -> Any:
    """The address of its page of rounds."""
    return address("rounds", desk.event.slug, desk.row.slug)


def test_desk_offers_both_ways_out_of_a_stuck_stage(desk: Desk) -> None:
    browser = organizer_of(desk)

    page = open_page(browser, page_of(desk))

    text = page.text
    refusal = desk.get("next-round/preview/", 422)["detail"]
    assert refusal in text
    assert "Giro 2, incontri ripetuti ammessi" in text
    assert "Non segue nessun’altra fase, e il torneo si può chiudere." in text
    to = address("round-draw", desk.event.slug, desk.row.slug)
    send(browser, to, fields_of(form_to(page, to)))
    assert [each["rematches"] for each in desk.get("stages/1/")["rounds"]] == [False, True]


def test_desk_ends_a_stage_and_everybody_reads_it(desk: Desk) -> None:
    browser = organizer_of(desk)
    page = open_page(browser, page_of(desk))

    to = address("stage-end", desk.event.slug, desk.row.slug)
    send(browser, to, fields_of(form_to(page, to)))

    assert "La fase è chiusa con i giri giocati." in open_page(browser, page_of(desk)).text
    tournament = Tournament.objects.get(pk=desk.row.pk)
    public = read(APIClient().get(public_address(tournament, "matches/", "/en")))
    assert (
        "The tournament ended with this round, since no other round or stage could be drawn after it."
        in public.text
    )
