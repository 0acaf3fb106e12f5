"""The drawn order: a method with a name, that anybody can repeat with a SHA-256 calculator.

Method `tendone-sha256-1`. For each entry, the SHA-256 (in hexadecimal) of the following UTF-8 text is
computed.

    tendone-sha256-1/<seed>/<team number>/<entry number>

A team's entries are sorted by it. Squads of s are cut from that order: the first s entries are squad 1, the
next s are squad 2. The teams' own order says who takes which part in the plan of meetings. It is that of the
same text with 0 in the place of the entry.

Test vector: seed `palio-2022`, team 1, entry 1 gives
8be73dd298606f57edfa67e26ead712beeae12384893b5c3b602c10e7dab0cfe.
"""

import hashlib
from collections.abc import Sequence

from .model import DrawSquad

METHOD = "tendone-sha256-1"
METHOD_EVEN = "tendone-sha256-3"
"""The same lots, with the even plans of meetings."""


def drawn_lot(text: str) -> str:
    """The lot of a text: its SHA-256, 64 hexadecimal digits; the lowest comes first.

    The text of every method is its name, the seed, and what the lot is for, with `/` between.
    """
    return hashlib.sha256(text.encode()).hexdigest()


def lot(seed: str, team: int, entry: int = 0) -> str:
    """The lot of an entry (of the team itself for entry 0)."""
    return drawn_lot(f"{METHOD}/{seed}/{team}/{entry}")


def team_order(teams: int, seed: str) -> list[int]:
    """The team numbers 1 to `teams` in drawn order."""
    return sorted(range(1, teams + 1), key=lambda team: lot(seed, team))


def drawn_order(team: int, roster: Sequence[int], seed: str) -> list[int]:
    """A team's entries in drawn order; the roster's own order plays no part."""
    return sorted(roster, key=lambda entry: lot(seed, team, entry))


def cut_squads(team: int, drawn: Sequence[int], squad_size: int) -> tuple[DrawSquad, ...]:
    """The squads of a team whose entries come in this order."""
    return tuple(
        DrawSquad(team, number, tuple(drawn[start : start + squad_size]))
        for number, start in enumerate(range(0, len(drawn), squad_size), start=1)
    )
