"""Drawn rounds that results would draw otherwise now, with names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from desk.contestants import Contestant, Who
from tournaments.rounds.redraw import ChangedRound


@dataclass(frozen=True, slots=True)
class ShownPair:
    """Who was drawn, and who would be now: None stands for nobody, or for who isn't known yet."""

    drawn: tuple[Contestant, ...]
    due: tuple[Contestant | None, ...]
    stays: bool


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A drawn round that would be drawn otherwise: the pairs that move, and those that stay as drawn."""

    number: int
    title: str
    pairs: tuple[ShownPair, ...]
    moves: bool

    @property
    def moving(self) -> list[ShownPair]:
        """The pairs that would move."""
        return [pair for pair in self.pairs if not pair.stays]

    @property
    def staying(self) -> list[ShownPair]:
        """The pairs that stay though others are due, since games were begun."""
        return [pair for pair in self.pairs if pair.stays]


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
                    pair.is_begun or not each.moves,
                )
                for pair in each.pairs
            ),
            each.moves,
        )
