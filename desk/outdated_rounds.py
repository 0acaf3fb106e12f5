"""Drawn rounds that results would draw otherwise now, with names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from desk.stage_squads import DeskContestant, Who
from tournaments.projections.rounds.redraw import ChangedPair, ChangedRound


@dataclass(frozen=True, slots=True)
class ShownPair:
    """Who was drawn, and who would be now: None stands for nobody, or for who isn't known yet."""

    drawn: tuple[DeskContestant, ...]
    due: tuple[DeskContestant | None, ...]


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A drawn round that would be drawn otherwise, and its pairs.

    `moving` would move. `staying` stay as drawn: their games were begun, or those of others in a round that
    moves as a whole. `held` weren't begun, and one who is due sits in another match of the round that stays.
    `waiting` weren't begun, and a match that they follow from is open again.
    """

    title: str
    moving: list[ShownPair]
    staying: list[ShownPair]
    held: list[ShownPair]
    waiting: list[ShownPair]


def shown_changes(changed: Iterable[ChangedRound], who: Who) -> Iterator[ShownChange]:
    """Changed rounds with names. Where a round can't move, all its pairs stay."""
    for each in changed:
        due_now = [pair for pair in each.pairs if not pair.waits and not pair.is_held]
        yield ShownChange(
            _(each.becomes.title) % dict(each.becomes.values),
            [_named(pair, who) for pair in due_now if each.moves and not pair.is_begun],
            [_named(pair, who) for pair in due_now if not each.moves or pair.is_begun],
            [_named(pair, who) for pair in each.pairs if pair.is_held],
            [_named(pair, who) for pair in each.pairs if pair.waits],
        )


def _named(pair: ChangedPair, who: Who) -> ShownPair:
    due = tuple(None if one is None else who[one] for one in pair.due)
    return ShownPair(tuple(who[one] for one in pair.drawn), due)
