"""Kinds of match: one game, best of N, first to N, or a mini-tournament; and the seats in its games."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, TypeVar

from tournaments.standings import GameClosing

from .errors import CannotDraw, gettext_noop
from .format import PairingOutcome

MOST_GAMES = 21


class Length(StrEnum):
    """What ends a match."""

    ONE_GAME = "one_game"
    BEST_OF = "best_of"
    FIRST_TO = "first_to"
    MINI_TOURNAMENT = "mini_tournament"


ONE_GAME: Final[Mapping[str, Any]] = {"length": Length.ONE_GAME.value, "games": 1}
"""The setting of a match of which nobody says what it is."""


@dataclass(frozen=True, slots=True)
class LengthText:
    """How a kind of match is shown: msgids; `games` fills the name in."""

    name: str
    explanation: str


LENGTHS: dict[str, LengthText] = {
    Length.ONE_GAME: LengthText(gettext_noop("One game"), gettext_noop("One game decides.")),
    Length.BEST_OF: LengthText(
        gettext_noop("Best of %(games)d"),
        gettext_noop("%(games)d games, fewer when nobody can be caught any more."),
    ),
    Length.FIRST_TO: LengthText(
        gettext_noop("First to %(games)d"),
        gettext_noop("They play until somebody has %(games)d points; a game that nobody wins doesn't count."),
    ),
    Length.MINI_TOURNAMENT: LengthText(
        gettext_noop("Mini-tournament"),
        gettext_noop("%(games)d games, and all are played: each is worth a point."),
    ),
}


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How one game ended: who won it, if anybody, and how it was closed."""

    winner: int | None
    closed: GameClosing = GameClosing.PLAYED

    def gives_point(self, side: int) -> bool:
        """Whether a side that played it has a point of it in the score of the match."""
        return self.closed is GameClosing.SHARED or self.winner == side


@dataclass(frozen=True, slots=True)
class NextGame:
    """A game to be played: its number in the match, from 1, and the sides by seat, the first on seat 0."""

    number: int
    sides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchState:
    """How a match stands: the points of each side, and either how it ended or which game is next.

    `surplus` games were played though the match was over before (after a correction); they don't count.
    """

    points: tuple[Fraction, ...]
    outcome: PairingOutcome | None
    next_game: NextGame | None
    surplus: int = 0


@dataclass(frozen=True, slots=True)
class MatchKind:
    """A kind of match; `games` is the N of it.

    `decisive`: it can't end level, as in a knockout. `pairs` are the sides of each game as indices, first
    seat first, for a mini-tournament. Elsewhere all sides play each game, and who sits first takes turns.
    Raises CannotDraw for what is no kind of match.
    """

    length: Length
    games: int
    decisive: bool = False
    pairs: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.games <= MOST_GAMES:
            raise CannotDraw(
                "games",
                gettext_noop("A match has 1 to %(most)d games, not %(given)d."),
                most=MOST_GAMES,
                given=self.games,
            )
        is_mini = self.length is Length.MINI_TOURNAMENT
        if (self.length is Length.ONE_GAME and self.games != 1) or (
            len(self.pairs) != self.games if is_mini else bool(self.pairs)
        ):
            raise CannotDraw(
                "match_kind",
                gettext_noop(
                    "A match of the kind %(kind)s has another number of games than %(games)d, or of pairs of "
                    "sides than %(pairs)d."
                ),
                games=self.games,
                pairs=len(self.pairs),
                kind=self.length.value,
            )
        if is_mini and self.decisive:
            raise CannotDraw(
                "match_kind",
                gettext_noop(
                    "A mini-tournament can end level; where somebody has to go on, choose another match."
                ),
            )

    def planned(self, sides: int) -> tuple[tuple[int, ...], ...]:
        """The games that so many sides may need, as indices by seat, before any extra one.

        Of the best of three it is three, of the first to three five.
        """
        most = 2 * self.games - 1 if self.length is Length.FIRST_TO else self.games
        return tuple(self.seats(range(sides), number) for number in range(1, most + 1))

    def state(self, sides: Sequence[int], games: Sequence[GameEnd | None]) -> MatchState:
        """How a match of these sides stands after these games, in the order in which they were played.

        Where all games are played, they are in the order of their numbers, and None is one that isn't over.
        Raises CannotDraw for sides that can't play it and for a game that its sides can't have played.
        """
        self._check_sides(sides)
        points: Counter[int] = Counter()
        played = [game for game in games if game is not None]
        if self.plays_all and len(played) < min(self.games, len(games)):
            return self._in_any_order(sides, games)
        for number, game in enumerate(played, start=1):
            points.update(self._points_of(sides, number, game))
            if self._is_over(sides, points, played[:number]):
                return self._ended(sides, points, played, number)
        number = len(played) + 1
        return MatchState(_points(sides, points), None, NextGame(number, self.seats(sides, number)))

    def _in_any_order(self, sides: Sequence[int], games: Sequence[GameEnd | None]) -> MatchState:
        """How a match stands all of whose games are played, while one of the earlier ones is open."""
        points: Counter[int] = Counter()
        for number, game in enumerate(games, start=1):
            if game is not None:
                points.update(self._points_of(sides, number, game))
        first = next(number for number, game in enumerate(games, start=1) if game is None)
        return MatchState(_points(sides, points), None, NextGame(first, self.seats(sides, first)))

    def _points_of(self, sides: Sequence[int], number: int, game: GameEnd) -> Sequence[int]:
        """Who takes a point from a game."""
        playing = self.seats(sides, number)
        _check_game(number, playing, game)
        return [side for side in playing if game.gives_point(side)]

    def outcome(self, sides: Sequence[int], games: Sequence[GameEnd]) -> PairingOutcome | None:
        """How the match ended, or None while another game is to be played."""
        return self.state(sides, games).outcome

    @property
    def plays_all(self) -> bool:
        """Whether all its games are played, whoever is ahead."""
        return self.length is Length.MINI_TOURNAMENT

    @property
    def can_end_early(self) -> bool:
        """Whether it can be decided before all games that are planned are played, as the best of three."""
        if self.length is Length.FIRST_TO:
            return self.games > 1
        # Of two games the second is played whoever wins the first.
        return self.length is Length.BEST_OF and self.games > 2

    def may_go_without(self, number: int) -> bool:
        """Whether the match can be decided without the game of this number, from 1."""
        return not self.plays_all and (self.length is not Length.ONE_GAME or number > 1)

    def is_decided_without(
        self, sides: Sequence[int], games: Sequence[GameEnd | None], number: int, *, is_begun: bool
    ) -> bool:
        """Whether the match is decided, and a game that isn't over (`number`, from 1) can't change that.

        `games` are all games of the match by number, None for each that isn't over. A game that `is_begun`
        may be one whose result was taken back while later games are over. It is needed if an end of it would
        make another winner. One that nobody has begun comes too late once the others decide.
        """
        if not self.may_go_without(number):
            return False
        others = [end for at, end in enumerate(games, start=1) if end is not None and at != number]
        decided = self.outcome(sides, others)
        if decided is None or not is_begun:
            return decided is not None
        before = sum(end is not None for end in games[: number - 1])
        possible = [GameEnd(None, GameClosing.BELL), *(GameEnd(side) for side in self.seats(sides, number))]
        outcomes = [self.outcome(sides, [*others[:before], end, *others[before:]]) for end in possible]
        return all(each is not None and each.winner == decided.winner for each in outcomes)

    def conceded(self, sides: Sequence[int], games: Sequence[GameEnd], by: int) -> tuple[GameEnd, ...]:
        """The games with all that are still to come forfeited by one side, who left or didn't turn up.

        In a mini-tournament games of other sides stay to be played: it ends at the first of them. Where more
        than two sit at a table nobody wins a forfeit.
        """
        if by not in sides:
            raise _unknown_side(by, sides)
        filled = list(games)
        while (following := self.state(sides, filled).next_game) and by in following.sides:
            others = [side for side in following.sides if side != by]
            filled.append(GameEnd(others[0] if len(others) == 1 else None, GameClosing.FORFEIT))
        return tuple(filled)

    def struck(self, sides: Sequence[int], games: Sequence[GameEnd]) -> tuple[GameEnd, ...]:
        """The games with as many that nobody plays and nobody wins as end the match."""
        filled = list(games)
        while self.state(sides, filled).next_game:
            filled.append(GameEnd(None, GameClosing.FORFEIT))
        return tuple(filled)

    def won_alone(self) -> int:
        """The games that a side of two wins where the other one isn't there."""
        state = self.state((1, 2), self.conceded((1, 2), (), by=2))
        return int(state.points[0])

    def _check_sides(self, sides: Sequence[int]) -> None:
        needed = len({side for pair in self.pairs for side in pair})
        fits = len(sides) == needed if self.pairs else len(sides) >= 2
        if len(set(sides)) != len(sides) or not fits:
            raise CannotDraw(
                "sides",
                gettext_noop("%(given)d different sides can't play this match; expected: %(expected)d."),
                given=len(set(sides)),
                expected=needed or 2,
            )

    def seats(self, sides: Sequence[int], number: int) -> tuple[int, ...]:
        """The sides of a game by seat."""
        if self.pairs:
            return tuple(sides[index] for index in self.pairs[(number - 1) % len(self.pairs)])
        first = (number - 1) % len(sides)
        return (*sides[first:], *sides[:first])

    def _is_over(self, sides: Sequence[int], points: Counter[int], games: Sequence[GameEnd]) -> bool:
        best, second = sorted((points[side] for side in sides), reverse=True)[:2]
        if self.length is Length.MINI_TOURNAMENT:
            return len(games) >= self.games
        if games[-1].closed is GameClosing.FORFEIT and games[-1].winner is None:
            return True
        if self.length is Length.FIRST_TO:
            return best >= self.games and (best > second or not self.decisive)
        left = self.games - len(games)
        return best - second > max(left, 0) or (left <= 0 and not self.decisive)

    def _ended(
        self, sides: Sequence[int], points: Counter[int], games: Sequence[GameEnd], number: int
    ) -> MatchState:
        totals = _points(sides, points)
        best = [side for side in sides if points[side] == max(totals)]
        forfeited = all(game.closed is GameClosing.FORFEIT for game in games[:number])
        outcome = PairingOutcome(totals, best[0] if len(best) == 1 else None, forfeited)
        return MatchState(totals, outcome, None, len(games) - number)


def mini_tournament(pairs: Sequence[tuple[int, ...]]) -> MatchKind:
    """A game for each pair of sides (indices, first seat first), such as `TRIANGLE.games`."""
    return MatchKind(Length.MINI_TOURNAMENT, len(pairs), pairs=tuple(pairs))


def kind_of(length: str, games: int, *, decisive: bool = False) -> MatchKind:
    """A match of two by the words of settings; a mini-tournament's games change seats from one to the next.

    Raises CannotDraw for what is no kind of match.
    """
    if length not in LENGTHS:
        raise CannotDraw(
            "match_kind",
            gettext_noop("There is no kind of match %(given)s; there are %(known)s."),
            given=repr(length),
            known=", ".join(LENGTHS),
        )
    pairs = ((0, 1), (1, 0))
    is_mini = length == Length.MINI_TOURNAMENT
    return MatchKind(
        Length(length), games, decisive, tuple(pairs[at % 2] for at in range(games)) if is_mini else ()
    )


def _points(sides: Sequence[int], points: Counter[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(points[side]) for side in sides)


def _check_game(number: int, playing: Sequence[int], game: GameEnd) -> None:
    needs_winner = game.closed is GameClosing.PLAYED
    has_none = game.closed in (GameClosing.SHARED, GameClosing.VOID)
    if game.winner is None and needs_winner:
        raise CannotDraw(
            "game_result",
            gettext_noop("Game %(game)d was played to its end, so somebody won it."),
            game=number,
        )
    if game.winner is not None and has_none:
        raise CannotDraw(
            "game_result", gettext_noop("Game %(game)d has no winner, as it was closed."), game=number
        )
    if game.winner is not None and game.winner not in playing:
        raise _unknown_side(game.winner, playing)


def _unknown_side(given: int, sides: Sequence[int]) -> CannotDraw:
    return CannotDraw(
        "unknown_side",
        gettext_noop("Contestant %(given)d doesn't play here; there are %(sides)s."),
        given=given,
        sides=", ".join(map(str, sides)),
    )


T = TypeVar("T")


def seating(*sides: Sequence[T]) -> list[T]:
    """The entries by seat, clockwise from seat 0, which is the first side's; the sides take turns around the
    table.

    Which side is first alternates from game to game (`Match.games` names it). Where a squad sits down
    incomplete, its players are spread evenly among the others.
    """
    places = [
        (Fraction(index, len(side)), rank, player)
        for rank, side in enumerate(sides)
        for index, player in enumerate(side)
    ]
    return [player for _, _, player in sorted(places, key=lambda place: place[:2])]
