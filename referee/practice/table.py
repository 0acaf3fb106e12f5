"""A practice table as the pages of a referee see it: its match, its games, and what is written in them.

The engine, the intake and the corrections are those of every game. Only the log comes from a `Memory` and
goes back there, not to the ledger.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Self
from uuid import UUID

from django.http import Http404
from django.utils import timezone

from games import corrections
from games.engine import (
    Event,
    ImpossibleStateError,
    Log,
    Refusal,
    State,
    effective_log,
    event_to_json,
    parse_event,
    replay,
)
from games.engine.event_json import content_of
from games.logbook import Written, opening_of, set_phase, set_projection
from games.models import Game, Seat
from games.outcome import Outcome
from ledger.errors import ConflictError
from people.actors import Actor
from referee.batches import SentBatch, SentCorrection
from referee.practice import made_up
from referee.practice.guide import CORRECTION, REFUSAL, UNDO, PracticeGuide, step_of
from referee.practice.memory import Memory
from referee.table_game import TableGame
from tournaments.commands import results
from tournaments.facts import log_names
from tournaments.models import MatchGame
from tournaments.queries.match_views import MatchView, SideView
from tournaments.queries.matches import game_view, points_of_side
from tournaments.settings.bell import bell_rule


class Practice:
    """One phone's practice table."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.table = made_up.table()
        self.event = self.table.event
        self.teams = made_up.teams()
        self.match = made_up.match(self.table, memory)
        self._games = made_up.games(self.match, memory)

    @classmethod
    def kept(cls, cookie: str) -> Self | None:
        """The table that a phone has kept; None if it has kept none that can be gone on with."""
        memory = Memory.read(cookie) if cookie else None
        if memory is None:
            return None
        practice = cls(memory)
        try:
            practice.table_games()
        except (Refusal, ImpossibleStateError):
            # Another version of the engine took it, or this one can't follow it.
            return None
        return practice

    def table_games(self) -> list["PracticeTableGame"]:
        """All games, in their order, as they stand now."""
        return [PracticeTableGame(self, index) for index in range(len(self._games))]

    def table_game(self, game_id: UUID) -> "PracticeTableGame":
        """A game of this table as it stands now; Http404 for any other."""
        ids = [each.game_id for each in self._games]
        if game_id not in ids:
            raise Http404
        return PracticeTableGame(self, ids.index(game_id))

    def match_game(self, index: int) -> MatchGame:
        """A game without what was written in it."""
        return made_up.games(self.match, self.memory)[index]

    def latest(self) -> "PracticeTableGame | None":
        """The game that was written in last, if any was."""
        return None if self.memory.latest is None else PracticeTableGame(self, self.memory.latest)

    def guide(self) -> PracticeGuide:
        """What there is to try, and what was."""
        return PracticeGuide(self.memory.done)

    def match_view(self) -> MatchView:
        """The match as the page of a table shows it."""
        bell = bell_rule(self.match.stage.tournament.settings)
        games = tuple(game_view(each.match_game, self.teams, bell) for each in self.table_games())
        sides = tuple(
            SideView(made_up.id_of("squad", side), team, 1, (), points_of_side(side, games))
            for side, team in enumerate(self.teams)
        )
        return MatchView(
            self.match.pk, self.match.stage.tournament, 1, 1, self.table, sides, games, drawn_in=None
        )


class PracticeTableGame(TableGame):
    """A game at a practice table: whatever is written in it stays in the phone's memory."""

    def __init__(self, practice: Practice, index: int) -> None:
        memory = practice.memory
        match_game = practice.match_game(index)
        seats, names = made_up.seats(match_game, practice.teams, memory.squad_size)
        super().__init__(match_game, seats, {team.pk: team for team in practice.teams}, names)
        self._index = index
        self._memory = memory
        self._kept = _KeptGame(self.row, seats, memory.logs[index])

    @cached_property
    def clock(self) -> None:
        """Nobody shares a clock with it."""
        return

    @cached_property
    def standing(self) -> list[tuple[int, Event]]:
        """The log as it holds, with the lines."""
        return effective_log(self._kept.log())

    def write(self, actor: Actor, batch: SentBatch) -> Written:
        """As at every table, down to what is sent twice and what meets something newer."""
        entries = batch.once()
        ids = [id_ for id_, _ in entries]
        known = next((place for place, id_ in enumerate(ids) if not self._memory.knows(id_)), len(ids))
        if known == len(ids):
            return Written(self.row.version, len(batch.entries), None, self._kept.state())
        if not known and batch.version != self.row.version:
            raise ConflictError(self.row.pk, self.row.version)
        self._check_points(batch)
        log = self._kept.begun()
        taken, refusal = 0, None
        for _, sent in entries[known:]:
            try:
                log.add(self._taken_in(actor, sent))
            except Refusal as refused:
                refusal = refused
                break
            taken += 1
        if taken:
            # Of a practice game nobody asks when and by whom something was entered.
            self._memory.put(self._index, [content_of(event_to_json(event)) for event in log.events])
            self._memory.remember(ids[known : known + taken])
            for event in log.events[-taken:]:
                self._memory.tick(step_of(event))
        if refusal is not None:
            self._memory.tick(REFUSAL)
            raise refusal
        return Written(len(log.events), len(batch.entries), None, log.state)

    def correct(self, actor: Actor, correction: SentCorrection) -> Written:
        """As at every table."""
        if self._memory.knows(correction.id):
            return Written(self.row.version, 1, None, self._kept.state())
        planned = self.preview(actor, correction.line, correction.replacement, correction.reason)
        if correction.version != planned.version:
            raise ConflictError(self.row.pk, self.row.version)
        is_last = correction.line == self.entered[-1][0] and not correction.replacement
        events = [*map(event_to_json, self._kept.log()), *planned.events]
        self._memory.put(self._index, [content_of(event) for event in events])
        self._memory.remember([correction.id])
        self._memory.tick(UNDO if is_last else CORRECTION)
        return Written(len(events), len(planned.events), None, planned.state)

    def preview(
        self, actor: Actor, line: int, right: Sequence[object], reason: str
    ) -> corrections.CorrectionPlan:
        """As at every table."""
        return results.plan_correction(self._kept, actor, line, right, reason, self.teams)

    def _check_points(self, batch: SentBatch) -> None:
        for _, event in batch.entries:
            if event.get("type") == "game_closed" and isinstance(event.get("scores"), dict):
                seats = range(len(self.seat_teams))
                results.check_seat_points(self.state.ruleset, seats, event["scores"])

    def _taken_in(self, actor: Actor, sent: object) -> Event:
        (entry,) = log_names.take_in(self._kept, actor, [(None, sent)], self.teams)
        return parse_event(entry.event)


class _KeptGame:
    """A game whose log a phone keeps, as the intake and the corrections read one."""

    def __init__(self, row: Game, seats: Sequence[Seat], lines: Sequence[Mapping[str, Any]]) -> None:
        self.row = row
        self._seats = seats
        self._events = [parse_event(line) for line in lines]
        if self._events:
            state = self.state()
            outcome = Outcome.of_log(self._events, state)
            set_projection(row, state, outcome, len(self._events), timezone.now())
            set_phase(row, state, self._events)

    def opening(self) -> dict[str, Any]:
        """Its `game_opened`."""
        return opening_of(self.row, self._seats)

    def log(self) -> list[Event]:
        """All its events; none if it wasn't begun."""
        return list(self._events)

    def state(self) -> State:
        """Where they lead. A fresh object at each call."""
        return replay(self._events)

    def begun(self) -> Log:
        """The log to write on; one that is empty is opened first."""
        if self._events:
            return Log.of(self._events, self.state())
        log = Log()
        log.add(parse_event(self.opening()))
        return log
