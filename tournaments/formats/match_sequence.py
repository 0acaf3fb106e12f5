"""Sequence of the matches of a draw or of played rounds: who sat down when and with whom."""

from dataclasses import dataclass

from .model import DrawnRounds, DrawSquad


@dataclass(frozen=True, slots=True)
class Sitting:
    """One match at one table.

    `wave` is counted from 1 through all rounds. Each game names those of the `sides` that play it, by their
    index; the first named has the first seat.
    """

    round: int
    wave: int
    table: int
    sides: tuple[DrawSquad, ...]
    games: tuple[tuple[int, ...], ...]

    def games_of(self, side: DrawSquad) -> int:
        """In how many of its games a side plays."""
        index = self.sides.index(side)
        return sum(index in game for game in self.games)

    def first_seats_of(self, side: DrawSquad) -> int:
        """In how many of its games a side has the first seat."""
        index = self.sides.index(side)
        return sum(game[0] == index for game in self.games)


@dataclass(frozen=True, slots=True)
class Course:
    """All sittings in order, everybody who takes part, and who sits out which round (round, side)."""

    sides: tuple[DrawSquad, ...]
    sittings: tuple[Sitting, ...]
    byes: tuple[tuple[int, DrawSquad], ...]

    @classmethod
    def of_draw(cls, draw: DrawnRounds) -> "Course":
        """A draw as it stands, all rounds of it."""
        sittings = []
        step = 0
        for each in draw.rounds:
            for wave in each.waves:
                step += 1
                sittings += [
                    Sitting(each.number, step, match.table, match.sides, match.games)
                    for match in wave.matches
                ]
        byes = [(each.number, squad) for each in draw.rounds for squad in each.byes]
        return cls(tuple(squad for squads in draw.squads for squad in squads), tuple(sittings), tuple(byes))

    @property
    def seats_many(self) -> bool:
        """Whether more than two sides play one game, so that second meetings can't all be avoided."""
        return any(len(game) > 2 for sitting in self.sittings for game in sitting.games)

    def by_side(self) -> dict[DrawSquad, list[Sitting]]:
        """The sittings of each side in order; an empty list for one that has none."""
        found: dict[DrawSquad, list[Sitting]] = {side: [] for side in self.sides}
        for sitting in self.sittings:
            for side in sitting.sides:
                found[side].append(sitting)
        return found
