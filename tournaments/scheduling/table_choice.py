"""Tables once the starts are settled: people stay where they can, low numbers come first."""

from collections import defaultdict

from .indexed import Found
from .search import Board


def tidied(board: Board) -> None:
    """Give the tables of a full board anew, in order of time, without moving anything in time.

    Each meeting takes the free table at which most of its people were last; of equals the first. All tables
    are alike, so whatever is free will do. With something pinned to a table it wouldn't: everything stays.
    """
    if any(board.pinned):
        return
    _seat(board)


def seated(board: Board, found: Found) -> Board:
    """A copy of a board with what an exact method found; where it names no tables, any that is free."""
    seated = board.copy()
    for at, start in enumerate(found.starts or ()):
        table = 0 if found.tables is None else found.tables[at]
        # Where referees come later, those that are pinned are there already.
        judge = board.judge[at] if found.judges[at] is None and board.pinned[at] else found.judges[at]
        seated.place(at, start, table, judge)
    if found.tables is None:
        _seat(seated)
    return seated


def _seat(board: Board) -> None:
    indexed = board.indexed
    gap = indexed.problem.hall.changeover
    free_from = [-(10**9)] * len(indexed.tables)
    last_of: dict[int, int] = {}
    placed = sorted((start, at) for at, start in enumerate(board.start) if start is not None)
    chosen: dict[int, int] = {}
    for start, at in placed:
        there: dict[int, int] = defaultdict(int)
        for person in indexed.people[at]:
            if person in last_of:
                there[last_of[person]] += 1
        table = min(
            (table for table, free in enumerate(free_from) if free + gap <= start),
            key=lambda table: (-there[table], table),
        )
        free_from[table] = start + indexed.minutes[at]
        chosen[at] = table
        for person in indexed.people[at]:
            last_of[person] = table
    for each in board.at_table:
        each.clear()
    for at, table in chosen.items():
        board.table[at] = table
        board.at_table[table].add(at)
