"""What a change does to the standings, worked out before anything is stored."""

from dataclasses import dataclass, replace
from uuid import UUID

from games.outcome import Outcome
from people.models import Team
from tournaments import standing
from tournaments.models import Tournament
from tournaments.standings import Adjustment, Row


@dataclass(frozen=True, slots=True)
class Consequence:
    """A team's row before and after: place and the first metric's value, which is what is looked at."""

    team: Team
    place: int
    new_place: int
    value: str
    new_value: str

    @property
    def is_change(self) -> bool:
        """Whether anything is different."""
        return (self.place, self.value) != (self.new_place, self.new_value)


def of_outcome(tournament: Tournament, game_id: UUID, outcome: Outcome) -> list[Consequence]:
    """Every team's row if that game had this outcome, in the new order; four queries."""
    inputs = standing.inputs_now(tournament)
    return _compared(inputs, replace(inputs, outcomes={**inputs.outcomes, game_id: outcome}))


def of_adjustment(tournament: Tournament, team: Team, points: int, reason: str) -> list[Consequence]:
    """Every team's row if this team had these points more, in the new order; four queries."""
    inputs = standing.inputs_now(tournament)
    more = Adjustment(team.pk, points, reason)
    return _compared(inputs, replace(inputs, adjustments=(*inputs.adjustments, more)))


def _compared(now: standing.Inputs, then: standing.Inputs) -> list[Consequence]:
    before = {row.team: row for row in now.rank()}
    after = then.rank()
    teams = Team.objects.in_bulk([row.team for row in after])
    return [
        Consequence(teams[row.team], before[row.team].place, row.place, _value(before[row.team]), _value(row))
        for row in after
    ]


def _value(row: Row[UUID]) -> str:
    return "" if not row.values or row.values[0][1] is None else str(row.values[0][1])
