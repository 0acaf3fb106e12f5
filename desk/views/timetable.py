"""The timetable at the desk: the grid, one match's place, a delay, and having it worked out."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.http import Http404, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from desk.address_lookup import find_by_id, find_match_row, matches_of
from desk.forms.fields import succeeds
from desk.forms.timetable import DelayForm, PlaceForm, TimetableForm
from desk.page import done, expected_version, names, organizer, organizer_post, page
from desk.timetable import (
    Grid,
    TimetableWords,
    cause_told,
    figure_rows,
    fixed_conflicts,
    grid,
    placement_of,
    referee_loads,
    undrawn_told,
    waiters,
    ways_to_fit,
)
from people.access import EventRequest
from people.models import Event
from people.number_parsing import whole_number
from people.refusals import Refused
from tournaments.commands import timetable as actions
from tournaments.commands import timetable_work
from tournaments.commands.table_cards import put_up_tables
from tournaments.models import Match, TimetableWork
from tournaments.queries.match_views import MatchView, SideView
from tournaments.queries.matches import match_view
from tournaments.queries.timetable.delay_preview import delay as find_delay
from tournaments.queries.timetable.problem import read
from tournaments.queries.timetable.undrawn import undrawn_of
from tournaments.scheduling.check import conflicts
from tournaments.scheduling.model import Flaw, Placement
from tournaments.scheduling.moving import moved
from tournaments.settings.timetable import TimetableSettings

KINDS = {
    "kept": gettext_lazy("the timetable was worked out"),
    "moved": gettext_lazy("a match was moved"),
    "swapped": gettext_lazy("two matches were swapped"),
    "referee": gettext_lazy("a referee was given or taken"),
    "locked": gettext_lazy("a match was fixed"),
    "unlocked": gettext_lazy("a match was let go of"),
    "delayed": gettext_lazy("a delay was applied"),
    "cleared": gettext_lazy("the timetable was dropped"),
}
Status = TimetableWork.Status


def _page(
    request: EventRequest, *, settings_form: TimetableForm | None = None, delay_form: DelayForm | None = None
) -> HttpResponse:
    """The grid with its conflicts, what can be done, and the settings."""
    event = request.event
    book = names(event)
    shown = grid(event, book)
    words = shown.words()
    last = actions.last_change(event)
    work = timetable_work.newest(event)
    form = settings_form or TimetableForm.of(shown.given.settings)
    delay = delay_form or _delay_form(event, shown)
    context = {
        "grid": shown,
        "conflicts": [words.conflict(each) for each in shown.conflicts],
        "has_matches": bool(shown.days),
        "undrawn": undrawn_told(undrawn_of(event)),
        "settings_form": form,
        "delay_form": delay,
        "last": KINDS.get(last.kind) if last else None,
        "work": work,
        "is_working": timetable_work.is_on(work),
        "version": shown.given.version,
        "here": "timetable",
    }
    return page(request, "desk/timetable.html", context, 422 if form.errors or delay.errors else 200)


timetable = organizer(_page)


def _delay_form(event: Event, shown: Grid, data: Any = None) -> DelayForm:
    return DelayForm(event, list(shown.tables), data, initial={"table": 0})


@organizer_post
def settings(request: EventRequest) -> HttpResponseBase:
    """Change the settings; have the timetable worked out at once if that was asked for."""
    event = request.event
    form = TimetableForm.of(read(event).settings, request.POST)
    is_asked = "work" in request.POST
    store = timetable_work.ask if is_asked else actions.set_timetable
    if not succeeds(form, lambda: store(event, request.actor, form.cleaned_data)):
        return _page(request, settings_form=form)
    if is_asked:
        return redirect("desk:timetable-work", event.slug)
    return done(request, _("Stored. What is in the timetable already stays where it is."), "timetable")


@organizer_post
def undo(request: EventRequest) -> HttpResponseBase:
    """Take the last change back."""
    actions.undo_change(request.event, request.actor, expected_version=expected_version(request))
    return done(request, _("Taken back."), "timetable")


@organizer_post
def clear(request: EventRequest) -> HttpResponseBase:
    """Drop the timetable: hours are worked out from the draw again."""
    actions.clear_timetable(request.event, request.actor, expected_version=expected_version(request))
    told = _("Dropped. Hours and tables are those of the draw again; this can be taken back.")
    return done(request, told, "timetable")


@organizer
def delay(request: EventRequest) -> HttpResponseBase:
    """What a delay would shift; sent as a form, it is applied."""
    event = request.event
    if request.method != "POST" and "minutes" not in request.GET:
        return _page(request)
    book = names(event)
    shown = grid(event, book)
    form = _delay_form(event, shown, request.POST or request.GET)
    if not form.is_valid():
        return _page(request, delay_form=form)
    table = form.cleaned_data["table"]
    found = find_delay(event, form.begins_at(), form.cleaned_data["minutes"], table or None)
    given, after = found.given, found.after
    if request.method == "POST":
        version = expected_version(request)
        timetable_work.store(given, request.actor, after.placements, kind="delayed", expected_version=version)
        count = len(after.shifted)
        told = ngettext("%(count)d match shifted.", "%(count)d matches shifted.", count) % {"count": count}
        return done(request, told, "timetable")
    before, later = shown.words(found.before), shown.words(after.placements)
    starts = {each.key: each.start for each in after.placements}
    context = {
        "shifts": [(before.match(key), later.hour(starts[key])) for key in after.shifted],
        "conflicts": [later.conflict(each) for each in after.conflicts],
        "asked": request.GET.items(),
        "version": given.version,
        "here": "timetable",
    }
    return page(request, "desk/timetable_delay.html", context)


@organizer
def match_place(request: EventRequest, match_id: UUID) -> HttpResponseBase:
    """Where a match is played, and everything that can be changed of that. With `?begins=` and `?table=` it
    says what a move would be in conflict with, and with which match it could swap.
    """
    row = find_match_row(request.event, match_id)
    view = match_view(match_id)
    if view is None:
        raise Http404
    book = names(request.event)
    shown = grid(request.event, book)
    if request.method == "POST":
        return _change(request, row, view, shown)
    return _place_page(request, view, shown)


def _place_page(
    request: EventRequest, view: MatchView, shown: Grid, form: PlaceForm | None = None
) -> HttpResponse:
    given, key = shown.given, str(view.id)
    words = shown.words()
    now = placement_of(key, shown.placements)
    context: dict[str, Any] = {
        "match": view,
        "book": shown.book,
        "told": words.place(key),
        "is_movable": now is not None,
        "referee": view.place.referee_id if view.place else None,
        "referees": _choices(view, shown, request.event),
        "is_locked": view.has_locked_place,
        "version": given.version,
        "here": "timetable",
    }
    if now is not None:
        asked = request.GET if "begins" in request.GET else None
        form = form or _place_form(request.event, shown, now, asked)
        context["form"] = form
        context["mine"] = [words.conflict(each) for each in shown.conflicts if key in each.keys]
        if asked is not None and form.is_valid():
            context |= _preview(shown, key, form)
    return page(request, "desk/match_place.html", context, 422 if form is not None and form.errors else 200)


def _preview(shown: Grid, key: str, form: PlaceForm) -> dict[str, Any]:
    """What a move would be in conflict with, and with which matches it could swap."""
    given = shown.given
    start = given.ruler.minute(form.begins_at())
    after = moved(given.problem, shown.placements, key, str(form.cleaned_data["table"]), start)
    before, words = shown.words(), shown.words(after.placements)
    mine = [each for each in after.conflicts if key in each.keys]
    return {
        "preview": words.place(key),
        "new": [words.conflict(each) for each in mine],
        "is_taken": any(each.flaw is Flaw.TABLE_TAKEN for each in mine),
        "swaps": [(each.key, before.match(each.key)) for each in after.swaps],
    }


def _place_form(event: Event, shown: Grid, now: Placement, data: Any = None) -> PlaceForm:
    moment = shown.given.ruler.moment(now.start).astimezone(ZoneInfo(event.time_zone))
    initial = {"day": moment.date().isoformat(), "begins": moment.time(), "table": int(now.table)}
    if data is not None and "day" not in data:
        data = {**data.dict(), "day": initial["day"]}
    return PlaceForm(event, list(shown.tables), data, initial=initial)


def _choices(view: MatchView, shown: Grid, event: Event) -> list[tuple[UUID, str]]:
    """The referees who may judge a match."""
    playing = {side.team.pk for side in view.sides}
    return [
        (pk, shown.referees[pk])
        for pk, team in event.referees.values_list("pk", "team")
        if team not in playing and pk in shown.referees
    ]


def _change(request: EventRequest, row: Match, view: MatchView, shown: Grid) -> HttpResponseBase:
    version = expected_version(request)
    match request.POST.get("do"):
        case "move":
            return _move(request, row, view, shown, version)
        case "swap":
            other = find_by_id(matches_of(request.event), request.POST.get("other", ""))
            actions.swap_matches(row, other, request.actor, expected_version=version)
            return done(request, _("The two matches are swapped."), "timetable")
        case "referee":
            chosen = request.POST.get("referee", "")
            referee = find_by_id(request.event.referees.all(), chosen) if chosen else None
            judge = referee.pk if referee else None
            actions.change_place(row, request.actor, expected_version=version, referee=judge)
            return done(request, _("Stored."), "match-place", row.pk)
        case "lock" | "unlock" as what:
            actions.change_place(row, request.actor, expected_version=version, is_locked=what == "lock")
            return done(request, _("Stored."), "match-place", row.pk)
    raise Http404


def _move(request: EventRequest, row: Match, view: MatchView, shown: Grid, version: int) -> HttpResponseBase:
    now = placement_of(str(row.pk), shown.placements)
    if now is None:
        raise Refused("match-over", _("This match is over: it stays where it was played."))
    form = _place_form(request.event, shown, now, request.POST)
    if not form.is_valid():
        return _place_page(request, view, shown, form)
    table, begins_at = form.cleaned_data["table"], form.begins_at()
    start = shown.given.ruler.minute(begins_at)
    after = moved(shown.given.problem, shown.placements, now.key, str(table), start)
    known = {each.identity for each in shown.conflicts}
    new = [each for each in after.conflicts if each.identity not in known]
    is_taken = any(each.flaw is Flaw.TABLE_TAKEN for each in new)
    if is_taken or ("drop" in request.POST and new):
        # One sees what it would be in conflict with, and decides.
        given = form.cleaned_data
        asked = {"day": given["day"], "begins": f"{given['begins']:%H:%M}", "table": table}
        return HttpResponseRedirect(
            f"{reverse('desk:match-place', args=[request.event.slug, row.pk])}?{urlencode(asked)}"
        )
    with transaction.atomic():
        put_up_tables(request.event, request.actor, [table])
        actions.change_place(row, request.actor, expected_version=version, begins_at=begins_at, table=table)
    return done(request, _("Moved."), "timetable")


@organizer
def work(request: EventRequest) -> HttpResponseBase:
    """How far the work is, the proposal, or why there is none and what would make it fit."""
    event = request.event
    asked = timetable_work.newest(event)
    context: dict[str, Any] = {"work": asked, "is_on": timetable_work.is_on(asked), "here": "timetable"}
    if asked is not None and asked.status == Status.FOUND:
        context |= _proposal(event, asked, names(event))
    elif asked is not None and asked.status == Status.IMPOSSIBLE:
        context |= {
            "cause": cause_told(event, asked),
            "conflicts": fixed_conflicts(event, asked, names(event)),
            "remedies": ways_to_fit(event, asked),
        }
    return page(request, "desk/timetable_work.html", context)


def _proposal(event: Event, asked: TimetableWork, book: Any) -> dict[str, Any]:
    given = read(event, TimetableSettings.from_json(asked.settings), anew=True)
    placements = [each for each in timetable_work.proposed(asked) if each.key in given.matches]
    referees = {each.pk: str(each) for each in event.referees.all()}
    words = TimetableWords(given, placements, book, referees)
    matches: dict[str, list[tuple[str, tuple[SideView, ...], str]]] = {}
    for each in sorted(placements, key=lambda one: (one.start, int(one.table))):
        matches.setdefault(words.hour(each.start), []).append(
            (each.table, given.matches[each.key].sides, words.referee(each.judge))
        )
    comparison = timetable_work.compare(given, placements)
    rows = figure_rows(comparison, words) if placements else []
    return {
        "rows": matches.items(),
        "book": book,
        "end": words.hour(asked.answer["end"]) if asked.answer["end"] is not None else "",
        "is_best": asked.answer["is_best"],
        "ends_earlier_now": comparison.before.end < comparison.after.end,
        "undrawn": undrawn_told(undrawn_of(event)),
        "has_common_starts": given.problem.together,
        "figures": rows,
        "worse": [worse for *_figures, worse in rows if worse],
        "is_better": bool(comparison.better()) or not rows,
        "waits": waiters(given, placements, book),
        "loads": referee_loads(placements, referees),
        "unjudged": sum(each.judge is None for each in placements) if referees else 0,
        "conflicts": [words.conflict(each) for each in conflicts(given.problem, placements)],
    }


@organizer_post
def work_start(request: EventRequest) -> HttpResponseBase:
    """Have it worked out by the settings as they are."""
    timetable_work.ask(request.event, request.actor)
    return redirect("desk:timetable-work", request.event.slug)


@organizer_post
def work_stop(request: EventRequest) -> HttpResponseBase:
    """Stop it; what was found so far is the proposal."""
    timetable_work.stop(request.event)
    return redirect("desk:timetable-work", request.event.slug)


@organizer_post
def work_keep(request: EventRequest) -> HttpResponseBase:
    """Keep the proposal."""
    timetable_work.keep(request.event, request.actor)
    return done(request, _("Kept: pages, phones and calendars show these hours and tables."), "timetable")


@organizer_post
def work_change(request: EventRequest) -> HttpResponseBase:
    """Apply a change that makes it fit, and have it worked out anew."""
    change, amount = request.POST.get("change", ""), whole_number(request.POST.get("amount", ""))
    timetable_work.ask_with(request.event, request.actor, change, amount)
    return redirect("desk:timetable-work", request.event.slug)
