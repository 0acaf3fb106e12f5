"""Decisions of a tournament or a palio: facts in its own stream, projected at once; the commands' decorator.

    @command("tournament_reopened", Tournament.Status.CLOSED)
    def reopen_tournament(decision: OpenDecision, tournament: Tournament, reason: str) -> None:
        check_reason(reason)
        decision.record({"reason": reason})

is called as `reopen_tournament(tournament, caller, reason)` and returns the tournament as it is then. What a
command checks and records is its own; everything else is here, once.

Types and bodies of a tournament's decisions (every body also has `by`: the actor's id or null, and
`by_kind`); those of a palio's stand in `palio_facts`:

| type | body |
|---|---|
| `tournament_set_up` | `settings`; with `reason` once the draw has been published |
| `stage_drawn` | see `tournaments.facts.stages`; with `reason` if a later stage is drawn anew |
| `draw_edited` | `stage`, `rounds` (of the stage), `one` and `other` who change places, `reason` |
| `draw_published` | |
| `round_drawn` | `stage`, `rounds`: see `tournaments.facts.stages` |
| `rounds_redrawn` | `stage`, `rounds` in the place of those of the same numbers, `reason`; `for` whom |
| `stage_ended` | `stage`, `rounds`: with so many, since no other can be drawn; `is_last`: no stage follows |
| `game_added` | `stage`, `match`, `number`: one more game of a match that is level |
| `squad_added` | `stage`, `squad` as in `stage_drawn` |
| `bye_requested` | `stage`, `team`, `squad`, `round` (of the stage): it sits out a round not drawn yet |
| `bye_request_withdrawn` | `stage`, `team`, `squad`, `round` |
| `absence_noted` | `stage`, `team`, `squad`, `rounds` (of the stage): those in which it isn't at its table |
| `squad_gone` | `team`, `squad` (its number in the team), `reason`: of `reasons.GONE_REASONS`; `place` |
| `squad_back` | `team`, `squad` |
| `team_gone` | `team`, `reason`, `place`: the same of a whole team, in a draw of mini-tournaments |
| `team_back` | `team` |
| `entry_substituted` | `stage`, `team`, `squad`, `out`, `in`, `games` not begun then; `reason` |
| `placements_entered` | `stage`, `places`: pairs of contestant and place; `reason` if changed |
| `lots_drawn` | `orders`: for each tie the ids in the order drawn; `seed`, `method` |
| `play_off_decided` | `orders`: for each tie the ids, the winner first; `reason` if corrected |
| `points_adjusted` | `team` (with `squad`, an id, where squads are ranked), `points` (whole), `reason` |
| `tournament_closed` | |
| `tournament_reopened` | `reason` |

`place` is what becomes of the place (`standings.model.RemovedPlace`); facts of earlier versions have none,
and mean `rule`. A removal that is decided again takes the place of the one before, and so do the rounds of an
absence. The reason of `rounds_redrawn` is one of `reasons.PLAN_REASONS` where rounds were planned in advance,
and `for` the squad, by `team` and `squad`, that left or came. With `free-seat` only `taken` seats are new.
The reason of `entry_substituted` is one of `reasons.REPLACED_REASONS`: `came-after-all` where a
place goes back to who was replaced.

`one` and `other` are squads, by `team` and `squad` (the number in it). Ids in orders are those of teams or,
where the format is drawn round by round, of squads: as in the stage in which they came. A reason is a code
(`REASONS`): free text could hold a name, and facts hold none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext_lazy as _

from ledger import append, outbox
from ledger.entries import NewFact, StoredFact
from people.actors import Actor
from people.entries import lock_event
from people.refusals import Refused
from tournaments.facts import earlier, outbox_topics
from tournaments.facts.locks import lock, lock_games
from tournaments.models import Palio, Tournament
from tournaments.projections import overall, palio_rows, tournament_rows

STREAM_KIND = "tournament"
PALIO_STREAM_KIND = "palio"


def expect_status(tournament: Tournament, *allowed: str) -> None:
    """Raise `Refused("wrong-status")` unless the tournament is in one of these."""
    if tournament.status not in allowed:
        raise Refused(
            "wrong-status",
            _("The tournament is “%(status)s”; this needs: %(allowed)s.")
            % {
                "status": Tournament.Status(tournament.status).label,
                "allowed": ", ".join(str(Tournament.Status(status).label) for status in allowed),
            },
            current=tournament.status,
            allowed=list(allowed),
        )


def _kind(subject: Tournament | Palio) -> str:
    return STREAM_KIND if isinstance(subject, Tournament) else PALIO_STREAM_KIND


def decide(
    subject: Tournament | Palio,
    type: str,
    body: Mapping[str, Any],
    actor: Actor,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
    client_body: Mapping[str, Any] | None = None,
) -> StoredFact:
    """Append one decision, project it, and mark the standings or the overall table due; in the caller's
    transaction.

    Sent again with the same client id and body, it is the same decision. Raises the ledger's `ConflictError`
    and `ClientIdReusedError`.
    """
    stored_type, stored_body = earlier.as_stored(type, body)
    said = body if client_body is None else client_body
    fact = replace(new_decision(type, stored_body, actor, client_id, said), type=stored_type)
    appended = append.append(subject.pk, _kind(subject), subject.event_id, expected_version, [fact])
    if appended.added:
        stored = appended.added[0]
        if isinstance(subject, Tournament):
            tournament_rows.project(subject, stored)
        else:
            palio_rows.project(subject, stored)
        topic = outbox_topics.STANDINGS if isinstance(subject, Tournament) else outbox_topics.OVERALL
        outbox.announce(topic, subject.pk, stored.stream, stored.sequence)
    return appended.facts[0]


def new_decision(
    type: str,
    body: Mapping[str, Any],
    actor: Actor,
    client_id: UUID | None,
    client_body: Mapping[str, Any] | None,
) -> NewFact:
    """A decision with who makes it; `client_body` is what a client sent for it, where that isn't the body."""
    return NewFact(
        type,
        {**body, "by": str(actor.id) if actor.id else None, "by_kind": str(actor.kind)},
        client_id,
        {"type": type, **(body if client_body is None else client_body)} if client_id else None,
    )


def was_decided(
    stream: UUID, kind: str, event: UUID, type: str, client_id: UUID | None, client_body: Mapping[str, Any]
) -> bool:
    """Whether this very decision was made before, so that its conditions needn't hold again."""
    if client_id is None:
        return False
    opened = append.open_stream(stream, kind, event)
    return bool(opened.recognise([NewFact(type, None, client_id, {"type": type, **client_body})]))


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

    def record(self, body: Mapping[str, Any]) -> None:
        """Append the command's fact with this body, and project it; a palio's overall table is computed."""
        decide(
            self.subject,
            self.fact,
            body,
            self.caller.actor,
            expected_version=self.caller.expected_version,
            client_id=self.caller.client_id,
            client_body=self.sent,
        )
        if isinstance(self.subject, Palio):
            overall.compute(self.subject.pk)


Run = Callable[Concatenate[OpenDecision, S, P], None]
Called = Callable[Concatenate[S, Actor | Caller, P], S]


def command(
    fact: str,
    *status: str,
    locks_event: bool = False,
    locks_games: bool = False,
    sent: Callable[..., Sent] | None = None,
    before: Callable[[Any], None] | None = None,
) -> Callable[[Run[S, P]], Called[S, P]]:
    """A command on a tournament or a palio that records `fact`. A tournament has to be in one of these
    statuses; none given, any will do. A palio's overall table is computed at once.

    The tournament or palio is locked. Of a tournament, `locks_event` then makes the writers of the event's
    people wait, and `locks_games` those of its results, in this order.

    By `sent`, of the command's arguments, a repeated request is recognized; see `as_sent`. `before` is called
    with the tournament or palio before the transaction begins.
    """

    def decorated(run: Run[S, P]) -> Called[S, P]:
        body_of = sent or as_sent(run)

        @transaction.atomic
        def decided(subject: S, caller: Caller, *args: P.args, **kwargs: P.kwargs) -> S:
            locked = lock(subject)
            body = body_of(*args, **kwargs)
            stream = locked.pk, _kind(locked), locked.event_id
            if not was_decided(*stream, fact, caller.client_id, body):
                decision = OpenDecision(locked, fact, caller, body)
                if isinstance(decision.subject, Tournament):
                    _prepare(decision.subject, status, locks_event=locks_event, locks_games=locks_games)
                run(decision, locked, *args, **kwargs)
            return locked

        @wraps(run)
        def called(subject: S, by: Actor | Caller, /, *args: P.args, **kwargs: P.kwargs) -> S:
            if before is not None:
                before(subject)
            return decided(subject, by if isinstance(by, Caller) else Caller(by), *args, **kwargs)

        return called

    return decorated


def _prepare(tournament: Tournament, status: Sequence[str], *, locks_event: bool, locks_games: bool) -> None:
    if status:
        expect_status(tournament, *status)
    if locks_event:
        lock_event(tournament.event)
    if locks_games:
        lock_games(tournament.pk)


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
