"""Triple designs for 3 to 16 teams: which three teams meet in which round.

`triple_plan` is the plan of the methods 1 and 2, by which draws can be repeated that were made before
`even_triples.py`; it stays as it is.

The designs were found by search; the tests count each of them again. A name says what a design holds: N
teams, then either `lam` (each two teams meet so often) or `r` (each team plays so often) with how often two
teams meet, at least and at most, then T rounds. Teams are written 0 to 9 and A to F, a blank separates the
threes of a round, a stroke the rounds.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

Triple = tuple[int, int, int]
TripleRound = tuple[Triple, ...]

_DESIGNS: dict[str, str] = {
    "N3_lam1_T1": "012",
    "N4_lam2_T4": "012 / 023 / 013 / 123",
    "N5_r3_1-2_T5": "012 / 034 / 013 / 234 / 124",
    "N5_lam3_T10": "012 / 013 / 134 / 014 / 023 / 234 / 123 / 024 / 034 / 124",
    "N6_lam4_T10": (
        "012 345 / 024 135 / 015 234 / 034 125 / 045 123 / 014 235 / 035 124 / 025 134 / 023 145 / 013 245"
    ),
    "N7_lam2_T7": "012 345 / 015 236 / 024 156 / 035 146 / 046 123 / 134 256 / 036 245",
    "N8_r3_0-1_T4": "012 345 / 037 246 / 056 147 / 136 257",
    "N8_r6_1-2_T8": "012 345 / 013 247 / 056 147 / 157 246 / 067 235 / 037 146 / 045 236 / 125 367",
    "N8_lam6_T28": (
        "012 345 / 036 247 / 014 567 / 027 135 / 017 456 / 025 147 / 013 246 / 046 135 / 237 456 / 025 "
        "146 / 045 367 / 017 235 / 067 245 / 057 236 / 126 347 / 123 567 / 147 236 / 046 135 / 156 234 / "
        "036 127 / 026 357 / 126 347 / 025 167 / 013 247 / 034 156 / 034 257 / 057 124 / 145 367"
    ),
    "N9_lam1_T4": "012 345 678 / 038 157 246 / 056 148 237 / 047 136 258",
    "N10_r3_0-1_T4": "012 345 678 / 048 236 579 / 169 / 039 147 258",
    "N10_r6_1-2_T7": (
        "012 345 678 / 089 127 356 / 047 156 239 / 025 189 346 / 038 246 579 / 069 137 248 / 149 578"
    ),
    "N10_lam2_T10": (
        "012 345 678 / 069 158 237 / 034 289 567 / 045 126 379 / 068 159 247 / 038 147 259 / 025 136 489 "
        "/ 079 148 356 / 017 238 469 / 139 246 578"
    ),
    "N11_r3_0-1_T4": "012 345 678 / 03A 157 489 / 069 24A / 136 279 58A",
    "N11_r6_1-2_T8": (
        "012 345 678 / 148 37A 569 / 038 279 56A / 089 136 47A / 157 28A 349 / 01A 258 / 057 19A 246 / "
        "046 239"
    ),
    "N11_lam3_T19": (
        "012 345 678 / 039 146 25A / 046 29A 357 / 124 39A 678 / 015 26A 489 / 126 48A / 05A 137 289 / "
        "04A 379 / 158 249 67A / 018 234 579 / 07A 159 368 / 069 17A 258 / 058 147 236 / 038 479 56A / "
        "023 189 456 / 047 38A 569 / 027 136 48A / 069 13A 257 / 19A 278 345"
    ),
    "N12_r4_0-1_T4": "012 345 678 9AB / 048 159 27B 36A / 06B 138 25A 479 / 07A 146 239 58B",
    "N12_r5_0-1_T7": (
        "012 345 678 9AB / 05A 24B / 06B 18A 379 / 047 13B 289 / 157 46A / 038 27A 569 / 149 236 58B"
    ),
    "N12_lam2_T11": (
        "015 248 36B 79A / 126 359 47B 08A / 237 46A 58B 019 / 348 057 69B 12A / 459 168 7AB 023 / 56A "
        "279 08B 134 / 067 38A 19B 245 / 178 049 2AB 356 / 289 15A 03B 467 / 39A 026 14B 578 / 04A 137 "
        "25B 689"
    ),
    "N13_r3_0-1_T4": "012 345 678 9AB / 037 1BC 246 / 08A 23C 569 / 179 4AC 58B",
    "N13_lam1_T8": (
        "012 345 678 9AB / 08A 17B 26C / 049 138 56A / 057 14A 23B 89C / 0BC 248 379 / 036 259 47C / 15C "
        "27A 46B / 169 3AC 58B"
    ),
    "N13_lam2_T13": (
        "012 345 678 9AB / 013 24A 57B 89C / 06A 19B 378 45C / 05B 14C 28A 679 / 047 156 23C 8AB / 08C "
        "14A 259 36B / 03B 126 489 57C / 05A 1BC 237 469 / 029 158 346 7AC / 17A 26C 359 48B / 068 179 "
        "24B 3AC / 09C 138 27B 56A / 047 258 39A 6BC"
    ),
    "N14_r3_0-1_T4": "012 345 678 9AB / 048 19C 2BD 56A / 03C 47D / 17A 26C 39D 58B",
    "N14_r6_0-1_T7": (
        "012 345 678 9AB / 04B 15A 28C 37D / 138 247 59C 6BD / 057 1CD 26A 489 / 08A 25D 369 7BC / 06C "
        "179 23B 4AD / 09D 146 3AC 58B"
    ),
    "N14_r9_1-2_T11": (
        "012 345 678 9AB / 013 26A 49C 578 / 0BD 27A 38C 569 / 07A 189 2BC 35D / 14A 26D 38B 57C / 0BD "
        "17C 248 56A / 06C 18D 239 45B / 048 125 3AD 79B / 146 37B 9CD / 059 16B 47D 8AC / 036 24C 9AD"
    ),
    "N15_lam1_T7": (
        "012 345 678 9AB CDE / 089 14D 27A 36E 5BC / 03C 16B 25E 48A 79D / 0BD 158 239 47E 6AC / 0AE 17C "
        "24B 38D 569 / 046 19E 28C 37B 5AD / 057 13A 26D 49C 8BE"
    ),
    "N16_r6_0-1_T7": (
        "012 345 678 9AB CDE / 0AD 15E 238 49F 7BC / 037 14B 29C 5DF 6AE / 16D 2BF 47A 58C / 04E 257 36F "
        "89D / 0CF 18A 39E 56B / 069 17F 24D 3AC 8BE"
    ),
    "N16_r9_1-2_T11": (
        "012 345 678 9AB CDE / 013 268 5CF 7AB / 0AD 18B 279 3EF 56C / 09F 1AE 37D 46C / 058 24E 6DF 79C "
        "/ 19C 237 48A 5BF / 0BC 16E 25D 3AF 489 / 06A 14F 2BD 39E / 04B 157 2AC 8DE / 07E 14D 28F 36B "
        "59A / 38C 47F 5BE 69D"
    ),
    "N16_lam2_T16": (
        "158 2DF 39A 46E 7BC / 269 03E 4AB 57F 8CD / 37A 14F 5BC 068 9DE / 48B 025 6CD 179 AEF / 59C 136 "
        "7DE 28A 0BF / 6AD 247 8EF 39B 01C / 7BE 358 09F 4AC 12D / 8CF 469 01A 5BD 23E / 09D 57A 12B 6CE "
        "34F / 1AE 68B 23C 7DF 045 / 2BF 79C 34D 08E 156 / 03C 8AD 45E 19F 267 / 14D 9BE 56F 02A 378 / "
        "25E ACF 067 13B 489 / 36F 0BD 178 24C 59A / 047 1CE 289 35D 6AB"
    ),
}


@dataclass(frozen=True, slots=True)
class Balance:
    """How even a plan is: the fewest and the most matches of a team and meetings of two teams."""

    total: int
    fewest_matches: int
    most_matches: int
    fewest_meetings: int
    most_meetings: int
    squares: int

    @property
    def equal(self) -> bool:
        """Whether every team plays as often."""
        return self.fewest_matches == self.most_matches

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
    for name, text in _DESIGNS.items():
        found.setdefault(int(name[1:].partition("_")[0]), {})[name] = read_design(text)
    return found


def read_design(text: str) -> tuple[TripleRound, ...]:
    """The rounds of a design as it is written."""
    return tuple(tuple(_triple(word) for word in each.split()) for each in text.split("/"))


def _triple(word: str) -> Triple:
    first, second, third = (int(digit, 16) for digit in word)
    return first, second, third


@lru_cache(maxsize=256)
def triple_plan(teams: int, rounds: int) -> TriplePlan:
    """The most even plan of exactly so many rounds that the designs give.

    A design is repeated whole as often as it fits; what is left over takes those of its rounds that keep
    the plan most even.
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
