"""What the desk prints: certificates with full names, score sheets, and what anybody may have."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from ledger.models import Fact
from ledger.triggers import lifted_triggers
from people.actors import Actor
from people.models import Event
from people.privacy import purge
from tests import factories
from tests.desk.conftest import Palio
from tests.desk.forms import address, open_page
from tests.printing.pdf import pages_of, text_of
from tests.publishing.reading import read
from tournaments import results, standing
from tournaments.actions.close import close_tournament, reopen_tournament
from tournaments.actions.squads import remove_team
from tournaments.actions.ties import draw_lots

pytestmark = pytest.mark.django_db


def closed(palio: Palio) -> None:
    """The palio played to its end: the first seat wins, and what is level then is drawn by lots."""
    actor = Actor.of_account(palio.organizer)
    for place, game in enumerate(palio.games):
        results.enter_result(game, actor, seat=0 if place % 3 else 1)
    version = standing.compute(palio.tournament.pk)
    palio.tournament.refresh_from_db()
    if version is not None and version.has_open_ties:
        draw_lots(palio.tournament, actor)
        standing.compute(palio.tournament.pk)
    close_tournament(palio.tournament, actor)
    palio.tournament.refresh_from_db()


def printed(client: Client, path: str, status: int = 200, **asked: Any) -> bytes:
    """A PDF, or what is answered in its place."""
    response = client.get(path, asked)
    assert response.status_code == status, response.content[-2000:]
    if status == 200:
        assert response["Content-Type"] == "application/pdf"
        assert response["Cache-Control"] == "private, no-store"
    return response.content


def certificates(palio: Palio, desk: Client, status: int = 200, **asked: Any) -> bytes:
    """The certificates of the tournament."""
    given = {"of": palio.tournament.slug, "whose": "players", "size": "a4", **asked}
    return printed(desk, address("certificates", palio.event.slug), status, **given)


def test_each_player_gets_one_with_the_full_name_and_the_place_of_the_team(
    palio: Palio, desk: Client
) -> None:
    assert "Place" not in text_of(certificates(palio, desk))
    closed(palio)
    Event.objects.update(language="en")
    pages = pages_of(certificates(palio, desk))
    assert len(pages) == 6
    table = palio.tournament.standings_versions.order_by("-number")[0]
    places = {row.team.name: row.place for row in table.rows.select_related("team")}
    for team in palio.teams:
        mine = [page for page in pages if f"Place {places[team.name]} for {team.name}" in page]
        assert len(mine) == 2
        assert "Ortensia Zampognari1" in mine[0]
        assert "in the tournament “Torneo”" in mine[0]


def test_who_is_disqualified_gets_no_place_on_the_certificate(palio: Palio, desk: Client) -> None:
    closed(palio)
    reopen_tournament(palio.tournament, Actor.command(), "misconduct")
    remove_team(palio.tournament, Actor.command(), palio.teams[0], "disqualified")
    standing.compute(palio.tournament.pk)
    close_tournament(palio.tournament, Actor.command())
    Event.objects.update(language="en")

    pages = pages_of(certificates(palio, desk, whose="teams"))
    table = text_of(desk_paper(desk, palio))

    assert len(pages) == 3
    assert sum("Place" in page for page in pages) == 2
    (without,) = [page for page in pages if "Place" not in page]
    assert palio.teams[0].name in without
    assert "last, without placement points" in table


def desk_paper(desk: Client, palio: Palio) -> bytes:
    """The standings on paper, as anybody may have them."""
    made: Any = desk.get(f"/en/{palio.event.slug}/{palio.tournament.slug}/standings.pdf")
    assert made.status_code == 200
    return b"".join(made) if made.streaming else bytes(made.content)


def test_only_those_asked_for_are_printed_with_the_words_for_who_signs(palio: Palio, desk: Client) -> None:
    entry = palio.teams[1].entries.get(number=2)
    (page,) = pages_of(certificates(palio, desk, entry=entry.pk, signature="Il sindaco"))
    assert "Ortensia Zampognari2" in page
    assert "Il sindaco" in page
    assert len(pages_of(certificates(palio, desk, team=palio.teams[1].pk, size="a5"))) == 2
    assert len(pages_of(certificates(palio, desk, whose="teams"))) == 3


def test_once_the_names_are_erased_only_teams_get_one_and_why_is_said(palio: Palio, desk: Client) -> None:
    purge(palio.event, Actor.of_account(palio.organizer))
    refused = certificates(palio, desk, status=409).decode()
    assert "The names were erased after the event" in refused
    assert len(pages_of(certificates(palio, desk, whose="teams"))) == 3
    assert (
        "still be printed"
        in open_page(desk, address("printing", palio.event.slug)).one("div.notice-info").text
    )


@pytest.mark.parametrize("asked", [{"size": "a0"}, {"of": "nowhere"}, {"entry": "1"}])
def test_what_can_t_be_printed_is_said_at_its_field(
    palio: Palio, desk: Client, asked: dict[str, str]
) -> None:
    assert b"notice-error" in certificates(palio, desk, status=422, **asked)


def test_a_player_of_another_event_isn_t_printed(palio: Palio, desk: Client) -> None:
    other = factories.make_field(factories.make_event(), teams=1)[0].entries.get(number=1)
    certificates(palio, desk, status=422, entry=other.pk)


def test_there_is_a_score_sheet_for_each_match_with_names_as_referees_see_them(
    palio: Palio, desk: Client
) -> None:
    path = address("score-sheets", palio.event.slug, palio.tournament.slug)
    matches = len(factories.matches_of(palio.tournament))
    text = text_of(printed(desk, path, spares="3"))
    assert text.count("Firma dell’arbitro") == matches + 3
    assert "Ortensia Z. (1)" in text
    assert "Zampognari" not in text
    assert text_of(printed(desk, path, round="1")).count("Firma") == matches
    assert b"Nothing is drawn yet" in printed(desk, path, 409, round="7")
    assert b"Only round" in printed(desk, path, 422, round="x")


def test_before_the_draw_there_are_blank_sheets_alone(desk: Client, palio: Palio) -> None:
    other = factories.make_tournament(palio.event, name="Altro")
    path = address("score-sheets", palio.event.slug, other.slug)
    assert b"Nothing is drawn yet" in printed(desk, path, 409)
    assert text_of(printed(desk, path, spares="2")).count("Firma") == 2


def paper_of(palio: Palio, name: str, status: int = 200) -> bytes:
    """A public sheet, as anybody gets it."""
    path = reverse(f"publishing:{name}", args=[palio.event.slug, palio.tournament.slug])
    response = Client().get(path)
    assert response.status_code == status
    return response.content


def test_anybody_prints_draw_and_standings_and_the_final_table_bears_its_receipt(palio: Palio) -> None:
    assert text_of(paper_of(palio, "draw-paper")).count("Superiore") == 2
    assert factories.SEED in text_of(paper_of(palio, "draw-paper"))
    standing.compute(palio.tournament.pk)
    assert "not final yet" in text_of(paper_of(palio, "standings-paper"))
    closed(palio)
    text = text_of(paper_of(palio, "standings-paper"))
    root = palio.tournament.standings_versions.order_by("-number")[0].receipt
    assert " ".join(root[start : start + 8] for start in range(0, 64, 8)) in text
    assert "Final table" in text
    receipt = reverse("publishing:receipt", args=[palio.event.slug, root])
    assert receipt in text.replace(" ", "")
    assert "still here as it was" in read(Client().get(receipt)).one("div.notice").text


def test_anybody_prints_the_timetable_by_table_and_by_team(palio: Palio) -> None:
    by_table = text_of(Client().get(reverse("publishing:tables-paper", args=[palio.event.slug])).content)
    by_team = text_of(Client().get(reverse("publishing:teams-paper", args=[palio.event.slug])).content)
    for text in (by_table, by_team):
        assert text.count("14:00") == (2 if text is by_table else 6)
        assert "Zampognari" not in text
    assert "Table 1" in by_table
    # Each entry once as who plays, and twice as somebody's opponent.
    assert by_team.count("Centro 1") == 3
    undrawn = factories.make_event()
    assert Client().get(reverse("publishing:teams-paper", args=[undrawn.slug])).status_code == 404


def test_a_receipt_tells_that_something_was_altered_or_that_it_was_never_made(palio: Palio) -> None:
    closed(palio)
    root = palio.tournament.standings_versions.order_by("-number")[0].receipt
    with lifted_triggers(connection):
        Fact.objects.filter(type="tournament_closed").update(hash="0" * 64)
    shown = Client().get(reverse("publishing:receipt", args=[palio.event.slug, root]))
    assert "as it was. Ask" in read(shown).one("div.notice").text
    assert Client().get(reverse("publishing:receipt", args=[palio.event.slug, "0" * 64])).status_code == 404


def test_an_unpublished_draw_is_printed_by_nobody(palio: Palio, desk: Client) -> None:
    other = factories.make_tournament(palio.event, name="Altro")
    for name in ("draw-paper", "standings-paper"):
        path = reverse(f"publishing:{name}", args=[palio.event.slug, other.slug])
        assert Client().get(path).status_code == desk.get(path).status_code == 404
