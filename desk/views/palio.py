"""The palio over several disciplines: its rules, jokers, places in other games, the overall table."""

from collections.abc import Callable
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from desk.forms.fields import attempt
from desk.forms.palio import JokerForm, PalioForm
from desk.forms.placements import PlacementsForm
from desk.page import caller, done, organizer, organizer_post, page
from desk.stage_squads import RankedContestant
from desk.standings_impact import of_placements
from people.access import EventRequest
from tournaments.commands.palio_facts import begun, palio_of
from tournaments.commands.palio_jokers import play_joker, withdraw_joker
from tournaments.commands.palio_other_games import check_placements, enter_placements
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.commands.ties import draw_overall_lots
from tournaments.models import Palio
from tournaments.projections import overall
from tournaments.queries.palio import PalioProgress, disciplines, overall_table, teams_of
from tournaments.settings.palio import DisciplineKind, PalioRules
from tournaments.standings import overall_metric


@organizer
def palio(request: EventRequest) -> HttpResponse:
    """The overall table as of now, and what can be decided."""
    there = Palio.objects.filter(event=request.event).first()
    if there is None:
        return page(request, "desk/palio.html", {"here": "palio", "palio": None})
    overall.compute(there.pk)
    table = overall_table(request.event)
    if table is None:
        raise Http404
    teams = teams_of(table.palio)
    open_to_jokers = [each for each in table.disciplines if each.progress is PalioProgress.WAITING]
    names = {team.pk: team for team in teams}
    parts = {each.id: each for each in table.disciplines}
    context = {
        "here": "palio",
        "palio": table.palio,
        "rules": table.rules,
        "version": table.version,
        "disciplines": table.disciplines,
        "rows": [
            (row, _(overall_metric(row.decided_by["metric"])[0].name) if row.decided_by else "")
            for row in table.rows
        ],
        "jokers": [
            (names[joker.team_id], parts[joker.discipline], parts[joker.discipline] in open_to_jokers)
            for joker in table.palio.jokers.all()
        ],
        "joker_form": JokerForm(teams, open_to_jokers)
        if open_to_jokers and table.rules.jokers_each
        else None,
        "missing": request.event.teams.exclude(pk__in=table.palio.teams).count(),
        "other": DisciplineKind.OTHER,
    }
    return page(request, "desk/palio.html", context)


@organizer
def set_up(request: EventRequest) -> HttpResponseBase:
    """Decide which disciplines count and how."""
    event = request.event
    there = Palio.objects.filter(event=event).first()
    games = list(there.other_games.values_list("pk", "name")) if there else []
    form = PalioForm(
        there,
        list(event.tournaments.order_by("created_at")),
        games,
        request.POST or None,
        has_begun=there is not None and bool(begun(there)),
    )
    if attempt(
        form, lambda: set_up_palio(event, caller(request), form.rules(), form.cleaned_data.get("reason"))
    ):
        return done(request, _("The palio’s rules are decided."), "palio")
    context = {"form": form, "palio": there, "here": "palio"}
    return page(request, "desk/palio_set_up.html", context, 422 if form.errors else 200)


@organizer_post
def joker(request: EventRequest) -> HttpResponse:
    """Play a team's joker."""
    return _decide_joker(request, play_joker, _("%(team)s has played its joker."))


@organizer_post
def withdraw(request: EventRequest) -> HttpResponse:
    """Take a joker back."""
    return _decide_joker(request, withdraw_joker, _("%(team)s has its joker back."))


def _decide_joker(request: EventRequest, act: Callable[..., object], told: str) -> HttpResponse:
    try:
        team_id, discipline = UUID(request.POST["team"]), UUID(request.POST["discipline"])
    except (KeyError, ValueError) as error:
        raise Http404 from error
    there, team = palio_of(request.event), get_object_or_404(request.event.teams, pk=team_id)
    act(there, caller(request), team, discipline)
    return done(request, told % {"team": team.name}, "palio")


@organizer_post
def lots(request: EventRequest) -> HttpResponse:
    """Draw lots among those who are level over all disciplines."""
    draw_overall_lots(palio_of(request.event), caller(request))
    return done(request, _("The lots are drawn and recorded."), "palio")


@organizer
def placements(request: EventRequest, discipline_id: UUID) -> HttpResponseBase:
    """Enter in which place each team came out of another game; first what it changes in the overall table."""
    there = palio_of(request.event)
    discipline = PalioRules.from_json(there.rules).discipline(discipline_id)
    if discipline is None or discipline.kind is not DisciplineKind.OTHER:
        raise Http404
    before = dict(there.other_placings.filter(discipline=discipline_id).values_list("team_id", "place"))
    ranked = [RankedContestant(team.pk, team) for team in teams_of(there)]
    form = PlacementsForm(ranked, before or None, request.POST or None)
    change = None
    if request.method == "POST" and form.is_valid():
        places, reason = form.placements(), form.reason
        if "confirm" in request.POST:
            if attempt(form, lambda: enter_placements(there, caller(request), discipline_id, places, reason)):
                return done(request, _("The places are recorded."), "palio")
        elif taken := attempt(form, lambda: check_placements(there, discipline_id, places, reason)):
            change = None if "again" in request.POST else of_placements(there, discipline_id, taken)
    shown = next(each for each in disciplines(there) if each.id == discipline_id)
    context = {
        "form": form,
        "palio": there,
        "discipline": shown,
        "before": bool(before),
        "consequences": change,
        "here": "palio",
    }
    return page(request, "desk/palio_placements.html", context, 422 if form.errors else 200)
