"""Check of a timetable, wherever it comes from: the judge of all methods."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby

from .model import Conflict, Flaw, Placement, RoundOrder, ScheduledMatch, SchedulingProblem, Window, merged

_ORDER = {flaw: number for number, flaw in enumerate(Flaw)}


def conflicts(problem: SchedulingProblem, placements: Sequence[Placement]) -> tuple[Conflict, ...]:
    """Every condition that the placements violate, each once; those of the earliest meetings first.

    Conditions between two meetings are looked at for every two, not only for neighbours.
    """
    first: dict[str, Placement] = {}
    found: list[Conflict] = []
    for placement in placements:
        if placement.key not in problem.by_key:
            found.append(Conflict(Flaw.UNKNOWN_MEETING, (placement.key,)))
        elif placement.key in first:
            found.append(Conflict(Flaw.PLACED_TWICE, (placement.key,)))
        else:
            first[placement.key] = placement
    found += [Conflict(Flaw.NOT_PLACED, (each.key,)) for each in problem.meetings if each.key not in first]
    placed = [first[each.key] for each in problem.meetings if each.key in first]
    found += _alone(problem, placed)
    found += _too_close(problem, placed)
    found += _in_order(problem, first)
    found += _of_rounds(problem, placed)
    number = {each.key: at for at, each in enumerate(problem.meetings)}

    def place(conflict: Conflict) -> tuple[object, ...]:
        starts = [first[key].start for key in conflict.keys if key in first]
        return (
            not starts,
            max(starts, default=0),
            _ORDER[conflict.flaw],
            [number.get(key, len(number)) for key in conflict.keys],
            conflict.keys,
            conflict.about or "",
        )

    return tuple(sorted(found, key=place))


CLASHES = frozenset({Flaw.TABLE_TAKEN, Flaw.TWO_PLACES, Flaw.JUDGE_TWO_PLACES})
"""What nobody can play by: two matches at once at a table, of a person, or of a referee."""


def clashes(problem: SchedulingProblem, placements: Sequence[Placement]) -> tuple[Conflict, ...]:
    """Those of the conflicts by which the placements can't be played, in the same order."""
    return tuple(each for each in conflicts(problem, placements) if each.flaw in CLASHES)


def _alone(problem: SchedulingProblem, placed: Iterable[Placement]) -> Iterable[Conflict]:
    """What is wrong with a placement by itself."""
    hall = problem.hall
    pauses = merged(hall.breaks)
    for placement in placed:
        meeting, span, keys = problem.by_key[placement.key], problem.span(placement), (placement.key,)
        if placement.table not in hall.tables:
            yield Conflict(Flaw.UNKNOWN_TABLE, keys, about=placement.table)
        if closed := span.minutes - _shared(span, hall.days):
            yield Conflict(Flaw.CLOSED, keys, closed)
        if pause := _shared(span, pauses):
            yield Conflict(Flaw.BREAK, keys, pause)
        if meeting.not_before is not None and placement.start < meeting.not_before:
            yield Conflict(Flaw.TOO_EARLY, keys, meeting.not_before - placement.start)
        if meeting.pinned is not None and not _as_pinned(placement, meeting.pinned):
            yield Conflict(Flaw.PINNED, keys)
        yield from _judge_alone(problem, placement, meeting, span)


def _judge_alone(
    problem: SchedulingProblem, placement: Placement, meeting: ScheduledMatch, span: Window
) -> Iterable[Conflict]:
    keys = (placement.key,)
    if placement.judge is None:
        if problem.judged:
            yield Conflict(Flaw.NO_JUDGE, keys)
        return
    judge = problem.judge_by_key.get(placement.judge)
    if judge is None:
        yield Conflict(Flaw.UNKNOWN_JUDGE, keys, about=placement.judge)
        return
    if not judge.may(meeting):
        yield Conflict(Flaw.OWN_TEAM, keys, about=judge.key)
    if not judge.is_there(span):
        yield Conflict(Flaw.JUDGE_AWAY, keys, about=judge.key)


def _too_close(problem: SchedulingProblem, placed: Iterable[Placement]) -> Iterable[Conflict]:
    """Every two at one table, of one person or of one referee that overlap, or are too close."""
    sharing: dict[tuple[tuple[str, str], int], list[Placement]] = defaultdict(list)
    for placement in placed:
        for what, needed in problem.shared(placement):
            sharing[what, needed].append(placement)
    concerned: dict[tuple[str, str, int], list[str]] = defaultdict(list)
    for ((kind, who), needed), there in sharing.items():
        for one, other, gap in _close(problem, there, needed):
            if kind == "person":
                concerned[one, other, gap].append(who)
            elif gap >= 0:
                yield Conflict(Flaw.CHANGEOVER, (one, other), needed - gap, who)
            else:
                flaw = Flaw.TABLE_TAKEN if kind == "table" else Flaw.JUDGE_TWO_PLACES
                yield Conflict(flaw, (one, other), -gap, who)
    for (one, other, gap), people in concerned.items():
        flaw, minutes = (Flaw.TWO_PLACES, -gap) if gap < 0 else (Flaw.REST, problem.hall.rest - gap)
        yield Conflict(flaw, (one, other), minutes, people=tuple(sorted(people)))


def _in_order(problem: SchedulingProblem, first: dict[str, Placement]) -> Iterable[Conflict]:
    for meeting in problem.meetings:
        for earlier in dict.fromkeys(meeting.after):
            if earlier in first and meeting.key in first:
                over, begins = problem.span(first[earlier]).end, first[meeting.key].start
                if over > begins:
                    yield Conflict(Flaw.ORDER, (earlier, meeting.key), over - begins)


def _of_rounds(problem: SchedulingProblem, placed: Sequence[Placement]) -> Iterable[Conflict]:
    if problem.rounds is RoundOrder.FREE:
        return
    of_tournament: dict[str, list[tuple[int, int, Placement]]] = defaultdict(list)
    for placement in placed:
        meeting = problem.by_key[placement.key]
        if meeting.round > 0:
            long = meeting.minutes if problem.rounds is RoundOrder.APART else 0
            of_tournament[meeting.tournament].append((meeting.round, placement.start + long, placement))
    for theirs in of_tournament.values():
        theirs.sort(key=lambda each: each[0])
        earlier: list[tuple[int, Placement]] = []
        latest = -1
        for _, group in groupby(theirs, key=lambda each: each[0]):
            this_round = list(group)
            for _, _, later in this_round:
                if earlier and latest > later.start:
                    yield from (
                        Conflict(Flaw.ROUNDS, (placement.key, later.key), until - later.start)
                        for until, placement in earlier
                        if until > later.start
                    )
            earlier += [(until, placement) for _, until, placement in this_round]
            latest = max(until for until, _ in earlier)


def _close(
    problem: SchedulingProblem, placed: Sequence[Placement], needed: int
) -> Iterable[tuple[str, str, int]]:
    """Every two of the placements with less than `needed` minutes between them, and how many there are;
    fewer than none if they overlap.
    """
    in_time = sorted(placed, key=lambda each: (each.start, each.table, each.key))
    spans = [problem.span(each) for each in in_time]
    for at, span in enumerate(spans):
        for then in range(at + 1, len(spans)):
            if spans[then].start >= span.end + needed:
                break
            gap = spans[then].start - span.end
            if gap < 0:
                gap = -span.overlap(spans[then])
            yield in_time[at].key, in_time[then].key, gap


def _as_pinned(placement: Placement, pin: Placement) -> bool:
    return (placement.table, placement.start) == (pin.table, pin.start) and pin.judge in (
        None,
        placement.judge,
    )


def _shared(span: Window, windows: Iterable[Window]) -> int:
    """How many minutes lie within windows that are apart from each other."""
    return sum(max(0, span.overlap(each)) for each in windows)
