"""What outlooks claim of every format and metric, beside what brute force finds.

For each format and each metric that it offers, tournaments are played by chance up to some position; from
there every way is gone through by `brute_force`. A claim is what an outlook says of one team: it is false if
a place that it calls possible is never taken, or if one that it rules out is; it is exact if it leaves no
place undecided.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.tournaments.rounds import brute_force
from tournaments.projections.outlooks import foresee
from tournaments.settings.tournament import metrics_of

FIGURES: Final = frozenset({"card_points_difference", "card_points_for", "penalties"})
MOST_ENDS: Final = 36
"""From a position that is looked at at most so many ends are to be reached."""

GROUPS: Final = {"first_of_each_group": 1}

CASES: Final[Mapping[str, tuple[tuple[int, Mapping[str, Any]], ...]]] = {
    "triangle": ((3, {}), (4, {})),
    "duel": ((3, {}),),
    "round_robin": (
        (3, {}),
        (4, {}),
        (3, {"options": {"legs": 2}}),
        (3, {"match": {"length": "best_of", "games": 2}}),
        (3, {"match": {"length": "best_of", "games": 3}}),
    ),
    "round_robin in groups": ((5, {"format": "round_robin", "options": {"groups": 2}}),),
    "swiss": (
        (4, {}),
        (5, {}),
        (4, {"match": {"length": "best_of", "games": 2}}),
        (4, {"match": {"length": "best_of", "games": 3}}),
    ),
    "groups, then knockout": (
        (
            5,
            {
                "format": "round_robin",
                "options": {"groups": 2},
                "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 1}}],
            },
        ),
        (
            4,
            {
                "format": "round_robin",
                "later": [{"format": "single_elimination", "qualification": {"first_overall": 3}}],
            },
        ),
        (
            4,
            {
                "format": "swiss",
                "options": {"rounds": 1},
                "later": [{"format": "round_robin", "qualification": {"first_overall": 3}}],
            },
        ),
        (
            4,
            {
                "format": "round_robin",
                "later": [
                    {
                        "format": "single_elimination",
                        "options": {"seeded": 0},
                        "qualification": {"first_overall": 3, "seeding": "lots"},
                    }
                ],
            },
        ),
    ),
    "single_elimination": (
        (4, {}),
        (5, {}),
        (3, {"match": {"length": "best_of", "games": 3}}),
        (6, {"match": {"length": "best_of", "games": 3}}),
    ),
    "double_elimination": ((4, {}), (3, {})),
    "tables": tuple((teams, {"options": {"seats": 3, "rounds": 2}}) for teams in (3, 4, 6)),
    "tables_by_standing": tuple((teams, {"options": {"seats": 3, "rounds": 2}}) for teams in (3, 4, 6)),
}
"""For each kind of tournament its sizes and settings; the key is the format unless they name one."""

POLICIES: Final = ("same", "lots", "play_off")
BELLS: Final = ("no_point", "point_each", "one_more_card")


@dataclass(slots=True)
class Claims:
    """What was said of how many teams, by format and metric."""

    made: Counter[tuple[str, str]] = field(default_factory=Counter)
    exact: Counter[tuple[str, str]] = field(default_factory=Counter)
    false: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)


def cases(kind: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Number of teams, metric that is looked at, settings: all metrics of a kind's format, first and after
    points.
    """
    for teams, given in CASES[kind]:
        format_ = given.get("format", kind)
        for number, key in enumerate(metrics_of(format_, "winner_takes", given.get("options"))):
            orders = [(key,)] if key in ("points", "stage_place", "lots") else [(key,), ("points", key)]
            for metrics in orders:
                is_basic = key in ("points", "stage_place")
                for at, policy in enumerate(POLICIES) if is_basic else [(number, POLICIES[number % 3])]:
                    yield (
                        teams,
                        key,
                        {
                            "format": format_,
                            "bell": BELLS[(at + len(metrics)) % 3],
                            # Its games count points.
                            "ruleset": "classic",
                            "metrics": list(metrics),
                            "tie_policy": policy,
                            **given,
                        },
                    )


Case = tuple[int, str, dict[str, Any]]


def hold(
    claims: Claims, kind: str, positions: int, chance: random.Random, only: Sequence[Case] | None = None
) -> None:
    """Look ahead from so many positions of each case of a kind (or of some cases), and compare; the first
    position is one in which all is played.
    """
    for teams, key, given in cases(kind) if only is None else only:
        cards = bool(FIGURES & set(given["metrics"]))
        for number in range(positions):
            most = 1 if number == 0 else MOST_ENDS
            position = brute_force.advance(brute_force.start(teams, given), chance, cards, most)
            found = foresee(position.read(), "seed")
            if found is None:
                raise AssertionError(f"{kind}, {given}: nothing is foreseen")
            true = brute_force.possible_places(position, cards)
            for each in found.teams:
                at = kind, key
                possible, may = set(each.places), {*each.places, *each.undecided}
                claims.made[at] += 1
                claims.exact[at] += not each.undecided
                if not possible <= true[each.team] <= may:
                    claims.false[at] += 1
                    claims.examples.append(
                        f"{kind}, {teams} teams, {given}: said {sorted(possible)} and perhaps "
                        f"{sorted(each.undecided)}, true are {sorted(true[each.team])} ({found.method})"
                    )
