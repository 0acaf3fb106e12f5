"""All that decides the rounds of a stage, and what was drawn: as objects, and as the JSON that is published.

    {"format": "swiss", "options": {"rounds": 5, …}, "match": {"length": "one_game", "games": 1},
     "seed": "palio-2022", "method": "tendone-swiss-2",
     "contestants": [{"number": 1, "team": 1, "labels": [], "since": 1}, …],
     "gone": [4],
     "rounds": [{"number": 1, "gone": [], "edits": [], "byes": [],
                 "pairings": [{"slot": "r1t1", "sides": [1, 4], "outcome":
                               {"points": ["1", "0"], "winner": 1, "walkover": false}}, …]}, …]}

`gone` is who doesn't play now; a round's own `gone` who didn't when it was drawn. A round for which alone
second meetings were allowed has `"rematches": true`. `annulled` says in the same two ways whose results count
for nobody, where there are any. A contestant's `sits_out` has the rounds that were sat out by request. A
round has `taken` where free seats were taken after it was drawn. It lists them in order:
`{"slot": "r1t1", "contestant": 9, "instead": 4}`, null where the seat was nobody's. `edits` are the swaps by
which the round was changed by hand, in order: `{"one": 1, "other": 4, "reason": …}`. An outcome is null where
a match isn't decided. At a table of many it has the sides' `places`, and the numbers of who was `absent`, if
anybody. Points are fractions, as text: "1", "1/2". No names, no ids: numbers alone.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Self

from games.engine.places import are_places

from .catalogue import STAGE_FORMATS
from .choice import FormatChoice
from .edits import ContestantSwap
from .errors import CannotDraw
from .format import (
    Contestant,
    Format,
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
    TakenSeat,
)
from .match_lengths import LENGTHS, kind_of

_POINTS: Final = re.compile(r"\d{1,6}(/[1-9]\d{0,5})?", re.ASCII)
_MOST: Final = 10_000


class Unreadable(ValueError):  # noqa: N818 - reads as what happened: "raise Unreadable"
    """A record that can't be read: the sentence says where, what is expected, and what is there."""

    @classmethod
    def at(cls, where: str, expected: str, given: object) -> Self:
        """What was expected at a place, and what is there."""
        shown = json.dumps(given, ensure_ascii=False, default=str)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}…"
        return cls(f"{where}: expected {expected}, not {shown}.")


@dataclass(frozen=True, slots=True)
class StageRecord:
    """A stage so far with all that decided it.

    There are three lists with an item for each round. `gone_before` has who was gone when it was drawn,
    `annulled_before` whose results counted for nobody then, `edits` the changes by hand after it was drawn.
    `method` is the named one by which the stage is drawn; empty for a format without lots.
    """

    choice: FormatChoice
    options: Mapping[str, Any]
    match: Mapping[str, Any]
    seed: str
    progress: StageProgress
    gone_before: tuple[frozenset[int], ...]
    annulled_before: tuple[frozenset[int], ...]
    edits: tuple[tuple[ContestantSwap, ...], ...]
    method: str

    def format(self) -> Format:
        """The format with its options; raises CannotDraw for values that don't go together."""
        return self.choice.build_by(self.method, self.options)

    @property
    def drawn(self) -> tuple[RoundPlan, ...]:
        """The rounds that were drawn."""
        return tuple(each.plan for each in self.progress.rounds)

    def before(self, number: int) -> StageProgress:
        """What was known when round `number` was drawn, or for the one after the last, what is known now."""
        is_drawn = number <= len(self.progress.rounds)
        plans = self.drawn[number - 1 : number]
        known = {one for plan in self.drawn[:number] for one in plan.drawn_for()}
        later = {seat.contestant for plan in plans for seat in plan.taken} - known
        return StageProgress(
            tuple(
                one for one in self.progress.contestants if one.since <= number and one.number not in later
            ),
            self.progress.rounds[: number - 1],
            self.gone_before[number - 1] if is_drawn else self.progress.gone,
            self.annulled_before[number - 1] if is_drawn else self.progress.annulled,
        )

    def draw(self, number: int) -> RoundPlan | None:
        """Round `number` from the rounds before it, before anybody changes it by hand; None if all is drawn.

        Raises CannotDraw.
        """
        rematches = number <= len(self.drawn) and self.drawn[number - 1].rematches
        return self.format().next_round(self.before(number), self.seed, rematches=rematches)

    def to_json(self) -> dict[str, Any]:
        """As it is published."""
        return {
            "format": self.choice.key,
            "options": dict(self.options),
            "match": dict(self.match),
            "seed": self.seed,
            "method": self.method,
            "contestants": [
                {
                    "number": one.number,
                    "team": one.team,
                    "labels": sorted(one.labels),
                    "since": one.since,
                    **({"sits_out": sorted(one.sits_out)} if one.sits_out else {}),
                }
                for one in self.progress.contestants
            ],
            "gone": sorted(self.progress.gone),
            **_annulled_json(self.progress.annulled),
            "rounds": [
                {
                    "number": each.plan.number,
                    "gone": sorted(gone),
                    **_annulled_json(annulled),
                    "edits": [
                        {"one": swap.one, "other": swap.other, "reason": swap.reason} for swap in swaps
                    ],
                    "byes": list(each.plan.byes),
                    **({"rematches": True} if each.plan.rematches else {}),
                    **({"taken": [seat._asdict() for seat in each.plan.taken]} if each.plan.taken else {}),
                    "pairings": [
                        {
                            "slot": pairing.slot,
                            "sides": list(pairing.sides),
                            "outcome": None if outcome is None else _outcome_json(outcome),
                        }
                        for pairing, outcome in each.matches()
                    ],
                }
                for each, gone, annulled, swaps in zip(
                    self.progress.rounds, self.gone_before, self.annulled_before, self.edits, strict=True
                )
            ],
        }


def _annulled_json(annulled: frozenset[int]) -> dict[str, Any]:
    """Only where there are any, so that what was published before reads as it did."""
    return {"annulled": sorted(annulled)} if annulled else {}


def _outcome_json(outcome: PairingOutcome) -> dict[str, Any]:
    return {
        "points": [str(each) for each in outcome.points],
        "winner": outcome.winner,
        "walkover": outcome.walkover,
        **({"places": list(outcome.places)} if outcome.places else {}),
        **({"absent": sorted(outcome.absent)} if outcome.absent else {}),
    }


def read_record(value: object) -> StageRecord:
    """The record that this JSON is, or that it has under `repeat`; raises Unreadable."""
    if isinstance(value, Mapping) and "repeat" in value:
        return _record(value["repeat"], "repeat.")
    return _record(value, "")


def _record(value: object, at: str) -> StageRecord:
    found = _fields(
        value,
        at.rstrip(".") or "the whole",
        {"format", "options", "match", "seed", "method", "contestants", "gone", "rounds"},
        {"annulled"},
    )
    choice = STAGE_FORMATS.get(found["format"]) if isinstance(found["format"], str) else None
    if choice is None:
        raise Unreadable.at(f"{at}format", f"one of {', '.join(STAGE_FORMATS)}", found["format"])
    try:
        options = choice.complete(_object(found["options"], f"{at}options"))
        choice.build(options)
    except CannotDraw as error:
        raise Unreadable(f"{at}options: {error}") from error
    seed, method = _text(found["seed"], f"{at}seed"), _text(found["method"], f"{at}method")
    contestants = _contestants(found["contestants"], f"{at}contestants")
    known = {one.number for one in contestants}
    if len(known) != len(contestants):
        raise Unreadable.at(f"{at}contestants", "different numbers", [one.number for one in contestants])
    gone = frozenset(_numbers(found["gone"], f"{at}gone", known))
    annulled = frozenset(_numbers(found.get("annulled", []), f"{at}annulled", known))
    rounds = _list(found["rounds"], f"{at}rounds")
    played = [_round(each, f"{at}rounds[{index}]", index + 1, known) for index, each in enumerate(rounds)]
    record = StageRecord(
        choice,
        options,
        _match(found["match"], f"{at}match"),
        seed,
        StageProgress(contestants, tuple(each for each, *_ in played), gone, annulled),
        tuple(then for _, then, _, _ in played),
        tuple(then for _, _, then, _ in played),
        tuple(swaps for *_, swaps in played),
        method,
    )
    if method not in (choice.method, *choice.earlier_methods):
        raise Unreadable.at(f"{at}method", f"{choice.method!r}, the method of this format", method)
    return record


def _contestants(value: object, at: str) -> tuple[Contestant, ...]:
    found = []
    for index, each in enumerate(_list(value, at)):
        where = f"{at}[{index}]"
        one = _fields(each, where, {"number", "team", "labels", "since"}, {"sits_out"})
        sits_out = _list(one.get("sits_out", []), f"{where}.sits_out")
        labels = _list(one["labels"], f"{where}.labels")
        found.append(
            Contestant(
                _whole(one["number"], f"{where}.number"),
                _whole(one["team"], f"{where}.team"),
                frozenset(_whole(label, f"{where}.labels", fewest=0) for label in labels),
                _whole(one["since"], f"{where}.since"),
                frozenset(_whole(number, f"{where}.sits_out") for number in sits_out),
            )
        )
    return tuple(found)


def _round(
    value: object, at: str, number: int, known: set[int]
) -> tuple[PlayedRound, frozenset[int], frozenset[int], tuple[ContestantSwap, ...]]:
    found = _fields(
        value, at, {"number", "gone", "edits", "byes", "pairings"}, {"annulled", "rematches", "taken"}
    )
    if _whole(found["number"], f"{at}.number") != number:
        raise Unreadable.at(f"{at}.number", f"{number}: rounds stand in their order", found["number"])
    gone = frozenset(_numbers(found["gone"], f"{at}.gone", known))
    annulled = frozenset(_numbers(found.get("annulled", []), f"{at}.annulled", known))
    byes = _numbers(found["byes"], f"{at}.byes", known)
    pairings, outcomes = [], []
    for index, each in enumerate(_list(found["pairings"], f"{at}.pairings")):
        where = f"{at}.pairings[{index}]"
        one = _fields(each, where, {"slot", "sides", "outcome"})
        sides = _numbers(one["sides"], f"{where}.sides", known)
        pairings.append(RoundPairing(_text(one["slot"], f"{where}.slot"), sides))
        outcomes.append(_outcome(one["outcome"], f"{where}.outcome", sides))
    plan = RoundPlan(number, "", (), tuple(pairings), byes)
    taking_part = plan.taking_part()
    twice = sorted(one for one, times in Counter(taking_part).items() if times > 1)
    if twice:
        raise Unreadable.at(at, "everybody once at most in a round", twice)
    rematches = found.get("rematches", False)
    if not isinstance(rematches, bool):
        raise Unreadable.at(f"{at}.rematches", "true or false", rematches)
    plan = replace(
        plan, rematches=rematches, taken=_taken(found.get("taken", []), f"{at}.taken", plan, known)
    )
    edits = _edits(found["edits"], f"{at}.edits", plan.drawn_for())
    return PlayedRound(plan, tuple(outcomes)), gone, annulled, edits


def _taken(value: object, at: str, plan: RoundPlan, known: set[int]) -> tuple[TakenSeat, ...]:
    seats = []
    for index, each in enumerate(_list(value, at)):
        one = _fields(each, f"{at}[{index}]", {"slot", "contestant", "instead"})
        (contestant,) = _numbers([one["contestant"]], f"{at}[{index}].contestant", known)
        instead = one["instead"]
        if instead is not None:
            (instead,) = _numbers([instead], f"{at}[{index}].instead", known)
        seats.append(TakenSeat(_text(one["slot"], f"{at}[{index}].slot"), contestant, instead))
    there = set(plan.taking_part())
    for seat in reversed(seats):
        if seat.contestant not in there:
            raise Unreadable.at(at, "contestants who are drawn in the round", seat.contestant)
        there = (there - {seat.contestant}) | ({seat.instead} if seat.instead is not None else set())
    return tuple(seats)


def _edits(value: object, at: str, known: set[int]) -> tuple[ContestantSwap, ...]:
    swaps = []
    for index, each in enumerate(_list(value, at)):
        where = f"{at}[{index}]"
        one = _fields(each, where, {"one", "other", "reason"})
        first, second = _numbers([one["one"], one["other"]], where, known)
        swaps.append(ContestantSwap(first, second, _text(one["reason"], f"{where}.reason")))
    return tuple(swaps)


def _outcome(value: object, at: str, sides: tuple[int, ...]) -> PairingOutcome | None:
    if value is None:
        return None
    found = _fields(value, at, {"points", "winner", "walkover"}, {"places", "absent"})
    points = _list(found["points"], f"{at}.points")
    if len(points) != len(sides):
        raise Unreadable.at(f"{at}.points", f"{len(sides)} of them, one for each side", points)
    places = tuple(_whole(each, f"{at}.places") for each in _list(found.get("places", []), f"{at}.places"))
    if places and (len(places) != len(sides) or not are_places(places)):
        raise Unreadable.at(f"{at}.places", "one for each side, such as 1, 1, 3", list(places))
    winner = found["winner"]
    if winner is not None and (isinstance(winner, bool) or winner not in sides):
        raise Unreadable.at(f"{at}.winner", f"null or one of {', '.join(map(str, sides))}", winner)
    if not isinstance(found["walkover"], bool):
        raise Unreadable.at(f"{at}.walkover", "true or false", found["walkover"])
    read = tuple(_points(each, f"{at}.points") for each in points)
    absent = frozenset(_numbers(found.get("absent", []), f"{at}.absent", set(sides)))
    return PairingOutcome(read, winner, found["walkover"], places, absent)


def _points(value: object, at: str) -> Fraction:
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not _POINTS.fullmatch(text):
        raise Unreadable.at(at, 'numbers as text, such as "1" or "1/2"', value)
    return Fraction(text)


def _match(value: object, at: str) -> dict[str, Any]:
    found = _fields(value, at, {"length", "games"})
    if not isinstance(found["length"], str) or found["length"] not in LENGTHS:
        raise Unreadable.at(f"{at}.length", f"one of {', '.join(LENGTHS)}", found["length"])
    games = _whole(found["games"], f"{at}.games")
    try:
        kind_of(found["length"], games)
    except CannotDraw as error:
        raise Unreadable(f"{at}: {error}") from error
    return {"length": found["length"], "games": games}


def _fields(value: object, at: str, names: set[str], optional: Collection[str] = ()) -> Mapping[str, Any]:
    found = _object(value, at)
    if set(found) - set(optional) != names:
        missing, unknown = sorted(names - set(found)), sorted(set(found) - names - set(optional))
        told = [f"{', '.join(map(repr, missing))} missing"] if missing else []
        told += [f"{', '.join(map(repr, unknown))} unknown"] if unknown else []
        raise Unreadable.at(at, f"the fields {', '.join(sorted(names))} ({'; '.join(told)})", dict(found))
    return found


def _object(value: object, at: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Unreadable.at(at, "an object", value)
    return value


def _list(value: object, at: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise Unreadable.at(at, "a list", value)
    return value


def _text(value: object, at: str) -> str:
    if not isinstance(value, str):
        raise Unreadable.at(at, "a text", value)
    return value


def _whole(value: object, at: str, fewest: int = 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not fewest <= value <= _MOST:
        raise Unreadable.at(at, f"a whole number from {fewest} to {_MOST}", value)
    return value


def _numbers(value: object, at: str, known: set[int]) -> tuple[int, ...]:
    found = tuple(_whole(each, at) for each in _list(value, at))
    if not set(found) <= known:
        raise Unreadable.at(at, "numbers of contestants", sorted(set(found) - known))
    if len(set(found)) != len(found):
        raise Unreadable.at(at, "each contestant once", list(found))
    return found
