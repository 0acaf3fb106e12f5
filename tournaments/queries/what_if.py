"""Standings under assumed results: what would follow if some of the next games ended so.

Nothing is stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from games.outcome import Outcome
from people.models import Team
from people.refusals import Refused
from tournaments.models import Match, Tournament
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.round_names import drawn_round, round_name
from tournaments.standings import Row

MOST_GAMES = 6
"""So many of the games to be played next are asked about."""


@dataclass(frozen=True, slots=True)
class UndecidedGame:
    """A game that is still to be played.

    It has what its round is called, where it is played, and who is thought to win it, if anybody.
    """

    id: UUID
    round: str
    wave: int
    table: int
    sides: tuple[Team, ...]
    winner: Team | None


@dataclass(frozen=True, slots=True)
class WhatIfRow:
    """A team's row in the standings that would follow; `movement` is how many places it would climb.

    `points` is None where the tournament's order doesn't ask for them.
    """

    team: Team
    place: int
    is_tied: bool
    points: int | None
    movement: int


@dataclass(frozen=True, slots=True)
class WhatIfStandings:
    """The games that are asked about, and the standings that would follow; as they are where nobody is
    chosen.
    """

    games: tuple[UndecidedGame, ...]
    rows: tuple[WhatIfRow, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nobody is chosen."""
        return all(game.winner is None for game in self.games)


def standings_if(tournament: Tournament, chosen: Mapping[str, str]) -> WhatIfStandings:
    """What would follow if the games were won by the teams chosen for them (ids as text); five queries.

    A game that isn't asked about plays no part: it may have been played since. Raises
    `Refused("not-its-side")` for a winner who doesn't play in its game.
    """
    now = inputs_now(tournament)
    asked = [result for result in now.results() if result.closed is None][:MOST_GAMES]
    teams = Team.objects.in_bulk(now.team_of())
    listed: Any = Match.objects.filter(pk__in={result.match for result in asked})
    listed = listed.annotate(**drawn_round()).select_related("table")
    matches = {str(match.pk): match for match in listed}
    games = []
    for result in asked:
        sides = {str(side): teams[side] for side in result.sides}
        wanted = chosen.get(str(result.game), "")
        if wanted and wanted not in sides:
            raise Refused("not-its-side", _("That team doesn’t play in this game."), status=400)
        match = matches[str(result.match)]
        round_ = round_name(match.round, match.round_title, match.round_values, match.slot)
        at = (round_, match.wave, match.table.number)
        games.append(UndecidedGame(UUID(str(result.game)), *at, tuple(sides.values()), sides.get(wanted)))
    won = {game.id: Outcome(True, "played", None, game.winner.pk) for game in games if game.winner}
    before = {row.team: row.place for row in now.rank()}
    after = replace(now, outcomes={**now.outcomes, **won}).rank()
    rows = (
        WhatIfRow(teams[row.team], row.place, bool(row.tied_with), _points(row), before[row.team] - row.place)
        for row in after
    )
    return WhatIfStandings(tuple(games), tuple(rows))


def _points(row: Row[UUID]) -> int | None:
    value = dict(row.values).get("points")
    return None if value is None else int(value)
