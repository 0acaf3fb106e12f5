"""Seating of the next round at tables of many, as the projector shows it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from people.display_names import Viewer
from publishing.match_display import ShownMatch, shown_waves
from publishing.rounds import RoundState, resting, round_states
from publishing.subjects import PageSubject
from publishing.timetable import names_of
from tournaments.facts.reasons import FREE_SEAT
from tournaments.formats.catalogue import FORMATS
from tournaments.models import Match
from tournaments.queries.draw_edits_text import Edit, squads_of
from tournaments.queries.match_views import MatchProgress, RoundView, in_rounds
from tournaments.queries.matches import load_matches
from tournaments.queries.squad_names import squad_names
from tournaments.queries.timetable.match_starts import hours

LINES_ON_A_SCREEN = 12
COLUMNS = 2
MOST_CHANGES = 2
"""So many changes of a round are told, the last ones."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Tables of a round, as many as there is room for.

    `seats` is the most sides that sit at one of the round. `has_squads`: a side is several players.
    `is_next`: an earlier round is still being played. `begins_at` is the hour of all its tables, None where
    they are played in waves. `changes` are sentences on changes after the draw, `rests` on who sits out.
    """

    round_name: str
    is_next: bool
    tables: Sequence[ShownMatch]
    seats: int
    has_squads: bool
    begins_at: datetime | None
    changes: Sequence[str]
    rests: Sequence[str] = ()


def coming_tables(subject: PageSubject) -> list[Seating]:
    """Screen by screen the tables of the round that comes next.

    Until it is drawn they are those of the round that is being played. Both are shown as long as that one has
    tables to which nobody has sat down for want of room.

    Empty where two meet, and once all is played. About a dozen queries.
    """
    is_at_tables = subject.stage_format in FORMATS and FORMATS[subject.stage_format].adds_points
    if not subject.is_shown or not is_at_tables:
        return []
    states = {each.number: each for each in round_states(subject.tournament)}
    first = next((number for number, each in states.items() if not each.is_done), None)
    if first is None:
        return []
    drawn = Match.objects.filter(stage__tournament=subject.tournament, round__in=[first, first + 1])
    now, *later = in_rounds(load_matches(drawn))
    following = later[0] if later else None
    chosen = [now]
    if following is not None and any(_is_over(now)):
        chosen = [now, following] if _has_later_wave(now) else [following]
    return [
        screen
        for each in chosen
        for screen in _screens(subject, each, states[each.number], is_next=each is following)
    ]


def _is_over(round_: RoundView) -> Iterable[bool]:
    """Of each table of a round, whether it has ended."""
    return (match.progress is MatchProgress.DONE for wave in round_.waves for match in wave.matches)


def _has_later_wave(round_: RoundView) -> bool:
    """Whether tables are open in a wave after the one that is on."""
    open_ = {
        wave.number
        for wave in round_.waves
        for match in wave.matches
        if match.progress is not MatchProgress.DONE
    }
    return len(open_) > 1


def _screens(subject: PageSubject, round_: RoundView, state: RoundState, *, is_next: bool) -> list[Seating]:
    names = names_of(subject.event)
    waves = shown_waves([round_], names, hours(subject.tournament))
    tables = [_without_who_left(match) for _wave, matches in waves for match in matches]
    seats = max(len(match.view.sides) for match in tables)
    in_waves = len(waves) > 1
    hour = None if in_waves else tables[0].hour
    has_squads = subject.tournament.settings["squad_size"] > 1
    first = Seating(
        round_.name,
        is_next,
        (),
        seats,
        has_squads,
        hour.begins_at if hour else None,
        _changes(subject, state.edits),
    )
    lines = 2 * seats if has_squads else seats
    most = COLUMNS * max(1, LINES_ON_A_SCREEN // lines)
    screens = -(-len(tables) // most)
    size = -(-len(tables) // screens)
    found = [replace(first, tables=tables[start : start + size]) for start in range(0, len(tables), size)]
    rests = resting(subject.event, subject.tournament, round_.number).sentences()
    return [*found[:-1], replace(found[-1], rests=rests)]


def _without_who_left(match: ShownMatch) -> ShownMatch:
    return replace(match, sides=tuple(side for side in match.sides if not side.left))


def _changes(subject: PageSubject, edits: Sequence[Edit]) -> list[str]:
    """A short sentence for each of the last changes of a round, by the names that may be shown."""
    last = edits[-MOST_CHANGES:]
    called = squad_names(Viewer.public(subject.event), squads_of(last)) if last else {}
    return [_told(edit, [called.get(squad, "–") for squad in squads_of([edit])]) for edit in last]


def _told(edit: Edit, squads: Sequence[str]) -> str:
    if "one" in edit:
        return _("%(one)s and %(other)s changed places.") % {"one": squads[0], "other": squads[1]}
    if edit["reason"] == FREE_SEAT:
        return _("%(name)s takes a free seat.") % {"name": squads[0]}
    hour = date_format(localtime(datetime.fromisoformat(edit["at"])), "H:i")
    return _("Planned anew at %(hour)s: find your table again.") % {"hour": hour}
