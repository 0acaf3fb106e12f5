"""The morning: who is here and who is missing, a tap for each, and the slips for the parents."""

from uuid import UUID

from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from desk.address_lookup import entries_of
from desk.departures import lost_places, missed_by, who_forfeited
from desk.page import done, organizer, page, private_pdf
from desk.parents_slips import on_paper, opened, sealed, shown_slips
from people.access import EventRequest
from people.check_in import Slip, arrive, slips_of_present, undo_check_in
from people.check_in import check_in as check_in_entry
from people.models import Entry, Team
from people.refusals import Refused
from rendering.pdf.slips import SHEETS
from tournaments.commands.substitute import replacements_in


@organizer
def check_in(request: EventRequest) -> HttpResponseBase:
    """Everybody, to be found by typing; a fixed number of queries, however many there are."""
    event = request.event
    if request.method == "POST":
        return _note(request)
    order = ("team__number", "person__last_name", "person__first_name", "number")
    entries = list(entries_of(event).order_by(*order))
    context = {
        "entries": entries,
        "presence": [_presence(team, entries) for team in event.teams.order_by("number")],
        "missing": sum(_is_missing(entry) for entry in entries),
        "replaced": replacements_in(event),
        "forfeited": who_forfeited(event),
        "without_slip": sum(
            _is_here(entry) and entry.code_hash is None and entry.person_id is not None for entry in entries
        ),
        "here": "check-in",
    }
    return page(request, "desk/check_in.html", context)


def _presence(team: Team, entries: list[Entry]) -> tuple[Team, int, int, int]:
    """A team on the day: how many are here, how many are missing, how many don't take part any more."""
    own = [entry for entry in entries if entry.team_id == team.pk]
    here, missing = sum(map(_is_here, own)), sum(map(_is_missing, own))
    return team, here, missing, len(own) - here - missing


def _is_here(entry: Entry) -> bool:
    return entry.status == Entry.Status.ENTERED and entry.checked_in_at is not None


def _is_missing(entry: Entry) -> bool:
    return entry.status == Entry.Status.ENTERED and entry.checked_in_at is None


def _note(request: EventRequest) -> HttpResponseRedirect:
    """One tap: somebody is here, or isn't after all."""
    entries = entries_of(request.event).select_related("team__event")
    entry = get_object_or_404(entries, pk=_asked(request))
    if request.POST.get("here") == "no":
        undo_check_in(entry, request.actor)
    else:
        expect_can_come(entry)
        arrive(entry, request.actor)
        if lost_places(entry) or missed_by(entry):
            return redirect("desk:entry-back", request.event.slug, entry.pk)
    there = reverse("desk:check-in", args=[request.event.slug])
    return redirect(f"{there}#e-{entry.pk}")


def _asked(request: EventRequest) -> UUID:
    """The id of the entry that a form is about."""
    try:
        return UUID(request.POST.get("entry", ""))
    except ValueError as error:
        raise Refused("unknown-entry", _("There is no such entry."), status=422) from error


def expect_can_come(entry: Entry) -> None:
    """Raise `Refused` for whom nobody can check in."""
    if entry.status == Entry.Status.WITHDRAWN:
        raise Refused("withdrawn", _("This entry is withdrawn; let it take part again first."))
    if entry.person_id is None:
        raise Refused("erased", _("This person is erased: there is nobody to check in."))


@organizer
@never_cache
@require_POST
def slips(request: EventRequest) -> HttpResponse:
    """New slips: for all who are here and have none, or for one entry; each code is shown this once."""
    asked = _asked(request) if "entry" in request.POST else None
    made = slips_of_present(request.event, request.actor, asked)
    if not made:
        return done(request, _("Everybody who is here has a slip already."), "check-in")
    return _shown(request, made)


def _shown(request: EventRequest, made: list[Slip]) -> HttpResponse:
    count = ngettext("%(count)d slip", "%(count)d slips", len(made)) % {"count": len(made)}
    context = {
        "title": count,
        "slips": shown_slips(request, made),
        "lost": lost_places(made[0].entry) if len(made) == 1 else [],
        "missed": missed_by(made[0].entry) if len(made) == 1 else [],
        "sealed": sealed(request.event, made),
        "here": "check-in",
    }
    return page(request, "desk/slips.html", context)


def slip_page(request: EventRequest, entry: Entry) -> HttpResponse:
    """Check one entry in and show its slip."""
    expect_can_come(entry)
    return _shown(request, [Slip(entry, check_in_entry(entry, request.actor))])


@organizer
@never_cache
@require_POST
def slips_paper(request: EventRequest) -> HttpResponseBase:
    """The slips of the page before as a PDF, on sheets of A4 or A6."""
    made = opened(request.event, request.POST.get("sealed", ""))
    sheet = request.POST.get("sheet", "a4")
    if not made or sheet not in SHEETS:
        raise Refused(
            "slips-too-old",
            _("These slips are too old to be printed. Make new ones: the old codes stop then."),
            status=422,
        )
    return private_pdf(on_paper(request, made, sheet), f"{request.event.slug}-{sheet}")
