"""Places through the day: each team's path from round to round, or between disciplines."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, Subquery
from django.utils.translation import get_language, pgettext

from people.display_names import Viewer
from people.models import Event, Team
from publishing.page_cache import KeptPage, shared
from publishing.subjects import PageSubject
from tournaments.formats.catalogue import PLACED
from tournaments.models import OverallVersion, Standing, StandingsVersion, Tournament
from tournaments.projections.discipline_places import DisciplineEnd, discipline_ends
from tournaments.projections.round_end_places import (
    PlacesAtEnd,
    PlayedRounds,
    RoundEnds,
    places_at_ends,
    rounds_played,
)
from tournaments.queries.palio import DisciplineView
from tournaments.queries.squad_names import ranked_squad_names

MOST_WAYS = 16
"""More lines than these can't be told apart: then the first ones are drawn."""
FEWEST_MOMENTS = 2
_Ends = tuple[tuple[PlacesAtEnd, ...], dict[int, datetime]]
_ENDS: KeptPage[_Ends] = KeptPage(64)
"""The places at the ends of rounds by what they follow from, so that a later result costs nothing here."""
_PALIO_ENDS: KeptPage[tuple[DisciplineEnd, ...]] = KeptPage(64)
"""The places after disciplines by the version of the overall table."""
_Stood = tuple[object, UUID, UUID, int, bool]
"""A moment's key, who it is, the team, the place, and whether it is shared."""
MOST_LETTERS = 16


@dataclass(frozen=True, slots=True)
class DayMoment:
    """A point of the day: after a round (`round`; None for now), or with the disciplines that were decided;
    `short` is written below the drawing. `seen_at` is a moment at which the standings' page shows it.
    """

    at: datetime
    short: str
    round: int | None = None
    names: tuple[str, ...] = ()
    is_final: bool = False
    seen_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DayLayout:
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
class PublicDay:
    """The ways in the order of the newest table, and how many are left out. `seen` stands for all of it."""

    moments: tuple[DayMoment, ...]
    ways: tuple[DayLayout, ...]
    left_out: int

    @property
    def seen(self) -> str:
        """What a page of it stands on, beside names and looks."""
        moments = [
            (
                each.short,
                each.at.isoformat(),
                each.names,
                each.is_final,
                each.seen_at and each.seen_at.isoformat(),
            )
            for each in self.moments
        ]
        return f"{moments} {[(each.team.pk, each.name, each.places, each.ties) for each in self.ways]}"

    @property
    def drawn(self) -> list[str]:
        """What is written below the drawing."""
        return [each.short for each in self.moments]


def day_of_tournament(subject: PageSubject) -> PublicDay | None:
    """The places at the end of each round, and now.

    None before there is a way to be drawn. None, too, while groups are played or a knockout runs: places then
    come from elsewhere. Five queries at most, four more once after each round.
    """
    key = ("day", subject.tournament.pk, get_language())
    return shared(key, lambda: _day_of_tournament(subject))


def _day_of_tournament(subject: PageSubject) -> PublicDay | None:
    if not subject.is_shown or subject.stage_format in PLACED:
        return None
    tournament = subject.tournament
    versions = StandingsVersion.objects.filter(tournament=tournament)
    latest = versions.order_by("-number").values("number")[:1]
    kept = list(versions.filter(~Q(receipt="") | Q(number=Subquery(latest))).order_by("number"))
    newest = kept[-1] if kept else None
    if newest is None or newest.groups:
        return None
    played = rounds_played(newest)
    ended = [each for each in kept if each.receipt and not each.is_final]
    key = (played.basis, tuple(each.pk for each in ended))
    ends, seen = _ENDS.of(key, lambda: _ends(tournament, played, ended))
    chosen: list[tuple[object, DayMoment]] = [
        (each.round, DayMoment(each.at, str(each.round), each.round, seen_at=seen.get(each.round)))
        for each in ends
    ]
    stood: list[_Stood] = [
        (each.round, one.who, one.team, one.place, one.is_tied) for each in ends for one in each.standings
    ]
    if newest.is_final or (newest.games_played and not played.ends.is_at_end):
        if newest.is_final and chosen:
            del chosen[-1]
        short = pgettext("end of the day", "end") if newest.is_final else pgettext("moment of the day", "now")
        round_ = played.ends.complete if newest.is_final else None
        moment = DayMoment(
            newest.computed_at, short, round_, is_final=newest.is_final, seen_at=newest.computed_at
        )
        chosen.append((newest.pk, moment))
        rows = Standing.objects.filter(version=newest).order_by("position")
        stood += [
            (newest.pk, row.contestant_id, row.team_id, row.place, row.is_tied)
            for row in rows.only("version", "team", "squad", "place", "is_tied")
        ]
    if len(chosen) < FEWEST_MOMENTS:
        return None
    squads = (
        ranked_squad_names(Viewer.public(subject.event), [newest.pk])
        if any(row[1] != row[2] for row in stood)
        else {}
    )
    return _day(subject.event, chosen, stood, squads)


def _ends(tournament: Tournament, played: PlayedRounds, ended: Sequence[StandingsVersion]) -> _Ends:
    """The places at the ends of rounds, and moments by round; four queries.

    A round's moment is when the standings' page shows the very same. It has none if no version that `ended` a
    round does.
    """
    ends = places_at_ends(tournament, played) if played.ends.complete else ()
    rows = Standing.objects.filter(version__in=ended).values_list("version", "team", "squad", "place")
    places: dict[UUID, set[tuple[UUID, int]]] = defaultdict(set)
    for pk, team, squad, place in rows:
        places[pk].add((squad or team, place))
    complete = {each.pk: RoundEnds.from_json(each.round_ends).complete for each in ended}
    seen = {}
    for end in ends:
        stood = {(each.who, each.place) for each in end.standings}
        for version in ended:
            if complete[version.pk] == end.round and places[version.pk] == stood:
                seen[end.round] = version.computed_at
    return ends, seen


def day_of_palio(event: Event, disciplines: Sequence[DisciplineView]) -> PublicDay | None:
    """The places in the overall table after each discipline that was decided; None before two were. One
    query, and once for each version of the table those that its places are worked out from.
    """
    version = (
        OverallVersion.objects.filter(palio__event=event)
        .select_related("palio__event")
        .order_by("-number")
        .first()
    )
    if version is None or version.decided < FEWEST_MOMENTS:
        return None
    ends = _PALIO_ENDS.of((version.pk, version.seal), lambda: discipline_ends(version))
    called = {str(each.id): each.name for each in disciplines}
    chosen: list[tuple[object, DayMoment]] = [
        (
            number,
            DayMoment(
                end.at,
                str(number),
                names=(called[end.discipline],) if end.discipline in called else (),
                is_final=version.is_final and number == len(ends),
            ),
        )
        for number, end in enumerate(ends, start=1)
    ]
    stood: list[_Stood] = [
        (number, one.who, one.team, one.place, one.is_tied)
        for number, end in enumerate(ends, start=1)
        for one in end.standings
    ]
    return _day(event, chosen, stood, {})


def _day(
    event: Event,
    chosen: Sequence[tuple[object, DayMoment]],
    stood: Iterable[_Stood],
    squads: Mapping[UUID, str],
) -> PublicDay:
    """Put together; each moment has a key of its own."""
    teams = {team.pk: team for team in event.teams.all()}
    places: dict[UUID, dict[object, tuple[int, bool]]] = defaultdict(dict)
    whose: dict[UUID, UUID] = {}
    order: list[UUID] = []
    for moment, who, team, place, is_tied in stood:
        places[who][moment] = (place, is_tied)
        whose[who] = team
        if moment == chosen[-1][0]:
            order.append(who)
    ways = [
        _way(teams[whose[who]], squads.get(who, ""), places[who], [key for key, _ in chosen])
        for who in order[:MOST_WAYS]
    ]
    return PublicDay(tuple(moment for _, moment in chosen), tuple(ways), max(0, len(order) - MOST_WAYS))


def _way(
    team: Team, name: str, places: Mapping[object, tuple[int, bool]], moments: Sequence[object]
) -> DayLayout:
    # Places beyond the last line would stand below the drawing.
    stops = [places.get(moment, (None, False)) for moment in moments]
    drawn = tuple(place if place is not None and place <= MOST_WAYS else None for place, _ in stops)
    called = name if len(name) <= MOST_LETTERS else name[: MOST_LETTERS - 1] + "…"
    return DayLayout(team, called or team.short_name, drawn, tuple(tie for _, tie in stops))
