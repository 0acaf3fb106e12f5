"""“Line k was wrong”: void from the end back to it, enter the right events, append again what is still legal.

So a log always replays from line to line, and nobody retypes a game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from games.engine import Event, ImpossibleStateError, Log, Refusal, State, correct, event_to_json, parse_event
from games.engine.events import EventVoided, GameClosed
from games.logbook import LogbookEntry, OpenGame, WritableGame, Written, expect_followed, followed
from games.outcome import Outcome, lines_in_whose_place
from ledger.entries import NewFact, follow_up_id
from ledger.errors import ConflictError
from ledger.hashing import JSON


@dataclass(frozen=True, slots=True)
class Dropped:
    """An event that can't follow any more, with its former line and why."""

    line: int
    event: dict[str, Any]
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class CorrectionPlan:
    """A correction before it is stored.

    `events` is all that would be appended (corrections, the right events, then those that still hold);
    `kept` are the former lines of the last of these. `before` and `after` are the outcomes, `state` the game
    afterwards; with a `fault` the engine can't follow it, and it is set aside again.
    """

    version: int
    events: tuple[dict[str, Any], ...]
    kept: tuple[int, ...]
    dropped: tuple[Dropped, ...]
    before: Outcome
    after: Outcome
    state: State
    fault: ImpossibleStateError | None = None


def plan(game: WritableGame, replacement: Sequence[Mapping[str, Any]], void: EventVoided) -> CorrectionPlan:
    """Work out the correction of the line that `void` names by `replacement`, which may be empty.

    `void` is written for each line that is taken out. Raises `Refusal`: `void` for a line that can't be
    corrected, else what the first wrong replacement deserves, its place as `line`.
    """
    expect_followed(game.row)
    log = Log.of(game.log(), game.state())
    before = list(log.events)
    if not replacement and _is_result_from_paper(before, void.line):
        return _without_paper(game, log, void)
    right = [parse_event(event, line=place) for place, event in enumerate(replacement, start=1)]
    correction = correct(log, right, void)
    return CorrectionPlan(
        version=len(before),
        events=tuple(event_to_json(event) for event in correction.appended),
        kept=correction.kept,
        dropped=tuple(
            Dropped(each, event_to_json(before[each - 1]), refusal) for each, refusal in correction.dropped
        ),
        before=Outcome.of_row(game.row),
        after=Outcome.of_log(log.events, log.state),
        state=log.state,
    )


def apply(
    game: OpenGame,
    planned: CorrectionPlan,
    *,
    expected_version: int | None,
    client_id: UUID | None,
    sent: JSON,
) -> Written:
    """Store a planned correction whole; raises `ConflictError` if the log has moved on since
    `expected_version`.
    """
    if expected_version is not None and expected_version != game.row.version:
        raise ConflictError(game.row.pk, game.row.version)
    facts = [NewFact(event["type"], event) for event in planned.events]
    if client_id is not None:
        ids = (client_id, *(follow_up_id(client_id, place) for place in range(1, len(facts))))
        facts = [
            replace(fact, client_id=each, client_body=sent) for fact, each in zip(facts, ids, strict=True)
        ]
    changed = game.keep(facts, planned.state, planned.after, planned.fault)
    return Written(game.row.version, len(facts), None, planned.state, changed)


def _is_result_from_paper(events: Sequence[Event], line: int) -> bool:
    """Whether a line is a result in the place of lines that the engine couldn't follow."""
    is_end = 0 < line <= len(events) and isinstance(events[line - 1], GameClosed)
    return is_end and bool(lines_in_whose_place(events))


def _without_paper(game: WritableGame, log: Log, void: EventVoided) -> CorrectionPlan:
    """Take a result from paper back: the lines in whose place it stands are written again.

    They were legal where they stood, so all of them come back where the engine still can't follow them.
    """
    count = len(log.events)
    lines = sorted(lines_in_whose_place(log.events))
    log.add(void)
    again = [log.events[line - 1] for line in lines]
    dropped: list[Dropped] = []
    try:
        for line, event in zip(lines, again, strict=True):
            try:
                log.add(event)
            except Refusal as refusal:
                dropped.append(Dropped(line, event_to_json(event), refusal))
        events, state, fault = log.events, log.state, None
        after = Outcome.of_log(events, state)
    except ImpossibleStateError:
        dropped, events, after = [], [*log.events[:count], void, *again], Outcome()
        state, _until, fault = followed(events)
    left_out = {each.line for each in dropped}
    return CorrectionPlan(
        version=count,
        events=tuple(event_to_json(event) for event in events[count:]),
        kept=tuple(line for line in lines if line not in left_out),
        dropped=tuple(dropped),
        before=Outcome.of_row(game.row),
        after=after,
        state=state,
        fault=fault,
    )


def close_from_paper(
    game: OpenGame, entry: LogbookEntry, void: EventVoided, *, expected_version: int | None
) -> Written:
    """Close a game that is set aside by its result: `void` is written, from the end back, for each line that
    the engine can't follow, and then the entry, a `game_closed`.

    Raises `Refusal` for another end than a game can have, `ConflictError` as `apply`, and where nothing is
    left to follow `ImpossibleStateError`.
    """
    if expected_version is not None and expected_version != game.row.version:
        raise ConflictError(game.row.pk, game.row.version)
    log, fact = Log.of(game.log(), None), entry.fact()
    count = len(log.events)
    while (first := _first_not_followed(log)) is not None:
        for line in [line for line, _event in reversed(log.effective()) if line >= first]:
            log.add(replace(void, line=line))
    log.add(parse_event(fact.body))
    voids = [NewFact(EventVoided.type, event_to_json(event)) for event in log.events[count:-1]]
    changed = game.keep([*voids, fact], log.state, Outcome.of_log(log.events, log.state))
    return Written(game.row.version, 1, None, log.state, changed)


def _first_not_followed(log: Log) -> int | None:
    """The first line that the engine can't follow; raises `ImpossibleStateError` if that opens the game."""
    try:
        log.state  # noqa: B018  # it is worked out when it is asked for
    except ImpossibleStateError as fault:
        if fault.line is None or fault.line == 1:
            raise
        return fault.line
    return None


def done_before(game: OpenGame, client_id: UUID | None, sent: JSON) -> Written | None:
    """The answer to a correction that is sent again; None if this is the first time."""
    if client_id is None:
        return None
    known = game.stream.recognise([NewFact("event_voided", None, client_id, sent)])
    if not known:
        return None
    return Written(game.row.version, 1, None, game.state())
