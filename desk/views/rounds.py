"""The rounds of a tournament that is drawn while it is played: the next one, those that a correction has
changed, the next stage.
"""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from desk.draw_edits import edits_shown
from desk.forms.rounds import PlacesForm
from desk.forms.tournaments import PlayOffForm, ReasonForm
from desk.outdated_rounds import shown_changes
from desk.page import (
    caller,
    done,
    find_tournament,
    names,
    organizer,
    page,
    sentences,
)
from desk.rounds import rounds_state
from desk.stage_squads import DeskContestant, RankedContestant, Who, of_course
from desk.stages_shown import previewed_stage, round_of_course, shown_stage
from people.access import EventRequest
from people.models import Team
from people.refusals import Refused
from tournaments.commands.draw import new_seed
from tournaments.commands.end_stage import end_stage, find_ending
from tournaments.commands.placements import enter_placements
from tournaments.commands.rounds import begun_matches, draw_next_round, redraw_rounds
from tournaments.commands.stages import (
    NextStage,
    decide_stage_tie,
    draw_stage_lots,
    preview_stage_after,
    redraw_stage,
    start_next_stage,
)
from tournaments.formats.stages.model import REASONS, TIES, Going
from tournaments.models import Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.standings_inputs import inputs_now


def find_by_round(request: EventRequest, slug: str) -> Tournament:
    """The event's tournament of this slug if it is drawn round by round, else 404."""
    found = find_tournament(request, slug)
    if found.ranks_teams:
        raise Http404
    return found


def teams_of(request: EventRequest) -> dict[UUID, Team]:
    """The teams of the event by id."""
    return {team.pk: team for team in request.event.teams.all()}


@organizer
def rounds(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """What is on, what would be drawn next, and what a correction has changed."""
    return _rounds(request, find_by_round(request, tournament_slug))


def _rounds(request: EventRequest, tournament: Tournament, **more: Any) -> HttpResponse:
    state = rounds_state(tournament)
    context: dict[str, Any] = {"tournament": tournament, "state": state, "here": tournament.slug}
    if state is not None:
        course = state.course
        book = names(request.event)
        who = of_course(course, teams_of(request), book)
        context |= {
            "next": [round_of_course(course, plan, who) for plan in state.plans],
            "with_rematches": [round_of_course(course, plan, who) for plan in state.with_rematches],
            "changed": list(shown_changes(state.changed, who)),
            "can_redraw": any(each.moves for each in state.changed),
            "is_waiting": any(pair.waits for each in state.changed for pair in each.pairs),
            "stage": shown_stage(course, who),
            "stage_begun": state.stage_changed and bool(begun_matches(course)),
            **edits_shown(tournament, book),
            "reason_form": ReasonForm(),
            "places_form": _places_form(course, who) if state.is_by_hand else None,
        }
    return page(request, "desk/rounds.html", context | more, 422 if "wrong" in more else 200)


@organizer
@require_POST
def draw(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Draw the next round."""
    tournament = find_by_round(request, tournament_slug)
    draw_next_round(tournament, caller(request), rematches="rematches" in request.POST)
    told = (
        _("The round is drawn, and everybody sees it.")
        if request.event.is_published
        else _("The round is drawn.")
    )
    return done(request, told, "rounds", tournament.slug)


@organizer
@require_POST
def end(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """End the stage with the rounds played, where nothing more can be drawn."""
    tournament = find_by_round(request, tournament_slug)
    end_stage(tournament, caller(request))
    return done(request, _("The stage is ended with the rounds played."), "rounds", tournament.slug)


@organizer
@require_POST
def redraw(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Draw anew what a correction has changed; `what` says whether the rounds or the whole stage."""
    tournament = find_by_round(request, tournament_slug)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _rounds(request, tournament, reason_form=form, wrong=True)
    act = redraw_stage if request.POST.get("what") == "stage" else redraw_rounds
    act(tournament, caller(request), form.cleaned_data["reason"])
    return done(request, _("It is drawn anew."), "rounds", tournament.slug)


def _places_form(course: StageHistory, who: Who, data: Any = None) -> PlacesForm:
    """The form of the places of a stage that isn't played here."""
    before: dict[UUID, int] = {}
    (played,) = course.progress.rounds
    (outcome,) = played.outcomes
    if outcome is not None:
        (pairing,) = played.plan.pairings
        before = {
            course.squad_id(side): int(points)
            for side, points in zip(pairing.sides, outcome.points, strict=True)
        }
    ranked = [
        RankedContestant(course.squad_id(number), one.team, one.names)
        for number, one in who.items()
        if not one.is_gone
    ]
    return PlacesForm(ranked, before, data)


@organizer
@require_POST
def places(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Enter the places of a stage that isn't played here, or correct them."""
    tournament = find_by_round(request, tournament_slug)
    state = rounds_state(tournament)
    if state is None or not state.is_by_hand:
        raise Http404
    who = of_course(state.course, teams_of(request), names(request.event))
    form = _places_form(state.course, who, request.POST)
    if not form.is_valid():
        return _rounds(request, tournament, places_form=form, wrong=True)
    try:
        enter_placements(tournament, caller(request), form.places(), form.cleaned_data.get("reason"))
    except Refused as refused:
        form.add_error(None, str(refused))
        return _rounds(request, tournament, places_form=form, wrong=True)
    return done(request, _("The places are entered."), "rounds", tournament.slug)


@organizer
def next_stage(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponseBase:
    """Who would go on to the next stage and why, and what would be drawn there."""
    tournament = find_by_round(request, tournament_slug)
    if request.GET.get("seed") is None:
        address = reverse("desk:next-stage", args=[event_slug, tournament_slug])
        return redirect(f"{address}?{urlencode({'seed': new_seed()})}")
    return _next_stage(request, tournament, request.GET["seed"])


def _next_stage(
    request: EventRequest, tournament: Tournament, seed: str, wrong: PlayOffForm | None = None
) -> HttpResponse:
    context: dict[str, Any] = {"tournament": tournament, "seed": seed, "here": tournament.slug}
    try:
        found = preview_stage_after(tournament, seed)
    except Refused as refused:
        context |= {"wrong": sentences(refused), "ending": find_ending(inputs_now(tournament))}
        return page(request, "desk/next_stage.html", context, refused.status)
    who = of_course(found.course, teams_of(request), names(request.event))
    preview = found.preview
    context |= {
        "number": found.number,
        "format": _(found.settings.choice.name),
        "goes_on": _told(preview.goes_on, who),
        "stays": _told(preview.stays, who),
        "waits": _told(preview.waits, who),
        "left_out": [who[number] for number in sorted(preview.left_out)],
        "ties": [
            (_(TIES[tie.kind]), tie.spots, [who[one] for one in tie.contestants], form)
            for tie, form in zip(preview.ties, _tie_forms(tournament, found, who, wrong), strict=True)
        ],
        "stage": _previewed(found, who),
        "can_start": found.drawn is not None and tournament.status == Tournament.Status.PUBLISHED,
        "new_seed_address": f"?{urlencode({'seed': new_seed()})}",
    }
    return page(request, "desk/next_stage.html", context, 422 if wrong else 200)


def _told(going: tuple[Going, ...], who: Who) -> list[tuple[int | None, DeskContestant, str]]:
    """Seed, who, and why."""
    return [
        (each.seed, who[each.contestant], _(REASONS[each.reason.code]) % dict(each.reason.values))
        for each in going
    ]


def _previewed(found: NextStage, who: Who) -> Any:
    """What would be drawn, among those who go on, by their new numbers."""
    if found.drawn is None:
        return None
    goes_on = {each.seed: who[each.contestant] for each in found.preview.goes_on if each.seed}
    before = found.course.rounds_before + len(found.course.progress.rounds)
    return previewed_stage(found.drawn, found.number, found.drawn.contestants, goes_on, before)


def _tie_forms(
    tournament: Tournament, found: NextStage, who: Who, wrong: PlayOffForm | None
) -> list[PlayOffForm]:
    """A form for the order of each tie that keeps the stage from being drawn."""
    ids = squad_ids(inputs_now(tournament).courses) if found.preview.ties else {}
    forms = []
    for tie in found.preview.ties:
        tied = [
            RankedContestant(ids[found.course.key(one)], who[one].team, who[one].names)
            for one in tie.contestants
        ]
        is_wrong = wrong is not None and {each.pk for each in wrong.teams} == {each.pk for each in tied}
        forms.append(wrong if wrong is not None and is_wrong else PlayOffForm(tied))
    return forms


@organizer
@require_POST
def start(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Draw the next stage with those who go on."""
    tournament = find_by_round(request, tournament_slug)
    start_next_stage(tournament, caller(request), request.POST.get("seed", ""))
    is_seen = request.event.is_published
    told = _("The next stage is drawn, and everybody sees it.") if is_seen else _("The next stage is drawn.")
    return done(request, told, "rounds", tournament.slug)


@organizer
@require_POST
def stage_lots(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Draw lots in every tie that keeps the next stage from being drawn."""
    tournament = find_by_round(request, tournament_slug)
    draw_stage_lots(tournament, caller(request))
    return done(request, _("The lots are drawn and recorded."), "next-stage", tournament.slug)


@organizer
@require_POST
def stage_order(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Enter how a tie that keeps the next stage from being drawn was played off."""
    tournament = find_by_round(request, tournament_slug)
    found = preview_stage_after(tournament)
    who = of_course(found.course, teams_of(request), names(request.event))
    for form in _tie_forms(tournament, found, who, None):
        if all(f"place_{each.pk}" in request.POST for each in form.teams):
            filled = PlayOffForm(form.teams, None, request.POST)
            if not filled.is_valid():
                return _next_stage(request, tournament, found.seed, filled)
            order = filled.order_given()
            break
    else:
        # The tie may be decided by the same form, sent before.
        order = _order_sent(request)
    decide_stage_tie(tournament, caller(request), order)
    return done(request, _("The play-off is recorded."), "next-stage", tournament.slug)


def _order_sent(request: EventRequest) -> list[UUID]:
    """The squads of a form in the order of their places; nothing of what can't be read."""
    found = []
    for name in request.POST:
        place = request.POST.get(name, "")
        if name.startswith("place_") and place.isascii() and place.isdecimal() and len(place) < 5:
            try:
                found.append((int(place), UUID(name.removeprefix("place_"))))
            except ValueError:
                return []
    return [squad for _place, squad in sorted(found, key=lambda each: each[0])]
