"""The overall table as computed from decisions and final standings, and stored."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from ledger import outbox, read, receipts
from ledger.entries import StoredFact
from tournaments.facts import outbox_topics, version_seals
from tournaments.facts.outbox_topics import SHOWN
from tournaments.models import OverallStanding, OverallVersion, Palio
from tournaments.projections.discipline_places import places_before
from tournaments.projections.overall_inputs import OverallInputs, final_standings, inputs, placings_of
from tournaments.projections.standings import decision_json, values_json
from tournaments.standings import OverallRow
from tournaments.standings.model import by_level


@transaction.atomic
def compute(palio_id: UUID) -> OverallVersion | None:
    """Bring the overall table up to date and return the current version; None before the first decision.

    Twice, late or in any order it gives the same rows. A version is added only where a decision or final
    standings have come since the last.
    """
    palio = Palio.objects.select_for_update(no_key=True).filter(pk=palio_id).first()
    if palio is None:
        return None
    taken = outbox.take(outbox_topics.OVERALL, palio_id)
    latest = palio.overall_versions.order_by("-number").first()
    if palio.version:
        final = final_standings(palio)
        numbers = {str(tournament): version.number for tournament, version in final.items()}
        if latest is None or (latest.head, latest.standings) != (palio.version, numbers):
            decisions = read.facts(palio_id, until=palio.version)
            latest = _store(palio, latest, numbers, inputs(decisions, placings_of(final)), decisions)
    if taken:
        outbox.announce(SHOWN, palio.event_id, palio.pk, palio.version)
    outbox.settle(taken)
    return latest


def _store(
    palio: Palio,
    latest: OverallVersion | None,
    numbers: dict[str, int],
    read_in: OverallInputs,
    decisions: Sequence[StoredFact],
) -> OverallVersion:
    ranked = read_in.rank()
    told = summary(read_in, ranked)
    # A table that is corrected once it was final is final again: the receipt of before doesn't cover it.
    receipt = receipts.make_receipt(palio.event_id).root if told["is_final"] else ""
    number, before = (latest.number + 1, latest.seal) if latest else (1, version_seals.FIRST)
    now = timezone.now()
    version = OverallVersion.objects.create(
        palio=palio,
        number=number,
        computed_at=now,
        head=palio.version,
        standings=numbers,
        receipt=receipt,
        seal=version_seals.seal(
            before, palio.pk, number, now, numbers | {str(palio.pk): palio.version}, receipt
        ),
        **told,
    )
    compared = places_before(read_in, decisions, numbers)
    OverallStanding.objects.bulk_create(table_rows(version, read_in, ranked, compared))
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
    version: OverallVersion,
    read_in: OverallInputs,
    ranked: list[OverallRow[UUID]],
    before: Mapping[UUID, int],
) -> list[OverallStanding]:
    """The rows of a version, not yet saved; `before` are the places that these are compared with."""
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
            movement=before[row.team] - row.place if row.team in before else None,
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
            metrics=values_json(row),
            decided_by=decision_json(row),
        )
        for position, row in enumerate(ranked, start=1)
    ]


def open_ties(version: OverallVersion) -> list[tuple[UUID, ...]]:
    """The groups of teams among which lots must still be drawn."""
    if not version.has_open_ties:
        return []
    tied = version.rows.filter(is_tied=True).order_by("position")
    return list(by_level(tied.values_list("place", "team_id")))
