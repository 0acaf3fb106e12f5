"""The timetable as the desk sees it: a grid of hours and tables, and what is wrong with it in words."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from people.display_names import NameBook, squad_name
from people.models import Event
from tournaments.commands.timetable_work import remedied
from tournaments.models import Match, TimetableWork, Tournament
from tournaments.queries.match_views import MatchProgress, MatchView
from tournaments.queries.matches import load_matches
from tournaments.queries.timetable.match_starts import Hour, hours_of_event
from tournaments.queries.timetable.problem import Given, Ruler, placed, read
from tournaments.queries.timetable.undrawn import Undrawn
from tournaments.scheduling.check import conflicts
from tournaments.scheduling.figures import Comparison, Figure
from tournaments.scheduling.model import Cause, Conflict, Flaw, Placement, SettingsChange
from tournaments.scheduling.waiting import longest_waits
from tournaments.settings.timetable import TimetableSettings

DRAWN = (*Tournament.DRAWN_NOT_CLOSED, Tournament.Status.CLOSED)
MOST_WAITS = 6
"""So many of those who wait longest are named; who waits as long as the last of them is counted."""


@dataclass(frozen=True, slots=True)
class TimetableCard:
    """A match in the grid. `flaws` are the conflicts it has a part in."""

    match: MatchView
    hour: Hour
    referee: str
    flaws: int = 0

    @property
    def is_movable(self) -> bool:
        """Whether it may still go elsewhere."""
        return (
            self.match.progress is not MatchProgress.DONE
            and self.match.tournament.status in Tournament.DRAWN_NOT_CLOSED
        )


TimetableRow = tuple[datetime, tuple[tuple[int, tuple[TimetableCard, ...]], ...]]
"""What begins at a time, a cell for each table."""


@dataclass(frozen=True)
class Grid:
    """The whole timetable, and what is wrong with it."""

    given: Given
    placements: tuple[Placement, ...]
    days: tuple[tuple[date, tuple[TimetableRow, ...]], ...]
    tables: tuple[int, ...]
    conflicts: tuple[Conflict, ...]
    book: NameBook
    referees: Mapping[UUID, str]

    @property
    def matches(self) -> list[MatchView]:
        """All matches that are in it."""
        rows = [cells for _date, rows in self.days for _begins_at, cells in rows]
        return [card.match for cells in rows for _table, cards in cells for card in cards]

    @property
    def has_several_tournaments(self) -> bool:
        """Whether its matches are of more than one tournament."""
        return len({match.tournament.pk for match in self.matches}) > 1

    @property
    def is_stored(self) -> bool:
        """Whether any place is kept, also of what is over; otherwise all hours follow from the draw."""
        return any(match.place is not None for match in self.matches)

    def words(self, placements: Iterable[Placement] | None = None) -> "TimetableWords":
        """Its words, or those of other placements of its matches."""
        shown = self.placements if placements is None else placements
        return TimetableWords(self.given, shown, self.book, self.referees)


def grid(event: Event, book: NameBook) -> Grid:
    """The event's; seventeen queries, however much is drawn."""
    given = read(event)
    matches = load_matches(
        Match.objects.filter(stage__tournament__event=event, stage__tournament__status__in=DRAWN)
    )
    hours = hours_of_event(event)
    referees = {each.pk: str(each) for each in event.referees.all()}
    placements = placed(given, hours)
    found = conflicts(given.problem, placements)
    flaws: dict[str, int] = defaultdict(int)
    for each in found:
        for key in each.keys:
            flaws[key] += 1
    cards = [
        TimetableCard(
            match,
            hours[match.id],
            referees.get(match.place.referee_id, "") if match.place and match.place.referee_id else "",
            flaws[str(match.id)],
        )
        for match in matches
        if match.id in hours
    ]
    there = {card.match.table.number for card in cards}
    tables = tuple(sorted(there | {int(each) for each in given.problem.hall.tables}))
    return Grid(given, placements, _days(event, cards, tables), tables, found, book, referees)


def _days(
    event: Event, cards: Iterable[TimetableCard], tables: Sequence[int]
) -> tuple[tuple[date, tuple[TimetableRow, ...]], ...]:
    zone = ZoneInfo(event.time_zone)
    listed = sorted(cards, key=lambda card: (card.hour.begins_at, card.match.table.number))
    days = []
    for day, of_day in groupby(listed, key=lambda card: card.hour.begins_at.astimezone(zone).date()):
        of_one = list(of_day)
        rows = [
            _row(begins_at, list(at_once), tables)
            for begins_at, at_once in groupby(of_one, key=lambda card: card.hour.begins_at)
        ]
        # Somewhere to go after the last.
        last = max(card.hour.ends_at for card in of_one)
        days.append((day, (*rows, _row(last + timedelta(minutes=5), [], tables))))
    return tuple(days)


def _row(begins_at: datetime, cards: Sequence[TimetableCard], tables: Sequence[int]) -> TimetableRow:
    at: dict[int, list[TimetableCard]] = defaultdict(list)
    for card in cards:
        at[card.match.table.number].append(card)
    return begins_at, tuple((table, tuple(at[table])) for table in tables)


@dataclass(frozen=True, slots=True)
class TimetableWords:
    """Puts conflicts and answers into words, for one timetable."""

    given: Given
    placements: Iterable[Placement]
    book: NameBook
    referees: Mapping[UUID, str]

    def hour(self, minute: int) -> str:
        """A minute as a clock time where the event is held, with the day where there are several."""
        event = self.given.event
        moment = self.given.ruler.moment(minute).astimezone(ZoneInfo(event.time_zone))
        one_day = event.starts_on == event.ends_on
        return f"{moment:%H:%M}" if one_day else f"{moment:%d/%m %H:%M}"

    def match(self, key: str) -> str:
        """A match by its hour, table and sides."""
        match = self.given.matches.get(key)
        if match is None:
            return _("a match that is gone")
        who = " – ".join(
            squad_name(side.team, [self.book[entry.pk] for entry in side.entries]) for side in match.sides
        )
        place = placement_of(key, self.placements)
        if place is None:
            return who
        return _("%(hour)s, table %(table)s (%(who)s)") % {
            "hour": self.hour(place.start),
            "table": place.table,
            "who": who,
        }

    def place(self, key: str) -> str:
        """The hour and table of a match, empty for one that has none."""
        place = placement_of(key, self.placements)
        if place is None:
            return ""
        return _("%(hour)s, table %(table)s") % {"hour": self.hour(place.start), "table": place.table}

    def people(self, ids: Iterable[str]) -> str:
        """Players by name."""
        return ", ".join(self.book[UUID(each)] for each in ids if UUID(each) in self.book)

    def referee(self, key: str | None) -> str:
        """A referee by name."""
        return self.referees.get(UUID(key), "") if key else ""

    def conflict(self, conflict: Conflict) -> str:
        """One sentence."""
        keys = [self.match(key) for key in conflict.keys]
        values = {
            "one": keys[0] if keys else "",
            "two": keys[1] if len(keys) > 1 else "",
            "who": self.people(conflict.people),
            "referee": self.referee(conflict.about) if conflict.flaw in _OF_REFEREES else "",
            "table": conflict.about or "",
            "minutes": _minutes(conflict.minutes),
        }
        return str(_FLAWS[conflict.flaw]) % values


def placement_of(key: str, placements: Iterable[Placement]) -> Placement | None:
    """Where a match is placed, if it is."""
    return next((each for each in placements if each.key == key), None)


_OF_REFEREES = {Flaw.UNKNOWN_JUDGE, Flaw.OWN_TEAM, Flaw.JUDGE_TWO_PLACES, Flaw.JUDGE_AWAY}
_FLAWS = {
    Flaw.NOT_PLACED: gettext_lazy("It has no place yet: %(one)s."),
    Flaw.PLACED_TWICE: gettext_lazy("It is in two places: %(one)s."),
    Flaw.UNKNOWN_MEETING: gettext_lazy("A place of a match that is gone."),
    Flaw.UNKNOWN_TABLE: gettext_lazy("There is no table %(table)s: %(one)s."),
    Flaw.TABLE_TAKEN: gettext_lazy("Two matches at table %(table)s at once: %(one)s and %(two)s."),
    Flaw.CHANGEOVER: gettext_lazy(
        "At table %(table)s there is %(minutes)s too little between %(one)s and %(two)s."
    ),
    Flaw.TWO_PLACES: gettext_lazy("%(who)s would be in two places at once: %(one)s and %(two)s."),
    Flaw.REST: gettext_lazy("%(who)s: %(minutes)s of rest too few between %(one)s and %(two)s."),
    Flaw.CLOSED: gettext_lazy("Outside of the opening hours: %(one)s."),
    Flaw.BREAK: gettext_lazy("In a break: %(one)s."),
    Flaw.TOO_EARLY: gettext_lazy("Too early by %(minutes)s: %(one)s."),
    Flaw.ORDER: gettext_lazy("%(two)s begins %(minutes)s before %(one)s is over, which it comes after."),
    Flaw.ROUNDS: gettext_lazy(
        "%(two)s is of a later round than %(one)s, and begins %(minutes)s too early for it."
    ),
    Flaw.PINNED: gettext_lazy("It isn’t where it was fixed: %(one)s."),
    Flaw.NO_JUDGE: gettext_lazy("Without a referee: %(one)s."),
    Flaw.UNKNOWN_JUDGE: gettext_lazy("The referee isn’t on the list any more: %(one)s."),
    Flaw.OWN_TEAM: gettext_lazy("%(referee)s would judge the own team: %(one)s."),
    Flaw.JUDGE_TWO_PLACES: gettext_lazy("%(referee)s would judge two matches at once: %(one)s and %(two)s."),
    Flaw.JUDGE_AWAY: gettext_lazy("%(referee)s isn’t there then: %(one)s."),
}
_CAUSES = {
    Cause.TOO_LONG: gettext_lazy(
        "A match takes %(needed)d minutes, and the longest stretch without a break has %(there)d."
    ),
    Cause.TOO_LATE: gettext_lazy(
        "A match of %(tournament)s takes %(needed)d minutes and doesn’t begin before %(hour)s: after that, "
        "the longest stretch without a break has %(there)d."
    ),
    Cause.NO_TABLE: gettext_lazy("There is no table, or there are no opening hours."),
    Cause.TABLES: gettext_lazy(
        "All matches together need %(needed)d minutes at tables; there are %(there)d."
    ),
    Cause.PERSON: gettext_lazy(
        "One player’s matches, with the rest between them, need %(needed)d minutes; there are %(there)d."
    ),
    Cause.ROUNDS: gettext_lazy(
        "The rounds, one after the other, need %(needed)d minutes; there are %(there)d."
    ),
    Cause.ORDER: gettext_lazy(
        "Matches that come after each other need %(needed)d minutes; there are %(there)d."
    ),
    Cause.CIRCLE: gettext_lazy("Some matches each have to come after the other."),
    Cause.JUDGES: gettext_lazy(
        "All matches together need %(needed)d minutes of referees; those there are have %(there)d."
    ),
    Cause.NO_JUDGE: gettext_lazy(
        "There are matches that nobody on the list may judge: every referee is of a team that plays."
    ),
    Cause.PINNED: gettext_lazy("What is fixed is in conflict with itself."),
    Cause.TOGETHER: gettext_lazy("Each condition by itself could be kept, but not all of them together."),
}


_OF_OPEN_TABLES = gettext_lazy(
    "All matches together need %(needed)d minutes at tables. Tables are open for %(in_all)d, of which "
    "%(there)d can be played: the others lie between two matches, or are too few for a match."
)


def cause_told(event: Event, work: TimetableWork) -> str:
    """Why it doesn't fit; at most one query."""
    answer = work.answer
    values = {"needed": answer["needed"], "there": answer["there"], "in_all": answer.get("in_all", 0)}
    if answer["cause"] == Cause.TABLES and values["in_all"] > values["there"]:
        return str(_OF_OPEN_TABLES) % values
    if answer["cause"] == Cause.TOO_LATE:
        hour = Ruler.of(event).moment(answer["not_before"]).astimezone(ZoneInfo(event.time_zone))
        values["hour"] = f"{hour:%H:%M}"
        values["tournament"] = (
            event.tournaments.filter(pk=answer["about"]).values_list("name", flat=True).first()
        )
    return str(_CAUSES[Cause(answer["cause"])]) % values


def fixed_conflicts(event: Event, work: TimetableWork, book: NameBook) -> list[str]:
    """What of the fixed places is in conflict with what, a sentence each; empty where that isn't the cause.

    Some thirteen queries where it is.
    """
    found = work.answer.get("conflicts")
    if not found:
        return []
    given = read(event, TimetableSettings.from_json(work.settings), anew=True)
    pins = [each.pinned for each in given.problem.meetings if each.pinned is not None]
    referees = {each.pk: str(each) for each in event.referees.all()}
    words = TimetableWords(given, pins, book, referees)
    return [
        words.conflict(
            Conflict(
                Flaw(each["flaw"]), tuple(each["keys"]), each["minutes"], each["about"], tuple(each["people"])
            )
        )
        for each in found
    ]


_REMEDIES = {
    SettingsChange.TABLES: ngettext_lazy("%(count)d more table", "%(count)d more tables", "count"),
    SettingsChange.END_LATER: gettext_lazy("End %(minutes)s later"),
    SettingsChange.BEGIN_EARLIER: gettext_lazy("Begin %(minutes)s earlier"),
    SettingsChange.SHORTER: gettext_lazy("Make each match %(minutes)s shorter"),
    SettingsChange.NO_BREAKS: gettext_lazy("Play through, without breaks"),
    SettingsChange.LESS_REST: gettext_lazy("%(minutes)s less rest between two matches of a player"),
    SettingsChange.LESS_CHANGEOVER: gettext_lazy("%(minutes)s less between two matches at a table"),
    SettingsChange.JUDGES: ngettext_lazy(
        "%(count)d more referee of no team", "%(count)d more referees of no team", "count"
    ),
    SettingsChange.WITHOUT_JUDGES: gettext_lazy("Let matches be without a referee"),
    SettingsChange.FEWER_ROUNDS: ngettext_lazy("%(count)d round less", "%(count)d rounds less", "count"),
    SettingsChange.MIXED_ROUNDS: gettext_lazy("Let rounds mix"),
    SettingsChange.OWN_STARTS: gettext_lazy("Let each match have a start of its own"),
    SettingsChange.UNPINNED: gettext_lazy("Let go of what is fixed"),
}


def ways_to_fit(event: Event, work: TimetableWork) -> list[dict[str, Any]]:
    """The changes that the answer names, each applied by a button, or made on the page at `href`; at most one
    query.
    """
    settings = TimetableSettings.from_json(work.settings)
    found = []
    for each in work.answer["remedies"]:
        change, amount = SettingsChange(each["change"]), each["amount"]
        is_here = remedied(settings, change, amount) is not None
        words = _REMEDIES[change] % {"count": amount, "minutes": _minutes(amount)}
        href = None if is_here else _where_changed(event, change)
        found.append({"change": change, "amount": amount, "told": words, "href": href})
    return found


def _where_changed(event: Event, change: SettingsChange) -> str:
    """The page on which a change is made that is none of the timetable's settings."""
    if change is SettingsChange.JUDGES:
        return reverse("desk:referees", args=[event.slug])
    drawn = event.tournaments.filter(status=Tournament.Status.DRAWN).values_list("slug", flat=True)
    if len(drawn) == 1:
        return reverse("desk:tournament", args=[event.slug, drawn[0]])
    return reverse("desk:event", args=[event.slug])


@dataclass(frozen=True, slots=True)
class Load:
    """Who has how many matches, or waits for how long."""

    name: str
    count: int


def referee_loads(placements: Iterable[Placement], referees: Mapping[UUID, str]) -> list[Load]:
    """How many matches each referee has, who has most first."""
    counts = Counter(each.judge for each in placements)
    loads = [Load(name, counts[str(pk)]) for pk, name in referees.items()]
    return sorted(loads, key=lambda load: (-load.count, load.name))


def waiters(given: Given, placements: Sequence[Placement], book: NameBook) -> list[Load]:
    """Who waits longest between two matches of a day, in minutes without breaks. Last is how many others wait
    as long as the last who is named.
    """
    waits = [
        Load(book[UUID(person)], minutes)
        for person, minutes in longest_waits(given.problem, placements).items()
        if minutes and UUID(person) in book
    ]
    waits.sort(key=lambda load: (-load.count, load.name))
    named, others = waits[:MOST_WAITS], waits[MOST_WAITS:]
    level = sum(each.count == named[-1].count for each in others)
    if level:
        told = ngettext("and %(count)d other", "and %(count)d others", level) % {"count": level}
        named.append(Load(told, named[-1].count))
    return named


FigureRow = tuple[str, str, str, str]
"""A figure of the timetable: name, as it is, as proposed, and a sentence where it gets worse."""


def figure_rows(comparison: Comparison, words: TimetableWords) -> list[FigureRow]:
    """The figures of a proposal beside those of the timetable as it is now."""
    clashes = _("Tables, players or referees wanted twice at once")
    spoken: tuple[tuple[Figure, str, Callable[[int], str]], ...] = (
        (Figure.CLASHES, clashes, str),
        (Figure.END, _("The day ends at"), words.hour),
        (Figure.LONGEST_WAIT, _("Longest wait of a player"), _minutes),
        (Figure.STARTS, _("Starts"), str),
    )
    worse = comparison.worse()
    rows: list[FigureRow] = []
    for figure, name, speak in spoken:
        before, after = (speak(getattr(each, figure)) for each in (comparison.before, comparison.after))
        by = worse.get(figure)
        values = {"before": before, "after": after, "count": by, "by": _minutes(by or 0)}
        rows.append((name, before, after, str(_WORSE[figure] % values) if by else ""))
    return rows


_WORSE = {
    Figure.CLASHES: gettext_lazy(
        "More tables, players or referees are wanted twice at once: %(after)s, not %(before)s."
    ),
    Figure.END: gettext_lazy("The day ends %(by)s later: at %(after)s, not at %(before)s."),
    Figure.LONGEST_WAIT: gettext_lazy("Somebody waits %(by)s longer: %(after)s at most, not %(before)s."),
    Figure.STARTS: ngettext_lazy(
        "There is %(count)s start more to call: %(after)s, not %(before)s.",
        "There are %(count)s starts more to call: %(after)s, not %(before)s.",
        "count",
    ),
}


def clashes_told(count: int) -> str:
    """How often something is wanted twice at once."""
    return ngettext(
        "A table, a player or a referee is wanted twice at once.",
        "%(count)d times a table, a player or a referee is wanted twice at once.",
        count,
    ) % {"count": count}


def undrawn_told(undrawn: Iterable[Undrawn]) -> str:
    """What isn't drawn yet, by tournament; empty where nothing is."""
    return ", ".join(
        each.tournament.name
        if each.rounds is None
        else ngettext("%(name)s (%(count)d round)", "%(name)s (%(count)d rounds)", each.rounds)
        % {"name": each.tournament.name, "count": each.rounds}
        for each in undrawn
    )


def _minutes(count: int) -> str:
    return ngettext("%(count)d minute", "%(count)d minutes", count) % {"count": count}
