"""Mini-tournaments: squads of two or three teams at one table play three games."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Self

from tournaments.standings.model import by_level

from .apart import METHOD_APART, METHOD_EVEN_APART, keep_apart
from .constraints import DrawField, Place
from .format import Contestant, Format, RoundPairing, RoundPlan, StageProgress, other_method
from .model import DrawSquad, check_field, check_seed
from .order import METHOD, METHOD_EVEN, cut_squads, drawn_order, team_order
from .squad_rotation import RotationGroup, Shifts, shifts_for


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


def rotated(name: str, rounds: Iterable[Sequence[tuple[int, ...]]], squads: int) -> MeetingPlan:
    """The plan in which these teams meet, each with the shifts of its squads."""
    planned = list(rounds)
    shifts = iter(shifts_for([teams for each in planned for teams in each], squads))
    return MeetingPlan(
        name, tuple(tuple(TeamMeeting(teams, next(shifts)) for teams in each) for each in planned)
    )


@dataclass(frozen=True, slots=True)
class MiniTournament(Format):
    """A format of mini-tournaments: the games at a table, and how teams and squads rotate. Teams are ranked.

    All rounds are drawn at once. `rounds` None: as many as is usual. `method` is the named one by which it
    was drawn; empty: that of new draws.
    """

    rounds: int | None = None
    method: str = ""

    fewest_teams: ClassVar[int]
    most_teams: ClassVar[int] = 16
    games: ClassVar[tuple[tuple[int, int], ...]]
    alike_up_to: ClassVar[int]
    is_predetermined: ClassVar[bool] = True
    swaps_within_teams: ClassVar[bool] = True

    @abstractmethod
    def plan(self, teams: int, squads: int, rounds: int) -> MeetingPlan:
        """Which teams meet in so many rounds, with so many squads in each team."""

    @abstractmethod
    def former_plan(self, teams: int, squads: int, rounds: int) -> MeetingPlan:
        """The plan of the methods 1 and 2. Up to `alike_up_to` teams it is the same, and the method keeps its
        name.
        """

    @abstractmethod
    def default_rounds(self, teams: int, squads: int) -> int:
        """How many rounds are drawn if nobody says, for `squads` squads in each of `teams` teams."""

    def methods(self, field: DrawField) -> tuple[str, ...]:
        """The methods by which a field can be drawn, the one of new draws first."""
        former, even = (METHOD_APART, METHOD_EVEN_APART) if field.constraints else (METHOD, METHOD_EVEN)
        return (former,) if len(field.rosters) <= self.alike_up_to else (even, former)

    def squads(self, field: DrawField, squad_size: int, seed: str) -> tuple[tuple[DrawSquad, ...], ...]:
        """The squads of each team, put together by lot.

        Every team has as many entries, a multiple of the squad size. Constraints are kept as far as
        `apart.py` finds. Raises CannotDraw, also for a method by which this field isn't drawn.
        """
        check_seed(seed)
        check_field(field.rosters, squad_size, fewest_teams=self.fewest_teams, most_teams=self.most_teams)
        field.constraints.check(field.players())
        methods = self.methods(field)
        if self.method not in methods:
            raise other_method(methods[0], self.method)
        drawn = [drawn_order(team, roster, seed) for team, roster in enumerate(field.rosters, start=1)]
        if field.constraints:
            rounds = self._meetings(len(drawn), len(drawn[0]) // squad_size, seed)
            drawn = keep_apart(drawn, squad_size, rounds, field.constraints, seed)
        return tuple(cut_squads(team, order, squad_size) for team, order in enumerate(drawn, start=1))

    def drawn_by(self, method: str) -> Self:
        """See `Format`."""
        return replace(self, method=method)

    def rounds_for(self, contestants: int) -> int | None:
        """See `Format`; None where the number of teams tells it."""
        return self.rounds

    def next_round(self, progress: StageProgress, seed: str, *, rematches: bool = False) -> RoundPlan | None:
        """See `Format`."""
        return next(iter(self.coming_rounds(progress, seed)), None)

    def coming_rounds(
        self, progress: StageProgress, seed: str, *, rematches: bool = False
    ) -> list[RoundPlan]:
        """See `Format`: all of them, of squads that are cut already. Slots are `r3m2`: round 3, match 2.

        Rounds have numbers alone, and whole teams wait, so there are no byes.
        """
        if progress.rounds:
            return []
        squads = by_level((one.team, one.number) for one in progress.contestants)
        numbers = {(team, at): number for team, own in enumerate(squads) for at, number in enumerate(own)}
        return [
            RoundPlan(
                number,
                "",
                (),
                tuple(
                    RoundPairing(f"r{number}m{at}", tuple(map(numbers.__getitem__, match)))
                    for at, match in enumerate(meetings, start=1)
                ),
            )
            for number, meetings in enumerate(self._meetings(len(squads), len(squads[0]), seed), start=1)
        ]

    def layout(self, contestants: Sequence[Contestant]) -> str:
        """See `Format`."""
        teams = len({one.team for one in contestants})
        return _planned(self, teams, len(contestants) // teams).name

    def sitting_out(self, contestants: Iterable[Contestant], plan: RoundPlan) -> tuple[int, ...]:
        """See `Format`: all squads of the teams that wait."""
        playing = set[int]().union(*[each.sides for each in plan.pairings])
        return tuple(one.number for one in contestants if one.number not in playing)

    def _meetings(self, teams: int, squads: int, seed: str) -> list[list[tuple[Place, ...]]]:
        """For each round which squads meet, by team and number from 0."""
        # The teams, from 0, that take part 0, 1, … of the plan.
        order = [team - 1 for team in team_order(teams, seed)]
        group = RotationGroup(squads)
        rounds = _planned(self, teams, squads).rounds
        shifts = {shift for each in rounds for meeting in each for shift in meeting.shifts}
        moved = {shift: [group.add(table, shift) for table in range(squads)] for shift in shifts}
        return [
            [
                match
                for meeting in each
                for match in zip(
                    *(
                        [(order[part], squad) for squad in moved[shift]]
                        for part, shift in zip(meeting.parts, meeting.shifts, strict=True)
                    ),
                    strict=True,
                )
            ]
            for each in rounds
        ]

    def is_finished(self, progress: StageProgress) -> bool:
        """See `Format`."""
        return bool(progress.rounds) and progress.is_complete


@lru_cache(maxsize=128)
def _planned(form: MiniTournament, teams: int, squads: int) -> MeetingPlan:
    """The plan of a draw, asked for by its squads and by its rounds; no seed changes it."""
    planned = form.former_plan if form.method in (METHOD, METHOD_APART) else form.plan
    return planned(teams, squads, form.rounds or form.default_rounds(teams, squads))
