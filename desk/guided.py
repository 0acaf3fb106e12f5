"""The guided path through setting up an event: on each of its pages, where one stands and what comes next.

It can be left anywhere and taken up again: nothing is kept, the steps say themselves what is missing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.setup_steps import SetupStep, desk_page, entries_step, public_step, team_counts, teams_step
from people.models import Event
from tournaments.models import Tournament

PAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "event": ("event-edit",),
    "teams": ("teams", "team"),
    "entries": ("entries", "entry", "import"),
    "tournament": ("tournament-new", "tournament-settings", "tournament"),
    "draw": ("draw",),
    "times": ("tables", "timetable"),
    "public": (),
}
"""The steps of the path, in the order in which one goes, each with the names of its pages' addresses."""


@dataclass(frozen=True, slots=True)
class SetupGuide:
    """The bar of a page: all steps, the one of the page with its number from 1, and the one to go on with."""

    steps: list[SetupStep]
    here: SetupStep
    number: int
    following: SetupStep | None


def guide(event: Event, page: str, tournaments: list[Tournament]) -> SetupGuide | None:
    """The bar for the page of this name; None for pages beside the path, and once everything is set up.

    Three queries, and none for a page beside the path.
    """
    at = next((place for place, pages in enumerate(PAGES.values()) if page in pages), None)
    if at is None:
        return None
    if event.is_published and any(each.status in Tournament.PUBLIC for each in tournaments):
        return None
    steps = list(_steps(event, sorted(tournaments, key=lambda each: each.created_at)))
    # What was left out before comes again at the end.
    following = [step for step in steps[at + 1 :] + steps[:at] if not step.is_done]
    return SetupGuide(steps, steps[at], at + 1, next(iter(following), None))


def _steps(event: Event, tournaments: list[Tournament]) -> Iterator[SetupStep]:
    counts = team_counts(event)
    yield SetupStep(_("Event"), event.name, desk_page(event, "event-edit"), _("Settings"), True)
    yield teams_step(event, counts)
    yield entries_step(event, counts)
    open_ = next((each for each in tournaments if each.status not in Tournament.PUBLIC), None)
    last = open_ or (tournaments[-1] if tournaments else None)
    name, args = ("tournament-settings", (last.slug,)) if last else ("tournament-new", ())
    yield SetupStep(
        _("Tournament"), "", desk_page(event, name, *args), _("Set up the tournament"), last is not None
    )
    drawn = last is not None and last.status in Tournament.PUBLIC
    draw = desk_page(event, "draw", last.slug) if last else desk_page(event, "tournament-new")
    yield SetupStep(_("Draw"), "", draw, _("Publish the draw"), drawn)
    # Tables before the draw; the hours of what is drawn afterwards.
    page = "timetable" if last is not None and last.status != Tournament.Status.SET_UP else "tables"
    tables = event.tables.count()
    told = ngettext("%(count)d table", "%(count)d tables", tables) % {"count": tables}
    yield SetupStep(_("Tables and times"), told, desk_page(event, page), _("Print the cards"), bool(tables))
    yield public_step(event)
