"""Turning points of a game, where the replay pauses."""

from games.engine import Event
from games.engine.events import CardsPlayed, ChallengeMade, EventVoided, GameClosed, UnoCaught
from games.engine.telling import Moment

MANY_CARDS = 4
"""Who has to draw so many at once stands at a turning point."""


def is_turning(event: Event, before: Moment, after: Moment) -> bool:
    """Whether it is a last card, somebody out, a challenge, many cards, or an end."""
    if isinstance(event, ChallengeMade | UnoCaught | GameClosed):
        return True
    if after.over != before.over or after.deals_ended != before.deals_ended:
        return not isinstance(event, EventVoided)
    if isinstance(event, CardsPlayed):
        return after.hands[event.seat] <= 1 or after.owed >= MANY_CARDS
    return False
