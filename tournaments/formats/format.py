"""The interface of every format, and the plain data of rounds.

Contestants are numbered from 1 in the order of their seeding. A contestant is a squad, a team or a single
entry, which plays no part here. A format is a function of what was played: the same contestants, results and
seed give the same next round anywhere. Rounds that were drawn are kept as they are, whatever a correction
makes of earlier results. `next_round` builds on them, and says what it would draw now.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, NamedTuple, Self

from .errors import CannotDraw, gettext_noop
from .points import USUAL_POINTS, MatchPoints
from .table_result import ResultKind, TableResult


class Contestant(NamedTuple):
    """Somebody to be paired: `number` is the place in the seeding, from 1; `team` a number from 1.

    `labels` are opaque numbers of what two contestants may have in common (a family, a class) that should
    keep them apart. `since` is the first round in which a late one plays; in those of `sits_out` they don't,
    as they asked before these were drawn.
    """

    number: int
    team: int
    labels: frozenset[int] = frozenset()
    since: int = 1
    sits_out: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PairingOutcome:
    """How a match ended: the points of each side, in the order of its sides, and who won it.

    `winner` is a contestant's number, or None where nobody did (a draw). A `walkover` was won without a game.
    `places` are those of the sides, where the format ranks them; they count from 1 and skip after ties.
    `absent` are the contestants at a table of many who weren't there: they share the last place, and their
    points here say nothing (`Format.points_unplayed` does).
    """

    points: tuple[Fraction, ...]
    winner: int | None
    walkover: bool = False
    places: tuple[int, ...] = ()
    absent: frozenset[int] = frozenset()

    def place(self, at: int) -> int | None:
        """The place of the side at an index; None where they have none, or nobody played for it."""
        return self.places[at] if self.places and not self.walkover else None


class RoundPairing(NamedTuple):
    """Who meets at one table: two sides, or more where the format sits more down together.

    The first side has the first seat in the first game. `slot` is the match's place in the format, such as a
    bracket's; the same in whatever round and order it is drawn. `notes` are codes for what should be said of
    it (a float, a second meeting), each with the contestant it concerns.
    """

    slot: str
    sides: tuple[int, ...]
    notes: tuple[tuple[str, int], ...] = ()


class TakenSeat(NamedTuple):
    """A free seat of a drawn round, which somebody takes who comes late or is back. It is at the end of the
    table of a slot, or that of `instead`, who has left.
    """

    slot: str
    contestant: int
    instead: int | None = None


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """One round: its pairings in order, and who has a bye.

    `title` is a msgid with `values`, such as "Round %(number)d" or "Semi-finals"; empty where the number says
    all. `rematches`: second
    meetings were allowed for this round alone, since there was no way without. `taken`: free seats that were
    taken since it was drawn, in this order; they are in its pairings.
    """

    number: int
    title: str
    values: tuple[tuple[str, int], ...]
    pairings: tuple[RoundPairing, ...]
    byes: tuple[int, ...] = ()
    rematches: bool = False
    taken: tuple[TakenSeat, ...] = ()

    def taking_part(self) -> list[int]:
        """Who has a match in it, table by table, and who has a bye."""
        return [*(side for pairing in self.pairings for side in pairing.sides), *self.byes]

    def drawn_for(self) -> set[int]:
        """Who took part in it when it was drawn, before free seats were taken."""
        found = set(self.taking_part())
        for seat in reversed(self.taken):
            found.remove(seat.contestant)
            if seat.instead is not None:
                found.add(seat.instead)
        return found

    def with_taken(self, seat: TakenSeat) -> "RoundPlan":
        """The round once a free seat of it is taken."""
        pairings = tuple(
            each._replace(sides=_seated(each.sides, seat)) if each.slot == seat.slot else each
            for each in self.pairings
        )
        return replace(self, pairings=pairings, taken=(*self.taken, seat))


def _seated(sides: tuple[int, ...], seat: TakenSeat) -> tuple[int, ...]:
    if seat.instead is None:
        return (*sides, seat.contestant)
    return tuple(seat.contestant if side == seat.instead else side for side in sides)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that was drawn, with the outcome of each pairing; None for one that isn't decided yet."""

    plan: RoundPlan
    outcomes: tuple[PairingOutcome | None, ...]

    def matches(self) -> Iterator[tuple[RoundPairing, PairingOutcome | None]]:
        """The pairings, each with its outcome."""
        return zip(self.plan.pairings, self.outcomes, strict=True)

    def played(self) -> Iterator[tuple[RoundPairing, PairingOutcome]]:
        """The pairings that are decided, with how."""
        return ((pairing, outcome) for pairing, outcome in self.matches() if outcome is not None)

    def open_pairings(self) -> list[RoundPairing]:
        """The pairings that aren't decided yet."""
        return [pairing for pairing, outcome in self.matches() if outcome is None]

    @property
    def is_complete(self) -> bool:
        """Whether every pairing is decided."""
        return None not in self.outcomes


@dataclass(frozen=True, slots=True)
class StageProgress:
    """A stage so far: who takes part, what was drawn and played, who is `gone` (withdrawn or disqualified).

    Who is gone isn't paired again. What they played stands, unless the format has a rule for those who leave
    early. The decision that removed them can say otherwise. Of the `annulled` no result counts, for them or
    against them, and of the `kept` all stand whatever the format's rule says.
    """

    contestants: tuple[Contestant, ...]
    rounds: tuple[PlayedRound, ...] = ()
    gone: frozenset[int] = frozenset()
    annulled: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()

    def played(self) -> Iterator[tuple[RoundPairing, PairingOutcome]]:
        """All decided pairings, round after round."""
        for each in self.rounds:
            yield from each.played()

    def open_pairings(self) -> list[RoundPairing]:
        """All drawn pairings that aren't decided yet."""
        return [pairing for each in self.rounds for pairing in each.open_pairings()]

    @property
    def is_complete(self) -> bool:
        """Whether all that was drawn is decided."""
        return all(each.is_complete for each in self.rounds)

    def are_too_few_left(self) -> bool:
        """Whether fewer than two who began are left, so that no round can follow those that were drawn."""
        return bool(self.rounds) and len({one.number for one in self.contestants} - self.gone) < 2

    def playing(self) -> tuple[Contestant, ...]:
        """Who can be paired in the next round."""
        number = len(self.rounds) + 1
        return tuple(
            one
            for one in self.contestants
            if one.number not in self.gone and one.since <= number and number not in one.sits_out
        )


Due = Mapping[str, tuple[int | None, ...]]
"""By slot, who would be drawn there by the results as they are (None: nobody, or not known yet)."""


@dataclass(frozen=True, slots=True)
class UnplayedPoints:
    """What a contestant has of a round without a match; `is_requested`: not left over by the draw.

    `is_absent`: it has left, or wasn't there.
    """

    contestant: int
    points: Fraction
    is_requested: bool
    is_absent: bool = False


class OpenPlace(NamedTuple):
    """Places that contestants can come to who share them. The first of those shared is one from `best` to
    `worst`, which are the same unless it hangs on who left. The last one is `last` at most.
    """

    best: int
    worst: int
    last: int


@dataclass(frozen=True, slots=True)
class OpenPlaces:
    """By contestant, the places that they can still come to. `is_exact`: each of them is taken in some way in
    which the open matches end.
    """

    by_contestant: Mapping[int, frozenset[OpenPlace]]
    is_exact: bool


class Format(ABC):
    """A format; its own settings are its attributes. What most formats do alike is said here.

    `points` is what a match gives. `is_predetermined`: results play no part in who meets whom, so all
    rounds are drawn together.
    `unplayed_points`: what a round without a match can give: a bye, one that was asked for, one before one
    came; empty where it gives nothing. `groups` and `seats`: how many groups there are, and seats at a table.
    `annuls_early_leavers`: nothing counts of who leaves early, unless it is decided otherwise.
    `swaps_within_teams`: squads change places with those of their team, in any round. `replans`: where all
    rounds are drawn together, those that nobody has begun can be drawn anew for who is there. They stay where
    they can: who leaves leaves an empty seat, and who comes or is back takes a free one.
    `plays_on_without`: at a table the others play on without who isn't there, and count among themselves.
    """

    __slots__ = ()

    key: ClassVar[str]
    name: ClassVar[str]
    explanation: ClassVar[str]
    points: MatchPoints = USUAL_POINTS
    groups: int = 1
    seats: int = 2
    is_predetermined: ClassVar[bool] = False
    swaps_within_teams: ClassVar[bool] = False
    replans: ClassVar[bool] = False
    plays_on_without: ClassVar[bool] = False

    @abstractmethod
    def rounds_for(self, contestants: int) -> int | None:
        """How many rounds so many contestants play; None where that depends on results."""

    @abstractmethod
    def next_round(self, progress: StageProgress, seed: str, *, rematches: bool = False) -> RoundPlan | None:
        """The next round, or None if all is drawn; the same input gives the same round anywhere.

        With `rematches` second meetings are allowed for this round alone, where there is no way without.
        Raises CannotDraw for a field that the format can't be played by, and with the code
        `results_missing` where it needs results that aren't there.
        """

    def coming_rounds(
        self, progress: StageProgress, seed: str, *, rematches: bool = False
    ) -> list[RoundPlan]:
        """All rounds that can be drawn now; raises CannotDraw as `next_round` does."""
        following = self.next_round(progress, seed, rematches=rematches)
        return [] if following is None else [following]

    @abstractmethod
    def is_finished(self, progress: StageProgress) -> bool:
        """Whether all is drawn and decided."""

    def stays_without(self, plan: RoundPlan, gone: Collection[int]) -> bool:
        """Whether a drawn round can be played as it is without those who are gone."""
        return True

    def free_seat(self, progress: StageProgress, plan: RoundPlan, contestant: int) -> TakenSeat | None:
        """The free seat of a drawn round that suits somebody best who isn't in it; None where there is none.

        The same input gives the same seat anywhere.
        """
        return None

    def places(self, progress: StageProgress) -> tuple[tuple[int, ...], ...] | None:
        """The order that the format itself decides, first place first, those that share a place together.

        None where the standings' metrics decide. Who is still to be placed isn't there.
        """
        return None

    def order(self, progress: StageProgress) -> tuple[tuple[int, ...], ...]:
        """Everybody in levels, where the format itself decides: who is still to be placed comes first."""
        placed = self.places(progress) or ()
        seen = {one for level in placed for one in level}
        open_ = tuple(one.number for one in progress.contestants if one.number not in seen)
        return tuple(level for level in (open_, *placed) if level)

    def drawn_by(self, method: str) -> Self:
        """The format as it was when a stage was drawn by this method."""
        return self

    def as_of_edition(self, edition: int) -> Self:
        """The format with the places that an edition of the rules for standings gives."""
        return self

    def layout(self, contestants: Sequence[Contestant]) -> str:
        """The name of the plan that says who meets when; the format's own key where there is but one."""
        return self.key

    def seeds(self, contestants: int) -> int:
        """How many of so many contestants are set by their numbers; the draw places the others."""
        return 0

    def needs_lots(self, contestants: int) -> bool:
        """Whether the draw of so many contestants hangs on more than their numbers and results."""
        return True

    def sitting_out(self, contestants: Iterable[Contestant], plan: RoundPlan) -> tuple[int, ...]:
        """Who has no match in a round and waits for the next one."""
        return plan.byes

    def division(self, progress: StageProgress, seed: str) -> tuple[tuple[int, ...], ...]:
        """The contestants by group; all in one where the format has no groups."""
        return (tuple(one.number for one in progress.contestants),)

    def annulled(self, progress: StageProgress, seed: str) -> frozenset[int]:
        """The contestants against whom no result counts, by the format's rule or by decision."""
        return progress.annulled

    @property
    def result_kind(self) -> ResultKind:
        """What it takes from a game."""
        return ResultKind.WINNER

    @property
    def place_points(self) -> tuple[Fraction, ...]:
        """What each place at a full table gives; empty where places give nothing."""
        return ()

    @property
    def most_points(self) -> Fraction:
        """The most that a match gives to one side."""
        return self.points.win

    def outcomes(self, plan: RoundPlan, results: Sequence[TableResult | None]) -> list[PairingOutcome | None]:
        """How the pairings of a round ended, where each is one game at a table of many; None for one that
        isn't decided. `results` are those of its pairings, None for a game that isn't over.
        """
        raise NotImplementedError

    def without_annulled(
        self, pairing: RoundPairing, outcome: PairingOutcome | None, annulled: Collection[int]
    ) -> tuple[RoundPairing, PairingOutcome | None] | None:
        """A pairing as it counts where no result of these does; None where it counts for nobody. Who wasn't
        there isn't among its sides.
        """
        return None if set(annulled) & set(pairing.sides) else (pairing, outcome)

    def counted(
        self, played: PlayedRound, annulled: Collection[int]
    ) -> list[tuple[RoundPairing, PairingOutcome | None] | None]:
        """`without_annulled` of each pairing of a round."""
        return [self.without_annulled(*match, annulled) for match in played.matches()]

    @property
    def annuls_early_leavers(self) -> bool:
        """See the class."""
        return False

    @property
    def unplayed_points(self) -> tuple[Fraction, ...]:
        """See the class."""
        return ()

    def points_absent(self, played: PlayedRound, annulled: Collection[int]) -> Fraction | None:
        """What a round gives to who isn't at their table in it; None while that isn't known."""
        return None

    def points_unplayed(self, progress: StageProgress, plan: RoundPlan) -> list[UnplayedPoints]:
        """What a drawn round gives to those who have no match in it, or weren't there for theirs."""
        return []

    def walkovers(self, progress: StageProgress, plan: RoundPlan) -> frozenset[int]:
        """Who of a round's byes has won a match that was never drawn, since the other one is gone."""
        return frozenset()

    def best_places(self, progress: StageProgress, ranked_last: Collection[int] = ()) -> dict[int, int]:
        """The best place that each can still come to, while the format's own structure tells it."""
        return {}

    def open_places(self, progress: StageProgress, ranked_last: Collection[int] = ()) -> OpenPlaces | None:
        """The places that the format's own structure leaves open; None where results alone tell."""
        return None

    def matches_left(self, progress: StageProgress) -> int:
        """How many matches have at least to be decided yet."""
        contestants = len(progress.contestants)
        undrawn = (self.rounds_for(contestants) or 0) - len(progress.rounds)
        return len(progress.open_pairings()) + max(0, undrawn) * (contestants // 2)

    def due(self, progress: StageProgress, seed: str) -> Due | None:
        """The drawn pairings that results would draw otherwise now, where each follows from others by itself.

        None where a round is drawn as a whole.
        """
        return None

    def without_vacated(self, progress: StageProgress, begun: Collection[str]) -> list[RoundPlan]:
        """The drawn rounds that lose a match and keep another, without matches to which a side can't come.

        A side can't come where nobody goes on to it. Slots in `begun` stay.
        """
        return []

    def why_no_swap(self, progress: StageProgress) -> CannotDraw | None:
        """Why nobody can change places in the last round that is drawn; None where somebody can."""
        return None


def results_missing(progress: StageProgress) -> CannotDraw:
    """What a format says that can't go on before the last round is decided."""
    return CannotDraw(
        "results_missing",
        gettext_noop("The next round follows from results, and %(missing)d of them are missing."),
        missing=len(progress.open_pairings()),
    )


def refuse_repeated(contestants: Iterable[Contestant]) -> None:
    """Refuse with `CannotDraw` a contestant who is there twice."""
    for number, times in Counter(one.number for one in contestants).items():
        if times > 1:
            raise CannotDraw(
                "contestant_twice",
                gettext_noop("Contestant %(contestant)d is there %(times)d times; once was expected."),
                contestant=number,
                times=times,
            )


def unknown_contestant(number: int) -> CannotDraw:
    """What is said of a contestant who isn't there."""
    return CannotDraw(
        "unknown_contestant",
        gettext_noop("Contestant %(contestant)d isn't in this tournament."),
        contestant=number,
    )


def other_method(method: str, given: str) -> CannotDraw:
    """What is said of a method by which something isn't drawn."""
    return CannotDraw(
        "method",
        gettext_noop("These inputs are drawn by the method %(method)s, not by %(given)s."),
        method=method,
        given=repr(given),
    )
