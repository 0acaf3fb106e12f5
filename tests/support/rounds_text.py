"""Matches round by round from a short text, for worked examples in tests and on pages."""

import re
from collections.abc import Iterable
from fractions import Fraction

from tournaments.formats.tables.scale import mean_points, points_of_places, usual_scale
from tournaments.standings import Bye, MatchResult, Rounds

_NUMBERS = {"½": Fraction(1, 2)}
_CELL = re.compile(
    r"(?P<one>\w+) (?P<points>[\d½]+)[-–](?P<others>[\d½]+)(?P<walkover>w?) (?P<two>\w+)"
    r"(?: \((?P<games>\d+)[-–](?P<others_games>\d+)\))?"
)


def rounds_of(text: str, *, predetermined: bool = False, draw: Fraction = Fraction(1, 2)) -> Rounds[str]:
    """Lines such as `1: A 1-0 B, C ½-½ D, E 1-0w F, G ? H, J bye 1, K out ½`.

    `w`: a walkover; `?`: still open; `bye`: left over by the draw; `out`: asked to sit out. A team that a
    line doesn't have sat out. After a match its score in games may stand, `A 1-0 B (2-1)`, and after a bye
    the games that it gives, `J bye 1 (2)`.
    """
    matches: list[MatchResult[str]] = []
    byes: list[Bye[str]] = []
    for line in text.strip().splitlines():
        number, _, cells = line.strip().partition(": ")
        for cell in cells.split(", "):
            _read(int(number), cell, matches, byes)
    return Rounds(tuple(matches), tuple(byes), draw, predetermined)


def _read(number: int, cell: str, matches: list[MatchResult[str]], byes: list[Bye[str]]) -> None:
    found = _CELL.fullmatch(cell)
    words = cell.split()
    name = f"{number}: {cell}"
    if found:
        sides = (found["one"], found["two"])
        points = (_number(found["points"]), _number(found["others"]))
        games = int(found["games"] or 0), int(found["others_games"] or 0)
        matches.append(MatchResult(name, number, sides, points, bool(found["walkover"]), games))
    elif words[1] == "?":
        matches.append(MatchResult(name, number, (words[0], words[2])))
    else:
        games_won = int(words[3].strip("()")) if len(words) > 3 else 0
        byes.append(Bye(words[0], number, _number(words[2]), words[1] == "out", games_won))


def _number(text: str) -> Fraction:
    whole = text.removesuffix("½")
    return Fraction(whole or 0) + (_NUMBERS["½"] if text.endswith("½") else 0)


def rounds_at_tables(text: str) -> Rounds[str]:
    """Lines such as `1: A B C+D | E F G | H`: the places at each table, `+` between those who share one.

    With `A=0 B=12 C=40` sides have the points left in hand. Who is alone sits out.
    """
    read = [
        (int(number), [cell.split() for cell in cells.split(" | ")])
        for number, _, cells in (line.strip().partition(": ") for line in text.strip().splitlines())
    ]
    by_hand = "=" in text
    tables = [(number, _table(words)) for number, cells in read for words in cells if len(words) > 1]
    seats = max(len(table) for _, table in tables)
    matches, byes = [], []
    for at, (number, table) in enumerate(tables):
        figures = tuple(table.values())
        places = tuple(1 + sum(other < own for other in figures) for own in figures)
        given = tuple(map(Fraction, figures)) if by_hand else points_of_places(usual_scale(seats), places)
        matches.append(MatchResult(f"{number}/{at}", number, tuple(table), given, places=places))
    mean = mean_points(usual_scale(seats))
    for number, cells in read:
        byes += [Bye(words[0], number, mean) for words in cells if len(words) == 1]
    return Rounds(tuple(matches), tuple(byes), seats=seats)


def _table(words: Iterable[str]) -> dict[str, int]:
    """The sides of a table, each with a number: the fewest is first."""
    found = {}
    for place, word in enumerate(words, start=1):
        for side in word.split("+"):
            name, _, points = side.partition("=")
            found[name] = int(points or place)
    return found


def teams_of(rounds: Rounds[str]) -> Iterable[str]:
    """Everybody, by name."""
    return sorted(set(rounds.teams()))
