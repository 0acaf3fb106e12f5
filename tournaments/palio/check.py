"""Build a palio's projections again from facts, and picture them for comparison."""

from typing import Any

from django.utils.translation import gettext_lazy

from ledger import read
from tournaments.models import OverallStanding, Palio
from tournaments.palio import projection, standing
from tournaments.palio.decisions import lock

ROWS = {
    "rules": gettext_lazy("the palio’s rules"),
    "jokers": gettext_lazy("the jokers"),
    "placings": gettext_lazy("the places in other games"),
    "versions of the overall table": gettext_lazy("the overall table of the day"),
    "overall table": gettext_lazy("the overall table"),
}


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
        read_in = standing.inputs(known, standing.standings_of(version.standings))
        ranked = read_in.rank()
        version.rows.all().delete()
        for name, value in standing.summary(read_in, ranked).items():
            setattr(version, name, value)
        version.save()
        OverallStanding.objects.bulk_create(standing.table_rows(version, read_in, ranked))
    standing.compute(palio.pk)


def picture(palio: Palio) -> dict[str, Any]:
    """All projected rows of a palio as comparable values, by kind, without ids that are made up anew."""
    versions = palio.overall_versions.order_by("number")
    return {
        "rules": list(Palio.objects.filter(pk=palio.pk).values_list("rules", "teams", "version")),
        "jokers": sorted(palio.jokers.values_list("team", "discipline", "announced_at")),
        "placings": sorted(palio.other_placings.values_list("discipline", "team", "place")),
        "versions of the overall table": list(
            versions.values_list(
                "number", "head", "standings", "decided", "total", "has_open_ties", "is_final", "receipt"
            )
        ),
        "overall table": list(
            OverallStanding.objects.filter(version__in=versions)
            .order_by("version__number", "position")
            .values_list(
                "version__number",
                "team",
                "position",
                "place",
                "is_tied",
                "total",
                "shares",
                "metrics",
                "decided_by",
            )
        ),
    }
