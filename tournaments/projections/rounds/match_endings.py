"""Ends that an open match can have."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from games.engine.places import only_first
from tournaments.facts import stages as stage_facts
from tournaments.formats.format import PairingOutcome, RoundPlan
from tournaments.formats.match_lengths import GameEnd, Length
from tournaments.formats.table_result import TableResult
from tournaments.projections.rounds.course import PlayedGame, PlayedMatch, StageHistory, match_outcome
from tournaments.standings import GameClosing

Ending = tuple[PlayedMatch, PairingOutcome]
"""A match that is over, and what came out of it."""


def endings(
    match: PlayedMatch, course: StageHistory, level: GameClosing | None
) -> list[tuple[PlayedMatch, PairingOutcome]]:
    """How an open match can end, by the points of its sides: each further game is won by one of them or ends
    level. A decisive match goes on until somebody has won it, so there the winners alone matter: it ends in
    one way for each side.
    """
    kind = course.kind
    drawn = () if level is None or kind.decisive else (GameEnd(None, level),)
    waiting: list[tuple[GameEnd, ...]] = [ends_of(match)]
    known = set()
    found = []
    while waiting:
        ends = waiting.pop(0)
        state = kind.state(match.pairing.sides, ends)
        # A game that gives nobody a point uses up none of a first to N.
        reached = state.points, 0 if kind.length is Length.FIRST_TO else len(ends)
        if reached in known:
            continue
        known.add(reached)
        if state.next_game is not None:
            waiting += [(*ends, end) for end in (*map(GameEnd, state.next_game.sides), *drawn)]
            continue
        found.append(ended_by(match, course, ends))
    if kind.decisive:
        return list({outcome.winner: (ended, outcome) for ended, outcome in found}.values())
    return found


def ended_by(
    match: PlayedMatch, course: StageHistory, ends: Sequence[GameEnd]
) -> tuple[PlayedMatch, PairingOutcome]:
    """A match after all its games, of which the first are those that are over."""
    sides, kind = match.pairing.sides, course.kind
    ended = [game for game in match.games if game.end is not None]
    used = {game.number for game in ended}
    numbers = (number for number in count(1) if number not in used)
    further = tuple(
        PlayedGame(stage_facts.game_id(match.id, number), number, kind.seats(sides, number), end, None)
        for number, end in zip(numbers, ends[len(ended) :], strict=False)
    )
    finished = replace(match, games=(*ended, *further), state=kind.state(sides, ends))
    outcome = match_outcome(finished, course.format.points)
    if outcome is None:
        raise ValueError("a match without a further game has an outcome")
    return finished, outcome


def ranked_by(
    match: PlayedMatch, course: StageHistory, places: tuple[int, ...]
) -> tuple[PlayedMatch, PairingOutcome]:
    """A match at a table of many whose sides came to these places."""
    winner = only_first(dict(zip(match.pairing.sides, places, strict=True)))
    end = GameEnd(winner, GameClosing.BELL if winner is None else GameClosing.PLAYED)
    finished, _ = ended_by(match, course, ends_of(match) or (end,))
    plan = RoundPlan(match.round, "", (), (match.pairing,))
    gone = course.progress.gone
    absent = frozenset(at for at in match.absent_at() if match.pairing.sides[at] in gone)
    result = TableResult(end.closed, winner, places=places, absent=absent)
    (outcome,) = course.format.outcomes(plan, [result])
    if outcome is None:
        raise ValueError("places decide a table")
    return finished, outcome


def ends_of(match: PlayedMatch) -> tuple[GameEnd, ...]:
    return tuple(game.end for game in match.games if game.end is not None)
