"""Tables and standings for the projector: screens that can be read from thirty metres, turning by themselves.

Each screen is a page of its own that names the next one; `static/js/projector.js` fetches that and puts it up
once it is here whole. Without scripts the browser goes on by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from publishing.brackets import brackets
from publishing.overall import OverallTableRow, overall_rows
from publishing.page_cache import shared
from publishing.place_history import PublicDay, day_of_tournament
from publishing.responses import tournament_page
from publishing.seating import Seating, coming_tables
from publishing.standings_rows import OrderStep, PublicStandingsRow, groups, rows, steps
from publishing.subjects import PageSubject, shows_tournament
from publishing.views.standings import names_in
from rendering.components.bracket_view import Piece
from tournaments.queries.palio import OverallTable, overall_table
from tournaments.queries.standings import StandingsTable, standings_table
from tournaments.settings.stage import may_need_fewer

Row = TypeVar("Row")

ROWS_ON_A_SCREEN = 8
SECONDS_FOR_A_SCREEN = 12


@dataclass(frozen=True, slots=True)
class Screen:
    """What is up at once.

    It is the clock, the tables of a round (`seating`), the steps, rows, `pieces` of a bracket or the chart of
    the `day`. Rows are those of a `group` where it has a name. Screens of the overall table have `lines`.
    """

    steps: list[OrderStep]
    rows: Sequence[PublicStandingsRow]
    is_clock: bool = False
    lines: Sequence[OverallTableRow] = ()
    group: str = ""
    pieces: Sequence[Piece] = ()
    day: PublicDay | None = None
    seating: Seating | None = None


@shows_tournament
def projector(request: HttpRequest, subject: PageSubject, screen: int = 1) -> HttpResponse:
    """One screen, from 1; the first if that is gone: a projector shows no errors."""
    return tournament_page(request, subject, "projector", subject.stamp, lambda: _context(subject, screen))


def screens_of(subject: PageSubject) -> int:
    """How many screens there are."""
    return len(_screens(subject).screens)


@dataclass(frozen=True, slots=True)
class Screens:
    """All screens of a tournament, with the standings and the overall table that they show, if any."""

    screens: list[Screen]
    table: StandingsTable | None
    overall: OverallTable | None


def _screens(subject: PageSubject) -> Screens:
    key = ("screens", subject.tournament.pk, get_language())
    return shared(key, lambda: _all_screens(subject))


def _all_screens(subject: PageSubject) -> Screens:
    table = standings_table(subject.tournament) if subject.is_shown else None
    screens = [Screen([], [])]
    if table is not None:
        screens = _of_tournament(subject, table) or screens
        day = day_of_tournament(subject)
        if day is not None:
            screens.append(Screen([], [], day=day))
    seatings = [Screen([], [], seating=each) for each in coming_tables(subject)]
    # The banners that hang there before the first game say less than who sits where.
    screens = seatings + (screens if table is not None or not seatings else [])
    if subject.clock.is_shown:
        screens.insert(0, Screen([], [], is_clock=True))
    overall = overall_table(subject.event) if subject.overall is not None else None
    if overall is not None:
        screens += [Screen([], [], lines=part) for part in parts(overall_rows(overall))]
    return Screens(screens, table, overall)


def _context(subject: PageSubject, number: int) -> dict[str, Any]:
    all_ = _screens(subject)
    screens, table, overall = all_.screens, all_.table, all_.overall
    still_open = table.version.games_total - table.version.games_played if table else 0
    return {
        # Before the first game the banners hang there.
        "teams": [] if table else list(subject.event.teams.all()),
        "version": table.version if table else None,
        "may_need_fewer": may_need_fewer(subject.tournament.settings, subject.stage, still_open),
        "overall": overall.version if overall is not None else None,
        **turning(screens, number),
    }


def turning(screens: Sequence[Screen], number: int) -> dict[str, Any]:
    """What the template needs of the screen of this number (the first if that is gone) and of the next."""
    here = number if 1 <= number <= len(screens) else 1
    return {
        "screen": screens[here - 1],
        "here_screen": here,
        "screens": range(1, len(screens) + 1),
        "next_screen": here % len(screens) + 1,
        "seconds": SECONDS_FOR_A_SCREEN,
    }


def _of_tournament(subject: PageSubject, table: StandingsTable) -> list[Screen]:
    """The steps, the groups or brackets that are on, and the rows.

    Rows are left out where they would only say that nobody is out or that groups can't be compared yet.
    """
    names = names_in(subject, table)
    lines = rows(table, names, subject.stage_format)
    first = steps(table, names)
    screens = [Screen(first, [])] if first else []
    drawn = brackets(subject) if subject.tournament.has_bracket else []
    screens += [Screen([], [], pieces=[piece]) for bracket in drawn[:1] for piece in bracket.pieces]
    in_groups = [] if drawn else groups(table, lines, names, subject.tournament.settings, subject.stage)
    for group in in_groups:
        screens += [Screen([], part, group=group.name) for part in parts(group.rows)]
    if table.version.is_final or not (drawn or in_groups):
        screens += [Screen([], part) for part in parts(lines)]
    return screens


def parts(rows: Sequence[Row]) -> list[Sequence[Row]]:
    """The rows of a table, as many as there is room for on each screen."""
    size = evenly(len(rows), ROWS_ON_A_SCREEN) if rows else 1
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def evenly(total: int, most: int) -> int:
    """How many go on each screen, so that the last isn't left with one: 7 with at most 6 are 4 and 3."""
    screens = -(-total // most)
    return -(-total // screens)
