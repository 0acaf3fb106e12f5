"""The teams: names, banners, how many are entered."""

from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from desk.forms.events import TeamForm
from desk.forms.fields import attempt, stamp, succeeds, unchanged
from desk.page import done, organizer, organizer_post, page
from desk.setup_steps import team_counts
from people.access import EventRequest
from people.events import add_team, edit_team, remove_team
from people.models import Team

# Colours for the first teams, so that no two begin alike: told apart by day, at night and in print.
PALETTE = (
    ("#1f5c8b", "#f4e8c8", Team.Division.PER_BEND),
    ("#8c2131", "#f2c94c", Team.Division.PER_PALE),
    ("#2f6b3a", "#f7f3e8", Team.Division.CHEVRON),
    ("#5b3a8c", "#f2c94c", Team.Division.QUARTERED),
    ("#c4581a", "#20313f", Team.Division.PER_FESS),
    ("#17777a", "#f4e8c8", Team.Division.PER_PALE),
    ("#20313f", "#e0b23c", Team.Division.CHEVRON),
    ("#a8326d", "#f7f3e8", Team.Division.PER_BEND),
)


@organizer
def teams(request: EventRequest) -> HttpResponseBase:
    """All teams, and a form for the next."""
    event = request.event
    counts = team_counts(event)
    form = TeamForm(request.POST or None, initial=_look(len(counts)))
    if team := attempt(form, lambda: add_team(event, request.actor, **form.settings())):
        return done(request, _("%(team)s is in.") % {"team": team.name}, "teams")
    context = {"counts": counts, "form": form, "here": "teams"}
    return page(request, "desk/teams.html", context, 422 if form.errors else 200)


@organizer
def edit(request: EventRequest, team: Team) -> HttpResponseBase:
    """One team's names and banner."""
    form = TeamForm.of(team, request.POST or None)
    if unchanged(request, team, form) and succeeds(
        form, lambda: edit_team(team, request.actor, **form.settings())
    ):
        return done(request, _("%(team)s is stored.") % {"team": team.name}, "teams")
    # A refused change has touched the row in memory only.
    team.refresh_from_db()
    entered = team.entries.count()
    context = {"team": team, "form": form, "stamp": stamp(team), "entered": entered, "here": "teams"}
    return page(request, "desk/team.html", context, 422 if form.errors else 200)


@organizer_post
def remove(request: EventRequest, team: Team) -> HttpResponse:
    """Remove a team that nobody is entered for."""
    remove_team(team, request.actor)
    return done(request, _("The team is removed."), "teams")


def _look(place: int) -> dict[str, str]:
    """The banner that the next team begins with; the second eight exchange the colours of the first."""
    one, two, division = PALETTE[place % len(PALETTE)]
    if place // len(PALETTE) % 2:
        one, two = two, one
    return {"color_one": one, "color_two": two, "division": division}
