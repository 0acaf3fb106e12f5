"""The games of a draw of mini-tournaments with what counts of each, added up."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from games.outcome import Outcome
from tournaments.projections.counted_ends import closing_of, with_figures
from tournaments.settings.bell import is_shared
from tournaments.standings import Count, CountedResult


@dataclass(frozen=True, slots=True)
class DrawnGame:
    """A game's place in the tournament: its match, round, the teams that play it, and with which squads (the
    numbers in their teams).
    """

    game: UUID
    match: UUID
    round: int
    sides: tuple[UUID, ...]
    squads: tuple[int, ...] = ()


class CountedGames:
    """The games of a draw of mini-tournaments; their outcomes can change one by one.

    `bell` is the tournament's setting of that name. `annulled` are games that count for nobody, however they
    ended. They are left out, and their rounds don't wait for them.
    """

    def __init__(
        self,
        games: Iterable[DrawnGame],
        outcomes: Mapping[UUID, Outcome],
        bell: str,
        annulled: Collection[UUID] = (),
    ) -> None:
        self.count: Count[UUID] = Count()
        self._bell = bell
        self._games: dict[UUID, DrawnGame] = {}
        self._open: Counter[int] = Counter()
        self._over: Counter[int] = Counter()
        for each in games:
            counts = each.game not in annulled
            self._open[each.round] += counts
            if counts:
                self._games[each.game] = each
        for game in self._games:
            self.enter(game, outcomes.get(game))

    def enter(self, game: UUID, outcome: Outcome | None) -> None:
        """Count a game by this outcome from now on; nothing counts of one that isn't drawn or is annulled."""
        drawn = self._games.get(game)
        if drawn is None:
            return
        before = self.count.results.get(game)
        result = result_of(drawn, outcome, self._bell)
        change = (result.closed is not None) - (before is not None and before.closed is not None)
        self._over[drawn.round] += change
        self._open[drawn.round] -= change
        self.count.put(result)

    def rounds_played(self) -> int:
        """How many rounds are complete."""
        return sum(not left for left in self._open.values())

    def over_and_open_rounds(self) -> tuple[set[int], set[int]]:
        """The rounds with a game that is over, and those with one that is open."""
        over, open_ = (
            {number for number, games in count.items() if games} for count in (self._over, self._open)
        )
        return over, open_


def result_of(game: DrawnGame, outcome: Outcome | None, bell: str) -> CountedResult[UUID]:
    """A game's outcome as a result; `bell` is the tournament's setting of that name. Card points and penalty
    cards are those of a side's seats together, where they are known.
    """
    if outcome is None or not outcome.is_over:
        return CountedResult(game.game, game.match, game.sides)
    shared = is_shared(bell, outcome.closed_by, outcome.team)
    closing = closing_of(outcome.closed_by, has_winner=outcome.team is not None, is_shared=shared)
    result = CountedResult(game.game, game.match, game.sides, outcome.team, closing)
    return with_figures(result, outcome.figures)
