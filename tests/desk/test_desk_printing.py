"""What the desk prints: certificates with full names, score sheets, and what anybody may have."""

import random
import re
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from desk.paper_pdfs import CertificateOrder, places_of
from ledger.models import Fact
from ledger.triggers import lifted_triggers
from people import check_in
from people.actors import Actor
from people.display_names import Viewer
from people.entries import mark_absent, withdraw
from people.models import Event
from people.person_erasure import purge
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.forms import address, open_page
from tests.support.page_reading import read
from tests.support.pdf_text import pages_of, text_of
from tests.support.rounds_play import play, published
from tournaments.commands import results
from tournaments.commands.close import close_tournament, reopen_tournament
from tournaments.commands.entered_places import enter_placements
from tournaments.commands.squad_changes import remove_team
from tournaments.commands.substitute import forfeit_open_games, substitute
from tournaments.commands.ties import draw_lots
from tournaments.models import MatchGame
from tournaments.projections import standings
from tournaments.queries.participation import participants_of
from tournaments.queries.squad_names import squad_names

pytestmark = pytest.mark.django_db


def closed(palio: Palio) -> None:
    """The palio played to its end: the first seat wins, and what is level then is drawn by lots."""
    actor = Actor.of_account(palio.organizer)
    for place, game in enumerate(palio.games):
        results.enter_result(game, actor, seat=0 if place % 3 else 1)
    version = standings.compute(palio.tournament.pk)
    palio.tournament.refresh_from_db()
    if version is not None and version.has_open_ties:
        draw_lots(palio.tournament, actor)
        standings.compute(palio.tournament.pk)
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


def test_each_player_gets_a_certificate_with_full_name_and_team_s_place(palio: Palio, desk: Client) -> None:
    Event.objects.update(language="en")
    results.enter_result(palio.games[0], Actor.command(), seat=0)
    assert "Place" not in text_of(certificates(palio, desk))
    closed(palio)
    pages = pages_of(certificates(palio, desk))
    assert len(pages) == 6
    table = palio.tournament.standings_versions.order_by("-number")[0]
    places = {row.team.name: row.place for row in table.rows.select_related("team")}
    for team in palio.teams:
        mine = [page for page in pages if f"Place {places[team.name]} for {team.name}" in page]
        assert len(mine) == 2
        assert "Ortensia Zampognari1" in mine[0]
        assert "in the tournament “Torneo”" in mine[0]


def test_certificate_in_italian_has_one_form_of_the_place(palio: Palio, desk: Client) -> None:
    results.enter_result(palio.games[0], Actor.command(), seat=0)
    closed(palio)

    page = pages_of(certificates(palio, desk, team=palio.teams[0].pk))[0]

    numeral, sentence = re.findall(r"\dª|\dº", page)
    assert numeral == sentence
    assert numeral.endswith("º")


def test_certificate_of_a_disqualified_team_has_no_place(palio: Palio, desk: Client) -> None:
    closed(palio)
    reopen_tournament(palio.tournament, Actor.command(), "misconduct")
    remove_team(palio.tournament, Actor.command(), palio.teams[0], "disqualified")
    standings.compute(palio.tournament.pk)
    close_tournament(palio.tournament, Actor.command())
    Event.objects.update(language="en")

    pages = pages_of(certificates(palio, desk, whose="teams"))
    table = text_of(desk_paper(desk, palio))

    assert len(pages) == 3
    assert sum("Place" in page for page in pages) == 2
    (without,) = [page for page in pages if "Place" not in page]
    assert palio.teams[0].name in without
    assert "last, without placement points" in table


@pytest.mark.parametrize("squads", [1, 2])
def test_certificate_of_a_team_has_the_place_of_its_best_squad(squads: int) -> None:
    tournament = published(3, squads, format="round_robin")
    event = tournament.event
    event.language = "en"
    play(tournament, random.Random(2))
    if standings.current(tournament).has_open_ties:
        draw_lots(tournament, Actor.command())
        standings.compute(tournament.pk)

    def teams_printed() -> list[str]:
        who = participants_of([tournament])
        order = CertificateOrder(event, places_of(tournament), who, "a4", "")
        return pages_of(order.of_teams(event.teams.order_by("number")))

    before = teams_printed()
    close_tournament(tournament, Actor.command())
    standings.compute(tournament.pk)

    rows = list(tournament.standings_versions.order_by("-number")[0].rows.select_related("team"))
    names = squad_names(Viewer.public(event), [row.squad_id for row in rows if row.squad_id])
    best = {row.team: row for row in reversed(rows)}
    expected = [
        f"Place {row.place} for {team.name if squads == 1 else names[row.contestant_id]}"
        for team, row in sorted(best.items(), key=lambda item: item[0].number)
    ]

    assert not any("Place" in page for page in before)
    assert [told in page for told, page in zip(expected, teams_printed(), strict=True)] == [True] * 3


def desk_paper(desk: Client, palio: Palio) -> bytes:
    """The standings on paper, as anybody may have them."""
    made: Any = desk.get(f"/en/{palio.event.slug}/{palio.tournament.slug}/standings.pdf")
    assert made.status_code == 200
    return b"".join(made) if made.streaming else bytes(made.content)


def test_certificates_are_refused_before_the_first_game(palio: Palio, desk: Client) -> None:
    for asked in ({"whose": "players"}, {"whose": "reserves"}, {"whose": "teams"}):
        refused = certificates(palio, desk, status=409, **asked).decode()
        assert "Nobody has played a game yet" in refused


def test_certificates_of_reserves_and_replaced_players_say_no_game_played(palio: Palio, desk: Client) -> None:
    Event.objects.update(language="en")
    actor = Actor.command()
    reserve = factories.make_entry(palio.teams[0], 3, first_name="Riserva")
    unused = factories.make_entry(palio.teams[1], 3, first_name="Panchina")
    replaced = palio.teams[0].entries.get(number=1)
    squad = replaced.squad_memberships.get().squad
    mark_absent(replaced, actor)
    substitute(palio.tournament, actor, squad, replaced, reserve, "no-show")
    closed(palio)

    players = text_of(certificates(palio, desk))
    reserves = pages_of(certificates(palio, desk, whose="reserves"))

    assert f"Riserva {factories.LAST_NAME}3" in players
    assert f"{factories.FIRST_NAME} {factories.LAST_NAME}1" not in pages_of(certificates(palio, desk))[0]
    assert len(pages_of(certificates(palio, desk))) == 6
    (page,) = reserves
    assert f"Panchina {factories.LAST_NAME}3" in page
    assert "was a reserve for Centro in the tournament “Torneo”" in page
    assert "has played" not in page
    (alone,) = pages_of(certificates(palio, desk, entry=unused.pk))
    assert "was a reserve for Centro" in alone
    # Back at the desk, but without a place: still nobody who played.
    check_in.arrive(replaced, actor)
    back = pages_of(certificates(palio, desk, whose="reserves", team=palio.teams[0].pk))
    assert [f"{factories.FIRST_NAME} {factories.LAST_NAME}1" in page for page in back] == [True]


def test_certificate_is_for_who_played_and_left_not_who_never_sat_down(palio: Palio, desk: Client) -> None:
    actor = Actor.command()
    gone, absent = palio.teams[0].entries.order_by("number")
    first = MatchGame.objects.filter(game__seats__entry=gone.pk).order_by("match__round", "number")[0]
    results.enter_result(first, actor, seat=0)
    withdraw(gone, actor)
    mark_absent(absent, actor)
    forfeit_open_games(palio.tournament, actor, absent.squad_memberships.get().squad)

    pages = pages_of(certificates(palio, desk, team=palio.teams[0].pk))

    assert len(pages) == 1
    assert f"{factories.FIRST_NAME} {factories.LAST_NAME}{gone.number}" in pages[0]
    assert b"took no part" in certificates(palio, desk, status=409, entry=absent.pk)


def test_certificate_of_opponents_of_forfeits_alone_says_in_the_draw(palio: Palio, desk: Client) -> None:
    Event.objects.update(language="en")
    actor = Actor.command()
    played, *rest = palio.games
    results.enter_result(played, actor, seat=0)
    for game in rest:
        results.enter_result(game, actor, seat=0, reason="forfeit")

    texts = pages_of(certificates(palio, desk, whose="reserves"))

    assert len(texts) == 4
    assert all("was in the draw for" in text for text in texts)
    assert len(pages_of(certificates(palio, desk))) == 2
    assert len(pages_of(certificates(palio, desk, whose="teams"))) == 2


def test_game_broken_off_after_the_deal_was_played(palio: Palio) -> None:
    assert participants_of([palio.tournament]).entries == frozenset()
    begun = palio.games[0]
    dealt = [{"type": "dealer_named", "seat": 0}, {"type": "deal_started", "dealer": 0}]
    entries: list[Any] = [(uuid4(), event) for event in dealt]
    results.write_log(begun, Actor.command(), entries, expected_version=0)
    results.enter_result(begun, Actor.command(), seat=0, reason="forfeit")
    seats = {seat.entry for seat in begun.game.seats.all()}
    assert participants_of([palio.tournament]).entries == seats


def test_abandoned_game_was_played_if_somebody_won_it(palio: Palio, desk: Client) -> None:
    won, nobodys = palio.games[:2]
    results.enter_result(nobodys, Actor.command(), reason="abandoned")
    assert participants_of([palio.tournament]).entries == frozenset()

    results.enter_result(won, Actor.command(), team=palio.teams[0].pk, reason="abandoned")

    seats = {seat.entry for seat in won.game.seats.all()}
    assert participants_of([palio.tournament]).entries == seats
    assert len(pages_of(certificates(palio, desk))) == len(seats)


def test_squads_placed_by_hand_have_played() -> None:
    tournament = published(format="by_hand")
    assert participants_of([tournament]).entries == frozenset()
    squads = list(tournament.stages.get().squads.all())
    places = [(squad.pk, place) for place, squad in enumerate(squads, start=1)]
    enter_placements(tournament, Actor.command(), places)
    assert len(participants_of([tournament]).entries) == len(squads)


def test_certificates_are_printed_for_those_asked_for_with_who_signs(palio: Palio, desk: Client) -> None:
    closed(palio)
    entry = palio.teams[1].entries.get(number=2)
    (page,) = pages_of(certificates(palio, desk, entry=entry.pk, signature="Il sindaco"))

    assert "Ortensia Zampognari2" in page
    assert "Il sindaco" in page
    assert len(pages_of(certificates(palio, desk, team=palio.teams[1].pk, size="a5"))) == 2
    assert len(pages_of(certificates(palio, desk, whose="teams"))) == 3


def test_certificates_after_names_are_erased_are_for_teams_alone(palio: Palio, desk: Client) -> None:
    closed(palio)
    purge(palio.event, Actor.of_account(palio.organizer))
    refused = certificates(palio, desk, status=409).decode()

    assert "The names were erased after the event" in refused
    assert len(pages_of(certificates(palio, desk, whose="teams"))) == 3
    assert (
        "still be printed"
        in open_page(desk, address("printing", palio.event.slug)).one("div.notice-info").text
    )


@pytest.mark.parametrize("asked", [{"size": "a0"}, {"of": "nowhere"}, {"entry": "1"}])
def test_certificate_form_with_an_impossible_choice_is_refused(
    palio: Palio, desk: Client, asked: dict[str, str]
) -> None:
    assert b"notice-error" in certificates(palio, desk, status=422, **asked)


def test_certificate_of_a_player_of_another_event_is_refused(palio: Palio, desk: Client) -> None:
    other = factories.make_field(factories.make_event(), teams=1)[0].entries.get(number=1)
    certificates(palio, desk, status=422, entry=other.pk)


def test_score_sheet_of_each_match_has_names_as_referees_see_them(palio: Palio, desk: Client) -> None:
    path = address("score-sheets", palio.event.slug, palio.tournament.slug)
    matches = len(factories.matches_of(palio.tournament))
    text = text_of(printed(desk, path, spares="3"))

    assert text.count("Firma dell’arbitro") == matches + 3
    assert "Ortensia Z. (1)" in text
    assert "Zampognari" not in text
    assert text_of(printed(desk, path, round="1")).count("Firma") == matches
    assert b"Nothing is drawn yet" in printed(desk, path, 409, round="7")
    assert b"Only round" in printed(desk, path, 422, round="x")


def test_score_sheets_have_the_short_names_of_teams(palio: Palio, desk: Client) -> None:
    team = palio.teams[0]
    team.name = "Contrada di San Bartolomeo al Castello"
    team.short_name = "S.Bartolomeo"
    team.save()

    text = text_of(printed(desk, address("score-sheets", palio.event.slug, palio.tournament.slug)))

    assert "S.Bartolomeo" in text
    assert "Castello" not in text


def test_score_sheets_ask_for_points_where_the_rules_count_them(palio: Palio, desk: Client) -> None:
    counting = factories.make_tournament(palio.event, name="Altro", ruleset="classic")
    texts = [
        text_of(printed(desk, address("score-sheets", palio.event.slug, each.slug), spares="1"))
        for each in (palio.tournament, counting)
    ]
    assert ["Scrivi anche i punti di ognuno." in " ".join(text.split()) for text in texts] == [False, True]
    assert ["punti" in text for text in texts] == [False, True]


def test_score_sheets_before_the_draw_are_blank(desk: Client, palio: Palio) -> None:
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


def test_printed_draw_is_for_anybody_and_the_final_table_has_its_receipt(palio: Palio) -> None:
    assert text_of(paper_of(palio, "draw-paper")).count("Superiore") == 2
    assert factories.SEED in text_of(paper_of(palio, "draw-paper"))
    standings.compute(palio.tournament.pk)
    assert "not final yet" in text_of(paper_of(palio, "standings-paper"))
    closed(palio)
    text = text_of(paper_of(palio, "standings-paper"))
    root = palio.tournament.standings_versions.order_by("-number")[0].receipt
    assert " ".join(root[start : start + 8] for start in range(0, 64, 8)) in text
    assert "Final table" in text
    receipt = reverse("publishing:receipt", args=[palio.event.slug, root])
    assert receipt in text.replace(" ", "")
    assert "still here as it was" in read(Client().get(receipt)).one("div.notice").text


def test_timetable_is_printed_by_anybody_by_table_and_by_team(palio: Palio) -> None:
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


def test_timetable_by_team_has_the_day_of_one_player_after_the_other() -> None:
    tournament = published(2, 3, format="tables", options={"seats": 3, "rounds": 3})
    path = reverse("publishing:teams-paper", args=[tournament.event.slug])

    text = " ".join(text_of(Client().get(path).content).split())

    rows = re.findall(r"(\d\d:\d\d) [12] (\S+ \d) ", text)
    teams = tournament.event.teams.order_by("number")
    order = [f"{team.short_name} {number}" for team in teams for number in (1, 2, 3)]
    hours = sorted({hour for hour, _name in rows})

    assert rows == [(hour, name) for name in order for hour in hours]
    assert len(hours) == 3


def test_receipt_tells_that_something_was_altered_or_that_it_was_never_made(palio: Palio) -> None:
    closed(palio)
    root = palio.tournament.standings_versions.order_by("-number")[0].receipt
    with lifted_triggers(connection):
        Fact.objects.filter(type="tournament_closed").update(hash="0" * 64)
    shown = Client().get(reverse("publishing:receipt", args=[palio.event.slug, root]))

    assert "as it was. Ask" in read(shown).one("div.notice").text
    assert Client().get(reverse("publishing:receipt", args=[palio.event.slug, "0" * 64])).status_code == 404


def test_unpublished_draw_can_not_be_printed(palio: Palio, desk: Client) -> None:
    other = factories.make_tournament(palio.event, name="Altro")
    for name in ("draw-paper", "standings-paper"):
        path = reverse(f"publishing:{name}", args=[palio.event.slug, other.slug])
        assert Client().get(path).status_code == desk.get(path).status_code == 404
