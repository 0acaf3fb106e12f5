"""Notation as a log: every token becomes an event, and whatever decorates them is held to what it says."""

import re

from games.engine.event_json import parse_event
from games.engine.events import DealStarted, Event
from games.engine.notation.cursor import Cursor
from games.engine.notation.deals import Deals
from games.engine.notation.headers import read_headers, winner_of
from games.engine.notation.stamps import Stamps
from games.engine.notation.tokens import read_token
from games.engine.notation.values import read_number
from games.engine.refusals import Refusal
from games.engine.words import mark

_NUMBERED = re.compile(r"[0-9]+\.", re.ASCII)


def parse_notation(source: str | bytes) -> list[Event]:
    """All events of a log in notation, legal or not; Refusal `malformed` for a text that is none.

    The refusal's line is the text's, and its message begins with the column. Refused, too, is what
    contradicts the events: their numbers, the numbers of deals and, of a log that the rules accept, the
    winner.
    """
    return _Reading(Cursor(decoded(source))).log()


def decoded(source: str | bytes) -> str:
    """The text of bytes in UTF-8, without a byte order mark; Refusal `malformed` if they are none."""
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    try:
        return decoded(source.decode())
    except UnicodeDecodeError as error:
        readable = source[: error.start].decode()
        Cursor(readable).wrong(mark("the text isn't UTF-8"), len(readable))


class _Reading:
    """One text being read."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.events: list[Event] = []
        self.stamps = Stamps()
        self.deals = Deals()
        self.announced: int | None = None
        """Where a deal was announced that hasn't come yet."""
        self.winner: tuple[int, str] | None = None
        """Where which winner was told."""

    def log(self) -> list[Event]:
        cursor = self.cursor
        cursor.skip_blanks()
        while not cursor.at_end:
            if cursor.sees("["):
                self.opening()
            elif cursor.sees("#"):
                self.deal_mark()
            elif _NUMBERED.match(cursor.text, cursor.place):
                self.number()
            else:
                self.token()
            cursor.skip_blanks()
        if not self.events:
            cursor.expected(mark("a log: at least one event"))
        self.check_announced(None)
        self.check_winner()
        return self.events

    def opening(self) -> None:
        start = self.cursor.place
        first = not self.events
        fields, winner = read_headers(self.cursor, self.stamps)
        if winner is not None and not first:
            self.cursor.wrong(mark("the winner stands in the first headers"), winner[0])
        self.winner = winner or self.winner
        self.happens(fields, start)

    def deal_mark(self) -> None:
        start = self.cursor.place
        self.check_announced(None)
        self.cursor.need("#")
        if read_number(self.cursor, mark("the deal's number")) != self.deals.next:
            self.cursor.expected(mark("#{number}, the next deal's number"), start, number=self.deals.next)
        self.cursor.end_token()
        self.announced = start

    def number(self) -> None:
        start = self.cursor.place
        due = len(self.events) + 1
        if read_number(self.cursor) != due:
            self.cursor.expected(mark("{number}., the next event's number"), start, number=due)
        self.cursor.need(".")

    def token(self) -> None:
        start = self.cursor.place
        fields = read_token(self.cursor)
        fields.update(self.stamps.read(self.cursor))
        self.cursor.end_token()
        self.happens(fields, start)

    def happens(self, fields: dict[str, object], start: int) -> None:
        try:
            event = parse_event(fields)
        except Refusal as refusal:
            self.cursor.refuse(refusal.phrase, start, type=refusal.type)
        self.check_announced(event)
        self.events.append(event)
        self.deals.note(len(self.events), event)

    def check_announced(self, event: Event | None) -> None:
        """After a deal's number comes the deal."""
        if self.announced is not None and not isinstance(event, DealStarted):
            self.cursor.wrong(mark("after a deal's number the cards are dealt, deal=…"), self.announced)
        self.announced = None

    def check_winner(self) -> None:
        """A wrong winner is refused; where the rules refuse the log, replaying it says more."""
        if self.winner is None:
            return
        place, told = self.winner
        winner = winner_of(self.events)
        if winner not in (None, told):
            self.cursor.wrong(
                mark("the winner of this log is {winner}, not {told}"), place, winner=winner, told=told
            )
