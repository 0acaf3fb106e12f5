"""Public sheets of paper, and the page that a printed receipt leads to."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import pgettext

from ledger.models import Receipt
from ledger.receipts import compare, roots_in
from people.access import EventRequest, event_by_slug, reads_event, requires
from publishing import papers
from publishing.overall import overall_rows
from publishing.responses import page, paper
from publishing.standings_rows import groups, rows
from publishing.subjects import PageSubject, shows_tournament
from publishing.timetable import items_of, planned_of
from publishing.timetable import lines as timetable_lines
from publishing.views.palio import PalioSubject, shows_palio
from publishing.views.standings import names_in
from rendering.pdf.lists import Seal
from tournaments.queries.order_reasons import knockout_ends
from tournaments.queries.palio import overall_table
from tournaments.queries.standings import standings_table
from tournaments.queries.timetable.match_starts import hours

MOST_RECEIPTS = 50
MOST_LETTERS = 2000


@shows_tournament
def standings_paper(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """The standings on A4, final ones with their receipt; three queries, one more where squads are ranked,
    two more of a bracket.
    """
    tournament = subject.tournament
    table = standings_table(tournament) if subject.is_shown else None
    if table is None:
        raise Http404
    names = names_in(subject, table)
    ends = knockout_ends(table.version, subject.stage_format)
    shown = rows(table, names, subject.stage_format, ends=ends)
    in_groups = groups(table, shown, names, tournament.settings, subject.stage)
    where = reverse("publishing:standings", args=[subject.event.slug, tournament.slug])
    with timezone.override(subject.event.time_zone):
        made = papers.standings_paper(
            tournament,
            table.version,
            shown if table.version.is_final or not in_groups else [],
            in_groups,
            address(request, where),
            # Between two rounds it is the last one that was made.
            _seal(request, subject.event.slug, table.version.receipt or subject.receipt),
        )
    name = pgettext("name of a file", "standings")
    return paper(request, subject.event, made, f"{tournament.slug}-{name}.pdf")


@shows_palio
def palio_paper(request: HttpRequest, subject: PalioSubject) -> HttpResponse:
    """The overall table on A4."""
    table = overall_table(subject.event)
    if table is None:
        raise Http404
    where = reverse("publishing:palio", args=[subject.event.slug])
    receipt = table.version.receipt if table.version.is_final else ""
    with timezone.override(subject.event.time_zone):
        made = papers.palio_paper(
            table,
            overall_rows(table),
            address(request, where),
            _seal(request, subject.event.slug, receipt),
        )
    name = pgettext("name of a file", "palio")
    return paper(request, subject.event, made, f"{subject.event.slug}-{name}.pdf")


@shows_tournament
def draw_paper(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """The draw for the notice board."""
    tournament = subject.tournament
    if not subject.is_shown:
        raise Http404
    where = reverse("publishing:matches", args=[subject.event.slug, tournament.slug])
    with timezone.override(subject.event.time_zone):
        begins = {match: hour.begins_at for match, hour in hours(tournament).items()}
        made = papers.draw_paper(tournament, begins, address(request, where))
    name = pgettext("name of a file", "draw")
    return paper(request, subject.event, made, f"{tournament.slug}-{name}.pdf")


@requires(reads_event, event_by_slug)
def timetable(request: EventRequest, event_slug: str, by_team: bool = False) -> HttpResponse:
    """The timetable on A4, table by table or team by team."""
    event = request.event
    found = items_of(event, planned_of(event, list(event.tournaments.all())))
    if not found:
        raise Http404
    where = reverse("publishing:timetable", args=[event.slug])
    with timezone.override(event.time_zone):
        foot = address(request, where)
        made = papers.timetable_paper(event, timetable_lines(event, found), foot, by_team=by_team)
    name = pgettext("name of a file", "teams") if by_team else pgettext("name of a file", "tables")
    return paper(request, event, made, f"{event.slug}-{name}.pdf")


@requires(reads_event, event_by_slug)
def receipts(request: EventRequest, event_slug: str) -> HttpResponse:
    """The last receipts of an event, and where one that was kept is typed in: `?root=` leads to its page."""
    asked = request.GET.get("root", "")[:MOST_LETTERS]
    roots = roots_in(asked)
    if roots:
        return redirect("publishing:receipt", event_slug, roots[0])
    made = Receipt.objects.filter(scope=request.event.pk).order_by("-number")
    context = {
        "receipts": list(made.values("number", "root", "made_at")[:MOST_RECEIPTS]),
        "asked": asked,
        "here": "receipt",
    }
    return page(request, request.event, "publishing/receipts.html", context)


@requires(reads_event, event_by_slug)
def receipt(request: EventRequest, event_slug: str, root: str) -> HttpResponse:
    """Where the code on a printed table leads: whether what was sealed is still as it was."""
    found = compare(root, request.event.pk)
    groups = [root[start : start + 8] for start in range(0, len(root), 8)]
    context = {"compared": found, "groups": groups, "here": "receipt"}
    response = page(request, request.event, "publishing/receipt.html", context)
    if found is None and response.status_code == 200:
        response.status_code = 404
    return response


def address(request: HttpRequest, path: str) -> str:
    """An address as one types it from a sheet of paper."""
    return whole_address(request, path).partition("://")[2]


def whole_address(request: HttpRequest, path: str) -> str:
    """An address as a camera reads it."""
    return settings.PUBLIC_ADDRESS + path if settings.PUBLIC_ADDRESS else request.build_absolute_uri(path)


def _seal(request: HttpRequest, slug: str, root: str) -> Seal | None:
    if not root:
        return None
    return papers.seal(root, whole_address(request, reverse("publishing:receipt", args=[slug, root])))
