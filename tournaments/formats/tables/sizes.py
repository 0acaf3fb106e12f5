"""Sizes of tables: tables of k seats, or of one less, and who sits out where numbers don't divide."""

from collections.abc import Iterable, Mapping

from ..errors import CannotDraw, gettext_noop

FEWEST_SEATS = 3
MOST_SEATS = 10


def check_seats(seats: int) -> None:
    """Refuse with `CannotDraw` tables that are too small or too large."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise CannotDraw(
            "seats",
            gettext_noop("A table has %(fewest)d to %(most)d seats, not %(given)d."),
            fewest=FEWEST_SEATS,
            most=MOST_SEATS,
            given=seats,
        )


def table_sizes(contestants: int, seats: int) -> tuple[int, ...] | None:
    """The sizes of as few tables as seat everybody, `seats` or one less each, larger ones first.

    None where no such tables seat exactly so many; a table has three seats at least.
    """
    tables = -(-contestants // seats)
    empty = tables * seats - contestants
    if not tables or empty > tables or (empty and seats == FEWEST_SEATS):
        return None
    return (seats,) * (tables - empty) + (seats - 1,) * empty


def most_seated(contestants: int, seats: int) -> int:
    """How many of so many contestants can sit at once; 0 where they are too few for a table."""
    for number in range(contestants, 0, -1):
        if table_sizes(number, seats):
            return number
    return 0


def fitting_seats(contestants: int) -> tuple[int, ...]:
    """The sizes of tables, as they can be set, at which so many contestants all sit."""
    return tuple(seats for seats in range(FEWEST_SEATS, MOST_SEATS + 1) if table_sizes(contestants, seats))


def check_fits(contestants: int, seats: int, *, sits_out: bool) -> tuple[int, ...]:
    """The sizes of a round's tables. Refuses with `CannotDraw` what can't be seated.

    `sits_out`: as few as possible wait where not all can sit; otherwise that is refused.
    """
    seated, fitting = most_seated(contestants, seats), fitting_seats(contestants)
    if not seated and fitting:
        raise CannotDraw(
            "contestants",
            gettext_noop(
                "Contestants: %(given)d; a table of %(seats)d takes %(fewest)d at least. They can all sit at "
                "tables of: %(fitting)s."
            ),
            given=contestants,
            seats=seats,
            fewest=seats - 1,
            fitting=", ".join(map(str, fitting)),
        )
    if not seated:
        raise CannotDraw(
            "contestants",
            gettext_noop("Contestants: %(given)d; a table of %(seats)d takes %(fewest)d at least."),
            given=contestants,
            seats=seats,
            fewest=max(FEWEST_SEATS, seats - 1),
        )
    if seated < contestants and not sits_out:
        raise CannotDraw(
            "sizes",
            gettext_noop(
                "Contestants: %(given)d. They can't all sit at tables of %(seats)d, or of one less; they can "
                "at tables of: %(fitting)s."
            ),
            given=contestants,
            seats=seats,
            fitting=", ".join(map(str, fitting)) or "–",
        )
    sizes = table_sizes(seated, seats)
    assert sizes is not None  # noqa: S101 - `most_seated` has found them
    return sizes


def who_sits_out(in_order: Iterable[int], played: Mapping[int, int], count: int) -> tuple[int, ...]:
    """Who sits out a round: `count` of those who have sat at a table most often; of equals the first ones."""
    if not count:
        return ()
    return tuple(sorted(in_order, key=lambda one: -played.get(one, 0))[:count])
