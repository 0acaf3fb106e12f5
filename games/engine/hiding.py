"""The public view of an event: the one place that hides secret cards."""

from dataclasses import replace

from games.engine.events import CardsDrawn, ChallengeMade, DealStarted, Event


def hide(event: Event) -> Event:
    """The event as a table log has it: without dealt hands, drawn cards and what a challenger was shown."""
    if isinstance(event, DealStarted):
        return event if event.hands is None else replace(event, hands=None)
    if isinstance(event, CardsDrawn):
        return event if event.cards is None else replace(event, cards=None)
    if isinstance(event, ChallengeMade):
        return event if event.hand is None else replace(event, hand=None)
    return event
