"""“Line k was wrong”: void from the end back to it, enter the right events, append again what is still legal.

So a log always replays from line to line, and nobody retypes a game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from games.engine import Log, Refusal, State, correct, event_to_json, parse_event
from games.engine.events import EventVoided
from games.logbook import OpenGame, WritableGame, Written, expect_followed
from games.outcome import Outcome
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
    afterwards.
    """

    version: int
    events: tuple[dict[str, Any], ...]
    kept: tuple[int, ...]
    dropped: tuple[Dropped, ...]
    before: Outcome
    after: Outcome
    state: State


def plan(game: WritableGame, replacement: Sequence[Mapping[str, Any]], void: EventVoided) -> CorrectionPlan:
    """Work out the correction of the line that `void` names by `replacement`, which may be empty.

    `void` is written for each line that is taken out. Raises `Refusal`: `void` for a line that can't be
    corrected, else what the first wrong replacement deserves, its place as `line`.
    """
    expect_followed(game.row)
    log = Log.of(game.log(), game.state())
    before = list(log.events)
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
    changed = game.keep(facts, planned.state, planned.after)
    return Written(game.row.version, len(facts), None, planned.state, changed)


def done_before(game: OpenGame, client_id: UUID | None, sent: JSON) -> Written | None:
    """The answer to a correction that is sent again; None if this is the first time."""
    if client_id is None:
        return None
    known = game.stream.recognise([NewFact("event_voided", None, client_id, sent)])
    if not known:
        return None
    return Written(game.row.version, 1, None, game.state())
