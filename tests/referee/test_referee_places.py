"""A referee’s phone at a table whose game ranks its seats: places, points, the bell, who wasn’t there."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from django.test import Client

from games.logbook import stored_events
from games.outcome import Outcome
from people.actors import Actor
from people.models import Entry, Event, Person
from tests.support.factories import games_of
from tests.support.phones import Page, address, phone, read, send
from tests.support.rounds_play import published
from tests.support.stored_games import outcome
from tournaments.commands import results
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import MatchGame
from tournaments.queries.match_views import SideView
from tournaments.queries.matches import match_view

pytestmark = pytest.mark.django_db


def table(**settings: Any) -> tuple[MatchGame, Client]:
    """A game of four seats, and a phone at its table."""
    entries = settings.get("squad_size", 1)
    tournament = published(4, entries, **{"format": "tables", "ruleset": "palio", **settings})
    return games_of(tournament)[0], phone(tournament.event)


def kit_game(game: MatchGame, client: Client) -> dict[str, Any]:
    """The game in the kit that a phone takes along."""
    kit = client.get(f"/en/t/{game.match.table.code}/kit/", headers={"Accept": "application/json"}).json()
    return next(
        each for match in kit["matches"] for each in match["games"] if each["id"] == str(game.game_id)
    )


def names_of(game: MatchGame) -> list[str]:
    """Who sits at a table at which all are called alike, as referees are told."""
    entries = game.game.seats.order_by("number").values_list("entry", flat=True)
    rows = Entry.objects.select_related("team").in_bulk(list(entries))
    return [f"Ortensia Z. ({rows[each].team.short_name} {rows[each].number})" for each in entries]


def typed(*places: int) -> dict[str, str]:
    return {f"places-{side}": str(place) for side, place in enumerate(places)}


def test_places_are_typed_in_and_told() -> None:
    game, client = table()
    form = read(client, address(game, "", "/en")).form_to("/enter/")

    answer = send(client, form, **typed(3, 1, 3, 2))

    assert answer.status_code == 302
    assert (outcome(game).places, outcome(game).seat) == ((3, 1, 3, 2), 1)
    assert [name for name, _ in form.fields if name.startswith("places-")] == list(typed(1, 1, 1, 1))
    told = read(client, answer["Location"]).text
    assert "This match is done" in told
    assert "1st place" in told


def test_places_are_not_asked_of_a_withdrawn_squad_without_scripts() -> None:
    game, client = table()
    squads = [side.squad for side in game.match.sides.order_by("number")]
    remove_squad(game.match.stage.tournament, Actor.command(), squads[game.sides[2]], "withdrawn")
    form = read(client, address(game, "", "/en")).form_to("/enter/")

    send(client, form, **{"places-0": "2", "places-1": "1", "places-3": "3"})

    view = match_view(game.match_id)
    assert view is not None
    assert outcome(game).places == (2, 1, 4, 3)
    assert [view.sides[side].is_absent for side in game.sides] == [False, False, True, False]


def test_points_are_not_asked_of_a_withdrawn_squad() -> None:
    game, client = table(ruleset="house")
    squads = [side.squad for side in game.match.sides.order_by("number")]
    remove_squad(game.match.stage.tournament, Actor.command(), squads[game.sides[2]], "withdrawn")
    form = read(client, address(game, "places/?by=points", "/en")).form_to("/enter/")

    send(client, form, **{"points-0": "12", "points-1": "0", "points-3": "30"})

    assert [name for name, _ in form.fields if name.startswith("points-")] == [
        "points-0",
        "points-1",
        "points-3",
    ]
    assert (outcome(game).places, outcome(game).points) == ((2, 1, 4, 3), (12, 0, 0, 30))


def test_absent_sides_are_ticked_where_points_decide() -> None:
    """Whoever has left is ticked already; of whoever has won nobody asks."""
    game, client = table(ruleset="house", options={"by_places": False})
    squads = [side.squad for side in game.match.sides.order_by("number")]
    remove_squad(game.match.stage.tournament, Actor.command(), squads[game.sides[2]], "withdrawn")
    chosen = next(each for each in read(client, address(game, "", "/en")).links if "/confirm/" in each)
    page = read(client, chosen)

    send(client, page.form_to("/enter/"), **{"points-0": "12", "points-1": "0", "points-3": "30"})

    (end,) = (
        each
        for each in kit_game(game, client)["endings"]
        if each["reason"] == "result" and each["event"]["winner"] == 1
    )
    winner = int(parse_qs(urlsplit(chosen).query)["seat"][0])
    absent = [each for each in page.document.all("input") if each.attributes.get("name") == "absent"]
    _, *ticks = [(each.attributes["value"], "checked" in each.attributes) for each in absent]

    assert ticks == [(str(side), side == 2) for side in range(4) if side != winner]
    assert (outcome(game).points, end["points"], end["absent"]) == ((12, 0, 0, 30), [0, 1, 2, 3], [2])


def test_table_page_tells_strangers_the_sides_apart() -> None:
    game = games_of(published(2, 2, format="tables", ruleset="palio"))[0]

    told = read(Client(), f"/en/t/{game.match.table.code}/").text

    sides = ("Superiore 1", "Superiore 2", "Centro 1", "Centro 2")
    assert {side: told.count(side) for side in sides} == dict.fromkeys(sides, 1)


def test_players_called_alike_have_their_teams_on_the_page_and_in_the_kit() -> None:
    game, client = table()
    alike = names_of(game)

    page = read(client, address(game, "", "/en"))
    told = read(client, f"/en/t/{game.match.table.code}/").text
    taken = kit_game(game, client)

    assert len(set(alike)) == 4
    assert [name for name in alike if f'data-name="{name}"' in page.html] == alike
    assert [told.count(name) for name in alike] == [1] * 4
    assert [side["told"] for side in taken["ranked"]["sides"]] == alike
    assert [seat["name"] for seat in taken["seats"]] == alike
    assert {seat["plate"] for seat in taken["seats"]} == {side["name"] for side in taken["ranked"]["sides"]}
    assert {side["of_team"] for side in taken["ranked"]["sides"]} == {
        "Superiore",
        "Centro",
        "Inferiore",
        "Poggio",
    }


def test_players_not_called_alike_have_name_and_number_in_the_kit() -> None:
    game, client = table()
    for letter, person in zip("abcd", Person.objects.all(), strict=True):
        person.first_name = f"Nome{letter}"
        person.save()

    names = [seat["name"] for seat in kit_game(game, client)["seats"]]

    assert sorted(names) == [f"Nome{letter} Z. (1)" for letter in "abcd"]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [("number", ["Superiore 1", "Centro 1", "Inferiore 1", "Poggio 1"]), ("initial", ["Ortensia Z."] * 4)],
)
def test_table_page_shows_strangers_the_names_that_the_event_shows(shown: str, expected: list[str]) -> None:
    game, _ = table()
    Event.objects.filter(pk=game.match.table.event_id).update(names_shown=shown)
    Person.objects.update(shows_name=True)

    told = read(Client(), f"/en/t/{game.match.table.code}/").text

    assert {name: told.count(name) for name in expected} == {name: expected.count(name) for name in expected}
    assert "Ortensia Z. (" not in told


def test_shared_first_place_has_no_winner() -> None:
    game, client = table()

    answer = send(client, read(client, address(game)).form_to("/enter/"), **typed(1, 1, 3, 4))

    assert (outcome(game).places, outcome(game).seat) == ((1, 1, 3, 4), None)
    told = read(client, f"/en{answer['Location']}").text
    first, second = (f"1. {name}" for name in names_of(game)[:2])
    assert f"The result: several share the first place. {first}, {second}, 3. Ortensia Z. (" in told
    assert "The first place is shared" in read(client, address(game, "", "/en")).text


@pytest.mark.parametrize("places", [(1, 2, 2, 3), (2, 3, 4, 5), (1, 1, 2, 3)])
def test_places_that_cannot_be_are_told_and_nothing_is_stored(places: tuple[int, ...]) -> None:
    game, client = table()
    form = read(client, address(game, "", "/en")).form_to("/enter/")

    refused = send(client, form, **typed(*places))
    without = send(client, form)

    assert (refused.status_code, without.status_code, outcome(game)) == (422, 422, Outcome())
    assert "the next one is left out: 1, 1, 3." in Page(refused).text


def test_result_without_places_is_refused() -> None:
    game, client = table()
    event = json.dumps({"type": "game_closed", "reason": "result", "winner": 2})
    sent = {"version": 0, "id": str(uuid4()), "event": event}

    refused = client.post(address(game, "enter/", "/en"), sent)

    assert (refused.status_code, outcome(game)) == (422, Outcome())
    assert "Here the places decide" in Page(refused).text


def test_points_give_the_places_where_the_rules_count_them() -> None:
    game, client = table(ruleset="house")
    links = read(client, address(game)).links
    by_points = next(link for link in links if "by=points" in link)
    points = {f"points-{seat}": str(value) for seat, value in enumerate((40, 0, 12, 12))}

    send(client, read(client, by_points).form_to("/enter/"), **points)

    assert (outcome(game).places, outcome(game).points) == ((4, 1, 2, 2), (40, 0, 12, 12))
    assert outcome(game).seat == 1


def test_points_are_not_offered_where_the_rules_count_none() -> None:
    game, client = table()

    links = read(client, address(game)).links

    assert [link for link in links if "by=points" in link] == []


def test_cards_counted_at_the_bell_fill_in_the_places() -> None:
    game, client = table()
    cards = "cards-0=5&cards-1=2&cards-2=9&cards-3=5"

    answer = client.get(address(game, f"bell/?{cards}"))
    form = read(client, answer["Location"]).form_to("/enter/")
    send(client, form)

    filled = parse_qs(urlsplit(answer["Location"]).query)
    assert filled == {"reason": ["time"], **{name: [value] for name, value in typed(2, 1, 4, 2).items()}}
    assert (outcome(game).places, outcome(game).closed_by) == ((2, 1, 4, 2), "time")


def test_forfeit_is_won_by_the_only_side_that_was_there() -> None:
    game, client = table()
    end = read(client, address(game, "end/"))
    link = next(link for link in end.links if "reason=forfeit" in link and "seat=2" in link)

    send(client, read(client, link).form_to("/enter/"))

    assert (outcome(game).seat, outcome(game).closed_by) == (2, "forfeit")
    assert [link for link in end.links if "reason=time" in link] == [address(game, "places/?reason=time")]


def test_game_page_and_kit_say_table_round_and_game() -> None:
    game, client = table()
    semi_final = games_of(published(4, 1, format="single_elimination"))[0]

    page = read(client, address(game, "", "/en"))
    taken = kit_game(semi_final, phone(semi_final.match.table.event))

    assert 'data-in-full="Table 1 · Round 1 · game 1">Table 1 · game 1<' in page.html
    assert (taken["where"], taken["where_in_full"]) == (
        "Table 1 · game 1",
        "Table 1 · Semi-finals · game 1",
    )


def test_place_of_a_squad_is_that_of_both_its_seats() -> None:
    game, client = table(squad_size=2, options={"seats": 3})
    sides = len(game.sides)

    send(client, read(client, address(game)).form_to("/enter/"), **typed(*range(sides, 0, -1)))

    places = [1 + 2 * (sides - 1 - seat % sides) for seat in range(2 * sides)]
    assert outcome(game).places == tuple(places)
    assert [side.place for side in _sides(game)] == list(range(sides, 0, -1))
    names = names_of(game)
    told = [f"{sides - side}. {' · '.join(names[side::sides])}" for side in range(sides)]
    assert ", ".join(reversed(told)) in read(client, address(game, "log/", "/en")).text


def _sides(game: MatchGame) -> list[SideView]:
    found = match_view(game.match_id)
    assert found is not None
    return [found.sides[number] for number in game.sides]


@pytest.mark.parametrize(("places", "is_same"), [((1, 2, 3, 4), True), ((1, 2, 4, 3), False)])
def test_second_phone_is_told_whether_its_places_are_the_same(places: tuple[int, ...], is_same: bool) -> None:
    game, client = table()
    late = read(client, address(game, "", "/en")).form_to("/enter/")
    results.enter_result(game, Actor.command(), places={0: 1, 1: 2, 2: 3, 3: 4})

    response = send(client, late, **typed(*places))

    assert (response.status_code, response.context["is_same"]) == (409, is_same)


def test_places_that_were_entered_are_taken_back() -> None:
    game, client = table()
    results.enter_result(game, Actor.command(), places={0: 1, 1: 2, 2: 3, 3: 4})
    form = read(client, address(game, "take-back/")).form_to("/put-right/")

    send(client, form, reason="wrong-winner")

    assert (outcome(game), len(stored_events(game.game_id))) == (Outcome(), 3)


def test_kit_asks_for_the_sides_and_offers_no_winner() -> None:
    game, client = table(ruleset="house")

    of_game = kit_game(game, client)

    assert [side["number"] for side in of_game["ranked"]["sides"]] == [0, 1, 2, 3]
    assert of_game["ranked"]["counts_points"] is True
    assert {ending["reason"] for ending in of_game["endings"]} == {"forfeit", "abandoned"}


@pytest.mark.parametrize("sides", ["4", "0 9", "10", "x", "²", "-1", "9" * 20, "9" * 5000])
def test_absent_side_that_is_not_there_is_unreadable(sides: str) -> None:
    game, client = table()
    form = read(client, address(game, "", "/en")).form_to("/enter/")

    answer = send(client, form, absent=sides, **typed(1, 2, 3, 4))

    assert (answer.status_code, outcome(game).places) == (400, None)


def test_absent_side_of_many_digits_is_a_fault_where_its_number_has_no_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, client = table()
    form = read(client, address(game, "", "/en")).form_to("/enter/")
    monkeypatch.setattr("referee.batches.whole_number", int)

    with pytest.raises(ValueError, match="4300 digits"):
        send(client, form, absent="9" * 5000, **typed(1, 2, 3, 4))


def test_last_entry_names_who_was_not_there() -> None:
    game, client = table()
    names = names_of(game)
    form = read(client, address(game, "", "/en")).form_to("/enter/")
    send(client, form, absent="3", **{"places-0": "2", "places-1": "1", "places-2": "3"})

    told = read(client, address(game, "", "/en")).text

    assert f"1. {names[1]}, 2. {names[0]}, 3. {names[2]}. Not there: {names[3]}." in told
