"""Log events: one class for each type, with all that is a fact of the type.

`logged` gives its name in the log, its words and its notation; each field is `Annotated` with its kind.
JSON, the API's description, hiding, forms and what is offered follow from there. What checks a type and what
follows from it is in `transitions/`.

`at` (RFC 3339 text) and `by` (who recorded it) can stand on any of them. Lists are tuples here, and objects
from seat to something are dicts with int keys.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from typing import Annotated, ClassVar, Final, TypeVar, get_args, get_type_hints

from games.engine import field_kinds as kinds
from games.engine.cards import Card, Color
from games.engine.field_kinds import FieldKind, one_of
from games.engine.phrases import shown
from games.engine.places import are_places, only_first
from games.engine.refusals import Refusal
from games.engine.ruleset import Ruleset
from games.engine.translations import mark

CLOSE_REASONS: Final = ("result", "time", "forfeit", "abandoned")
PENALTY_REASONS: Final = ("prompting", "wrong_card")


@dataclass(frozen=True)
class Seat:
    """Who sits somewhere: a name and, where there is one, a team. Both are opaque to the engine."""

    name: str
    team: str | None = None


@dataclass(frozen=True, kw_only=True)
class LogEvent:
    """What all events have."""

    type: ClassVar[str]
    """What the game log calls the class."""
    words: ClassVar[str]
    """What it is called in the middle of a sentence, a msgid."""
    sentence: ClassVar[str]
    """What is told of it, a msgid; `{name}` stands for a field that every event of the type has."""
    notation: ClassVar[str]
    """How it is written in notation: see `games.engine.notation.event_tokens`."""

    at: Annotated[str | None, kinds.TIME] = None
    by: Annotated[str | None, kinds.TEXT] = None

    def check_fields(self) -> None:
        """Refusal `malformed` where the fields contradict each other, whatever the game."""

    @staticmethod
    def is_possible(ruleset: Ruleset, *, has_kin: bool) -> bool:
        """Whether games under a rule set can have it; `has_kin`: relatives sit at the table."""
        return True


Event = LogEvent
_Logged = TypeVar("_Logged", bound=type[LogEvent])
_declared: list[type[LogEvent]] = []


def logged(type_: str, words: str, notation: str, sentence: str = "") -> Callable[[_Logged], _Logged]:
    """Declare a type of log event; without a sentence its words are told."""

    def registered(cls: _Logged) -> _Logged:
        cls.type = type_
        cls.words = words
        cls.notation = notation
        cls.sentence = sentence or words
        _declared.append(cls)
        return cls

    return registered


@logged("game_opened", mark("the opening of the game"), notation="")
@dataclass(frozen=True)
class GameOpened(LogEvent):
    """Always the first. `ruleset` is a preset's name, or an object with `preset` and the fields that differ.
    `seats` is a list of `{"name": …, "team": …}`, where `team` may be left out. `kin` is a list of pairs of
    seats that are related.
    """

    ruleset: Annotated[Ruleset, FieldKind("ruleset", Ruleset.read)]
    seats: Annotated[tuple[Seat, ...], kinds.people(Seat)]
    kin: Annotated[tuple[tuple[int, int], ...] | None, kinds.KIN] = None


@logged("dealer_cut", mark("the cut for the dealer"), "cut/{cards}", mark("they cut for the deal: {cards}"))
@dataclass(frozen=True)
class DealerCut(LogEvent):
    """Everybody's card for the dealer, by seat. After a tie, or an action card that the rules have drawn
    again, only those seats cut once more.
    """

    cards: Annotated[Mapping[int, Card], kinds.CARD_BY_SEAT]


@logged("dealer_named", mark("the naming of the dealer"), "dealer={seat}", mark("{seat} is the dealer"))
@dataclass(frozen=True)
class DealerNamed(LogEvent):
    """The dealer, without a cut."""

    seat: Annotated[int, kinds.SEAT]


@logged("deal_started", mark("the deal"), "deal={dealer}[/{hands}]", mark("{dealer} deals the cards"))
@dataclass(frozen=True)
class DealStarted(LogEvent):
    """The cards are dealt. `hands`: for some or all seats the list of their cards. From the second deal on
    the dealer is the next seat on the left that is still in the game.
    """

    dealer: Annotated[int, replace(kinds.SEAT, label=mark("Dealer"))]
    hands: Annotated[Mapping[int, tuple[Card, ...]] | None, replace(kinds.CARDS_BY_SEAT, is_secret=True)] = (
        None
    )


@logged("card_turned", mark("the first card"), "top={card}", mark("the first card is {card}"))
@dataclass(frozen=True)
class CardTurned(LogEvent):
    """The first discard. A Wild Draw Four goes back into the pack, and another one is turned."""

    card: Annotated[Card, kinds.CARD]


@logged("color_named", mark("the naming of the colour"), "{seat}:>{color}", mark("{seat} names {color}"))
@dataclass(frozen=True)
class ColorNamed(LogEvent):
    """Only when the first discard is a Wild: the first player names the colour."""

    seat: Annotated[int, kinds.SEAT]
    color: Annotated[Color, kinds.COLOR]


@logged("cards_played", mark("a play"), "{seat}:{cards}[>{color}]{uno=!/?}", mark("{seat} plays {cards}"))
@dataclass(frozen=True)
class CardsPlayed(LogEvent):
    """A list of cards, nearly always one. `color` with a Wild or Wild Draw Four and never else. `uno` true:
    the player said it with the card.
    """

    seat: Annotated[int, kinds.SEAT]
    cards: Annotated[tuple[Card, ...], kinds.SOME_CARDS]
    color: Annotated[Color | None, replace(kinds.COLOR, clause=mark("names {color}"))] = None
    uno: Annotated[bool | None, replace(kinds.FLAG, label=mark("Said UNO"))] = None


@logged("cards_drawn", mark("a draw"), "{seat}:+{count}[={cards}]", mark("{seat} draws {count}"))
@dataclass(frozen=True)
class CardsDrawn(LogEvent):
    """Any draw, free or forced. `cards` lists as many as `count`."""

    seat: Annotated[int, kinds.SEAT]
    count: Annotated[int, kinds.COUNT]
    cards: Annotated[tuple[Card, ...] | None, replace(kinds.CARDS, is_secret=True)] = None

    def check_fields(self) -> None:
        """As many cards as are counted."""
        if self.cards is not None and len(self.cards) != self.count:
            raise Refusal(
                "malformed",
                "`cards` must list as many cards as `count` says: {count}, not {given}",
                count=self.count,
                given=len(self.cards),
            )


@logged("turn_passed", mark("a pass"), "{seat}:pass", mark("{seat} passes"))
@dataclass(frozen=True)
class TurnPassed(LogEvent):
    """After a drawn card that isn't played, or because nothing can be drawn."""

    seat: Annotated[int, kinds.SEAT]


@logged("uno_called", mark("a late call of UNO"), "{seat}:uno", mark("{seat} says it just in time: UNO!"))
@dataclass(frozen=True)
class UnoCalled(LogEvent):
    """UNO, said after the card landed."""

    seat: Annotated[int, kinds.SEAT]

    @staticmethod
    def is_possible(ruleset: Ruleset, *, has_kin: bool) -> bool:
        """Where it needn't be said before the card lands."""
        return ruleset.uno_call != "with_card"


@logged(
    "uno_caught",
    mark("a forgotten UNO"),
    "{seat}:caught[={catcher}]",
    mark("somebody notices: {seat} didn’t say UNO"),
)
@dataclass(frozen=True)
class UnoCaught(LogEvent):
    """`seat` forgot, and `catcher` noticed. The penalty's cards are then drawn."""

    seat: Annotated[int, kinds.SEAT]
    catcher: Annotated[int | None, replace(kinds.SEAT, label=mark("Caught by"))] = None

    def check_fields(self) -> None:
        """Somebody else noticed."""
        if self.catcher == self.seat:
            raise Refusal("malformed", "`catcher` must be another seat than the one that forgot")


@logged(
    "challenge_made",
    mark("a challenge"),
    "{seat}:challenge={upheld=upheld/failed}[/{hand}]",
)
@dataclass(frozen=True)
class ChallengeMade(LogEvent):
    """`seat` challenges a Wild Draw Four; `upheld` is the verdict, `hand` the offender's cards as shown."""

    seat: Annotated[int, kinds.SEAT]
    upheld: Annotated[bool, replace(kinds.FLAG, label=mark("Upheld"))]
    hand: Annotated[
        tuple[Card, ...] | None, replace(kinds.CARDS, label=mark("Hand shown"), is_secret=True)
    ] = None

    @staticmethod
    def is_possible(ruleset: Ruleset, *, has_kin: bool) -> bool:
        """Where a Wild Draw Four can be challenged."""
        return ruleset.challenge


@logged("penalty_given", mark("a penalty"), "{seat}:penalty={reason}[/{card}]")
@dataclass(frozen=True)
class PenaltyGiven(LogEvent):
    """`reason` is `prompting` or `wrong_card`; with the latter `card` may name it. The cards are then
    drawn.
    """

    seat: Annotated[int, kinds.SEAT]
    reason: Annotated[str, one_of(PENALTY_REASONS, mark("For"))]
    card: Annotated[Card | None, replace(kinds.CARD, rule="wrong_card_penalty")] = None

    def check_fields(self) -> None:
        """Only a wrong card is named."""
        if self.card is not None and self.reason != "wrong_card":
            raise Refusal("malformed", "`card` names a wrong card: a penalty for prompting has none")

    @staticmethod
    def is_possible(ruleset: Ruleset, *, has_kin: bool) -> bool:
        """Where one of the two costs cards."""
        return bool(ruleset.prompting_penalty or ruleset.wrong_card_penalty)


@logged("zero_gift", mark("a gift after a 0"), "{seat}:gift={to}", mark("{seat}’s zero is a gift for {to}"))
@dataclass(frozen=True)
class ZeroGift(LogEvent):
    """Who played a 0 has a relative draw four; `to` then draws them."""

    seat: Annotated[int, kinds.SEAT]
    to: Annotated[int, replace(kinds.SEAT, label=mark("Given to"))]

    @staticmethod
    def is_possible(ruleset: Ruleset, *, has_kin: bool) -> bool:
        """Among relatives, where the rules have it."""
        return ruleset.zero_gift and has_kin


@logged(
    "pile_reshuffled",
    mark("a reshuffle"),
    "reshuffle",
    mark("the draw pile is used up: the discards are shuffled and become the new one"),
)
@dataclass(frozen=True)
class PileReshuffled(LogEvent):
    """The draw pile was empty: the discards under the top one are the new pile."""


@logged("hand_shown", mark("a hand that is shown"), "{seat}:shows=[{cards}|{points}]")
@dataclass(frozen=True)
class HandShown(LogEvent):
    """After somebody is out, for the points: either the cards, or what they count."""

    seat: Annotated[int, kinds.SEAT]
    cards: Annotated[tuple[Card, ...] | None, kinds.CARDS] = None
    points: Annotated[int | None, kinds.POINTS] = None

    def check_fields(self) -> None:
        """One of the two."""
        if (self.cards is None) == (self.points is None):
            raise Refusal("malformed", "`hand_shown` needs either `cards` or `points`")

    @staticmethod
    def is_possible(ruleset: Ruleset, *, has_kin: bool) -> bool:
        """Where points are counted."""
        return ruleset.counts_points


@logged(
    "game_closed",
    mark("the end of the game"),
    "end={reason}/[{winner}|{team}|-][/{scores}][>{places}]",
)
@dataclass(frozen=True)
class GameClosed(LogEvent):
    """The referee ends the game; `team` where only the winning team is known.

    `places` ranks all seats from 1 and skips after ties; `winner` is then the only first, if there is one.
    """

    reason: Annotated[str, one_of(CLOSE_REASONS)]
    winner: Annotated[int | None, kinds.SEAT_OR_NOBODY]
    team: Annotated[str | None, kinds.TEXT] = None
    scores: Annotated[Mapping[int, int] | None, kinds.POINTS_BY_SEAT] = None
    places: Annotated[Mapping[int, int] | None, kinds.PLACE_BY_SEAT] = None

    def check_fields(self) -> None:
        """Seat, team and places name one winner."""
        if self.winner is not None and self.team is not None:
            raise Refusal("malformed", "`team` is given only where no seat is: `winner` must then be null")
        if self.places is not None:
            self._check_places(self.places)
        elif self.reason == "result" and self.winner is None and self.team is None:
            raise Refusal("malformed", "a result names who won: `winner` a seat, or `team`")

    def _check_places(self, places: Mapping[int, int]) -> None:
        if self.team is not None:
            raise Refusal("malformed", "`places` ranks seats, so the winner is a seat too: leave out `team`")
        if not are_places(places.values()):
            raise Refusal("malformed", "`places` counts from 1 and skips after ties, such as 1, 1, 3")
        winner = only_first(places)
        if self.winner != winner:
            raise Refusal(
                "malformed",
                "`winner` must be {due}: the only seat with place 1 in `places`, "
                "or null where several share it",
                due=shown(winner),
            )


@logged("event_voided", mark("a correction"), "void={line}/{reason}")
@dataclass(frozen=True)
class EventVoided(LogEvent):
    """A correction: that line, counted from 1, no longer holds."""

    line: Annotated[int, kinds.LINE]
    reason: Annotated[str, kinds.TEXT]


EVENT_CLASSES: Final = tuple(_declared)


def _kinds_of(cls: type[Event]) -> dict[str, FieldKind]:
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: get_args(hints[field.name])[1] for field in fields(cls)}


_COMMON: Final = _kinds_of(LogEvent)

EVENT_FIELDS: Final[Mapping[type[Event], Mapping[str, FieldKind]]] = {
    cls: {**{name: kind for name, kind in _kinds_of(cls).items() if name not in _COMMON}, **_COMMON}
    for cls in EVENT_CLASSES
}
"""The fields of each class, in the order in which they are written."""

NEEDED: Final = {
    cls: frozenset(field.name for field in fields(cls) if field.default is MISSING) for cls in EVENT_CLASSES
}
"""The fields of each class without which there is no event."""
