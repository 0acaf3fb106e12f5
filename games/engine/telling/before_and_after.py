"""The states before and after an event, and the sentences that can follow from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.cards import WILD_FOUR
from games.engine.state import (
    ANSWER,
    DEAL,
    DRAW,
    HIT,
    HIT_THEN_PLAY,
    PENALTY_ENDS_TURN,
    PLAY,
    SHOW,
    TABLE_PHASES,
    State,
)
from games.engine.telling.model import Follow, as_line
from games.engine.telling.wording import Voice, first_letter
from games.engine.transitions.closing import unshown
from games.engine.transitions.effects import can_answer
from games.engine.translations import mark, mark_plural

TEXTS: Final = {
    # The beginning
    "kin": mark("relatives: {pairs}"),
    "dealer": mark("{seat} is the dealer"),
    "cut_again": mark("it isn’t decided: {seats} cut again"),
    "cut_again_alone": mark("it isn’t decided: {seats} cuts again"),
    "goes_back": mark("it goes back into the pile, and another one is turned"),
    "names_color": mark("{seat} names the colour"),
    "begins": mark("{seat} begins"),
    # What cards do
    "skipped": mark("{seat} is skipped"),
    "clockwise": mark("play goes clockwise"),
    "anticlockwise": mark("play goes anticlockwise"),
    "plays_again": mark("{seat} plays again"),
    "one_card": mark("one card is left"),
    "uno_forgotten": mark("one card is left, and UNO wasn’t said"),
    "out": mark("that was the last card"),
    # What is owed
    "must_draw": mark("{seat} has to draw {cards}"),
    "may_answer": mark("{seat} has to {choices}"),
    "may_answer_or_pass": mark("there is nothing to draw: {seat} can {choices}"),
    "then_draws": mark("then {seat} has to draw {cards}"),
    "then_answers": mark("then {seat} has to {choices}"),
    "lapsed": mark("there is nothing that {seat} could draw"),
    "rest_lapsed": mark("there are no more cards: nothing else is drawn"),
    "turn_lost": mark("the turn is lost"),
    "plays_then": mark("then {seat} plays"),
    "turn_over": mark("it is kept, and the turn is over"),
    "nothing_to_draw": mark("there is nothing to draw"),
    "new_pile": mark("the new pile has {cards}"),
    "choice_lost": mark("there is no answering any more"),
    # Challenges
    "held_color": mark("{offender} held {color} cards"),
    "held_no_color": mark("{offender} held no {color} card"),
    "held_playable": mark("{offender} held another card to play"),
    "held_nothing": mark("{offender} had nothing else to play"),
    "always_free": mark("as an answer that card is always allowed"),
    "last_card": mark("it was {offender}’s last card"),
    "taken_back": mark("the card goes back to {seat}’s hand"),
    "plays_another": mark("then {seat} plays another card"),
    "plays_another_or_draws": mark("then {seat} plays another card, or draws one if none fits"),
    # The end of a deal and of the game
    "shows": mark("{seats} have to show their cards"),
    "shows_alone": mark("{seats} has to show the cards"),
    "deal_points": mark("points of this deal: {rows}"),
    "scores": mark("{seat} scores {points}"),
    "totals": mark("totals: {rows}"),
    "places": mark("places: {rows}"),
    "leaves": mark("{seat} leaves the table with {points}"),
    "tied": mark("the lowest total is shared: one more deal"),
    "draws_anew": mark("{seat} draws a new hand of {cards}"),
    "next_dealer": mark("{seat} deals next"),
    "won": mark("{seat} wins"),
    "won_for": mark("{seat} wins for {team}"),
    "team_won": mark("{team} wins"),
    "win_of": mark("the win goes to {team}"),
    "nobody": mark("nobody wins"),
    # After a correction
    "now_cut": mark("now they cut for the deal"),
    "now_deals": mark("now {seat} deals"),
    "now_turns": mark("now the first card is turned"),
    "now_names": mark("now {seat} names the colour"),
    "now_plays": mark("now it is {seat}’s turn"),
    "now_drawn": mark("now {seat} plays the drawn card or passes"),
}
"""What can follow from an event, by kind, msgids. Without a name, it is of whoever the event is."""

_COUNTED: Final = {
    "rest_owed": mark_plural(
        "still to draw, after a reshuffle: {count} card", "still to draw, after a reshuffle: {count} cards"
    ),
    "more_owed": mark_plural("still to draw: {count} card", "still to draw: {count} cards"),
}
"""Likewise, of so many cards."""

_BEFORE: Final = {
    ("plays_again", "a"): mark("{seat} plays again", 'before "a"'),
    ("taken_back", "a"): mark("the card goes back to {seat}’s hand", 'before "a"'),
    ("now_plays", "a"): mark("now it is {seat}’s turn", 'before "a"'),
}
"""Those that a language may say otherwise before a seat whose name begins with this letter."""

KINDS: Final = frozenset((*TEXTS, *_COUNTED))
Follows = Iterator[Follow]


@dataclass(frozen=True, slots=True)
class Scene:
    """The states before and after an event, and the voice that tells what follows."""

    before: State
    after: State
    voice: Voice

    def says(self, kind: str, **values: Any) -> Follow:
        """One thing that follows."""
        return Follow(kind, as_line(self.voice.fill(TEXTS[kind], **values)))

    def counts(self, kind: str, count: int) -> Follow:
        """One thing that follows, for so many cards."""
        return Follow(kind, as_line(self.voice.fill_plural(_COUNTED[kind], count)))

    def of(self, kind: str, seat: int | None) -> Follow:
        """One thing that follows for a seat."""
        name = self.voice.seat(seat)
        template = _BEFORE.get((kind, first_letter(name)), TEXTS[kind])
        return Follow(kind, as_line(self.voice.fill(template, seat=name)))

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
        else:
            yield from self.lapsed(seat, reason)

    def lapsed(self, seat: int, reason: str) -> Follows:
        """A debt of which nothing can be drawn, and what follows."""
        yield self.of("lapsed", seat)
        yield from self.settled(seat, reason)

    def settled(self, seat: int, reason: str) -> Follows:
        """What follows once a debt is paid, or has lapsed."""
        if self.after.phase in TABLE_PHASES and reason in (HIT, PENALTY_ENDS_TURN):
            yield self.of("turn_lost", seat)
        elif self.after.phase == PLAY and reason == HIT_THEN_PLAY:
            yield self.of("plays_then", seat)

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


_TO_DRAW: Final = mark("draw {cards}", "has to")
_TO_CHALLENGE: Final = mark("challenge", "has to")
_TO_ANSWER: Final = mark("answer with {cards}", "has to")
_TO_PASS: Final = mark("pass", "has to")
_DRAW_CARDS: Final = {
    "R+2": mark("a Draw Two"),
    WILD_FOUR: mark("a Wild Draw Four"),
}
