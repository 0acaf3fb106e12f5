"""Places in each group's Berger table, round after round.

A place is kept for good, whoever goes. Who comes late gets one that is free: where a group is odd its empty
last place, else the place of somebody who is gone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..errors import CannotDraw, gettext_noop
from ..format import Contestant
from .berger import leg_round


@dataclass(frozen=True, slots=True)
class GroupTableRow:
    """One line of a group's table in a round.

    It has the places that meet, the first seat's first, and the contestants who have them. A place that
    nobody ever had has None.
    """

    group: int
    slot: str
    places: tuple[int, int]
    holders: tuple[int | None, int | None]


@dataclass(slots=True)
class GroupPlaces:
    """A group: `had` has for each place all who had it, in order; the last of them has it still."""

    number: int
    had: list[list[int]] = field(default_factory=list)

    @classmethod
    def of(cls, number: int, contestants: Iterable[int]) -> "GroupPlaces":
        """The contestants get the places from 1 on; an odd number leaves the last one empty."""
        had = [[one] for one in contestants]
        return cls(number, had + [[] for _ in range(len(had) % 2)])

    def members(self) -> tuple[int, ...]:
        """All who have or had a place, place after place."""
        return tuple(one for holders in self.had for one in holders)

    def holders(self) -> list[int | None]:
        """Who has each place, place 1 first."""
        return [holders[-1] if holders else None for holders in self.had]

    def lines(self, number: int, legs: int) -> Iterator[GroupTableRow]:
        """The table's lines in round `number`; none after its last round."""
        size = len(self.had)
        if number > legs * (size - 1):
            return
        leg, pairs = leg_round(size, legs, number)
        holders = self.holders()
        for first, second in pairs:
            slot = f"g{self.number}-l{leg}-{first}-{second}"
            yield GroupTableRow(self.number, slot, (first, second), (holders[first - 1], holders[second - 1]))


def refuse_replaced(groups: Sequence[GroupPlaces], contestant: int) -> None:
    """Refuse with `CannotDraw` one whose place was given to somebody else: in another place they could meet
    the same opponents again.
    """
    for holders in (holders for group in groups for holders in group.had):
        if contestant in holders[:-1]:
            raise CannotDraw(
                "place_taken",
                gettext_noop(
                    "Contestant %(contestant)d can't come back: their place was given to contestant "
                    "%(successor)d."
                ),
                contestant=contestant,
                successor=holders[-1],
            )


def admit(
    groups: Sequence[GroupPlaces], late: Contestant, playing: dict[int, Contestant], number: int
) -> None:
    """Give a late contestant a place for the rounds from `number` on.

    An empty place comes before one of somebody who isn't `playing` any more. Then comes the group where
    fewest play, then where fewest have something in common with the late one, the first group, the first
    place. `groups` are those that have rounds left. Raises CannotDraw if no place is free.
    """
    free: list[tuple[bool, int, int, int, int]] = []
    by_number = {group.number: group for group in groups}
    for group in groups:
        holders = group.holders()
        others = [playing[one] for one in holders if one in playing]
        shared = sum(_shared(late, other) for other in others)
        free += [
            (holder is not None, len(others), shared, group.number, place)
            for place, holder in enumerate(holders)
            if holder not in playing
        ]
    if not free:
        raise CannotDraw(
            "no_place",
            gettext_noop(
                "No place is free for contestant %(contestant)d in round %(round)d: a late contestant needs "
                "the bye of an odd group or the place of somebody who is gone, in a group with rounds left."
            ),
            contestant=late.number,
            round=number,
        )
    *_, chosen, place = min(free)
    by_number[chosen].had[place].append(late.number)


def _shared(one: Contestant, other: Contestant) -> int:
    return len(one.labels & other.labels) + (one.team == other.team)
