"""The bell rings in the middle of a game: from the phone at the table to the public table, by each rule."""

import pytest
from django.test import Client

from people.actors import Actor
from tests.support import factories
from tests.support.page_reading import read as read_element
from tests.support.page_reading import rows
from tests.support.phones import Page, address, phone, read, send, table_of
from tournaments.commands.set_up import change_settings
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings
from tournaments.verification import verify

pytestmark = pytest.mark.django_db


def linked(page: Page, part: str) -> str:
    """The only address on the page with this part."""
    found = {link for link in page.links if part in link}
    assert len(found) == 1, found
    return found.pop()


def counted(client: Client, page: Page, **numbers: int) -> Page:
    """Fill in the form of the count and send it; the page to which it leads."""
    form = page.form_to("/bell/")
    filled = dict(form.fields) | {name.replace("_", "-"): str(number) for name, number in numbers.items()}
    response = client.get(form.action, filled, follow=True)
    assert response.status_code == 200
    return Page(response)


def opened(client: Client, game: MatchGame) -> Page:
    """From the table to the count, tap by tap."""
    at_table = read(client, f"/en/t/{table_of(game).code}/")
    asked = read(client, linked(at_table, f"/games/{game.game_id}/"))
    return read(client, linked(read(client, linked(asked, "/end/")), "/bell/"))


def table(tournament: Tournament) -> list[tuple[str, ...]]:
    """Place, team and points on the public page."""
    standings.compute(tournament.pk)
    response = Client(headers={"accept-encoding": "identity"}).get(
        f"/en/{tournament.event.slug}/{tournament.slug}/"
    )
    return [tuple(row[:3]) for row in rows(read_element(response))]


BOTH = [("1=", "Superiore", "1"), ("1=", "Centro", "1"), ("3", "Inferiore", "0")]
NEITHER = [("1=", "Superiore", "0"), ("1=", "Centro", "0"), ("1=", "Inferiore", "0")]
SECOND = [("1", "Centro", "1"), ("2=", "Superiore", "0"), ("2=", "Inferiore", "0")]


@pytest.mark.parametrize(
    ("bell", "expected"), [("no_point", NEITHER), ("point_each", BOTH), ("one_more_card", SECOND)]
)
def test_bell_at_level_hands_decides_by_its_rule(bell: str, expected: list[tuple[str, ...]]) -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, bell=bell)
    game, client = factories.games_of(tournament)[0], phone(tournament.event)
    points = counted(client, opened(client, game), cards_0=3, cards_1=3)
    level = counted(client, points, points_0=24, points_1=24)
    if bell == "one_more_card":
        # They play on: nothing is entered, and after a card each somebody is ahead.
        assert address(game, "", "/en") in level.links
        assert table(tournament) == NEITHER
        confirmed = counted(client, opened(client, game), cards_0=3, cards_1=2)
    else:
        confirmed = read(client, linked(level, "/confirm/"))

    assert send(client, confirmed.form_to("/enter/")).status_code == 302
    assert table(tournament) == expected
    assert list(verify.verify(tournament.event)) == []


def test_bell_rule_changed_later_changes_the_standings() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=1)
    game, client = factories.games_of(tournament)[0], phone(tournament.event)
    level = counted(
        client, counted(client, opened(client, game), cards_0=3, cards_1=3), points_0=9, points_1=9
    )
    send(client, read(client, linked(level, "/confirm/")).form_to("/enter/"))
    assert table(tournament) == NEITHER
    change_settings(
        tournament,
        Actor.command(),
        {**tournament.settings, "bell": "point_each"},
        reason="organizer-decision",
    )
    assert table(tournament) == BOTH
    assert list(verify.verify(tournament.event)) == []
