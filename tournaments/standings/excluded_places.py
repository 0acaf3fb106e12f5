"""Places that points alone rule out, by flows: who can't be first or last in any way.

The classical elimination argument is that of B. L. Schwartz, Possible winners in partially completed
tournaments, SIAM Review 8, 1966. Let the team win all it can. The other games give their points to the
others, as a flow from games to teams. Nobody may take more than would overtake it.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor


def can_be_first(team: int, points: Sequence[Fraction], open_games: Sequence[Sequence[int]]) -> bool:
    """Whether nobody need have more points than this team in the end; teams are numbered from 0.

    `points` are those so far, `open_games` the sides of games that give one point each to one of them.
    """
    most = points[team] + sum(team in sides for sides in open_games)
    rooms = {other: floor(most - have) for other, have in enumerate(points) if other != team}
    if min(rooms.values(), default=0) < 0:
        return False
    games = [tuple(sides) for sides in open_games if team not in sides]
    return _most_served(games, rooms) == len(games)


def can_be_last(team: int, points: Sequence[Fraction], open_games: Sequence[Sequence[int]]) -> bool:
    """Whether nobody need have fewer points than this team in the end."""
    games = [tuple(side for side in sides if side != team) for sides in open_games]
    wants = {other: max(0, ceil(points[team] - have)) for other, have in enumerate(points) if other != team}
    return _most_served(games, wants) == sum(wants.values())


def _most_served(games: Sequence[tuple[int, ...]], rooms: Mapping[int, int]) -> int:
    """To how many games a winner can be given at most, if no team wins more than it has room for.

    Each game looks for a place along an augmenting path: a team with room, or one whose games can move on.
    """
    won: dict[int, list[int]] = {team: [] for team in rooms}
    winner: dict[int, int] = {}
    served = 0
    for start in range(len(games)):
        came_from: dict[int, int] = {}
        queue = deque([start])
        found = None
        while queue and found is None:
            game = queue.popleft()
            for team in games[game]:
                if team in came_from:
                    continue
                came_from[team] = game
                if len(won[team]) < rooms[team]:
                    found = team
                    break
                queue.extend(won[team])
        if found is None:
            continue
        served += 1
        team = found
        while True:
            game = came_from[team]
            before = winner.get(game)
            winner[game] = team
            won[team].append(game)
            if before is None:
                break
            won[before].remove(game)
            team = before
    return served
