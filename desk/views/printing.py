"""Everything that is printed, in one place; certificates and score sheets are made here."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from desk import paper_pdfs
from desk.forms.printing import OF_PALIO, CertificatesForm, SheetsForm, nameable
from desk.page import organizer, page, private_pdf, tabs
from people.access import EventRequest
from people.models import Entry, Event
from people.person_erasure import is_purged
from people.refusals import Refused
from tournaments.models import Palio, Tournament
from tournaments.queries.participation import Participants, participants_of


def _chosen_entries(event: Event, asked: Mapping[str, Any], participants: Participants) -> list[Entry]:
    """Whom the form asks for: players, reserves, or one entry, whichever it is.

    Raises `Refused` where nobody has played yet, and for one who neither played nor is entered.
    """
    rows: QuerySet[Entry] = nameable(event)
    if rows and not participants.entries:
        raise Refused("nobody-played", _("Nobody has played a game yet: there is no certificate to print."))
    if asked["team"]:
        rows = rows.filter(team=asked["team"])
    if asked["entry"]:
        rows = rows.filter(pk=asked["entry"].pk)
    played = participants.entries
    there = [entry for entry in rows if entry.status == Entry.Status.ENTERED or entry.pk in played]
    if not asked["entry"]:
        return [entry for entry in there if (entry.pk in played) is (asked["whose"] == "players")]
    if len(there) < len(rows):
        raise Refused("not-there", _("This player took no part: a certificate would say what isn’t so."))
    return there


@organizer
def printing(request: EventRequest) -> HttpResponse:
    """What there is to print, and what each is for."""
    event = request.event
    tournaments = tabs(event)
    context = {
        "tournaments": [(each, each.status in Tournament.PUBLIC) for each in tournaments],
        "is_drawn": any(each.status in Tournament.PUBLIC for each in tournaments),
        "has_palio": Palio.objects.filter(event=event, overall_versions__isnull=False).exists(),
        "certificates_form": CertificatesForm(event, tournaments),
        "sheets_form": SheetsForm(),
        "is_purged": is_purged(event),
        "has_tables": event.tables.exists(),
        "here": "printing",
    }
    return page(request, "desk/printing.html", context)


@organizer
@require_safe
def certificates(request: EventRequest) -> HttpResponseBase:
    """The certificates that were asked for, as a PDF."""
    event = request.event
    tournaments = tabs(event)
    form = CertificatesForm(event, tournaments, request.GET)
    if not form.is_valid():
        context = {"certificates_form": form, "is_purged": is_purged(event), "here": "printing"}
        return page(request, "desk/certificates.html", context, 422 if request.GET else 200)
    asked = form.cleaned_data
    if asked["of"] == OF_PALIO:
        places = paper_pdfs.places_of_palio(event) or paper_pdfs.Places(event.name, False, {}, {})
        participants = participants_of(tournaments, event.palio)
    else:
        places = paper_pdfs.places_of(form.tournaments[asked["of"]])
        participants = participants_of([form.tournaments[asked["of"]]])
    order = paper_pdfs.CertificateOrder(event, places, participants, asked["size"], asked["signature"])
    with timezone.override(event.time_zone):
        if asked["whose"] == "teams":
            teams = [asked["team"]] if asked["team"] else event.teams.order_by("number")
            made = order.of_teams(teams)
        else:
            made = order.of_players(_chosen_entries(event, asked, participants))
    return private_pdf(made, f"{event.slug}-{asked['whose']}")


@organizer
@require_safe
def score_sheets(request: EventRequest, tournament: Tournament) -> HttpResponseBase:
    """Score sheets for the tables, as a PDF."""
    form = SheetsForm(request.GET)
    if not form.is_valid():
        context = {"form": form, "tournament": tournament, "here": "printing"}
        return page(request, "desk/score_sheets.html", context, 422)
    asked = form.cleaned_data
    with timezone.override(request.event.time_zone):
        made = paper_pdfs.score_sheets(tournament, round=asked["round"], spares=asked["spares"] or 0)
    return private_pdf(made, f"{tournament.slug}-sheets")
