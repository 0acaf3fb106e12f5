"""The morning at the desk: who is here, the slips, and what it does when somebody doesn't come."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from desk.setup_steps import team_counts
from games.models import Seat
from ledger.read import facts
from people.actors import Actor
from people.check_in import arrive, entry_of_code
from people.display_names import NameBook, Reader, Viewer
from people.entries import mark_absent
from people.models import Entry, Organizer
from people.refusals import Refused
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, fields_of, fill, form_to, open_page, send
from tests.support.page_reading import Element, read
from tests.support.rounds_play import play_out, published, squad_named
from tests.support.soundness import assert_sound
from tournaments.commands.draw import make_draw
from tournaments.commands.results import enter_result
from tournaments.commands.substitute import replacements_in, substitute
from tournaments.facts.reasons import CAME_AFTER_ALL
from tournaments.models import MatchGame, SquadMember, Tournament
from tournaments.projections.standings_inputs import inputs_now
from tournaments.tasks import compute_standings
from tournaments.verification import verify

pytestmark = pytest.mark.django_db


def states(page: Element) -> list[str]:
    """How the list has everybody, in its order."""
    return [row.attributes["data-state"] for row in page.one("ul.arrivals").all("li")]


def tap(palio: Palio, desk: Client, entry: Entry, **said: str) -> None:
    """Check somebody in, or take it back."""
    send(desk, address("check-in", palio.event.slug), {"entry": entry.pk, **said})


def test_check_in_takes_one_tap_and_is_counted_by_team(palio: Palio, desk: Client) -> None:
    there = address("check-in", palio.event.slug)
    entry = palio.teams[0].entries.get(number=1)
    tap(palio, desk, entry)
    tap(palio, desk, entry)
    page = open_page(desk, there)
    assert states(page).count("here") == 1
    assert "5 are still missing." in page.one(".page-header").text
    assert page.one("ul.presence").all("li")[0].text.endswith("1 here 1 missing")
    entry.refresh_from_db()
    assert (entry.checked_in_at is not None, entry.code_hash) == (True, None)
    tap(palio, desk, entry, here="no")
    assert states(open_page(desk, there)).count("here") == 0


def test_check_in_counts_one_in_the_singular_in_italian(palio: Palio, desk: Client) -> None:
    tap(palio, desk, palio.teams[0].entries.get(number=1))

    page = read(desk.get(f"/desk/events/{palio.event.slug}/check-in/"))

    counts = [each.text for each in page.one("ul.presence").all("li")]
    assert counts[0].endswith("1 presente 1 manca")
    assert counts[1].endswith("0 presenti 2 mancano")


def test_check_in_list_costs_as_many_queries_for_one_as_for_many(palio: Palio, desk: Client) -> None:
    counts = []
    for more in (0, 40):
        factories.make_entries(factories.make_team(palio.event), more)
        with CaptureQueriesContext(connection) as captured:
            open_page(desk, address("check-in", palio.event.slug))
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_slips_are_made_for_all_who_are_checked_in_and_have_none(palio: Palio, desk: Client) -> None:
    here = [palio.teams[0].entries.get(number=1), palio.teams[1].entries.get(number=2)]
    for entry in here:
        tap(palio, desk, entry)
    answer = send(desk, address("slips", palio.event.slug), {}, 200)
    assert "no-store" in answer["Cache-Control"]
    page = read(answer)
    codes = [each.text for each in page.all("p.slip-code")]
    assert [entry_of_code(code) for code in codes] == here
    assert [each.text[-1] for each in page.all("p.slip-number")] == ["1", "2"]
    # Nobody is left who needs one; a new one for somebody makes the old one worthless.
    send(desk, address("slips", palio.event.slug), {})
    (new,) = read(send(desk, address("slips", palio.event.slug), {"entry": here[0].pk}, 200)).all(
        "p.slip-code"
    )
    assert entry_of_code(new.text) == here[0]
    assert entry_of_code(codes[0]) is None
    sealed = form_to(page, address("slips-paper", palio.event.slug))
    for sheet in ("a4", "a6"):
        paper = send(
            desk, address("slips-paper", palio.event.slug), fields_of(sealed) | {"sheet": sheet}, 200
        )
        assert paper.content.startswith(b"%PDF-")
        assert "no-store" in paper["Cache-Control"]
    send(desk, address("slips-paper", palio.event.slug), {"sealed": "a:b:c"}, 422)


def test_slips_of_another_event_are_not_printed(palio: Palio, desk: Client) -> None:
    tap(palio, desk, palio.teams[0].entries.get(number=1))
    page = read(send(desk, address("slips", palio.event.slug), {}, 200))
    fields = fields_of(form_to(page, address("slips-paper", palio.event.slug)))
    other = factories.make_event(palio.organizer)
    send(desk, address("slips-paper", other.slug), fields | {"sheet": "a4"}, 422)


@pytest.mark.parametrize("said", [{}, {"entry": "x"}])
def test_check_in_that_names_no_entry_is_refused(palio: Palio, desk: Client, said: dict[str, Any]) -> None:
    send(desk, address("check-in", palio.event.slug), said, 422)

    assert not Entry.objects.filter(checked_in_at__isnull=False).exists()


def test_late_entry_is_told_what_becomes_of_it_in_each_tournament(palio: Palio, desk: Client) -> None:
    swiss = factories.make_tournament(palio.event, "Serale", format="swiss")
    make_draw(swiss, Actor.command(), factories.SEED)
    path = address("entries", palio.event.slug)
    fill(desk, path, first_name="Ada", last_name="Rossi", birth_date="03/05/2016")
    told = open_page(desk, path).text

    assert "In “Torneo” it waits as a reserve" in told
    assert "“Serale” is drawn without it" in told


# --- Who doesn't come ---------------------------------------------------------------------------------------


def leave(
    tournament: Tournament, desk: Client, entry: Entry, choice: str, why: str = "no-show", status: int = 302
) -> Element:
    """Open the page that tells what it does, choose, confirm; the page as it was."""
    there = address("entry-out", tournament.event.slug, entry.pk)
    page = open_page(desk, f"{there}?why={why}")
    fields = fields_of(form_to(page)) | {"why": why}
    if f"do-{tournament.pk}" in fields or choice:
        fields[f"do-{tournament.pk}"] = choice
    send(desk, there, fields, status)
    return page


def with_reserve(palio: Palio) -> Entry:
    """One more of the first team, who came after the draw."""
    return factories.make_entry(palio.teams[0], 3, first_name="Riserva")


def test_absence_before_the_draw_changes_the_entry_s_status_alone(palio: Palio, desk: Client) -> None:
    other = factories.make_tournament(palio.event, "Domani")
    entry = palio.teams[0].entries.get(number=1)
    page = leave(palio.tournament, desk, entry, "keep")
    texts = {each.one("h2").text: each.text for each in page.all("section.panel")}
    assert "the draw is made without this entry" in texts[other.name]
    entry.refresh_from_db()
    assert entry.status == Entry.Status.ABSENT
    tap(palio, desk, entry)
    entry.refresh_from_db()
    assert entry.status == Entry.Status.ENTERED


def test_unpublished_draw_has_to_be_made_anew_after_a_withdrawal(palio: Palio, desk: Client) -> None:
    other = factories.make_tournament(palio.event, "Domani")
    make_draw(other, Actor.command(), factories.SEED)
    page = leave(other, desk, palio.teams[0].entries.get(number=1), "", "withdrawn")
    texts = {each.one("h2").text: each.text for each in page.all("section.panel")}

    assert "Draw anew before you publish" in texts[other.name]


def test_reserve_takes_the_place_in_all_games_that_are_not_begun(palio: Palio, desk: Client) -> None:
    tournament, out = palio.tournament, palio.teams[0].entries.get(number=1)
    reserve = with_reserve(palio)
    mine = [game for game in palio.games if Seat.objects.filter(game=game.game_id, entry=out.pk).exists()]
    enter_result(mine[0], Actor.command(), seat=0)
    page = leave(tournament, desk, out, str(reserve.pk))
    assert f"Superiore 3 · Riserva {factories.LAST_NAME}3 takes the place" in page.text
    seats = {seat.game_id for seat in Seat.objects.filter(entry=reserve.pk)}
    assert seats == {game.game_id for game in mine[1:]}
    assert set(Seat.objects.filter(entry=out.pk).values_list("game", flat=True)) == {mine[0].game_id}
    assert SquadMember.objects.filter(entry=reserve, squad__stage__tournament=tournament).count() == 1
    enter_result(mine[1], Actor.command(), seat=0)
    compute_standings(str(tournament.pk))
    assert_sound(tournament)
    told = open_page(desk, address("audit", palio.event.slug)).text
    assert "A reserve takes a place" in told


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_game_of_two_who_did_not_come_is_won_by_nobody(
    palio: Palio, desk: Client, order: tuple[int, int]
) -> None:
    """The second is told only whom it still meets, and neither has a point."""
    game = palio.games[0]
    sides = list(game.match.sides.order_by("number"))
    first, second = (sides[game.sides[at]].squad.members.get().entry for at in order)

    pages = [leave(palio.tournament, desk, entry, "leave") for entry in (first, second)]

    opponents = [
        next(each.text for each in page.one("ul.plain-list").all("li") if each.text.startswith("Round 1"))
        for page in pages
    ]
    assert [len(each.split(" · ")) for each in opponents] == [2, 1]
    game.game.refresh_from_db()
    assert (game.game.closed_by, game.game.winner_seat, game.game.winner_team) == ("forfeit", None, None)
    compute_standings(str(palio.tournament.pk))
    won = inputs_now(palio.tournament).count().games_won
    assert (won[first.team_id], won[second.team_id]) == (0, 0)
    assert list(verify.verify(palio.event)) == []


def test_player_with_a_place_in_the_draw_is_never_counted_as_a_reserve(palio: Palio, desk: Client) -> None:
    def reserves() -> list[str]:
        page = open_page(desk, address("teams", palio.event.slug))
        return [cell.text for cell in page.all("td.num") if cell.attributes["data-label"] == "Reserves"]

    leave(palio.tournament, desk, palio.teams[0].entries.get(number=1), "leave")
    assert reserves() == ["0", "0", "0"]
    with_reserve(palio)
    assert reserves() == ["1", "0", "0"]


def test_reserves_before_the_draw_are_those_whom_it_would_leave_out() -> None:
    """Where teams are ranked the smallest one counts; elsewhere what is left over of whole squads."""
    event = factories.make_event()
    for count in (5, 4, 6):
        team = factories.make_team(event)
        for number in range(1, count + 1):
            factories.make_entry(team, number)
    assert [each.reserves for each in team_counts(event)] == [1, 0, 2]
    by_squads = factories.make_tournament(event, format="swiss", squad_size=2)
    assert [each.reserves for each in team_counts(event)] == [1, 0, 0]
    by_squads.delete()
    factories.make_tournament(event, squad_size=3)
    assert [each.reserves for each in team_counts(event)] == [2, 1, 3]


def test_replaced_child_who_comes_is_offered_the_place_back(palio: Palio, desk: Client) -> None:
    tournament, out = palio.tournament, palio.teams[0].entries.get(number=1)
    reserve = with_reserve(palio)
    seats = sorted(Seat.objects.filter(entry=out.pk).values_list("game", "number"))
    leave(tournament, desk, out, str(reserve.pk))

    answer = send(desk, address("check-in", palio.event.slug), {"entry": out.pk})
    there = address("entry-back", palio.event.slug, out.pk)
    page = open_page(desk, there)

    assert answer["Location"] == there
    assert f"Superiore 3 · Riserva {factories.LAST_NAME}3 has the place now." in page.text
    in_list = open_page(desk, address("check-in", palio.event.slug)).one("a.arrival-replaced")
    assert in_list.attributes["href"] == there

    fields = fields_of(form_to(page))
    send(desk, there, fields)
    send(desk, there, fields)  # twice is once

    assert sorted(Seat.objects.filter(entry=out.pk).values_list("game", "number")) == seats
    assert not Seat.objects.filter(entry=reserve.pk).exists()
    assert "nothing to give back" in open_page(desk, there).text
    assert [fact.type for fact in facts(tournament.pk)].count("entry_substituted") == 2
    compute_standings(str(tournament.pk))
    assert_sound(tournament)
    assert "came after all" in open_page(desk, address("audit", palio.event.slug)).text


def test_draw_shows_the_reserve_who_took_a_place_and_who_still_waits(palio: Palio, desk: Client) -> None:
    out, reserve = palio.teams[0].entries.get(number=1), with_reserve(palio)
    factories.make_entry(palio.teams[0], 4, first_name="Ultima")
    path = address("draw", palio.event.slug, palio.tournament.slug)
    book = NameBook(Viewer(Reader.DESK, palio.event))
    name, instead = (f"{each.team.short_name} {book[each.pk]}" for each in (out, reserve))
    before = open_page(desk, path)
    rounds = [each.text for each in before.all("section.draw-round")]
    assert any(name in each for each in rounds)

    leave(palio.tournament, desk, out, str(reserve.pk))

    page = open_page(desk, path)
    assert [each.text for each in page.all("section.draw-round")] == [
        each.replace(name, instead) for each in rounds
    ]
    team = page.one(".split-panels").all("li")[0].text
    assert "2 play" in team
    assert "Reserves:" in team
    assert "Ultima" in team
    assert "Riserva" not in team
    assert "Reserves have taken places: the rounds have who plays now." in page.text


def test_place_stays_with_a_reserve_who_has_begun_a_game(palio: Palio, desk: Client) -> None:
    tournament, out = palio.tournament, palio.teams[0].entries.get(number=1)
    reserve = with_reserve(palio)
    leave(tournament, desk, out, str(reserve.pk))
    there = address("entry-back", palio.event.slug, out.pk)
    tap(palio, desk, out)
    fields = fields_of(form_to(open_page(desk, there)))
    game = MatchGame.objects.filter(game__seats__entry=reserve.pk).order_by("pk")[0]
    enter_result(game, Actor.command(), seat=0)

    page = open_page(desk, there)
    refused = read(send(desk, there, fields, 409))

    assert "has begun a game already, and keeps it" in page.text
    assert page.all("main form") == []
    assert "keeps it" in refused.text
    assert SquadMember.objects.filter(entry=reserve).exists()


def test_place_is_given_back_by_its_last_holder_to_anybody_who_had_it(palio: Palio, desk: Client) -> None:
    tournament, first = palio.tournament, palio.teams[0].entries.get(number=1)
    second, third = with_reserve(palio), factories.make_entry(palio.teams[0], 4, first_name="Ultima")
    squad = SquadMember.objects.get(entry=first).squad
    leave(tournament, desk, first, str(second.pk))
    told = open_page(desk, address("check-in", palio.event.slug)).text
    assert "Superiore 1 doesn’t take part any more. Superiore 3 has the place now." in told
    leave(tournament, desk, second, str(third.pk))
    for entry in (first, second):
        entry.refresh_from_db()
        arrive(entry, Actor.command())

    found = replacements_in(palio.event)

    assert {entry: [each.holder for each in lost] for entry, lost in found.items()} == {
        first.pk: [third.pk],
        second.pk: [third.pk],
    }
    never = factories.make_entry(palio.teams[0], 5)
    with pytest.raises(Refused, match="took the place"):
        substitute(tournament, Actor.command(), squad, third, never, CAME_AFTER_ALL)
    substitute(tournament, Actor.command(), squad, third, first, CAME_AFTER_ALL)
    assert replacements_in(palio.event) == {}


def test_slip_of_a_replaced_child_says_who_has_the_place_now(palio: Palio, desk: Client) -> None:
    out, reserve = palio.teams[0].entries.get(number=1), with_reserve(palio)
    leave(palio.tournament, desk, out, str(reserve.pk), why="withdrawn")
    status = address("entry-status", palio.event.slug, out.pk)
    answer = send(desk, status, {"status": "entered"})
    assert answer["Location"] == address("entry-back", palio.event.slug, out.pk)
    page = read(send(desk, address("entry-check-in", palio.event.slug, out.pk), {}, 200))
    assert "Riserva" in page.one("div.notice-info").text
    entry_page = open_page(desk, address("entry", palio.event.slug, out.pk))
    assert "has the place now" in entry_page.text


@pytest.mark.parametrize("format", ["round_robin", "single_elimination"])
def test_place_given_back_holds_in_rounds_that_are_drawn_later(format: str) -> None:
    tournament = published(4, format=format)
    squad = squad_named(tournament, (1, 1))
    out = squad.members.get().entry
    reserve = factories.make_entry(out.team, 3)
    actor = Actor.command()
    mark_absent(out, actor)
    substitute(tournament, actor, squad, out, reserve, "no-show")
    arrive(out, actor)
    ((lost,),) = replacements_in(tournament.event).values()
    assert (lost.entry, lost.holder, lost.is_begun) == (out.pk, reserve.pk, False)
    substitute(tournament, actor, squad, reserve, out, CAME_AFTER_ALL)
    play_out(tournament, "1", said={})
    compute_standings(str(tournament.pk))
    assert not Seat.objects.filter(entry=reserve.pk).exists()
    assert Seat.objects.filter(entry=out.pk).exists()
    assert_sound(tournament)


def test_open_games_are_forfeited_where_the_team_has_no_reserve(palio: Palio, desk: Client) -> None:
    out = palio.teams[0].entries.get(number=1)
    page = leave(palio.tournament, desk, out, "leave")
    assert "The team has no reserve" in page.text
    mine = MatchGame.objects.filter(game__seats__entry=out.pk).select_related("game")
    assert [(game.game.closed_by, game.game.winner_team != out.team_id) for game in mine] == [
        ("forfeit", True)
    ] * len(mine)
    assert list(verify.verify(palio.event)) == []


def test_child_whose_games_were_forfeited_is_told_so_when_it_comes(palio: Palio, desk: Client) -> None:
    out = palio.teams[0].entries.get(number=1)
    mine = MatchGame.objects.filter(game__seats__entry=out.pk)
    leave(palio.tournament, desk, out, "leave")
    before = open_page(desk, address("check-in", palio.event.slug))

    answer = send(desk, address("check-in", palio.event.slug), {"entry": out.pk})
    there = address("entry-back", palio.event.slug, out.pk)
    page = open_page(desk, there)
    in_list = open_page(desk, address("check-in", palio.event.slug)).all("a.arrival-replaced")
    slip = read(send(desk, address("slips", palio.event.slug), {"entry": out.pk}, 200))

    assert before.all("a.arrival-replaced") == []
    assert answer["Location"] == there
    assert f"{mine.count()} games were forfeited." in page.one("section.panel").text
    links = {link.attributes["href"] for link in page.one("section.panel").all("a")}
    assert links == {address("match", palio.event.slug, game.match_id) for game in mine}
    assert [(link.text, link.attributes["href"]) for link in in_list] == [("Games forfeited", there)]
    assert "were missed" in slip.one("div.notice-info").text


def test_child_whose_squad_has_left_is_told_so_when_it_comes() -> None:
    tournament = published(format="round_robin")
    organizer = factories.make_account()
    Organizer.objects.create(event=tournament.event, account=organizer)
    desk, slug = browser_of(organizer), tournament.event.slug
    out = squad_named(tournament, (1, 1)).members.get().entry
    leave(tournament, desk, out, "leave")

    answer = send(desk, address("check-in", slug), {"entry": out.pk})
    page = open_page(desk, address("entry-back", slug, out.pk))

    assert answer["Location"] == address("entry-back", slug, out.pk)
    assert "The squad has left: it isn’t drawn any more." in page.one("section.panel").text


@pytest.mark.parametrize(
    ("format", "offered"),
    [
        ("round_robin", ["rule", "keeps", "last", "annulled"]),
        ("swiss", ["keeps", "last", "annulled"]),
        ("single_elimination", ["keeps", "last"]),
    ],
)
def test_withdrawal_asks_what_becomes_of_the_squad_s_place(format: str, offered: list[str]) -> None:
    tournament = published(4, 1, format=format)
    organizer = factories.make_account()
    Organizer.objects.create(event=tournament.event, account=organizer)
    desk, slug = browser_of(organizer), tournament.event.slug
    first, second = (squad_named(tournament, (number, 1)).members.get().entry for number in (1, 2))
    there = [address("entry-out", slug, entry.pk) for entry in (first, second)]
    place = f"{tournament.pk}-place"

    page = open_page(desk, f"{there[0]}?why=withdrawn")
    fields = fields_of(form_to(page)) | {f"do-{tournament.pk}": "leave"}
    send(desk, there[0], fields | {place: "first"}, 422)
    send(desk, there[0], fields | {place: "last"})
    send(desk, there[1], fields_of(form_to(open_page(desk, there[1]))) | {f"do-{tournament.pk}": "leave"})

    (select,) = (each for each in page.all("select") if each.attributes["name"] == place)
    assert [option.attributes["value"] for option in select.all("option")] == offered
    removals = inputs_now(tournament).removals.squads.values()
    assert [(each.reason, each.place) for each in removals] == [
        ("withdrawn", "last"),
        ("withdrawn", offered[0]),
    ]


def test_entry_that_plays_already_can_not_be_put_in_as_a_reserve(palio: Palio, desk: Client) -> None:
    out = palio.teams[0].entries.get(number=1)
    playing = palio.teams[0].entries.get(number=2)
    leave(palio.tournament, desk, out, str(playing.pk), status=422)
    out.refresh_from_db()

    assert out.status == Entry.Status.ENTERED


@pytest.mark.parametrize(("format", "takes"), [("round_robin", True), ("swiss", False)])
def test_squad_drawn_by_round_leaves_or_plays_on_with_a_reserve(format: str, takes: bool) -> None:
    tournament = published(format=format)
    organizer = factories.make_account()
    Organizer.objects.create(event=tournament.event, account=organizer)
    desk = browser_of(organizer)
    squad = squad_named(tournament, (1, 1))
    out = squad.members.get().entry
    reserve = factories.make_entry(out.team, 3)
    page = leave(tournament, desk, out, str(reserve.pk) if takes else "leave")
    assert "drawn and still to be played" in page.text
    assert [member.entry for member in squad.members.all()] == [reserve if takes else out]
    tournament.refresh_from_db()
    squads = open_page(desk, address("squads", tournament.event.slug, tournament.slug)).text
    assert ("keeps its results and its place" in squads) is not takes
    players = open_page(desk, address("squads", tournament.event.slug, tournament.slug)).one("ul.squad-list")
    assert (f"{reserve.person}" in players.text) is takes
    compute_standings(str(tournament.pk))
    assert_sound(tournament)


def test_api_notes_absence_puts_a_reserve_in_and_forfeits(palio: Palio) -> None:
    _token, secret = factories.make_token(palio.organizer)
    program = browser_of(palio.organizer)

    def post(path: str, body: dict[str, str], status: int = 200) -> Any:
        answer = program.post(
            f"/api/v1/{path}", body, "application/json", HTTP_AUTHORIZATION=f"Bearer {secret}"
        )
        assert answer.status_code == status, answer.content
        return answer.json()

    out, reserve = palio.teams[0].entries.get(number=1), with_reserve(palio)
    squad = SquadMember.objects.get(entry=out).squad_id
    assert post(f"entries/{out.pk}/absence/", {})["status"] == "absent"
    said = {"entry": str(out.pk), "reserve": str(reserve.pk), "reason": "no-show"}
    stranger = str(factories.make_entry(factories.make_team(factories.make_event())).pk)
    post(f"squads/{squad}/substitution/", said | {"reserve": stranger}, 422)
    post(f"squads/{squad}/substitution/", said | {"reason": "tired"}, 422)
    post(f"squads/{squad}/substitution/", said)
    assert SquadMember.objects.get(squad=squad).entry == reserve
    assert post(f"squads/{squad}/forfeits/", {})["games"] == 2
    assert post(f"squads/{squad}/forfeits/", {})["games"] == 0
