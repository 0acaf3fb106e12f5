"""Titles of rounds and matches of a bracket: msgids with their values."""

from typing import NamedTuple

from ..errors import gettext_noop


class Title(NamedTuple):
    """A msgid and the values for it; `gettext(template) % dict(values)` is the text."""

    template: str
    values: tuple[tuple[str, int], ...] = ()


# By how many are left when a round begins: the round, and one of its matches.
_KNOCKOUT = {
    2: (gettext_noop("Final"), gettext_noop("Final")),
    4: (gettext_noop("Semi-finals"), gettext_noop("Semi-final %(number)d")),
    8: (gettext_noop("Quarter-finals"), gettext_noop("Quarter-final %(number)d")),
    16: (gettext_noop("Round of 16"), gettext_noop("Round of 16, %(number)d")),
    32: (gettext_noop("Round of 32"), gettext_noop("Round of 32, %(number)d")),
    64: (gettext_noop("Round of 64"), gettext_noop("Round of 64, %(number)d")),
    128: (gettext_noop("Round of 128"), gettext_noop("Round of 128, %(number)d")),
}


def knockout_round(left: int) -> Title:
    """The round of a single elimination in which `left` places of the bracket are left."""
    if left in _KNOCKOUT:
        return Title(_KNOCKOUT[left][0])
    return Title(gettext_noop("Round of %(left)d"), (("left", left),))


def knockout_match(left: int, number: int) -> Title:
    """A match of that round, from the top."""
    if left == 2:
        return Title(_KNOCKOUT[2][1])
    if left in _KNOCKOUT:
        return Title(_KNOCKOUT[left][1], (("number", number),))
    return Title(gettext_noop("Round of %(left)d, %(number)d"), (("left", left), ("number", number)))


def winners_round(number: int) -> Title:
    """A round of the winners' bracket."""
    return Title(gettext_noop("Winners’ bracket, round %(number)d"), (("number", number),))


def losers_round(number: int) -> Title:
    """A round of the losers' bracket."""
    return Title(gettext_noop("Losers’ bracket, round %(number)d"), (("number", number),))


def both_rounds(winners: int, losers: int) -> Title:
    """A round of both brackets that are played together."""
    return Title(
        gettext_noop("Winners’ bracket, round %(winners)d; losers’ bracket, round %(losers)d"),
        (("winners", winners), ("losers", losers)),
    )


def has_byes_of_losers(round_: Title) -> bool:
    """Whether who has a bye in a round of this title goes on in the losers' bracket.

    In a double elimination that is so but in its first round: without a match is who has lost before.
    """
    templates = {winners_round(0).template, losers_round(0).template, both_rounds(0, 0).template}
    return round_.template in templates and round_ != winners_round(1)


def winners_match(round_: int, number: int) -> Title:
    """A match of the winners' bracket."""
    return Title(gettext_noop("Match %(round)d.%(number)d"), (("round", round_), ("number", number)))


def losers_match(round_: int, number: int) -> Title:
    """A match of the losers' bracket."""
    return Title(gettext_noop("Losers’ match %(round)d.%(number)d"), (("round", round_), ("number", number)))


FINAL = Title(gettext_noop("Final"))
DECIDING_FINAL = Title(gettext_noop("Deciding final"))
FINAL_AND_THIRD = Title(gettext_noop("Final and third place"))
FINALS = Title(gettext_noop("Places 1 to 8"))
SEMI_FINALS_AND_FIFTH = Title(gettext_noop("Semi-finals, and places 5 to 8"))
LATE = Title(gettext_noop("Late entries"))
THIRD = Title(gettext_noop("Third place"))
FIFTH = Title(gettext_noop("Fifth place"))
SEVENTH = Title(gettext_noop("Seventh place"))
FIFTH_TO_EIGHTH = Title(gettext_noop("Places 5 to 8"))
PLACES = Title(gettext_noop("Placement matches"))


_OF_SLOTS = {"P3": THIRD, "P5": FIFTH, "P7": SEVENTH, "P5-8.1": FIFTH_TO_EIGHTH, "P5-8.2": FIFTH_TO_EIGHTH}
_OF_WINNERS = {
    FINAL_AND_THIRD.template: FINAL,
    FINALS.template: FINAL,
    SEMI_FINALS_AND_FIFTH.template: Title(_KNOCKOUT[4][0]),
}


def part_of_round(round_: Title, slot: str) -> Title:
    """What is played in a slot of a round: of "Final and third place" one or the other. The round itself
    where all of it is the same.
    """
    if slot in _OF_SLOTS:
        return _OF_SLOTS[slot]
    numbers = dict(round_.values)
    if round_.template == both_rounds(0, 0).template:
        return losers_round(numbers["losers"]) if slot.startswith("L") else winners_round(numbers["winners"])
    return _OF_WINNERS.get(round_.template, round_)


def fifth_to_eighth(number: int) -> Title:
    """A match between losers of the quarter-finals."""
    return Title(gettext_noop("Places 5 to 8, %(number)d"), (("number", number),))
