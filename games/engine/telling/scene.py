"""The states before and after an event, and the sentences that can follow from it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.cards import WILD_FOUR
from games.engine.state import (
    ANSWER,
    DEAL,
    DRAW,
    HIT,
    PENALTY_ENDS_TURN,
    PLAY,
    SHOW,
    TABLE_PHASES,
    State,
)
from games.engine.telling.parts import Follow
from games.engine.telling.voice import Texts, Voice
from games.engine.transitions.closing import unshown
from games.engine.transitions.effects import can_answer

TEXTS: Final[Mapping[str, Texts]] = {
    # The beginning
    "kin": {"en": "relatives: {pairs}", "it": "sono parenti: {pairs}"},
    "dealer": {"en": "{seat} is the dealer", "it": "il mazziere è {seat}"},
    "cut_again": {
        "en": "it isn’t decided: {seats} cut again",
        "it": "non è deciso: pescano di nuovo {seats}",
    },
    "cut_again_alone": {
        "en": "it isn’t decided: {seats} cuts again",
        "it": "non è deciso: pesca di nuovo {seats}",
    },
    "goes_back": {
        "en": "it goes back into the pile, and another one is turned",
        "it": "torna nel mazzo, e se ne gira un’altra",
    },
    "names_color": {"en": "{seat} names the colour", "it": "{seat} sceglie il colore"},
    "begins": {"en": "{seat} begins", "it": "comincia {seat}"},
    # What cards do
    "skipped": {"en": "{seat} is skipped", "it": "{seat} salta il turno"},
    "clockwise": {"en": "play goes clockwise", "it": "si gioca in senso orario"},
    "anticlockwise": {"en": "play goes anticlockwise", "it": "si gioca in senso antiorario"},
    "plays_again": {"en": "{seat} plays again", "it": "tocca di nuovo {to}"},
    "one_card": {"en": "one card is left", "it": "resta con una carta"},
    "uno_forgotten": {
        "en": "one card is left, and UNO wasn’t said",
        "it": "resta con una carta, e non ha detto UNO",
    },
    "out": {"en": "that was the last card", "it": "ha finito le carte"},
    # What is owed
    "must_draw": {"en": "{seat} has to draw {cards}", "it": "{seat} deve pescare {cards}"},
    "may_answer": {"en": "{seat} has to {choices}", "it": "{seat} deve {choices}"},
    "may_answer_or_pass": {
        "en": "there is nothing to draw: {seat} can {choices}",
        "it": "non c’è niente da pescare: {seat} può {choices}",
    },
    "then_draws": {"en": "then {seat} has to draw {cards}", "it": "poi {seat} deve pescare {cards}"},
    "then_answers": {"en": "then {seat} has to {choices}", "it": "poi {seat} deve {choices}"},
    "lapsed": {
        "en": "there is nothing that {seat} could draw",
        "it": "non c’è niente che {seat} possa pescare",
    },
    "rest_owed": {
        "en": "still to draw, after a reshuffle: {cards}",
        "it": "deve pescare altre {cards}, dopo il rimescolamento",
    },
    "rest_owed_one": {
        "en": "still to draw, after a reshuffle: {cards}",
        "it": "deve pescare un’altra carta, dopo il rimescolamento",
    },
    "rest_lapsed": {
        "en": "there are no more cards: nothing else is drawn",
        "it": "non ci sono altre carte: non si pesca altro",
    },
    "more_owed": {
        "en": "still to draw: {cards}",
        "it": "deve pescarne ancora {number}",
    },
    "turn_lost": {"en": "the turn is lost", "it": "perde il turno"},
    "plays_then": {"en": "then {seat} plays", "it": "poi {seat} gioca"},
    "turn_over": {"en": "it is kept, and the turn is over", "it": "la tiene, e il turno finisce"},
    "nothing_to_draw": {"en": "there is nothing to draw", "it": "non c’è niente da pescare"},
    "new_pile": {"en": "the new pile has {cards}", "it": "il nuovo mazzo ha {cards}"},
    "choice_lost": {"en": "there is no answering any more", "it": "non può più rispondere"},
    # Challenges
    "held_color": {"en": "{offender} held {color} cards", "it": "{offender} aveva carte {color}"},
    "held_no_color": {"en": "{offender} held no {color} card", "it": "{offender} non aveva carte {color}"},
    "held_playable": {
        "en": "{offender} held another card to play",
        "it": "{offender} aveva un’altra carta da giocare",
    },
    "held_nothing": {
        "en": "{offender} had nothing else to play",
        "it": "{offender} non aveva altro da giocare",
    },
    "always_free": {
        "en": "as an answer that card is always allowed",
        "it": "in risposta quella carta si può giocare sempre",
    },
    "last_card": {"en": "it was {offender}’s last card", "it": "era l’ultima carta di {offender}"},
    "taken_back": {
        "en": "the card goes back to {offender}’s hand",
        "it": "la carta torna in mano {to}",
    },
    "plays_another": {"en": "then {seat} plays another card", "it": "poi {seat} gioca un’altra carta"},
    "plays_another_or_draws": {
        "en": "then {seat} plays another card, or draws one if none fits",
        "it": "poi {seat} gioca un’altra carta, o ne pesca una se nessuna va bene",
    },
    # The end of a deal and of the game
    "shows": {"en": "{seats} have to show their cards", "it": "devono mostrare le carte {seats}"},
    "shows_alone": {"en": "{seats} has to show the cards", "it": "deve mostrare le carte {seats}"},
    "deal_points": {"en": "points of this deal: {rows}", "it": "punti di questa mano: {rows}"},
    "scores": {"en": "{seat} scores {points}", "it": "{seat} segna {points}"},
    "totals": {"en": "totals: {rows}", "it": "totale: {rows}"},
    "places": {"en": "places: {rows}", "it": "piazzamenti: {rows}"},
    "leaves": {"en": "{seat} leaves the table with {points}", "it": "{seat} lascia il tavolo con {points}"},
    "tied": {
        "en": "the lowest total is shared: one more deal",
        "it": "il totale più basso è in parità: si gioca un’altra mano",
    },
    "draws_anew": {
        "en": "{seat} draws a new hand of {cards}",
        "it": "{seat} pesca una nuova mano di {cards}",
    },
    "next_dealer": {"en": "{seat} deals next", "it": "ora distribuisce {seat}"},
    "won": {"en": "{seat} wins", "it": "vince {seat}"},
    "won_for": {"en": "{seat} wins for {team}", "it": "vince {seat} per {team}"},
    "team_won": {"en": "{team} wins", "it": "vince {team}"},
    "win_of": {"en": "the win goes to {team}", "it": "la vittoria è di {team}"},
    "nobody": {"en": "nobody wins", "it": "non vince nessuno"},
    # After a correction
    "now_cut": {"en": "now they cut for the deal", "it": "ora si pesca per il mazziere"},
    "now_deals": {"en": "now {seat} deals", "it": "ora distribuisce {seat}"},
    "now_turns": {"en": "now the first card is turned", "it": "ora si gira la prima carta"},
    "now_names": {"en": "now {seat} names the colour", "it": "ora {seat} sceglie il colore"},
    "now_plays": {"en": "now it is {seat}’s turn", "it": "ora tocca {to}"},
    "now_drawn": {
        "en": "now {seat} plays the drawn card or passes",
        "it": "ora {seat} gioca la carta pescata o passa",
    },
}
"""What can follow from an event, by kind and language. Without a name, it is of whoever the event is."""

KINDS: Final = frozenset(TEXTS)
Follows = Iterator[Follow]


@dataclass(frozen=True, slots=True)
class Scene:
    """The states before and after an event, and the voice that tells what follows."""

    before: State
    after: State
    voice: Voice

    def says(self, kind: str, **values: Any) -> Follow:
        """One thing that follows."""
        return Follow(kind, self.voice.sentence(TEXTS[kind], **values))

    def of(self, kind: str, seat: int | None) -> Follow:
        """One thing that follows for a seat."""
        return self.says(kind, seat=self.voice.seat(seat), to=self.voice.to_seat(seat))

    # What is owed

    def owed(self) -> Follows:
        """Who has to draw now, if anybody, and what comes after that."""
        after, voice = self.after, self.voice
        if after.phase == ANSWER:
            yield self._choice("may_answer" if after.drawable() else "may_answer_or_pass")
        if after.phase != DRAW:
            return
        debt = after.debts[-1]
        yield self.says("must_draw", seat=voice.seat(debt.seat), cards=voice.count(debt.count))
        for later in reversed(after.debts[:-1]):
            yield self.says("then_draws", seat=voice.seat(later.seat), cards=voice.count(later.count))
        if after.waiting == ANSWER:
            yield self._choice("then_answers")

    def _choice(self, kind: str) -> Follow:
        """What the seat that a draw card has hit can do."""
        voice, hit = self.voice, self.after.hit
        if hit is None:
            raise ValueError("nobody is hit in this state")
        choices = []
        if kind == "then_answers" or self.after.drawable():
            choices.append(voice.fill(_TO_DRAW, cards=voice.count(hit.total)))
        if self.after.challengeable():
            choices.append(voice.fill(_TO_CHALLENGE))
        answers = [card for card in _DRAW_CARDS if can_answer(self.after, hit.four, card)]
        if answers:
            cards = [voice.fill(_DRAW_CARDS[card]) for card in answers]
            choices.append(voice.fill(_TO_ANSWER, cards=voice.either(cards)))
        if kind == "may_answer_or_pass":
            choices.append(voice.fill(_TO_PASS))
        return self.says(kind, seat=voice.seat(self.after.player), choices=voice.either(choices))

    def plays_another(self, seat: int) -> Follow:
        """What who took a Wild Draw Four back has to do in the same turn."""
        return self.of("plays_another_or_draws" if self.after.can_draw_instead else "plays_another", seat)

    def pushed(self, seat: int, reason: str) -> Follows:
        """A debt that has come up: who draws how many, or that nothing can be drawn."""
        if len(self.after.debts) > len(self.before.debts):
            yield from self.owed()
            return
        yield self.of("lapsed", seat)
        if reason in (HIT, PENALTY_ENDS_TURN) and self.after.phase in TABLE_PHASES:
            yield self.of("turn_lost", seat)

    # How a deal and a game end

    def ending(self, event: Any) -> Follows:
        """The points of a deal and the end of the game, where this event brought them."""
        before, after, voice = self.before, self.after, self.voice
        if after.phase == SHOW and before.phase != SHOW:
            yield self.shows()
        if len(after.deal_scores) > len(before.deal_scores):
            if after.ruleset.counts_points:
                yield from self._points()
            for seat in after.left[len(before.left) :]:
                points = voice.points(after.scores[seat])
                yield self.says("leaves", seat=voice.seat(seat), points=points)
            yield from self._goes_on(event.seat if before.out is None else before.out)
        if after.over and not before.over:
            yield self.won()

    def _points(self) -> Follows:
        voice, after = self.voice, self.after
        if after.ruleset.scoring == "winner_takes" and after.out is None:
            # A finisher who draws anew is out no more.
            scorer = next((seat for seat, points in enumerate(after.deal_scores[-1]) if points), None)
        else:
            scorer = after.out if after.ruleset.scoring == "winner_takes" else None
        if scorer is not None:
            points = voice.points(after.deal_scores[-1][scorer])
            yield self.says("scores", seat=voice.seat(scorer), points=points)
        else:
            yield self.says("deal_points", rows=self._rows(after.deal_scores[-1], self.before.left))
        if len(after.deal_scores) > 1:
            yield self.totals(self.before.left)

    def totals(self, gone: Sequence[int] = ()) -> Follow:
        """The totals of all but those who had left before."""
        return self.says("totals", rows=self._rows(self.after.scores, gone))

    def _rows(self, points: Sequence[int], gone: Sequence[int]) -> Any:
        voice = self.voice
        return voice.rows((seat, voice.number(each)) for seat, each in enumerate(points) if seat not in gone)

    def _goes_on(self, finisher: int) -> Follows:
        """What comes after a deal; `finisher` was out first in it."""
        after, voice = self.after, self.voice
        reached = max(after.scores, default=0) >= after.ruleset.target
        if not after.over and after.ruleset.scoring == "lowest_wins" and reached:
            yield self.says("tied")
        if after.phase == DEAL:
            yield self.of("next_dealer", after.dealer)
        elif after.phase == DRAW:
            yield self.says("draws_anew", seat=voice.seat(after.turn), cards=voice.count(after.owed))
        elif after.phase == PLAY:
            yield self.of("lapsed", finisher)

    def shows(self) -> Follow:
        """Whose cards are still to be counted."""
        seats = unshown(self.after)
        return self.says("shows" if len(seats) > 1 else "shows_alone", seats=self.voice.seats(seats))

    def won(self) -> Follow:
        """Who has won a game that is over."""
        winner, team = self.after.winner, self.after.team
        if winner is not None and team is not None:
            return self.says("won_for", seat=self.voice.seat(winner), team=self.voice.team(team))
        if winner is not None:
            return self.of("won", winner)
        if team is not None:
            return self.says("team_won", team=self.voice.team(team))
        return self.says("nobody")


_TO_DRAW: Final[Texts] = {"en": "draw {cards}", "it": "pescare {cards}"}
_TO_CHALLENGE: Final[Texts] = {"en": "challenge", "it": "contestare"}
_TO_ANSWER: Final[Texts] = {"en": "answer with {cards}", "it": "rispondere con {cards}"}
_TO_PASS: Final[Texts] = {"en": "pass", "it": "passare"}
_DRAW_CARDS: Final[Mapping[str, Texts]] = {
    "R+2": {"en": "a Draw Two", "it": "un Pesca due"},
    WILD_FOUR: {"en": "a Wild Draw Four", "it": "un Jolly Pesca quattro"},
}
