"""Entries: the list, one by hand, check-in with its slip, withdrawal, erasure."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from desk.address_lookup import entries_of
from desk.departures import Effect, chosen, effects_of, lost_places, missed_by, told_of_late
from desk.forms.entries import EntryForm
from desk.forms.fields import attempt, stamp, succeeds, unchanged
from desk.forms.squad_changes import PlacementForm
from desk.page import caller, done, id_in, id_of, number_in, organizer, organizer_post, page
from desk.setup_steps import team_counts
from desk.views.check_in import slip_page
from people import person_erasure
from people.access import EventRequest
from people.actors import Actor
from people.ages import age_on
from people.check_in import undo_check_in
from people.entries import correct_person, enter_by_hand, lock_event, mark_absent, move, reinstate, withdraw
from people.models import Entry, Event, Team
from people.refusals import Refused
from tournaments.commands.decision_recording import Caller
from tournaments.commands.squad_changes import remove_squad
from tournaments.commands.substitute import forfeit_open_games, substitute
from tournaments.facts.reasons import CAME_AFTER_ALL
from tournaments.models import Squad, SquadMember

PAGE = 100


@organizer
def entries(request: EventRequest) -> HttpResponseBase:
    """All entries, or those of a team, and a form for one more."""
    event = request.event
    counts = team_counts(event)
    team = next((each.team for each in counts if str(each.team.number) == request.GET.get("team")), None)
    form = EntryForm(event, request.POST or None, {"team": team})
    if entry := attempt(form, lambda: enter_by_hand(event, request.actor, **form.cleaned_data)):
        for sentence in told_of_late(event):
            messages.info(request, sentence)
        return done(request, _("Entered as %(team)s %(number)d.") % _label(entry), "entries")
    rows = entries_of(event)
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
def edit(request: EventRequest, entry: Entry) -> HttpResponseBase:
    """One entry: put right what is known of the person, move, withdraw, erase."""
    event = request.event
    is_drawn = SquadMember.objects.filter(entry=entry).exists()
    lost = lost_places(entry) if entry.status == Entry.Status.ENTERED else []
    context: dict[str, Any] = {"entry": entry, "is_drawn": is_drawn, "lost": lost, "here": "entries"}
    person = entry.person
    if person is None:
        return page(request, "desk/entry.html", context)
    form = EntryForm.of(event, entry, request.POST or None)
    if unchanged(request, person, form) and succeeds(form, lambda: _store(entry, request.actor, form)):
        return done(request, _("The entry is stored."), "entries")
    context |= {"form": form, "stamp": stamp(person)}
    return page(request, "desk/entry.html", context, 422 if form.errors else 200)


@transaction.atomic
def _store(entry: Entry, actor: Actor, form: EntryForm) -> None:
    """Put right what is known of a person, and the team; both or neither."""
    team: Team = form.cleaned_data["team"]
    lock_event(entry.team.event)
    if team.pk != entry.team_id and SquadMember.objects.filter(entry=entry).exists():
        told = _("This entry is in a draw already and can’t change teams any more.")
        raise Refused("already-drawn", told, problems=[{"field": "team", "expected": told}])
    correct_person(entry, actor, **form.person())
    move(entry, team, actor)


@organizer_post
def status(request: EventRequest, entry: Entry) -> HttpResponse:
    """Withdraw an entry, let it take part again, or take back a check-in."""
    asked = request.POST.get("status", "")
    if asked not in _STATUSES:
        raise Refused("unknown-status", _("An entry is withdrawn, absent, entered or expected."), status=422)
    change, sentence = _STATUSES[asked]
    change(entry, request.actor)
    if asked == "entered" and (lost_places(entry) or missed_by(entry)):
        return redirect("desk:entry-back", request.event.slug, entry.pk)
    return done(request, sentence % _label(entry), "entries")


_STATUSES: Mapping[str, tuple[Callable[[Entry, Actor], object], Any]] = {
    "withdrawn": (withdraw, gettext_lazy("%(team)s %(number)d is withdrawn.")),
    "absent": (mark_absent, gettext_lazy("%(team)s %(number)d is noted as not turned up.")),
    "entered": (reinstate, gettext_lazy("%(team)s %(number)d takes part again.")),
    "expected": (undo_check_in, gettext_lazy("%(team)s %(number)d isn’t checked in any more.")),
}


def _label(entry: Entry) -> dict[str, Any]:
    return {"team": entry.team.short_name, "number": entry.number}


@organizer
@never_cache
@require_POST
def check_in(request: EventRequest, entry: Entry) -> HttpResponse:
    """The child is here: its slip, with the private code that is shown this once and kept nowhere.

    The answer to the form is the slip itself: a redirect would have to keep the code somewhere.
    """
    return slip_page(request, entry)


@organizer
def out(request: EventRequest, entry: Entry) -> HttpResponseBase:
    """Somebody withdraws or didn't turn up: say what that does to each draw, and do what is chosen."""
    said = request.POST if request.method == "POST" else request.GET
    why = "no-show" if said.get("why") == "no-show" else "withdrawn"
    effects = effects_of(entry)
    if request.method == "POST":
        reserves = _leave(request, entry, why, effects)
        left = _("%(team)s %(number)d doesn’t take part any more.") % _label(entry)
        taken = [
            _("%(name)s has the place now.") % {"name": f"{entry.team.short_name} {number}"}
            for number in sorted({each.number for each in reserves})
        ]
        return done(request, " ".join([left, *taken]), "check-in")
    who = entry.person.first_name if entry.person else f"{entry.team.short_name} {entry.number}"
    asked = [
        (
            each,
            PlacementForm(each.places, reason=why, prefix=str(each.tournament.pk)) if each.places else None,
        )
        for each in effects
    ]
    context = {"entry": entry, "why": why, "who": who, "effects": asked, "here": "check-in"}
    return page(request, "desk/entry_out.html", context)


@transaction.atomic
def _leave(request: EventRequest, entry: Entry, why: str, effects: list[Effect]) -> list[Entry]:
    """All of it or nothing: the entry, and in each tournament what was chosen; who took its places."""
    lock_event(request.event)
    reserves = []
    (mark_absent if why == "no-show" else withdraw)(entry, request.actor)
    for effect, choice in chosen(effects, request.POST):
        tournament, squad = effect.tournament, effect.squad
        if choice == "keep" or squad is None:
            continue
        if choice == "leave" and effect.kind == "games":
            forfeit_open_games(tournament, request.actor, squad)
            continue
        by = Caller(
            request.actor,
            number_in(request, f"version-{tournament.pk}"),
            id_in(request, f"client-{tournament.pk}"),
        )
        if choice == "leave":
            place = request.POST.get(f"{tournament.pk}-place") or None
            remove_squad(tournament, by, squad, why, place)
        else:
            reserve = get_object_or_404(Entry.objects.filter(team=entry.team), pk=id_of(choice))
            substitute(tournament, by, squad, entry, reserve, why)
            reserves.append(reserve)
    return reserves


@organizer
def back(request: EventRequest, entry: Entry) -> HttpResponseBase:
    """Somebody is here after all: say who has the place, and give it back where no game was begun; and which
    games are forfeited.
    """
    lost = lost_places(entry)
    who = entry.person.first_name if entry.person else f"{entry.team.short_name} {entry.number}"
    if request.method == "POST":
        _give_back(request, entry)
        return done(request, _("%(team)s %(number)d has the place back.") % _label(entry), "check-in")
    context = {"entry": entry, "who": who, "lost": lost, "missed": missed_by(entry), "here": "check-in"}
    return page(request, "desk/entry_back.html", context)


def _give_back(request: EventRequest, entry: Entry) -> None:
    squads = Squad.objects.select_related("stage__tournament__event")
    in_event = squads.filter(stage__tournament__event=request.event)
    squad = get_object_or_404(in_event, pk=id_in(request, "squad"))
    holder = get_object_or_404(Entry.objects.filter(team=entry.team), pk=id_in(request, "holder"))
    substitute(squad.stage.tournament, caller(request), squad, holder, entry, CAME_AFTER_ALL)


@organizer
def erase(request: EventRequest, entry: Entry) -> HttpResponse:
    """Say what erasing a person will do; do it when that is confirmed."""
    if request.method != "POST" or entry.person is None:
        return page(request, "desk/entry_erase.html", {"entry": entry, "here": "entries"})
    person_erasure.erase_person(entry.person, request.actor)
    return done(request, _("The person is erased; the entry is a number now."), "entries")
