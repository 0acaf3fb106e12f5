"""Words for the values of a rule set's fields, after the sentence on what the field decides."""

from typing import Final

from games.engine.words import mark

VALUE_WORDS: Final = {
    "True": mark("yes"),
    "False": mark("no"),
    "highest": mark("the highest"),
    "lowest": mark("the lowest"),
    "zero": mark("counts zero"),
    "redraw": mark("drawn again"),
    "may_play": mark("may be played"),
    "must_play": mark("must be played if it can"),
    "keep": mark("is kept"),
    "no_playable_card": mark("with no other playable card"),
    "no_color_match": mark("with no card of the colour"),
    "named": mark("the colour named"),
    "before_first": mark("the colour from before the first"),
    "offender_draws": mark("the offender draws"),
    "taken_back": mark("the card is taken back"),
    "with_card": mark("with the card"),
    "until_caught": mark("until somebody catches it"),
    "until_next_acts": mark("until the next player acts"),
    "next_acts": mark("until the next player acts"),
    "second_next_acts": mark("until the one after acts"),
    "skip": mark("skips"),
    "plain": mark("does nothing"),
    "removed": mark("is taken out"),
    "game_ends": mark("the game ends"),
    "new_deal": mark("a new deal"),
    "finisher_redraws": mark("who went out draws anew"),
    "first_out": mark("who is out first wins"),
    "winner_takes": mark("the winner takes the points"),
    "lowest_wins": mark("the lowest total wins"),
    "elimination": mark("elimination"),
}
"""Msgids by the value as text; a number is said as it is."""
