"""The lots of a round robin: a method with a name, that anybody can repeat with a SHA-256 calculator.

Method `tendone-round-robin-1`. Contestants go by their numbers in the seeding. A lot is the SHA-256 (in
hexadecimal) of a UTF-8 text; the lowest comes first.

- Which group: `tendone-round-robin-1/<seed>/group/<attempt>/<contestant>`; `groups.py` says how.
- Which number in the group's Berger table: `tendone-round-robin-1/<seed>/number/<contestant>`.

Test vector: seed `palio-2022`, the number of contestant 1:
c20d52ae830d4016e31632abcb2499859ef9a8b21497ff65f155de7fe0a13091.
"""

from ..order import drawn_lot

METHOD = "tendone-round-robin-1"


def group_lot(seed: str, attempt: int, contestant: int) -> str:
    """The lot by which contestants of a pot come to the groups; attempts are counted from 1."""
    return drawn_lot(f"{METHOD}/{seed}/group/{attempt}/{contestant}")


def number_lot(seed: str, contestant: int) -> str:
    """The lot by which the contestants of a group come to their numbers."""
    return drawn_lot(f"{METHOD}/{seed}/number/{contestant}")
