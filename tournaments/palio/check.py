"""Build a palio's projections again from facts, and picture them for comparison."""

from ledger import read
from tournaments import pictures
from tournaments.models import OverallStanding, Palio
from tournaments.palio import projection, standing
from tournaments.palio.decisions import lock


def rebuild_palio(palio: Palio) -> None:
    """Build one palio's rows again: decisions, and every version of its table; in a transaction.

    The standings of its tournaments have to be built before.
    """
    palio = lock(palio)
    decisions = read.facts(palio.pk)
    projection.clear(palio)
    for fact in decisions:
        projection.project(palio, fact)
    for version in palio.overall_versions.order_by("number"):
        known = [fact for fact in decisions if fact.sequence <= version.head]
        read_in = standing.inputs(known, standing.standings_of(palio, version.standings))
        ranked = read_in.rank()
        version.rows.all().delete()
        for name, value in standing.summary(read_in, ranked).items():
            setattr(version, name, value)
        version.save()
        OverallStanding.objects.bulk_create(standing.table_rows(version, read_in, ranked))
    standing.compute(palio.pk)


def picture(palio: Palio) -> pictures.Picture:
    """All projected rows of a palio as comparable values."""
    return pictures.picture(palio, pictures.OVERALL)
