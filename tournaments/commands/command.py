"""The decorator of commands: it locks, recognizes a repeated request, checks the status and records the fact.

    @command("tournament_reopened", Tournament.Status.CLOSED)
    def reopen_tournament(decision: OpenDecision[Tournament], tournament: Tournament, reason: str) -> None:
        check_reason(reason)
        decision.record({"reason": reason})

is called as `reopen_tournament(tournament, caller, reason)` and returns the tournament as it is then. What a
command checks and records is its own; everything else is here, once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from inspect import signature
from typing import Any, Concatenate, Final, Generic, ParamSpec, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Model

from ledger.entries import StoredFact
from people.actors import Actor
from tournaments.commands import decisions, palio_decisions
from tournaments.facts import locks
from tournaments.models import Palio, Tournament
from tournaments.projections import overall

P = ParamSpec("P")
S = TypeVar("S", Tournament, Palio)
Sent = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for a change.

    `expected_version` is the one that was read; another one there raises the ledger's `ConflictError`. By
    `client_id` a request that is sent again is recognized; another request with it raises
    `ClientIdReusedError`.
    """

    actor: Actor
    expected_version: int | None = None
    client_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class _Kind(Generic[S]):
    """What commands on tournaments and on palios do each in their way; `follow` comes after the fact."""

    lock: Callable[[S], S]
    is_repeated: Callable[[S, str, UUID | None, Sent], bool]
    expect_status: Callable[..., None]
    record: Callable[..., StoredFact]
    follow: Callable[[S], object]


def _expect_status(tournament: Tournament, *status: str) -> None:
    if status:
        decisions.expect_status(tournament, *status)


_TOURNAMENT: Final[_Kind[Tournament]] = _Kind(
    locks.lock, decisions.repeated, _expect_status, decisions.decide, lambda tournament: None
)
_PALIO: Final[_Kind[Palio]] = _Kind(
    locks.lock_palio,
    palio_decisions.repeated,
    lambda palio: None,
    palio_decisions.decide,
    lambda palio: overall.compute(palio.pk),
)


class OpenDecision(Generic[S]):
    """What a command is about to decide: `record` writes it down."""

    def __init__(self, kind: _Kind[S], subject: S, fact: str, caller: Caller, sent: Sent) -> None:
        self.actor = caller.actor
        self._kind: _Kind[S] = kind
        self._subject: S = subject
        self._fact = fact
        self._caller = caller
        self._sent = sent

    def record(self, body: Mapping[str, Any]) -> None:
        """Append the command's fact with this body, and project it."""
        self._kind.record(
            self._subject,
            self._fact,
            body,
            self._caller.actor,
            expected_version=self._caller.expected_version,
            client_id=self._caller.client_id,
            client_body=self._sent,
        )


Run = Callable[Concatenate[OpenDecision[S], S, P], None]
Called = Callable[Concatenate[S, Actor | Caller, P], S]


def command(
    fact: str, *status: str, sent: Callable[..., Sent] | None = None
) -> Callable[[Run[Tournament, P]], Called[Tournament, P]]:
    """A command on a tournament that records `fact`; allowed in these of its statuses (none given: any).

    By `sent`, of the command's arguments, a repeated request is recognized; see `as_sent`.
    """
    return partial(_called, _TOURNAMENT, fact, status, sent)


def palio_command(
    fact: str, *, sent: Callable[..., Sent] | None = None
) -> Callable[[Run[Palio, P]], Called[Palio, P]]:
    """A command on a palio that records `fact`; the overall table is computed at once."""
    return partial(_called, _PALIO, fact, (), sent)


def _called(
    kind: _Kind[S], fact: str, status: tuple[str, ...], sent: Callable[..., Sent] | None, run: Run[S, P]
) -> Called[S, P]:
    body_of = sent or as_sent(run)

    @wraps(run)
    @transaction.atomic
    def called(subject: S, by: Actor | Caller, /, *args: P.args, **kwargs: P.kwargs) -> S:
        caller = by if isinstance(by, Caller) else Caller(by)
        locked = kind.lock(subject)
        body = body_of(*args, **kwargs)
        if not kind.is_repeated(locked, fact, caller.client_id, body):
            kind.expect_status(locked, *status)
            run(OpenDecision(kind, locked, fact, caller, body), locked, *args, **kwargs)
            kind.follow(locked)
        return locked

    return called


def as_sent(run: Callable[..., None]) -> Callable[..., Sent]:
    """What a client sends for a command: its arguments by name, rows by their id, without those that are left
    at their defaults.
    """
    parameters = list(signature(run).parameters.values())[2:]

    def body_of(*args: Any, **kwargs: Any) -> Sent:
        given = dict(zip((each.name for each in parameters), args, strict=False)) | kwargs
        return {
            each.name: _as_json(given[each.name])
            for each in parameters
            if each.name in given and given[each.name] != each.default
        }

    return body_of


def _as_json(value: object) -> object:
    if isinstance(value, Model):
        return str(value.pk)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_as_json(each) for each in value]
    return value
