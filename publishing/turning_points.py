"""Turning points of a game, where the replay pauses."""

from games.engine import Event, State
from games.engine.events import CardsPlayed, ChallengeMade, EventVoided, GameClosed, UnoCaught

MANY_CARDS = 4
"""Who has to draw so many at once stands at a turning point."""


def is_turning(event: Event, before: State, after: State) -> bool:
    """Whether it is a last card, somebody out, a challenge, many cards, or an end."""
    if isinstance(event, ChallengeMade | UnoCaught | GameClosed):
        return True
    if after.over != before.over or len(after.deal_scores) != len(before.deal_scores):
        return not isinstance(event, EventVoided)
    if isinstance(event, CardsPlayed):
        return after.hands[event.seat] <= 1 or after.owed >= MANY_CARDS
    return False
