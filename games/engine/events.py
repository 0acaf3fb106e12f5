"""Log events: one frozen class for each type.

Fields are those of the game log; `at` (RFC 3339 text) and `by` (who recorded it) can stand on any of them.
Lists are tuples here, and objects from seat to something are dicts with int keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from games.engine.cards import Card, Color
from games.engine.ruleset import Ruleset


@dataclass(frozen=True)
class Seat:
    """Who sits somewhere: a name and, where there is one, a team. Both are opaque to the engine."""

    name: str
    team: str | None = None


class _Typed:
    """What has a `type`: what the game log calls the class."""

    # Apart from the fields: compiled, a dataclass would take it for one.
    type: ClassVar[str]


@dataclass(frozen=True, kw_only=True)
class LogEvent(_Typed):
    """What all events have."""

    at: str | None = None
    by: str | None = None


@dataclass(frozen=True)
class GameOpened(LogEvent):
    """The rule set and the seats; `kin` are pairs of seats that are related."""

    ruleset: Ruleset
    seats: tuple[Seat, ...]
    kin: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True)
class DealerCut(LogEvent):
    """Everybody's card for the dealer, or that of those who cut again."""

    cards: Mapping[int, Card]


@dataclass(frozen=True)
class DealerNamed(LogEvent):
    """The dealer, in place of a cut."""

    seat: int


@dataclass(frozen=True)
class DealStarted(LogEvent):
    """The cards are dealt; `hands` for the seats whose cards are written down."""

    dealer: int
    hands: Mapping[int, tuple[Card, ...]] | None = None


@dataclass(frozen=True)
class CardTurned(LogEvent):
    """The first discard, or a Wild Draw Four that goes back."""

    card: Card


@dataclass(frozen=True)
class ColorNamed(LogEvent):
    """The colour after a Wild as first card."""

    seat: int
    color: Color


@dataclass(frozen=True)
class CardsPlayed(LogEvent):
    """Cards that land on the discards, usually one."""

    seat: int
    cards: tuple[Card, ...]
    color: Color | None = None
    uno: bool | None = None


@dataclass(frozen=True)
class CardsDrawn(LogEvent):
    """Any draw, free or forced; `cards` where they are written down."""

    seat: int
    count: int
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True)
class TurnPassed(LogEvent):
    """A turn that ends after a draw without a play, or because nothing can be drawn."""

    seat: int


@dataclass(frozen=True)
class UnoCalled(LogEvent):
    """UNO said after the card landed."""

    seat: int


@dataclass(frozen=True)
class UnoCaught(LogEvent):
    """Somebody noticed that `seat` forgot UNO."""

    seat: int
    catcher: int | None = None


@dataclass(frozen=True)
class ChallengeMade(LogEvent):
    """A Wild Draw Four is challenged and judged; `hand` is the offender's as shown."""

    seat: int
    upheld: bool
    hand: tuple[Card, ...] | None = None


@dataclass(frozen=True)
class PenaltyGiven(LogEvent):
    """A penalty for `prompting` or a `wrong_card` (then `card` may name it)."""

    seat: int
    reason: str
    card: Card | None = None


@dataclass(frozen=True)
class ZeroGift(LogEvent):
    """Who played a 0 has a relative draw four."""

    seat: int
    to: int


@dataclass(frozen=True)
class PileReshuffled(LogEvent):
    """The discards under the top became the draw pile."""


@dataclass(frozen=True)
class HandShown(LogEvent):
    """A hand for the points, as cards or as their points."""

    seat: int
    cards: tuple[Card, ...] | None = None
    points: int | None = None


@dataclass(frozen=True)
class GameClosed(LogEvent):
    """The referee ends the game; `team` where only the winning team is known.

    `places` ranks all seats from 1 and skips after ties; `winner` is then the only first, if there is one.
    """

    reason: str
    winner: int | None
    team: str | None = None
    scores: Mapping[int, int] | None = None
    places: Mapping[int, int] | None = None


@dataclass(frozen=True)
class EventVoided(LogEvent):
    """A correction: the log reads as if the event on that line, counted from 1, were not there."""

    line: int
    reason: str


Event = LogEvent

_TYPES: Final[dict[type[Event], str]] = {
    GameOpened: "game_opened",
    DealerCut: "dealer_cut",
    DealerNamed: "dealer_named",
    DealStarted: "deal_started",
    CardTurned: "card_turned",
    ColorNamed: "color_named",
    CardsPlayed: "cards_played",
    CardsDrawn: "cards_drawn",
    TurnPassed: "turn_passed",
    UnoCalled: "uno_called",
    UnoCaught: "uno_caught",
    ChallengeMade: "challenge_made",
    PenaltyGiven: "penalty_given",
    ZeroGift: "zero_gift",
    PileReshuffled: "pile_reshuffled",
    HandShown: "hand_shown",
    GameClosed: "game_closed",
    EventVoided: "event_voided",
}
for _cls, _type in _TYPES.items():
    # Set here and not in the classes: compiled, a dataclass would take it for a field.
    _cls.type = _type

EVENT_CLASSES: Final = tuple(_TYPES)
CLOSE_REASONS: Final = ("result", "time", "forfeit", "abandoned")
PENALTY_REASONS: Final = ("prompting", "wrong_card")
