"""The state of a game as everybody may see it: the object that the command line prints."""

from typing import Any

from games.engine.state import State


def summarize(state: State) -> dict[str, Any]:
    """The public state of a game, JSON-able; its keys are those of the game log's command line."""
    return {
        "ruleset": state.ruleset.preset,
        "events": state.events,
        "deal": state.deal,
        "phase": state.phase,
        "turn": state.turn,
        "direction": state.direction,
        "dealer": state.dealer,
        "top": state.top,
        "color": state.color,
        "owed": state.owed,
        "hands": state.hands,
        "draw_pile": state.pile,
        "discards": len(state.discards),
        "scores": list(state.scores),
        "deal_scores": [list(row) for row in state.deal_scores],
        "left": sorted(state.left),
        "winner": state.winner,
        "team": state.team,
    }
