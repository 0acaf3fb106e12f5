"""The standings: who is ahead and why, now or as of an earlier moment."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse

from people.date_times import BadMomentError, moment_asked
from publishing.counted_matches import meetings
from publishing.errors import NO_MOMENT, error_response
from publishing.order_explained import order
from publishing.page_cache import shared
from publishing.responses import tournament_page
from publishing.rounds import sat_out
from publishing.rows import RowNames, groups, rows, squads_in, steps
from publishing.subjects import PageSubject, shows_tournament
from tournaments.queries.knockout_ends import knockout_ends
from tournaments.queries.matches import StandingsTable, standings_table
from tournaments.queries.outlook import decided
from tournaments.queries.round_ends import has_chart
from tournaments.settings.stage import may_need_fewer


@shows_tournament
def standings(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """The standings; five queries at most, six of a Swiss, eight of a bracket. A reader who has them
    already costs one.
    """
    asked = request.GET.get("at")
    at: datetime | None = None
    if asked:
        try:
            at = moment_asked(asked, subject.event)
        except BadMomentError:
            return error_response(request, NO_MOMENT)
    stamp = standings_stamp(subject)
    return tournament_page(request, subject, "standings", stamp, lambda: _context(subject, at))


def standings_stamp(subject: PageSubject) -> str:
    """What the page stands on: its version, and whether the first place is sure."""
    return f"{subject.stamp} {subject.first_is_decided}"


def _context(subject: PageSubject, at: datetime | None) -> dict[str, Any]:
    tournament = subject.tournament
    key = ("standings", tournament.pk, at)
    table = shared(key, lambda: standings_table(tournament, at)) if subject.is_shown else None
    context: dict[str, Any] = {"at": at, "clock": subject.clock if at is None else None}
    if table is None:
        return context
    names = names_in(subject, table)
    version = table.version
    against = shared(("meetings", version.pk), lambda: meetings(version, table.rows, names.short))
    resting = shared(("sat out", version.pk), lambda: sat_out(version))
    ends = shared(("knockout ends", version.pk), lambda: knockout_ends(version, subject.stage_format))
    lines = rows(table, names, subject.stage_format, against, resting, ends)
    in_groups = groups(table, lines, names, tournament.settings, subject.stage)
    return context | {
        "version": version,
        "may_need_fewer": may_need_fewer(
            tournament.settings, subject.stage, version.games_total - version.games_played
        ),
        "has_day": has_chart(version, subject.stage_format),
        # While groups are played there is nothing to be said across them.
        "rows": lines if table.version.is_final or not in_groups else [],
        "groups": in_groups,
        "steps": steps(table, names),
        "order": order(version.order, tournament.settings),
        "receipt": _receipt(subject, table, at),
        "decided": _decided(subject, table, names) if at is None else "",
    }


def _receipt(subject: PageSubject, table: StandingsTable, at: datetime | None) -> str:
    """The receipt of a past moment, and of final standings the one that their sheet has; else the newest."""
    if at is not None:
        return table.version.receipt
    return (table.version.receipt if table.version.is_final else "") or subject.receipt


def _decided(subject: PageSubject, table: StandingsTable, names: RowNames) -> str:
    """The line that says that the first place can't change any more; empty while it can, or is final.

    The table may have come after the subject was read: of another version an outlook says nothing.
    """
    if not subject.first_is_decided or subject.outlook != table.version.number:
        return ""
    if not 0 < table.version.games_played < table.version.games_total:
        return ""
    return decided([names.long[row.contestant_id] for row in table.rows if row.place == 1])


def names_in(subject: PageSubject, table: StandingsTable) -> RowNames:
    """What those in a table are called; one query where squads are ranked."""
    return RowNames.of(table.rows, squads_in(subject.event, [table]))
