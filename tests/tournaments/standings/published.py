"""Published events and worked examples, read from tests/data/standings (its README names the sources)."""

import csv
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from tournaments.standings import Bye, MatchResult, Rounds

DATA = Path(__file__).parents[2] / "data" / "standings"
HALF = Fraction(1, 2)
_POINTS = {"1-0": (Fraction(1), Fraction(0)), "0-1": (Fraction(0), Fraction(1)), "1/2-1/2": (HALF, HALF)}
_RESULT = {"+": Fraction(1), "=": HALF, "-": Fraction(0)}


def table(name: str) -> list[dict[str, str]]:
    """The lines of a file, by the names in its first one."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def games(name: str, *, predetermined: bool = False) -> Rounds[str]:
    """An event from a list of games: round and board, both players, result."""
    matches = (
        MatchResult(
            number,
            int(line["round"].partition(".")[0]),
            (line["white_fide_id"], line["black_fide_id"]),
            _POINTS[line["result"]],
        )
        for number, line in enumerate(table(name))
    )
    return Rounds(tuple(matches), predetermined=predetermined)


def exercise(name: str = "fide_exercise_rounds.csv") -> Rounds[str]:
    """An event from a table with a line for each player and a column for each round.

    `+W9`: won as White against 9; `F`: by forfeit; `+BYE`: given by the draw; `=BYE`: asked for, half a
    point; `--`: sat out.
    """
    matches: dict[frozenset[str], MatchResult[str]] = {}
    byes = []
    for player, number, cell in _cells(name):
        points, other = _RESULT[cell[0]], cell[2:]
        if cell == "--":
            continue
        if cell[1:] == "BYE":
            byes.append(Bye(player, number, points, requested=cell[0] == "="))
            continue
        pair = frozenset({player, other})
        forfeit = cell[1] == "F"
        result = MatchResult(
            f"{number}: {sorted(pair)}", number, (player, other), (points, 1 - points), forfeit
        )
        told = matches.setdefault(pair, result)
        assert told.winner == result.winner, f"both lines tell the same of {told.match}"
    return Rounds(tuple(matches.values()), tuple(byes))


def _cells(name: str) -> Iterator[tuple[str, int, str]]:
    for line in table(name):
        for number in range(1, len(line)):
            yield line["player"], number, line[str(number)]


def sat_out() -> Rounds[str]:
    """One player's event: each opponent gets its final score against somebody of whom nothing is known."""
    lines = table("fide_manual_2026.csv")
    numbers = [int(line["round"]) for line in lines]
    matches = []
    for line in lines:
        if not line["result"]:
            continue
        own, met, opponent = Fraction(line["result"]), int(line["round"]), f"opponent {line['round']}"
        matches.append(MatchResult(f"{met}", met, ("player", opponent), (own, 1 - own)))
        missing = Fraction(line["opponent_score"]) - (1 - own)
        for number in numbers:
            if number != met:
                taken = min(missing, Fraction(1))
                missing -= taken
                pair = (opponent, f"other {met}")
                matches.append(MatchResult(f"{number}: {met}", number, pair, (taken, 1 - taken)))
    return Rounds(tuple(matches))
