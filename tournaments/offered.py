"""What can decide the order of a tournament, by what its format and its games give to go by."""

from collections.abc import Mapping
from typing import Final

from games.figures import NO_POINTS
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
"""For each format what its results are, besides what games give: a metric that needs something else isn't
offered with it.
"""


def metrics_of(format_key: str, scoring: str | None = None) -> dict[str, Metric]:
    """The metrics that a tournament of this format can be ordered by, with games of a rule set of this
    `scoring`; None: of some rule set.
    """
    return metrics_offered(GIVEN[format_key] | _counted(scoring))


def _counted(scoring: str | None) -> frozenset[Data]:
    """What games give whatever the format: penalty cards always, card points where the rules count them."""
    return frozenset({Data.PENALTIES} if scoring == NO_POINTS else {Data.PENALTIES, Data.CARD_POINTS})


def every_metric() -> dict[str, Metric]:
    """The metrics that some format can be ordered by, with some rule set."""
    return {key: each for format_key in GIVEN for key, each in metrics_of(format_key).items()}


def tie_policies_of(format_key: str) -> dict[str, TiePolicyText]:
    """What tied teams of a tournament of this format can get."""
    return tie_policies_offered(GIVEN[format_key])


def every_tie_policy() -> dict[str, TiePolicyText]:
    """What tied teams can get with some format."""
    return {key: each for given in GIVEN.values() for key, each in tie_policies_offered(given).items()}
