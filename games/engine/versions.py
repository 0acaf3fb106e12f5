"""The version of the game log's format, and how events of older versions become current ones.

An event keeps its place: one older event is lifted to one event of the next version, so that line n stays
line n. To change the format, raise `CURRENT`, add the lift from the version before, and keep a log of the new
version with the tests.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.engine.refusals import Refusal

CURRENT: Final = 1
"""The version that this engine reads, checks and prints."""

Lift = Callable[[dict[str, Any]], dict[str, Any]]

LIFTS: dict[int, Lift] = {}
"""For each older version, what makes an event's JSON object one of the next version."""


def lift(event: Mapping[str, Any], version: int) -> dict[str, Any]:
    """The JSON object of an event of some version as one of the current version.

    Refusal `malformed` for a version that isn't known here, such as that of a newer program.
    """
    lifted = dict(event)
    for step in range(version, CURRENT):
        if step not in LIFTS:
            raise _unknown(version)
        lifted = LIFTS[step](lifted)
    if version > CURRENT:
        raise _unknown(version)
    return lifted


def _unknown(version: int) -> Refusal:
    return Refusal(
        "malformed",
        "an event of version {version} of the game log; read is up to version {current}",
        version=version,
        current=CURRENT,
    )
