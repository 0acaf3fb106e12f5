"""The offline recorder of a game: the events and fields of its rule set, as data.

Without a network nobody checks an entry: the page lays out what there can be at all, and the engine checks
it when it arrives. So what depends on the rule set is said here, and none of it in the page's script.
"""

from typing import Any

from games.engine import State
from games.engine.events import EVENT_FIELDS
from games.engine.possible_events import draw_counts, vocabulary
from games.engine.state import CUT, DEAL, SHOW, TURN_CARD

ELSEWHERE = frozenset({"game_opened", "event_voided"})
"""Types that are no part of what a referee sees: the service opens a game, and a correction needs the log."""
_CHOICES = {name for kinds in EVENT_FIELDS.values() for name, kind in kinds.items() if kind.is_choice}
BESIDE = frozenset({"at", "by", "places"} | _CHOICES)
"""Fields that the phone and the service add by themselves, or that no referee is asked for. A choice is among
them: only the engine knows when there is one.
"""

_START, _CARDS, _END = "start", "cards", "end"
_FIRST = {CUT: _START, DEAL: _START, TURN_CARD: _START, SHOW: _END}
_NEXT = {"dealer_cut": _START, "dealer_named": _START, "deal_started": _START, "hand_shown": _END}


def recorder(state: State) -> dict[str, Any]:
    """The recorder's data for a game as it stands.

    `events`: the fields of each type that its rule set has. `counts`: how many cards are drawn at once.
    `first`: the part of the recorder that is open at first; `next`: the part after an event of a type, where
    that isn't `cards`.
    """
    has_kin = bool(state.kin)
    found = vocabulary(state.ruleset, has_kin=has_kin)
    return {
        "events": {
            type_: [field.to_json() for field in fields if field.name not in BESIDE]
            for type_, fields in found.items()
            if type_ not in ELSEWHERE
        },
        "counts": draw_counts(state.ruleset, has_kin=has_kin),
        "first": _FIRST.get(state.phase, _CARDS),
        "next": _NEXT,
    }
