"""Rows with a version that are no facts: read under the tournament's lock, stored with their trail."""

from collections.abc import Mapping
from typing import Any, TypeVar

from ledger.errors import ConflictError
from people import audit
from people.actors import Actor
from tournaments.commands.decision_recording import expect_status
from tournaments.facts.locks import lock
from tournaments.models import Call, Clock, Timetable, Tournament

R = TypeVar("R", Clock, Call)


def read_row(tournament: Tournament, new: R, expected_version: int | None) -> R:
    """The row as it is stored, or `new`, of version 0, where there is none yet.

    The tournament has to be published; it is locked until the transaction ends. Raises
    `Refused("wrong-status")`, and `ConflictError` for another version than the expected one.
    """
    # The tournament's row is the queue: at first there is no other one to lock.
    locked = lock(tournament)
    expect_status(locked, Tournament.Status.PUBLISHED)
    row = type(new)._default_manager.filter(pk=new.pk).first() or new
    expect_version(row, expected_version)
    row.tournament = locked
    return row


def expect_version(row: Clock | Call | Timetable, expected: int | None) -> None:
    """Raise `ConflictError` if another version was expected; none expected, any will do."""
    if expected is not None and expected != row.version:
        raise ConflictError(row.pk, row.version)


def store_row(row: R, actor: Actor, values: Mapping[str, Any]) -> R:
    """Set these fields of a row, and store it as its next version with its trail."""
    event_id = row.tournament.event_id
    values = {**values, "version": row.version + 1}
    if row.version:
        audit.change(row, actor, event_id, values)
    else:
        for name, value in values.items():
            setattr(row, name, value)
        audit.create(row, actor, event_id)
    return row
