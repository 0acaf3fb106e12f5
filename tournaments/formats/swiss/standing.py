"""Scores before a round, as far as pairing needs them."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from math import lcm

from ..errors import CannotDraw, gettext_noop
from ..format import Contestant, PlayedRound, StageProgress, refuse_repeated, results_missing


@dataclass(slots=True)
class SwissRecord:
    """What adds up from round to round: `score` in points.

    `met`: how often each opponent was met at a table. `byes`, `walkovers`: rounds won without a game.
    `played`: rounds with a game at a table. `down` and `up`: how often the opponent had fewer or more points
    (a bye is one down). `balance`: how often first minus how often second, in matches that were played;
    `last_seat`: 1 first, -1 second, 0 none yet.
    """

    score: Fraction = Fraction(0)
    met: Counter[int] = field(default_factory=Counter)
    byes: int = 0
    walkovers: int = 0
    played: int = 0
    down: int = 0
    up: int = 0
    balance: int = 0
    last_seat: int = 0


@dataclass(frozen=True, slots=True)
class SwissScore:
    """One who is to be paired.

    `units` is the score in integers (of the smallest fraction that occurs). `rank` from 0 in the order of
    score and seeding, with so many `below`. `group` from 0 for the highest score, `place` from 0 within it of
    `group_size`. `unplayed`: rounds without a game at a table, for whatever reason.
    """

    contestant: Contestant
    record: SwissRecord
    units: int
    rank: int
    below: int
    group: int
    place: int
    group_size: int
    unplayed: int

    @property
    def number(self) -> int:
        """The contestant's number in the seeding."""
        return self.contestant.number


def stand(
    progress: StageProgress, bye_points: Fraction, missed_points: Fraction, asked_points: Fraction
) -> tuple[SwissScore, ...]:
    """Who can be paired in the next round, in the order of their ranks.

    Raises CannotDraw where results are missing or rounds don't go together with the contestants.
    """
    records = _records(progress, bye_points, missed_points, asked_points)
    playing = sorted(progress.playing(), key=lambda one: (-records[one.number].score, one.number))
    denominators = lcm(*(records[one.number].score.denominator for one in playing))
    standings: list[SwissScore] = []
    groups = groupby(playing, key=lambda one: records[one.number].score)
    for group, (score, members) in enumerate(groups):
        listed = tuple(members)
        for place, one in enumerate(listed):
            record = records[one.number]
            standings.append(
                SwissScore(
                    contestant=one,
                    record=record,
                    units=int(score * denominators),
                    rank=len(standings),
                    below=len(playing) - len(standings) - 1,
                    group=group,
                    place=place,
                    group_size=len(listed),
                    unplayed=len(progress.rounds) - record.played,
                )
            )
    return tuple(standings)


def _records(
    progress: StageProgress, bye_points: Fraction, missed_points: Fraction, asked_points: Fraction
) -> dict[int, SwissRecord]:
    refuse_repeated(progress.contestants)
    if not progress.is_complete:
        raise results_missing(progress)
    records = {one.number: SwissRecord() for one in progress.contestants}
    for number, each in enumerate(progress.rounds, start=1):
        _check(each, number, records.keys())
        _add(each, records, bye_points, progress.annulled)
        for one in progress.contestants:
            if one.since > number:
                records[one.number].score += missed_points
            elif number in one.sits_out:
                records[one.number].score += asked_points
    return records


def _add(
    each: PlayedRound, records: dict[int, SwissRecord], bye_points: Fraction, annulled: frozenset[int]
) -> None:
    """Add a round; a match against somebody whose results are annulled was played, and gives no points."""
    before = {number: record.score for number, record in records.items()}
    for pairing, outcome in each.played():
        counts = annulled.isdisjoint(pairing.sides)
        for seat, (one, other) in enumerate((pairing.sides, pairing.sides[::-1])):
            record = records[one]
            record.down += before[one] > before[other]
            record.up += before[one] < before[other]
            record.score += outcome.points[seat] if counts else 0
            if outcome.walkover:
                record.walkovers += outcome.winner == one
            else:
                record.met[other] += 1
                record.played += 1
                record.last_seat = -1 if seat else 1
                record.balance += record.last_seat
    for one in each.plan.byes:
        record = records[one]
        record.byes += 1
        record.down += 1
        record.score += bye_points


def _check(each: PlayedRound, number: int, known: Collection[int]) -> None:
    """Refuse a round that is none of these contestants' or none of two sides a pairing."""
    seated = Counter(each.plan.byes)
    for pairing, outcome in zip(each.plan.pairings, each.outcomes, strict=True):
        seated.update(pairing.sides)
        if len(pairing.sides) != 2:
            raise CannotDraw(
                "sides",
                gettext_noop("Round %(round)d, %(slot)s: %(given)d sides; a Swiss pairing has two."),
                round=number,
                slot=pairing.slot,
                given=len(pairing.sides),
            )
        if outcome is not None and (
            len(outcome.points) != 2 or (outcome.winner is not None and outcome.winner not in pairing.sides)
        ):
            raise CannotDraw(
                "outcome",
                gettext_noop(
                    "Round %(round)d, %(slot)s: the outcome needs the points of two sides, and as the winner "
                    "one of them or nobody."
                ),
                round=number,
                slot=pairing.slot,
            )
    for one, times in seated.items():
        if one not in known or times > 1:
            raise CannotDraw(
                "other_contestants",
                gettext_noop(
                    "Round %(round)d has contestant %(contestant)d %(times)d times, the list of contestants "
                    "%(known)d times; once was expected."
                ),
                round=number,
                contestant=one,
                times=times,
                known=int(one in known),
            )
