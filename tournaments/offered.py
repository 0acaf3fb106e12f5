"""What can decide the order of a tournament, by what its format gives to go by."""

from collections.abc import Mapping
from typing import Final

from tournaments.standings import (
    Data,
    Metric,
    TiePolicyText,
    metrics_offered,
    tie_policies_offered,
)

GIVEN: Final[Mapping[str, frozenset[Data]]] = {
    "triangle": frozenset({Data.MINI_TOURNAMENTS, Data.PLAY_OFFS}),
    "duel": frozenset({Data.MINI_TOURNAMENTS, Data.PLAY_OFFS}),
}
"""For each format what its results are: a metric that needs something else isn't offered with it."""


def metrics_of(format_key: str) -> dict[str, Metric]:
    """The metrics that a tournament of this format can be ordered by."""
    return metrics_offered(GIVEN[format_key])


def every_metric() -> dict[str, Metric]:
    """The metrics that some format can be ordered by."""
    return {key: each for given in GIVEN.values() for key, each in metrics_offered(given).items()}


def tie_policies_of(format_key: str) -> dict[str, TiePolicyText]:
    """What tied teams of a tournament of this format can get."""
    return tie_policies_offered(GIVEN[format_key])


def every_tie_policy() -> dict[str, TiePolicyText]:
    """What tied teams can get with some format."""
    return {key: each for given in GIVEN.values() for key, each in tie_policies_offered(given).items()}
