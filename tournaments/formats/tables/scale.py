"""Points of places: a scale for the largest table, and what smaller tables give.

A scale such as 4-2-1-0 says what each place gives at a full table. At a table with a seat empty, the empty
seat counts as one more player of equal strength. They would have come in at any place, each as likely. So
place p of n gives (n + 1 - p) parts of the scale's place p. It gives p parts of place p + 1, of n + 1 parts
in all. The mean of a table's points is then exactly the same at every size. So nobody gains or loses by where
they sit, whatever the scale. Interpolating on the scale would not do that: 4-2-1-0 has the mean 7/4, and
4-3/2-0 has 11/6.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from games.engine.places import are_places

from ..errors import CannotDraw, gettext_noop

MOST_POINTS = 100
_SCALE = re.compile(r"\d{1,3}(?:-\d{1,3})*", re.ASCII)


def usual_scale(seats: int) -> tuple[Fraction, ...]:
    """A point for each player left behind, and one more for the first: 4-2-1-0, 5-3-2-1-0."""
    return (Fraction(seats), *(Fraction(seats - place) for place in range(2, seats + 1)))


def is_scale(text: str) -> bool:
    """Whether a text can be read as the points of places."""
    return _SCALE.fullmatch(text) is not None


def canonical_scale(text: str) -> str:
    """A scale as it is stored, without zeros before a number."""
    return "-".join(str(int(points)) for points in text.split("-"))


def unreadable_scale(given: object) -> CannotDraw:
    """What is said of a scale that can't be read."""
    return CannotDraw(
        "scale",
        gettext_noop("Points of places are written like 4-2-1-0, not %(given)s."),
        given=repr(given),
    )


def read_scale(text: str, seats: int) -> tuple[Fraction, ...]:
    """The points of each place at a full table, of `4-2-1-0`; the usual ones for an empty text.

    Raises CannotDraw for a text that can't be read, another number of places than seats. So it does for
    points that rise from place to place or are all the same.
    """
    if not text:
        return usual_scale(seats)
    if not is_scale(text):
        raise unreadable_scale(text)
    points = tuple(Fraction(each) for each in text.split("-"))
    falls = all(one >= other for one, other in pairwise(points))
    if len(points) != seats or points[0] > MOST_POINTS or points[0] == points[-1] or not falls:
        raise CannotDraw(
            "scale",
            gettext_noop(
                "The points of places at a table of %(seats)d are %(seats)d numbers of at most %(most)d that "
                "fall from the first to the last, such as %(usual)s; not %(given)s."
            ),
            seats=seats,
            most=MOST_POINTS,
            usual="-".join(map(str, usual_scale(seats))),
            given=text,
        )
    return points


def scale_at(scale: Sequence[Fraction], players: int) -> tuple[Fraction, ...]:
    """The points of each place at a table of so many players, at most as many as the scale has places."""
    points = tuple(scale)
    while len(points) > players:
        size = len(points)
        points = tuple(
            (points[place - 1] * (size - place) + points[place] * place) / size for place in range(1, size)
        )
    return points


def points_of_places(scale: Sequence[Fraction], places: Sequence[int]) -> tuple[Fraction, ...]:
    """The points of sides with these places; who shares a place has the mean of the points shared.

    Places count from 1 and skip after ties (1, 1, 3); raises CannotDraw for others.
    """
    points = scale_at(scale, len(places))
    if not are_places(places):
        raise CannotDraw(
            "places",
            gettext_noop("Places count from 1 and skip after ties, such as 1, 1, 3; not %(given)s."),
            given=", ".join(map(str, places)),
        )
    found = []
    for place in places:
        shared = points[place - 1 : place - 1 + places.count(place)]
        found.append(mean_points(shared))
    return tuple(found)


def mean_points(points: Sequence[Fraction]) -> Fraction:
    """The mean of points; of a scale, what players of equal strength have of a round on average, at any
    table.
    """
    return sum(points, Fraction(0)) / len(points)
