"""Outlook in words and marks, read from its row: the places that each team can still come to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext, ngettext, pgettext

from people.models import Team
from tournaments.models import Outlook, Standing, StandingsVersion, Tournament
from tournaments.standings.outlook import METHODS, OutlookMethod, TeamOutlook


class Mark(StrEnum):
    """What is known of a team and a place."""

    SURE = "sure"
    POSSIBLE = "possible"
    UNKNOWN = "unknown"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class OutlookCell:
    """A team and a place. `share` is in how many of a hundred samples it was seen, as text; else empty."""

    place: int
    mark: Mark
    share: str


@dataclass(frozen=True, slots=True)
class OutlookRow:
    """A team, or a squad by its `name`, one sentence on it, and a cell for each place."""

    team: Team
    name: str
    sentence: str
    cells: tuple[OutlookCell, ...]


@dataclass(frozen=True, slots=True)
class OutlookTable:
    """What is still open, with teams (or squads, where these are ranked) in the order of the version that
    it goes on from.

    `is_newest`: no later version of the standings is there. `can_be_told` is false where nobody can tell:
    then there are no `contestants`. While matches are `overtaken` it holds if they stand.
    """

    version: StandingsVersion
    is_newest: bool
    method: OutlookMethod | None
    samples: int
    seed: str
    contestants: tuple[tuple[Standing, TeamOutlook[UUID]], ...]
    first_is_decided: bool

    @property
    def overtaken(self) -> int:
        """How many matches of a bracket were drawn before a correction and can still be decided anew."""
        return 0 if self.version.is_final else len(self.version.outdated)

    @property
    def open_games(self) -> int:
        """How many games are drawn and not over; those of rounds to come aren't counted.

        Of a match that can end early all are counted until it is decided.
        """
        return self.version.games_total - self.version.games_played

    @property
    def is_over(self) -> bool:
        """Whether everything is drawn and played."""
        return self.version.is_all_drawn and not self.open_games

    @property
    def can_be_told(self) -> bool:
        """Whether the places can be foreseen at all."""
        return self.method is not None

    @property
    def is_settled(self) -> bool:
        """Whether no place can change any more."""
        return (
            self.can_be_told
            and not self.overtaken
            and all(outlook.is_settled for _, outlook in self.contestants)
        )


def outlook_table(tournament: Tournament) -> OutlookTable | None:
    """What is still open; None before anybody has looked ahead. Three queries."""
    stored = Outlook.objects.filter(pk=tournament.pk).first()
    if stored is None:
        return None
    newest = StandingsVersion.objects.filter(tournament=OuterRef("tournament")).order_by("-number")
    version = (
        tournament.standings_versions.filter(number=stored.number)
        .annotate(newest=Subquery(newest.values("number")[:1]))
        .first()
    )
    if version is None:
        return None
    by_contestant = {
        UUID(each["team"]): TeamOutlook(
            UUID(each["team"]),
            tuple(each["places"]),
            tuple(each["undecided"]),
            tuple((place, samples) for place, samples in each["seen"]),
        )
        for each in stored.teams
    }
    rows = version.rows.select_related("team", "squad").order_by("position")
    return OutlookTable(
        version=version,
        is_newest=version.newest == version.number,
        method=OutlookMethod(stored.method) if stored.method else None,
        samples=stored.samples,
        seed=stored.seed,
        contestants=tuple(
            (row, by_contestant[row.contestant_id]) for row in rows if row.contestant_id in by_contestant
        ),
        first_is_decided=stored.first_is_decided and (version.is_final or not version.outdated),
    )


def outlook_rows(table: OutlookTable, squads: Mapping[UUID, str]) -> list[OutlookRow]:
    """The contestants in the order of the standings; `squads` has the name of each squad for this reader."""
    outlooks = [outlook for _, outlook in table.contestants]
    last = max((place for each in outlooks for place in each.places + each.undecided), default=1)
    firsts = sum(1 in each.places or 1 in each.undecided for each in outlooks)
    return [
        OutlookRow(
            row.team,
            squads.get(row.contestant_id, row.team.name),
            sentence(outlook, last, firsts=firsts, is_over=table.is_over, is_sure=not table.overtaken),
            cells(outlook, len(outlooks), table.samples),
        )
        for row, outlook in table.contestants
    ]


def cells(outlook: TeamOutlook[UUID], last: int, samples: int) -> tuple[OutlookCell, ...]:
    """A cell for each place, the first one first."""
    seen = dict(outlook.seen)
    return tuple(
        OutlookCell(place, _mark(outlook, place), _share(seen.get(place, 0), samples))
        for place in range(1, last + 1)
    )


def _mark(outlook: TeamOutlook[UUID], place: int) -> Mark:
    if place in outlook.places:
        return Mark.SURE if outlook.is_settled else Mark.POSSIBLE
    return Mark.UNKNOWN if place in outlook.undecided else Mark.IMPOSSIBLE


def _share(seen: int, samples: int) -> str:
    """The share of the samples as whole percents; what was seen at all is never 0%, nor 100% what wasn't
    always.
    """
    if not seen:
        return ""
    percent = 100 * seen / samples
    if percent < 1:
        return "<1%"
    if percent > 99 and seen < samples:
        return ">99%"
    return f"{round(percent)}%"


def condition(table: OutlookTable) -> str:
    """Under what condition the outlook holds; empty where there is none."""
    if not table.overtaken:
        return ""
    template = ngettext(
        "%(matches)d match was drawn before a correction. What is said here holds if it stands, or is drawn "
        "anew where it hasn’t begun.",
        "%(matches)d matches were drawn before a correction. What is said here holds if those that have "
        "begun stand and the others are drawn anew.",
        table.overtaken,
    )
    return template % {"matches": table.overtaken}


def sentence(
    outlook: TeamOutlook[UUID], last: int, *, firsts: int = 1, is_over: bool = False, is_sure: bool = True
) -> str:
    """What a team can still come to. `last` is the worst place that anybody can still come to, so that nobody
    stands behind it, shared or not. `firsts` is how many can still be first; `is_over`: no game is to come.
    Unless it `is_sure`, it holds under the `condition` that stands beside it.
    """
    if outlook.is_settled and not is_sure:
        return gettext("Comes to place %(place)d.") % {"place": outlook.places[0]}
    if outlook.is_settled:
        return _settled(outlook.places[0], last, firsts, is_over=is_over)
    words = {"best": _best(outlook), "worst": _worst(outlook, last)}
    return gettext("%(best)s; %(worst)s.") % words


def _settled(place: int, last: int, firsts: int, *, is_over: bool) -> str:
    if place == 1:
        if firsts == 1:
            return gettext("Has won already.")
        if is_over:
            return gettext("Is first, level with others.")
        return gettext("Will be first, at worst level with others.")
    if is_over:
        return gettext("Has come to place %(place)d.") % {"place": place}
    if place == last:
        return gettext("Will be last, whatever happens.")
    return gettext("Will come to place %(place)d, whatever happens.") % {"place": place}


def _best(outlook: TeamOutlook[UUID]) -> str:
    place = min(outlook.places + outlook.undecided)
    is_sure = place in outlook.places
    if place == 1:
        return gettext("Can still win") if is_sure else gettext("Might still win")
    if is_sure:
        return gettext("Can’t win any more: place %(place)d at best") % {"place": place}
    return gettext("Can’t win any more: perhaps still place %(place)d") % {"place": place}


def _worst(outlook: TeamOutlook[UUID], last: int) -> str:
    place = max(outlook.places + outlook.undecided)
    is_sure = place in outlook.places
    if place == last:
        return gettext("can still be last") if is_sure else gettext("might still be last")
    if is_sure:
        return gettext("place %(place)d at worst") % {"place": place}
    return gettext("at worst perhaps place %(place)d") % {"place": place}


def method(table: OutlookTable) -> str:
    """How the places were found; empty where nothing is open or nobody can tell."""
    if table.method is None or table.is_over:
        return ""
    return gettext(METHODS[table.method]) % {"samples": table.samples, "seed": table.seed}


def decided(names: Sequence[str]) -> str:
    """One line for the standings, once the first place can't change; `names` are those who are there."""
    if len(names) == 1:
        return gettext("First place is decided: %(team)s can’t be caught any more.") % {"team": names[0]}
    return pgettext("standings", "First place is decided.")
