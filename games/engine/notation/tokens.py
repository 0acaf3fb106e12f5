"""One token an event: `2:R7`, `2:W>G`, `2:+1`, `2:pass`, `deal=0` … and back to the event's JSON object.

Whoever acts stands first, as a seat's number and a colon; what the table does begins with a word. What an
event may hold is known to `games.engine.event_json` alone, which builds it from the object.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.engine.events import (
    CLOSE_REASONS,
    PENALTY_REASONS,
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerCut,
    DealerNamed,
    DealStarted,
    Event,
    EventVoided,
    GameClosed,
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from games.engine.notation.cursor import Cursor
from games.engine.notation.values import (
    NONE,
    print_by_seat,
    print_cards,
    print_text,
    print_winner,
    read_by_seat,
    read_card,
    read_cards,
    read_color,
    read_list,
    read_number,
    read_seat,
    read_text,
    read_winner,
    read_word,
    sees_card,
)
from games.engine.words import mark

Fields = dict[str, Any]

# What a seat does. Readers stand behind the seat's colon, or behind their word; the seat is added to what
# they give.

_UNO: Final[Mapping[bool | None, str]] = {True: "!", False: "?", None: ""}


def _print_play(event: CardsPlayed) -> str:
    named = "" if event.color is None else f">{event.color}"
    return f"{event.seat}:{print_cards(event.cards)}{named}{_UNO[event.uno]}"


def _read_play(cursor: Cursor) -> Fields:
    fields: Fields = {"type": CardsPlayed.type, "cards": read_list(cursor, read_card)}
    if cursor.take(">"):
        fields["color"] = read_color(cursor)
    for said in (True, False):
        if cursor.take(_UNO[said]):
            fields["uno"] = said
            break
    return fields


def _read_color(cursor: Cursor) -> Fields:
    return {"type": ColorNamed.type, "color": read_color(cursor)}


def _print_draw(event: CardsDrawn) -> str:
    cards = "" if event.cards is None else f"={print_cards(event.cards)}"
    return f"{event.seat}:+{event.count}{cards}"


def _read_draw(cursor: Cursor) -> Fields:
    fields: Fields = {"type": CardsDrawn.type, "count": read_number(cursor, mark("how many cards are drawn"))}
    if cursor.take("="):
        fields["cards"] = read_cards(cursor)
    return fields


def _read_pass(cursor: Cursor) -> Fields:
    return {"type": TurnPassed.type}


def _read_call(cursor: Cursor) -> Fields:
    return {"type": UnoCalled.type}


def _print_catch(event: UnoCaught) -> str:
    return f"{event.seat}:caught" if event.catcher is None else f"{event.seat}:caught={event.catcher}"


def _read_catch(cursor: Cursor) -> Fields:
    fields: Fields = {"type": UnoCaught.type}
    if cursor.take("="):
        fields["catcher"] = read_seat(cursor)
    return fields


_VERDICTS: Final[Mapping[bool, str]] = {True: "upheld", False: "failed"}


def _print_challenge(event: ChallengeMade) -> str:
    hand = "" if event.hand is None else f"/{print_cards(event.hand)}"
    return f"{event.seat}:challenge={_VERDICTS[event.upheld]}{hand}"


def _read_challenge(cursor: Cursor) -> Fields:
    cursor.need("=")
    verdict = read_word(cursor, _VERDICTS.values())
    fields: Fields = {"type": ChallengeMade.type, "upheld": verdict == _VERDICTS[True]}
    if cursor.take("/"):
        fields["hand"] = read_cards(cursor)
    return fields


def _print_penalty(event: PenaltyGiven) -> str:
    card = "" if event.card is None else f"/{event.card}"
    return f"{event.seat}:penalty={event.reason}{card}"


def _read_penalty(cursor: Cursor) -> Fields:
    cursor.need("=")
    fields: Fields = {"type": PenaltyGiven.type, "reason": read_word(cursor, PENALTY_REASONS)}
    if cursor.take("/"):
        fields["card"] = read_card(cursor)
    return fields


def _read_gift(cursor: Cursor) -> Fields:
    cursor.need("=")
    return {"type": ZeroGift.type, "to": read_seat(cursor)}


def _print_show(event: HandShown) -> str:
    shown = str(event.points) if event.cards is None else print_cards(event.cards)
    return f"{event.seat}:shows={shown}"


def _read_show(cursor: Cursor) -> Fields:
    cursor.need("=")
    if cursor.sees(NONE) or sees_card(cursor):
        return {"type": HandShown.type, "cards": read_cards(cursor)}
    return {
        "type": HandShown.type,
        "points": read_number(cursor, mark("the hand: its cards, - or its points")),
    }


# What happens at the table.


def _read_cut(cursor: Cursor) -> Fields:
    return {"type": DealerCut.type, "cards": read_by_seat(cursor, read_card)}


def _read_dealer(cursor: Cursor) -> Fields:
    cursor.need("=")
    return {"type": DealerNamed.type, "seat": read_seat(cursor)}


def _print_deal(event: DealStarted) -> str:
    if event.hands is None:
        return f"deal={event.dealer}"
    hands = print_by_seat((seat, print_cards(cards)) for seat, cards in event.hands.items())
    return f"deal={event.dealer}{hands}"


def _read_deal(cursor: Cursor) -> Fields:
    cursor.need("=")
    fields: Fields = {"type": DealStarted.type, "dealer": read_seat(cursor)}
    if cursor.sees("/"):
        fields["hands"] = read_by_seat(cursor, read_cards)
    return fields


def _read_turned(cursor: Cursor) -> Fields:
    cursor.need("=")
    return {"type": CardTurned.type, "card": read_card(cursor)}


def _read_reshuffle(cursor: Cursor) -> Fields:
    return {"type": PileReshuffled.type}


def _print_end(event: GameClosed) -> str:
    scores = ""
    if event.scores is not None:
        scores = print_by_seat((seat, str(total)) for seat, total in event.scores.items())
    places = ""
    if event.places is not None:
        places = ">" + print_by_seat((seat, str(place)) for seat, place in event.places.items())[1:]
    return f"end={event.reason}/{print_winner(event.winner, event.team)}{scores}{places}"


def _read_end(cursor: Cursor) -> Fields:
    cursor.need("=")
    fields: Fields = {"type": GameClosed.type, "reason": read_word(cursor, CLOSE_REASONS)}
    cursor.need("/")
    fields["winner"], team = read_winner(cursor)
    if team is not None:
        fields["team"] = team
    if cursor.sees("/"):
        fields["scores"] = read_by_seat(cursor, read_number)
    if cursor.sees(">"):
        fields["places"] = read_by_seat(cursor, read_number, ">")
    return fields


def _read_void(cursor: Cursor) -> Fields:
    cursor.need("=")
    fields: Fields = {
        "type": EventVoided.type,
        "line": read_number(cursor, mark("the voided event's number")),
    }
    cursor.need("/")
    fields["reason"] = read_text(cursor)
    return fields


_PRINTERS: Final[Mapping[type[Event], Callable[[Any], str]]] = {
    DealerCut: lambda event: f"cut{print_by_seat(event.cards.items())}",
    DealerNamed: lambda event: f"dealer={event.seat}",
    DealStarted: _print_deal,
    CardTurned: lambda event: f"top={event.card}",
    ColorNamed: lambda event: f"{event.seat}:>{event.color}",
    CardsPlayed: _print_play,
    CardsDrawn: _print_draw,
    TurnPassed: lambda event: f"{event.seat}:pass",
    UnoCalled: lambda event: f"{event.seat}:uno",
    UnoCaught: _print_catch,
    ChallengeMade: _print_challenge,
    PenaltyGiven: _print_penalty,
    ZeroGift: lambda event: f"{event.seat}:gift={event.to}",
    PileReshuffled: lambda event: "reshuffle",
    HandShown: _print_show,
    GameClosed: _print_end,
    EventVoided: lambda event: f"void={event.line}/{print_text(event.reason)}",
}

SEAT_WORDS: Final[Mapping[str, Callable[[Cursor], Fields]]] = {
    "pass": _read_pass,
    "uno": _read_call,
    "caught": _read_catch,
    "challenge": _read_challenge,
    "penalty": _read_penalty,
    "gift": _read_gift,
    "shows": _read_show,
}
"""What a seat does, where it isn't cards, `>` or `+`."""

TABLE_WORDS: Final[Mapping[str, Callable[[Cursor], Fields]]] = {
    "cut": _read_cut,
    "dealer": _read_dealer,
    "deal": _read_deal,
    "top": _read_turned,
    "reshuffle": _read_reshuffle,
    "end": _read_end,
    "void": _read_void,
}
"""What happens at the table."""


def print_token(event: Event) -> str:
    """The token of any event but the opening, which is written as headers; without its stamp."""
    return _PRINTERS[event.__class__](event)


def read_token(cursor: Cursor) -> Fields:
    """The JSON object of the token that begins here, without its stamp; Refusal `malformed` for none."""
    if not cursor.text[cursor.place : cursor.place + 1].isdigit():
        return TABLE_WORDS[
            read_word(cursor, TABLE_WORDS, mark("a seat's number and what it does, or one of {words}"))
        ](cursor)
    seat = read_seat(cursor)
    cursor.need(":")
    fields = _read_act(cursor)
    return {"type": fields.pop("type"), "seat": seat, **fields}


def _read_act(cursor: Cursor) -> Fields:
    if sees_card(cursor):
        return _read_play(cursor)
    if cursor.take(">"):
        return _read_color(cursor)
    if cursor.take("+"):
        return _read_draw(cursor)
    return SEAT_WORDS[
        read_word(cursor, SEAT_WORDS, mark("a card, > and a colour, + and a number, or one of {words}"))
    ](cursor)
