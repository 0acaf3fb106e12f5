"""Effects of a change on the standings and on later rounds, before anything is stored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from desk.stage_squads import RankedContestant, of_course, ranked_in
from desk.stages_shown import ShownChange, shown_changes
from games.outcome import Outcome
from people.display_names import NameBook
from rendering.text.numbers import spoken
from tournaments.commands.next_stage import is_stage_changed
from tournaments.commands.round_draws import held_matches
from tournaments.models import Palio, Tournament
from tournaments.projections import overall_inputs
from tournaments.projections.rounds.draw_comparison import changes_by
from tournaments.projections.standings_inputs import StandingsInputs, inputs_now, inputs_now_and_with
from tournaments.standings import METRICS, Adjustment, OverallRow, Row


@dataclass(frozen=True, slots=True)
class Consequence:
    """A row before and after: place and the value of what is compared."""

    ranked: RankedContestant
    place: int
    new_place: int
    value: str
    new_value: str


@dataclass(frozen=True, slots=True)
class Consequences:
    """All rows in the new order, the drawn rounds that would be drawn otherwise, and whether others would
    come into the stage that is on. `annuls`: no result counts any more against who is removed.

    `metric` is what is compared: the first metric beside the place in a stage, "" where there is none.
    """

    rows: list[Consequence]
    metric: str = "points"
    rounds: tuple[ShownChange, ...] = ()
    stage_changes: bool = False
    annuls: bool = False

    @property
    def metric_name(self) -> str:
        """What the values are of; empty where there are none."""
        return _(METRICS[self.metric].name) if self.metric and self.rows else ""


def of_outcome(tournament: Tournament, game_id: UUID, outcome: Outcome, book: NameBook) -> Consequences:
    """What changes if that game had this outcome."""
    now, then = inputs_now_and_with(tournament, {game_id: outcome})
    return _with_rounds(tournament, now, then, ranked_in(tournament, book), book)


def of_adjustment(
    tournament: Tournament, whose: UUID, points: int, reason: str, book: NameBook
) -> Consequences:
    """Every row if this team (or squad) had these points more, in the new order."""
    now = inputs_now(tournament)
    then = replace(now, adjustments=(*now.adjustments, Adjustment(whose, points, reason)))
    return _compared(now, then, ranked_in(tournament, book))


def of_play_off(tournament: Tournament, order: Sequence[UUID], book: NameBook) -> Consequences:
    """Every row if a play-off came out in this order, the winner first."""
    now = inputs_now(tournament)
    then = replace(now, play_offs=(*now.play_offs, tuple(order)))
    return _compared(now, then, ranked_in(tournament, book))


def _with_rounds(
    tournament: Tournament,
    now: StandingsInputs,
    then: StandingsInputs,
    ranked: Mapping[UUID, RankedContestant],
    book: NameBook,
) -> Consequences:
    """The rows, and what changes in the rounds that are drawn from results."""
    found = _compared(now, then, ranked)
    if not now.by_round:
        return found
    course = then.courses[-1]
    changed = changes_by(now.courses[-1], course, held_matches(course))
    who = of_course(course, tournament.event.teams.in_bulk(), book)
    stage_changes = is_stage_changed(then) and not is_stage_changed(now)
    return replace(found, rounds=tuple(shown_changes(changed, who)), stage_changes=stage_changes)


RemovedSide = tuple[str, int | None]
"""A team's id and the squad's number in it; of a whole team no number."""


class _UndoneError(Exception):
    """Ends a transaction whose changes were only looked at."""


def of_removal(
    tournament: Tournament, side: RemovedSide, remove: Callable[[], object], book: NameBook
) -> Consequences:
    """What changes if a side is removed: `remove` does it, in a transaction that is undone.

    So the games that are given to the others are those of the removal itself. Raises what `remove` raises.
    """
    now = inputs_now(tournament)
    ranked = ranked_in(tournament, book)
    try:
        with transaction.atomic():
            remove()
            then = inputs_now(tournament)
            raise _UndoneError
    except _UndoneError:
        pass
    changes = _with_rounds(tournament, now, then, ranked, book)
    return replace(changes, annuls=then.annuls(*side))


def of_placements(palio: Palio, discipline: UUID, places: Sequence[tuple[UUID, int]]) -> Consequences:
    """Every row of the overall table if the teams had come in these places of another game."""
    now = overall_inputs.inputs_now(palio)
    ranked = {team.pk: RankedContestant(team.pk, team) for team in palio.event.teams.all()}
    then = now.with_places(discipline, places)
    return Consequences(_rows(now.rank(), then.rank(), ranked, _total))


def _total(row: OverallRow[UUID]) -> str:
    return str(sum((share for _key, share in row.shares if share is not None), Fraction(0)))


def _compared(
    now: StandingsInputs, then: StandingsInputs, ranked: Mapping[UUID, RankedContestant]
) -> Consequences:
    rows = then.rank()
    asked = [key for row in rows[:1] for key, _value_of in row.values]
    metric = next((key for key in asked if key != "stage_place"), "")
    return Consequences(_rows(now.rank(), rows, ranked, lambda row: _value(row, metric)), metric)


def _rows(
    now: Iterable[Any],
    then: Iterable[Any],
    ranked: Mapping[UUID, RankedContestant],
    value_of: Callable[[Any], str],
) -> list[Consequence]:
    """The rows in the new order, beside those of before."""
    before = {row.team: row for row in now}
    pairs = [(before[row.team], row) for row in then if row.team in before]
    return [
        Consequence(ranked[new.team], old.place, new.place, value_of(old), value_of(new))
        for old, new in pairs
    ]


def _value(row: Row[UUID], metric: str) -> str:
    value = dict(row.values).get(metric)
    return "" if value is None else spoken(str(value))
