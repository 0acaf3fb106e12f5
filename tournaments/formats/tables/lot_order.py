"""Lots of contestants and teams at tables.

Method `tendone-seating-sha256-1`, which anybody can repeat. The lot of a contestant is the SHA-256 (in
hexadecimal) of the UTF-8 text

    tendone-seating-sha256-1/<seed>/<number>

and that of a team the same of `<seed>/team/<number>`. Contestants come to the plan in the order of their
teams, larger teams first and of equals by the team's lot. Within a team they come by their own lots. A round
by the standings takes them in the order of their own lots alone.

Test vector: seed `palio-2022`, number 1 gives
b42aba6d9953ec693f35b594f8f112855b50d0867b2661a6bdf0c41927c395d3.
"""

from collections import Counter
from collections.abc import Iterable

from ..format import Contestant
from ..order import drawn_lot

METHOD = "tendone-seating-sha256-1"


def by_lot(contestants: Iterable[Contestant], seed: str) -> list[Contestant]:
    """The contestants in the order of their lots."""
    return sorted(contestants, key=lambda one: drawn_lot(f"{METHOD}/{seed}/{one.number}"))


def by_team(contestants: Iterable[Contestant], seed: str) -> list[Contestant]:
    """The contestants in the order in which they come to the plan."""
    drawn = by_lot(contestants, seed)
    sizes = Counter(one.team for one in drawn)
    lots = {team: drawn_lot(f"{METHOD}/{seed}/team/{team}") for team in sizes}
    return sorted(drawn, key=lambda one: (-sizes[one.team], lots[one.team]))
