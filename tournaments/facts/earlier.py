"""Facts of tournaments as the current code has them: earlier forms are read as current ones.

Up to reading version 2 a draw of mini-tournaments was a fact of its own, `draw_made`:

    {"stage": id, "number": 1, "format": …, "method": …, "seed": …, "plan": …,
     "teams": [{"team": id, "entries": [ids by drawn squad order], "reserves": [ids]}, …],
     "squad_size": 1,
     "apart": [[[team index, entry number], …], …], "strong": [[team index, entry number], …],
     "matches": [{"round": 1, "wave": 1, "table": 1, "sides": [[team index, squad number], …],
                  "games": [[first side, second side], …]}, …]}

It is read as a `stage_drawn` (`tournaments.facts.stages`). Its squads and matches keep their ids, which
follow from their places in it. As long as the database needs no higher reading version, such a draw is still
written so, since older code may read it.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import UUID, uuid5

from ledger import needed_code_version, read
from ledger.entries import StoredFact
from people.models import Entry
from tournaments.formats.catalogue import FORMATS

Body = Mapping[str, Any]

_MADE: Final = "draw_made"
_DRAWN: Final = "stage_drawn"
_NEEDED: Final = 3
"""The reading version of databases that have no `draw_made` any more."""


def decisions(stream: UUID, *, until: int | None = None) -> list[StoredFact]:
    """The facts of a tournament's stream in order; one query."""
    return [as_current(fact) for fact in read.facts(stream, until=until)]


def as_current(fact: StoredFact) -> StoredFact:
    """A fact as the current code would have written it."""
    if fact.type != _MADE:
        return fact
    return fact._replace(type=_DRAWN, text=json.dumps(_stage_drawn(fact.body)))


def current_type(type: str) -> str:
    """The type by which the current code would have written a fact."""
    return _DRAWN if type == _MADE else type


def told_type(type: str, format: str) -> str:
    """The type by which a fact is told to people and programs.

    The draw of a whole tournament has the type by which it was stored earlier. `format` is that of the draw,
    empty where none is given.
    """
    is_whole = type == _DRAWN and format and not FORMATS[format].is_by_round
    return _MADE if is_whole else type


def stored_types(types: Iterable[str]) -> tuple[str, ...]:
    """These types of facts with those by which earlier versions stored them."""
    return tuple(stored for each in types for stored in ((_MADE, _DRAWN) if each == _DRAWN else (each,)))


def as_stored(type: str, body: Body) -> tuple[str, Body]:
    """Type and body by which this database has a new fact written; two queries where that is an earlier
    form.
    """
    if told_type(type, body.get("format", "")) == type or needed_code_version.needed() >= _NEEDED:
        return type, body
    return _MADE, _draw_made(body)


def _stage_drawn(body: Body) -> dict[str, Any]:
    stage, size = UUID(body["stage"]), body["squad_size"]
    squads: list[dict[str, Any]] = []
    numbers: dict[tuple[int, int], int] = {}
    for index, team in enumerate(body["teams"]):
        for number in range(1, len(team["entries"]) // size + 1):
            squads.append(
                {
                    "id": str(uuid5(stage, f"squad/{index}/{number}")),
                    "team": team["team"],
                    "number": number,
                    "entries": team["entries"][(number - 1) * size : number * size],
                    "labels": [],
                    "since": 1,
                }
            )
            numbers[index, number] = len(squads)
    rounds: dict[int, dict[str, Any]] = {}
    for place, match in enumerate(body["matches"], start=1):
        number = match["round"]
        drawn = rounds.setdefault(
            number, {"number": number, "title": "", "values": {}, "byes": [], "matches": []}
        )
        drawn["matches"].append(
            {
                "id": str(uuid5(stage, f"match/{place}")),
                "slot": f"r{number}m{len(drawn['matches']) + 1}",
                "sides": [numbers[index, squad] for index, squad in match["sides"]],
                "notes": [],
                "wave": match["wave"],
                "table": match["table"],
                "games": match["games"],
            }
        )
    return {
        **{name: value for name, value in body.items() if name not in ("teams", "matches")},
        "options": {},
        "match": {},
        "rounds_before": 0,
        "squads": squads,
        "reserves": [entry for team in body["teams"] for entry in team["reserves"]],
        "rounds": list(rounds.values()),
    }


def _draw_made(body: Body) -> dict[str, Any]:
    teams: dict[str, dict[str, Any]] = {}
    for squad in body["squads"]:
        team = teams.setdefault(squad["team"], {"team": squad["team"], "entries": [], "reserves": []})
        team["entries"] += squad["entries"]
    owners = Entry.objects.filter(pk__in=body["reserves"]).values_list("pk", "team")
    team_of = {str(entry): str(team) for entry, team in owners}
    for entry in body["reserves"]:
        teams[team_of[entry]]["reserves"].append(entry)
    index = {team: at for at, team in enumerate(teams)}
    left_out = ("options", "match", "rounds_before", "squads", "reserves", "rounds")
    return {
        **{name: value for name, value in body.items() if name not in left_out},
        "teams": list(teams.values()),
        "matches": [
            {
                "round": drawn["number"],
                "wave": match["wave"],
                "table": match["table"],
                "sides": [
                    [index[squad["team"]], squad["number"]]
                    for squad in (body["squads"][side - 1] for side in match["sides"])
                ],
                "games": match["games"],
            }
            for drawn in body["rounds"]
            for match in drawn["matches"]
        ],
    }
