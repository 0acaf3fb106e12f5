"""Order rules of a tournament, and what its places are worth."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise

from .errors import CannotRank, gettext_noop
from .metrics import Data, metrics_for

EDITION = 9
"""The edition of these rules. A tournament keeps the one that it was set up with, and its standings with it:
in edition 1 the direct match took what is missing for nothing, up to edition 2 it counted the walkovers of
every format, up to edition 3 it asked that all had met equally often. Up to edition 3 metrics put in order
whoever left so early that a format's rule annuls the results; since then they come last. Up to edition 4
whoever was out of a bracket that runs stood behind all who were still in it. Since then everybody stands at
the best place that they can still come to. Up to edition 5 metrics compared those whom a finished stage left
out with others from other groups until the next stage was drawn. Since then they have the same places before
that draw as after it. Up to edition 6 whoever waited for lots in a group shared a place there for the overall
order, so that lots could still move squads of other groups. Since then those have the places that they keep.
Up to edition 7 whoever by a correction should be in a match of a bracket that another has played had no place
there, and came behind those who lost before it, and whom lots left out of the next stage kept the place that
they had shared in their group. Since then those share the place of who lost before that match, and these come
behind those of the tie who went on. Up to edition 8 whoever wasn't there shared the last place of a forfeit
at a table of many, or the mean where nobody was. Since then each of them is last.
"""


class TiePolicy(StrEnum):
    """What tied teams get when every metric has been asked."""

    SAME = "same"
    AVERAGE = "average"
    PLAY_OFF = "play_off"
    LOTS = "lots"


DECIDING = {TiePolicy.PLAY_OFF: "play_off", TiePolicy.LOTS: "lots"}
"""Policies under which tied teams wait until something is recorded, with the metric that reads it."""


@dataclass(frozen=True, slots=True)
class TiePolicyText:
    """How a tie policy is shown: msgids; and what a tournament has to have for it."""

    name: str
    explanation: str
    needs: frozenset[Data] = frozenset()


TIE_POLICIES: dict[str, TiePolicyText] = {
    TiePolicy.SAME: TiePolicyText(
        gettext_noop("Same points"),
        gettext_noop("Who shares a place takes the points of that place."),
    ),
    TiePolicy.AVERAGE: TiePolicyText(
        gettext_noop("Average"),
        gettext_noop("Who shares a place takes the average of the places they share."),
    ),
    TiePolicy.PLAY_OFF: TiePolicyText(
        gettext_noop("Play-off"),
        gettext_noop("Those who share a place play for it where they would take different points."),
        frozenset({Data.PLAY_OFFS}),
    ),
    TiePolicy.LOTS: TiePolicyText(
        gettext_noop("Drawing of lots"),
        gettext_noop("Lots are drawn where tied teams would take different points."),
    ),
}


def tie_policies_offered(data: Collection[Data]) -> dict[str, TiePolicyText]:
    """The policies for ties that a tournament with such data can have."""
    return {key: text for key, text in TIE_POLICIES.items() if text.needs <= frozenset(data)}


@dataclass(frozen=True, slots=True)
class Rules:
    """Metric keys in order of weight, placement points by place, and what tied teams get.

    Beyond the scale a place is worth nothing. `edition` is that of `EDITION`. Raises CannotRank for metrics
    that aren't there, are there twice or can't stand in this order. It does so too for a scale that rises or
    goes below zero.
    """

    metrics: tuple[str, ...] = ("points", "direct_match", "mini_tournaments")
    scale: tuple[int | Fraction, ...] = (30, 20, 10)
    ties: TiePolicy = TiePolicy.SAME
    edition: int = EDITION

    def __post_init__(self) -> None:
        metrics_for(self.metrics)
        if any(here < after for here, after in pairwise((*self.scale, 0))):
            raise CannotRank(
                "scale",
                gettext_noop(
                    "Placement points go down from place to place, to zero at least: %(given)s do not."
                ),
                given=", ".join(map(str, self.scale)),
            )
