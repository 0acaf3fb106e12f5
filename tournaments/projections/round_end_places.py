"""Ends of rounds, and the places there, worked out from the results of the rounds up to each.

It makes no difference in which order results came in, nor how many at once. A result that is corrected later
changes the places, but not when the round ended, nor what was decided by then.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from games.outcome import Outcome
from ledger.entries import StoredFact
from tournaments.facts import earlier
from tournaments.formats.catalogue import PLACED
from tournaments.models import MatchGame, StandingsVersion, Tournament
from tournaments.projections.standings_inputs import StandingsInputs, as_entered, inputs

_DRAWING = frozenset({"stage_drawn", "round_drawn", "rounds_redrawn"})
_MOVING = frozenset(
    {
        *("points_adjusted", "lots_drawn", "play_off_decided", "tournament_set_up"),
        *("squad_added", "squad_gone", "squad_back", "team_gone", "team_back"),
    }
)
"""Decisions that change places without a result."""


@dataclass(frozen=True, slots=True)
class Stood:
    """Where a team, or a squad where squads are ranked, stood; `who` is its id."""

    who: UUID
    team: UUID
    place: int
    is_tied: bool


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """When the last game of a round, and of those before it, was over for the first time.

    `decided` is the sequence of the last decision that was known by then.
    """

    decided: int
    at: datetime


@dataclass(frozen=True, slots=True)
class RoundEnds:
    """The rounds of a tournament as one version of its standings has them.

    `ends` are those of the rounds from the first on, also of one that was opened again. The first `complete`
    rounds are over now. A game of round `latest` is over, but none of a round after it. `is_at_end`: the
    version has the places at the end of the last complete round.
    """

    ends: tuple[RoundEnd, ...] = ()
    complete: int = 0
    is_at_end: bool = False
    latest: int = 0

    @classmethod
    def from_json(cls, value: Mapping[str, Any] | None) -> Self:
        """What `to_json` has made; nothing where there is none."""
        if value is None:
            return cls()
        ends = tuple(RoundEnd(decided, datetime.fromisoformat(at)) for decided, at in value["ends"])
        # Without it until the rows are built again after an update.
        latest = value.get("latest", value["complete"])
        return cls(ends, value["complete"], value["is_at_end"], latest)

    def to_json(self) -> dict[str, Any]:
        """As it is stored with a version of the standings."""
        return {
            "ends": [[each.decided, each.at.isoformat()] for each in self.ends],
            "complete": self.complete,
            "is_at_end": self.is_at_end,
            "latest": self.latest,
        }

    @property
    def compared_round(self) -> int:
        """The round at whose end stood the places that those of this version are compared with; at most 0
        before a round is complete.

        It is the last complete round before the latest one with a result. Lots, other decisions, a draw and
        the closing have no result, so they leave it as it is.
        """
        return min(self.complete, self.latest - 1)


class RoundCourse:
    """Ends of rounds from one version of the standings to the next."""

    def __init__(self, ends: RoundEnds) -> None:
        """`ends`: as the version before has them."""
        self.ends = ends
        self._rounds: Mapping[UUID, int] = {}
        self._basis: tuple[object, ...] = ()
        self._places: Mapping[UUID, int] = {}

    def go_to(self, read_in: StandingsInputs, decided: int, *, has_receipt: bool) -> None:
        """Go on to the version that has read this, with the decisions up to this sequence.

        Only one that `has_receipt` can have the end of a round.
        """
        self._rounds = read_in.stages.rounds
        over, open_ = read_in.over_and_open_rounds()
        last = max(over, default=0)
        complete = min(min(open_, default=last + 1) - 1, last)
        ends = list(self.ends.ends)
        for number in range(len(ends) + 1, complete + 1):
            known = outcomes_until(read_in.outcomes, self._rounds, number)
            written = [read_in.written[game] for game, each in known.items() if each.is_over]
            # Where all results of a round are annulled, a later one is what was over.
            ends.append(RoundEnd(decided, max(written or read_in.written.values())))
        is_at_end = has_receipt and last == complete > 0 and not _moved(read_in, ends[complete - 1])
        self.ends = RoundEnds(tuple(ends), complete, is_at_end, last)

    def places_before(self, read_in: StandingsInputs) -> Mapping[UUID, int]:
        """The places that those of this version are compared with, by team (or squad, where squads are
        ranked).

        They are those at the end of a round. Empty before one is complete, and where the format itself or
        groups say who is where.
        """
        number = self.compared_round(read_in)
        if number < 1:
            return {}
        end = self.ends.ends[number - 1]
        outcomes = outcomes_until(read_in.outcomes, self._rounds, number)
        basis = (number, end.decided, outcomes)
        if basis != self._basis:
            # Reading decisions costs more than all the rest; most versions have another result alone.
            self._basis = basis
            # What isn't confirmed is left out already.
            then = inputs(self.decisions_then(read_in, number), outcomes, outcomes.keys())
            self._places = {} if then.groups() else {row.team: row.place for row in then.rank()}
        return self._places

    def compared_round(self, read_in: StandingsInputs) -> int:
        """The round at whose end stood the places that those of this version are compared with; at most 0
        where there are none.
        """
        form = read_in.stages.format
        if form is None or form.has_places or read_in.groups():
            return 0
        return self.ends.compared_round

    def decisions_then(self, read_in: StandingsInputs, number: int) -> list[StoredFact]:
        """The decisions that were known at the end of a round; later rounds aren't drawn."""
        return decisions_until(read_in.decisions, number, self.ends.ends[number - 1])

    def is_after(self, number: int, stream: UUID) -> bool:
        """Whether a stream is a game of a round after this one."""
        return self._rounds.get(stream, 0) > number


def _moved(read_in: StandingsInputs, end: RoundEnd) -> bool:
    """Whether something was decided since the end of a round that changes places."""
    return any(fact.sequence > end.decided and fact.type in _MOVING for fact in read_in.decisions)


def outcomes_until(
    outcomes: Mapping[UUID, Outcome], rounds: Mapping[UUID, int], number: int
) -> dict[UUID, Outcome]:
    """The outcomes of the games up to a round; those of games that aren't drawn any more are left out."""
    return {game: each for game, each in outcomes.items() if game in rounds and rounds[game] <= number}


def decisions_until(decisions: Iterable[StoredFact], number: int, end: RoundEnd) -> list[StoredFact]:
    """The decisions that were known at the end of a round; later rounds aren't drawn."""
    found = []
    first: dict[str, int] = {}
    for fact in decisions:
        if fact.sequence > end.decided:
            break
        body: Mapping[str, object] = fact.body
        stage = str(body.get("stage", ""))
        if fact.type == "stage_drawn":
            first[stage] = int(str(body["rounds_before"]))
        if stage in first and (first[stage] >= number or _draws_later(fact, first[stage], number)):
            continue
        found.append(fact)
    return found


def _draws_later(fact: StoredFact, before: int, number: int) -> bool:
    """Whether a fact draws nothing but rounds after this one."""
    drawn = [before + each["number"] for each in fact.body["rounds"]] if fact.type in _DRAWING else []
    return bool(drawn) and min(drawn) > number


@dataclass(frozen=True, slots=True)
class PlayedRounds:
    """The rounds that are over in a version of the standings, and the round of every game.

    `basis` stands for all that the places at their ends follow from.
    """

    ends: RoundEnds
    rounds: Mapping[UUID, int]
    basis: Hashable


@dataclass(frozen=True, slots=True)
class PlacesAtEnd:
    """The places at the end of a round."""

    round: int
    at: datetime
    standings: tuple[Stood, ...]


def has_chart(version: StandingsVersion, stage_format: str) -> bool:
    """Whether places of two moments can be compared; in groups and where the format itself says who is where
    they never are.
    """
    ends = RoundEnds.from_json(version.round_ends)
    is_compared = stage_format not in PLACED and not version.groups
    return is_compared and ends.complete + (not ends.is_at_end) > 1


def rounds_played(version: StandingsVersion) -> PlayedRounds:
    """Which rounds are over; one query."""
    games = MatchGame.objects.filter(match__stage__tournament=version.tournament_id)
    rows = list(
        games.order_by("game_id").values_list("game_id", "match__round", "game__version", "match__version")
    )
    ends = RoundEnds.from_json(version.round_ends)
    read = tuple(row for row in rows if row[1] <= ends.complete)
    return PlayedRounds(
        ends,
        {game: round_ for game, round_, *_ in rows},
        (version.tournament_id, ends.ends[: ends.complete], read),
    )


def places_at_ends(tournament: Tournament, played: PlayedRounds) -> tuple[PlacesAtEnd, ...]:
    """The places at the end of each of these rounds, but of those in which groups were played; three
    queries.
    """
    entered, decisions = as_entered(tournament), earlier.decisions(tournament.pk)
    found = []
    for number, end in enumerate(played.ends.ends[: played.ends.complete], start=1):
        outcomes = outcomes_until(entered.outcomes, played.rounds, number)
        then = inputs(decisions_until(decisions, number, end), outcomes, entered.confirmed)
        if then.groups():
            continue
        teams = then.team_of()
        stood = tuple(Stood(row.team, teams[row.team], row.place, bool(row.tied_with)) for row in then.rank())
        found.append(PlacesAtEnd(number, end.at, stood))
    return tuple(found)
