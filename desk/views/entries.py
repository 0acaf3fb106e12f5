"""Who is entered: the list, one by hand, check-in with its slip, withdrawal, erasure."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from desk.forms.entries import EntryForm
from desk.forms.fields import attempt, succeeds
from desk.forms.stale import stamp, unchanged
from desk.page import done, find, organizer, page
from desk.way import team_counts
from people import checkin, privacy
from people.access import EventRequest
from people.actors import Actor
from people.ages import age_on
from people.entries import correct_person, enter_by_hand, lock_event, move, reinstate, withdraw
from people.models import Entry, Event, Team
from tournaments.models import SquadMember
from tournaments.refusals import Refused

PAGE = 100


@organizer
def entries(request: EventRequest, event_slug: str) -> HttpResponseBase:
    """All entries, or those of a team, and a form for one more."""
    event = request.event
    counts = team_counts(event)
    team = next((each.team for each in counts if str(each.team.number) == request.GET.get("team")), None)
    form = EntryForm(event, request.POST or None, {"team": team})
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        entry = attempt(form, lambda: enter_by_hand(event, request.actor, **given))
        if entry is not None:
            told = {"team": entry.team.short_name, "number": entry.number}
            return done(request, _("Entered as %(team)s %(number)d.") % told, "entries")
    rows = Entry.objects.filter(team__event=event).select_related("team", "person")
    if team is not None:
        rows = rows.filter(team=team)
    shown = Paginator(rows.order_by("team__number", "number"), PAGE).get_page(request.GET.get("page"))
    context = {
        "counts": counts,
        "team": team,
        "page": shown,
        "query": f"&team={team.number}" if team else "",
        "rows": [(entry, age_of(entry, event)) for entry in shown],
        "form": form,
        "here": "entries",
    }
    return page(request, "desk/entries.html", context, 422 if form.errors else 200)


def age_of(entry: Entry, event: Event) -> int | None:
    """The person's age on the day of the event."""
    return age_on(entry.person.birth_date, event.starts_on) if entry.person else None


@organizer
def edit(request: EventRequest, event_slug: str, entry_id: UUID) -> HttpResponseBase:
    """One entry: put right what is known of the person, move, withdraw, erase."""
    event = request.event
    entry = _entry(request, entry_id)
    is_drawn = SquadMember.objects.filter(entry=entry).exists()
    context: dict[str, Any] = {"entry": entry, "is_drawn": is_drawn, "here": "entries"}
    person = entry.person
    if person is None:
        return page(request, "desk/entry.html", context)
    form = EntryForm.of(event, entry, request.POST or None)
    if request.method == "POST" and form.is_valid() and unchanged(request, person, form):
        team: Team = form.cleaned_data["team"]
        if succeeds(form, lambda: _store(entry, request.actor, team, form.person())):
            return done(request, _("The entry is stored."), "entries")
    context |= {"form": form, "stamp": stamp(person)}
    return page(request, "desk/entry.html", context, 422 if form.errors else 200)


@transaction.atomic
def _store(entry: Entry, actor: Actor, team: Team, person: dict[str, Any]) -> None:
    """Put right what is known of a person, and the team; both or neither."""
    lock_event(entry.team.event)
    if team.pk != entry.team_id and SquadMember.objects.filter(entry=entry).exists():
        told = _("This entry is in a draw already and can’t change teams any more.")
        raise Refused("already-drawn", told, problems=[{"field": "team", "expected": told}])
    correct_person(entry, actor, **person)
    move(entry, team, actor)


@organizer
@require_POST
def status(request: EventRequest, event_slug: str, entry_id: UUID) -> HttpResponse:
    """Withdraw an entry, let it take part again, or take back a check-in."""
    entry = _entry(request, entry_id)
    told = {"team": entry.team.short_name, "number": entry.number}
    match request.POST.get("status"):
        case "withdrawn":
            withdraw(entry, request.actor)
            return done(request, _("%(team)s %(number)d is withdrawn.") % told, "entries")
        case "entered":
            reinstate(entry, request.actor)
            return done(request, _("%(team)s %(number)d takes part again.") % told, "entries")
        case "expected":
            checkin.undo_check_in(entry, request.actor)
            return done(request, _("%(team)s %(number)d isn’t checked in any more.") % told, "entries")
    raise Refused("unknown-status", _("An entry is withdrawn, entered or expected."), status=422)


@organizer
@never_cache
@require_POST
def check_in(request: EventRequest, event_slug: str, entry_id: UUID) -> HttpResponse:
    """The child is here: its slip, with the private code that is shown this once and kept nowhere.

    The answer to the form is the slip itself: a redirect would have to keep the code somewhere.
    """
    entry = _entry(request, entry_id)
    if entry.status == Entry.Status.WITHDRAWN:
        raise Refused("withdrawn", _("This entry is withdrawn; let it take part again first."))
    if entry.person is None:
        raise Refused("erased", _("This person is erased: there is nobody to check in."))
    code = checkin.check_in(entry, request.actor)
    return page(request, "desk/slip.html", {"entry": entry, "code": code, "here": "entries"})


@organizer
def erase(request: EventRequest, event_slug: str, entry_id: UUID) -> HttpResponse:
    """Say what erasing a person will do; do it when that is confirmed."""
    entry = _entry(request, entry_id)
    if request.method != "POST" or entry.person is None:
        return page(request, "desk/entry_erase.html", {"entry": entry, "here": "entries"})
    privacy.erase_person(entry.person, request.actor)
    return done(request, _("The person is erased; the entry is a number now."), "entries")


def _entry(request: EventRequest, entry_id: UUID) -> Entry:
    rows = Entry.objects.filter(team__event=request.event).select_related("team__event", "person")
    entry: Entry = find(rows, pk=entry_id)
    return entry
