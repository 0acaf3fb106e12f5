"""Squads as they were when a fact was recorded: a draw that was made anew has other ones by now."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from ledger.entries import StoredFact
from ledger.models import Fact
from ledger.read import stored_facts
from tournaments.facts.earlier import as_current, stored_types
from tournaments.facts.stages import squad_id

NAMING = (
    *("draw_edited", "squad_gone", "squad_back", "squad_added", "rounds_redrawn"),
    *("lots_drawn", "play_off_decided", "points_adjusted"),
)
"""Facts that name squads."""
_FORMING = stored_types(("stage_drawn", "squad_added", "entry_substituted"))


class SquadsThen:
    """The entries of the squads that these facts of tournaments name; one query, none if they name none."""

    def __init__(self, facts: Iterable[StoredFact]) -> None:
        naming = sorted(
            (fact for fact in facts if fact.type in NAMING), key=lambda fact: (fact.stream, fact.sequence)
        )
        self._found: dict[UUID, _Seats] = {}
        rows = Fact.objects.filter(stream__in={fact.stream for fact in naming}, type__in=_FORMING)
        forming: dict[UUID, list[StoredFact]] = {}
        for fact in stored_facts(rows.order_by("stream", "sequence")) if naming else ():
            forming.setdefault(fact.stream, []).append(as_current(fact))
        for stream in {fact.stream for fact in naming}:
            seats, left = _Seats(), list(reversed(forming.get(stream, ())))
            for fact in naming:
                if fact.stream != stream:
                    continue
                while left and left[-1].sequence <= fact.sequence:
                    seats.change(left.pop())
                self._found[fact.id] = seats.copy()

    def of_number(self, fact: StoredFact, team: str, number: int) -> tuple[UUID, ...]:
        """The entries of a squad by its number in the team."""
        return self._found[fact.id].of_number(team, number) if fact.id in self._found else ()

    def of_id(self, fact: StoredFact, squad: UUID) -> tuple[str, tuple[UUID, ...]]:
        """The team and the entries of a squad by its id; "" and nobody for one that there wasn't."""
        return self._found[fact.id].of_id(squad) if fact.id in self._found else ("", ())

    def entries(self) -> set[UUID]:
        """Everybody who sits in one of them."""
        return {entry for seats in self._found.values() for entry in seats.entries()}


class _Seats:
    """The squads of a tournament at one moment."""

    def __init__(self) -> None:
        self._by_number: dict[tuple[str, int], tuple[UUID, ...]] = {}
        self._keys: dict[UUID, tuple[str, int]] = {}
        self._counts: dict[str, int] = {}

    def copy(self) -> "_Seats":
        twin = _Seats()
        twin._by_number, twin._keys = dict(self._by_number), dict(self._keys)
        return twin

    def change(self, fact: StoredFact) -> None:
        """What a fact makes of them."""
        body = fact.body
        match fact.type:
            case "stage_drawn":
                if body["number"] == 1:
                    self._by_number.clear()
                self._counts[body["stage"]] = 0
                for squad in body["squads"]:
                    self._add(body["stage"], squad)
            case "squad_added":
                self._add(body["stage"], body["squad"])
            case "entry_substituted":
                key = body["team"], body["squad"]
                out, into = UUID(body["out"]), UUID(body["in"])
                self._by_number[key] = tuple(
                    into if entry == out else entry for entry in self._by_number.get(key, ())
                )

    def _add(self, stage: str, squad: Mapping[str, Any]) -> None:
        self._counts[stage] = self._counts.get(stage, 0) + 1
        key = squad["team"], squad["number"]
        self._by_number[key] = tuple(map(UUID, squad["entries"]))
        self._keys[squad_id(UUID(stage), self._counts[stage], squad)] = key

    def of_number(self, team: str, number: int) -> tuple[UUID, ...]:
        return self._by_number.get((team, number), ())

    def of_id(self, squad: UUID) -> tuple[str, tuple[UUID, ...]]:
        if squad not in self._keys:
            return "", ()
        team, number = self._keys[squad]
        return team, self.of_number(team, number)

    def entries(self) -> Iterable[UUID]:
        return (entry for entries in self._by_number.values() for entry in entries)
