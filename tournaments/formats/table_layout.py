"""Rounds, waves and tables: where the matches of rounds are played."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tournaments.standings.model import by_level

from .format import Contestant, Format, RoundPlan, StageProgress
from .match_lengths import Length, MatchKind
from .model import DrawMatch, DrawnRounds, DrawSquad, Round, Wave


def waves_and_tables(matches: int, tables: int | None) -> list[tuple[int, int]]:
    """The wave and the table, from 1, of each of so many matches: they take the tables in order, wave after
    wave. None is as many tables as needed.
    """
    per_wave = _per_wave(matches, tables)
    return [(at // per_wave + 1, at % per_wave + 1) for at in range(matches)]


def _per_wave(matches: int, tables: int | None) -> int:
    """How many of so many matches are played at once."""
    return tables or max(1, matches)


def _lay_out(
    rounds: Sequence[Sequence[tuple[DrawSquad, ...]]], kind: MatchKind, tables: int | None
) -> list[Round]:
    """Number the matches of these sides from 1 and give each a wave and a table, both from 1.

    Games are as many as a match can have; None is as many tables as needed.
    """
    sizes = {len(sides) for matches in rounds for sides in matches}
    games = {size: kind.planned(size) for size in sizes}
    first = 1
    laid = []
    for number, all_sides in enumerate(rounds, start=1):
        per_wave = _per_wave(len(all_sides), tables)
        matches = [
            DrawMatch(first + at, at % per_wave + 1, sides, games[len(sides)])
            for at, sides in enumerate(all_sides)
        ]
        waves = [tuple(matches[at : at + per_wave]) for at in range(0, len(matches), per_wave)]
        laid.append(Round(number, tuple(Wave(wave, each) for wave, each in enumerate(waves, start=1))))
        first += len(matches)
    return laid


def as_draw(
    form: Format,
    method: str,
    seed: str,
    contestants: Sequence[Contestant],
    squads: Mapping[int, DrawSquad],
    rounds: Sequence[RoundPlan],
    kind: MatchKind,
    tables: int | None,
) -> DrawnRounds:
    """Rounds with squads (by number) in place of contestants, at so many tables, for whatever
    shows or counts a draw.

    Teams are those of the squads, in the order of their numbers.
    """
    in_order = sorted(squads.values(), key=lambda squad: squad.number)
    matches = [[tuple(map(squads.__getitem__, each.sides)) for each in plan.pairings] for plan in rounds]
    return DrawnRounds(
        format=form.key,
        method=method,
        seed=seed,
        plan=form.layout(contestants),
        squads=by_level((squad.team, squad) for squad in in_order),
        rounds=tuple(
            replace(laid, byes=tuple(squads[one] for one in form.sitting_out(contestants, plan)))
            for laid, plan in zip(_lay_out(matches, kind, tables), rounds, strict=True)
        ),
    )


def progress_as_draw(form: Format, progress: StageProgress, tables: int | None = None) -> DrawnRounds:
    """The rounds that were drawn one after another, one game a pairing.

    A contestant is a squad of one, its entry number that of the seeding. What was won without a game is no
    match.
    """
    squads = {one.number: DrawSquad(one.team, one.number, (one.number,)) for one in progress.contestants}
    plans = [
        replace(
            each.plan,
            pairings=tuple(
                pairing for pairing, outcome in each.matches() if outcome is None or not outcome.walkover
            ),
        )
        for each in progress.rounds
    ]
    return as_draw(form, "", "", progress.contestants, squads, plans, MatchKind(Length.ONE_GAME, 1), tables)
