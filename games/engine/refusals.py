"""Refusals of events: a code, what was expected in this case, and a general sentence."""

from typing import Final

from games.engine.phrases import CardName, Phrase, SeatName, Voice, as_sentence, language_of


class Refusal(Exception):  # noqa: N818 - the papers' word; a refusal is an answer, not a fault
    """An event that can't be: it changes nothing.

    `code` is one of `SENTENCES`. `template` with its `values` says what was expected in this case; nothing is
    put together before somebody reads it. `games.engine.phrases` says how templates are written (a text
    without values is one too), `games.engine.italian` holds their Italian.

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
        """What was expected, as a sentence in a language (`it`, else English).

        `seat` gives a seat's name and `card` a card's, in the middle of a sentence; without them seats are
        told by their numbers and cards by their codes.
        """
        return as_sentence(self.phrase.said(Voice(language_of(language), seat, card)))

    def at(self, line: int | None, type: str | None) -> "Refusal":
        """The same refusal, of an event at this place and of this type."""
        return Refusal(self.code, self.template, line=line, type=type, rule=self.rule, **self.values)

    def to_json(self) -> dict[str, object]:
        """`{"line": …, "type": …, "code": …, "message": …}`, as the command line prints it."""
        return {"line": self.line, "type": self.type, "code": self.code, "message": self.message}


_TECHNICAL: Final = Voice(is_technical=True)

SENTENCES: dict[str, dict[str, str]] = {
    "malformed": {
        "en": "This entry can't be read: something in it is missing, unknown or of the wrong kind.",
        "it": "Questa voce non si legge: qualcosa manca, è sconosciuto o è del tipo sbagliato.",
    },
    "bad-ruleset": {
        "en": "These rules can't be played as they are.",
        "it": "Con queste regole, così come sono, non si può giocare.",
    },
    "out-of-order": {
        "en": "This can't happen at this point of the game.",
        "it": "Questo non può accadere a questo punto della partita.",
    },
    "not-your-turn": {
        "en": "It is another player's turn.",
        "it": "È il turno di un altro giocatore.",
    },
    "no-match": {
        "en": "This card doesn't go on the pile: colour, number or symbol must match, or it must be a Wild.",
        "it": "Questa carta non va sul mazzo scarti: deve avere lo stesso colore, numero o simbolo, "
        "o essere un jolly.",
    },
    "card-not-held": {
        "en": "The player can't hold this card.",
        "it": "Il giocatore non può avere in mano questa carta.",
    },
    "too-many-copies": {
        "en": "The pack doesn't hold so many copies of this card.",
        "it": "Nel mazzo non ci sono così tante copie di questa carta.",
    },
    "needs-color": {
        "en": "Who plays a Wild names a colour.",
        "it": "Chi gioca un jolly deve dire un colore.",
    },
    "takes-no-color": {
        "en": "A colour is named only with a Wild.",
        "it": "Il colore si dice soltanto con un jolly.",
    },
    "cards-not-together": {
        "en": "These cards can't be played together.",
        "it": "Queste carte non si possono giocare insieme.",
    },
    "must-draw": {
        "en": "First the cards that are owed must be drawn.",
        "it": "Prima si devono pescare le carte dovute.",
    },
    "wrong-count": {
        "en": "Another number of cards has to be drawn.",
        "it": "Si deve pescare un altro numero di carte.",
    },
    "must-play": {
        "en": "Who holds a card that can be played has to play it.",
        "it": "Chi ha una carta giocabile deve giocarla.",
    },
    "must-play-drawn": {
        "en": "The card that was drawn can be played, so it must be.",
        "it": "La carta pescata si può giocare, quindi va giocata.",
    },
    "only-drawn-card": {
        "en": "After a draw only the drawn card can be played.",
        "it": "Dopo aver pescato si può giocare soltanto la carta pescata.",
    },
    "may-not-pass": {
        "en": "Who hasn't drawn a card can't pass.",
        "it": "Chi non ha pescato non può passare.",
    },
    "pile-empty": {
        "en": "The draw pile doesn't hold so many cards.",
        "it": "Nel mazzo pesca non ci sono abbastanza carte.",
    },
    "pile-not-empty": {
        "en": "The discards are reshuffled only when the draw pile is empty and a card lies under the top.",
        "it": "Gli scarti si rimescolano solo se il mazzo pesca è vuoto e sotto la prima carta ce n'è altre.",
    },
    "no-challenge": {
        "en": "Only the player who would draw for a Wild Draw Four can challenge it, before drawing.",
        "it": "Il Jolly Pesca quattro può essere contestato solo da chi dovrebbe pescare, prima di pescare.",
    },
    "verdict": {
        "en": "The cards that are known say otherwise.",
        "it": "Le carte note dicono il contrario.",
    },
    "no-uno-to-call": {
        "en": "There is no UNO to call: nothing is due, it was called, or it is too late.",
        "it": "Non c'è un UNO da dire: non è dovuto, è già stato detto o è troppo tardi.",
    },
    "no-uno-to-catch": {
        "en": "There is no forgotten UNO to catch: nothing is due, it was called, or it is too late.",
        "it": "Non c'è un UNO dimenticato da segnalare: non è dovuto, è stato detto o è troppo tardi.",
    },
    "not-in-ruleset": {
        "en": "The rules of this game don't have this.",
        "it": "Le regole di questa partita non lo prevedono.",
    },
    "not-kin": {
        "en": "Only a declared relative can be given cards.",
        "it": "Le carte si possono dare solo a un parente dichiarato.",
    },
    "finish-on-action": {
        "en": "The last card can't be an action card or a Wild.",
        "it": "L'ultima carta non può essere una carta azione o un jolly.",
    },
    "wrong-dealer": {
        "en": "Another player deals.",
        "it": "Il mazziere è un altro giocatore.",
    },
    "wrong-cut": {
        "en": "Exactly the players who still have to cut draw a card for it.",
        "it": "Pescano per il mazziere esattamente i giocatori che devono ancora farlo.",
    },
    "impossible-hand": {
        "en": "This can't be that player's hand.",
        "it": "Questa non può essere la mano di quel giocatore.",
    },
    "game-over": {
        "en": "The game is over; only a correction can follow.",
        "it": "La partita è finita: può seguire soltanto una correzione.",
    },
    "void": {
        "en": "This entry can't be taken out of the game.",
        "it": "Questa voce non si può togliere dalla partita.",
    },
}
"""One general sentence a code, by language."""


def sentence(code: str, language: str) -> str:
    """The general sentence for a code in a language (`it`, else English); KeyError for an unknown code."""
    return SENTENCES[code][language_of(language)]
