"""What `games_played` of standings counts."""

from typing import Any

import pytest

from people.actors import Actor
from tests.support import factories
from tests.support.clients import client_of_token
from tests.support.rounds_play import play_out, published, squad_named
from tournaments.commands.squad_changes import remove_squad
from tournaments.projections import standings
from tournaments.queries.standings import standings_table

pytestmark = pytest.mark.django_db


def test_games_played_counts_games_over_and_none_open_again() -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    tournament = factories.drawn_tournament(event)
    desk = client_of_token(organizer)
    games = [str(each.game_id) for each in factories.games_of(tournament)]

    def table() -> Any:
        standings.compute(tournament.pk)
        return desk.get(f"/api/v1/tournaments/{tournament.pk}/standings/").json()

    def send(path: str, **body: Any) -> Any:
        answer = desk.post(f"/api/v1/games/{path}/", body)
        assert answer.status_code == 200, answer.content
        return answer.json()

    played = [table()["version"]["games_played"]]
    send(f"{games[0]}/result", winner_seat=0)
    seat = desk.get(f"/api/v1/games/{games[1]}/").json()["seats"][0]["team"]
    send(f"{games[1]}/forfeit", winner_team=seat)
    version = send(f"{games[2]}/result", winner_seat=0)["version"]
    played.append(table()["version"]["games_played"])
    send(f"{games[2]}/corrections", line=version, replacement=[], reason="wrong-winner")
    played.append(table()["version"]["games_played"])
    send(f"{games[3]}/result", reason="abandoned")

    last = table()

    assert played == [0, 3, 2]
    assert (last["version"]["games_played"], last["version"]["games_total"]) == (3, 6)
    assert sum(row["games_played"] for row in last["rows"]) == 6
    assert sum(row["games_won"] for row in last["rows"]) == 2


@pytest.mark.parametrize("place", ["rule", "annulled"])
def test_games_played_and_total_leave_out_annulled_games(place: str) -> None:
    """After one round of three the rule of a round robin annuls what was played, as a decision does."""
    tournament = published(4, 1, format="round_robin")
    play_out(tournament, "Ada", most=2)

    remove_squad(tournament, Actor.command(), squad_named(tournament, (1, 1)), "withdrawn", place)

    standings.compute(tournament.pk)
    table = standings_table(tournament)
    assert table is not None
    assert (table.version.games_played, table.version.games_total) == (1, 3)
    rows = sorted((row.games_won, row.games_played, row.removal is not None) for row in table.rows)
    assert rows == [(0, 0, False), (0, 0, True), (0, 1, False), (1, 1, False)]


def test_games_played_counts_forfeits_of_a_squad_that_keeps_its_results() -> None:
    tournament = published(4, 1, format="round_robin")
    play_out(tournament, "Ada", most=2)

    remove_squad(tournament, Actor.command(), squad_named(tournament, (1, 1)), "withdrawn", "keeps")

    version = standings.compute(tournament.pk)
    assert version is not None
    assert (version.games_played, version.games_total) == (4, 6)
