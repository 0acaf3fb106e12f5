"""The overall table as computed from decisions and final standings, and stored."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from ledger import outbox, read, receipts
from ledger.entries import StoredFact
from tournaments.facts import seals, topics
from tournaments.facts.topics import SHOWN
from tournaments.models import OverallStanding, OverallVersion, Palio, StandingsVersion
from tournaments.projections.placings import placings
from tournaments.settings.palio import DisciplineKind, PalioRules
from tournaments.standings import Discipline, Joker, OverallRow, Placing, rank_overall
from tournaments.standings.model import by_level


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


@transaction.atomic
def compute(palio_id: UUID) -> OverallVersion | None:
    """Bring the overall table up to date and return the current version; None before the first decision.

    Twice, late or in any order it gives the same rows: a version is added only where a decision or final
    standings have come since the last.
    """
    palio = Palio.objects.select_for_update(no_key=True).filter(pk=palio_id).first()
    if palio is None:
        return None
    taken = outbox.take(topics.OVERALL, palio_id)
    latest = palio.overall_versions.order_by("-number").first()
    if palio.version:
        final = final_standings(palio)
        numbers = {str(tournament): version.number for tournament, version in final.items()}
        if latest is None or (latest.head, latest.standings) != (palio.version, numbers):
            decisions = read.facts(palio_id, until=palio.version)
            latest = _store(palio, latest, numbers, inputs(decisions, _placings(final)))
    if taken:
        outbox.announce(SHOWN, palio.event_id, palio.pk, palio.version)
    outbox.settle(taken)
    return latest


def inputs_now(palio: Palio) -> OverallInputs:
    """What the overall table is computed from at this moment; changes nothing."""
    return inputs(read.facts(palio.pk), _placings(final_standings(palio)))


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
    return _placings(
        {
            UUID(tournament): own.get(tournament=UUID(tournament), number=number)
            for tournament, number in numbers.items()
        }
    )


def _placings(final: Mapping[UUID, StandingsVersion]) -> dict[UUID, list[Placing[UUID]]]:
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


def _store(
    palio: Palio, latest: OverallVersion | None, numbers: dict[str, int], read_in: OverallInputs
) -> OverallVersion:
    ranked = read_in.rank()
    told = summary(read_in, ranked)
    # A table that is corrected once it was final is final again: the receipt of before doesn't cover it.
    receipt = receipts.make_receipt(palio.event_id).root if told["is_final"] else ""
    number, before = (latest.number + 1, latest.seal) if latest else (1, seals.FIRST)
    now = timezone.now()
    version = OverallVersion.objects.create(
        palio=palio,
        number=number,
        computed_at=now,
        head=palio.version,
        standings=numbers,
        receipt=receipt,
        seal=seals.seal(before, palio.pk, number, now, numbers | {str(palio.pk): palio.version}, receipt),
        **told,
    )
    OverallStanding.objects.bulk_create(table_rows(version, read_in, ranked))
    return version


def summary(read_in: OverallInputs, ranked: list[OverallRow[UUID]]) -> dict[str, Any]:
    """The fields of a version that are computed."""
    decided, total = read_in.decided(), len(read_in.disciplines)
    all_decided = bool(total) and decided == total
    open_ties = all_decided and read_in.rules.asks_lots() and any(row.tied_with for row in ranked)
    return {
        "decided": decided,
        "total": total,
        "has_open_ties": open_ties,
        "is_final": all_decided and not open_ties,
    }


def table_rows(
    version: OverallVersion, read_in: OverallInputs, ranked: list[OverallRow[UUID]]
) -> list[OverallStanding]:
    """The rows of a version, not yet saved."""
    jokers = {(joker.team, joker.discipline) for joker in read_in.jokers}
    places = {
        (placing.team, each.key): placing.place for each in read_in.disciplines for placing in each.placings
    }
    return [
        OverallStanding(
            version=version,
            team_id=row.team,
            position=position,
            place=row.place,
            is_tied=bool(row.tied_with),
            total=str(sum((share for _key, share in row.shares if share is not None), Fraction(0))),
            shares=[
                {
                    "discipline": key,
                    "place": places.get((row.team, key)),
                    "points": None if share is None else str(share),
                    "joker": (row.team, key) in jokers,
                }
                for key, share in row.shares
            ],
            metrics=[[metric, None if value is None else str(value)] for metric, value in row.values],
            decided_by=_decision(row),
        )
        for position, row in enumerate(ranked, start=1)
    ]


def _decision(row: OverallRow[UUID]) -> dict[str, Any] | None:
    if row.decided_by is None:
        return None
    return {
        "metric": row.decided_by.metric,
        "value": str(row.decided_by.value),
        "next_value": str(row.decided_by.next_value),
        "among": [str(team) for team in row.decided_by.among],
    }


def open_ties(version: OverallVersion) -> list[tuple[UUID, ...]]:
    """The groups of teams among which lots must still be drawn."""
    if not version.has_open_ties:
        return []
    tied = version.rows.filter(is_tied=True).order_by("position")
    return list(by_level(tied.values_list("place", "team_id")))
