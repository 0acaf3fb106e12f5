"""The standings at the desk: why each row stands where it does, as everybody reads it."""

from django.test import Client

from tests.desk.palio import Palio
from tests.support import factories
from tests.support.computed_tournaments import address as public_address
from tests.support.computed_tournaments import play, sides_of, win
from tests.support.forms import address, open_page
from tests.support.page_reading import read, rows
from tournaments.commands.following_rounds import advance
from tournaments.models import Tournament

ORDER = ("Superiore", "Centro", "Inferiore")


def test_standings_at_the_desk_give_the_reasons_of_the_public_page(palio: Palio, desk: Client) -> None:
    play(palio.tournament, ORDER)

    found = reasons(desk, palio.tournament)

    assert found == ["Ahead on points: 4 to 2", "Ahead on points: 2 to 0", "–"]
    assert found[:2] == [reason for _, _, _, reason in public_rows(desk, palio.tournament)][:2]


def test_standings_have_no_reasons_before_the_first_game(palio: Palio, desk: Client) -> None:
    assert reasons(desk, palio.tournament) == ["–", "–", "–"]


def test_standings_of_a_swiss_have_halves(palio: Palio, desk: Client) -> None:
    """Two of three play a round, and the bye's half point is the second place."""
    event = factories.make_event(palio.organizer)
    factories.make_field(event, 3, 1)
    tournament = factories.drawn_tournament(
        event, format="swiss", options={"rounds": 1, "bye": "1/2"}, metrics=["points", "buchholz"]
    )
    play(tournament, ORDER)

    found = reasons(desk, tournament)

    assert found == ["Ahead on points: 1 to ½", "Ahead on points: ½ to 0", "–"]
    assert found == [reason or "–" for _, _, _, reason in public_rows(desk, tournament)]


def test_placement_points_have_halves(palio: Palio, desk: Client) -> None:
    """Two who are level share 20 and 5."""
    event = factories.make_event(palio.organizer)
    factories.make_field(event, 3, 1)
    tournament = factories.drawn_tournament(event, tie_policy="average", scale=[30, 20, 5])
    for game in factories.games_of(tournament):
        first = min(sides_of(game), key=lambda team: team.number)
        win(game, *((first,) if first.number == 1 else (None, "time")))

    shown = open_page(desk, address("standings", event.slug, tournament.slug))

    cells = [row.all("td.num")[-1].text for row in shown.all("tbody")[0].all("tr")]
    assert cells == ["30", "12½", "12½"]


def test_standings_of_a_finished_knockout_say_why_at_the_desk(palio: Palio, desk: Client) -> None:
    event = factories.make_event(palio.organizer)
    factories.make_field(event, 3, 1)
    tournament = factories.drawn_tournament(event, format="single_elimination", options={"played_for": 2})
    play(tournament, ORDER)
    advance(tournament.pk)
    play(tournament, ORDER)

    found = reasons(desk, tournament)

    first = public_rows(desk, tournament)[0][1]
    full = f"Superiore: {factories.FIRST_NAME} {factories.LAST_NAME}1"
    assert found == ["Won the final", f"Lost the final to {full}", "Out in the semi-finals"]
    italian = read(desk.get(public_address(tournament, language="")))
    assert [reason for _, _, _, reason in rows(italian)] == [
        "Ha vinto la finale",
        f"Ha perso la finale contro {first}",
        "Fuori nelle semifinali",
    ]


def reasons(desk: Client, tournament: Tournament) -> list[str]:
    """What the last column says, row by row."""
    page = open_page(desk, address("standings", tournament.event.slug, tournament.slug))
    table = page.all("table")[0]
    assert table.all("th")[-1 - len(table.one("tbody").all("tr"))].text == "Why"
    return [row.all("td")[-1].text for row in table.one("tbody").all("tr")]


def public_rows(client: Client, tournament: Tournament) -> list[tuple[str, str, str, str]]:
    """The rows of the public page."""
    return rows(read(client.get(public_address(tournament))))
