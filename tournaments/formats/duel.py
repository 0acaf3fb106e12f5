"""`duel`: squads of two teams at one table play three games; which teams meet is a round robin, again and
again.

The circle method: one team keeps its place, the others move on by one after each round; with an odd number
of teams, who meets the empty place waits. When two teams meet for the t-th time, squad i meets squad i + t.
"""

from .errors import gettext_noop
from .mini_tournament import MeetingPlan, MiniTournament, TeamMeeting
from .rotation import shifts_for

USUAL_ROUNDS = 4
_FEWEST_MATCHES = 3


def _circle(teams: int) -> list[list[tuple[int, int]]]:
    """All rounds of a single round robin of the teams 0 to `teams` - 1.

    The first side of a pair has seat 0 in two of the three games; each team is first as often as second,
    give or take one.
    """
    places = teams + teams % 2
    ring = list(range(places - 1))
    rounds = []
    for number in range(places - 1):
        line = [places - 1, *ring]
        pairs = []
        for i in range(places // 2):
            pair = (line[i], line[-1 - i])
            turn = (i or number) % 2
            if max(pair) < teams:
                pairs.append((pair[turn], pair[1 - turn]))
        rounds.append(pairs)
        ring = [ring[-1], *ring[:-1]]
    return rounds


def _plan(teams: int, squads: int, rounds: int) -> MeetingPlan:
    circle = _circle(teams)
    planned = []
    for number in range(rounds):
        lap, step = divmod(number, len(circle))
        # Every other time around, who was second is first.
        planned.append([pair[::-1] if lap % 2 else pair for pair in circle[step]])
    shifts = iter(shifts_for([pair for pairs in planned for pair in pairs], squads))
    return MeetingPlan(
        "circle", tuple(tuple(TeamMeeting(pair, next(shifts)) for pair in pairs) for pairs in planned)
    )


def _rounds(teams: int, squads: int) -> int:
    """An even number of teams: four rounds, if they go without a second meeting; odd: whole round robins."""
    if teams % 2:
        laps = -(-_FEWEST_MATCHES // (teams - 1))
        return teams * laps
    return min(USUAL_ROUNDS, squads) if teams == 2 else min(USUAL_ROUNDS, teams - 1)


DUEL = MiniTournament(
    key="duel",
    name=gettext_noop("Duel"),
    explanation=gettext_noop("Squads of two teams sit down at a table and play three games."),
    fewest_teams=2,
    most_teams=16,
    games=((0, 1), (1, 0), (0, 1)),
    plan=_plan,
    rounds_if_unsaid=_rounds,
)
