"""The bell: cards counted, points of those who are level, and what the tournament's rule then says."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from games.outcome import Outcome
from ledger import read as facts
from people.actors import Actor
from people.models import Event
from tests.support import factories
from tests.support.phones import Page, address, phone, read, send, table_of
from tests.support.stored_games import outcome
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db


def game_of(bell: str = "no_point", **settings: Any) -> tuple[MatchGame, Client]:
    """The first game of a palio with this rule, and a phone at its table."""
    event: Event = factories.make_event()
    given: dict[str, Any] = {"entries": 1, "bell": bell, **settings}
    tournament = factories.drawn_tournament(event, **given)
    return factories.games_of(tournament)[0], phone(event)


def asked(game: MatchGame, language: str = "/en", /, **counted: object) -> str:
    """The page's address with what was counted: `cards_0=3`."""
    query = urlencode({name.replace("_", "-"): value for name, value in counted.items()})
    return f"{address(game, 'bell/', language)}{'?' if query else ''}{query}"


def fields(page: Page) -> dict[str, str]:
    """The fields of the form with what stands in them."""
    return dict(page.form_to("/bell/").fields)


def follow(client: Client, game: MatchGame, /, **counted: object) -> Page:
    """The confirmation to which a count leads."""
    response = client.get(asked(game, **counted))
    assert response.status_code == 302
    assert response["Location"].startswith(address(game, "confirm/?", "/en"))
    return read(client, response["Location"])


def test_bell_leads_to_the_count() -> None:
    game, client = game_of()
    assert address(game, "bell/", "/en") in read(client, address(game, "end/", "/en")).links
    assert fields(read(client, asked(game))) == {"cards-0": "", "cards-1": ""}


@pytest.mark.parametrize(("first", "second", "wins"), [(2, 5, 0), (5, 2, 1)])
def test_bell_is_won_by_the_seat_with_the_fewest_cards(first: int, second: int, wins: int) -> None:
    game, client = game_of()
    confirmed = follow(client, game, cards_0=first, cards_1=second)
    assert "The bell ends the game" in confirmed.text
    assert facts.facts(game.game_id) == []
    send(client, confirmed.form_to("/enter/"))
    assert (outcome(game).closed_by, outcome(game).seat) == ("time", wins)


def test_bell_asks_points_of_level_seats_with_the_values_of_cards() -> None:
    game, client = game_of()
    page = read(client, asked(game, cards_0=3, cards_1=3))
    assert fields(page) == {"points-0": "", "points-1": "", "cards-0": "3", "cards-1": "3"}
    assert "Skip, Reverse, Draw Two 20 points" in page.text
    assert "Wild, Wild Draw Four 50 points" in page.text
    confirmed = follow(client, game, cards_0=3, cards_1=3, points_0=27, points_1=26)
    send(client, confirmed.form_to("/enter/"))
    assert (outcome(game).closed_by, outcome(game).seat) == ("time", 1)


def test_bell_asks_points_of_the_level_hands_of_squads_alone() -> None:
    game, client = game_of(entries=4, squad_size=2, tables=1)
    teams = [seat.team for seat in game.game.seats.order_by("number")]
    other = next(seat for seat, team in enumerate(teams) if team != teams[0])
    cards = {f"cards_{seat}": 3 if seat in (0, other) else 6 for seat in range(4)}
    assert {name for name in fields(read(client, asked(game, **cards))) if name.startswith("points")} == {
        "points-0",
        f"points-{other}",
    }
    # Two hands of one team are level: the team has won, and nothing is asked.
    cards = {f"cards_{seat}": 3 if team == teams[0] else 6 for seat, team in enumerate(teams)}
    send(client, follow(client, game, **cards).form_to("/enter/"))
    assert outcome(game) == Outcome(True, "time", None, teams[0])


def test_bell_ignores_points_of_hands_that_are_not_level_any_more() -> None:
    game, client = game_of()
    confirmed = follow(client, game, cards_0=2, cards_1=3, points_0="x", points_1=0)
    send(client, confirmed.form_to("/enter/"))
    assert outcome(game).seat == 0


# Level in both

LEVEL = {"cards_0": 3, "cards_1": 3, "points_0": 12, "points_1": 12}


def test_bell_rule_no_point_gives_level_seats_no_point() -> None:
    game, client = game_of("no_point")
    page = read(client, asked(game, **LEVEL))
    assert "Then nobody has the point." in page.text
    confirmed = read(client, next(link for link in page.links if "confirm" in link))
    assert "A point each." not in confirmed.text
    after = send(client, confirmed.form_to("/enter/"))
    assert outcome(game) == Outcome(True, "time", None, None)
    assert "nobody" in read(client, after["Location"]).text
    assert "a point each" not in read(client, after["Location"]).text


def test_bell_rule_point_each_gives_level_seats_a_point() -> None:
    game, client = game_of("point_each")
    page = read(client, asked(game, **LEVEL))
    assert "Then each of them has a point." in page.text
    confirmed = read(client, next(link for link in page.links if "confirm" in link))
    assert "A point each." in confirmed.text
    after = send(client, confirmed.form_to("/enter/"))
    assert outcome(game) == Outcome(True, "time", None, None)
    assert "a point each" in read(client, after["Location"]).text
    assert "A point each" in read(client, address(game, "", "/en")).text


def test_bell_rule_one_more_card_enters_nothing_while_seats_are_level() -> None:
    game, client = game_of("one_more_card")
    page = read(client, asked(game, **LEVEL))
    assert "Then they play on, one card each." in page.text
    assert [link for link in page.links if "confirm" in link] == []
    assert address(game, "", "/en") in page.links
    assert facts.facts(game.game_id) == []
    send(client, follow(client, game, cards_0=2, cards_1=3).form_to("/enter/"))
    assert (outcome(game).closed_by, outcome(game).seat) == ("time", 0)


def test_end_of_game_page_says_what_the_bell_rule_gives() -> None:
    for bell, words in (("no_point", "nobody"), ("point_each", "both: a point each")):
        game, client = game_of(bell)
        page = read(client, address(game, "end/", "/en"))
        assert words in page.text
        assert address(game, "confirm/?reason=time", "/en") in page.links


# What can't be


@pytest.mark.parametrize(
    ("counted", "told"),
    [
        ({"cards_0": "", "cards_1": 2}, "A whole number from 1 to 108 is expected."),
        ({"cards_0": "many", "cards_1": 2}, "A whole number from 1 to 108 is expected."),
        ({"cards_0": -1, "cards_1": 2}, "A whole number from 1 to 108 is expected."),
        ({"cards_0": "2.5", "cards_1": 2}, "A whole number from 1 to 108 is expected."),
        ({"cards_0": "٣", "cards_1": 2}, "A whole number from 1 to 108 is expected."),
        ({"cards_0": 109, "cards_1": 2}, "A whole number from 1 to 108 is expected."),
        ({"cards_0": "9" * 400, "cards_1": 2}, "A whole number from 1 to 108 is expected."),
        ({"cards_0": 2}, "A whole number from 1 to 108 is expected."),
        ({"cards_0": 0, "cards_1": 2}, "Who has no cards left has won: enter that, not the bell."),
        (
            {"cards_0": 60, "cards_1": 60},
            "Together these are 120 cards, and there are only 108: count again.",
        ),
        ({**LEVEL, "points_0": "a lot"}, "A whole number from 0 to 150 is expected."),
        ({**LEVEL, "points_0": ""}, "A whole number from 0 to 150 is expected."),
        ({**LEVEL, "points_0": 151}, "3 cards can’t make 151 points: count again."),
        (
            {"cards_0": 1, "cards_1": 1, "points_0": 13, "points_1": 5},
            "1 card can’t make 13 points: count again.",
        ),
    ],
)
def test_bell_count_that_cannot_be_is_refused_and_what_was_typed_stays(
    counted: dict[str, object], told: str
) -> None:
    game, client = game_of()
    page = read(client, asked(game, **counted), 422)
    assert told in page.text
    assert "Count again" in page.text
    stays = {name.replace("_", "-"): str(value) for name, value in counted.items()}
    assert {name: value for name, value in fields(page).items() if name in stays} == stays
    assert facts.facts(game.game_id) == []


def test_bell_count_of_an_empty_hand_is_taken_where_another_deal_follows() -> None:
    game, client = game_of(ruleset="classic")
    follow(client, game, cards_0=0, cards_1=2)


def test_bell_count_is_asked_and_refused_in_italian() -> None:
    game, client = game_of("point_each")
    assert "Quante carte hanno in mano?" in read(client, asked(game, "")).text
    assert "un punto a testa" in read(client, asked(game, "", **LEVEL)).text
    page = read(client, asked(game, "", cards_0="tante", cards_1=2), 422)
    assert "Ci vuole un numero intero da 1 a 108." in page.text


# Where the cards are written down

DEALT: tuple[dict[str, object], ...] = (
    {"type": "dealer_named", "seat": 0},
    {"type": "deal_started", "dealer": 0},
    {"type": "card_turned", "card": "R5"},
    {"type": "cards_played", "seat": 1, "cards": ["R7"]},
)


def test_bell_count_is_filled_in_from_the_game_log() -> None:
    game, client = game_of()
    results.write_log(game, Actor.command(), [(None, event) for event in DEALT])
    page = read(client, asked(game))
    assert fields(page) == {"cards-0": "7", "cards-1": "6"}
    confirmed = follow(
        client, game, **{name.replace("-", "_"): value for name, value in fields(page).items()}
    )
    send(client, confirmed.form_to("/enter/"))
    assert (outcome(game).closed_by, outcome(game).seat) == ("time", 1)


def test_bell_count_that_was_typed_replaces_that_of_the_game_log() -> None:
    game, client = game_of()
    results.write_log(game, Actor.command(), [(None, event) for event in DEALT])
    assert fields(read(client, asked(game, cards_0=4, cards_1=4)))["cards-0"] == "4"


def test_bell_count_of_a_game_that_is_over_leads_to_the_game() -> None:
    game, client = game_of()
    results.enter_result(game, Actor.command(), seat=0)
    assert client.get(asked(game))["Location"] == address(game, "", "/en")


def test_bell_count_is_closed_to_phones_that_are_not_admitted() -> None:
    game, _ = game_of()
    event = table_of(game).event
    for client in (Client(), phone(event, admitted=False)):
        assert "cards-0" not in client.get(asked(game)).content.decode()
