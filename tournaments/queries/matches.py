"""Matches of a tournament, loaded as views with a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, JSONField, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from games.models import WAITING, Seat
from games.outcome import Outcome
from people.models import Entry, Event, Team
from tournaments.formats.format import RoundPairing
from tournaments.formats.match_lengths import seating
from tournaments.formats.table_result import ResultKind
from tournaments.models import (
    Call,
    Match,
    MatchGame,
    MatchSide,
    SquadMember,
    Stage,
    StandingsVersion,
    Table,
    Tournament,
)
from tournaments.projections.counted_ends import by_side, places_by_side, winning_side
from tournaments.queries.confirmation import check
from tournaments.queries.match_views import (
    GameView,
    MatchProgress,
    MatchView,
    RoundView,
    SideView,
    in_rounds,
)
from tournaments.queries.round_names import drawn_round
from tournaments.queries.table_results import depends_on_others, with_table_results
from tournaments.settings.bell import bell_rule, is_shared
from tournaments.settings.confirmation import NOBODY, Check, confirmation_rule
from tournaments.settings.stage import stage_format, stage_kind


def load_matches(matches: QuerySet[Match]) -> list[MatchView]:
    """Matches with all that pages show of them, in the order of play. That is by the hours of the timetable;
    what has none comes after the rest, by rounds and waves. Four queries, however many there are. Two more if
    somebody was replaced after one of them had begun. Four more where a table was broken off whose points are
    the mean of the others of its round.
    """
    loaded = _load(matches)
    views = [_match_view(match) for match in loaded]
    broken_off = {(view.drawn_in, view.round) for view in views if depends_on_others(view)}
    others = [
        _match_view(match)
        for stage, number in broken_off
        for match in _load(Match.objects.filter(stage=stage, round=number))
    ]
    views = with_table_results(views, others)
    return _as_seated(views, {match.pk for match in loaded if match.has_replaced})


def _load(matches: QuerySet[Match]) -> Any:
    members = SquadMember.objects.select_related("entry__team").order_by("position")
    sides = MatchSide.objects.select_related("squad__team").prefetch_related(
        Prefetch("squad__members", queryset=members)
    )
    games = MatchGame.objects.select_related("game").order_by("number")
    calls = Call.objects.filter(pk=OuterRef("pk"))
    return (
        matches.select_related("table", "place", "stage__tournament__event", "stage__tournament__clock")
        .annotate(
            called_at=Subquery(calls.values("called_at")),
            call_version=Subquery(calls.values("version")),
            has_replaced=_has_replaced(),
            outdated=outdated_matches(),
            annulled=annulled_squads(),
            **drawn_round(),
        )
        .prefetch_related(
            Prefetch("sides", queryset=sides.order_by("number")), Prefetch("match_games", queryset=games)
        )
        .order_by(
            F("place__begins_at").asc(nulls_last=True), "stage__number", "round", "wave", "table__number"
        )
    )


def outdated_matches() -> Coalesce:
    """Of matches: the ids of those of their tournament that are outdated, by its newest standings."""
    return _by_standings("outdated")


def annulled_squads() -> Coalesce:
    """Of matches: the ids of the squads of their tournament against whom no result counts, by its newest
    standings.
    """
    return _by_standings("annulled")


def _by_standings(name: str) -> Coalesce:
    versions = StandingsVersion.objects.filter(tournament=OuterRef("stage__tournament")).order_by("-number")
    return Coalesce(Subquery(versions.values(name)[:1]), Value([], JSONField()))


def is_outdated(match: UUID, outdated: Collection[str]) -> bool:
    """Whether this match is among those that `outdated_matches` gave."""
    return str(match) in outdated


def _has_replaced() -> Exists:
    """Of matches: whether somebody sits at a game whose place in the squad another has now."""
    members = SquadMember.objects.filter(
        squad__sides__match=OuterRef("game__match_game__match"), entry=OuterRef("entry")
    )
    return Exists(Seat.objects.filter(~Exists(members), game__match_game__match=OuterRef("pk")))


def _as_seated(views: list[MatchView], replaced: Collection[UUID]) -> list[MatchView]:
    """These matches; those of the ids `replaced` that have begun with everybody who sits at their games."""
    if not replaced:
        return views
    seats: dict[UUID, list[UUID]] = defaultdict(list)
    rows = Seat.objects.filter(game__match_game__match__in=replaced).order_by("game", "number")
    for game, entry in rows.values_list("game", "entry"):
        seats[game].append(entry)
    entries = Entry.objects.select_related("team").in_bulk(
        {entry for each in seats.values() for entry in each}
    )
    return [
        _with_seated(view, {game.id: [entries[entry] for entry in seats[game.id]] for game in view.games})
        if view.id in replaced and view.progress is not MatchProgress.WAITING
        else view
        for view in views
    ]


def _with_seated(view: MatchView, seats: Mapping[UUID, Sequence[Entry]]) -> MatchView:
    """A match with who sits at its games (by seat), place by place, in the order of the games."""
    sitting: dict[tuple[int, int], dict[Entry, None]] = defaultdict(dict)
    for game in view.games:
        places = seating(
            *([(side, at) for at in range(len(view.sides[side].entries))] for side in game.sides)
        )
        for place, entry in zip(places, seats[game.id], strict=True):
            sitting[place][entry] = None
    sides = tuple(
        replace(side, entries=tuple(entry for at in range(len(side.entries)) for entry in sitting[index, at]))
        for index, side in enumerate(view.sides)
    )
    return replace(view, sides=sides)


def rounds(tournament: Tournament) -> list[RoundView]:
    """A tournament's rounds, waves and matches."""
    return in_rounds(load_matches(Match.objects.filter(stage__tournament=tournament)))


def match_view(match_id: UUID) -> MatchView | None:
    """One match; None if there is none."""
    return next(iter(load_matches(Match.objects.filter(pk=match_id))), None)


def table_matches(table: Table) -> list[MatchView]:
    """The published matches of a table, in the order of play; those of tournaments that aren't drawn
    publicly are left out.
    """
    return load_matches(table.matches.filter(stage__tournament__status=Tournament.Status.PUBLISHED))


def open_matches(table: Table) -> list[MatchView]:
    """Those of a table's published matches that have a game that isn't over, or a result to be confirmed.
    They are as many as are left of the day, however many were played.
    """
    games = MatchGame.objects.filter(match=OuterRef("pk"))
    to_confirm = Exists(games.exclude(confirmed_version=F("game__version")))
    return load_matches(
        table.matches.filter(
            has_open_games() | (to_confirm & ~Q(stage__tournament__settings__confirmation=NOBODY)),
            stage__tournament__status=Tournament.Status.PUBLISHED,
        )
    )


def has_open_games() -> Exists:
    """Of matches: whether a game isn't over, needed or not."""
    return Exists(MatchGame.objects.filter(match=OuterRef("pk"), game__is_over=False))


def is_needed(match_game: MatchGame) -> bool:
    """Whether its match isn't decided without this game, as entered at this moment; two queries.

    A result that is disputed decides nothing: what becomes of it may make the game necessary.
    """
    sides, games = _sides_and_games(match_game.match)
    needed = _needed(match_game.match.stage, sides, games)
    return next((game.is_needed for game in needed if game.id == match_game.game_id), True)


def is_decided_by_confirmed(match_game: MatchGame) -> bool:
    """Whether its match is decided without this game by results that count already; two queries."""
    sides, games = _sides_and_games(match_game.match)
    ends = [game.end if game.progress is MatchProgress.DONE and game.check.counts else None for game in games]
    is_begun = match_game.game.version > 0
    kind = stage_kind(match_game.match.stage)
    return kind.is_decided_without(range(sides), ends, match_game.number, is_begun=is_begun)


def _sides_and_games(match: Match) -> tuple[int, tuple[GameView, ...]]:
    """How many sides a match has, and its games as entered at this moment; two queries."""
    teams = [side.squad.team for side in match.sides.select_related("squad__team").order_by("number")]
    settings = match.stage.tournament.settings
    bell, rule = bell_rule(settings), confirmation_rule(settings)
    rows = match.match_games.select_related("game").order_by("number")
    return len(teams), tuple(game_view(each, teams, bell, rule) for each in rows)


def progress_of(matches: Collection[UUID]) -> dict[UUID, MatchProgress]:
    """How far these matches are, by their ids; four queries, none for none."""
    if not matches:
        return {}
    return {match.id: match.progress for match in load_matches(Match.objects.filter(pk__in=matches))}


def board(event: Event) -> list[MatchView]:
    """All matches of an event's published tournaments, for the desk."""
    shown = Match.objects.filter(
        stage__tournament__event=event, stage__tournament__status__in=Tournament.PUBLIC
    )
    return load_matches(shown)


def _match_view(match: Any) -> MatchView:
    teams = [side.squad.team for side in match.sides.all()]
    settings = match.stage.tournament.settings
    bell, rule = bell_rule(settings), confirmation_rule(settings)
    games = _needed(
        match.stage, len(teams), tuple(game_view(each, teams, bell, rule) for each in match.match_games.all())
    )
    annulled = {index for index, side in enumerate(match.sides.all()) if str(side.squad_id) in match.annulled}
    form = stage_format(match.stage)
    if annulled:
        games = tuple(
            replace(
                game, is_annulled=form.without_annulled(RoundPairing("", game.sides), None, annulled) is None
            )
            for game in games
        )
    if form.result_kind is ResultKind.PLACES:
        games = tuple(_ranked(game, each) for game, each in zip(games, match.match_games.all(), strict=True))
    absent = match.absent_sides()
    sides = tuple(
        SideView(
            squad_id=side.squad_id,
            team=side.squad.team,
            squad=side.squad.number,
            entries=tuple(member.entry for member in side.squad.members.all()),
            points=points_of_side(index, games),
            is_annulled=index in annulled,
            is_absent=side.number in absent,
            left=match.stage.left.get(str(side.squad_id), ""),
        )
        for index, side in enumerate(match.sides.all())
    )
    return MatchView(
        match.pk,
        match.stage.tournament,
        match.round,
        match.wave,
        match.table,
        sides,
        games,
        match.slot if match.round_title else "",
        match.stage.number,
        match.stage,
        getattr(match, "place", None),
        match.called_at,
        match.call_version or 0,
        match.round_title or "",
        match.round_values or {},
        is_outdated(match.pk, match.outdated),
    )


def points_of_side(side: int, games: Iterable[GameView]) -> int:
    """A side's points in a match: one for each game that it won or shared, if the result counts."""
    return sum(side in game.sides and game.counts and game.end.gives_point(side) for game in games)


def _ranked(game: GameView, each: MatchGame) -> GameView:
    return replace(game, places=places_by_side(Outcome.of_row(each.game).places, len(game.sides)))


def _needed(stage: Stage, sides: int, games: tuple[GameView, ...]) -> tuple[GameView, ...]:
    """The games of a match of this stage, those marked that it is decided without.

    A result that waits for confirmation decides, one that is disputed doesn't.
    """
    kind = stage_kind(stage)
    if kind.plays_all or len(games) < 2:
        return games
    decide = [game.progress is MatchProgress.DONE and game.check is not Check.DISPUTED for game in games]
    ends = [game.end if decides else None for game, decides in zip(games, decide, strict=True)]
    counted = [game.id for game in games if game.counts]
    surplus = kind.state(range(sides), [game.end for game in games if game.counts]).surplus
    unneeded = set(counted[len(counted) - surplus :])
    for game in games:
        is_begun = game.progress is MatchProgress.PLAYING
        if game.progress is not MatchProgress.DONE and kind.is_decided_without(
            range(sides), ends, game.number, is_begun=is_begun
        ):
            unneeded.add(game.id)
    return tuple(replace(game, is_needed=game.id not in unneeded) for game in games)


def game_view(each: MatchGame, teams: Sequence[Team], bell: str, rule: str = NOBODY) -> GameView:
    """One game of a match whose sides are of these teams, by the tournament's settings `bell` and
    `confirmation`.
    """
    game: Any = each.game
    progress = (
        MatchProgress.DONE
        if game.is_over
        else MatchProgress.PLAYING
        if game.is_begun
        else MatchProgress.WAITING
    )
    sides = tuple(each.sides)
    won = winning_side(sides, [team.pk for team in teams], game.winner_seat, game.winner_team)
    return GameView(
        id=game.pk,
        number=each.number,
        sides=sides,
        progress=progress,
        version=game.version,
        closed_by=game.closed_by,
        winner=None if won is None else teams[won],
        is_shared=is_shared(bell, game.closed_by, game.winner_team),
        points=by_side(Outcome.of_row(game).points, len(sides)),
        winning_side=won,
        check=check(each, rule),
        dispute=each.dispute,
        is_unplayed=game.closed_by == "forfeit" and not game.has_dealer,
        is_set_aside=game.is_set_aside,
        is_from_paper=game.is_from_paper,
    )


BEGUN = ~Q(match_games__game__phase=WAITING)
"""Of matches: those of their games in which something is entered that holds."""
UNPLAYED = Q(match_games__game__closed_by="forfeit", match_games__game__snapshot__dealer=None)
"""Of matches: those of their games that were forfeited before anybody began them."""
