"""Places at the end of each round, worked out from the results of the rounds up to it.

They follow from facts alone: it makes no difference in which order results came in, how many at once, nor
when standings were computed in between.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tournaments.facts import earlier
from tournaments.models import MatchGame, Tournament
from tournaments.projections.round_ends import Stood, decisions_until, outcomes_until
from tournaments.projections.standings_inputs import as_entered, inputs
from tournaments.queries.matches import MatchProgress, progress_of


@dataclass(frozen=True, slots=True)
class PlayedRounds:
    """The rounds from the first on whose games are all over. `ended_at` has for each the moment of its last
    result; `is_going_on` says whether a game of a later round is over; `basis` stands for all of it.
    `rounds` has the round of every game.
    """

    ended_at: tuple[datetime, ...]
    is_going_on: bool
    basis: tuple[object, ...]
    rounds: Mapping[UUID, int]


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """The places at the end of a round."""

    round: int
    at: datetime
    standings: tuple[Stood, ...]


def rounds_played(tournament: Tournament, most: int) -> PlayedRounds:
    """Which rounds are over, at most so many; one query, and four more where open games may not be needed."""
    rows = MatchGame.objects.filter(match__stage__tournament=tournament).values_list(
        *("match__round", "match", "game_id", "game__version", "game__is_over", "game__changed_at"),
        "match__version",
    )
    of_round: dict[int, list[tuple[object, ...]]] = defaultdict(list)
    rounds: dict[UUID, int] = {}
    unfinished: dict[int, set[UUID]] = defaultdict(set)
    begun: set[UUID] = set()
    last: dict[int, datetime] = {}
    for round_, match, game, version, over, changed_at, said in rows.order_by("match__round", "game_id"):
        of_round[round_].append((game, version, said))
        rounds[game] = round_
        if not over:
            unfinished[round_].add(match)
        elif changed_at is not None:
            begun.add(match)
            last[round_] = max(last.get(round_, changed_at), changed_at)
    # A best of three that ended 2–0 has a third game that nobody plays.
    decided = _decided(match for round_ in sorted(of_round)[:most] for match in unfinished[round_] & begun)
    ended: list[datetime] = []
    for round_ in sorted(of_round)[:most]:
        if round_ != len(ended) + 1 or unfinished[round_] - decided or round_ not in last:
            break
        ended.append(max([*ended[-1:], last[round_]]))
    basis = tuple(row for number in range(1, len(ended) + 1) for row in of_round[number])
    return PlayedRounds(
        tuple(ended),
        any(round_ > len(ended) for round_ in last),
        (tournament.pk, tournament.version, tuple(ended), basis),
        rounds,
    )


def _decided(matches: Iterable[UUID]) -> set[UUID]:
    found = progress_of(set(matches))
    return {match for match, progress in found.items() if progress is MatchProgress.DONE}


def round_ends(tournament: Tournament, played: PlayedRounds) -> tuple[RoundEnd, ...]:
    """The places at the end of each of these rounds, but of those in which groups were played; three
    queries.
    """
    entered, decisions = as_entered(tournament), earlier.decisions(tournament.pk)
    rounds = played.rounds
    found = []
    for number, at in enumerate(played.ended_at, start=1):
        outcomes = outcomes_until(entered.outcomes, rounds, number)
        then = inputs(decisions_until(decisions, number, at), outcomes, entered.confirmed)
        if then.groups():
            continue
        teams = then.team_of()
        stood = tuple(Stood(row.team, teams[row.team], row.place, bool(row.tied_with)) for row in then.rank())
        found.append(RoundEnd(number, at, stood))
    return tuple(found)
