"""A stage as the facts of its draw hold it.

`stage_drawn`:

    {"stage": id, "number": 1, "format": …, "options": {…}, "match": {"length": …, "games": …},
     "seed": …, "method": …, "squad_size": 1, "rounds_before": 0,
     "squads": [{"team": id, "number": 1, "entries": [ids], "labels": [numbers], "since": 1}, …],
     "reserves": [ids], "rounds": [round, …]}

A squad's place in the list, from 1, is its number as a contestant. `rounds_before` are those of the stages
before, so that a tournament counts its rounds through. `round_drawn` has `stage` and `rounds` alone. A round:

    {"number": 1, "title": msgid, "values": {…}, "byes": [contestants],
     "matches": [{"slot": …, "sides": [contestants], "notes": [[code, contestant], …], "wave": 1, "table": 1,
                  "games": [[index of a side by seat, …], …]}, …]}

Where second meetings were allowed for a round alone it has `"rematches": true`. Where free seats were taken
after it was drawn, `taken` has them in their order: slot, contestant, and whose seat it was or null.
Where teams are ranked, the stage also has `plan`, the name of the plan of their meetings, and what the draw
kept apart, as pairs of a team's place among the teams (from 0) and an entry's number: `apart`, a list for
each group, and `strong`.

A match's id follows from the stage, its slot and its sides, a game's from its match: what a phone has kept
for a pair that was drawn otherwise since can't be taken for that of another pair. Squads and matches of
earlier draws say their `id` themselves (`tournaments.facts.earlier`).
"""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID, uuid5

from tournaments.formats.edits import swap_contestants
from tournaments.formats.format import Contestant, RoundPairing, RoundPlan, TakenSeat
from tournaments.formats.match_lengths import MatchKind
from tournaments.formats.table_layout import waves_and_tables

Body = Mapping[str, Any]


def contestant_id(stage: UUID, number: int) -> UUID:
    """The id of a contestant's squad in this stage."""
    return uuid5(stage, f"contestant/{number}")


def squad_id(stage: UUID, number: int, squad: Body) -> UUID:
    """The id of the squad that is the contestant of this number."""
    return UUID(squad["id"]) if "id" in squad else contestant_id(stage, number)


def id_of_match(stage: UUID, match: Body) -> UUID:
    """The id of a match of a round."""
    if "id" in match:
        return UUID(match["id"])
    return match_id(stage, match["slot"], match["sides"])


def match_id(stage: UUID, slot: str, sides: Iterable[int]) -> UUID:
    """The id of the match of these contestants in this slot."""
    return uuid5(stage, f"slot/{slot}/{'-'.join(map(str, sides))}")


def game_id(match: UUID, number: int) -> UUID:
    """The id of a match's game, from 1."""
    return uuid5(match, f"game/{number}")


def round_body(
    plan: RoundPlan, kind: MatchKind, tables: int | None, *, is_played: bool = True
) -> dict[str, Any]:
    """A round as a fact holds it, with its waves and tables.

    Where only places are entered (`is_played` false) there are no games.
    """
    return {
        "number": plan.number,
        "title": plan.title,
        "values": dict(plan.values),
        "byes": list(plan.byes),
        **({"rematches": True} if plan.rematches else {}),
        **({"taken": [list(seat) for seat in plan.taken]} if plan.taken else {}),
        "matches": [
            {
                "slot": pairing.slot,
                "sides": list(pairing.sides),
                "notes": [list(note) for note in pairing.notes],
                "wave": wave,
                "table": table,
                "games": [list(game) for game in kind.planned(len(pairing.sides))] if is_played else [],
            }
            for pairing, (wave, table) in zip(
                plan.pairings, waves_and_tables(len(plan.pairings), tables), strict=True
            )
        ],
    }


def tables_of(body: Body) -> int | None:
    """How many tables a stage was drawn for; None where there were as many as needed."""
    matches = [match for each in body["rounds"] for match in each["matches"]]
    in_waves = any(match["wave"] > 1 for match in matches)
    return max(match["table"] for match in matches) if in_waves else None


def plan_of(body: Body) -> RoundPlan:
    """A round as the formats know it."""
    return RoundPlan(
        body["number"],
        body["title"],
        tuple(body["values"].items()),
        tuple(
            RoundPairing(
                match["slot"],
                tuple(match["sides"]),
                tuple((code, contestant) for code, contestant in match["notes"]),
            )
            for match in body["matches"]
        ),
        tuple(body["byes"]),
        body.get("rematches", False),
        tuple(TakenSeat(*seat) for seat in body.get("taken", ())),
    )


def swapped(body: Body, one: int, other: int) -> dict[str, Any]:
    """A round in which two contestants have changed places; raises CannotDraw."""
    plan = swap_contestants(plan_of(body), one, other)
    return {
        **body,
        "byes": list(plan.byes),
        "matches": [
            {**match, "sides": list(pairing.sides), "notes": [list(note) for note in pairing.notes]}
            for match, pairing in zip(body["matches"], plan.pairings, strict=True)
        ],
    }


def contestants_of(squads: Iterable[Body]) -> tuple[Contestant, ...]:
    """The contestants of a stage; teams are numbered in the order in which they come."""
    teams: dict[str, int] = {}
    return tuple(
        Contestant(
            number,
            teams.setdefault(squad["team"], len(teams) + 1),
            frozenset(squad["labels"]),
            squad["since"],
            frozenset(squad.get("sits_out", ())),
        )
        for number, squad in enumerate(squads, start=1)
    )
