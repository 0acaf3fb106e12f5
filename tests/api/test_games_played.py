"""What `games_played` of standings counts."""

from typing import Any

import pytest

from tests import factories
from tests.api.conftest import client_of_token
from tournaments import standing

pytestmark = pytest.mark.django_db


def test_games_played_counts_games_that_are_over_and_none_that_is_open_again() -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    tournament = factories.drawn_tournament(event)
    desk = client_of_token(organizer)
    games = [str(each.game_id) for each in factories.games_of(tournament)]

    def table() -> Any:
        standing.compute(tournament.pk)
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
