"""Build a palio's projections again from facts, and picture them for comparison."""

from ledger import read
from tournaments.facts.locks import lock
from tournaments.models import OverallStanding, Palio
from tournaments.projections import overall, overall_inputs, palio_rows
from tournaments.projections.discipline_ends import places_before


def rebuild_palio(palio: Palio) -> None:
    """Build one palio's rows again: decisions, and every version of its table; in a transaction.

    The standings of its tournaments have to be built before.
    """
    palio = lock(palio)
    decisions = read.facts(palio.pk)
    palio_rows.clear(palio)
    for fact in decisions:
        palio_rows.project(palio, fact)
    for version in palio.overall_versions.order_by("number"):
        known = [fact for fact in decisions if fact.sequence <= version.head]
        read_in = overall_inputs.inputs(known, overall_inputs.standings_of(palio, version.standings))
        ranked = read_in.rank()
        version.rows.all().delete()
        for name, value in overall.summary(read_in, ranked).items():
            setattr(version, name, value)
        version.save()
        before = places_before(read_in, known, version.standings)
        OverallStanding.objects.bulk_create(overall.table_rows(version, read_in, ranked, before))
    overall.compute(palio.pk)
