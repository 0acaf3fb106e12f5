"""Rounds that were drawn one after another as a `DrawnRounds`, for whatever shows or counts one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .format import RoundPlan
from .layout import LaidOutMatch, lay_out
from .match_kind import MatchKind
from .model import DrawnRounds, DrawSquad


def as_draw(
    format_key: str,
    method: str,
    seed: str,
    squads: Mapping[int, DrawSquad],
    rounds: Sequence[RoundPlan],
    kind: MatchKind,
    tables: int | None,
) -> DrawnRounds:
    """The rounds with squads (by contestant number) in place of contestants, at so many tables.

    Games are as many as a match can have. Teams are those of the squads, in the order of their numbers.
    """
    by_team: dict[int, list[DrawSquad]] = {}
    for squad in squads.values():
        by_team.setdefault(squad.team, []).append(squad)
    meetings = [
        [
            LaidOutMatch(tuple(squads[side] for side in pairing.sides), kind.planned(len(pairing.sides)))
            for pairing in plan.pairings
        ]
        for plan in rounds
    ]
    return DrawnRounds(
        format=format_key,
        method=method,
        seed=seed,
        plan=format_key,
        squads=tuple(
            tuple(sorted(by_team[team], key=lambda squad: squad.number)) for team in sorted(by_team)
        ),
        rounds=tuple(
            replace(laid, byes=tuple(squads[one] for one in plan.byes))
            for laid, plan in zip(lay_out(meetings, [() for _ in rounds], tables), rounds, strict=True)
        ),
    )
