"""Places at the end of a round, worked out from the results of the rounds up to it.

They follow from facts alone: it makes no difference in which order results came in, how many at once, nor
when standings were computed in between.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from games.outcome import Outcome
from ledger.entries import StoredFact
from tournaments.projections.rounds.course import DrawnStages
from tournaments.projections.standings_inputs import StandingsInputs, inputs

_OF_A_MOMENT = frozenset(
    {
        *("points_adjusted", "lots_drawn", "play_off_decided"),
        *("squad_gone", "squad_back", "tournament_closed", "tournament_reopened"),
    }
)
"""Decisions that hold from when they are made; all others belong to a stage or its rounds."""
_DRAWING = frozenset({"stage_drawn", "round_drawn", "rounds_redrawn"})


@dataclass(frozen=True, slots=True)
class Stood:
    """Where a team, or a squad where squads are ranked, stood; `who` is its id."""

    who: UUID
    team: UUID
    place: int
    is_tied: bool


class PlacesBefore:
    """The places that those of one version of the standings after another are compared with.

    They are those at the end of the last complete round, or, in the version that has the end of a round, of
    the round before it: the same that the page of the day draws last but one.
    """

    def __init__(self) -> None:
        self._stages: DrawnStages | None = None
        self._rounds: Mapping[UUID, int] = {}
        self._basis: tuple[object, ...] = ()
        self._places: Mapping[UUID, int] = {}

    def of(self, read_in: StandingsInputs, *, is_end: bool) -> Mapping[UUID, int]:
        """By team (or squad, where squads are ranked); `is_end`: the version has the receipt of a complete
        round. Empty before a round is complete, and where the format itself or groups say who is where.
        """
        form = read_in.stages.format
        if form is None or form.has_places or read_in.groups():
            return {}
        if read_in.stages is not self._stages:
            self._stages, self._rounds = read_in.stages, read_in.stages.rounds()
        number = self._round_before(read_in, is_end)
        outcomes = outcomes_until(read_in.outcomes, self._rounds, number)
        at = [read_in.written[game] for game, each in outcomes.items() if each.is_over]
        if number < 1 or not at:
            return {}
        basis = (number, max(at), self._stages, outcomes)
        if basis != self._basis:
            # Reading decisions costs more than all the rest; most versions have another result alone.
            self._basis = basis
            self._places = _places(decisions_until(read_in.decisions, number, max(at)), outcomes)
        return self._places

    def _round_before(self, read_in: StandingsInputs, is_end: bool) -> int:
        """The round at whose end the places were; 0 for none."""
        results = read_in.count().results
        over, unfinished = set[int](), set[int]()
        for game, round_ in self._rounds.items():
            if game in results:
                (unfinished if results[game].closed is None else over).add(round_)
        complete = min(unfinished, default=max(over, default=0) + 1) - 1
        is_going_on = max(over, default=0) > complete
        return complete if is_going_on or not is_end else complete - 1


def _places(decisions: Iterable[StoredFact], outcomes: Mapping[UUID, Outcome]) -> dict[UUID, int]:
    # What isn't confirmed is left out already.
    then = inputs(decisions, outcomes, outcomes.keys())
    return {} if then.groups() else {row.team: row.place for row in then.rank()}


def outcomes_until(
    outcomes: Mapping[UUID, Outcome], rounds: Mapping[UUID, int], number: int
) -> dict[UUID, Outcome]:
    """The outcomes of the games up to a round; a game without a round belongs to all."""
    return {game: each for game, each in outcomes.items() if rounds.get(game, 0) <= number}


def decisions_until(decisions: Iterable[StoredFact], number: int, at: datetime) -> list[StoredFact]:
    """The decisions that hold at the end of a round, which was at this moment: later rounds aren't drawn."""
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
