"""Berger tables: who meets whom in which round, and who has the first seat.

The order is that of the FIDE Handbook's table for chess tournaments ("Details of Berger Table"). It follows
from one rule. The places but the last, 1 to n - 1, sit around a circle. In round 1 the last place, n, meets
place 1; from round to round whoever meets it is n/2 places further on. Around that place the others meet
their mirror images, the nearest first, and the one further on around the circle has the first seat. Place n
has the second seat in odd rounds and the first in even ones.

So everybody meets everybody once, and has either seat as often as the other, give or take one.
"""

Pair = tuple[int, int]


def berger_round(size: int, number: int) -> tuple[Pair, ...]:
    """The pairs of places (from 1) that meet in round `number` (from 1) of `size` - 1, in published order.

    The first of a pair has the first seat. `size` is even; with an odd number of contestants the last place
    is empty.
    """
    circle = size - 1
    place = (number - 1) * (size // 2) % circle
    pairs = [(place + 1, size) if number % 2 else (size, place + 1)]
    pairs += [((place + steps) % circle + 1, (place - steps) % circle + 1) for steps in range(1, size // 2)]
    return tuple(pairs)


def leg_round(size: int, legs: int, number: int) -> tuple[int, tuple[Pair, ...]]:
    """The leg (from 1) that round `number` belongs to, and its pairs, with seats changed in every second leg.

    The last two rounds of a leg that another one follows change places, as FIDE recommends for two legs.
    Otherwise some have the same seat three times running where one leg meets the next.
    """
    leg, index = divmod(number - 1, size - 1)
    last = size - 2
    if leg < legs - 1 and last > 0 and index >= last - 1:
        index = 2 * last - 1 - index
    pairs = berger_round(size, index + 1)
    if leg % 2:
        pairs = tuple((second, first) for first, second in pairs)
    return leg + 1, pairs
