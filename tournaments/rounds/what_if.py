"""Which places are still open where rounds follow from results: the rest is played out, again and again.

Each open match is taken to be won by one of its sides, rounds and stages that are still to be drawn are drawn
by the formats as they would be, and where squads are level for a place in the next stage any order of them is
possible. Where all of that is few enough, every way is gone through, and the places are exact. Otherwise ways
are drawn with even odds: in sample n, from 1, choice k (from 1, of m possibilities in their order) is the
remainder by m of the SHA-256 (as a hexadecimal number) of the UTF-8 text

    tendone-even-2/<seed>/<n>/<k>

What was neither seen so nor ruled out by points, or by the places that a bracket has given already, is told
apart.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final
from uuid import UUID

from tournaments.formats.by_round import Outcome, Pairing, PlayedRound, Progress
from tournaments.formats.elimination import Elimination
from tournaments.formats.points import MatchPoints
from tournaments.formats.stages import apply
from tournaments.formats.swiss import Swiss
from tournaments.rounds import facts
from tournaments.rounds.course import Key, StageCourse, match_points
from tournaments.rounds.drawing import coming_rounds
from tournaments.rounds.qualifying import preview_next_stage
from tournaments.rounds.ranking import Decided, rank_stages, squad_ids
from tournaments.rounds.stage_settings import StageSettings
from tournaments.standings import Row, Rules
from tournaments.standings.what_if import Method, Outlook, TeamOutlook

SAMPLING: Final = "tendone-even-2"
MOST_WAYS: Final = 256
"""Up to so many ways every one is gone through."""

MOST_SAMPLES: Final = 200
_WORK: Final = 20_000
"""Contestants squared, times samples: what is drawn at most, since pairing a round takes that long."""

Choose = Callable[[int], int]
"""Takes a number of possibilities, and gives the index of one."""


class _TooManyError(Exception):
    """There are more ways than are gone through."""


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is known: the stages so far and those that follow, the rules, and what was decided."""

    courses: tuple[StageCourse, ...]
    stages: tuple[StageSettings, ...]
    rules: Rules
    decided: Decided

    def play_out(self, choose: Choose) -> list[Row[UUID]]:
        """The rows at the end of one way."""
        done = list(self.courses[:-1])
        decided = self.decided
        course = _finished(self.courses[-1], choose)
        ids = squad_ids(self.courses)
        while True:
            done.append(course)
            if course.number >= len(self.stages):
                return rank_stages(done, self.rules, decided)
            course, decided = _following(course, self.stages[course.number], ids, self.rules, decided, choose)


def can_be_played_out(courses: Sequence[StageCourse]) -> bool:
    """Whether who wins is all that the rest follows from: not points of deals, nor places by hand."""
    return bool(courses) and all(
        course.choice.is_played and not course.choice.adds_points for course in courses
    )


def what_if(
    courses: tuple[StageCourse, ...],
    stages: tuple[StageSettings, ...],
    rules: Rules,
    decided: Decided,
    *,
    open_games: int,
    seed: str,
) -> Outlook[UUID]:
    """The possible places of every squad, by the id it has through all stages. Raises CannotDraw."""
    rest = _Rest(courses, stages, rules, decided)
    squads = list(squad_ids(courses).values())
    found: dict[UUID, set[int]] = {squad: set() for squad in squads}
    if 2 ** _matches_left(courses[-1]) > MOST_WAYS:
        return _sampled(rest, found, open_games, seed)
    try:
        for rows in _every_way(rest):
            _learn(rows, found)
    except _TooManyError:
        return _sampled(rest, found, open_games, seed)
    teams = tuple(TeamOutlook(squad, tuple(sorted(found[squad]))) for squad in squads)
    return Outlook(teams, open_games, Method.EXACT)


def _matches_left(course: StageCourse) -> int:
    """How many matches of a stage have at least to be decided yet."""
    contestants = len(course.progress.contestants)
    if isinstance(course.format, Elimination):
        placed = sum(map(len, course.format.places(course.progress) or ()))
        return max(0, contestants - placed - 1)
    undrawn = (course.format.rounds_for(contestants) or 0) - len(course.progress.rounds)
    still_open = sum(outcome is None for each in course.progress.rounds for outcome in each.outcomes)
    return still_open + max(0, undrawn) * (contestants // 2)


def _sampled(rest: _Rest, found: dict[UUID, set[int]], open_games: int, seed: str) -> Outlook[UUID]:
    samples = max(20, min(MOST_SAMPLES, _WORK // len(found) ** 2))
    seen: dict[UUID, Counter[int]] = {squad: Counter() for squad in found}
    for number in range(1, samples + 1):
        rows = rest.play_out(_even(seed, number))
        _learn(rows, found)
        for row in rows:
            seen[row.team][row.place] += 1
    bounds = _bounds(rest)
    teams = tuple(
        TeamOutlook(
            squad,
            tuple(sorted(places)),
            tuple(sorted(bounds[squad] - places)),
            tuple(sorted(seen[squad].items())),
        )
        for squad, places in found.items()
    )
    return Outlook(teams, open_games, Method.SAMPLED, samples, seed)


def _learn(rows: Sequence[Row[UUID]], found: dict[UUID, set[int]]) -> None:
    for row in rows:
        last = row.place + len(row.tied_with) if row.unresolved else row.place
        found[row.team].update(range(row.place, last + 1))


def _every_way(rest: _Rest) -> Iterator[list[Row[UUID]]]:
    """The rows of every way, by counting through the choices as they come up."""
    taken: list[list[int]] = []
    for ways in range(MOST_WAYS + 1):
        if ways == MOST_WAYS:
            raise _TooManyError
        at = 0

        def choose(possibilities: int) -> int:
            nonlocal at
            if at == len(taken):
                taken.append([0, possibilities])
            at += 1
            return taken[at - 1][0]

        yield rest.play_out(choose)
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        if not taken:
            return
        taken[-1][0] += 1


def _even(seed: str, sample: int) -> Choose:
    """Choices with even odds (see the module)."""
    at = 0

    def choose(possibilities: int) -> int:
        nonlocal at
        at += 1
        text = f"{SAMPLING}/{seed}/{sample}/{at}"
        return int(hashlib.sha256(text.encode()).hexdigest(), 16) % possibilities

    return choose


def _finished(course: StageCourse, choose: Choose) -> StageCourse:
    """A stage played to its end; the games of its matches play no part any more."""
    progress = course.progress
    gives = match_points(course.format)
    rounds = [_decided(each, progress, choose, gives) for each in progress.rounds]
    progress = replace(progress, rounds=tuple(rounds))
    while plans := coming_rounds(course.choice, course.format, progress, course.seed):
        for plan in plans:
            played = _decided(PlayedRound(plan, (None,) * len(plan.pairings)), progress, choose, gives)
            progress = replace(progress, rounds=(*progress.rounds, played))
    return replace(course, progress=progress, matches=())


def _decided(played: PlayedRound, progress: Progress, choose: Choose, gives: MatchPoints) -> PlayedRound:
    outcomes = [
        _won(pairing, progress, choose, gives) if outcome is None else outcome
        for pairing, outcome in zip(played.plan.pairings, played.outcomes, strict=True)
    ]
    return PlayedRound(played.plan, tuple(outcomes))


def _won(pairing: Pairing, progress: Progress, choose: Choose, gives: MatchPoints) -> Outcome:
    there = [side for side in pairing.sides if side not in progress.gone]
    if not there:
        return Outcome(tuple(Fraction(0) for _ in pairing.sides), None, walkover=True)
    winner = there[choose(len(there))] if len(there) > 1 else there[0]
    walkover = len(there) == 1
    points = gives.won(pairing.sides.index(winner), len(pairing.sides), walkover=walkover)
    return Outcome(points, winner, walkover=walkover)


def _following(
    course: StageCourse,
    settings: StageSettings,
    ids: Mapping[Key, UUID],
    rules: Rules,
    decided: Decided,
    choose: Choose,
) -> tuple[StageCourse, Decided]:
    """The next stage, played to its end, with ties before it broken in any order."""
    preview = preview_next_stage(course, settings, ids, rules, decided, course.seed)
    while preview.ties:
        tied = [ids[course.key(one)] for one in preview.ties[0].contestants]
        order = []
        while tied:
            order.append(tied.pop(choose(len(tied)) if len(tied) > 1 else 0))
        decided = replace(decided, lots=(*decided.lots, tuple(order)))
        preview = preview_next_stage(course, settings, ids, rules, decided, course.seed)
    came = apply(preview, course.progress.contestants)
    squads = tuple({**course.squads[each.was - 1], "since": 1} for each in came)
    number = course.number + 1
    following = replace(
        course,
        number=number,
        body={
            **course.body,
            "number": number,
            "rounds_before": course.rounds_before + len(course.progress.rounds),
        },
        choice=settings.choice,
        format=settings.format(),
        kind=settings.kind(),
        squads=squads,
        progress=Progress(facts.contestants_of(squads), gone=frozenset()),
    )
    return _finished(following, choose), decided


def _bounds(rest: _Rest) -> dict[UUID, set[int]]:
    """What can't be ruled out: the places that squads still in share, or those that points allow."""
    ids = squad_ids(rest.courses)
    everything = set(range(1, len(ids) - len(rest.decided.ranked_last) + 1))
    course = rest.courses[-1]
    if isinstance(course.format, Elimination) and course.number == len(rest.stages):
        rows = {row.team: row for row in rank_stages(rest.courses, rest.rules, rest.decided)}
        placed = {one for level in course.format.places(course.progress) or () for one in level}
        inside = {
            ids[course.key(one.number)] for one in course.progress.contestants if one.number not in placed
        } - rest.decided.ranked_last
        return {
            squad: set(range(1, len(inside) + 1)) if squad in inside else {rows[squad].place}
            for squad in ids.values()
        }
    if len(rest.stages) == 1 and rest.rules.metrics[:1] == ("points",):
        return _by_points(rest, course, ids)
    return dict.fromkeys(ids.values(), everything) | _last_places(rest, ids)


def _last_places(rest: _Rest, ids: Mapping[Key, UUID]) -> dict[UUID, set[int]]:
    """The place behind all others of those who were removed and are ranked last."""
    last = rest.decided.ranked_last
    return {squad: {len(ids) - len(last) + 1} for squad in last}


def _by_points(rest: _Rest, course: StageCourse, ids: Mapping[Key, UUID]) -> dict[UUID, set[int]]:
    """Nobody takes more from a match than a win gives, nor from a round to come than its best; nobody loses
    what they have.
    """
    win = match_points(course.format).win
    best = win
    if isinstance(course.format, Swiss):
        best = max(win, course.format.bye_points, course.format.asked_points)
    rows = rank_stages(rest.courses, rest.rules, rest.decided)
    last = rest.decided.ranked_last
    have = {row.team: dict(row.values).get("points") or Fraction(0) for row in rows if row.team not in last}
    total = course.format.rounds_for(len(course.progress.contestants)) or 0
    undrawn = max(0, total - len(course.progress.rounds))
    left: Counter[UUID] = Counter()
    for each in course.progress.rounds:
        for pairing, outcome in zip(each.plan.pairings, each.outcomes, strict=True):
            if outcome is None:
                left.update(ids[course.key(side)] for side in pairing.sides)
    # Whoever is ranked last takes part in nothing that these bounds are about.
    most = {squad: points + left[squad] * win + undrawn * best for squad, points in have.items()}
    return {
        squad: set(
            range(
                1 + sum(other > most[squad] for other in have.values()),
                len(have) - sum(other < have[squad] for other in most.values()) + 1,
            )
        )
        for squad in have
    } | _last_places(rest, ids)
