"""Inputs of a palio's overall table: its decisions, and the final standings of its tournaments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Subquery

from ledger import read
from ledger.entries import StoredFact
from tournaments.models import Palio, StandingsVersion
from tournaments.settings.palio import DisciplineKind, PalioRules
from tournaments.standings import Discipline, Joker, OverallRow, Placing, rank_overall


@dataclass(frozen=True, slots=True)
class OverallInputs:
    """All that a version of the overall table is computed from."""

    rules: PalioRules
    teams: tuple[UUID, ...]
    disciplines: tuple[Discipline[UUID], ...]
    jokers: tuple[Joker[UUID], ...]
    lots: tuple[tuple[UUID, ...], ...]

    def rank(self) -> list[OverallRow[UUID]]:
        """The order of the teams."""
        return rank_overall(self.teams, self.disciplines, self.rules.overall(), self.jokers, self.lots)

    def with_places(self, discipline: UUID, places: Iterable[tuple[UUID, int]]) -> "OverallInputs":
        """The same if the teams had come in these places of another game."""
        scale = next(each.scale for each in self.rules.disciplines if each.id == discipline)
        key = str(discipline)
        changed = tuple(
            Discipline.of_places(key, tuple(places), scale, each.weight) if each.key == key else each
            for each in self.disciplines
        )
        return replace(self, disciplines=changed)

    def decided(self) -> int:
        """How many disciplines count."""
        return sum(bool(each.placings) for each in self.disciplines)


def inputs_now(palio: Palio) -> OverallInputs:
    """What the overall table is computed from at this moment; changes nothing."""
    return inputs(read.facts(palio.pk), placings_of(final_standings(palio)))


def final_standings(palio: Palio) -> dict[UUID, StandingsVersion]:
    """The newest standings of the palio's tournaments, where these are final; one query."""
    rules = PalioRules.from_json(palio.rules)
    tournaments = [each.id for each in rules.disciplines if each.kind is DisciplineKind.TOURNAMENT]
    newest = StandingsVersion.objects.filter(tournament=OuterRef("tournament")).order_by("-number")
    found = StandingsVersion.objects.filter(
        tournament__in=tournaments,
        tournament__event=palio.event_id,
        is_final=True,
        number=Subquery(newest.values("number")[:1]),
    )
    return {version.tournament_id: version for version in found}


def standings_of(palio: Palio, numbers: Mapping[str, int]) -> dict[UUID, list[Placing[UUID]]]:
    """The placings of the standings that a version of the palio's table has read.

    Raises StandingsVersion.DoesNotExist for those that aren't of its event.
    """
    own = StandingsVersion.objects.filter(tournament__event=palio.event_id)
    return placings_of(
        {
            UUID(tournament): own.get(tournament=UUID(tournament), number=number)
            for tournament, number in numbers.items()
        }
    )


def placings_of(final: Mapping[UUID, StandingsVersion]) -> dict[UUID, list[Placing[UUID]]]:
    """The places and points of each tournament whose standings are final; one query each."""
    return {tournament: placings(version) for tournament, version in final.items()}


def inputs(decisions: Iterable[StoredFact], final: Mapping[UUID, list[Placing[UUID]]]) -> OverallInputs:
    """Put together what the decisions up to some moment and the final standings at that moment say."""
    rules: dict[str, Any] = {}
    teams: list[UUID] = []
    jokers: dict[tuple[UUID, str], Joker[UUID]] = {}
    entered: dict[str, list[tuple[UUID, int]]] = {}
    lots: list[tuple[UUID, ...]] = []
    for fact in decisions:
        body = fact.body
        match fact.type:
            case "palio_set_up":
                rules = body["rules"]
                teams = [UUID(team) for team in body["teams"]]
                kept = {each["id"] for each in rules["disciplines"]}
                jokers = {key: joker for key, joker in jokers.items() if joker.discipline in kept}
                entered = {key: places for key, places in entered.items() if key in kept}
            case "joker_played":
                joker = Joker(UUID(body["team"]), body["discipline"], fact.recorded_at)
                jokers[joker.team, joker.discipline] = joker
            case "joker_withdrawn":
                jokers.pop((UUID(body["team"]), body["discipline"]), None)
            case "placements_entered":
                entered[body["discipline"]] = [(UUID(team), place) for team, place in body["places"]]
            case "overall_lots_drawn":
                lots += [tuple(UUID(team) for team in order) for order in body["orders"]]
    chosen = PalioRules.from_json(rules)
    disciplines = tuple(
        Discipline(each.key, tuple(final.get(each.id, ())), each.weight)
        if each.kind is DisciplineKind.TOURNAMENT
        else Discipline.of_places(each.key, entered.get(each.key, ()), each.scale, each.weight)
        for each in chosen.disciplines
    )
    # A team that joined after the palio was set up counts with what it took, after the others where level.
    taking = [placing.team for each in disciplines for placing in each.placings]
    named = dict.fromkeys([*teams, *taking, *(joker.team for joker in jokers.values())])
    return OverallInputs(chosen, tuple(named), disciplines, tuple(jokers.values()), tuple(lots))


PlacedRow = tuple[UUID, int, Fraction | None]
"""A row of the standings: team, place, placement points (None while something has to decide first)."""


def placings(version: StandingsVersion) -> list[Placing[UUID]]:
    """The teams' results in a tournament, first place first; one query."""
    rows = version.rows.order_by("position").values_list("team_id", "place", "placement_points")
    return of_teams((team, place, Fraction(points) if points else None) for team, place, points in rows)


def of_teams(ranked: Iterable[PlacedRow]) -> list[Placing[UUID]]:
    """One result a team. A team with several rows (its squads) has the sum of their points. Then all teams'
    places are by that sum, shared as 1, 2, 2, 4.
    """
    of_team: dict[UUID, list[PlacedRow]] = {}
    for row in ranked:
        of_team.setdefault(row[0], []).append(row)
    if all(len(rows) == 1 for rows in of_team.values()):
        return [Placing(*row) for rows in of_team.values() for row in rows]
    sums = {team: _sum([points for _team, _place, points in rows]) for team, rows in of_team.items()}
    # Of a team that waits for lots or a play-off the sum isn't known, and its place comes after the others'.
    order = sorted(sums, key=lambda team: (sums[team] is None, -(sums[team] or 0)))
    found: list[Placing[UUID]] = []
    for points, level in groupby(order, key=lambda team: sums[team]):
        place = len(found) + 1
        found += [Placing(team, place, points) for team in level]
    return found


def _sum(points: Sequence[Fraction | None]) -> Fraction | None:
    known = [each for each in points if each is not None]
    return sum(known, Fraction(0)) if len(known) == len(points) else None
