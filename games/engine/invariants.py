"""Invariants of a game's state: each has a stable code and a sentence for people.

`games.engine.state_audit` says which of them a state breaks.
"""

from typing import Final

from games.engine.translations import mark

INVARIANTS: Final = {
    "unknown-phase": mark("The game waits for something that there is in every game."),
    "seats": mark("Everything that is kept for each seat is there for each seat once."),
    "no-card": mark("Only cards of the pack are in hands and on the pile."),
    "rules": mark("The rules can be played by so many players."),
    "pack": mark("The packs are those of the rules."),
    "cards-conserved": mark("Hands, draw pile and discards together are the packs that were dealt."),
    "too-many-copies": mark("No card is visible more often than the packs hold it."),
    "negative": mark("Nothing is counted below zero."),
    "seen": mark("The cards counted as seen are the discards and the known cards of hands."),
    "top": mark("The top card is the last discard, from the first card turned to the end of the deal."),
    "color": mark("The colour in play is that of the top card, or the one named with a Wild."),
    "turn": mark("Where somebody is to move or to draw, it is exactly one seat at the table."),
    "turn-left": mark("Nobody who left the table is to move or to draw."),
    "stuck": mark("Whoever is to move or to draw can do something."),
    "debt": mark("A debt is of a card or more that can be drawn, for a reason that there is."),
    "waiting": mark("What was waiting before a draw that is owed is a moment of play."),
    "hit": mark("A draw card can be answered exactly where an answer is waited for."),
    "hit-hand": mark("A Wild Draw Four that waits is judged by the hand that its player holds."),
    "drawn": mark("A drawn card can be played at once only right after the draw, from the hand."),
    "taken-back": mark(
        "A Wild Draw Four is taken back only where the rules say so, and is in the hand again."
    ),
    "turns": mark("Nothing happened in a turn that is still to come."),
    "gift": mark("A gift after a 0 waits only where the rules have it, for a seat at the table."),
    "direction": mark("Play goes one way or the other, clockwise until the first card is turned."),
    "dealer": mark("There is a dealer at the table once the cut is over."),
    "cut": mark("Somebody has to cut exactly while a dealer is wanted."),
    "deals": mark("There is a row of points for each deal that has ended."),
    "scores": mark("The totals are the sums of the deals' points."),
    "points": mark("Points were shown only after a deal, by players who had cards."),
    "out": mark("Who is out holds no cards, and nobody plays on after that."),
    "left": mark("Players leave the table only by elimination, without cards, and never all."),
    "winner": mark("A game that is over has ended for a reason, and only such a game has a winner."),
    "kin": mark("Relatives are pairs of seats at the table."),
}
"""One sentence a code, a msgid."""
