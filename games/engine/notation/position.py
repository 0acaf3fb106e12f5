"""A position on one line: all that a state knows but how many log events led to it.

    palio 1:0 play:1 ?7/?7 R7 > 93 R7 turns=1 seats="Anna":"Superiore","Bruno":"Centro"

Eight fields stand in every position: the rules; the deal's number and dealer; what is waited for and whose
turn it is; the hands; the top card; the direction; the draw pile; the discards. Whatever else there is
follows by name, and is left out where it is as in most positions.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from games.engine.audit import audit
from games.engine.events import CLOSE_REASONS, Seat
from games.engine.notation.cursor import Cursor
from games.engine.notation.reading import decoded
from games.engine.notation.values import (
    NONE,
    print_by_seat,
    print_cards,
    print_hand,
    print_kin,
    print_ruleset,
    print_text,
    print_top,
    print_winner,
    read_card,
    read_cards,
    read_color,
    read_count,
    read_hand,
    read_kin,
    read_list,
    read_number,
    read_pairs,
    read_ruleset,
    read_text,
    read_top,
    read_winner,
    read_word,
)
from games.engine.refusals import Refusal
from games.engine.ruleset import Ruleset
from games.engine.snapshot import dump, load
from games.engine.state import (
    HIT,
    HIT_THEN_PLAY,
    PENALTY,
    PENALTY_ENDS_TURN,
    PHASES,
    START,
    State,
)
from games.engine.words import mark

Data = dict[str, Any]
"""A state as `games.engine.snapshot` stores it."""

_DIRECTIONS: Final = {1: ">", -1: "<"}
_UNKNOWN: Final = "?"
_ANSWER: Final = "answer"
_DRAW_INSTEAD: Final = "draw"
_ENDS: Final = ("played", *CLOSE_REASONS)
_DEBTS: Final = (PENALTY, PENALTY_ENDS_TURN, HIT, HIT_THEN_PLAY)
_WAITED_FOR: Final = tuple(phase for phase in PHASES if phase != START)
_STARTS: Final = re.compile(rf"{START}(?![a-z_])", re.ASCII | re.IGNORECASE)


def print_position(state: State) -> str:
    """The state on one line, the same line for the same state; `parse_position` reads it."""
    if state.phase == START:
        return START
    hands = zip(state.known, state.unknown, strict=True)
    core = (
        print_ruleset(state.ruleset),
        f"{state.deal}:{_or_none(state.dealer)}",
        f"{state.phase}:{_or_none(state.player)}",
        "/".join(print_hand(known, unknown) for known, unknown in hands),
        print_top(state.top, state.color),
        _DIRECTIONS[state.direction],
        str(state.pile),
        print_cards(state.discards),
    )
    return " ".join((*core, *_print_options(state)))


def parse_position(source: str | bytes) -> State:
    """The state that `print_position` wrote, equal to it in all but `events`, which are counted from 0.

    So a game goes on from it as it would have. Refusal `malformed` for a text that is none, and for a
    position that no game can come to, as far as `games.engine.audit` can tell.
    """
    cursor = Cursor(decoded(source))
    cursor.skip_blanks()
    if cursor.match(_STARTS) is not None:
        cursor.end_token()
        cursor.skip_blanks()
        if not cursor.at_end:
            cursor.expected(mark("nothing more, since no game has begun"))
        return State()
    start = cursor.place
    data = dump(State())
    _read_core(cursor, data)
    _read_options(cursor, data)
    return _sound(cursor, start, data)


# Printing


def _print_options(state: State) -> Iterator[str]:
    """What isn't as in most positions, in the order of `OPTIONS`."""
    if state.waiting != state.phase:
        yield f"then={state.waiting}"
    if state.debts:
        yield "owes" + print_by_seat((debt.seat, f"{debt.count}:{debt.reason}") for debt in state.debts)
    if state.hit is not None:
        hit = state.hit
        drawn = print_hand(hit.drawn, hit.drawn_unknown)
        yield f"hit={hit.offender}+{hit.total}" + ("" if drawn == NONE else f"/{drawn}")
        if hit.four:
            on, hand = print_top(hit.top, hit.color), print_hand(hit.known, hit.unknown)
            yield f"four={on}/{hit.first_color}/{hand}" + (f"/{_ANSWER}" if hit.answers else "")
    if state.drawn is not None:
        yield f"drawn={state.drawn}"
    if state.named:
        yield f"named={print_cards(state.named)}"
    if state.taken_back:
        yield "taken_back" + (f"/{_DRAW_INSTEAD}" if state.can_draw_instead else "")
    if state.cut:
        yield "cut" + print_by_seat(
            (seat, _UNKNOWN if number is None else str(number)) for seat, number in state.cut.items()
        )
    if state.turns:
        yield f"turns={state.turns}"
    if state.last_act:
        yield f"act={state.last_act}"
    if state.missed:
        yield "missed" + print_by_seat((seat, str(turn)) for seat, turn in state.missed)
    if state.gift is not None:
        yield "gift" + print_by_seat([(state.gift[0], str(state.gift[1]))])
    if state.out is not None:
        yield f"out={state.out}"
    if state.points:
        yield "points" + print_by_seat((seat, str(points)) for seat, points in state.points.items())
    if state.deal_scores:
        yield f"deals={'/'.join(map(_print_row, state.deal_scores))}"
    if state.scores != _totals(state.deal_scores, len(state.seats)):
        yield f"scores={_print_row(state.scores)}"
    if state.left:
        yield f"left={_print_row(state.left)}"
    if state.close_reason is not None:
        yield f"ended={state.close_reason}/{print_winner(state.winner, state.team)}"
    if not state.limit["RR"]:
        yield "no_reverses"
    if state.kin:
        yield f"kin={print_kin(state.kin)}"
    if any(seat != _NOBODY for seat in state.seats):
        yield f"seats={','.join(map(_print_seat, state.seats))}"


_NOBODY: Final = Seat("")


def _print_seat(seat: Seat) -> str:
    return print_text(seat.name) + ("" if seat.team is None else f":{print_text(seat.team)}")


def _print_row(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


def _or_none(number: int | None) -> str:
    return NONE if number is None else str(number)


def _totals(rows: list[list[int]], seats: int) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)] or [0] * seats


# Reading


def _read_core(cursor: Cursor, data: Data) -> None:
    data["reverses"] = True
    data["ruleset"] = read_ruleset(cursor)
    _next_field(cursor)
    data["deal"] = read_count(cursor, mark("the deal's number"))
    cursor.need(":")
    data["dealer"] = _read_or_none(cursor)
    _next_field(cursor)
    data["phase"] = data["waiting"] = read_word(cursor, _WAITED_FOR)
    cursor.need(":")
    data["player"] = _read_or_none(cursor)
    _next_field(cursor)
    hands = read_list(cursor, read_hand, "/")
    data["known"] = [known for known, _ in hands]
    data["unknown"] = [unknown for _, unknown in hands]
    _next_field(cursor)
    data["top"], data["color"] = read_top(cursor)
    _next_field(cursor)
    data["direction"] = _read_direction(cursor)
    _next_field(cursor)
    data["pile"] = read_count(cursor, mark("how many cards the draw pile holds"))
    _next_field(cursor)
    data["discards"] = read_cards(cursor)
    cursor.end_token()


def _next_field(cursor: Cursor) -> None:
    cursor.end_token()
    cursor.skip_blanks()


def _read_or_none(cursor: Cursor) -> int | None:
    return None if cursor.take(NONE) else read_count(cursor, mark("a seat's number or -"))


def _read_direction(cursor: Cursor) -> int:
    if cursor.take(_DIRECTIONS[1]):
        return 1
    if not cursor.take(_DIRECTIONS[-1]):
        cursor.expected(mark("the direction: > clockwise, < the other way"))
    return -1


def _read_options(cursor: Cursor, data: Data) -> None:
    told: set[str] = set()
    cursor.skip_blanks()
    while not cursor.at_end:
        start = cursor.place
        name = read_word(cursor, OPTIONS)
        if name in told:
            cursor.wrong(mark("the field {name} stands twice"), start, name=name)
        told.add(name)
        OPTIONS[name](cursor, data)
        _next_field(cursor)
    if "four" in told and "hit" not in told:
        cursor.expected(mark("hit=…, which says who played the Wild Draw Four"))


def _read_then(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    data["waiting"] = read_word(cursor, _WAITED_FOR)


def _read_owes(cursor: Cursor, data: Data) -> None:
    def debt(inner: Cursor) -> tuple[int, str]:
        count = read_count(inner, mark("how many cards are owed"))
        inner.need(":")
        return count, read_word(inner, _DEBTS)

    data["debts"] = [[seat, count, reason] for seat, (count, reason) in read_pairs(cursor, debt)]


def _hit_of(data: Data) -> Data:
    no_hit: Data = {
        "four": False,
        "answers": False,
        "color": None,
        "first_color": None,
        "top": None,
        "known": [],
        "unknown": 0,
    }
    hit: Data = data.setdefault("hit", no_hit)
    return hit


def _read_hit(cursor: Cursor, data: Data) -> None:
    hit = _hit_of(data)
    cursor.need("=")
    hit["offender"] = read_count(cursor, mark("a seat's number"))
    cursor.need("+")
    hit["total"] = read_count(cursor, mark("how many cards are to be drawn"))
    hit["drawn"], hit["drawn_unknown"] = read_hand(cursor) if cursor.take("/") else ([], 0)


def _read_four(cursor: Cursor, data: Data) -> None:
    hit = _hit_of(data)
    hit["four"] = True
    cursor.need("=")
    hit["top"], hit["color"] = read_top(cursor)
    cursor.need("/")
    hit["first_color"] = read_color(cursor)
    cursor.need("/")
    hit["known"], hit["unknown"] = read_hand(cursor)
    if cursor.take("/"):
        read_word(cursor, (_ANSWER,))
        hit["answers"] = True


def _read_drawn(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    data["drawn"] = read_card(cursor)


def _read_named(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    data["named"] = read_cards(cursor)


def _read_taken_back(cursor: Cursor, data: Data) -> None:
    data["taken_back"] = True
    data["can_draw_instead"] = cursor.take("/")
    if data["can_draw_instead"]:
        read_word(cursor, (_DRAW_INSTEAD,))


def _read_cut(cursor: Cursor, data: Data) -> None:
    def number(inner: Cursor) -> int | None:
        return None if inner.take(_UNKNOWN) else read_count(inner, mark("a card's number or ?"))

    data["cut"] = read_pairs(cursor, number)


def _read_turns(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    data["turns"] = read_count(cursor)


def _read_act(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    data["last_act"] = read_count(cursor)


def _read_missed(cursor: Cursor, data: Data) -> None:
    data["missed"] = read_pairs(cursor, read_count)


def _read_gift(cursor: Cursor, data: Data) -> None:
    start = cursor.place
    gifts = read_pairs(cursor, read_count)
    if len(gifts) != 1:
        cursor.expected(mark("one seat and the turn of its 0"), start)
    data["gift"] = gifts[0]


def _read_out(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    data["out"] = read_count(cursor, mark("a seat's number"))


def _read_points(cursor: Cursor, data: Data) -> None:
    data["points"] = read_pairs(cursor, read_count)


def _read_row(cursor: Cursor) -> list[int]:
    return read_list(cursor, read_count)


def _read_deals(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    data["deal_scores"] = read_list(cursor, _read_row, "/")


def _read_scores(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    # A referee who closes a game can name totals of any size.
    data["scores"] = read_list(cursor, read_number)


def _read_left(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    data["left"] = _read_row(cursor)


def _read_ended(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    data["close_reason"] = read_word(cursor, _ENDS)
    cursor.need("/")
    data["winner"], data["team"] = read_winner(cursor)


def _read_no_reverses(cursor: Cursor, data: Data) -> None:
    data["reverses"] = False


def _read_kin(cursor: Cursor, data: Data) -> None:
    cursor.need("=")
    data["kin"] = read_kin(cursor)


def _read_seats(cursor: Cursor, data: Data) -> None:
    def seat(inner: Cursor) -> list[str | None]:
        name = read_text(inner)
        return [name, read_text(inner) if inner.take(":") else None]

    cursor.need("=")
    data["seats"] = read_list(cursor, seat)


OPTIONS: Final[Mapping[str, Callable[[Cursor, Data], None]]] = {
    "then": _read_then,
    "owes": _read_owes,
    "hit": _read_hit,
    "four": _read_four,
    "drawn": _read_drawn,
    "named": _read_named,
    "taken_back": _read_taken_back,
    "cut": _read_cut,
    "turns": _read_turns,
    "act": _read_act,
    "missed": _read_missed,
    "gift": _read_gift,
    "out": _read_out,
    "points": _read_points,
    "deals": _read_deals,
    "scores": _read_scores,
    "left": _read_left,
    "ended": _read_ended,
    "no_reverses": _read_no_reverses,
    "kin": _read_kin,
    "seats": _read_seats,
}
"""What a position can tell beside its eight fields, by name."""


def _sound(cursor: Cursor, start: int, data: Data) -> State:
    """The state that was read from `start` on, if a game can come to it."""
    count = len(data["known"])
    try:
        Ruleset.read(data["ruleset"]).check(count)
    except Refusal as refusal:
        cursor.refuse(refusal.phrase, start)
    data["seats"] = data["seats"] or [[_NOBODY.name, _NOBODY.team]] * count
    if any(len(row) != count for row in (data["seats"], *data["deal_scores"])):
        cursor.wrong(mark("every list by seat is as long as the hands: {count}"), start, count=count)
    data["scores"] = data["scores"] or _totals(data["deal_scores"], count)
    winner = data["winner"]
    if winner is not None and winner < count:
        data["team"] = data["seats"][winner][1]
    state = load(data)
    broken = audit(state)
    if broken:
        cursor.wrong(mark("no game can come to this position: {broken}"), start, broken=str(broken[0]))
    return state
