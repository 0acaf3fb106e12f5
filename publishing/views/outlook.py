"""Outlook: the places that each team can still come to."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from people.display_names import Viewer
from publishing.responses import tournament_page
from publishing.subjects import PageSubject, shows_tournament
from tournaments.queries.outlook import Mark, OutlookCell, condition, method, outlook_rows, outlook_table
from tournaments.queries.squad_names import ranked_squad_names
from tournaments.settings.stage import may_need_fewer


@shows_tournament
def outlook(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """Teams or squads and places; five queries at most, one for a reader who already has them."""
    return tournament_page(request, subject, "outlook", outlook_stamp(subject), lambda: _context(subject))


def outlook_stamp(subject: PageSubject) -> str:
    """What the page stands on: the standings that it goes on from, and whether there are newer."""
    return f"{subject.base} {subject.outlook} {subject.is_looked_ahead}"


def _context(subject: PageSubject) -> dict[str, Any]:
    table = outlook_table(subject.tournament) if subject.is_shown else None
    if table is None:
        return {}
    if not table.is_newest:
        # Of newer standings, which are a page away, an older outlook may say what isn't so any more.
        return {"is_behind": True}
    has_squads = any(row.squad_id is not None for row, _ in table.contestants)
    told = outlook_rows(
        table, ranked_squad_names(Viewer.public(subject.event), [table.version.pk]) if has_squads else {}
    )
    return {
        "table": table,
        "version": table.version,
        "may_need_fewer": may_need_fewer(subject.tournament.settings, subject.stage, table.open_games),
        "lines": told,
        "marks": {_in_key(cell) for line in told for cell in line.cells},
        "places": range(1, len(table.contestants) + 1),
        "condition": condition(table),
        "method": method(table),
        "asks_what_if": subject.tournament.choice.ranks_teams,
    }


def _in_key(cell: OutlookCell) -> str:
    """Which line of the table's key explains a cell."""
    return "share" if cell.share and cell.mark is Mark.POSSIBLE else cell.mark.value
