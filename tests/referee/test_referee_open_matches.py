"""A table looks at what is left of its day; a result of an earlier match that waits is still offered."""

import pytest

from people.actors import Actor
from tests.support import factories
from tests.support.phones import address, phone, read
from tournaments.commands.confirm import confirm
from tournaments.commands.results import enter_result
from tournaments.models import MatchGame
from tournaments.queries.match_views import match_on
from tournaments.queries.matches import open_matches, table_matches

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def at_one_table(confirmation: str) -> list[list[MatchGame]]:
    """The games of each match, in the order of play."""
    tournament = factories.drawn_tournament(
        factories.make_event(), entries=2, tables=1, confirmation=confirmation
    )
    games = factories.games_of(tournament)
    matches = list(dict.fromkeys(game.match_id for game in games))
    return [[game for game in games if game.match_id == match] for match in matches]


def play(games: list[MatchGame]) -> None:
    for game in games:
        enter_result(game, ACTOR, seat=0)


def test_open_matches_of_a_table_are_those_that_are_not_over() -> None:
    first, second, *rest = at_one_table("none")
    table = first[0].match.table
    assert open_matches(table) == table_matches(table)
    play(first)
    assert open_matches(table) == table_matches(table)[1:]
    assert match_on(open_matches(table)) == table_matches(table)[1]
    for games in (second, *rest):
        play(games)
    assert open_matches(table) == []


def test_result_of_an_earlier_match_is_offered_until_it_is_confirmed() -> None:
    first, second, *_ = at_one_table("second_person")
    play(first)
    table, client = first[0].match.table, phone(first[0].match.stage.tournament.event)
    page = f"/en/t/{table.code}/"
    offered = [address(game, "", "/en") for game in first]
    for left in (offered, offered[1:]):
        shown = read(client, page)
        assert [link for link in shown.links if link in offered] == left
        assert address(second[0], "", "/en") in shown.links
        first[0].game.refresh_from_db()
        if left == offered:
            confirm(first[0], ACTOR, expected_version=first[0].game.version)
