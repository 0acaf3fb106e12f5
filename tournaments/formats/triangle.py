"""`triangle`: squads of three teams A, B, C at one table play A-B, B-C and C-A."""

from dataclasses import dataclass
from typing import ClassVar

from .errors import gettext_noop
from .even_triples import even_plan
from .mini_tournament_format import MeetingPlan, MiniTournament, TeamMeeting, rotated
from .squad_rotation import free_rounds, three_team_shifts
from .triple_designs import triple_plan

USUAL_ROUNDS = 4
_MOST_DEFAULT_ROUNDS = 12


def _rotation(squads: int, rounds: int) -> MeetingPlan:
    """Three teams: they meet in every round."""
    return MeetingPlan(
        "rotation",
        tuple((TeamMeeting((0, 1, 2), shifts),) for shifts in three_team_shifts(rounds, squads)),
    )


@dataclass(frozen=True, slots=True)
class Triangle(MiniTournament):
    """Squads of three teams at a table, each against each."""

    key: ClassVar[str] = "triangle"
    name: ClassVar[str] = gettext_noop("Triangle")
    explanation: ClassVar[str] = gettext_noop(
        "Squads of three teams sit down at a table and play three games, each against each."
    )
    fewest_teams: ClassVar[int] = 3
    games: ClassVar[tuple[tuple[int, int], ...]] = ((0, 1), (1, 2), (2, 0))
    alike_up_to: ClassVar[int] = 3

    def plan(self, teams: int, squads: int, rounds: int) -> MeetingPlan:
        """See `MiniTournament`."""
        if teams == 3:
            return _rotation(squads, rounds)
        even = even_plan(teams, rounds)
        return rotated(even.name, even.rounds, squads)

    def former_plan(self, teams: int, squads: int, rounds: int) -> MeetingPlan:
        """See `MiniTournament`."""
        if teams == 3:
            return _rotation(squads, rounds)
        former = triple_plan(teams, rounds)
        return rotated(former.name, former.rounds, squads)

    def default_rounds(self, teams: int, squads: int) -> int:
        """Three teams: four rounds, or as many as go without a second meeting. More: all teams play as often,
        about four.
        """
        if teams == 3:
            return min(USUAL_ROUNDS, free_rounds(squads))
        balances = {rounds: even_plan(teams, rounds).balance for rounds in range(1, _MOST_DEFAULT_ROUNDS + 1)}
        return min(
            (rounds for rounds, each in balances.items() if each.fewest_matches == each.most_matches),
            key=lambda rounds: (abs(balances[rounds].fewest_matches - USUAL_ROUNDS), rounds),
        )


TRIANGLE = Triangle()
