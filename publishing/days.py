"""How the places moved through the day: each team's way from round to round, or between disciplines."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery
from django.utils.translation import get_language, pgettext

from people.models import Event, Team
from publishing.kept import shared
from publishing.squads import ranked_squads
from publishing.subjects import Subject
from tournaments.formats.catalogue import ROUND_FORMATS
from tournaments.models import OverallStanding, OverallVersion, Standing, StandingsVersion
from tournaments.palio.reading import DisciplineView

MOST_WAYS = 16
"""More lines than these can't be told apart: then the first ones are drawn."""
FEWEST_MOMENTS = 2
MOST_LETTERS = 16


@dataclass(frozen=True, slots=True)
class Moment:
    """A point of the day: after a round (`round`; None for now), or with the disciplines that were decided;
    `short` is written below the drawing.
    """

    at: datetime
    short: str
    round: int | None = None
    names: tuple[str, ...] = ()
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A team's (or squad's) way: its place at each moment, None where it had none, and if it was shared."""

    team: Team
    name: str
    places: tuple[int | None, ...]
    ties: tuple[bool, ...]

    @property
    def stops(self) -> list[tuple[int | None, bool]]:
        """Place and tie of each moment."""
        return list(zip(self.places, self.ties, strict=True))


@dataclass(frozen=True, slots=True)
class Day:
    """The ways in the order of the newest table, and how many are left out. `seen` stands for all of it."""

    moments: tuple[Moment, ...]
    ways: tuple[Way, ...]
    left_out: int

    @property
    def seen(self) -> str:
        """What a page of it stands on, beside names and looks."""
        moments = [(each.short, each.at.isoformat(), each.names, each.is_final) for each in self.moments]
        return f"{moments} {[(each.team.pk, each.name, each.places, each.ties) for each in self.ways]}"

    @property
    def drawn(self) -> list[str]:
        """What is written below the drawing."""
        return [each.short for each in self.moments]


def day_of_tournament(subject: Subject) -> Day | None:
    """The places at the end of each round, and now; None before there is a way to be drawn, and while groups
    are played or a knockout runs, where places come from elsewhere. Four queries at most.
    """
    key = ("day", subject.tournament.pk, get_language())
    return shared(key, lambda: _day_of_tournament(subject))


def _day_of_tournament(subject: Subject) -> Day | None:
    choice = ROUND_FORMATS.get(subject.stage_format)
    if not subject.is_shown or (choice is not None and choice.has_places):
        return None
    versions = StandingsVersion.objects.filter(tournament=subject.tournament)
    newest = versions.order_by("-number").values("number")[:1]
    ends = versions.filter(~Q(receipt="") | Q(number=Subquery(newest)), groups=[]).order_by("number")
    columns = ("pk", "rounds_played", "games_played", "computed_at", "receipt", "is_final")
    by_round: dict[int | None, tuple[UUID, Moment]] = {}
    for pk, rounds, games, at, receipt, is_final in ends.values_list(*columns):
        if receipt and rounds:
            short = pgettext("end of the day", "end") if is_final else str(rounds)
            by_round[rounds] = pk, Moment(at, short, rounds, is_final=is_final)
        elif games:
            by_round[None] = pk, Moment(at, pgettext("moment of the day", "now"))
    if len(by_round) < FEWEST_MOMENTS:
        return None
    chosen = list(by_round.values())
    last = chosen[-1][0]
    rows = Standing.objects.filter(version__in=[pk for pk, _ in chosen]).order_by("position")
    stood = [
        (row.version_id, row.contestant_id, row.team_id, row.place, row.is_tied)
        for row in rows.only("version", "team", "squad", "place", "is_tied")
    ]
    squads = ranked_squads(subject.event, [last]) if any(row[1] != row[2] for row in stood) else {}
    return _day(subject.event, chosen, stood, squads)


def day_of_palio(event: Event, disciplines: Sequence[DisciplineView]) -> Day | None:
    """The places in the overall table whenever disciplines were decided; None before two were. Three
    queries.
    """
    versions = OverallVersion.objects.filter(palio__event=event, decided__gt=0)
    later = versions.filter(decided=OuterRef("decided")).order_by("-number")
    ends = versions.filter(pk=Subquery(later.values("pk")[:1])).order_by("number")
    found = list(ends.values_list("pk", "computed_at", "is_final"))
    if len(found) < FEWEST_MOMENTS:
        return None
    rows = list(OverallStanding.objects.filter(version__in=[row[0] for row in found]).order_by("position"))
    shares = {row.version_id: row.shares for row in rows}
    called = {str(each.id): each.name for each in disciplines}
    known: set[str] = set()
    chosen: list[tuple[UUID, Moment]] = []
    for pk, at, is_final in found:
        decided = [each["discipline"] for each in shares.get(pk, ()) if each["points"] is not None]
        names = tuple(called[key] for key in decided if key in called and key not in known)
        known |= set(decided)
        chosen.append((pk, Moment(at, str(len(chosen) + 1), names=names, is_final=is_final)))
    stood = [(row.version_id, row.team_id, row.team_id, row.place, row.is_tied) for row in rows]
    return _day(event, chosen, stood, {})


def _day(
    event: Event,
    chosen: Sequence[tuple[UUID, Moment]],
    stood: Iterable[tuple[UUID, UUID, UUID, int, bool]],
    squads: Mapping[UUID, str],
) -> Day:
    """Put together; of `stood` each is a version, who it is, the team, the place, and if it is shared."""
    teams = {team.pk: team for team in event.teams.all()}
    places: dict[UUID, dict[UUID, tuple[int, bool]]] = defaultdict(dict)
    whose: dict[UUID, UUID] = {}
    order: list[UUID] = []
    for version, who, team, place, is_tied in stood:
        places[who][version] = (place, is_tied)
        whose[who] = team
        if version == chosen[-1][0]:
            order.append(who)
    ways = [
        _way(teams[whose[who]], squads.get(who, ""), places[who], [pk for pk, _ in chosen])
        for who in order[:MOST_WAYS]
    ]
    return Day(tuple(moment for _, moment in chosen), tuple(ways), max(0, len(order) - MOST_WAYS))


def _way(team: Team, name: str, places: Mapping[UUID, tuple[int, bool]], versions: Sequence[Any]) -> Way:
    # Places beyond the last line would stand below the drawing.
    stops = [places.get(version, (None, False)) for version in versions]
    drawn = tuple(place if place is not None and place <= MOST_WAYS else None for place, _ in stops)
    called = name if len(name) <= MOST_LETTERS else name[: MOST_LETTERS - 1] + "…"
    return Way(team, called or team.short_name, drawn, tuple(tie for _, tie in stops))
