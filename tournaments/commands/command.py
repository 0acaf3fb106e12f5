"""The decorator of commands: it locks, recognizes a repeated request, checks the status and records the fact.

    @command("tournament_reopened", Tournament.Status.CLOSED)
    def reopen_tournament(decision: OpenDecision, tournament: Tournament, reason: str) -> None:
        check_reason(reason)
        decision.record({"reason": reason})

is called as `reopen_tournament(tournament, caller, reason)` and returns the tournament as it is then. What a
command checks and records is its own; everything else is here, once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Model

from people.actors import Actor
from tournaments.commands.decisions import decide, expect_status, repeated
from tournaments.facts.locks import lock
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
class OpenDecision:
    """What a command is about to decide: `record` writes it down. `sent` is what the client sent for it."""

    subject: Tournament | Palio
    fact: str
    caller: Caller
    sent: Sent

    @property
    def actor(self) -> Actor:
        """Who decides."""
        return self.caller.actor

    def expect_status(self, *allowed: str) -> None:
        """Raise `Refused("wrong-status")` unless the tournament is in one of these.

        Any will do if none is given.
        """
        if allowed and isinstance(self.subject, Tournament):
            expect_status(self.subject, *allowed)

    def record(self, body: Mapping[str, Any]) -> None:
        """Append the command's fact with this body, and project it; a palio's overall table is computed."""
        decide(
            self.subject,
            self.fact,
            body,
            self.actor,
            expected_version=self.caller.expected_version,
            client_id=self.caller.client_id,
            client_body=self.sent,
        )
        if isinstance(self.subject, Palio):
            overall.compute(self.subject.pk)


Run = Callable[Concatenate[OpenDecision, S, P], None]
Called = Callable[Concatenate[S, Actor | Caller, P], S]


def command(
    fact: str, *status: str, sent: Callable[..., Sent] | None = None
) -> Callable[[Run[S, P]], Called[S, P]]:
    """A command on a tournament or a palio that records `fact`. A tournament has to be in one of these
    statuses; none given, any will do. A palio's overall table is computed at once.

    By `sent`, of the command's arguments, a repeated request is recognized; see `as_sent`.
    """

    def decorated(run: Run[S, P]) -> Called[S, P]:
        body_of = sent or as_sent(run)

        @wraps(run)
        @transaction.atomic
        def called(subject: S, by: Actor | Caller, /, *args: P.args, **kwargs: P.kwargs) -> S:
            caller = by if isinstance(by, Caller) else Caller(by)
            locked = lock(subject)
            body = body_of(*args, **kwargs)
            if not repeated(locked, fact, caller.client_id, body):
                decision = OpenDecision(locked, fact, caller, body)
                decision.expect_status(*status)
                run(decision, locked, *args, **kwargs)
            return locked

        return called

    return decorated


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
