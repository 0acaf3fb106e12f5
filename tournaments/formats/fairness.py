"""Fairness of a draw or of played rounds: meetings, first seats, deals, rest, byes, tables.

A report holds figures for each entry and team, and remarks. A remark is a sentence with a code and values,
which says whether it is even or not.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .constraints import ConstraintsKept
from .errors import gettext_noop
from .match_sequence import Course, Sitting
from .meetings import (
    Rematch,
    RepeatedMeetings,
    TeamMeetings,
    rematches,
    repeated_meetings,
    team_meetings,
)
from .model import DrawSquad, Player


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence: `template` is a msgid, `values` its figures; `is_even` where it tells of no difference."""

    code: str
    template: str
    values: tuple[tuple[str, int], ...]
    is_even: bool

    @property
    def english(self) -> str:
        """The sentence in English."""
        return self.template % dict(self.values)


@dataclass(frozen=True, slots=True)
class EntryFairness:
    """What one entry gets.

    `first_seats`: games in which its side has the first seat; `deals`: games in which it dealt first, None
    where that isn't known. `byes`: rounds it sits out. `rests`: how many waves lie between each two of its
    matches. `tables`: those it plays at.
    """

    player: Player
    matches: int
    games: int
    first_seats: int
    deals: int | None
    byes: int
    rests: tuple[int, ...]
    tables: tuple[int, ...]
    table_changes: int


@dataclass(frozen=True, slots=True)
class TeamFairness:
    """What a team gets, counted over its squads: games, and games in which it has the first seat."""

    team: int
    matches: int
    games: int
    first_seats: int


@dataclass(frozen=True, slots=True)
class Fairness:
    """The whole report: entries and teams by number, meetings of every two teams, and remarks."""

    entries: tuple[EntryFairness, ...]
    teams: tuple[TeamFairness, ...]
    team_meetings: tuple[TeamMeetings, ...]
    rematches: tuple[Rematch, ...]
    remarks: tuple[Remark, ...]


def fairness(
    course: Course, *, dealt: Iterable[Player] | None = None, constraints_kept: ConstraintsKept | None = None
) -> Fairness:
    """Count it all.

    `dealt` names who dealt first in each game that was played, as the games' logs have it. A draw leaves that
    to the cut at the table. `constraints_kept` adds what a draw made of its constraints.
    """
    deals = None if dealt is None else Counter(dealt)
    byes = Counter(side for _, side in course.byes)
    by_side = course.by_side()
    entries = tuple(
        sorted(
            (
                entry
                for side, sittings in by_side.items()
                for entry in _entries(side, sittings, byes[side], deals)
            ),
            key=lambda entry: entry.player,
        )
    )
    met_teams = team_meetings(course)
    again = rematches(course)
    rests = [rest for entry in entries for rest in entry.rests]
    remarks = [
        _spread([entry.games for entry in entries], _GAMES),
        _repeats_remark(repeated_meetings(course)) if course.seats_many else _rematch_remark(again),
        *([_spread([each.rounds for each in met_teams], _TEAMS)] if met_teams else []),
        _spread([entry.first_seats for entry in entries], _FIRST_SEATS),
        _spread([entry.deals for entry in entries if entry.deals is not None], _DEALS)
        if deals is not None
        else Remark("dealers_cut", _DEALERS_CUT, (), True),
        _spread([entry.byes for entry in entries], _BYES),
        *_smaller_tables(course),
        *([_spread(rests, _RESTS)] if rests else []),
        _table_remark(entries),
        *(_kept_remarks(constraints_kept) if constraints_kept else []),
    ]
    return Fairness(
        entries=entries,
        teams=_teams(by_side),
        team_meetings=met_teams,
        rematches=again,
        remarks=tuple(remarks),
    )


def _smaller_tables(course: Course) -> list[Remark]:
    """How often each sits at a smaller table; nothing where all are of one size."""
    sizes = [len(sitting.sides) for sitting in course.sittings]
    if not course.seats_many or len(set(sizes)) < 2:
        return []
    smaller = [
        sum(len(sitting.sides) < max(sizes) for sitting in sittings) for sittings in course.by_side().values()
    ]
    return [_spread(smaller, _SMALLER_TABLES)]


def table_changes(sittings: Sequence[Sitting]) -> int:
    """How often the table is another than before."""
    return sum(before.table != after.table for before, after in pairwise(sittings))


def _entries(
    side: DrawSquad, sittings: list[Sitting], byes: int, deals: Counter[Player] | None
) -> Iterable[EntryFairness]:
    games = sum(sitting.games_of(side) for sitting in sittings)
    first_seats = sum(sitting.first_seats_of(side) for sitting in sittings)
    rests = tuple(after.wave - before.wave - 1 for before, after in pairwise(sittings))
    tables = tuple(sorted({sitting.table for sitting in sittings}))
    for player in side.players():
        yield EntryFairness(
            player=player,
            matches=len(sittings),
            games=games,
            first_seats=first_seats,
            deals=None if deals is None else deals[player],
            byes=byes,
            rests=rests,
            tables=tables,
            table_changes=table_changes(sittings),
        )


def _teams(by_side: dict[DrawSquad, list[Sitting]]) -> tuple[TeamFairness, ...]:
    matches: Counter[int] = Counter()
    games: Counter[int] = Counter()
    first_seats: Counter[int] = Counter()
    for side, sittings in by_side.items():
        matches[side.team] += len(sittings)
        games[side.team] += sum(sitting.games_of(side) for sitting in sittings)
        first_seats[side.team] += sum(sitting.first_seats_of(side) for sitting in sittings)
    return tuple(
        TeamFairness(team, matches[team], games[team], first_seats[team])
        for team in sorted({side.team for side in by_side})
    )


@dataclass(frozen=True, slots=True)
class _Texts:
    """The sentences of a figure: where all is the same (or nothing), and where it isn't."""

    code: str
    same: str
    different: str


_GAMES = _Texts(
    "games",
    gettext_noop("Games of each entry: %(most)d."),
    gettext_noop("Games of each entry: from %(fewest)d to %(most)d."),
)
_TEAMS = _Texts(
    "team_meetings",
    gettext_noop("Rounds in which two teams meet: %(most)d, for every two."),
    gettext_noop("Rounds in which two teams meet: from %(fewest)d to %(most)d."),
)
_FIRST_SEATS = _Texts(
    "first_seats",
    gettext_noop("Games in which the own side has the first seat: %(most)d, for each entry."),
    gettext_noop("Games in which the own side has the first seat: from %(fewest)d to %(most)d."),
)
_DEALS = _Texts(
    "deals",
    gettext_noop("Games in which an entry dealt first: %(most)d, for each."),
    gettext_noop("Games in which an entry dealt first: from %(fewest)d to %(most)d."),
)
_DEALERS_CUT = gettext_noop("Who deals is cut at the table; the draw doesn't say.")
_BYES = _Texts(
    "byes",
    gettext_noop("Rounds that each entry sits out: %(most)d."),
    gettext_noop("Rounds that each entry sits out: from %(fewest)d to %(most)d."),
)

_SMALLER_TABLES = _Texts(
    "smaller_tables",
    gettext_noop("Rounds of each at a smaller table: %(most)d."),
    gettext_noop("Rounds of each at a smaller table: from %(fewest)d to %(most)d."),
)
_RESTS = _Texts(
    "rest",
    gettext_noop("Waves between two matches of an entry: %(most)d."),
    gettext_noop("Waves between two matches of an entry: from %(fewest)d to %(most)d."),
)


_NO_REMATCH = gettext_noop("Nobody meets the same opponent twice.")
_FEWEST_REPEATS = gettext_noop(
    "Repeated meetings (two who meet three times count as three): %(count)d; fewer aren’t possible."
)
_MORE_REPEATS = gettext_noop(
    "Repeated meetings (two who meet three times count as three): %(count)d; fewer may be possible, down to "
    "%(fewest)d."
)


def _spread(figures: Sequence[int], texts: _Texts) -> Remark:
    """What is the same for all is even; so is what can't be the same, when it differs by one."""
    fewest, most = min(figures, default=0), max(figures, default=0)
    if fewest == most:
        return Remark(texts.code, texts.same, (("most", most),), True)
    return Remark(texts.code, texts.different, (("fewest", fewest), ("most", most)), most - fewest == 1)


def _repeats_remark(repeated: RepeatedMeetings) -> Remark:
    if not repeated.count:
        return Remark("repeats", _NO_REMATCH, (), True)
    is_even = repeated.count == repeated.fewest
    return Remark(
        "repeats",
        _FEWEST_REPEATS if is_even else _MORE_REPEATS,
        (("count", repeated.count), ("fewest", repeated.fewest)),
        is_even,
    )


def _rematch_remark(again: Sequence[Rematch]) -> Remark:
    if not again:
        return Remark("no_rematch", _NO_REMATCH, (), True)
    return Remark(
        "rematches",
        gettext_noop("Pairs of opponents that meet more than once: %(pairs)d, at most %(most)d times."),
        (("pairs", len(again)), ("most", again[0].matches)),
        False,
    )


def _table_remark(entries: Sequence[EntryFairness]) -> Remark:
    return Remark(
        "tables",
        gettext_noop("Tables: %(tables)d; changes of table of an entry: at most %(changes)d."),
        (
            ("tables", len({table for entry in entries for table in entry.tables})),
            ("changes", max((entry.table_changes for entry in entries), default=0)),
        ),
        True,
    )


def _kept_remarks(kept: ConstraintsKept) -> list[Remark]:
    counted = (
        (kept.constraints.groups, _GROUPS, kept.group_pairs, kept.fewest_group_pairs),
        (kept.constraints.strong, _STRONG, kept.strong_pairs, kept.fewest_strong_pairs),
    )
    return [_pairs_remark(texts, pairs, fewest) for members, texts, pairs, fewest in counted if members]


_GROUPS = _Texts(
    "groups",
    gettext_noop("No two of one group sit at one table."),
    gettext_noop("Pairs of one group at one table: %(pairs)d; unavoidable are at least %(fewest)d."),
)
_STRONG = _Texts(
    "strong",
    gettext_noop("No two strong entries sit at one table."),
    gettext_noop("Pairs of strong entries at one table: %(pairs)d; unavoidable are at least %(fewest)d."),
)


def _pairs_remark(texts: _Texts, pairs: int, fewest: int) -> Remark:
    if not pairs:
        return Remark(texts.code, texts.same, (), True)
    return Remark(texts.code, texts.different, (("pairs", pairs), ("fewest", fewest)), pairs == fewest)
