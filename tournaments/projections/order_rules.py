"""Order rules of a tournament: those of its standings, and those decided anew."""

from collections.abc import Iterable
from typing import Any, Final

from ledger.entries import StoredFact

DECIDING: Final = ("metrics", "tie_policy", "scale", "bell")
"""The settings that decide the order: fixed when the draw is published, and changed with a reason."""


def order_rules(decisions: Iterable[StoredFact]) -> dict[str, Any]:
    """The settings that decide the order, and each change of them since the draw was published.

    `{"metrics": […], "tie_policy": …, "scale": […], "bell": …,
      "changes": [{"at": …, "reason": code, "before": {…}, "after": {…}}, …]}`. A change has the settings
    that it changed alone; `at` is a moment as ISO 8601.
    """
    rules: dict[str, Any] = {}
    changes = []
    for fact in decisions:
        if fact.type != "tournament_set_up":
            continue
        body = fact.body
        new = {name: body["settings"].get(name) for name in DECIDING}
        changed = [name for name in DECIDING if rules and rules[name] != new[name]]
        if changed and body.get("reason"):
            changes.append(
                {
                    "at": fact.recorded_at.isoformat(),
                    "reason": body["reason"],
                    "before": {name: rules[name] for name in changed},
                    "after": {name: new[name] for name in changed},
                }
            )
        rules = new
    return {**rules, "changes": changes}
