"""A draw that is changed by hand: two change places, after one has seen what that breaks."""

from collections import defaultdict
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from desk.forms.draw_edits import EVERY, SwapForm
from desk.forms.tournaments import ReasonForm
from desk.page import caller, done, names, organizer, page, sentences
from desk.stage_squads import RankedContestant, ranked_squads
from people.access import EventRequest
from people.refusals import Refused
from tournaments.commands.edit_draw import (
    Editable,
    EditPreview,
    ToldTrouble,
    edit_draw,
    editable,
    preview_edit,
)
from tournaments.formats.fairness import Remark
from tournaments.models import Match, Squad, Tournament
from tournaments.queries.round_names import plan_name

TOLD = {
    "rematch": gettext_noop("%(one)s and %(other)s meet more than once: in rounds %(rounds)s."),
    "own_team": gettext_noop("%(one)s and %(other)s meet in round %(rounds)s, and are of one team."),
    "together": gettext_noop(
        "%(one)s and %(other)s are at one table in round %(rounds)s, and should be kept apart."
    ),
    "strong": gettext_noop(
        "%(one)s and %(other)s are at one table in round %(rounds)s, and both are strong."
    ),
    "bye_again": gettext_noop("%(one)s sits out more than once: in rounds %(rounds)s."),
}


@organizer
def edit(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Who changes places with whom: chosen, previewed, confirmed with a reason."""
    context: dict[str, Any] = {"tournament": tournament, "here": tournament.slug, "back": _back(tournament)}
    try:
        here = editable(tournament)
    except Refused as refused:
        # To learn that nothing can be changed now is no error; to try it is.
        status = refused.status if request.method == "POST" else 200
        return page(request, "desk/draw_edit.html", context | {"wrong": sentences(refused)}, status)
    who = ranked_squads(tournament.pk, names(request.event))
    given = request.POST if request.method == "POST" else request.GET
    form = SwapForm(_squads(here, who), _rounds(here), given or None)
    reason = ReasonForm(request.POST if request.method == "POST" else None)
    context |= {"form": form, "reason_form": reason, "by_team": here.course.format.swaps_within_teams}
    if not form.is_bound or not form.is_valid():
        return page(request, "desk/draw_edit.html", context, 422 if form.errors else 200)
    one, other = (UUID(form.cleaned_data[side]) for side in ("one", "other"))
    try:
        seen = preview_edit(tournament, one, other, form.chosen_round())
    except Refused as refused:
        told = {"refused": sentences(refused)}
        return page(request, "desk/draw_edit.html", context | told, refused.status)
    if request.method == "POST" and reason.is_valid():
        edit_draw(tournament, caller(request), one, other, reason.cleaned_data["reason"], form.chosen_round())
        return done(
            request,
            _("They have changed places. It is told beside the seed."),
            _back(tournament),
            tournament.slug,
        )
    context |= _shown(seen, who)
    return page(request, "desk/draw_edit.html", context, 422 if reason.errors else 200)


def _back(tournament: Tournament) -> str:
    """The page that shows what is changed here."""
    return "draw" if tournament.status == Tournament.Status.DRAWN else "rounds"


def _rounds(here: Editable) -> list[tuple[str, Any]]:
    plans = (each.plan for each in here.course.progress.rounds[-len(here.rounds) :])
    rounds = [(str(number), plan_name(plan)) for number, plan in zip(here.rounds, plans, strict=True)]
    return [*rounds, (EVERY, _("In every round"))] if here.course.format.swaps_within_teams else rounds


def _squads(here: Editable, who: dict[UUID, RankedContestant]) -> list[tuple[str, Any]]:
    """Who is drawn in what can be changed, by teams, each with where."""
    tables: defaultdict[UUID, dict[int, int]] = defaultdict(dict)
    matches = Match.objects.filter(stage=here.course.stage, round__in=here.rounds).order_by("round")
    for number, table, squad in matches.values_list("round", "table__number", "sides__squad"):
        tables[squad][number] = table
    teams: dict[str, list[tuple[str, str]]] = {}
    squads = Squad.objects.filter(stage=here.course.stage).order_by("team__number", "number")
    for squad in squads.values_list("pk", flat=True):
        named = who[squad]
        label = f"{named.players} · {_where([tables[squad].get(number) for number in here.rounds])}"
        teams.setdefault(named.team.name, []).append((str(squad), label))
    return list(teams.items())


def _where(tables: list[int | None]) -> str:
    """Round after round the tables of a squad; None is a round that it sits out."""
    if len(set(tables)) > 1:
        return _("tables %(numbers)s") % {"numbers": ", ".join(str(each or "–") for each in tables)}
    return _("bye") if tables[0] is None else _("table %(number)d") % {"number": tables[0]}


def _shown(seen: EditPreview, who: dict[UUID, RankedContestant]) -> dict[str, Any]:
    return {
        "seen": seen,
        "one": who[seen.one.pk],
        "other": who[seen.other.pk],
        "matches": [
            (match, [who[squad] for squad in match.before], [who[squad] for squad in match.after])
            for match in seen.matches
        ],
        "broken": [_told(trouble, who) for trouble in seen.broken],
        "mended": [_told(trouble, who) for trouble in seen.mended],
        "figures": [(_sentence(old), _sentence(new), new) for old, new in seen.remarks],
    }


def _told(trouble: ToldTrouble, who: dict[UUID, RankedContestant]) -> str:
    called = [who[squad].players for squad in trouble.squads]
    return _(TOLD[trouble.code]) % {
        "one": called[0],
        "other": called[-1],
        "rounds": ", ".join(map(str, trouble.rounds)),
    }


def _sentence(remark: Remark | None) -> str:
    return "" if remark is None else _(remark.template) % dict(remark.values)
