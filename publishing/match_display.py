"""Matches as the public sees them: sides with the names that may be shown."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from uuid import UUID

from people.display_names import NameBook, squad_name
from people.models import Team
from publishing.page_cache import shared
from tournaments.projections.removed_squads import why_left
from tournaments.queries.match_views import GameView, MatchProgress, MatchView, RoundView, SideView, WaveView
from tournaments.queries.matches import match_view
from tournaments.queries.timetable.match_starts import Hour, Hours


class Verdict(StrEnum):
    """How a side came off in a match: it alone has the most points, shares the most, or has fewer."""

    WON = "won"
    EQUAL = "equal"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class PublicSide:
    """A side of a match: the team's banner, its players by the names that may be shown, and in words why it
    doesn't play on.
    """

    squad_id: UUID
    team: Team
    players: str
    points: int
    is_annulled: bool = False
    is_absent: bool = False
    place: int | None = None
    table_points: Fraction | None = None
    left: str = ""


@dataclass(frozen=True, slots=True)
class PublicGame:
    """A game of a match with its sides; `winner` is the side that won, None where none did (yet)."""

    view: GameView
    sides: tuple[PublicSide, ...]
    winner: PublicSide | None

    @property
    def ranked(self) -> list[tuple[int, PublicSide]]:
        """Its sides by their places, the first one first; empty where they have none."""
        return sorted(zip(self.view.places or (), self.sides, strict=False), key=lambda placed: placed[0])


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match with its sides and games; its hour where pages tell it."""

    view: MatchView
    sides: tuple[PublicSide, ...]
    games: tuple[PublicGame, ...]
    hour: Hour | None = None

    @property
    def in_order(self) -> list[PublicSide]:
        """Its sides by their places at a table of many; as they sit before, and elsewhere."""
        return sorted(self.sides, key=lambda side: side.place or len(self.sides))

    def name_on_paper(self, side: PublicSide) -> str:
        """A side's players; behind them why it doesn't play on, in a match that isn't over."""
        is_left = side.left and self.view.progress is not MatchProgress.DONE
        return f"{side.players} ({side.left})" if is_left else side.players

    @property
    def verdicts(self) -> dict[UUID, Verdict]:
        """How each squad came off in a finished match whose results are all confirmed; empty before, and
        where none counts. Whose results don't count is left out, and who wasn't at a table of many.
        """
        view = self.view
        if view.progress is not MatchProgress.DONE or view.is_annulled or not view.check.counts:
            return {}
        counting = [side for side in self.sides if not side.is_annulled and not side.is_absent]
        came_off = [side.points if side.place is None else -side.place for side in counting]
        best = max(came_off)
        first = Verdict.WON if came_off.count(best) == 1 else Verdict.EQUAL
        return {
            side.squad_id: first if own == best else Verdict.LOST
            for side, own in zip(counting, came_off, strict=True)
        }

    @property
    def winner(self) -> UUID | None:
        """The squad with more points than every other, once the match is over and counts."""
        return next((squad for squad, verdict in self.verdicts.items() if verdict is Verdict.WON), None)

    @property
    def seen(self) -> tuple[Hashable, ...]:
        """All that a page says of it beside its games: two of which this is the same look the same."""
        view, tournament = self.view, self.view.tournament
        sides = tuple(
            (
                *(side.squad_id, side.players, side.points, side.place, side.table_points),
                *(side.is_annulled, side.is_absent, side.left, *look(side.team)),
            )
            for side in self.sides
        )
        state = (
            *(view.table.number, view.progress, view.state, view.called_at, view.check, self.winner),
            view.is_walkover,
            view.counts_games,
            view.is_broken_off,
            view.is_outdated,
            view.is_upheld,
            view.is_annulled,
            view.has_annulled,
        )
        return (
            view.id,
            view.round_seen,
            tournament.slug,
            tournament.name,
            self.hour and self.hour.begins_at,
            state,
            sides,
        )


def shown(match: MatchView, names: NameBook, hour: Hour | None = None) -> ShownMatch:
    """A match with names instead of entries."""
    sides = tuple(_side(side, names) for side in match.sides)
    return ShownMatch(match, sides, tuple(_game(game, sides) for game in match.games), hour)


def match_once(match_id: UUID) -> MatchView | None:
    """A match, None if there is none; six queries, none for one more page."""
    return shared(("match", match_id), lambda: match_view(match_id))


def shown_waves(
    rounds: Iterable[RoundView], names: NameBook, hours: Hours
) -> list[tuple[WaveView, list[ShownMatch]]]:
    """The waves of these rounds with their matches."""
    return [
        (wave, [shown(match, names, hours.get(match.id)) for match in wave.matches])
        for each in rounds
        for wave in each.waves
    ]


def _side(side: SideView, names: NameBook) -> PublicSide:
    players = squad_name(side.team, [names[entry.pk] for entry in side.entries])
    return PublicSide(
        side.squad_id,
        side.team,
        players,
        side.points,
        side.is_annulled,
        side.is_absent,
        side.place,
        side.table_points,
        why_left(side.left),
    )


def look(team: Team) -> tuple[str, ...]:
    """All that a team's banner is drawn from."""
    return team.color_one, team.color_two, team.division, team.emblem


def _game(game: GameView, sides: tuple[PublicSide, ...]) -> PublicGame:
    playing = tuple(sides[number] for number in game.sides)
    return PublicGame(game, playing, None if game.winning_side is None else sides[game.winning_side])
