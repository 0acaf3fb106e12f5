"""A stage as plain data from which anybody can repeat the draw of each of its rounds.

    {"format": …, "options": {…}, "match": {…}, "seed": …, "method": …,
     "contestants": [{"number": 1, "team": 1, "labels": [], "since": 1}, …], "gone": [numbers],
     "rounds": [{"number": 1, "gone": [numbers], "byes": [numbers],
                 "pairings": [{"slot": …, "sides": [numbers],
                               "outcome": null or {"points": ["1", "0"], "winner": 1, "walkover": false}}]}]}

Teams are numbered in the order in which they come; points are exact, as texts. A round's own `gone` are those
who had left when it was drawn, `gone` those who have left by now. Outcomes are as they are now: where one was
corrected after the next round was drawn, that round can come out otherwise when it is repeated.
"""

from collections.abc import Iterable
from typing import Any

from ledger.entries import StoredFact
from tournaments.formats.by_round import Contestant, Outcome, PlayedRound
from tournaments.rounds.course import Key, StageCourse

_DRAWING = ("stage_drawn", "round_drawn", "rounds_redrawn")


def repeat_of(course: StageCourse, decisions: Iterable[StoredFact]) -> dict[str, Any]:
    """All that drawing the stage's rounds depends on; `decisions` are the tournament's."""
    gone = gone_when_drawn(course, decisions)
    return {
        "format": course.choice.key,
        "options": dict(course.body["options"]),
        "match": dict(course.body["match"]),
        "seed": course.seed,
        "method": course.body["method"],
        "contestants": [_contestant(one) for one in course.progress.contestants],
        "gone": sorted(course.progress.gone),
        "rounds": [_round(each, gone.get(each.plan.number, ())) for each in course.progress.rounds],
    }


def gone_when_drawn(course: StageCourse, decisions: Iterable[StoredFact]) -> dict[int, list[int]]:
    """For each round of the stage (by its number there) the contestants who had left when it was drawn."""
    numbers = {course.key(one.number): one.number for one in course.progress.contestants}
    gone: set[Key] = set()
    found: dict[int, list[int]] = {}
    for fact in decisions:
        body = fact.body
        if fact.type == "squad_gone":
            gone.add((body["team"], body["squad"]))
        elif fact.type == "squad_back":
            gone.discard((body["team"], body["squad"]))
        elif fact.type in _DRAWING and body["stage"] == str(course.stage):
            here = sorted(numbers[key] for key in gone if key in numbers)
            found |= {each["number"]: here for each in body["rounds"]}
    return found


def outcome_of(outcome: Outcome | None) -> dict[str, Any] | None:
    """How a pairing ended; None while it is open."""
    if outcome is None:
        return None
    return {
        "points": [str(points) for points in outcome.points],
        "winner": outcome.winner,
        "walkover": outcome.walkover,
    }


def _contestant(one: Contestant) -> dict[str, Any]:
    return {"number": one.number, "team": one.team, "labels": sorted(one.labels), "since": one.since}


def _round(played: PlayedRound, gone: Iterable[int]) -> dict[str, Any]:
    return {
        "number": played.plan.number,
        "gone": list(gone),
        "byes": list(played.plan.byes),
        "pairings": [
            {"slot": pairing.slot, "sides": list(pairing.sides), "outcome": outcome_of(outcome)}
            for pairing, outcome in zip(played.plan.pairings, played.outcomes, strict=True)
        ],
    }
