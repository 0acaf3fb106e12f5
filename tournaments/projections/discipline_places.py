"""Places in the overall table after each discipline, worked out from what was decided.

They follow from facts alone: it makes no difference how many disciplines were decided before the table was
computed again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from ledger import read
from ledger.entries import StoredFact
from ledger.models import Fact
from tournaments.models import OverallVersion
from tournaments.projections.overall_inputs import OverallInputs, inputs, standings_of
from tournaments.projections.round_end_places import Stood


@dataclass(frozen=True, slots=True)
class DisciplineEnd:
    """The places once a discipline was decided, after those that were decided before it."""

    discipline: str
    at: datetime
    standings: tuple[Stood, ...]


def discipline_ends(version: OverallVersion) -> tuple[DisciplineEnd, ...]:
    """The places after each discipline that counts in a version of the table, with the results that this
    version has read.

    Two queries, and two for each tournament.
    """
    decisions = read.facts(version.palio_id, until=version.head)
    return _ends(
        inputs(decisions, standings_of(version.palio, version.standings)), decisions, version.standings
    )


def places_before(
    read_in: OverallInputs, decisions: Iterable[StoredFact], numbers: Mapping[str, int]
) -> Mapping[UUID, int]:
    """The places by team once one discipline fewer was decided; empty where that is none. `numbers` are the
    versions of the tournaments' standings that were read; one query.
    """
    ends = _ends(read_in, decisions, numbers)
    return {one.who: one.place for one in ends[-2].standings} if len(ends) > 1 else {}


def _ends(
    now: OverallInputs, decisions: Iterable[StoredFact], numbers: Mapping[str, int]
) -> tuple[DisciplineEnd, ...]:
    at = _entered_at(decisions) | _closed_at(numbers)
    order = sorted((each.key for each in now.disciplines if each.placings), key=at.__getitem__)
    found = []
    for number, key in enumerate(order, start=1):
        counting = set(order[:number])
        then = replace(
            now,
            disciplines=tuple(
                each if each.key in counting else replace(each, placings=()) for each in now.disciplines
            ),
            # Lots are drawn once all is decided.
            lots=now.lots if number == len(order) else (),
        )
        stood = tuple(Stood(row.team, row.team, row.place, bool(row.tied_with)) for row in then.rank())
        found.append(DisciplineEnd(key, at[key], stood))
    return tuple(found)


def _entered_at(decisions: Iterable[StoredFact]) -> dict[str, datetime]:
    """When the places in each other game were entered first; a correction is no later end."""
    found: dict[str, datetime] = {}
    for fact in decisions:
        if fact.type == "placements_entered":
            found.setdefault(fact.body["discipline"], fact.recorded_at)
        elif fact.type == "palio_set_up":
            kept = {each["id"] for each in fact.body["rules"]["disciplines"]}
            found = {key: at for key, at in found.items() if key in kept}
    return found


def _closed_at(numbers: Iterable[str]) -> dict[str, datetime]:
    """When each of these tournaments was closed first; closing it again is no later end. One query."""
    closed = Fact.objects.filter(type="tournament_closed", stream__in=[UUID(each) for each in numbers])
    found: dict[str, datetime] = {}
    for fact in read.stored_facts(closed.order_by("sequence")):
        found.setdefault(str(fact.stream), fact.recorded_at)
    return found
