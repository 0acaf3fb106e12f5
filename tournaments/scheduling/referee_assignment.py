"""Referees of matches: never the own team, nobody in two places, everybody about as often.

A referee goes on at the same table where that is as fair: nobody likes to move with a chair and a phone.
"""

from .search import Board


def share_out(board: Board) -> None:
    """Give the placed meetings their referees anew: as many as can have one, then as evenly as possible.

    Pinned referees stay.
    """
    if not board.indexed.judges:
        return
    placed = sorted((start, board.table[at], at) for at, start in enumerate(board.start) if start is not None)
    fixed = {at for _, _, at in placed if board.judge_is_pinned(at)}
    for _, _, at in placed:
        if board.judge[at] is None and at not in fixed:
            board.find_judge(at)
    _even(board, [at for _, _, at in placed if at not in fixed and board.judge[at] is not None])
    _stay(board, placed, fixed)


def _even(board: Board, given: list[int]) -> None:
    """Hand meetings over to whoever has two fewer, directly or through others, until nobody has."""
    changed = True
    while changed:
        busiest = sorted(range(len(board.of_judge)), key=lambda each: -len(board.of_judge[each]))
        changed = any(_relieved(board, judge, given) for judge in busiest)


def _relieved(board: Board, judge: int, given: list[int]) -> bool:
    """Take one meeting off a referee along a path of hand-overs that ends at one who has two fewer."""
    most = len(board.of_judge[judge])
    movable = set(given)
    came: dict[int, tuple[int, int]] = {}
    reached, line = {judge}, [judge]
    for each in line:
        for at in sorted(board.of_judge[each] & movable):
            span = board.span(at)
            for other in board.judges_there(at, span):
                if other in reached or board.judged_within(other, at, span):
                    continue
                reached.add(other)
                came[other] = (each, at)
                line.append(other)
                if len(board.of_judge[other]) <= most - 2:
                    while other != judge:
                        giver, handed = came[other]
                        board.give(handed, other)
                        other = giver
                    return True
    return False


def _stay(board: Board, placed: list[tuple[int, int, int]], fixed: set[int]) -> None:
    """Let two who judge at the same time change, if one of them stays at a table by it that wouldn't."""
    last: dict[int, int] = {}
    by_start: dict[int, list[tuple[int, int]]] = {}
    for start, table, at in placed:
        by_start.setdefault(start, []).append((table, at))
    for start in sorted(by_start):
        there = sorted(by_start[start])
        for table, at in there:
            judge, wanted = board.judge[at], last.get(table)
            if at in fixed or judge is None or wanted is None or wanted == judge:
                continue
            for other_table, other in there:
                if (
                    board.judge[other] != wanted
                    or other in fixed
                    or last.get(other_table) == wanted
                    or board.indexed.minutes[other] != board.indexed.minutes[at]
                    or wanted not in board.indexed.may[at]
                    or judge not in board.indexed.may[other]
                ):
                    continue
                board.give(at, wanted)
                board.give(other, judge)
                break
        for table, at in there:
            now = board.judge[at]
            if now is not None:
                last[table] = now
