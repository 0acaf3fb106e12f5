"""Single and double elimination as formats that are drawn round by round."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import ClassVar, Self

from ..errors import CannotDraw, gettext_noop
from ..format import (
    Contestant,
    Due,
    Format,
    OpenPlace,
    OpenPlaces,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
    results_missing,
)
from ..model import check_seed
from . import titles
from .places import BracketPlace, LastMatch, best_places, last_matches, open_places, ranking
from .plan import BracketStage, Plan, SectionPart, double_plan, single_plan
from .seeding import depth_for, standard_order
from .spread import spread
from .state import NOBODY, BracketStatus, Entrants, State, entrants_drawn, resolve, settled
from .titles import Title
from .tree import Bracket, tree

MOST_CONTESTANTS = 1024
REMATCH = "rematch"
"""The note of a match between two who have met before, for each of them."""


@dataclass(frozen=True, slots=True)
class Elimination(Format):
    """What single and double elimination have in common.

    The first `seeded` contestants are seeded by their numbers (None: all of them), the others drawn. With
    `apart`, those of one team or with a label in common meet as late as possible. `ranks_passed_over`: who
    by a correction should be in a match that others have played has a place with those who lost before it;
    see `places.ranking`.
    """

    seeded: int | None = None
    apart: bool = True
    ranks_passed_over: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        if self.seeded is not None and self.seeded < 0:
            raise ValueError(f"not a number of seeds: {self.seeded} (expected 0 or more)")

    def plan(self, depth: int) -> Plan:
        """The plan of a bracket of 2 ** `depth` places."""
        raise NotImplementedError

    def seeds(self, contestants: int) -> int:
        """See `Format`."""
        return contestants if self.seeded is None else min(self.seeded, contestants)

    def needs_lots(self, contestants: int) -> bool:
        """See `Format`."""
        return self.apart or self.seeds(contestants) < contestants

    def as_of_edition(self, edition: int) -> Self:
        """See `Format`."""
        return self if edition > 7 else replace(self, ranks_passed_over=False)

    def rounds_for(self, contestants: int) -> int | None:
        """How many rounds are drawn if nobody comes late or withdraws; None where results decide that."""
        _check_count(contestants)
        depth = depth_for(contestants)
        entrants = tuple(rank if rank <= contestants else NOBODY for rank in standard_order(depth))
        state = resolve(self.plan(depth), entrants, StageProgress(()))
        return sum(any(state[slot].is_match for slot in each.slots) for each in self.plan(depth).stages)

    def next_round(self, progress: StageProgress, seed: str, *, rematches: bool = False) -> RoundPlan | None:
        """The next round, or None if all is drawn.

        Late entries are drawn at once, on byes of the first round, as a round of their own. Later rounds are
        drawn as soon as the results are there that they follow from. Raises CannotDraw.
        """
        progress = settled(progress)
        plan, entrants, state = self._known(progress, seed)
        late = _late(progress, entrants)
        if late:
            return _late_round(late, entrants, _free_places(entrants, progress), len(progress.rounds) + 1)
        for stage in plan.stages:
            waiting = [state[slot] for slot in stage.slots if _is_waiting(state[slot])]
            if not waiting:
                continue
            _check_winners(progress)
            # Who passes through has to be known as well: a round says who has a bye.
            if any(None in state[slot].sides for slot in stage.slots):
                raise results_missing(progress) if progress.open_pairings() else _corrected_before()
            return _round(plan, stage, state, waiting, progress)
        return None

    def is_finished(self, progress: StageProgress) -> bool:
        """Whether all is drawn and decided; a match that a correction has flagged doesn't keep it open."""
        if not progress.rounds:
            return False
        _, _, state = self._drawn(settled(progress))
        return not any(standing.is_match and standing.is_open for standing in state.values())

    def places(self, progress: StageProgress) -> tuple[tuple[int, ...], ...] | None:
        """Who is placed, the best first, those who share a place together: `ranking` without its numbers."""
        return tuple(place.contestants for place in self.ranking(progress))

    def ranking(self, progress: StageProgress) -> tuple[BracketPlace, ...]:
        """The places that are decided, with their numbers, the best first."""
        if not progress.rounds:
            return ()
        plan, _, state = self._drawn(settled(progress))
        return ranking(plan, state, ranks_passed_over=self.ranks_passed_over)

    def last_matches(self, progress: StageProgress) -> dict[int, LastMatch]:
        """The last match of each who plays no more."""
        if not progress.rounds:
            return {}
        plan, _, state = self._drawn(settled(progress))
        return last_matches(plan, state)

    def open_places(self, progress: StageProgress, ranked_last: Collection[int] = ()) -> OpenPlaces:
        """The places that the bracket still leaves open, whatever the open matches bring; `ranked_last` are
        contestants who are gone and stand behind all others.
        """
        numbers = [one.number for one in progress.contestants]
        if not progress.rounds or _late(progress, entrants_drawn(progress)):
            # Who stands where isn't known yet.
            ranked = [one for one in numbers if one not in ranked_last]
            here = frozenset({OpenPlace(1, len(ranked), len(ranked))})
            return OpenPlaces(dict.fromkeys(ranked, here), is_exact=False)
        plan, _, state = self._drawn(progress)
        return open_places(
            plan, state, numbers, progress.gone, ranked_last, ranks_passed_over=self.ranks_passed_over
        )

    def best_places(self, progress: StageProgress, ranked_last: Collection[int] = ()) -> dict[int, int]:
        """The best place that each can still come to, as it stands: 1 for all who can still win. Who is out
        has the first of those that the losers of that round share, and `ranked_last` (as in `open_places`)
        have none.
        """
        progress = settled(progress)
        numbers = [one.number for one in progress.contestants]
        entrants = entrants_drawn(progress) if progress.rounds else ()
        coming = [one.number for one in _late(progress, entrants)] if progress.rounds else numbers
        known = [one for one in numbers if one not in coming]
        best = {one: 1 for one in coming if one not in ranked_last}
        if not known:
            return best
        plan, _, state = self._drawn(progress)
        return best | best_places(
            plan, state, known, progress.gone, ranked_last, ranks_passed_over=self.ranks_passed_over
        )

    def order(self, progress: StageProgress) -> tuple[tuple[int, ...], ...]:
        """Everybody who takes part, in levels: first who can still win it all. Below them is who plays for a
        place, who waits for one, and who has it, each level where its places are.
        """
        placed = list(self.ranking(progress))
        seen = {one for place in placed for one in place.contestants}
        left = [one.number for one in progress.contestants if one.number not in seen]
        for_all, for_place = (set(left), set()) if not progress.rounds else self._playing(progress)
        waiting = [
            [one for one in left if one in for_all],
            [one for one in left if one in for_place - for_all],
            [one for one in left if one not in for_all | for_place],
        ]
        levels: list[tuple[int, ...]] = []
        for place in placed:
            while any(waiting) and sum(map(len, levels)) + 1 < place.first:
                level = waiting.pop(0)
                levels += [tuple(level)] if level else []
            levels.append(place.contestants)
        return (*levels, *(tuple(level) for level in waiting if level))

    def _playing(self, progress: StageProgress) -> tuple[set[int], set[int]]:
        """Who has a match ahead that leads to the first place, and who one that leads to another."""
        for_all: set[int] = set()
        for_place: set[int] = set()
        for each in tree(*self._drawn(settled(progress))).rounds:
            for match in each.matches:
                if not match.is_decided:
                    ahead = {side.contestant for side in match.sides if side.contestant is not None}
                    (for_place if each.part is SectionPart.PLACES else for_all).update(ahead)
        return for_all, for_place

    def bracket(self, progress: StageProgress, seed: str) -> Bracket:
        """The bracket as it stands, also before anything is drawn. Raises CannotDraw."""
        return tree(*self._known(settled(progress), seed))

    def walkovers(self, progress: StageProgress, plan: RoundPlan) -> frozenset[int]:
        """Who is among a drawn round's byes and has won a match of it that was never drawn, since the other
        one is gone.
        """
        if not progress.rounds or not plan.byes:
            return frozenset()
        whole, _, state = self._drawn(settled(progress))
        drawn = {pairing.slot for pairing in plan.pairings}
        slots = [slot for stage in whole.stages if drawn & {*stage.slots} for slot in stage.slots]
        won = (state[slot] for slot in slots if state[slot].pairing is None)
        return frozenset(
            each.winner for each in won if each.outcome is not None and each.winner in plan.byes
        ) - {NOBODY}

    def matches_left(self, progress: StageProgress) -> int:
        """See `Format`: each match sets one apart."""
        placed = sum(map(len, self.places(progress) or ()))
        return max(0, len(progress.contestants) - placed - 1)

    def due(self, progress: StageProgress, seed: str) -> Due:
        """See `Format`."""
        matches = (match for each in self.bracket(progress, seed).rounds for match in each.matches)
        return {match.slot: match.due for match in matches if match.due is not None}

    def without_vacated(self, progress: StageProgress, begun: Collection[str]) -> list[RoundPlan]:
        """See `Format`: the other side goes on with a bye."""
        if not progress.rounds:
            return []
        plan, _, state = self._drawn(settled(progress))
        found = []
        for at, played in enumerate(progress.rounds):
            kept = [
                (pairing, outcome)
                for pairing, outcome in played.matches()
                if pairing.slot in begun or outcome is not None or NOBODY not in state[pairing.slot].due
            ]
            if not kept or len(kept) == len(played.outcomes):
                continue
            pairings = tuple(pairing for pairing, _ in kept)
            left = PlayedRound(replace(played.plan, pairings=pairings), tuple(end for _, end in kept))
            after = replace(progress, rounds=(*progress.rounds[:at], left, *progress.rounds[at + 1 :]))
            _, _, then = self._drawn(settled(after))
            slots = {pairing.slot for pairing in played.plan.pairings}
            stage = next(each for each in plan.stages if slots & {*each.slots})
            found.append(replace(left.plan, byes=_byes(stage, then, progress.gone)))
        return found

    def why_no_swap(self, progress: StageProgress) -> CannotDraw | None:
        """See `Format`."""
        if len(progress.rounds) < 2:
            return None
        return CannotDraw(
            "nothing_to_swap",
            gettext_noop("In a knockout only the first round is drawn; all others follow from results."),
        )

    def _known(self, progress: StageProgress, seed: str) -> tuple[Plan, Entrants, State]:
        check_seed(seed)
        if progress.rounds:
            return self._drawn(progress)
        field = progress.playing()
        numbers = {one.number for one in field}
        if len(numbers) != len(field) or any(number < 1 for number in numbers):
            raise CannotDraw(
                "contestant_numbers", gettext_noop("Contestants need different numbers from 1 up.")
            )
        _check_count(len(field))
        placed = spread(field, self.seeded, seed, apart=self.apart)
        entrants = tuple(NOBODY if one is None else one.number for one in placed)
        plan = self.plan(depth_for(len(field)))
        return plan, entrants, resolve(plan, entrants, progress)

    def _drawn(self, progress: StageProgress) -> tuple[Plan, Entrants, State]:
        """From what was drawn alone: the seed has played its part."""
        entrants = entrants_drawn(progress)
        plan = self.plan(depth_for(len(entrants)))
        return plan, entrants, resolve(plan, entrants, progress)


@dataclass(frozen=True, slots=True)
class SingleElimination(Elimination):
    """Who loses once is out. The places up to `played_for` are played for; others are shared. It is 2 (the
    final), 4 (also the third place) or 8 (also those from 5 to 8).
    """

    played_for: int = 2

    key: ClassVar[str] = "single_elimination"
    name: ClassVar[str] = gettext_noop("Knockout")
    explanation: ClassVar[str] = gettext_noop("Who loses a match is out; the last two meet in the final.")

    def __post_init__(self) -> None:
        Elimination.__post_init__(self)
        if self.played_for not in {2, 4, 8}:
            raise ValueError(f"places can't be played for up to {self.played_for} (expected 2, 4 or 8)")

    def plan(self, depth: int) -> Plan:
        """The plan of a bracket of 2 ** `depth` places."""
        return single_plan(depth, self.played_for)


@dataclass(frozen=True, slots=True)
class DoubleElimination(Elimination):
    """Who loses twice is out. With `reset`, whoever comes to the final without a defeat has to be beaten
    twice there; without, the final decides alone.
    """

    reset: bool = True

    key: ClassVar[str] = "double_elimination"
    name: ClassVar[str] = gettext_noop("Double knockout")
    explanation: ClassVar[str] = gettext_noop(
        "Who loses a match goes on in the losers’ bracket, and is out after the second defeat; "
        "the winners of both brackets meet in the final."
    )

    def plan(self, depth: int) -> Plan:
        """The plan of a bracket of 2 ** `depth` places."""
        return double_plan(depth, self.reset)

    def rounds_for(self, contestants: int) -> int | None:
        """How many rounds are drawn; None with a deciding final, which results decide."""
        rounds = Elimination.rounds_for(self, contestants)
        return None if self.reset else rounds


def _check_count(contestants: int) -> None:
    if not 2 <= contestants <= MOST_CONTESTANTS:
        raise CannotDraw(
            "contestants",
            gettext_noop("A knockout is for 2 to %(most)d contestants, not %(given)d."),
            most=MOST_CONTESTANTS,
            given=contestants,
        )


def _check_winners(progress: StageProgress) -> None:
    for pairing, outcome in progress.played():
        nobody_goes_on = outcome.walkover and outcome.winner is None
        if outcome.winner not in pairing.sides and not nobody_goes_on:
            raise CannotDraw(
                "no_winner",
                gettext_noop(
                    "In a knockout somebody has to win: the match between numbers %(one)d and %(other)d has "
                    "no winner."
                ),
                one=pairing.sides[0],
                other=pairing.sides[1],
            )


def _corrected_before() -> CannotDraw:
    return CannotDraw(
        "corrected_before",
        gettext_noop(
            "After a correction somebody would meet themselves: correct the matches played since as well."
        ),
    )


def _is_waiting(standing: BracketStatus) -> bool:
    return standing.is_match and standing.pairing is None and standing.is_open


def _round(
    plan: Plan, stage: BracketStage, state: State, waiting: Sequence[BracketStatus], progress: StageProgress
) -> RoundPlan:
    met = {
        frozenset(pair)
        for each in progress.rounds
        for pairing in each.plan.pairings
        for pair in combinations(pairing.sides, 2)
    }
    pairings = []
    for standing in waiting:
        # `is_known` has seen that nobody is missing.
        one, other = (who or NOBODY for who in standing.sides)
        again = {one, other} in met
        notes = ((REMATCH, one), (REMATCH, other)) if again else ()
        pairings.append(RoundPairing(standing.node.slot, (one, other), notes))
    title = _title(plan, stage, waiting)
    return RoundPlan(
        number=len(progress.rounds) + 1,
        title=title.template,
        values=title.values,
        pairings=tuple(pairings),
        byes=_byes(stage, state, progress.gone),
    )


def _title(plan: Plan, stage: BracketStage, waiting: Iterable[BracketStatus]) -> Title:
    """The stage's, or where only one round of one part is left of it, that round's."""
    rounds = {(standing.node.part, standing.node.round) for standing in waiting}
    if len(rounds) > 1 or {part for part, _ in rounds} == {SectionPart.PLACES}:
        return stage.title
    return plan.rounds[rounds.pop()]


def _byes(stage: BracketStage, state: State, gone: frozenset[int]) -> tuple[int, ...]:
    """Who goes on from this stage without playing, in the order of their places."""
    through = [state[slot] for slot in stage.slots if state[slot].pairing is None and state[slot].winner]
    return tuple(standing.winner for standing in through if standing.winner and standing.winner not in gone)


def _late(progress: StageProgress, entrants: Entrants) -> list[Contestant]:
    """Who came after the first round was drawn, and isn't in the bracket yet."""
    if not progress.rounds:
        return []
    return sorted(
        (one for one in progress.playing() if one.number not in entrants), key=lambda one: one.number
    )


def _free_places(entrants: Entrants, progress: StageProgress) -> list[int]:
    """Where late entries can come in: the places of byes, those that seeds would take next first.

    There are none once another round than the first is drawn. Byes next to somebody who is gone come last.
    """
    slots = (pairing.slot for each in progress.rounds for pairing in each.plan.pairings)
    if not all(slot.startswith("W1.") for slot in slots):
        return []
    rank = standard_order(depth_for(len(entrants)))
    return sorted(
        (place for place, one in enumerate(entrants) if one == NOBODY),
        key=lambda place: (entrants[place ^ 1] in progress.gone, rank[place]),
    )


def _late_round(
    late: Sequence[Contestant], entrants: Entrants, places: Sequence[int], number: int
) -> RoundPlan:
    if len(late) > len(places):
        raise CannotDraw(
            "no_free_bye",
            gettext_noop(
                "Late entries: %(late)d; byes of the first round that are still free: %(free)d. "
                "A knockout can't take in more."
            ),
            late=len(late),
            free=len(places),
        )
    filled = dict(zip(places, (one.number for one in late), strict=False))
    pairings = []
    for place in sorted(filled):
        first = place & ~1
        sides = (filled.get(first, entrants[first]), filled.get(first + 1, entrants[first + 1]))
        pairings.append(RoundPairing(f"W1.{first // 2 + 1}", sides))
    return RoundPlan(number, titles.LATE.template, titles.LATE.values, tuple(pairings))


def bracket_of(form: Format, progress: StageProgress, seed: str) -> Bracket | None:
    """The bracket of a stage as it stands; None of a format that has none. Raises CannotDraw."""
    return form.bracket(progress, seed) if isinstance(form, Elimination) else None


def last_matches_of(form: Format, progress: StageProgress) -> dict[int, LastMatch]:
    """The last match of each who plays no more in a bracket; nothing of another format."""
    return form.last_matches(progress) if isinstance(form, Elimination) else {}
