"""Next tables for a referee: those with a match to be played, by the schedule."""

from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

from django.utils import timezone

from people.display_names import referee_name
from people.models import Event, Pairing
from tournaments.models import Match, Table, Tournament
from tournaments.queries.match_views import MatchProgress, MatchView, match_on
from tournaments.queries.matches import has_open_games, load_matches

THERE = timedelta(minutes=10)
"""For so long after it was seen there a phone is taken to be at a table."""


@dataclass(frozen=True, slots=True)
class LedTable:
    """A table with the match that is its next. `is_own`: the referee's own team plays; `others`: the names of
    referees whose phones were there a moment ago.
    """

    table: Table
    match: MatchView
    is_own: bool
    others: tuple[str, ...]

    @property
    def waits(self) -> bool:
        """Whether nobody looks after it yet, and this referee may."""
        return self.match.progress is MatchProgress.WAITING and not self.others and not self.is_own


def led_by(pairing: Pairing) -> list[LedTable]:
    """Where this phone's referee is needed, nearest to the table of before first."""
    return led_tables(pairing.event, pairing, pairing.table_number)


def led_tables(event: Event, pairing: Pairing | None, near: int | None) -> list[LedTable]:
    """The tables of an event at which a published match isn't over, each with the first such.

    Those come first where a match waits for somebody, then those that are played or looked after already.
    Last are those where the referee's own team plays, which a referee never judges. Among them the nearest
    number first. Seven queries, however many there are.
    """
    matches = load_matches(
        Match.objects.filter(
            has_open_games(),
            stage__tournament__event=event,
            stage__tournament__status=Tournament.Status.PUBLISHED,
        )
    )
    there = _there(event, pairing)
    own = None if pairing is None else pairing.referee.team_id
    led = []
    # Within a table they stay in the order of play.
    by_table = sorted(matches, key=lambda match: match.table.number)
    for number, of_table in groupby(by_table, key=lambda match: match.table.number):
        current = match_on(list(of_table))
        if current is not None:
            is_own = own is not None and own in {side.team.pk for side in current.sides}
            led.append(LedTable(current.table, current, is_own, tuple(there.get(number, ()))))
    return sorted(led, key=lambda each: _rank(each, near))


def _rank(each: LedTable, near: int | None) -> tuple[bool, bool, int, int]:
    number = each.table.number
    return each.is_own, not each.waits, 0 if near is None else abs(number - near), number


def _there(event: Event, but: Pairing | None) -> dict[int, list[str]]:
    """The names of the referees whose phones are at each table, by its number."""
    phones = event.pairings.filter(
        admitted_at__isnull=False, revoked_at=None, last_seen_at__gt=timezone.now() - THERE
    ).select_related("referee")
    there: dict[int, list[str]] = {}
    for phone in phones.exclude(table_number=None).order_by("referee__first_name", "referee__last_name"):
        if but is None or phone.referee_id != but.referee_id:
            there.setdefault(phone.table_number or 0, []).append(referee_name(phone.referee))
    return there
