"""Metrics once more, word by word from the FIDE Handbook, C.07, in force from 1 March 2026, and slowly.

It shares nothing with `tournaments.standings` but the rounds that go in. Numbers are articles.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tournaments.standings import Rounds


@dataclass(frozen=True)
class Element:
    """A round of a team: whom it met (None: a dummy), with what points, and what it took."""

    opponent: int | None
    score: Fraction
    taken: Fraction
    voluntary: bool

    @property
    def product(self) -> Fraction:
        return self.score * self.taken


@dataclass(frozen=True)
class Text:
    """The regulations, asked of some rounds."""

    rounds: Rounds[int]

    def score(self, team: int) -> Fraction:
        """All that its matches and byes gave."""
        return sum((taken for _, taken, _ in self._all(team)), Fraction(0))

    def adjusted(self, team: int) -> Fraction:
        """16.3: a requested bye with nothing after it but voluntary unplayed rounds is a draw."""
        every = list(self._all(team))
        total = Fraction(0)
        for at, (kind, taken, _) in enumerate(every):
            later = [each for each, _, _ in every[at + 1 :]]
            ends = kind == "requested" and all(each in ("requested", "forfeit loss") for each in later)
            total += self.rounds.draw if ends else taken
        return total

    def elements(self, team: int) -> list[Element]:
        """16.4: what counts of each round, with dummies where the team didn't play."""
        found = []
        for kind, taken, opponent in self._all(team):
            if kind == "open":
                continue
            voluntary = kind in ("requested", "forfeit loss")
            if kind == "played":
                assert opponent is not None
                found.append(Element(opponent, self.adjusted(opponent), taken, False))
                continue
            limit = self.rounds.draw * self.rounds.last if opponent is None else self.adjusted(opponent)
            found.append(Element(None, min(self.score(team), limit), taken, voluntary))
        return found

    def buchholz(self, team: int) -> Fraction:
        """8.1."""
        return sum((each.score for each in self.elements(team)), Fraction(0))

    def average_buchholz(self, team: int) -> Fraction:
        """8.2: of the opponents played over the board; 0 without any."""
        met = [self.buchholz(each.opponent) for each in self.elements(team) if each.opponent is not None]
        return sum(met, Fraction(0)) / len(met) if met else Fraction(0)

    def sonneborn_berger_cut_1(self, team: int) -> Fraction:
        """9.1 less what 14.1.1 cuts, or 16.5.1."""
        elements = self.elements(team)
        if not elements:
            return Fraction(0)
        fewest = min(each.score for each in elements)
        cut = min(each.product for each in elements if each.score == fewest)
        voluntary = sorted(each.product for each in elements if each.voluntary)
        if voluntary and voluntary[0] >= cut:
            cut = voluntary[0]
        return sum((each.product for each in elements), Fraction(0)) - cut

    def koya(self, team: int) -> Fraction:
        """9.2 in a round robin, where forfeits are games as others (15.2); of what is decided."""
        total = Fraction(0)
        for match in self.rounds.matches:
            if team in match.sides and match.points is not None:
                opponent = match.sides[1 - match.sides.index(team)]
                its = [
                    (other.points[other.sides.index(opponent)])
                    for other in self.rounds.matches
                    if opponent in other.sides and other.points is not None
                ]
                if sum(its, Fraction(0)) >= Fraction(len(its), 2):
                    total += match.points[match.sides.index(team)]
        return total

    def _all(self, team: int) -> Iterator[tuple[str, Fraction, int | None]]:
        """Kind, points and opponent of each round."""
        for number in range(1, self.rounds.last + 1):
            match = next((m for m in self.rounds.matches if m.round == number and team in m.sides), None)
            bye = next((b for b in self.rounds.byes if b.round == number and b.team == team), None)
            if bye is not None:
                yield ("requested" if bye.requested else "given"), bye.points, None
            elif match is None:
                yield "requested", Fraction(0), None
            elif match.points is None:
                yield "open", Fraction(0), None
            else:
                own = match.points[match.sides.index(team)]
                other = match.sides[1 - match.sides.index(team)]
                won = "forfeit win" if own > match.points[match.sides.index(other)] else "forfeit loss"
                yield (won if match.walkover else "played"), own, other
