"""Styles of bots: what they weigh, and how often they do what they needn't or shouldn't."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Style:
    """A way of playing; each number is a chance from 0 to 1, taken whenever there is the occasion.

    `weighs` the cards: the dearest goes first, and the colour held most is named; otherwise any will do.
    """

    weighs: bool
    names_dealer: float
    """The dealer is named, without a cut."""
    draws_anyway: float
    """Draws though a card could be played, where the rules let that be."""
    bluffs: float
    """Plays a Wild Draw Four though another card would go."""
    keeps_drawn: float
    """Passes with a drawn card that could be played."""
    lays_one: float
    """Plays one card though others of its number could go along."""
    forgets_uno: float
    notices_uno: float
    """At every event while a missed UNO is open: somebody says it."""
    answers: float
    """Puts a draw card on the one that hit."""
    challenges: float
    gives: float
    """After a 0, at every event while there is time: a relative draws."""
    others: float
    """Before every move: does what else the rules have at this moment."""
    slips: float
    """At every event: somebody prompts or lays a wrong card, where that costs cards."""


STYLES: Final[Mapping[str, Style]] = {
    "sensible": Style(
        weighs=True,
        names_dealer=0.0,
        draws_anyway=0.02,
        bluffs=0.05,
        keeps_drawn=0.05,
        lays_one=0.1,
        forgets_uno=0.3,
        notices_uno=0.4,
        answers=0.8,
        challenges=0.3,
        gives=0.4,
        others=0.4,
        slips=0.01,
    ),
    "random": Style(
        weighs=False,
        names_dealer=0.1,
        draws_anyway=0.1,
        bluffs=1.0,
        keeps_drawn=0.3,
        lays_one=0.5,
        forgets_uno=0.5,
        notices_uno=0.4,
        answers=0.5,
        challenges=0.5,
        gives=0.4,
        others=0.4,
        slips=0.05,
    ),
}
