"""Places at the end of each round, worked out from the results of the rounds up to it.

They follow from facts alone: it makes no difference in which order results came in, how many at once, nor
when standings were computed in between.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ledger.entries import StoredFact
from tournaments.facts import earlier
from tournaments.models import MatchGame, Tournament
from tournaments.projections.standings_inputs import as_entered, inputs

_OF_A_MOMENT = frozenset(
    {
        *("points_adjusted", "lots_drawn", "play_off_decided"),
        *("squad_gone", "squad_back", "tournament_closed", "tournament_reopened"),
    }
)
"""Decisions that hold from when they are made; all others belong to a stage or its rounds."""
_DRAWING = frozenset({"stage_drawn", "round_drawn", "rounds_redrawn"})


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
class Stood:
    """Where a team, or a squad where squads are ranked, stood; `who` is its id."""

    who: UUID
    team: UUID
    place: int
    is_tied: bool


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """The places at the end of a round."""

    round: int
    at: datetime
    standings: tuple[Stood, ...]


def rounds_played(tournament: Tournament, most: int) -> PlayedRounds:
    """Which rounds are over, at most so many; one query."""
    rows = MatchGame.objects.filter(match__stage__tournament=tournament).values_list(
        *("match__round", "game_id", "game__version", "game__is_over", "game__changed_at", "match__version")
    )
    of_round: dict[int, list[tuple[object, ...]]] = defaultdict(list)
    rounds: dict[UUID, int] = {}
    is_over: dict[int, bool] = {}
    last: dict[int, datetime] = {}
    for round_, game, version, over, changed_at, said in rows.order_by("match__round", "game_id"):
        of_round[round_].append((game, version, said))
        rounds[game] = round_
        is_over[round_] = is_over.get(round_, True) and over
        if over and changed_at is not None:
            last[round_] = max(last.get(round_, changed_at), changed_at)
    ended: list[datetime] = []
    for round_ in sorted(of_round)[:most]:
        if round_ != len(ended) + 1 or not is_over[round_] or round_ not in last:
            break
        ended.append(max([*ended[-1:], last[round_]]))
    basis = tuple(row for number in range(1, len(ended) + 1) for row in of_round[number])
    return PlayedRounds(
        tuple(ended),
        any(round_ > len(ended) for round_ in last),
        (tournament.pk, tournament.version, tuple(ended), basis),
        rounds,
    )


def round_ends(tournament: Tournament, played: PlayedRounds) -> tuple[RoundEnd, ...]:
    """The places at the end of each of these rounds, but of those in which groups were played; three
    queries.
    """
    entered, decisions = as_entered(tournament), earlier.decisions(tournament.pk)
    rounds = played.rounds
    found = []
    for number, at in enumerate(played.ended_at, start=1):
        outcomes = {game: each for game, each in entered.outcomes.items() if rounds.get(game, 0) <= number}
        then = inputs(_until(decisions, number, at), outcomes, entered.confirmed)
        if then.groups():
            continue
        teams = then.team_of()
        stood = tuple(Stood(row.team, teams[row.team], row.place, bool(row.tied_with)) for row in then.rank())
        found.append(RoundEnd(number, at, stood))
    return tuple(found)


def _until(decisions: Iterable[StoredFact], number: int, at: datetime) -> list[StoredFact]:
    """The decisions that hold at the end of a round: later rounds aren't drawn."""
    found = []
    first: dict[str, int] = {}
    for fact in decisions:
        body: Mapping[str, object] = fact.body
        stage = str(body.get("stage", ""))
        if fact.type == "stage_drawn":
            first[stage] = int(str(body["rounds_before"]))
        if fact.type in _OF_A_MOMENT and fact.recorded_at > at:
            continue
        if stage in first and (first[stage] >= number or _draws_later(fact, first[stage], number)):
            continue
        found.append(fact)
    return found


def _draws_later(fact: StoredFact, before: int, number: int) -> bool:
    """Whether a fact draws nothing but rounds after this one."""
    drawn = [before + each["number"] for each in fact.body["rounds"]] if fact.type in _DRAWING else []
    return bool(drawn) and min(drawn) > number
