"""Placements by hand: what was played elsewhere (a sack race) comes in as the order of its end.

A format of one round with one pairing, at which everybody is a side. The points of a side are its place, and
low is good. Places are shared as 1-2-2-4.
"""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import ClassVar

from games.engine.places import only_first, places_of
from tournaments.standings.model import by_level

from .errors import CannotDraw, gettext_noop
from .format import (
    Format,
    PairingOutcome,
    RoundPairing,
    RoundPlan,
    StageProgress,
    unknown_contestant,
)


def placements(
    sides: Sequence[int], entered: Iterable[tuple[int, int]], gone: Collection[int] = frozenset()
) -> PairingOutcome:
    """The outcome of entered pairs (contestant, place), in the order of `sides`.

    Who is gone may be left out and then shares the place after the last. Raises CannotDraw for a contestant
    who is unknown, there twice or missing, and for places that aren't 1, 2, 2, 4, ….
    """
    place_of: dict[int, int] = {}
    for contestant, place in entered:
        if contestant not in sides:
            raise unknown_contestant(contestant)
        if contestant in place_of:
            raise CannotDraw(
                "placed_twice",
                gettext_noop(
                    "Contestant %(contestant)d has two places, %(one)d and %(other)d; one is expected."
                ),
                contestant=contestant,
                one=place_of[contestant],
                other=place,
            )
        place_of[contestant] = place
    for contestant in sides:
        if contestant not in place_of and contestant not in gone:
            raise CannotDraw(
                "not_placed",
                gettext_noop("Contestant %(contestant)d has no place; everybody needs one."),
                contestant=contestant,
            )
    _check_places(place_of.values())
    last = len(place_of) + 1
    return PairingOutcome(tuple(Fraction(place_of.get(side, last)) for side in sides), only_first(place_of))


def _check_places(places: Iterable[int]) -> None:
    """Whether each place is one more than there are contestants ahead of it."""
    taken = sorted(places)
    for place, expected in zip(taken, places_of(taken), strict=True):
        if place != expected:
            raise CannotDraw(
                "places",
                gettext_noop(
                    "Place %(given)d was entered where place %(expected)d comes: %(ahead)d are ahead of it "
                    "(who shares a place takes up as many: 1, 2, 2, 4)."
                ),
                given=place,
                expected=expected,
                ahead=expected - 1,
            )


class ByHand(Format):
    """Draws nothing: `placements` makes the outcome of its only pairing."""

    key: ClassVar[str] = "by_hand"
    name: ClassVar[str] = gettext_noop("Placements by hand")
    explanation: ClassVar[str] = gettext_noop(
        "Another game of the event: only the order of its end is entered, with shared places."
    )

    def rounds_for(self, contestants: int) -> int:
        """One."""
        return 1

    def next_round(self, progress: StageProgress, seed: str, *, rematches: bool = False) -> RoundPlan | None:
        """See `Format`: everybody in one pairing, by number; the seed plays no part."""
        if progress.rounds:
            return None
        playing = sorted(one.number for one in progress.playing())
        if not playing:
            raise CannotDraw("contestants", gettext_noop("Nobody is there to be placed."))
        return RoundPlan(1, gettext_noop("Final placements"), (), (RoundPairing("all", tuple(playing)),))

    def is_finished(self, progress: StageProgress) -> bool:
        """Whether the placements are entered."""
        return bool(progress.rounds) and progress.is_complete

    def why_no_swap(self, progress: StageProgress) -> CannotDraw:
        """See `Format`."""
        return CannotDraw(
            "nothing_to_swap",
            gettext_noop("Here only places are entered; nobody is drawn against anybody."),
        )

    def places(self, progress: StageProgress) -> tuple[tuple[int, ...], ...]:
        """See `Format`; nobody before the placements are entered."""
        return by_level(
            placed
            for pairing, outcome in progress.played()
            for placed in sorted(zip(outcome.points, pairing.sides, strict=True))
        )


BY_HAND = ByHand()
