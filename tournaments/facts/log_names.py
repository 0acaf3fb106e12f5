"""Logs with people in them, at the border: names become ids on the way in, and names again on the way out.

Free text becomes codes on the way in. On the way out there are names as far as the reader may see them.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

from games.engine import Refusal, Ruleset, parse_event
from games.logbook import LogbookEntry, WritableGame, type_of
from ledger.hashing import NotCanonicalError, canonical
from people.actors import Actor
from people.models import Team
from tournaments.facts.reasons import REASONS

# From an entry's id to how the reader may see that person.
NameOf = Callable[[UUID], str]


def take_in(
    game: WritableGame,
    actor: Actor,
    events: Iterable[tuple[UUID | None, object]],
    teams: Iterable[Team] | None = None,
) -> list[LogbookEntry]:
    """Entries as they may be stored, from a client's ids and log events.

    An opening is replaced by the game's own, after its rules and number of seats were compared. A team's name
    becomes its id. A correction's reason must be one of `REASONS`. `by` becomes the actor's id, whatever was
    written. What can't be stored raises `Refusal` with its place in the batch, counted from 1, as `line`.
    `teams` are those at the table, where they aren't to be read.
    """
    intake = _Intake(game, actor, teams)
    return [intake.entry(client_id, event, place) for place, (client_id, event) in enumerate(events, start=1)]


class _Intake:
    """What one batch is compared with, read from the database only when it is needed."""

    def __init__(self, game: WritableGame, actor: Actor, teams: Iterable[Team] | None) -> None:
        self._game = game
        self._by = str(actor.id) if actor.id else None
        self._team_ids = None if teams is None else _ids_of(teams)

    def entry(self, client_id: UUID | None, event: object, place: int) -> LogbookEntry:
        """One event as it may be stored."""
        if not isinstance(event, Mapping):
            raise Refusal("malformed", "an event is a JSON object with a `type`", line=place)
        stored = {name: value for name, value in event.items() if name != "by"}
        try:
            check_storable(event)
            match event.get("type"):
                case "game_opened":
                    stored = self._opening(stored)
                case "game_closed":
                    stored = self._closing(stored)
                case "event_voided":
                    _check_reason(stored.get("reason"))
            if stored.keys() != event.keys() or event.get("type") == "game_opened":
                # What is replaced has to be well formed all the same.
                parse_event(event)
        except Refusal as refusal:
            raise refusal.at(place, type_of(event)) from None
        if self._by is not None:
            stored["by"] = self._by
        return LogbookEntry(stored, client_id, dict(event))

    def _opening(self, event: dict[str, Any]) -> dict[str, Any]:
        own = self._game.opening()
        if Ruleset.from_json(event.get("ruleset")) != Ruleset.from_json(own["ruleset"]):
            raise Refusal(
                "malformed",
                "`ruleset` must be this game's own: {own}",
                own=json.dumps(own["ruleset"]),
            )
        seats = event.get("seats")
        if not isinstance(seats, list) or len(seats) != len(own["seats"]):
            raise Refusal(
                "malformed", "`seats` must list the {count} players of this game", count=len(own["seats"])
            )
        return {**event, **own}

    def _closing(self, event: dict[str, Any]) -> dict[str, Any]:
        team = event.get("team")
        if not isinstance(team, str):
            return event
        known = self._teams()
        if team not in known:
            raise Refusal(
                "malformed",
                "the team that has won must be one at this table: {teams}",
                teams=", ".join(sorted(known.keys() - set(known.values()))),
            )
        return {**event, "team": known[team]}

    def _teams(self) -> dict[str, str]:
        """The teams at the table, by id and by name."""
        if self._team_ids is None:
            self._team_ids = _ids_of(Team.objects.filter(pk__in=self._game.row.seats.values("team")))
        return self._team_ids


def _ids_of(teams: Iterable[Team]) -> dict[str, str]:
    return {named: str(team.pk) for team in teams for named in (str(team.pk), team.name)}


def check_storable(sent: Any) -> None:
    """Refuse as `malformed` what facts can't hold (fractions, numbers beyond 2^53, half characters), wherever
    it stands.

    That goes also for what isn't stored, since what a client sent is compared when it is sent again.
    """
    try:
        canonical(sent)
    except NotCanonicalError as error:
        # Keys stand in the path as they were sent; what is wrong there is said in English alone.
        where = ascii(str(error).partition(": ")[0][-200:])[1:-1]
        raise Refusal(
            "malformed",
            "only text, whole numbers to 2^53, true, false, null, lists and objects can be stored; "
            "at {where} stands something else",
            where=where,
        ) from error


def _check_reason(reason: object) -> None:
    if not isinstance(reason, str) or reason not in REASONS:
        raise Refusal("malformed", "`reason` must be one of {choices}", choices=", ".join(REASONS))


def show(
    events: Iterable[Mapping[str, Any]],
    name_of: NameOf,
    team_names: Mapping[UUID, str],
    *,
    with_actors: bool = False,
) -> list[dict[str, Any]]:
    """A stored log as a reader may see it: persons by `name_of`, teams by name; `by` only `with_actors`."""
    return [_shown(event, name_of, team_names, with_actors) for event in events]


def _shown(
    event: Mapping[str, Any], name_of: NameOf, team_names: Mapping[UUID, str], with_actors: bool
) -> dict[str, Any]:
    shown = dict(event)
    if not with_actors:
        shown.pop("by", None)
    if event["type"] == "game_opened":
        shown["seats"] = [
            {"name": name_of(UUID(seat["name"])), "team": team_names[UUID(seat["team"])]}
            for seat in event["seats"]
        ]
    if event["type"] == "game_closed" and "team" in event:
        shown["team"] = team_names[UUID(event["team"])]
    return shown
