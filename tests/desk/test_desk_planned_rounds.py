"""Rounds planned in advance, at the desk: who leaves, comes or is back, and what is said before and after."""

import random
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from people.actors import Actor
from people.display_names import Viewer
from people.models import Entry
from tests.desk.rounds import desk_of, path
from tests.support import factories
from tests.support.forms import address, confirm, confirming, fields_of, fill, form_to, open_page, send
from tests.support.page_reading import read
from tests.support.pdf_text import text_of
from tests.support.rounds_play import play_tables, published, squad_named
from tournaments.commands.replanned_rounds import plan_rounds_anew
from tournaments.commands.squad_changes import add_squad, bring_back_squad, remove_squad
from tournaments.facts.reasons import ON_REQUEST
from tournaments.models import Match, MatchGame, Tournament
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.draw_edits_text import redrawn_text, sentences
from tournaments.queries.history import happenings
from tournaments.queries.squad_names import squad_names
from tournaments.tasks import compute_standings
from tournaments.verification import verify

pytestmark = pytest.mark.django_db

STAYS = "Its seats stay empty: the others at its tables play on among themselves, and nobody moves."


def tables(entries: int) -> Tournament:
    """A tournament at tables of four whose first round has begun."""
    tournament = published(entries, 1, format="tables", options={"rounds": 3})
    play_tables(tournament, random.Random(1), most=1)
    return tournament


def sides(tournament: Tournament) -> list[list[tuple[int, ...]]]:
    """Who sits at each table, round after round."""
    (course,) = inputs_now(tournament).courses
    return [[pairing.sides for pairing in each.plan.pairings] for each in course.progress.rounds]


def test_removing_a_squad_says_before_and_after_that_nobody_moves() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    squad = squad_named(tournament, (5, 1))
    before = sides(tournament)

    preview = confirm(desk, path(tournament, "squad-gone", squad.pk), reason="withdrawn")

    assert (STAYS in preview.text, "won by the others" in preview.text) == (True, False)
    assert f"It doesn’t play on. {STAYS}" in open_page(desk, path(tournament, "squads")).text
    assert sides(tournament) == before


def test_absent_squad_leaves_an_empty_seat_and_is_struck_through() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    squad = squad_named(tournament, (5, 1))
    (entry,) = Entry.objects.filter(squad_memberships__squad=squad)
    out = address("entry-out", tournament.event.slug, entry.pk) + "?why=no-show"
    asked = open_page(desk, out)
    fields = fields_of(next(form for form in asked.all("form") if form.has("fieldset")))

    send(desk, out, fields)

    assert f"Plays no further. {STAYS}" in asked.text
    struck = []
    match = Match.objects.filter(sides__squad=squad, match_games__game__is_over=False).order_by("round")[0]
    slug = tournament.event.slug
    for there in (
        address("board", slug),
        address("match", slug, match.pk),
        path(tournament, "paper", match.round),
    ):
        struck.append({each.text for each in open_page(desk, there).all("s")})
    assert len(struck[0]) == 1
    assert struck == [struck[0]] * 3
    assert tournament.stages.get().left == {str(squad.pk): "no-show"}
    bring_back_squad(tournament, Actor.command(), squad)
    assert tournament.stages.get().left == {}


def test_squad_that_has_left_is_marked_in_the_call_list() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    waiting = Match.objects.filter(stage__tournament=tournament, round=1, match_games__game__is_over=False)
    squad = waiting[0].sides.order_by("number")[1].squad
    (entry,) = Entry.objects.filter(squad_memberships__squad=squad)
    remove_squad(tournament, Actor.command(), squad, "withdrawn")

    calls = open_page(desk, address("calls", tournament.event.slug))

    assert {each.text for each in calls.all("s")} == {str(entry.person)}
    assert {each.text for each in calls.all(".call-missing")} == {"withdrawn"}


def test_squad_that_has_left_is_struck_through_where_it_was_to_play() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    squad = squad_named(tournament, (5, 1))
    (entry,) = Entry.objects.filter(squad_memberships__squad=squad)
    in_public = reverse("publishing:round", args=[tournament.event.slug, tournament.slug, 3])
    assert not open_page(Client(), in_public).has("s")
    remove_squad(tournament, Actor.command(), squad, "withdrawn")
    compute_standings(str(tournament.pk))

    at_desk = [open_page(desk, path(tournament, name)) for name in ("rounds", "draw")]
    public = open_page(Client(), in_public)

    for page in at_desk:
        assert {each.text for each in page.all("s")} == {str(entry.person)}
        assert "withdrawn" in page.all("ul.pair-list")[-1].text
    (struck,) = public.all("s")
    assert struck.text == squad_names(Viewer.public(tournament.event), [squad.pk])[squad.pk]
    assert "withdrawn" in public.one(".tables").text


def test_draw_paper_and_score_sheets_say_who_has_left() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    squad = squad_named(tournament, (5, 1))
    slugs = tournament.event.slug, tournament.slug
    papers = [
        (Client(), reverse("publishing:draw-paper", args=slugs)),
        (desk, address("score-sheets", *slugs) + "?round=3"),
    ]
    before = [text_of(client.get(paper).content) for client, paper in papers]

    remove_squad(tournament, Actor.command(), squad, "withdrawn")

    after = [text_of(client.get(paper).content) for client, paper in papers]
    assert ("(withdrawn)" in before[0], "(ritiro)" in before[1]) == (False, False)
    # Score sheets are in the event's language.
    assert (after[0].count("(withdrawn)"), after[1].count("(ritiro)")) == (3, 1)


def test_late_squad_is_seated_or_the_desk_is_asked_first() -> None:
    with_seat, without = tables(11), tables(12)
    told = []
    for tournament in (with_seat, without):
        desk = desk_of(tournament)
        late = factories.make_entry(tournament.event.teams.get(number=3), 2)
        there, add = path(tournament, "squads"), path(tournament, "squad-add")
        before = sides(tournament)
        if tournament is with_seat:
            fill(desk, there, 302, add, entry_1=str(late.pk))
        else:
            asked = read(fill(desk, there, 200, add, entry_1=str(late.pk)))
            assert (sides(tournament), "Nothing is stored yet." in asked.text) == (before, True)
            assert "Rounds planned anew: 2 and 3." in asked.text
            send(desk, add, fields_of(confirming(asked)) | {"confirm": "yes"})
        told.append(open_page(desk, there).text)

    assert "It takes a free seat: round 2, table" in told[0]
    assert "Nobody else moves." in told[0]
    assert "No seat is free in each later round. Rounds planned anew: 2 and 3." in told[1]
    assert [len(sum(each, ())) for each in sides(without)] == [12, 13, 13]


def test_squad_that_is_back_has_its_seat_and_is_entered_again() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    squad = squad_named(tournament, (5, 1))
    Entry.objects.filter(squad_memberships__squad=squad).update(status=Entry.Status.ABSENT)
    remove_squad(tournament, Actor.command(), squad, "no-show")
    compute_standings(str(tournament.pk))

    fill(desk, path(tournament, "squads"), 302, path(tournament, "squad-back", squad.pk))

    told = open_page(desk, path(tournament, "squads")).text
    assert "It is back. It has its seat in each round that isn’t begun, and nobody moves." in told
    (entry,) = Entry.objects.filter(squad_memberships__squad=squad)
    assert entry.status == Entry.Status.ENTERED


def planned_anew_meanwhile(tournament: Tournament) -> None:
    """Somebody leaves, and the rounds that aren't begun are planned anew."""
    remove_squad(tournament, Actor.command(), squad_named(tournament, (5, 1)), "withdrawn")
    compute_standings(str(tournament.pk))
    plan_rounds_anew(tournament, Actor.command())


def test_paper_slips_for_a_replaced_draw_are_told_with_what_was_typed() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    there = path(tournament, "paper", 2)
    fields = fields_of(form_to(open_page(desk, there), there))
    one, other = Match.objects.filter(stage__tournament=tournament, round=2).order_by("table__number")[:2]
    games = [str(match.match_games.get().game_id) for match in (one, other)]
    typed = {f"winner-{games[0]}": "BADC", f"winner-{games[1]}": "ABCD "}
    table = one.table.number
    planned_anew_meanwhile(tournament)
    assert not Match.objects.filter(pk__in=[one.pk, other.pk]).exists()

    page = read(send(desk, there, fields | typed, 422))

    lost = [row.text for row in page.one(".slips-lost").all("li")]
    assert len(lost) == 2
    assert f"Table {table}, game 1: A " in lost[0]
    assert "Typed: “BADC”." in lost[0]
    assert "Typed: “ABCD”." in lost[1]
    assert "this match is no part of it now" in lost[0]
    assert "Nothing was stored. 2 rows aren’t stored" in page.one(".messages").text


def test_paper_slips_that_hold_are_stored_beside_those_of_a_replaced_draw() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    there = path(tournament, "paper", 2)
    before = fields_of(form_to(open_page(desk, there), there))
    gone = Match.objects.filter(stage__tournament=tournament, round=2).order_by("table__number")[0]
    lost = {f"winner-{gone.match_games.get().game_id}": "X"}
    planned_anew_meanwhile(tournament)
    after = fields_of(form_to(open_page(desk, there), there))
    (first, *_) = Match.objects.filter(stage__tournament=tournament, round=2)
    game = first.match_games.get()

    page = read(send(desk, there, before | after | lost | {f"winner-{game.game_id}": "X"}, 422))

    assert len(page.one(".slips-lost").all("li")) == 1
    game.game.refresh_from_db()
    assert game.game.closed_by == "abandoned"


def test_paper_slips_of_a_round_that_is_gone_are_told_with_what_was_typed() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    there = path(tournament, "paper", 2)
    fields = fields_of(form_to(open_page(desk, there), there))
    game = MatchGame.objects.filter(match__stage__tournament=tournament, match__round=2)[0].game_id
    nowhere = path(tournament, "paper", 9)

    page = read(send(desk, nowhere, fields | {f"winner-{game}": "X"}, 422))
    empty = desk.post(nowhere, fields)

    assert "Typed: “X”." in page.one(".slips-lost").text
    assert empty.status_code == 404


def test_result_for_a_match_of_a_replaced_draw_leads_to_its_round() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    slug = tournament.event.slug
    match = Match.objects.filter(stage__tournament=tournament, round=2)[0]
    there = address("match", slug, match.pk)
    action = address("result", slug, match.match_games.get().game_id)
    fields = fields_of(form_to(open_page(desk, there), action))
    planned_anew_meanwhile(tournament)
    assert not Match.objects.filter(pk=match.pk).exists()

    answers = [read(send(desk, action, fields | {"places-0": "1"}, 404)), open_page(desk, there, 404)]

    for page in answers:
        assert page.one("h1").text == "This isn’t played any more"
        assert "The draw has changed since this page was made" in page.text
    links = [[link.attributes["href"] for link in page.one("p.actions").all("a")] for page in answers]
    assert links == [[path(tournament, "paper", 2), address("board", slug)], [address("board", slug)]]


def test_desk_plans_later_rounds_anew_once_it_has_seen_how_many_move() -> None:
    tournament = tables(12)
    desk = desk_of(tournament)
    remove_squad(tournament, Actor.command(), squad_named(tournament, (5, 1)), "withdrawn")
    compute_standings(str(tournament.pk))
    there = path(tournament, "plan-anew")
    before = sides(tournament)

    asked = open_page(desk, there)
    assert (sides(tournament), "Rounds planned anew: 2 and 3." in asked.text) == (before, True)
    send(desk, there, fields_of(confirming(asked)) | {"confirm": "yes"})

    assert sides(tournament)[0] == before[0]
    assert [len(sum(each, ())) for each in sides(tournament)] == [12, 11, 11]
    drawn = open_page(desk, path(tournament, "draw")).text
    assert "rounds 2 and 3: planned anew at the desk." in drawn
    assert "The seed alone repeats plan 1." in drawn
    rounds = [reverse("publishing:round", args=[tournament.event.slug, tournament.slug, at]) for at in (1, 2)]
    told = [open_page(desk, there).text for there in rounds]
    assert ["planned anew at the desk" in each for each in told] == [False, True]


def test_seat_taken_in_a_round_that_is_planned_anew_later_is_told_no_more() -> None:
    tournament = tables(11)
    add_squad(tournament, Actor.command(), [factories.make_entry(tournament.event.teams.get(number=3), 2)])
    play_tables(tournament, random.Random(1), most=3)
    remove_squad(tournament, Actor.command(), squad_named(tournament, (5, 1)), "withdrawn")
    plan_rounds_anew(tournament, Actor.command())
    compute_standings(str(tournament.pk))

    drawn = open_page(desk_of(tournament), path(tournament, "draw")).text

    (seats,) = re.findall(r"takes a free seat: (.*?)\. Nobody else moves", drawn)
    assert re.fullmatch(r"round 2, table \d", seats)
    assert ", round 3: planned anew at the desk." in drawn
    assert list(verify.verify(tournament.event)) == []


@pytest.mark.parametrize(
    ("language", "one", "several"),
    [
        ("en", "round 3: planned anew at the desk.", "rounds 3 to 5: planned anew at the desk."),
        ("it", "giro 3: preparato di nuovo", "giri da 3 a 5: preparati di nuovo"),
    ],
)
def test_rounds_planned_anew_are_told_in_the_right_number(language: str, one: str, several: str) -> None:
    edit = {"plan": 2, "at": "2026-06-06T10:00:00+00:00", "reason": ON_REQUEST}

    with translation.override(language):
        told = sentences([{**edit, "rounds": [3]}, {**edit, "rounds": [3, 4, 5]}], {})

    assert [one in told[0], several in told[1]] == [True, True]


def test_single_round_to_be_planned_anew_is_told_in_the_singular() -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 2})
    play_tables(tournament, random.Random(1), most=1)
    remove_squad(tournament, Actor.command(), squad_named(tournament, (5, 1)), "withdrawn")

    asked = open_page(desk_of(tournament), path(tournament, "plan-anew"))

    assert "Round planned anew: 2." in asked.text


@pytest.mark.parametrize(
    ("language", "planned", "seat", "corrected"),
    [
        (
            "en",
            "Rounds 2 and 3: planned by the desk for who was there.",
            "Rounds 2 and 3: Superiore: Ortensia Zampognari2 takes a free seat, and nobody else moves.",
            "Rounds 1 to 3. Reason: learned afterwards.",
        ),
        (
            "it",
            "Giri 2 e 3: preparazione rifatta dall’organizzazione per chi c’era.",
            "Giri 2 e 3: Superiore: Ortensia Zampognari2 prende un posto libero, e nessun altro si sposta.",
            "Giri da 1 a 3. Motivo: saputo dopo.",
        ),
    ],
)
def test_history_tells_of_several_rounds_in_one_sentence(
    language: str, planned: str, seat: str, corrected: str
) -> None:
    tournament = tables(12)
    remove_squad(tournament, Actor.command(), squad_named(tournament, (5, 1)), "withdrawn")
    plan_rounds_anew(tournament, Actor.command())
    add_squad(tournament, Actor.command(), [factories.make_entry(tournament.event.teams.get(number=1), 2)])
    rounds = [
        {"number": number, "title": "Round %(number)d", "values": {"number": number}} for number in (1, 2, 3)
    ]

    with translation.override(language):
        lines, _mark = happenings(tournament.event, limit=50)
        told = redrawn_text({"rounds": rounds, "reason": "late-information"}, "")

    assert [line.details for line in lines if line.details and planned in line.details] == [(planned,)]
    assert [line.details for line in lines if line.details and seat in line.details] == [(seat,)]
    assert told == corrected
