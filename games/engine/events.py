"""What can happen at a table: one frozen class for each type of log event.

Fields are those of the game log; `at` (RFC 3339 text) and `by` (who recorded it) can stand on any of them.
Lists are tuples here, and objects from seat to something are dicts with int keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from games.engine.cards import Card, Color
from games.engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits somewhere: a name and, where there is one, a team. Both are opaque to the engine."""

    name: str
    team: str | None = None


@dataclass(frozen=True, slots=True)
class GameOpened:
    """The rule set and the seats; `kin` are pairs of seats that are related."""

    type: ClassVar[str] = "game_opened"
    ruleset: Ruleset
    seats: tuple[Seat, ...]
    kin: tuple[tuple[int, int], ...] | None = None
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class DealerCut:
    """Everybody's card for the dealer, or that of those who cut again."""

    type: ClassVar[str] = "dealer_cut"
    cards: Mapping[int, Card]
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class DealerNamed:
    """The dealer, in place of a cut."""

    type: ClassVar[str] = "dealer_named"
    seat: int
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class DealStarted:
    """The cards are dealt; `hands` for the seats whose cards are written down."""

    type: ClassVar[str] = "deal_started"
    dealer: int
    hands: Mapping[int, tuple[Card, ...]] | None = None
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class CardTurned:
    """The first discard, or a Wild Draw Four that goes back."""

    type: ClassVar[str] = "card_turned"
    card: Card
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class ColorNamed:
    """The colour after a Wild as first card."""

    type: ClassVar[str] = "color_named"
    seat: int
    color: Color
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class CardsPlayed:
    """Cards that land on the discards, usually one."""

    type: ClassVar[str] = "cards_played"
    seat: int
    cards: tuple[Card, ...]
    color: Color | None = None
    uno: bool | None = None
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """Any draw, free or forced; `cards` where they are written down."""

    type: ClassVar[str] = "cards_drawn"
    seat: int
    count: int
    cards: tuple[Card, ...] | None = None
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """A turn that ends after a draw without a play, or because nothing can be drawn."""

    type: ClassVar[str] = "turn_passed"
    seat: int
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class UnoCalled:
    """UNO said after the card landed."""

    type: ClassVar[str] = "uno_called"
    seat: int
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class UnoCaught:
    """Somebody noticed that `seat` forgot UNO."""

    type: ClassVar[str] = "uno_caught"
    seat: int
    catcher: int | None = None
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class ChallengeMade:
    """A Wild Draw Four is challenged and judged; `hand` is the offender's as shown."""

    type: ClassVar[str] = "challenge_made"
    seat: int
    upheld: bool
    hand: tuple[Card, ...] | None = None
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class PenaltyGiven:
    """A penalty for `prompting` or a `wrong_card` (then `card` may name it)."""

    type: ClassVar[str] = "penalty_given"
    seat: int
    reason: str
    card: Card | None = None
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class ZeroGift:
    """Who played a 0 has a relative draw four."""

    type: ClassVar[str] = "zero_gift"
    seat: int
    to: int
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class PileReshuffled:
    """The discards under the top became the draw pile."""

    type: ClassVar[str] = "pile_reshuffled"
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand for the points, as cards or as their points."""

    type: ClassVar[str] = "hand_shown"
    seat: int
    cards: tuple[Card, ...] | None = None
    points: int | None = None
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class GameClosed:
    """The referee ends the game; `team` where only the winning team is known."""

    type: ClassVar[str] = "game_closed"
    reason: str
    winner: int | None
    team: str | None = None
    scores: Mapping[int, int] | None = None
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class EventVoided:
    """A correction: the log reads as if the event on that line, counted from 1, were not there."""

    type: ClassVar[str] = "event_voided"
    line: int
    reason: str
    at: str | None = None
    by: str | None = None


Event = (
    GameOpened
    | DealerCut
    | DealerNamed
    | DealStarted
    | CardTurned
    | ColorNamed
    | CardsPlayed
    | CardsDrawn
    | TurnPassed
    | UnoCalled
    | UnoCaught
    | ChallengeMade
    | PenaltyGiven
    | ZeroGift
    | PileReshuffled
    | HandShown
    | GameClosed
    | EventVoided
)

EVENT_CLASSES: tuple[type[Event], ...] = (
    GameOpened,
    DealerCut,
    DealerNamed,
    DealStarted,
    CardTurned,
    ColorNamed,
    CardsPlayed,
    CardsDrawn,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ChallengeMade,
    PenaltyGiven,
    ZeroGift,
    PileReshuffled,
    HandShown,
    GameClosed,
    EventVoided,
)
CLOSE_REASONS = ("result", "time", "forfeit", "abandoned")
PENALTY_REASONS = ("prompting", "wrong_card")
