"""The desk's timetable: matches moved, swapped, given referees; delays; what is worked out, and when not."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils.translation import override

from desk import timetable
from desk.page import names
from people.actors import Actor
from people.models import AuditEntry, Entry
from tests.desk.palio import Palio, make_palio
from tests.desk.queries import queries
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, open_page
from tests.support.page_reading import Element
from tests.support.rounds_play import play_out
from tournaments.commands import timetable_work
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.results import enter_result
from tournaments.commands.round_draws import draw_next_round
from tournaments.commands.set_up import create_tournament
from tournaments.commands.table_cards import put_up_tables
from tournaments.commands.timetable import change_place
from tournaments.models import Match, Place, Timetable, TimetableWork, Tournament
from tournaments.queries.timetable import problem as timetable_problem
from tournaments.queries.timetable.match_starts import hours
from tournaments.settings.timetable import TimetableSettings

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
ROME = ZoneInfo("Europe/Rome")


@pytest.fixture
def palio(db: None) -> Palio:
    """Three teams of four on two tables, two rounds: eight matches of half an hour from 14:00."""
    return make_palio(4, tables=2, rounds=2)


def here(palio: Palio, rest: str = "") -> str:
    return f"/en/desk/events/{palio.event.slug}/timetable/{rest}"


def of_match(palio: Palio, match: Match) -> str:
    return f"/en/desk/events/{palio.event.slug}/matches/{match.pk}/place/"


def moved(begins: str, table: int) -> dict[str, object]:
    """The form that moves a match."""
    return {"do": "move", "day": str(factories.DAY), "begins": begins, "table": table}


def match_at(round: int, wave: int, table: int) -> Match:
    return Match.objects.get(round=round, drawn_wave=wave, drawn_table=table)


def places(palio: Palio) -> dict[tuple[int, int, int], tuple[str, int]]:
    """Hour and table of each match, by where it was drawn."""
    found = hours(palio.tournament)
    return {
        (each.round, each.drawn_wave, each.drawn_table): (
            f"{found[each.pk].begins_at.astimezone(ROME):%H:%M}",
            each.table.number,
        )
        for each in Match.objects.select_related("table")
    }


def work_out(palio: Palio, desk: Client, days: str, *, tables: int, seconds: int) -> None:
    """Set the hours and tables, and have a timetable worked out in so many seconds."""
    settings = {"days": days, "breaks": "", "tables": tables, "step": 5, "changeover": 5, "rest": 0}
    desk.post(
        here(palio, "settings/"),
        {**settings, "shorter": 0, "rounds": "in_turn", "starts": "together", "work": 1},
    )
    timetable_work.run(TimetableWork.objects.get().pk, seconds=seconds, is_watched=False)


def post(desk: Client, path: str, **fields: object) -> None:
    """Send a form of the page as it is now; it has to be accepted."""
    answer = desk.post(path, {"expected_version": version(), **fields})
    assert answer.status_code == 302, answer.content.decode()


def version() -> int:
    """How often the timetable was changed."""
    row = Timetable.objects.first()
    return row.version if row else 0


def figure(shown: Element, label: str) -> list[str]:
    """What the draw page counts under this label."""
    return [each.one("b").text for each in shown.one("ul.figures").all("li") if label in each.text]


def test_match_is_moved_and_that_is_taken_back(palio: Palio, desk: Client) -> None:
    before = places(palio)
    match = match_at(2, 2, 2)
    preview = open_page(desk, of_match(palio, match) + "?begins=16:30&table=1")
    assert "Move it there" in [button.text for button in preview.all("button")]
    post(desk, of_match(palio, match), **moved("16:30", 1))
    assert places(palio) == {**before, (2, 2, 2): ("16:30", 1)}
    assert "a match was moved" in open_page(desk, here(palio)).one("main").text
    post(desk, here(palio, "undo/"))
    assert (places(palio), Place.objects.count()) == (before, 0)


@pytest.fixture
def three_tables(palio: Palio) -> None:
    """The timetable may use a table more than are put up."""
    Timetable.objects.update_or_create(event=palio.event, defaults={"settings": {"tables": 3}})


@pytest.mark.usefixtures("three_tables")
def test_move_to_a_new_table_puts_it_up_in_the_trail(palio: Palio, desk: Client) -> None:
    post(desk, of_match(palio, match_at(2, 2, 2)), **moved("16:30", 3))

    table = palio.event.tables.get(number=3)
    trail = AuditEntry.objects.filter(row_id=table.pk)
    assert list(trail.values_list("action", "actor_id")) == [("created", palio.organizer.pk)]


@pytest.mark.usefixtures("three_tables")
def test_move_that_is_refused_puts_up_no_table(palio: Palio, desk: Client) -> None:
    answer = desk.post(
        of_match(palio, match_at(2, 2, 2)), {**moved("16:30", 3), "expected_version": version() + 1}
    )

    assert (answer.status_code, palio.event.tables.filter(number=3).exists()) == (409, False)


def test_move_in_conflict_is_refused_and_a_swap_offered(palio: Palio, desk: Client) -> None:
    match, other = match_at(1, 1, 1), match_at(1, 2, 1)
    before = places(palio)
    answer = desk.post(
        of_match(palio, match),
        {**moved("14:35", 1), "drop": 1, "expected_version": 0},
    )
    assert places(palio) == before
    shown = open_page(desk, answer["Location"])
    assert "Two matches at table 1 at once" in shown.one("main").text
    assert any(button.text.startswith("Swap with 14:35, table 1") for button in shown.all("button"))
    post(desk, of_match(palio, match), do="swap", other=other.pk)
    assert places(palio) == {**before, (1, 1, 1): ("14:35", 1), (1, 2, 1): ("14:00", 1)}


def test_referee_of_a_team_that_plays_is_neither_offered_nor_taken(palio: Palio, desk: Client) -> None:
    free = factories.make_referee(palio.event, first_name="Libera")
    own = factories.make_referee(palio.event, first_name="Propria", team=palio.teams[0])
    match = match_at(1, 1, 1)
    shown = open_page(desk, of_match(palio, match))
    assert [option.text for option in shown.all("option")[-2:]] == ["nobody", str(free)]
    post(desk, of_match(palio, match), do="referee", referee=free.pk)
    assert Place.objects.get(pk=match.pk).referee == free
    refused = desk.post(
        of_match(palio, match), {"do": "referee", "referee": own.pk, "expected_version": version()}
    )
    assert refused.status_code == 409
    assert Place.objects.get(pk=match.pk).referee == free


def test_delay_is_seen_before_it_is_applied(palio: Palio, desk: Client) -> None:
    before = places(palio)
    asked = {"minutes": 10, "table": 1, "day": str(factories.DAY), "begins": "15:00"}
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    shown = open_page(desk, here(palio, f"delay/?{query}"))
    shifts = [line.text for line in shown.one("ul.shift-list").all("li")]
    assert shifts[0].startswith("15:10, table 1")
    assert shifts[0].endswith("goes to 15:20")
    assert places(palio) == before
    post(desk, here(palio, "delay/"), **asked)
    after = places(palio)
    assert {key for key in before if before[key] != after[key]} >= {(2, 1, 1), (2, 2, 1)}
    assert after[2, 1, 1] == ("15:20", 1)
    assert [after[key] for key in before if key[0] == 1] == [before[key] for key in before if key[0] == 1]


def test_timetable_is_worked_out_kept_and_an_impossible_one_has_remedies(palio: Palio, desk: Client) -> None:
    factories.make_referee(palio.event, first_name="Libera")
    desk.post(here(palio, "proposal/start/"))
    work = TimetableWork.objects.get()
    assert "Being worked out" in open_page(desk, here(palio, "proposal/")).one("main").text
    again = desk.post(here(palio, "proposal/start/"))
    assert again.status_code == 409
    timetable_work.run(work.pk, seconds=1, is_watched=False)
    shown = open_page(desk, here(palio, "proposal/"))
    assert [button.text for button in shown.one("main").all("button")] == [
        "Keep this timetable",
        "Work out another one",
    ]
    post(desk, here(palio, "proposal/keep/"))
    assert Place.objects.count() == 8
    assert not open_page(desk, here(palio)).one("main").has(".notice-warning")
    work_out(palio, desk, "14:00-15:00", tables=2, seconds=1)
    shown = open_page(desk, here(palio, "proposal/"))
    assert shown.one(".notice-error").one("h2").text == "It can’t fit"
    remedies = TimetableWork.objects.get().answer["remedies"]
    later = next(each for each in remedies if each["change"] == "end_later")
    assert f"End {later['amount']} minutes later" in [button.text for button in shown.all("button")]
    post(desk, here(palio, "proposal/change/"), change="end_later", amount=later["amount"])
    timetable_work.run(TimetableWork.objects.get().pk, seconds=1, is_watched=False)
    assert TimetableWork.objects.get().status == "found"
    unnamed = desk.post(here(palio, "proposal/change/"), {"change": "tables", "amount": 99})
    assert unnamed.status_code == 422


def test_kept_timetable_is_in_force_to_the_end_of_the_day(palio: Palio, desk: Client) -> None:
    desk.post(here(palio, "proposal/start/"))
    timetable_work.run(TimetableWork.objects.get().pk, seconds=1, is_watched=False)
    post(desk, here(palio, "proposal/keep/"))

    for game in palio.games:
        enter_result(game, Actor.command(), seat=0)

    told = open_page(desk, here(palio)).one(".page-header").one("p").text
    assert told.startswith("The timetable that was worked out is in force.")


def test_draw_has_the_hours_and_tables_of_the_timetable(palio: Palio, desk: Client) -> None:
    path = address("draw", palio.event.slug, palio.tournament.slug)
    drawn = open_page(desk, path).one("main")
    assert figure(drawn, "from the first game to the last") == ["14:00–16:15"]
    assert figure(drawn, "longest wait between two meetings") == ["75′"]
    assert "as it was made" not in drawn.text

    match = match_at(2, 2, 2)
    post(desk, of_match(palio, match), **moved("17:30", 1))

    shown = open_page(desk, path).one("main")
    assert figure(shown, "from the first game to the last") == ["14:00–18:00"]
    assert figure(shown, "longest wait between two meetings") == []
    assert "Hours and tables are by the timetable." in shown.text
    assert "What is counted here is of the draw as it was made." in shown.text
    of_round = shown.all("section.draw-round")[1]
    assert of_round.all("p.wave-time")[-1].text.startswith("17:30–18:00")
    assert [each.text for each in of_round.all("ul.pair-list")[-1].all(".table-cell")] == ["Table 1"]


def test_proposal_of_a_day_with_six_tables_says_before_and_after(db: None) -> None:
    palio = make_palio(8, tables=6, rounds=3)
    desk = browser_of(palio.organizer)

    desk.post(here(palio, "proposal/start/"))
    # The figures are of one seed: with another the longest wait may be longer.
    TimetableWork.objects.update(seed="palio-2026")
    timetable_work.run(TimetableWork.objects.get().pk, seconds=20, is_watched=False)

    shown = open_page(desk, here(palio, "proposal/"))
    assert figures_of(shown) == [
        ["Tables, players or referees wanted twice at once", "0", "0"],
        ["The day ends at", "17:25", "16:50"],
        ["Longest wait of a player", "75 minutes", "75 minutes"],
        ["Starts", "6", "5"],
    ]
    assert not shown.one("main").has(".notice-warning")
    assert "No timetable with common starts ends earlier." in shown.one(".standfirst").text
    post(desk, here(palio, "proposal/keep/"))
    assert sorted({begins for begins, _table in places(palio).values()}) == [
        "14:00",
        "14:35",
        "15:10",
        "15:45",
        "16:20",
    ]


def test_proposal_names_each_figure_that_gets_worse(palio: Palio, desk: Client) -> None:
    work_out(palio, desk, "16:00-21:00", tables=1, seconds=1)

    shown = open_page(desk, here(palio, "proposal/"))
    _clashes, end, wait, starts = figures_of(shown)
    assert (end, starts) == (["The day ends at", "16:15", "20:35"], ["Starts", "4", "8"])
    assert wait[:2] == ["Longest wait of a player", "75 minutes"]
    longest = int(wait[2].removesuffix(" minutes"))
    assert [each.text for each in shown.one(".notice-warning").all("li")] == [
        "The day ends 260 minutes later: at 20:35, not at 16:15.",
        f"Somebody waits {longest - 75} minutes longer: {longest} minutes at most, not 75 minutes.",
        "There are 4 starts more to call: 8, not 4.",
    ]


@pytest.mark.parametrize(
    ("minutes", "told"),
    [
        ([40, 40, 40, 40, 40, 40, 40, 40, 40, 30, 0], ("and 3 others", 40)),
        ([60, 40, 40, 40, 40, 40, 40, 30, 30], ("and 1 other", 40)),
        ([60, 40, 40, 40, 40, 40, 30, 30], None),
    ],
)
def test_proposal_counts_who_else_waits_as_long(
    palio: Palio, monkeypatch: pytest.MonkeyPatch, minutes: list[int], told: tuple[str, int] | None
) -> None:
    book = names(palio.event)
    people = [str(pk) for pk in Entry.objects.filter(team__event=palio.event).values_list("pk", flat=True)]
    waits = dict(zip(people, minutes, strict=False))
    monkeypatch.setattr(timetable, "longest_waits", lambda problem, placements: waits)
    given = timetable_problem.read(palio.event, TimetableSettings(), anew=True)

    with override("en"):
        listed = timetable.waiters(given, [], book)

    assert [each.count for each in listed[:6]] == sorted(minutes, reverse=True)[:6]
    assert [(each.name, each.count) for each in listed[6:]] == ([told] if told else [])


def swiss_beside(palio: Palio) -> Tournament:
    """A Swiss of three rounds at the same hour, by the same players, at the same two tables; the first round
    is drawn, the others are drawn by hand.
    """
    made = create_tournament(
        palio.event,
        ACTOR,
        "Svizzera",
        {"format": "swiss", "options": {"rounds": 3}, "tables": 2, "draws_itself": False},
    )
    make_draw(made, ACTOR, factories.SEED)
    publish_draw(made, ACTOR)
    return made


def test_proposal_that_undoes_clashes_is_better_though_it_ends_later(palio: Palio, desk: Client) -> None:
    swiss_beside(palio)

    desk.post(here(palio, "proposal/start/"))
    timetable_work.run(TimetableWork.objects.get().pk, seconds=1, is_watched=False)

    shown = open_page(desk, here(palio, "proposal/"))
    clashes, end, *_ = figures_of(shown)
    assert clashes[0] == "Tables, players or referees wanted twice at once"
    assert (int(clashes[1]) > 0, clashes[2]) == (True, "0")
    assert end[1] < end[2]
    standfirst = shown.one(".standfirst").text
    assert "No figure gets better by it." not in standfirst
    assert "ends earlier." not in standfirst
    assert "Not drawn yet, and to be played after it: Svizzera (2 rounds)." in standfirst


def step_of(desk: Client, palio: Palio, name: str) -> Element:
    """A step on the overview."""
    steps = open_page(desk, f"/en/desk/events/{palio.event.slug}/").one("ol.way").all("li")
    return next(step for step in steps if step.one("h2").text == name)


def test_round_drawn_after_the_timetable_was_kept_shows_its_clashes_at_once(
    palio: Palio, desk: Client
) -> None:
    swiss = swiss_beside(palio)
    desk.post(here(palio, "proposal/start/"))
    timetable_work.run(TimetableWork.objects.get().pk, seconds=1, is_watched=False)
    post(desk, here(palio, "proposal/keep/"))
    board = f"/en/desk/events/{palio.event.slug}/board/"
    kept = step_of(desk, palio, "Timetable")
    assert "is-done" in kept.classes
    assert kept.one("p").text == (
        "14 matches have their place. Not drawn yet, and in no hour: Svizzera (2 rounds)."
    )
    assert not open_page(desk, board).has(".notice-warning")
    # The first round is moved to where the second one then comes to lie on the other tournament's tables.
    first = Match.objects.filter(stage__tournament=swiss).order_by("drawn_wave")
    for match in first:
        Place.objects.filter(pk=match.pk).update(
            begins_at=min(Place.objects.values_list("begins_at", flat=True))
        )

    play_out(swiss, "Ada")
    draw_next_round(swiss, ACTOR)

    step = step_of(desk, palio, "Timetable")
    assert "is-done" not in step.classes
    assert "6 more have none: their hours follow from the draw." in step.one("p").text
    assert "times a table, a player or a referee is wanted twice at once." in step.one("p").text
    assert "times a table, a player or a referee is wanted twice at once." in (
        open_page(desk, board).one(".notice-warning").text
    )


def figures_of(shown: Element) -> list[list[str]]:
    """The rows of the figures, before and after."""
    table = shown.one("main").all("table.proposal")[0]
    rows = table.one("tbody").all("tr")
    return [[row.one("th").text, *(cell.text for cell in row.all("td"))] for row in rows]


def test_tournament_that_begins_after_closing_is_told_as_the_cause(palio: Palio, desk: Client) -> None:
    later = create_tournament(
        palio.event, ACTOR, "Girone", {"format": "round_robin", "tables": 2, "starts_at": "17:00"}
    )
    make_draw(later, ACTOR, factories.SEED)
    hours_and_rest = {"days": "12:00-16:30", "breaks": "15:00-15:20", "tables": 4, "step": 5, "changeover": 5}

    desk.post(
        here(palio, "settings/"),
        {**hours_and_rest, "rest": 0, "shorter": 0, "rounds": "in_turn", "starts": "together", "work": 1},
    )
    timetable_work.run(TimetableWork.objects.get().pk, seconds=1, is_watched=False)

    shown = open_page(desk, here(palio, "proposal/"))
    assert shown.one(".notice-error").one("p").text == (
        "A match of Girone takes 10 minutes and doesn’t begin before 17:00: after that, the longest stretch "
        "without a break has 0."
    )
    assert [each.text for each in shown.all("ul.remedies")[0].all("li") if "End" in each.text] != []


def test_fixed_match_in_the_way_is_let_go_of_by_a_button(palio: Palio, desk: Client) -> None:
    match = match_at(1, 1, 1)
    post(desk, of_match(palio, match), do="lock")
    work_out(palio, desk, "15:00-20:00", tables=2, seconds=30)
    shown = open_page(desk, here(palio, "proposal/"))
    assert [button.text for button in shown.one(".remedies").all("button")] == [
        "Begin 60 minutes earlier",
        "Let go of what is fixed",
    ]
    post(desk, here(palio, "proposal/change/"), change="unpinned", amount=1)
    assert list(Place.objects.filter(is_locked=True)) == []
    timetable_work.run(TimetableWork.objects.get().pk, seconds=1, is_watched=False)
    assert TimetableWork.objects.get().status == "found"


def test_fixed_matches_in_conflict_are_named_each_with_the_other(palio: Palio, desk: Client) -> None:
    first, later = match_at(1, 1, 1), match_at(2, 1, 1)
    post(desk, of_match(palio, first), do="lock")
    begins_at = Place.objects.get(match_id=first.pk).begins_at
    put_up_tables(palio.event, ACTOR, [3])
    change_place(later, ACTOR, begins_at=begins_at, table=3)
    change_place(later, ACTOR, is_locked=True)

    work_out(palio, desk, "14:00-20:00", tables=4, seconds=1)

    shown = open_page(desk, here(palio, "proposal/")).one(".notice-error")
    assert shown.one("p").text == "What is fixed is in conflict with itself."
    told = [each.text for each in shown.all("li")]
    assert len(told) == 1
    pattern = r".+ would be in two places at once: 14:00, table 1 \(.+\) and 14:00, table 3 \(.+\)\."
    assert re.fullmatch(pattern, told[0])


def test_remedies_keep_the_rounds_of_a_published_draw(palio: Palio, desk: Client) -> None:
    work_out(palio, desk, "14:00-15:15", tables=2, seconds=30)

    remedies = open_page(desk, here(palio, "proposal/")).one(".remedies")
    assert remedies.has("a") is False
    assert "fewer_rounds" not in [each["change"] for each in TimetableWork.objects.get().answer["remedies"]]


def test_remedies_offer_no_end_after_midnight(palio: Palio, desk: Client) -> None:
    work_out(palio, desk, "23:00-24:00", tables=1, seconds=30)

    changes = [each["change"] for each in TimetableWork.objects.get().answer["remedies"]]
    assert changes == ["begin_earlier"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            "All matches together need 240 minutes at tables. Tables are open for 150, of which 120 can be "
            "played: the others lie between two matches, or are too few for a match.",
        ),
        (
            "it",
            "Tutti gli incontri insieme hanno bisogno di 240 minuti ai tavoli. I tavoli sono aperti per 150 "
            "minuti, ma se ne possono giocare 120: gli altri stanno tra un incontro e l’altro, o non bastano "
            "per un incontro.",
        ),
    ],
)
def test_minutes_of_open_tables_are_accounted_for(
    palio: Palio, desk: Client, language: str, told: str
) -> None:
    work_out(palio, desk, "14:00-15:15", tables=2, seconds=1)

    with override(language):
        assert timetable.cause_told(palio.event, TimetableWork.objects.get()) == told


def test_remedy_that_is_made_on_another_page_links_there(palio: Palio, desk: Client) -> None:
    Tournament.objects.update(status=Tournament.Status.DRAWN)
    work_out(palio, desk, "14:00-15:15", tables=2, seconds=30)
    (fewer,) = open_page(desk, here(palio, "proposal/")).one(".remedies").all("a")

    assert (fewer.text, fewer.attributes["href"]) == (
        "1 round less →",
        f"/en/desk/events/{palio.event.slug}/tournaments/{palio.tournament.slug}/",
    )
    assert desk.get(fewer.attributes["href"]).status_code == 200


def test_timetable_work_is_stopped_and_a_lost_worker_is_replaced(palio: Palio, desk: Client) -> None:
    desk.post(here(palio, "proposal/start/"))
    desk.post(here(palio, "proposal/stop/"))
    work = TimetableWork.objects.get()
    timetable_work.run(work.pk, is_watched=False)
    work.refresh_from_db()
    assert (work.status, Place.objects.count()) == ("cancelled", 0)
    desk.post(here(palio, "proposal/start/"))
    lost = TimetableWork.objects.get()
    TimetableWork.objects.update(status="running", seen_at=lost.asked_at - timedelta(minutes=1))
    assert desk.post(here(palio, "proposal/start/")).status_code == 302
    assert TimetableWork.objects.get().pk != lost.pk


def test_timetable_forms_filled_in_badly_are_refused(palio: Palio, desk: Client) -> None:
    answer = desk.post(here(palio, "settings/"), {"days": "dopo pranzo", "tables": 0})

    assert answer.status_code == 422
    assert "Write hours as 14:00-18:00" in answer.content.decode()
    assert desk.get(here(palio, "delay/?minutes=-1")).status_code == 422
    assert desk.get(of_match(palio, match_at(1, 1, 1)) + "?begins=noon&table=1").status_code == 422
    assert (
        desk.post(of_match(palio, match_at(1, 1, 1)), {"do": "fly", "expected_version": 0}).status_code == 404
    )


def test_timetable_pages_cost_as_many_queries_for_many_as_for_few(palio: Palio, desk: Client) -> None:
    organizer = palio.organizer
    big = factories.make_event(organizer)
    factories.make_field(big, entries=12)
    many = Palio(organizer, big, [], factories.drawn_tournament(big, tables=6, rounds=4))
    few_match = Match.objects.filter(stage__tournament=palio.tournament)[0]
    many_match = Match.objects.filter(stage__tournament=many.tournament)[0]
    assert queries(desk, here(palio)) == queries(desk, here(many)) <= 35
    assert queries(desk, of_match(palio, few_match)) == queries(desk, of_match(many, many_match)) <= 45
    for each in (palio, many):
        desk.post(here(each, "proposal/start/"))
        timetable_work.run(TimetableWork.objects.get(event=each.event).pk, seconds=1, is_watched=False)
    assert queries(desk, here(palio, "proposal/")) == queries(desk, here(many, "proposal/")) <= 45
