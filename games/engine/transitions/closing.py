"""Going out, the points of a deal, and the end of a game."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.engine.cards import POINTS, hand_points, missing, reachable_points
from games.engine.events import Event, GameClosed, HandShown
from games.engine.phrases import shown
from games.engine.refusals import Refusal
from games.engine.state import DEAL, OVER, PENALTY, PLAY, SHOW, Debt, ImpossibleStateError, State
from games.engine.transitions.hands import check_copies, check_hand, reveal
from games.engine.transitions.transition_types import UNDER_WAY, Check, Handles


def end_deal(state: State) -> None:
    """Somebody is out and nothing is owed: take the points, or wait for the hands that count.

    Whose turn would come next is settled before, for rules by which play goes on.
    """
    state.debts.clear()
    state.hit = None
    if not state.ruleset.counts_points:
        state.deal_scores.append([0] * len(state.seats))
        _end_game(state, state.out)
    elif unshown(state):
        state.waiting = SHOW
    else:
        _take_points(state)


def unshown(state: State) -> list[int]:
    """The seats whose cards count for this deal and aren't all known."""
    return [
        seat
        for seat in state.active()
        if seat != state.out and state.unknown[seat] and seat not in state.points
    ]


def _end_game(state: State, winner: int | None) -> None:
    state.winner = winner
    state.team = None if winner is None else state.seats[winner].team
    state.close_reason = "played"
    state.waiting = OVER


def deal_points(scoring: str, hands: Sequence[int], out: int | None) -> list[int]:
    """The points that a deal brings each seat, from those that are left in the hands, by a rule set's
    `scoring`. `out` is the seat that went out, None where nobody did.
    """
    if scoring != "winner_takes" or out is None:
        return list(hands)
    return [sum(hands) if seat == out else 0 for seat in range(len(hands))]


def _take_points(state: State) -> None:
    row = [0] * len(state.seats)
    for seat in state.active():
        shown = state.points.get(seat)
        row[seat] = hand_points(state.known[seat]) if shown is None else shown
    row = deal_points(state.ruleset.scoring, row, state.out)
    state.deal_scores.append(row)
    state.scores = [before + points for before, points in zip(state.scores, row, strict=True)]
    if state.ruleset.after_out == "game_ends":
        _end_game(state, state.out)
        return
    winner = _decided(state)
    if winner is not None:
        _end_game(state, winner)
    elif state.ruleset.after_out == "finisher_redraws":
        _redraw(state)
    else:
        _await_deal(state)


def _decided(state: State) -> int | None:
    """Who has won by points, or None while another deal is needed."""
    active = state.active()
    reached = [seat for seat in active if state.scores[seat] >= state.ruleset.target]
    if state.ruleset.scoring == "elimination":
        state.left.extend(seat for seat in reached if seat != state.out)
        staying = state.active()
        return staying[0] if len(staying) == 1 else None
    if not reached:
        return None
    if state.ruleset.scoring == "winner_takes":
        return state.out
    lowest = min(state.scores[seat] for seat in active)
    best = [seat for seat in active if state.scores[seat] == lowest]
    return best[0] if len(best) == 1 else None


def _await_deal(state: State) -> None:
    """The deal passes to the left; hands and piles stand as they are until it starts."""
    state.missed.clear()
    state.gift = None
    state.direction = 1
    if state.dealer is None:
        raise ImpossibleStateError("a deal has ended that nobody dealt")
    state.dealer = state.next_seat(state.dealer)
    state.top = state.color = None
    state.waiting = DEAL


def _redraw(state: State) -> None:
    """The finisher owes a new hand, which starts another deal, and then the next player plays."""
    finisher = state.out
    if finisher is None:
        raise ImpossibleStateError("a deal has ended in which nobody went out")
    state.out = None
    state.points = {}
    state.deal += 1
    size = state.ruleset.hand_size
    state.waiting = PLAY
    if state.drawable():
        state.debts.append(Debt(finisher, size, PENALTY))


def check_show(state: State, event: HandShown) -> None:
    """A hand that counts and isn't known: the right number of cards, or points that they can make."""
    seat = event.seat
    waiting = unshown(state)
    if seat not in waiting:
        raise Refusal(
            "out-of-order",
            "{seat:seat} has no hand to show now; who still has to: {due:seats}",
            seat=seat,
            due=waiting,
        )
    if event.cards is not None:
        check_copies(state, missing(event.cards, state.known[seat]))
        check_hand(state, seat, event.cards)
    elif event.points is not None:
        _check_points(state, seat, event.points)


def _check_points(state: State, seat: int, points: int) -> None:
    mask = _possible_mask(state, seat)
    if not mask >> points & 1:
        raise Refusal(
            "impossible-hand",
            "with {held:count} {seat:seat} can have {least} to {most} points, but not {given}: count again",
            held=state.held(seat),
            seat=seat,
            least=(mask & -mask).bit_length() - 1,
            most=mask.bit_length() - 1,
            given=points,
        )


def possible_points(state: State, seat: int) -> list[int]:
    """All points that a hand can make, with the cards that nobody has seen."""
    mask = _possible_mask(state, seat)
    return [points for points in range(mask.bit_length()) if mask >> points & 1]


def _possible_mask(state: State, seat: int) -> int:
    """The points that a hand can make as a bit mask, bit p for p points."""
    hidden: dict[int, int] = {}
    for card, copies in state.limit.items():
        hidden[POINTS[card]] = hidden.get(POINTS[card], 0) + copies - state.seen[card]
    known = sum(POINTS[card] for card in state.known[seat])
    return reachable_points(hidden, state.unknown[seat]) << known


def evolve_show(state: State, event: HandShown) -> None:
    """The hand, or its points, is known; with the last one the deal's points are taken."""
    if event.cards is not None:
        reveal(state, event.seat, event.cards)
    elif event.points is not None:
        state.points[event.seat] = event.points
    if not unshown(state):
        _take_points(state)


def check_who_won(state: State, event: GameClosed) -> None:
    """A team that sits at the table, places for all its seats."""
    if event.team is not None:
        teams = {seat.team for seat in state.seats if seat.team is not None}
        if event.team not in teams:
            raise Refusal(
                "malformed",
                "no team {given} sits at this table: its teams are {teams}",
                given=shown(event.team),
                teams=", ".join(sorted(teams)) or "–",
            )
    if event.places is not None and len(event.places) != len(state.seats):
        raise Refusal(
            "malformed",
            "`places` must name every seat at this table: 0 to {last}",
            last=len(state.seats) - 1,
        )


def check_close(state: State, event: GameClosed) -> None:
    """The referee can end a game at any time."""


def evolve_close(state: State, event: GameClosed) -> None:
    """The game is over, with the winner and the totals that the referee names."""
    state.debts.clear()
    state.hit = None
    for seat, total in (event.scores or {}).items():
        state.scores[seat] = total
    _end_game(state, event.winner)
    state.close_reason = event.reason
    if event.team is not None:
        state.team = event.team


HANDLES: Final[Handles] = {
    HandShown: {SHOW: (check_show, evolve_show)},
    GameClosed: dict.fromkeys(UNDER_WAY, (check_close, evolve_close)),
}
AT_TABLE: Final[Mapping[type[Event], Check]] = {GameClosed: check_who_won}
