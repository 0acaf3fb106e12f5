"""Refusals of events: a code, what was expected in this case, and a general sentence."""

from typing import Final

from games.engine.phrases import CardName, Phrase, SeatName, Wording, as_sentence
from games.engine.translations import mark, translate


class Refusal(Exception):  # noqa: N818 - the papers' word; a refusal is an answer, not a fault
    """An event that can't be: it changes nothing.

    `code` is one of `SENTENCES`. `template` with its `values` says what was expected in this case; nothing is
    put together before somebody reads it. `games.engine.phrases` says how templates are written (a text
    without values is one too).

    `line` is the event's place in the log, counted from 1, and `type` its type, each None where it isn't
    known. `rule` names the field of the rule set that decides this case, where one does.
    """

    def __init__(
        self,
        code: str,
        template: str,
        *,
        line: int | None = None,
        type: str | None = None,
        rule: str | None = None,
        **values: object,
    ) -> None:
        super().__init__(code, template)
        self.code = code
        self.template = template
        self.values: dict[str, object] = values
        self.line = line
        self.type = type
        self.rule = rule

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        return f"{place}{self.code}: {self.message}"

    @property
    def phrase(self) -> Phrase:
        """What was expected, to be said when it is read."""
        return Phrase(self.template, self.values)

    @property
    def message(self) -> str:
        """What was expected, in English; events and fields have the names that programs know."""
        return self.phrase.said(_TECHNICAL)

    def expected(self, language: str, *, seat: SeatName | None = None, card: CardName | None = None) -> str:
        """What was expected, as a sentence in a language.

        `seat` gives a seat's name and `card` a card's, in the middle of a sentence. Without them seats are
        told by their numbers and cards by their codes.
        """
        return as_sentence(self.phrase.said(Wording(language, seat, card)))

    def at(self, line: int | None, type: str | None) -> "Refusal":
        """The same refusal, of an event at this place and of this type."""
        return Refusal(self.code, self.template, line=line, type=type, rule=self.rule, **self.values)

    def to_json(self) -> dict[str, object]:
        """`{"line": …, "type": …, "code": …, "message": …}`, as the command line prints it."""
        return {"line": self.line, "type": self.type, "code": self.code, "message": self.message}


_TECHNICAL: Final = Wording(is_technical=True)

SENTENCES: Final = {
    "malformed": mark("This entry can't be read: something in it is missing, unknown or of the wrong kind."),
    "bad-ruleset": mark("These rules can't be played as they are."),
    "out-of-order": mark("This can't happen at this point of the game."),
    "not-your-turn": mark("It is another player's turn."),
    "no-match": mark(
        "This card doesn't go on the pile: colour, number or symbol must match, or it must be a Wild."
    ),
    "card-not-held": mark("The player can't hold this card."),
    "too-many-copies": mark("The pack doesn't hold so many copies of this card."),
    "needs-color": mark("Who plays a Wild names a colour."),
    "takes-no-color": mark("A colour is named only with a Wild."),
    "cards-not-together": mark("These cards can't be played together."),
    "must-draw": mark("First the cards that are owed must be drawn."),
    "wrong-count": mark("Another number of cards has to be drawn."),
    "must-play": mark("Who holds a card that can be played has to play it."),
    "must-play-drawn": mark("The card that was drawn can be played, so it must be."),
    "only-drawn-card": mark("After a draw only the drawn card can be played."),
    "may-not-pass": mark("Who hasn't drawn a card can't pass."),
    "pile-empty": mark("The draw pile doesn't hold so many cards."),
    "pile-not-empty": mark(
        "The discards are reshuffled only when the draw pile is empty and a card lies under the top."
    ),
    "no-challenge": mark(
        "Only the player who would draw for a Wild Draw Four can challenge it, before drawing."
    ),
    "verdict": mark("The cards that are known say otherwise."),
    "no-uno-to-call": mark("There is no UNO to call: nothing is due, it was called, or it is too late."),
    "no-uno-to-catch": mark(
        "There is no forgotten UNO to catch: nothing is due, it was called, or it is too late."
    ),
    "not-in-ruleset": mark("The rules of this game don't have this."),
    "not-kin": mark("Only a declared relative can be given cards."),
    "finish-on-action": mark("The last card can't be an action card or a Wild."),
    "wrong-dealer": mark("Another player deals."),
    "wrong-cut": mark("Exactly the players who still have to cut draw a card for it."),
    "impossible-hand": mark("This can't be that player's hand."),
    "game-over": mark("The game is over; only a correction can follow."),
    "void": mark("This entry can't be taken out of the game."),
}
"""One general sentence a code, a msgid."""


def sentence(code: str, language: str) -> str:
    """The general sentence for a code in a language; KeyError for an unknown code."""
    return translate(SENTENCES[code], language)
