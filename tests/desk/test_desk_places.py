"""Places of a table's sides at the desk: typed in, told, corrected; a row of a paper slip."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.outcome import Outcome
from people.actors import Actor
from people.models import Entry, Organizer
from rendering.text.numbers import ordinal
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, errors, fields_of, form_to, open_page, send
from tests.support.page_reading import read
from tests.support.rounds_play import published
from tests.support.stored_games import outcome
from tournaments.commands import results
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import Match, MatchGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> MatchGame:
    """A game of four seats."""
    return factories.games_of(published(4, 1, format="tables", ruleset="house"))[0]


@pytest.fixture
def desk(game: MatchGame) -> Client:
    organizer = factories.make_account()
    Organizer.objects.create(event=game.match.stage.tournament.event, account=organizer)
    return browser_of(organizer)


def outcome_line(game: MatchGame) -> int:
    """The line of the log by which the game ended."""
    return int(Game.objects.get(pk=game.game_id).version)


def slug(game: MatchGame) -> str:
    return str(game.match.stage.tournament.event.slug)


def enter(desk: Client, game: MatchGame, places: str, status: int = 302, **more: Any) -> Any:
    """Type these places, one word for each side."""
    page = open_page(desk, address("match", slug(game), game.match_id))
    path = address("result", slug(game), game.game_id)
    typed = {f"places-{side}": text.strip("_") for side, text in enumerate(places.split())}
    return send(desk, path, fields_of(form_to(page, path)) | typed | more, status)


def in_order(game: MatchGame, places: Sequence[int], *absent: int) -> str:
    """Who came where, as the desk tells it; these weren't there."""
    seats = game.game.seats.order_by("number")
    names = [str(Entry.objects.get(pk=entry).person) for entry in seats.values_list("entry", flat=True)]
    came = [at for at in sorted(range(len(places)), key=places.__getitem__) if at not in absent]
    told = [f"{ordinal(places[at])} {names[at]}" for at in came]
    return " · ".join(told + [f"{names[at]} wasn’t there" for at in absent])


def absent(game: MatchGame) -> set[int]:
    """The sides of which it is noted that they weren't there."""
    match = Match.objects.select_related("stage").get(pk=game.match_id)
    return {game.sides.index(side) for side in match.absent_sides()}


@pytest.mark.parametrize(
    ("places", "stored", "away"),
    [
        ("4 1 3 2", (4, 1, 3, 2), ()),
        ("1 3 1 3", (1, 3, 1, 3), ()),
        ("2 1 - 3", (2, 1, 4, 3), (2,)),
        ("- 1 2 -", (3, 1, 2, 3), (0, 3)),
    ],
)
def test_places_are_typed_and_who_was_not_there_comes_last(
    desk: Client, game: MatchGame, places: str, stored: tuple[int, ...], away: tuple[int, ...]
) -> None:
    enter(desk, game, places)

    assert (outcome(game).places, outcome(game).closed_by) == (stored, "result")
    assert absent(game) == set(away)
    told = open_page(desk, address("match", slug(game), game.match_id)).all(".game-outcome")[0].text
    assert told.startswith(in_order(game, stored, *away))


@pytest.mark.parametrize(("places", "how"), [("- - 1 -", "result"), ("_ _ 1 _", "forfeit")])
def test_game_with_only_one_side_there_is_a_forfeit(
    desk: Client, game: MatchGame, places: str, how: str
) -> None:
    enter(desk, game, places, how=how)

    assert (outcome(game).seat, outcome(game).closed_by) == (2, "forfeit")


def test_game_with_nobody_there_has_no_winner(desk: Client, game: MatchGame) -> None:
    enter(desk, game, "- - - -")

    assert outcome(game) == Outcome(is_over=True, closed_by="forfeit")


@pytest.mark.parametrize(
    ("places", "how", "told"),
    [
        ("_ _ _ _", "result", "Here the places decide"),
        ("1 2 3 _", "result", "Give everybody at the table a place"),
        ("1 2 2 3", "result", "Give everybody at the table a place"),
        ("1 2 3 x", "result", "Give everybody at the table a place"),
        ("1 2 3 4", "abandoned", "An abandoned game has no places."),
        ("1 2 3 4", "forfeit", "A forfeit is for one who was there"),
    ],
)
def test_places_that_can_not_be_are_refused_and_stay_in_the_form(
    desk: Client, game: MatchGame, places: str, how: str, told: str
) -> None:
    page = read(enter(desk, game, places, 422, how=how))

    assert any(told in error for error in errors(page))
    form = form_to(page, address("result", slug(game), game.game_id))
    assert fields_of(form)["places-0"] == places.split()[0].strip("_")
    assert outcome(game) == Outcome()


@pytest.mark.parametrize("field", ["places-4", "points-4"])
def test_places_and_points_for_a_seat_too_many_are_refused(desk: Client, game: MatchGame, field: str) -> None:
    more: dict[str, Any] = {field: "5"}

    page = read(enter(desk, game, "1 2 3 4", 422, **more))

    assert any("for a seat that this game doesn’t have" in error for error in errors(page))
    assert outcome(game) == Outcome()


def test_points_alone_give_the_places(desk: Client, game: MatchGame) -> None:
    points: dict[str, Any] = {f"points-{seat}": str(value) for seat, value in enumerate((7, 0, 30, 7))}

    enter(desk, game, "_ _ _ _", **points)

    assert (outcome(game).places, outcome(game).points) == ((2, 1, 4, 2), (7, 0, 30, 7))


def test_correction_begins_with_the_places_that_stand_there(desk: Client, game: MatchGame) -> None:
    results.enter_result(game, Actor.command(), places={0: 1, 1: 2, 2: 3, 3: 4})
    path = address("correct", slug(game), game.game_id, 2)
    fields = fields_of(form_to(open_page(desk, path)))

    page = read(send(desk, path, fields | {"reason": "typing-error", "places-0": "2", "places-1": "1"}, 200))
    send(desk, path, fields_of(form_to(page)) | {"confirm": "yes"})

    assert [fields[f"places-{side}"] for side in range(4)] == ["1", "2", "3", "4"]
    assert page.one("h1").text == "What correcting the result changes"
    assert f"{in_order(game, (1, 2, 3, 4))} (result)" in page.text
    assert f"{in_order(game, (2, 1, 3, 4))} (result)" in page.text
    assert (outcome(game).places, outcome(game).seat) == ((2, 1, 3, 4), 1)


def test_correction_says_who_was_not_there_after_all_and_who_was(desk: Client, game: MatchGame) -> None:
    enter(desk, game, "1 2 3 4")
    path = address("correct", slug(game), game.game_id, 2)
    fields = fields_of(form_to(open_page(desk, path)))

    page = read(send(desk, path, fields | {"reason": "typing-error", "places-3": "-"}, 200))
    send(desk, path, fields_of(form_to(page)) | {"confirm": "yes"})
    noted = absent(game)
    again = address("correct", slug(game), game.game_id, outcome_line(game))
    typed = fields_of(form_to(open_page(desk, again)))
    page_again = read(send(desk, again, typed | {"reason": "typing-error", "places-3": "4"}, 200))
    send(desk, again, fields_of(form_to(page_again)) | {"confirm": "yes"})

    assert f"{in_order(game, (1, 2, 3, 4))} (result)" in page.text
    assert f"{in_order(game, (1, 2, 3, 4), 3)} (result)" in page.text
    assert (noted, typed["places-3"], absent(game)) == ({3}, "-", set())


def test_history_names_who_came_where_beside_a_teammate(db: None) -> None:
    game = factories.games_of(published(2, 2, format="tables", ruleset="palio"))[0]
    organizer = factories.make_account()
    Organizer.objects.create(event=game.match.stage.tournament.event, account=organizer)
    results.enter_result(game, Actor.command(), places={0: 2, 1: 4, 2: 1, 3: 3})
    seats = list(game.game.seats.order_by("number"))
    sitting = [Entry.objects.select_related("team", "person").get(pk=seat.entry) for seat in seats]

    page = open_page(browser_of(organizer), address("audit", slug(game)))

    named = [f"{each.team.short_name}: {each.person}" for each in sitting]
    told = f"1st {named[2]} · 2nd {named[0]} · 3rd {named[3]} · 4th {named[1]}"
    assert f"game 1: {told}" in page.text


def test_rounds_page_says_where_and_when_matches_are_played(desk: Client, game: MatchGame) -> None:
    tournament = game.match.stage.tournament

    first = open_page(desk, address("rounds", slug(game), tournament.slug)).all("section.draw-round")[0]

    assert first.one("b.table-cell").text == f"Table {game.match.table.number}"
    assert first.one("p.wave-time").text.startswith("14:00")


@pytest.mark.parametrize(
    ("typed", "stored", "closed_by"),
    [
        ("badc", {"A": 2, "B": 1, "C": 4, "D": 3}, "result"),
        ("B A=D C", {"A": 2, "B": 1, "C": 4, "D": 2}, "result"),
        ("A=B=C=D", {"A": 1, "B": 1, "C": 1, "D": 1}, "result"),
        ("DA-", {"A": 2, "B": 3, "C": 3, "D": 1}, "result"),
        ("CBDAT", {"A": 4, "B": 2, "C": 1, "D": 3}, "time"),
        ("X", None, "abandoned"),
    ],
)
def test_order_of_a_paper_slip_is_typed_in_letters(
    desk: Client, game: MatchGame, typed: str, stored: dict[str, int] | None, closed_by: str
) -> None:
    tournament = game.match.stage.tournament
    path = address("paper", slug(game), tournament.slug, 1)
    fields = fields_of(form_to(open_page(desk, path), path))

    desk.post(path, fields | {f"winner-{game.game_id}": typed})

    places = None if stored is None else tuple(stored["ABCD"[side]] for side in game.sides)
    assert (outcome(game).places, outcome(game).closed_by) == (places, closed_by)


def test_paper_slip_with_only_one_side_there_is_a_forfeit(desk: Client, game: MatchGame) -> None:
    path = address("paper", slug(game), game.match.stage.tournament.slug, 1)
    fields = fields_of(form_to(open_page(desk, path), path))

    desk.post(path, fields | {f"winner-{game.game_id}": "C-"})

    assert (outcome(game).closed_by, "ABCD"[game.sides[outcome(game).seat or 0]]) == ("forfeit", "C")


@pytest.mark.parametrize("typed", ["ABC", "ABCDE", "ABBD", "A=", "=ABCD", "T", "ABC?", "AB=-", "-", "–T"])
def test_paper_slip_with_an_impossible_order_is_told_in_its_row(
    desk: Client, game: MatchGame, typed: str
) -> None:
    path = address("paper", slug(game), game.match.stage.tournament.slug, 1)
    fields = fields_of(form_to(open_page(desk, path), path))

    page = read(desk.post(path, fields | {f"winner-{game.game_id}": typed}))

    assert "expected all of A, B, C, D, the first one first" in page.text
    assert outcome(game) == Outcome()


@pytest.fixture
def by_cards() -> MatchGame:
    """A game of four seats whose points of cards decide."""
    options = {"by_places": False, "rounds": 1}
    return factories.games_of(published(4, 1, format="tables", ruleset="house", options=options))[0]


def test_dash_for_points_says_who_was_not_there_and_a_correction_keeps_it(by_cards: MatchGame) -> None:
    organizer = factories.make_account()
    Organizer.objects.create(event=by_cards.match.stage.tournament.event, account=organizer)
    desk = browser_of(organizer)
    page = open_page(desk, address("match", slug(by_cards), by_cards.match_id))
    path = address("result", slug(by_cards), by_cards.game_id)
    typed = {"winner": "1", "points-0": "12", "points-1": "0", "points-2": "40", "points-3": "-"}
    send(desk, path, fields_of(form_to(page, path)) | typed)

    correct = address("correct", slug(by_cards), by_cards.game_id, 2)
    fields = fields_of(form_to(open_page(desk, correct)))
    changed = fields | {"reason": "typing-error", "winner": "1", "points-0": "13"}
    preview = read(send(desk, correct, changed, 200))
    send(desk, correct, fields_of(form_to(preview)) | {"confirm": "yes"})

    assert "A dash (-) for who wasn’t there." in page.text
    assert [fields[f"points-{seat}"] for seat in range(4)] == ["12", "0", "40", "-"]
    assert (outcome(by_cards).points, absent(by_cards)) == ((13, 0, 40, 0), {3})
    assert preview.text.count("wasn’t there") == 2


def test_correction_begins_with_the_place_of_a_removed_squad_that_played(
    desk: Client, game: MatchGame
) -> None:
    squad = game.match.sides.get(number=game.sides[1]).squad
    remove_squad(game.match.stage.tournament, Actor.command(), squad, "no-show")
    results.enter_result(game, Actor.command(), places={0: 1, 1: 2, 2: 3, 3: 4})

    fields = fields_of(form_to(open_page(desk, address("correct", slug(game), game.game_id, 2))))

    assert [fields[f"places-{side}"] for side in range(4)] == ["1", "2", "3", "4"]


def test_result_that_is_taken_back_takes_back_who_was_not_there(desk: Client, game: MatchGame) -> None:
    enter(desk, game, "1 2 3 -")
    path = address("correct", slug(game), game.game_id, 2)
    fields = fields_of(form_to(open_page(desk, path)))

    page = read(send(desk, path, fields | {"reason": "wrong-table", "instead": "nothing"}, 200))
    send(desk, path, fields_of(form_to(page)) | {"confirm": "yes"})

    assert (outcome(game).places, absent(game)) == (None, set())
