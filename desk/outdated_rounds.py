"""Drawn rounds that results would draw otherwise now, with names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from desk.stage_squads import DeskContestant, Who
from tournaments.projections.rounds.redraw import ChangedRound


@dataclass(frozen=True, slots=True)
class ShownPair:
    """Who was drawn, and who would be now: None stands for nobody, or for who isn't known yet.

    `stays`: its games were begun, or those of others in a round that moves as a whole. `waits`: they weren't,
    and a match that it follows from is open again. `is_held`: they weren't, and one who is due sits in
    another match of the round that stays.
    """

    drawn: tuple[DeskContestant, ...]
    due: tuple[DeskContestant | None, ...]
    stays: bool
    waits: bool
    is_held: bool


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A drawn round that would be drawn otherwise: the pairs that move, those that stay as drawn, those
    that are held back by them, and those that wait for a result.
    """

    number: int
    title: str
    pairs: tuple[ShownPair, ...]
    moves: bool

    @property
    def moving(self) -> list[ShownPair]:
        """The pairs that would move."""
        return [pair for pair in self.pairs if not pair.stays and not pair.waits and not pair.is_held]

    @property
    def staying(self) -> list[ShownPair]:
        """The pairs that stay though others are due, since games were begun."""
        return [pair for pair in self.pairs if pair.stays]

    @property
    def held(self) -> list[ShownPair]:
        """The pairs that stay since one who is due sits in another match that stays."""
        return [pair for pair in self.pairs if pair.is_held]

    @property
    def waiting(self) -> list[ShownPair]:
        """The pairs of which it is open again who meets."""
        return [pair for pair in self.pairs if pair.waits]


def shown_changes(changed: Iterable[ChangedRound], who: Who) -> Iterator[ShownChange]:
    """Changed rounds with names. Where a round can't move, all its pairs stay."""
    for each in changed:
        plan = each.becomes
        yield ShownChange(
            each.number,
            _(plan.title) % dict(plan.values),
            tuple(
                ShownPair(
                    tuple(who[one] for one in pair.drawn),
                    tuple(None if one is None else who[one] for one in pair.due),
                    pair.is_begun or (not each.moves and not pair.waits and not pair.is_held),
                    pair.waits,
                    pair.is_held,
                )
                for pair in each.pairs
            ),
            each.moves,
        )
