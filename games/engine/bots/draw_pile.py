"""The draw pile with its cards, which no state of a game knows."""

from collections.abc import Callable, Iterable

from games.engine.cards import Card

Random = Callable[[], float]
"""Numbers from 0 up to 1: all the chance there is for bots.

From the same seed Python gives the same numbers in all its versions. It promises that of no other method of a
generator of random numbers.
"""


class Pile:
    """A shuffled pile: cards are drawn from anywhere in it, so nothing has to be shuffled beforehand."""

    __slots__ = ("_random", "cards")

    def __init__(self, random: Random, cards: Iterable[Card] = ()) -> None:
        self._random = random
        self.cards = list(cards)

    def draw(self) -> Card:
        """Take one card; IndexError if there is none."""
        cards = self.cards
        place = int(self._random() * len(cards))
        card = cards[place]
        # The last one fills the gap: quicker than moving up all that follow.
        cards[place] = cards[-1]
        cards.pop()
        return card

    def take(self, count: int) -> tuple[Card, ...]:
        """Take so many cards."""
        return tuple([self.draw() for _ in range(count)])
