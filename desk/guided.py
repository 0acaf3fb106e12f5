"""The guided path through setting up an event: on each of its pages, where one stands and what comes next.

It can be left anywhere and taken up again: nothing is kept, the steps say themselves what is missing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.setup_steps import SetupStep, entries_step, public_step, team_counts, teams_step
from people.models import Event
from tournaments.models import Tournament

ORDER: Final = ("event", "teams", "entries", "tournament", "draw", "times", "public")
"""The steps of the path, in the order in which one goes."""
PAGES: Final[Mapping[str, str]] = {
    "event-edit": "event",
    "teams": "teams",
    "team": "teams",
    "entries": "entries",
    "entry": "entries",
    "import": "entries",
    "tournament-new": "tournament",
    "tournament-settings": "tournament",
    "tournament": "tournament",
    "draw": "draw",
    "tables": "times",
    "timetable": "times",
}
"""The name of a page's address to the step that it is part of."""


@dataclass(frozen=True, slots=True)
class GuideStage:
    """A step on the bar: its number from 1, and whether it is the one of the page."""

    number: int
    step: SetupStep
    is_here: bool


@dataclass(frozen=True, slots=True)
class SetupGuide:
    """The bar of one page: all steps, the one of the page, and the one to go on with."""

    stages: tuple[GuideStage, ...]
    here: GuideStage
    following: GuideStage | None

    @property
    def count(self) -> int:
        """How many steps there are."""
        return len(self.stages)


def guide(event: Event, page: str, tournaments: list[Tournament]) -> SetupGuide | None:
    """The bar for the page of this name; None for pages beside the path, and once everything is set up.

    Three queries, and none for a page beside the path.
    """
    if page not in PAGES:
        return None
    if event.is_published and any(each.status in Tournament.PUBLIC for each in tournaments):
        return None
    steps = list(_steps(event, sorted(tournaments, key=lambda each: each.created_at)))
    at = ORDER.index(PAGES[page])
    stages = tuple(GuideStage(place + 1, step, place == at) for place, step in enumerate(steps))
    open_ = [stage for stage in stages if not stage.step.is_done and not stage.is_here]
    after = [stage for stage in open_ if stage.number > at + 1]
    # What was left out before comes again at the end.
    return SetupGuide(stages, stages[at], next(iter(after or open_), None))


def _steps(event: Event, tournaments: list[Tournament]) -> Iterator[SetupStep]:
    counts = team_counts(event)
    yield SetupStep(_("Event"), event.name, _to(event, "event-edit"), _("Settings"), True)
    yield teams_step(event, counts)
    yield entries_step(event, counts)
    open_ = next((each for each in tournaments if each.status not in Tournament.PUBLIC), None)
    last = open_ or (tournaments[-1] if tournaments else None)
    name, args = ("tournament-settings", (last.slug,)) if last else ("tournament-new", ())
    yield SetupStep(
        _("Tournament"), "", _to(event, name, *args), _("Set up the tournament"), last is not None
    )
    drawn = last is not None and last.status in Tournament.PUBLIC
    draw = _to(event, "draw", last.slug) if last else _to(event, "tournament-new")
    yield SetupStep(_("Draw"), "", draw, _("Publish the draw"), drawn)
    yield _times(event, is_drawn=last is not None and last.status != Tournament.Status.SET_UP)
    yield public_step(event)


def _times(event: Event, *, is_drawn: bool) -> SetupStep:
    """Tables before the draw; the hours of what is drawn afterwards."""
    tables = event.tables.count()
    told = ngettext("%(count)d table", "%(count)d tables", tables) % {"count": tables}
    page = "timetable" if is_drawn else "tables"
    return SetupStep(_("Tables and times"), told, _to(event, page), _("Print the cards"), bool(tables))


def _to(event: Event, name: str, *args: object) -> str:
    return reverse(f"desk:{name}", args=[event.slug, *args])
