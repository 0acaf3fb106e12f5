"""Numbers of entries as a command line has them: `1-3,5`, and with their teams `1/3,2/5`."""

import re
from collections.abc import Iterable, Sequence

from .errors import CannotDraw, gettext_noop
from .model import Player

MAX_ENTRY = 9_999

_RANGE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")
_PLAYER = re.compile(r"(\d{1,4})/(\d{1,4})")


def write_numbers(numbers: Iterable[int]) -> str:
    """`1-3,5` for 1, 2, 3 and 5, in any order."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def read_numbers(text: str) -> tuple[int, ...]:
    """The numbers that `1-3,5` stands for, as they come."""
    numbers: list[int] = []
    for word in text.split(","):
        found = _RANGE.fullmatch(word.strip())
        if found is None or (found[2] and int(found[2]) < int(found[1])):
            raise CannotDraw(
                "unreadable_numbers",
                gettext_noop("Entries are written like 1-9,11 (numbers up to %(most)d), not %(given)s."),
                most=MAX_ENTRY,
                given=repr(word),
            )
        numbers += range(int(found[1]), int(found[2] or found[1]) + 1)
    return tuple(numbers)


def write_players(players: Sequence[Player]) -> str:
    """`1/3,2/5` for entry 3 of team 1 and entry 5 of team 2."""
    return ",".join(f"{player.team}/{player.entry}" for player in players)


def read_players(text: str) -> tuple[Player, ...]:
    """The entries that `1/3,2/5` stands for; none for an empty text."""
    found = []
    for word in text.split(",") if text else ():
        parts = _PLAYER.fullmatch(word.strip())
        if parts is None:
            raise CannotDraw(
                "unreadable_entries",
                gettext_noop("Entries of teams are written like 1/3,2/5 (team/entry), not %(given)s."),
                given=repr(word),
            )
        found.append(Player(int(parts[1]), int(parts[2])))
    return tuple(found)
