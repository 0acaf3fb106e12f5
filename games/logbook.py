"""Writing down a game: the engine judges, the ledger keeps, the snapshot saves replaying; one transaction.

A stored log is a stream whose facts are the game's log events in their order: fact 1 is line 1 of the log.
People are ids in it: a seat's `name` is an entry's id and `team` a team's, `by` is an actor's id. Whoever
shows or takes in a log with names maps them above this layer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol
from uuid import UUID

from django.db.models import QuerySet

from games.engine import Event, ImpossibleStateError, Log, Refusal, State, advance, dump, load, parse_event
from games.engine import replay as replay_events
from games.engine.events import EventVoided
from games.engine.phrases import shown
from games.engine.state import CUT
from games.models import WAITING, Game, Seat
from games.outcome import Outcome, replayed
from games.stored_log import event_of, log_of, stored_log
from ledger import append, needed_code_version, outbox, read
from ledger.append import OpenStream
from ledger.entries import NewFact, StoredFact
from ledger.errors import ClientIdReusedError, ConflictError
from ledger.hashing import JSON

STREAM_KIND = "game"
# The outbox topic of a game that has begun; the group is its scope.
BEGUN = "begun"
# The outbox topic of a game whose outcome has changed; the group is the game's.
OUTCOME = "outcome"

_KNOWS_PLACES: Final = 4
"""The reading version from which on code knows places, see `ledger.needed_code_version`."""


def type_of(event: object) -> str | None:
    """The type that a log event names as it came in; None where that is no text."""
    type_ = event.get("type") if isinstance(event, Mapping) else None
    return type_ if isinstance(type_, str) else None


@dataclass(frozen=True, slots=True)
class LogbookEntry:
    """A log event as it came in: its JSON object, and the client's own id for it.

    `sent` is what the client sent, where that isn't the event itself (names mapped to ids).
    """

    event: Mapping[str, Any]
    client_id: UUID | None = None
    sent: JSON = None

    def fact(self) -> NewFact:
        """The entry as a fact; Refusal `malformed` for what can't be one."""
        type_ = self.event.get("type")
        try:
            return NewFact(str(type_), dict(self.event), self.client_id, self.sent)
        except ValueError as error:
            raise Refusal(
                "malformed", "there is no type {given}", type=type_of(self.event), given=shown(type_)
            ) from error


@dataclass(frozen=True, slots=True)
class Written:
    """The answer to a batch.

    `accepted` entries are stored: now, when they were sent before, or as an entry earlier in the batch.
    `refusal` is what stopped the next one, of which and after which nothing is stored. `version` is the log's
    length after the accepted ones, `state` the game's now.
    """

    version: int
    accepted: int
    refusal: Refusal | None
    state: State
    outcome_changed: bool = False


class WritableGame(Protocol):
    """A game as far as what is to be written in it is judged: by its row, opening, log and state."""

    row: Game

    def opening(self) -> dict[str, Any]: ...
    def log(self) -> list[Event]: ...
    def state(self) -> State: ...


class OpenGame:
    """A game that is locked by the current transaction, with its state.

    For callers that have to look at something else under the same lock before they write. Raises
    `Game.DoesNotExist`.
    """

    def __init__(self, game_id: UUID) -> None:
        rows = Game.objects.select_for_update(no_key=True).filter(pk=game_id)
        # Who waited while projections were built again finds the row gone; a second query sees the new one.
        row = rows.first() or rows.first()
        if row is None:
            raise Game.DoesNotExist
        self.row = row
        self._stream: OpenStream | None = None

    def state(self) -> State:
        """The game as it is stored; an unopened one waits for `game_opened`. A fresh object at each call."""
        return state_of(self.row)

    @property
    def stream(self) -> OpenStream:
        """The game's stream, locked too."""
        if self._stream is None:
            self._stream = append.open_stream(self.row.pk, STREAM_KIND, self.row.scope)
        return self._stream

    def opening(self) -> dict[str, Any]:
        """The `game_opened` of this game; one query."""
        return opening_of(self.row)

    def log(self) -> list[Event]:
        """The stored log as events; one query."""
        return stored_log(self.row.pk)

    def has_stored(self, entries: Sequence[LogbookEntry]) -> bool:
        """Whether all of a batch was stored before, by its clients' ids; raises `ClientIdReusedError`."""
        sent = _SentFacts(entries)
        known = self.stream.recognise(sent.facts)
        return bool(known) and sent.unreadable is None and _known_prefix(sent.facts, known) == len(sent.facts)

    def write(
        self,
        entries: Sequence[LogbookEntry],
        *,
        expected_version: int | None,
        whole_batch: bool = False,
        unreadable: Refusal | None = None,
    ) -> Written:
        """Store the accepted prefix of a batch that was begun at `expected_version` (`whole_batch`: all or
        nothing). `unreadable` is what refuses the entry after these.

        A batch sent again, also with more at its end, is recognised by its clients' ids. So is an entry that
        stands twice in it. The first batch opens the game, if it doesn't bring the game's `game_opened`
        itself. Raises `ConflictError` and `ClientIdReusedError`; for a game that is set aside
        `ImpossibleStateError`.
        """
        sent = _SentFacts(entries, unreadable)
        facts, known = sent.facts, self.stream.recognise(sent.facts)
        repeated = _known_prefix(facts, known)
        if repeated == len(facts) and repeated and sent.unreadable is None:
            return Written(known[_id(facts[-1])].sequence, sent.count(repeated), None, self.state())
        expect_followed(self.row)
        reached = known[_id(facts[repeated - 1])].sequence if repeated else expected_version
        if reached is not None and reached != self.row.version:
            raise ConflictError(self.row.pk, self.row.version)
        batch = _Batch(self, known)
        batch.open_first(sent)
        refusal = batch.take_all(facts[repeated:]) or batch.in_place(sent.unreadable)
        if not batch.taken or (whole_batch and refusal):
            return Written(self.row.version, sent.count(repeated), refusal, self.state())
        changed = self.keep(batch.facts, batch.state, batch.outcome())
        return Written(self.row.version, sent.count(repeated + batch.taken), refusal, batch.state, changed)

    def keep(
        self,
        facts: Sequence[NewFact],
        state: State,
        outcome: Outcome,
        fault: ImpossibleStateError | None = None,
    ) -> bool:
        """Append facts that lead to `state` and `outcome`, store its snapshot, announce a new outcome;
        whether it is new. With a `fault` the game is set aside.
        """
        before, is_first = Outcome.of_row(self.row), self.row.version == 0
        appended = self.stream.append(self.row.version, facts)
        recorded_at = appended.facts[-1].recorded_at
        set_projection(self.row, state, outcome, appended.version, recorded_at, fault)
        if state.phase == CUT and any(fact.type == EventVoided.type for fact in facts):
            set_phase(self.row, state, self.log())
        self.row.save(update_fields=PROJECTED)
        changed = outcome != before
        if changed and self.row.group is not None:
            outbox.announce(OUTCOME, self.row.group, self.row.pk, appended.version)
        if is_first and self.row.scope is not None:
            outbox.announce(BEGUN, self.row.scope, self.row.pk, appended.version)
        return changed


def opening_of(row: Game, seats: Iterable[Seat] | None = None) -> dict[str, Any]:
    """The `game_opened` of a game: its rules, and who sits where by id; one query if no seats are given."""
    seated = row.seats.order_by("number") if seats is None else seats
    return {
        "type": "game_opened",
        "ruleset": row.ruleset,
        "seats": [{"name": str(seat.entry), "team": str(seat.team)} for seat in seated],
    }


def rise_for(events: Iterable[object]) -> None:
    """Have the database need the code that knows places, where an event has them.

    To be called before the stream of a game is opened: it keeps all writers of streams waiting.
    """
    if any(isinstance(event, Mapping) and event.get("places") is not None for event in events):
        needed_code_version.rise(_KNOWS_PLACES)


def expect_followed(row: Game) -> None:
    """Raise `ImpossibleStateError` for a game that is set aside."""
    if row.fault is not None:
        raise ImpossibleStateError(row.fault["what"])


def followed(log: Sequence[Event]) -> tuple[State, int, ImpossibleStateError | None]:
    """The state to which the engine can follow a log, after how many events that is, and what is impossible
    then.

    Raises `Refusal` for a log that isn't legal.
    """
    until, fault = len(log), None
    while True:
        try:
            return replay_events(log, until), until, fault
        except ImpossibleStateError as error:
            fault, until = error, (error.line or 1) - 1


def state_of(row: Game) -> State:
    """A game's state from its snapshot.

    If another version of the engine wrote the snapshot, the log is read instead, as far as it can be
    followed. An unopened one waits for `game_opened`.
    """
    if row.snapshot is None:
        return State()
    try:
        return load(row.snapshot)
    except ValueError:
        return followed(stored_log(row.pk))[0]


def opened_state(row: Game, seats: Iterable[Seat] | None = None) -> State:
    """A game's state; one that wasn't begun stands as its opening will leave it."""
    state = state_of(row)
    if row.version == 0:
        advance(state, parse_event(opening_of(row, seats)))
    return state


_OUTCOME: Final = (
    "phase",
    "is_over",
    "winner_seat",
    "winner_team",
    "closed_by",
    "figures",
    "is_from_paper",
)
PROJECTED: Final = ("version", "snapshot", *_OUTCOME, "changed_at", "fault")


def set_projection(
    row: Game,
    state: State,
    outcome: Outcome,
    version: int,
    changed_at: datetime,
    fault: ImpossibleStateError | None = None,
) -> None:
    """Set what of a game's row follows from its log; with a `fault` the game is set aside."""
    row.version = version
    row.snapshot = dump(state)
    row.phase = state.phase
    row.is_over = outcome.is_over
    row.winner_seat = outcome.seat
    row.winner_team = outcome.team
    row.closed_by = outcome.closed_by
    row.figures = outcome.figures.to_json() if outcome.figures else None
    row.is_from_paper = outcome.is_from_paper
    row.changed_at = changed_at
    row.fault = None if fault is None else {"line": fault.line, "what": fault.what}


def set_phase(row: Game, state: State, log: Sequence[Event]) -> None:
    """Set the phase of a game by its whole log: it waits again once all but its opening was taken back."""
    voided = {event.line for event in log if isinstance(event, EventVoided)}
    # An opening can't be voided, and each correction is an event itself.
    row.phase = WAITING if voided and len(log) - 2 * len(voided) == 1 else state.phase


def turn_back(row: Game, moment: datetime) -> None:
    """Set a row that isn't saved to how its game stood at a moment; one query, two once it was begun."""
    sequence = read.sequence_at(row.pk, moment)
    if not sequence:
        unbegun = Game()
        for name in PROJECTED:
            setattr(row, name, getattr(unbegun, name))
        return
    facts = read.facts(row.pk, until=sequence)
    log = [parse_event(event_of(fact.body)) for fact in facts]
    state, outcome, fault = _as_far_as_possible(log)
    set_projection(row, state, outcome, sequence, facts[-1].recorded_at, fault)
    set_phase(row, state, log)


def _as_far_as_possible(log: Sequence[Event]) -> tuple[State, Outcome, ImpossibleStateError | None]:
    """State and outcome of a log, up to where the engine comes to a state that can't be."""
    try:
        return *replayed(log), None
    except ImpossibleStateError:
        state, until, fault = followed(log)
        return state, Outcome.of_log(log[:until], state), fault


class _SentFacts:
    """A batch's entries as facts up to the first that can't be one, and what refuses that one.

    An entry that stands in the batch again is one fact; another one under the same id raises
    `ClientIdReusedError`.
    """

    def __init__(self, entries: Sequence[LogbookEntry], unreadable: Refusal | None = None) -> None:
        self.facts: list[NewFact] = []
        self.unreadable = unreadable
        self._places: list[int] = []
        self._length = len(entries)
        seen: dict[UUID, NewFact] = {}
        for place, entry in enumerate(entries):
            try:
                fact = entry.fact()
            except Refusal as refusal:
                self.unreadable, self._length = refusal, place
                return
            first = fact if fact.client_id is None else seen.setdefault(fact.client_id, fact)
            if first is fact:
                self.facts.append(fact)
                self._places.append(place)
            elif first.digest() != fact.digest():
                raise ClientIdReusedError(fact.client_id)

    def count(self, facts: int) -> int:
        """How many entries at the beginning of the batch so many of its facts are."""
        return self._places[facts] if facts < len(self.facts) else self._length


class _Batch:
    """New events on top of a game: the state after them, and the facts that they will be.

    `known` are the batch's facts that are stored already.
    """

    def __init__(self, game: OpenGame, known: Mapping[UUID, StoredFact]) -> None:
        self._game = game
        self._known = known
        self._log: list[Event] | None = None
        self._events: list[Event] = []
        self.state = game.state()
        self.facts: list[NewFact] = []
        self.taken = 0

    def open_first(self, sent: _SentFacts) -> None:
        """Put the game's own opening first where the log is empty and the batch doesn't begin with one, be it
        one that is refused.
        """
        first = sent.facts[0] if sent.facts else sent.unreadable
        if self._game.row.version == 0 and (first is None or first.type != "game_opened"):
            self._advance(NewFact("game_opened", self._game.opening()))

    def take_all(self, facts: Sequence[NewFact]) -> Refusal | None:
        """Take the facts as far as they are legal; the first refusal, or None.

        Raises `ConflictError` for one that is stored already, but not where the batch has it.
        """
        for fact in facts:
            if fact.client_id in self._known:
                raise ConflictError(self._game.row.pk, self._game.row.version)
            try:
                self._advance(fact)
            except Refusal as refusal:
                return self.in_place(refusal.at(None, fact.type))
            self.taken += 1
        return None

    def in_place(self, refusal: Refusal | None) -> Refusal | None:
        """What refuses the next event, with its line in the log."""
        line = self._game.row.version + len(self.facts) + 1
        return None if refusal is None else refusal.at(line, refusal.type)

    def outcome(self) -> Outcome:
        """How the game stands after the batch; one query where that has ended a game begun before."""
        log = [*self._stored_log(), *self._events] if self.state.over else ()
        return Outcome.of_log(log, self.state)

    def _advance(self, fact: NewFact) -> None:
        event = parse_event(fact.body)
        if fact.type == "game_opened" and self._game.row.version == 0 and not self.facts:
            own = self._game.opening()
            assert isinstance(fact.body, dict)  # noqa: S101  # a log event's body is an object; for the type checker
            if any(fact.body.get(name) != own[name] for name in ("ruleset", "seats")):
                raise Refusal(
                    "malformed", "this game is opened with its own rule set and seats, in their order"
                )
        if fact.type == "event_voided":
            log = Log.of([*self._stored_log(), *self._events], self.state)
            log.add(event)
            self.state = log.state
        else:
            advance(self.state, event)
        self._events.append(event)
        self.facts.append(fact)

    def _stored_log(self) -> list[Event]:
        if self._log is None:
            self._log = self._game.log() if self._game.row.version else []
        return self._log


def _id(fact: NewFact) -> UUID:
    assert fact.client_id is not None  # noqa: S101  # only asked of facts that are known by it
    return fact.client_id


def _known_prefix(facts: Sequence[NewFact], known: Mapping[UUID, StoredFact]) -> int:
    """How many facts at the beginning of a batch are stored already."""
    unknown = (place for place, fact in enumerate(facts) if fact.client_id not in known)
    return next(unknown, len(facts))


def stored_events(game_id: UUID, *, until: int | None = None) -> list[dict[str, Any]]:
    """The stored log as JSON objects, with ids for people; one query."""
    return [event_of(fact.body) for fact in read.facts(game_id, until=until)]


def replay(game_id: UUID, *, until: int | None = None) -> State:
    """The state that the facts say, without the snapshot; one query."""
    return replay_events(stored_log(game_id, until=until))


def project(games: Iterable[Game]) -> None:
    """Set on rows that aren't stored yet what their logs say, if they have any; few queries for many.

    A game whose log the engine can't follow to its end is set aside: it stands as far as it can be followed.
    """
    rows = {row.pk: row for row in games}
    begun = {head.stream: head.sequence for head in read.heads_of(rows).values() if head.sequence}
    recorded = read.last_recorded(begun)
    for id_, texts in read.texts_of(begun):
        log = log_of(texts)
        state, outcome, fault = _as_far_as_possible(log)
        set_projection(rows[id_], state, outcome, begun[id_], recorded[id_], fault)
        set_phase(rows[id_], state, log)


def outcomes_as_counted(games: QuerySet[Game]) -> dict[UUID, Game]:
    """The rows of begun games with their outcomes alone, to be given to `restore_outcomes`; one query."""
    return {row.pk: row for row in games.filter(version__gt=0).only(*_OUTCOME)}


def counted_columns(row: Game) -> dict[str, Any]:
    """What a game counts, by the names of its columns."""
    return {name: getattr(row, name) for name in _OUTCOME}


def counted_row(id_: UUID, columns: Mapping[str, Any]) -> Game:
    """A row that isn't stored with what `counted_columns` gave; raises `ValueError` or Django's
    `ValidationError` for anything else.
    """
    if columns.keys() != set(_OUTCOME):
        raise ValueError("other columns than those of an outcome")
    row = Game(id=id_)
    for field in Game._meta.fields:
        if field.name in columns:
            value = columns[field.name]
            setattr(row, field.name, None if value is None and field.null else field.clean(value, row))
    return row


def restore_outcomes(group: UUID, counted: Mapping[UUID, Game]) -> None:
    """Have the games of a group that are set aside count as before they were projected anew."""
    for row in Game.objects.filter(group=group, fault__isnull=False):
        before = counted.get(row.pk)
        if before is not None:
            for name in _OUTCOME:
                setattr(row, name, getattr(before, name))
            row.save(update_fields=_OUTCOME)


def outcomes(game_id: UUID) -> list[tuple[int, Outcome]]:
    """When the game's outcome changed, and to what: (sequence, outcome) in order; one query and one replay.

    A correction is replayed anew, and so is each end for its figures. So a log costs one more replay for each
    correction, and one for each time that it was over. Where the engine can't follow the log, what its row
    says follows at the row's version.
    """
    history: list[tuple[int, Outcome]] = []
    events, log = stored_log(game_id), Log()
    while len(log.events) < len(events):
        try:
            log.add(events[len(log.events)])
            outcome = Outcome.of_log(log.events, log.state)
        except ImpossibleStateError as fault:
            try:
                log = Log.past(fault, events)
            except ImpossibleStateError:
                row = Game.objects.filter(pk=game_id).first()
                return history if row is None else [*history, (row.version, Outcome.of_row(row))]
            continue
        if outcome != (history[-1][1] if history else Outcome()):
            history.append((len(log.events), outcome))
    return history


def outcome_at(history: Sequence[tuple[int, Outcome]], sequence: int) -> Outcome:
    """The outcome after so many log events, from what `outcomes` returned."""
    return next((outcome for changed, outcome in reversed(history) if changed <= sequence), Outcome())
