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

from desk.draw_edits import edits_shown
from desk.draws_shown import placed_as_played
from desk.forms.fields import attempt
from desk.forms.placements import PlacesForm, PlayOffForm
from desk.forms.tournaments import ReasonForm
from desk.page import caller, done, names, organizer, organizer_post, page, sentences
from desk.rounds import rounds_state
from desk.stage_squads import DeskContestant, RankedContestant, Who, of_course
from desk.stages_shown import previewed_stage, round_of_course, shown_changes, shown_stage
from people.access import EventRequest
from people.number_parsing import whole_number
from people.refusals import Refused
from tournaments.commands.entered_places import enter_placements
from tournaments.commands.next_stage import (
    NextStage,
    decide_stage_tie,
    draw_stage_lots,
    end_stage,
    find_ending,
    preview_stage_after,
    redraw_stage,
    start_next_stage,
)
from tournaments.commands.round_draws import begun_matches, draw_next_round, redraw_rounds
from tournaments.formats.stages.model import REASONS, TIES, Going
from tournaments.models import Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.first_stage_draws import new_seed


def expect_by_round(tournament: Tournament) -> None:
    """Raise `Http404` for a tournament that isn't drawn round by round."""
    if not tournament.choice.is_by_round:
        raise Http404


@organizer
def rounds(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """What is on, what would be drawn next, and what a correction has changed."""
    expect_by_round(tournament)
    return _rounds(request, tournament)


def _rounds(request: EventRequest, tournament: Tournament, **more: Any) -> HttpResponse:
    state = rounds_state(tournament)
    context: dict[str, Any] = {"tournament": tournament, "state": state, "here": tournament.slug}
    if state is not None:
        course = state.course
        book = names(request.event)
        who = of_course(course, request.event.teams.in_bulk(), book)
        context |= {
            "next": [round_of_course(course, plan, who) for plan in state.plans],
            "with_rematches": [round_of_course(course, plan, who) for plan in state.with_rematches],
            "changed": list(shown_changes(state.changed, who)),
            "can_redraw": any(each.moves for each in state.changed),
            "is_waiting": any(pair.waits for each in state.changed for pair in each.pairs),
            "stage": shown_stage(
                course,
                who,
                placed_as_played(tournament, course, who, book),
                is_closed=tournament.status == Tournament.Status.CLOSED,
            ),
            "stage_begun": state.stage_changed and bool(begun_matches(course)),
            **edits_shown(tournament, book),
            "reason_form": ReasonForm(),
            "places_form": _places_form(course, who) if state.is_by_hand else None,
        }
    return page(request, "desk/rounds.html", context | more, 422 if "wrong" in more else 200)


@organizer_post
def draw(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Draw the next round."""
    expect_by_round(tournament)
    draw_next_round(tournament, caller(request), rematches="rematches" in request.POST)
    is_seen = request.event.is_published
    told = _("The round is drawn, and everybody sees it.") if is_seen else _("The round is drawn.")
    return done(request, told, "rounds", tournament.slug)


@organizer_post
def end(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """End the stage with the rounds played, where nothing more can be drawn."""
    expect_by_round(tournament)
    end_stage(tournament, caller(request))
    return done(request, _("The stage is ended with the rounds played."), "rounds", tournament.slug)


@organizer_post
def redraw(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Draw anew what a correction has changed; `what` says whether the rounds or the whole stage."""
    expect_by_round(tournament)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _rounds(request, tournament, reason_form=form, wrong=True)
    act = redraw_stage if request.POST.get("what") == "stage" else redraw_rounds
    act(tournament, caller(request), form.cleaned_data["reason"])
    return done(request, _("It is drawn anew."), "rounds", tournament.slug)


def _places_form(course: StageHistory, who: Who, data: Any = None) -> PlacesForm:
    """The form of the places of a stage that isn't played here."""
    before: dict[UUID, int] | None = None
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


@organizer_post
def places(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Enter the places of a stage that isn't played here, or correct them."""
    state = rounds_state(tournament)
    if state is None or not state.is_by_hand:
        raise Http404
    who = of_course(state.course, request.event.teams.in_bulk(), names(request.event))
    form = _places_form(state.course, who, request.POST)
    if attempt(form, lambda: enter_placements(tournament, caller(request), form.places(), form.reason)):
        return done(request, _("The places are entered."), "rounds", tournament.slug)
    return _rounds(request, tournament, places_form=form, wrong=True)


@organizer
def next_stage(request: EventRequest, tournament: Tournament) -> HttpResponseBase:
    """Who would go on to the next stage and why, and what would be drawn there."""
    expect_by_round(tournament)
    if request.GET.get("seed") is None:
        address = reverse("desk:next-stage", args=[request.event.slug, tournament.slug])
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
    who = of_course(found.course, request.event.teams.in_bulk(), names(request.event))
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
    return previewed_stage(found.drawn, found.number, goes_on, before)


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
        is_wrong = wrong is not None and {each.pk for each in wrong.ranked} == {each.pk for each in tied}
        forms.append(wrong if wrong is not None and is_wrong else PlayOffForm(tied))
    return forms


@organizer_post
def start(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Draw the next stage with those who go on."""
    expect_by_round(tournament)
    start_next_stage(tournament, caller(request), request.POST.get("seed", ""))
    is_seen = request.event.is_published
    told = _("The next stage is drawn, and everybody sees it.") if is_seen else _("The next stage is drawn.")
    return done(request, told, "rounds", tournament.slug)


@organizer_post
def stage_lots(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Draw lots in every tie that keeps the next stage from being drawn."""
    expect_by_round(tournament)
    draw_stage_lots(tournament, caller(request))
    return done(request, _("The lots are drawn and recorded."), "next-stage", tournament.slug)


@organizer_post
def stage_order(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Enter how a tie that keeps the next stage from being drawn was played off."""
    expect_by_round(tournament)
    found = preview_stage_after(tournament)
    who = of_course(found.course, request.event.teams.in_bulk(), names(request.event))
    for form in _tie_forms(tournament, found, who, None):
        if all(f"place_{each.pk}" in request.POST for each in form.ranked):
            filled = PlayOffForm(form.ranked, None, request.POST)
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
        place = whole_number(request.POST.get(name, ""))
        if name.startswith("place_") and place is not None:
            try:
                found.append((place, UUID(name.removeprefix("place_"))))
            except ValueError:
                return []
    return [squad for _place, squad in sorted(found, key=lambda each: each[0])]
