"""Mini-tournaments: squads of two or three teams at one table play three games."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

from .apart import METHOD_APART, METHOD_EVEN_APART, keep_apart
from .constraints import Place
from .errors import CannotDraw, gettext_noop
from .field import DrawField
from .layout import LaidOutMatch, lay_out
from .model import DrawnRounds, GameKey, Settings, check_field, check_seed, check_settings
from .order import METHOD, METHOD_EVEN, cut_squads, drawn_order, team_order
from .rotation import RotationGroup, Shifts


@dataclass(frozen=True, slots=True)
class TeamMeeting:
    """Two or three teams, as parts of the plan numbered from 0, and the shift of each one's squads."""

    parts: tuple[int, ...]
    shifts: Shifts


@dataclass(frozen=True, slots=True)
class MeetingPlan:
    """Which teams meet in each round, and the name of the plan this comes from."""

    name: str
    rounds: tuple[tuple[TeamMeeting, ...], ...]

    def matches_per_team(self, teams: int) -> list[int]:
        """How many matches each squad of a team plays, by part."""
        count = Counter(part for each in self.rounds for meeting in each for part in meeting.parts)
        return [count[part] for part in range(teams)]


@dataclass(frozen=True, slots=True)
class MiniTournament:
    """A format of mini-tournaments: the games at a table, and how teams and squads rotate.

    `plan` and `rounds_if_unsaid` take teams and squads a team (and `plan` the rounds, too). `former_plan` is
    that of the methods 1 and 2; up to `alike_up_to` teams both are the same, and the method keeps its name.
    """

    key: str
    name: str
    explanation: str
    fewest_teams: int
    most_teams: int
    games: tuple[tuple[int, int], ...]
    plan: Callable[[int, int, int], MeetingPlan]
    former_plan: Callable[[int, int, int], MeetingPlan]
    alike_up_to: int
    rounds_if_unsaid: Callable[[int, int], int]

    def default_rounds(self, teams: int, squads: int) -> int:
        """See `Format`."""
        return self.rounds_if_unsaid(teams, squads)

    def equal_rounds(self, teams: int, most: int = 12) -> tuple[int, ...]:
        """See `Format`."""
        return tuple(
            rounds
            for rounds in range(1, most + 1)
            if len(set(self.plan(teams, 1, rounds).matches_per_team(teams))) == 1
        )

    def methods(self, field: DrawField) -> tuple[str, ...]:
        """See `Format`."""
        former, even = (METHOD_APART, METHOD_EVEN_APART) if field.constraints else (METHOD, METHOD_EVEN)
        return (former,) if len(field.rosters) <= self.alike_up_to else (even, former)

    def draw(self, field: DrawField, settings: Settings, seed: str, method: str | None = None) -> DrawnRounds:
        """See `Format`; every team has as many entries, a multiple of the squad size. Constraints are
        kept as far as `apart.py` finds."""
        check_seed(seed)
        check_settings(settings)
        check_field(
            field.rosters,
            settings.squad_size,
            fewest_teams=self.fewest_teams,
            most_teams=self.most_teams,
        )
        drawn = [drawn_order(team, roster, seed) for team, roster in enumerate(field.rosters, start=1)]
        field.constraints.check(field.players())
        teams = len(drawn)
        group = RotationGroup(len(drawn[0]) // settings.squad_size)
        methods = self.methods(field)
        chosen = method or methods[0]
        if chosen not in methods:
            raise CannotDraw(
                "method",
                gettext_noop("These inputs are drawn by the method %(method)s, not by %(given)s."),
                method=methods[0],
                given=repr(chosen),
            )
        planned = self.former_plan if chosen in (METHOD, METHOD_APART) else self.plan
        plan = planned(teams, group.size, settings.rounds or self.default_rounds(teams, group.size))
        rounds, waiting = _meetings(plan, group, team_order(teams, seed))
        if field.constraints:
            drawn = keep_apart(drawn, settings.squad_size, rounds, field.constraints, seed)
        squads = tuple(
            cut_squads(team, order, settings.squad_size) for team, order in enumerate(drawn, start=1)
        )
        meetings = [
            [LaidOutMatch(tuple(squads[team][squad] for team, squad in match), self.games) for match in each]
            for each in rounds
        ]
        return DrawnRounds(
            format=self.key,
            method=chosen,
            seed=seed,
            plan=plan.name,
            squads=squads,
            rounds=lay_out(meetings, waiting, settings.tables),
        )

    def is_finished(self, draw: DrawnRounds, closed: Collection[GameKey]) -> bool:
        """See `Format`: all rounds are drawn at once, so it is finished when every game is closed."""
        return all(key in closed for key in draw.games())


def _meetings(
    plan: MeetingPlan, group: RotationGroup, order: list[int]
) -> tuple[list[list[tuple[Place, ...]]], list[tuple[int, ...]]]:
    """For each round which squads meet, by team and number from 0, and which teams wait, from 1.

    `order` has the teams, from 1, that take part 0, 1, … of the plan.
    """
    rounds = []
    waiting = []
    for each in plan.rounds:
        rounds.append(
            [
                tuple(
                    (order[part] - 1, group.add(table, shift))
                    for part, shift in zip(meeting.parts, meeting.shifts, strict=True)
                )
                for meeting in each
                for table in range(group.size)
            ]
        )
        playing = {order[part] for meeting in each for part in meeting.parts}
        waiting.append(tuple(team for team in sorted(order) if team not in playing))
    return rounds, waiting
