"""The standings for the projector: screens that can be read from thirty metres, turning by themselves.

Each screen is a page of its own that names the next one; `static/js/projector.js` fetches that and puts it up
once it is here whole. Without scripts the browser goes on by itself.
"""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse

from publishing.answers import stamped_page
from publishing.rows import Row, Step, rows, steps
from publishing.subjects import Subject, shows_tournament
from tournaments.reading import standings_table

ROWS_ON_A_SCREEN = 8
SECONDS_FOR_A_SCREEN = 12


@dataclass(frozen=True, slots=True)
class Screen:
    """What is up at once: the clock, the steps, or some rows."""

    steps: list[Step]
    rows: list[Row]
    is_clock: bool = False


@shows_tournament
def projector(request: HttpRequest, subject: Subject) -> HttpResponse:
    """One screen (`?screen=N`, from 1); the first if that is gone: a projector shows no errors."""
    asked = request.GET.get("screen", "")
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 5 else 1
    return stamped_page(
        request, subject.event, subject.stamp, "publishing/projector.html", lambda: _context(subject, number)
    )


def _context(subject: Subject, number: int) -> dict[str, Any]:
    table = standings_table(subject.tournament) if subject.is_shown else None
    screens = [Screen([], [])]
    if table is not None:
        lines = rows(table)
        first = steps(table)
        screens = [Screen(first, [])] if first else []
        size = evenly(len(lines), ROWS_ON_A_SCREEN)
        screens += [Screen([], lines[start : start + size]) for start in range(0, len(lines), size)]
    if subject.clock.is_shown:
        screens.insert(0, Screen([], [], is_clock=True))
    here = number if 1 <= number <= len(screens) else 1
    return {
        "tournament": subject.tournament,
        "clock": subject.clock,
        # Before the first game the banners hang there.
        "teams": [] if table else list(subject.event.teams.all()),
        "version": table.version if table else None,
        "screen": screens[here - 1],
        "here_screen": here,
        "screens": range(1, len(screens) + 1),
        "next_screen": here % len(screens) + 1,
        "seconds": SECONDS_FOR_A_SCREEN,
    }


def evenly(total: int, most: int) -> int:
    """How many go on each screen, so that the last isn't left with one: 7 with at most 6 are 4 and 3."""
    screens = -(-total // most)
    return -(-total // screens)
