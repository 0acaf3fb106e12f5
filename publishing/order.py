"""How the order of the standings comes about, in words: what is asked, and what was changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from tournaments.bell import BELL_RULES
from tournaments.decisions import REASONS
from tournaments.standings import METRICS, TIE_POLICIES


@dataclass(frozen=True, slots=True)
class Change:
    """The order decided anew while the tournament ran: when, why, and what each setting was and is now."""

    at: datetime
    reason: str
    lines: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Order:
    """The metrics with their explanations, what tied ones get, and the changes, oldest first."""

    metrics: tuple[tuple[str, str], ...]
    ties: str
    changes: tuple[Change, ...]


def order(rules: Mapping[str, Any]) -> Order | None:
    """The words for what a version of the standings keeps; None where it keeps nothing."""
    if not rules:
        return None
    return Order(
        tuple((gettext(METRICS[key].name), gettext(METRICS[key].explanation)) for key in rules["metrics"]),
        gettext(TIE_POLICIES[rules["tie_policy"]].explanation),
        tuple(
            Change(
                datetime.fromisoformat(change["at"]),
                str(REASONS[change["reason"]]),
                tuple(
                    (_names()[name], _told(name, change["before"][name]), _told(name, after))
                    for name, after in change["after"].items()
                ),
            )
            for change in rules["changes"]
        ),
    )


def _names() -> dict[str, str]:
    return {
        "metrics": gettext("What decides the order"),
        "tie_policy": gettext("Who is still level"),
        "scale": gettext("What places are worth"),
        "bell": gettext("Still level when the bell rings"),
    }


def _told(name: str, value: Any) -> str:
    match name:
        case "metrics":
            return ", ".join(gettext(METRICS[key].name) for key in value)
        case "tie_policy":
            return gettext(TIE_POLICIES[value].name)
        case "scale":
            return ", ".join(map(str, value))
        case _:
            return str(BELL_RULES[value])
