"""Triple designs for 3 to 16 teams: which three teams meet in which round.

`triple_plan` is the plan of the methods 1 and 2. Draws that were made before `even_triples.py` can be
repeated by it, so it stays as it is.

The designs are in `designs.txt`. They were found by search; the tests count each of them again. A name says
what a design holds. First come N teams, then either `lam` (each two teams meet so often) or `r` (each team
plays so often). After `r` stands how often two teams meet, at least and at most. T rounds come last. Teams
are written 0 to 9 and A to F, a blank separates the threes of a round, a stroke the rounds.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path

Triple = tuple[int, int, int]
TripleRound = tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class Balance:
    """How even a plan is: the fewest and the most matches of a team and meetings of two teams."""

    total: int
    fewest_matches: int
    most_matches: int
    fewest_meetings: int
    most_meetings: int
    squares: int

    def rank(self) -> tuple[int, int, int, int]:
        """The lower, the better: equal matches first (points are added by team), then many, then even."""
        return (
            self.most_matches - self.fewest_matches,
            -self.total,
            self.squares,
            self.most_meetings - self.fewest_meetings,
        )


@dataclass(frozen=True, slots=True)
class TriplePlan:
    """The rounds of threes to play, team parts numbered from 0, and the design they come from."""

    name: str
    teams: int
    rounds: tuple[TripleRound, ...]
    balance: Balance


def balance_of(teams: int, rounds: Sequence[Sequence[Sequence[int]]]) -> Balance:
    """Count the matches and meetings of a plan."""
    matches = Counter(team for each in rounds for triple in each for team in triple)
    meetings = Counter(pair for each in rounds for triple in each for pair in combinations(sorted(triple), 2))
    per_team = [matches[team] for team in range(teams)]
    per_pair = [meetings[pair] for pair in combinations(range(teams), 2)]
    return Balance(
        total=sum(map(len, rounds)),
        fewest_matches=min(per_team),
        most_matches=max(per_team),
        fewest_meetings=min(per_pair),
        most_meetings=max(per_pair),
        squares=sum(count * count for count in per_pair),
    )


@lru_cache(maxsize=1)
def designs() -> dict[int, dict[str, tuple[TripleRound, ...]]]:
    """All designs by number of teams and name."""
    found: dict[int, dict[str, tuple[TripleRound, ...]]] = {}
    for name, rounds in read_designs("designs.txt"):
        found.setdefault(teams_of(name), {})[name] = rounds
    return found


def read_designs(file: str) -> Iterator[tuple[str, tuple[TripleRound, ...]]]:
    """The designs of a file in this folder, with their names."""
    for text in Path(__file__).with_name(file).read_text("ascii").splitlines():
        name, _, design = text.partition(": ")
        yield name, tuple(tuple(map(_triple, each.split())) for each in design.split("/"))


def teams_of(name: str) -> int:
    """For how many teams the design of this name is."""
    return int(name[1:].partition("_")[0])


def _triple(word: str) -> Triple:
    first, second, third = (int(digit, 16) for digit in word)
    return first, second, third


@lru_cache(maxsize=256)
def triple_plan(teams: int, rounds: int) -> TriplePlan:
    """The most even plan of exactly so many rounds that the designs give.

    A design is repeated as often as all of it fits. For the rounds that are left those of the design are
    taken that keep the plan most even.
    """
    plans = []
    for name, design in designs()[teams].items():
        taken = _take(teams, design, rounds)
        plans.append(TriplePlan(name, teams, taken, balance_of(teams, taken)))
    return min(plans, key=lambda plan: (plan.balance.rank(), plan.name))


def _take(teams: int, design: tuple[TripleRound, ...], rounds: int) -> tuple[TripleRound, ...]:
    laps, rest = divmod(rounds, len(design))
    taken = list(design) * laps
    left = list(design)
    for _ in range(rest):
        best = min(left, key=lambda each: balance_of(teams, [*taken, each]).rank())
        taken.append(best)
        left.remove(best)
    return tuple(taken)
