"""Count of an event's games that are over: the same number on every page, that of the standings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, Subquery

from ledger.models import Fact
from tournaments.models import MatchGame, StandingsVersion, Tournament
from tournaments.projections.standings_inputs import StandingsInputs, inputs_now
from tournaments.settings.confirmation import NOBODY, confirmation_rule
from tournaments.settings.stage import may_need_fewer


@dataclass(frozen=True, slots=True)
class GamesOver:
    """`games` are all that are drawn, but for those that are annulled or that a decided match goes without.

    `over` are those whose results count. `to_confirm` are those that are over and wait for their
    confirmation. `may_be_fewer`: matches that are open can end before all their games are played.
    """

    games: int = 0
    over: int = 0
    to_confirm: int = 0
    may_be_fewer: bool = False

    def __add__(self, other: "GamesOver") -> "GamesOver":
        return GamesOver(
            self.games + other.games,
            self.over + other.over,
            self.to_confirm + other.to_confirm,
            self.may_be_fewer or other.may_be_fewer,
        )


def games_over(tournaments: Iterable[Tournament], loaded: Mapping[UUID, StandingsInputs]) -> GamesOver:
    """The games of those of the tournaments whose draw is public.

    `loaded` has what published tournaments were computed from, by their ids, where somebody has read that
    already. Three queries at most, and two more for some published tournaments that aren't there: where a
    match may be decided early, or somebody was removed.
    """
    public = [each for each in tournaments if each.status in Tournament.PUBLIC]
    closed = [each.pk for each in public if each.status == Tournament.Status.CLOSED]
    played = [each for each in public if each.status == Tournament.Status.PUBLISHED]
    found = _of_closed(closed)
    rows = _rows([each.pk for each in played])
    removals = Fact.objects.filter(stream__in=rows, type__in=("squad_gone", "team_gone"))
    with_removals = set(removals.values_list("stream", flat=True))
    for each in played:
        games, over, confirmed = rows.get(each.pk, (0, 0, 0))
        to_confirm = 0 if confirmation_rule(each.settings) == NOBODY else over - confirmed
        if not each.plays_all_games or each.pk in with_removals:
            read_in = loaded.get(each.pk) or inputs_now(each)
            count = read_in.count()
            games, over = len(count.results), count.closed
            may_be_fewer = may_need_fewer(each.settings, len(read_in.courses), games - over)
            found += GamesOver(games, over, to_confirm, may_be_fewer)
        else:
            found += GamesOver(games, over - to_confirm, to_confirm)
    return found


def _rows(tournaments: list[UUID]) -> dict[UUID, tuple[int, int, int]]:
    """Of each of these tournaments the games, those that are over, and of these those that are confirmed."""
    is_over = Q(game__is_over=True)
    rows = (
        MatchGame.objects.filter(match__stage__tournament__in=tournaments)
        .order_by()
        .values("match__stage__tournament")
        .annotate(
            games=Count("pk"),
            over=Count("pk", filter=is_over),
            confirmed=Count("pk", filter=is_over & Q(confirmed_version=F("game__version"))),
        )
    )
    return {row["match__stage__tournament"]: (row["games"], row["over"], row["confirmed"]) for row in rows}


def _of_closed(tournaments: list[UUID]) -> GamesOver:
    """The games of closed tournaments, as their last standings have them: nothing changes them any more."""
    newest = StandingsVersion.objects.filter(tournament=OuterRef("tournament")).order_by("-number")
    last = StandingsVersion.objects.filter(
        tournament__in=tournaments, number=Subquery(newest.values("number")[:1])
    )
    counted = last.order_by().values_list("games_total", "games_played")
    return sum((GamesOver(*each) for each in counted), start=GamesOver())
