"""Batches from a page: the version that it was made from, and ordered entries with their ids.

Without scripts a batch is one tap; a phone that was out of reach sends what has waited in the same form.
"""

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, Self
from uuid import UUID, uuid4

from django.http import QueryDict

from games.engine import Event, Refusal, parse_event
from games.logbook import Written
from ledger.errors import ClientIdReusedError
from people.actors import Actor
from people.number_parsing import whole_number
from tournaments.commands import results
from tournaments.commands.table_absences import absent_seats, enter_without
from tournaments.models import MatchGame

MOST_ENTRIES = 400
"""Each is two fields of a form, and Django takes a thousand."""


# Log events with their clients' ids, in order.
Entries = tuple[tuple[UUID, dict[str, Any]], ...]


class UnreadableBatchError(ValueError):
    """What was sent isn't what a page of ours sends."""


@dataclass(frozen=True, slots=True)
class SentBatch:
    """Entries as (client's id, log event), begun at `version`. `absent` are the sides that aren't at a table
    of many, from 0, where that is said with the end of its game.
    """

    version: int
    entries: Entries
    absent: frozenset[int] | None = None

    @classmethod
    def of(cls, post: QueryDict) -> Self:
        """From the fields `version`, `id` and `event` (JSON), of which there may be several.

        A single one may come with `at`, and a result with points of seats in `points-0`, `points-1`, …, or
        places in `places-0`, …, and with who wasn't there in `absent`: `2 3`, or several.
        """
        ids, events = post.getlist("id"), post.getlist("event")
        if not events:
            events = [json.dumps(composed(post))]
        if len(ids) != len(events) or len(events) > MOST_ENTRIES:
            raise UnreadableBatchError("as many ids as events")
        added = _added(post, post.getlist("absent")) if len(events) == 1 else {}
        entries = tuple((_uuid(id_), _object(event) | added) for id_, event in zip(ids, events, strict=True))
        said = [event.pop("absent") for _id, event in entries if "absent" in event]
        return cls(version_of(post), entries, _sides(said[-1]) if said else None)

    def events(self) -> list[Event]:
        """The log events, as far as they can be read."""
        found = []
        for _, event in self.entries:
            try:
                found.append(parse_event(event))
            except Refusal:
                break
        return found

    def after(self, stored: Container[UUID]) -> Self:
        """What is left of it without the entries at its beginning that are stored."""
        first = next((place for place, (id_, _) in enumerate(self.entries) if id_ not in stored), 0)
        return replace(self, entries=self.entries[first:])

    def again(self, version: int) -> Self:
        """The same entries anew, for a game that has gone on."""
        return replace(self, version=version, entries=tuple((uuid4(), event) for _, event in self.entries))

    def once(self) -> Entries:
        """The entries, each once; raises `ClientIdReusedError` for two under one id."""
        first: dict[UUID, dict[str, Any]] = {}
        for id_, event in self.entries:
            if first.setdefault(id_, event) != event:
                raise ClientIdReusedError(id_)
        return tuple(first.items())

    def fields(self) -> list[tuple[str, str]]:
        """The fields by which a form sends this batch."""
        pairs = [("version", str(self.version))]
        for id_, event in self.entries:
            is_end = self.absent is not None and event.get("type") == "game_closed"
            said = event | {"absent": sorted(self.absent or ())} if is_end else event
            pairs += [("id", str(id_)), ("event", json.dumps(said, ensure_ascii=False))]
        return pairs


def replacement(query: QueryDict) -> list[dict[str, Any]]:
    """What is right instead, of a form that asks for a preview: an event, its fields, or nothing."""
    if "type" in query:
        return [composed(query)]
    return [_object(event) for event in query.getlist("event")]


def _added(post: Mapping[str, str], absent: Sequence[str]) -> dict[str, Any]:
    """What a form adds to its event: the time on the phone, points and places where any were typed in, and
    who wasn't there where that is asked (`absent` are the values of its fields).
    """
    added: dict[str, Any] = {"at": post["at"]} if post.get("at") else {}
    for prefix, field in (("points-", "scores"), ("places-", "places")):
        typed = [name for name in post if name.startswith(prefix) and post[name].strip()]
        if typed:
            added[field] = {name.removeprefix(prefix): _number(post, name) for name in typed}
    if absent:
        sides = " ".join(absent).split()
        added["absent"] = [whole_number(side) for side in sides]
    return added


def _sides(given: object) -> frozenset[int]:
    """The numbers of sides that are listed."""
    if not isinstance(given, list) or not all(type(side) is int and 0 <= side < 10 for side in given):
        raise UnreadableBatchError("numbers of sides in absent")
    return frozenset(given)


def composed(post: Mapping[str, str]) -> dict[str, Any]:
    """A log event from the fields of a form that puts it together: a hand's points."""
    if post.get("type") == "hand_shown":
        return {"type": "hand_shown", "seat": _number(post, "seat"), "points": _number(post, "points")}
    raise UnreadableBatchError("an event")


def write(match_game: MatchGame, actor: Actor, batch: SentBatch) -> Written:
    """Enter a batch as far as it is legal.

    Raises the refusal of what wasn't; `Refused`, also for points and places that can't go with a result; and
    the ledger's `ConflictError` and `ClientIdReusedError`. What comes before it is stored.
    """
    written, version = None, batch.version
    for entries in _parts(batch.entries):
        ends = [event for _id, event in entries if event.get("type") == "game_closed"]
        for event in ends:
            away = absent_seats(match_game, batch.absent or ())
            if isinstance(event.get("scores"), dict):
                event["scores"] = {str(seat): 0 for seat in away} | event["scores"]
                results.check_points(match_game.game, event["scores"])
            if isinstance(event.get("places"), dict):
                results.check_places(event["places"], len(match_game.game.seats.all()))
        enter = partial(results.write_log, match_game, actor, entries, expected_version=version)
        written = enter_without(match_game, actor, batch.absent if ends else None, ends, enter)
        if written.refusal is not None:
            raise written.refusal
        version = written.version
    assert written is not None  # noqa: S101  # a batch has an entry; for the type checker
    return written


def _parts(entries: Entries) -> list[Entries]:
    """A batch divided before each end of the game: what is wrong with that doesn't hold up what led to it."""
    ends = [place for place, (_id, event) in enumerate(entries) if event.get("type") == "game_closed"]
    cuts = [0, *(place for place in ends if place), len(entries)]
    return [entries[start:stop] for start, stop in pairwise(cuts)]


@dataclass(frozen=True, slots=True)
class SentCorrection:
    """“Line k was wrong”, sent from a page made at `version`; what is right instead, if anything."""

    version: int
    id: UUID
    line: int
    reason: str
    replacement: tuple[dict[str, Any], ...] = ()

    @classmethod
    def of(cls, post: QueryDict) -> Self:
        """From the fields `version`, `id`, `line`, `reason`, and `event` for what is right."""
        return cls(
            version_of(post),
            _uuid(post.get("id", "")),
            _number(post, "line"),
            post.get("reason", ""),
            tuple(_object(event) for event in post.getlist("event")),
        )


def version_of(post: Mapping[str, str]) -> int:
    """The version that the page was made from."""
    return _number(post, "version")


def client_id_of(post: Mapping[str, str]) -> UUID:
    """The page's own id of what it sends."""
    return _uuid(post.get("id", ""))


def _number(post: Mapping[str, str], field: str) -> int:
    number = whole_number(post.get(field, "").strip())
    if number is None:
        raise UnreadableBatchError(f"a whole number in {field}")
    return number


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise UnreadableBatchError("an id") from error


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableBatchError("an event as JSON") from error
    if not isinstance(found, dict):
        raise UnreadableBatchError("an event as a JSON object")
    return found
