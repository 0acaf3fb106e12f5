"""An organizer's program that leads a tournament through the API."""

from typing import Any

from tests.support import factories
from tests.support.clients import client_of_token
from tournaments.tasks import compute_standings


class Desk:
    """A tournament and the organizer's program."""

    def __init__(self, teams: int = 4, entries: int = 1, **settings: Any) -> None:
        organizer = self.organizer = factories.make_account()
        self.event = factories.make_event(organizer)
        self.row = factories.drawn_tournament(self.event, teams, entries, **settings)
        self.client = client_of_token(organizer)
        self.path = f"/api/v1/tournaments/{self.row.pk}/"
        self.compute()

    def compute(self) -> None:
        """What the task does after results."""
        compute_standings(str(self.row.pk))

    def get(self, address: str, status: int = 200, **query: Any) -> Any:
        """Read below the tournament."""
        answer = self.client.get(self.path + address, query)
        assert answer.status_code == status, answer.content
        return answer.json()

    def post(self, address: str, status: int = 200, /, key: Any = None, **body: Any) -> Any:
        """Write below the tournament, or at a whole address."""
        headers = {"Idempotency-Key": str(key)} if key else {}
        path = address if address.startswith("/") else self.path + address
        answer = self.client.post(path, body, headers=headers)
        assert answer.status_code == status, answer.content
        return answer.json()

    def squads(self) -> dict[str, Any]:
        """The squads by the number of their team and their own, such as `2/1`."""
        teams = {str(team.pk): team.number for team in self.event.teams.all()}
        return {f"{teams[each['team']]}/{each['number']}": each for each in self.get("squads/")["results"]}

    def win(self, winners: list[str]) -> None:
        """Enter every open game, won by whose team's number comes first in this list."""
        teams = {str(team.pk): str(team.number) for team in self.event.teams.all()}
        for match in self.get("matches/", page_size=200)["results"]:
            for game in match["games"]:
                if game["progress"] == "waiting" and game["is_needed"]:
                    order = [winners.index(teams[match["sides"][side]["team"]]) for side in game["sides"]]
                    seat = order.index(min(order))
                    self.post(f"/api/v1/games/{game['id']}/result/", winner_seat=seat)
