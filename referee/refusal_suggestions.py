"""Suggestions after a refused entry: mostly one thing in it was wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from games.engine import Event, State
from games.engine.cards import COLOR, COLORS, WILDS
from games.engine.events import (
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    PenaltyGiven,
    UnoCaught,
)
from people.models import Team
from referee.offers import can_be
from referee.sentences import People, entry_text
from referee.tap_steps import Tap, TapGroup, color_tap, event_tap


def almost(state: State, event: Event, people: People, teams: Sequence[Team]) -> list[TapGroup]:
    """What could have been meant instead of an event that was entered when the game stood like this.

    It is the same but for the colour, the card's colour, UNO, the verdict or the person.
    """
    event = replace(event, at=None, by=None)
    groups = []
    for title, layout, others in _near(event, range(len(people.names))):
        taps = [
            _near_tap(other, event, people, teams)
            for other in others
            if other != event and can_be(state, other)
        ]
        if taps:
            groups.append(TapGroup(tuple(taps), layout, title))
    return groups


def _near(event: Event, seats: range) -> Iterator[tuple[str, str, list[Event]]]:
    """Headings and layouts with events that differ from this one in one thing."""
    match event:
        case CardsPlayed(cards=(*_rest, card)) if card in WILDS:
            yield _("The colour was"), "four", [replace(event, color=color) for color in COLORS]
        case CardsPlayed(cards=(card,)):
            yield _("The card was"), "cards", [replace(event, cards=(other,)) for other in _like(card)]
        case CardTurned(card=card):
            yield _("The card was"), "cards", [CardTurned(other) for other in _like(card)]
        case ColorNamed():
            yield _("The colour was"), "four", [replace(event, color=color) for color in COLORS]
        case ChallengeMade():
            yield _("The verdict was"), "one", [replace(event, upheld=not event.upheld)]
        case UnoCaught():
            yield _("Caught by"), "three", [replace(event, catcher=seat) for seat in seats]
        case PenaltyGiven():
            yield _("The penalty was for"), "three", [replace(event, seat=seat) for seat in seats]
    if isinstance(event, CardsPlayed):
        yield _("With the card"), "one", [replace(event, uno=None if event.uno else True)]


def _like(card: str) -> list[str]:
    """The same card in the other colours."""
    return [color + card[1:] for color in COLORS if card not in WILDS and color != COLOR[card]]


def _near_tap(other: Event, event: Event, people: People, teams: Sequence[Team]) -> Tap:
    match other:
        case CardsPlayed(uno=uno) if uno != getattr(event, "uno", None):
            return event_tap(other, _("UNO was said") if uno else _("UNO was not said"))
        case CardsPlayed(color=str(color)) | ColorNamed(color=color):
            return color_tap(other, color)
        case CardsPlayed(cards=cards):
            return event_tap(other, card=cards[-1])
        case CardTurned(card=card):
            return event_tap(other, card=card)
        case ChallengeMade(upheld=upheld):
            return event_tap(other, _("It wasn’t allowed") if upheld else _("It was allowed"))
        case UnoCaught(catcher=int(seat)) | PenaltyGiven(seat=seat):
            return event_tap(other, people.names[seat], team=teams[seat])
    return event_tap(other, str(entry_text(other, people)))
