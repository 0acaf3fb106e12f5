"""Outcome of a game: status, winner, points of the seats and penalty cards drawn.

Points and penalties are worked out from the whole log, once the game is over. A snapshot can't tell points
that nobody wrote down from zeros, nor the cards of a penalty from those of a draw card.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final, Self
from uuid import UUID

from games.engine import Event, State, advance, effective_log
from games.engine import replay as replay_events
from games.engine.events import (
    CardsDrawn,
    ChallengeMade,
    DealStarted,
    EventVoided,
    GameClosed,
    PenaltyGiven,
    UnoCaught,
)
from games.engine.places import places_of
from games.engine.state import DRAW, HIT, PENALTY, PENALTY_ENDS_TURN, Debt
from games.models import Game

NO_POINTS: Final = "first_out"
"""The `scoring` of rule sets that count no points."""

WINNER_TAKES: Final = "winner_takes"
"""The one `scoring` in which points are good: who wins a deal scores what all others hold."""

# Ends up to which a log with deals was written card by card. Who enters a `result` wrote down no further.
_WRITTEN_TO_THE_END: Final = frozenset({"played", "time"})

NOT_FOLLOWED: Final = "not-followed"
"""The reason of a correction that takes lines out since the engine can't follow them: a result that was
entered from paper stands in their place.
"""

_WILD_FOUR_CARDS: Final = 4


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a game that is over, by seat; None where nobody knows.

    `teams` are whose the seats are. `points` are the totals that the rule set's `scoring` counts, so high is
    good under `winner_takes` alone. `penalties` are the cards that each seat drew as penalties, see
    `penalty_cards`. `places` are those that were entered with the end of the game. `cards` are how many each
    seat was left holding, where neither points nor places are known but the log was written card by card.
    """

    teams: tuple[UUID, ...]
    scoring: str
    points: tuple[int, ...] | None = None
    penalties: tuple[int, ...] | None = None
    places: tuple[int, ...] | None = None
    cards: tuple[int, ...] | None = None

    @classmethod
    def of_log(
        cls, events: Sequence[Event], state: State, counted: "PenaltyCount | None" = None
    ) -> Self | None:
        """The figures that a log says, and the state it leads to; None while it goes on, or if it says none.

        Seats name teams by id. `counted`: the penalties of these events, where they were counted already.
        """
        if not state.over:
            return None
        happened = [event for _, event in effective_log(events)]
        is_written = (
            state.close_reason in _WRITTEN_TO_THE_END
            and any(isinstance(event, DealStarted) for event in happened)
            and not lines_in_whose_place(events)
        )
        points = _points(state, happened, is_written)
        penalties = None
        if is_written:
            penalties = counted.by_seat() if counted else penalty_cards(happened)
        places = _places(happened[-1], len(state.seats))
        if points is None and penalties is None and places is None:
            return None
        cards = tuple(state.hands) if is_written and points is None and places is None else None
        teams = tuple(UUID(seat.team) for seat in state.seats)
        return cls(teams, state.ruleset.scoring, points, penalties, places, cards)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What `to_json` wrote."""
        by_seat = (data[name] for name in ("points", "penalties"))
        more = (data.get(name) for name in ("places", "cards"))
        return cls(
            tuple(UUID(team) for team in data["teams"]),
            data["scoring"],
            *(None if each is None else tuple(each) for each in (*by_seat, *more)),
        )

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values; `places` and `cards` only where they are known."""
        return {
            "teams": [str(team) for team in self.teams],
            "scoring": self.scoring,
            "points": None if self.points is None else list(self.points),
            "penalties": None if self.penalties is None else list(self.penalties),
            **({} if self.places is None else {"places": list(self.places)}),
            **({} if self.cards is None else {"cards": list(self.cards)}),
        }

    @property
    def ranking(self) -> tuple[int, ...] | None:
        """The place of each seat, counted from 1 and skipping after ties; None where nobody knows.

        As it was entered, else by the points in the direction of the rule set's `scoring`, else by the cards
        left: fewest first.
        """
        known = self.cards if self.points is None else self.points
        if self.places is not None or known is None:
            return self.places
        is_high_good = self.points is not None and self.scoring == WINNER_TAKES
        return places_of([-each for each in known] if is_high_good else known)

    def of_seats(self, seats: Sequence[int]) -> Self:
        """The figures of some of the seats, without their places."""

        def at(by_seat: tuple[int, ...] | None) -> tuple[int, ...] | None:
            return None if by_seat is None else tuple(by_seat[seat] for seat in seats)

        teams = tuple(self.teams[seat] for seat in seats)
        return replace(
            self,
            teams=teams,
            points=at(self.points),
            penalties=at(self.penalties),
            places=None,
            cards=at(self.cards),
        )

    def penalties_of(self, teams: Sequence[UUID]) -> tuple[int, ...] | None:
        """The penalty cards of each of these teams, its seats added up."""
        return self._added_up(self.penalties, teams)

    def card_points_of(self, teams: Sequence[UUID]) -> tuple[int, ...] | None:
        """What each of these teams took in cards: what the others were left holding.

        Under `winner_takes` those are its own points. Where everybody scores what is left in hand, they are
        the points of all other teams.
        """
        own = self._added_up(self.points, teams)
        if own is None or self.scoring == WINNER_TAKES:
            return own
        return tuple(sum(own) - each for each in own)

    def _added_up(self, by_seat: tuple[int, ...] | None, teams: Sequence[UUID]) -> tuple[int, ...] | None:
        if by_seat is None:
            return None
        seated = list(zip(self.teams, by_seat, strict=True))
        return tuple(sum(number for owner, number in seated if owner == team) for team in teams)


def lines_in_whose_place(events: Sequence[Event]) -> list[int]:
    """The lines that the engine couldn't follow, in whose place a log's end was entered from paper.

    None where anything was entered since but what ends or corrects.
    """
    last = takewhile(lambda event: isinstance(event, EventVoided | GameClosed), reversed(events))
    return [event.line for event in last if isinstance(event, EventVoided) and event.reason == NOT_FOLLOWED]


def _points(state: State, happened: Sequence[Event], is_written: bool) -> tuple[int, ...] | None:
    """The totals, where all of them are known: from written deals, or named when the game was closed."""
    if not state.ruleset.counts_points:
        return None
    last = happened[-1]
    named = (isinstance(last, GameClosed) and last.scores) or {}
    return tuple(state.scores) if is_written or len(named) == len(state.seats) else None


def _places(last: Event, seats: int) -> tuple[int, ...] | None:
    """The places that were entered with the end of a game."""
    if not isinstance(last, GameClosed) or last.places is None:
        return None
    return tuple(last.places[seat] for seat in range(seats))


def penalty_cards(events: Sequence[Event]) -> tuple[int, ...]:
    """How many cards each seat drew as penalties, by a log without corrections.

    A penalty is for something done wrong: an UNO that was forgotten and caught, prompting, or a wrong card.
    So is a Wild Draw Four against its condition (all that its player draws when the challenge is upheld). So
    is a challenge that fails (what is drawn beyond what the card itself deals out). Draw cards, free draws,
    the gift after a 0 and a finisher's new hand aren't. Cards count when they are drawn: what the pile
    doesn't hold any more, or the end of the game spares, doesn't.
    """
    count = PenaltyCount()
    for event in events:
        count.see(event)
    return count.by_seat()


class PenaltyCount:
    """A replay that remembers of which debts how much is a penalty."""

    def __init__(self) -> None:
        self.state = State()
        self._drawn: dict[int, int] = {}
        self._owed: list[tuple[Debt, int]] = []

    def by_seat(self) -> tuple[int, ...]:
        """The cards that each seat drew as penalties so far."""
        return tuple(self._drawn.get(seat, 0) for seat in range(len(self.state.seats)))

    def see(self, event: Event) -> None:
        """Let one event happen, and count what it draws."""
        if isinstance(event, CardsDrawn) and self._owed and self.state.phase == DRAW:
            self._pay(event)
        imposed = self._imposed(event)
        before = list(self.state.debts) if imposed else []
        advance(self.state, event)
        if imposed:
            self._add(*imposed, before)
        if self._owed:
            # Debts can lapse, also all at once: they are told apart by being the same object.
            standing = {id(debt) for debt in self.state.debts}
            self._owed = [each for each in self._owed if id(each[0]) in standing]

    def _imposed(self, event: Event) -> tuple[int, int, tuple[str, ...]] | None:
        """Whom an event makes draw how many cards as a penalty, and for what reasons of a debt."""
        state, ruleset = self.state, self.state.ruleset
        if isinstance(event, UnoCaught):
            return event.seat, ruleset.uno_penalty, (PENALTY,)
        if isinstance(event, PenaltyGiven):
            wrong = event.reason == "wrong_card"
            count = ruleset.wrong_card_penalty if wrong else ruleset.prompting_penalty
            return event.seat, count, (PENALTY, PENALTY_ENDS_TURN)
        if isinstance(event, ChallengeMade) and state.hit is not None:
            if event.upheld:
                return state.hit.offender, state.hit.total, (PENALTY,)
            return event.seat, ruleset.challenge_failed_cards - _WILD_FOUR_CARDS, (HIT,)
        return None

    def _add(self, seat: int, count: int, reasons: tuple[str, ...], before: Sequence[Debt]) -> None:
        known = {id(debt) for debt in before}
        for debt in self.state.debts:
            if id(debt) not in known and debt.seat == seat and debt.reason in reasons and count > 0:
                self._owed.append((debt, min(count, debt.count)))

    def _pay(self, event: CardsDrawn) -> None:
        """Of a debt that is a penalty in part the rest is drawn first."""
        # What there isn't is nobody's penalty.
        debt, due = self.state.debts[-1], min(self.state.owed, self.state.drawable())
        for place, (owed, count) in enumerate(self._owed):
            if owed is debt:
                left = min(count, due - event.count)
                self._drawn[event.seat] = self._drawn.get(event.seat, 0) + min(count, due) - left
                self._owed[place] = (debt, left)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a game is over, how it ended, and who won: a seat, its team, or neither.

    `closed_by` is `played` where the game ended by its rules, else the reason of `game_closed`; empty while
    it goes on. `figures` are the points and penalty cards of its seats; None where nobody knows any.
    `is_from_paper`: it was entered from paper, since the engine couldn't follow the log.
    """

    is_over: bool = False
    closed_by: str = ""
    seat: int | None = None
    team: UUID | None = None
    figures: Figures | None = None
    is_from_paper: bool = False

    @classmethod
    def of_log(cls, events: Sequence[Event], state: State, counted: PenaltyCount | None = None) -> Self:
        """The outcome of a log and the state that it leads to, whose seats name teams by id.

        `events` is the whole log, corrections included; it isn't looked at while the game goes on. Who has
        `counted` the penalties of these very events on the way saves a replay.
        """
        if not state.over:
            return cls()
        team = state.team
        if team is None and state.winner is not None:
            team = state.seats[state.winner].team
        return cls(
            True,
            state.close_reason or "",
            state.winner,
            UUID(team) if team else None,
            Figures.of_log(events, state, counted),
            bool(lines_in_whose_place(events)),
        )

    @classmethod
    def of_row(cls, game: Game) -> Self:
        """The outcome as stored with the game."""
        return cls(
            game.is_over,
            game.closed_by,
            game.winner_seat,
            game.winner_team,
            Figures.from_json(game.figures) if game.figures else None,
            game.is_from_paper,
        )

    @property
    def points(self) -> tuple[int, ...] | None:
        """The points of each seat as the rule set counts them; None where nobody knows, or counts them."""
        return self.figures.points if self.figures else None

    @property
    def places(self) -> tuple[int, ...] | None:
        """The place of each seat, see `Figures.ranking`; None where nobody knows."""
        return self.figures.ranking if self.figures else None

    @property
    def penalties(self) -> tuple[int, ...] | None:
        """How many cards each seat drew as penalties; None where nobody knows."""
        return self.figures.penalties if self.figures else None


def replayed(events: Sequence[Event]) -> tuple[State, Outcome]:
    """The state that a whole log leads to, and its outcome; Refusal for a log that isn't legal.

    One replay for both; where the log has corrections, one for each.
    """
    if any(isinstance(event, EventVoided) for event in events):
        state = replay_events(events)
        return state, Outcome.of_log(events, state)
    count = PenaltyCount()
    for event in events:
        count.see(event)
    return count.state, Outcome.of_log(events, count.state, count)
