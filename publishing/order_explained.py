"""The order of the standings in words: its criteria, and what was changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from tournaments.facts.reasons import REASONS
from tournaments.formats.catalogue import AS_A_DRAW, FORMATS
from tournaments.formats.points import POINTS
from tournaments.settings.bell import BELL_RULES
from tournaments.standings import METRICS, TIE_POLICIES


@dataclass(frozen=True, slots=True)
class OrderChange:
    """The order decided anew while the tournament ran: when, why, and what each setting was and is now."""

    at: datetime
    reason: str
    lines: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Order:
    """The metrics with their explanations, what a match gives in each stage, what tied ones get, and the
    changes, oldest first.
    """

    metrics: tuple[tuple[str, str], ...]
    points: tuple[str, ...]
    ties: str
    changes: tuple[OrderChange, ...]


def order(rules: Mapping[str, Any], settings: Mapping[str, Any]) -> Order | None:
    """The words for what a version of the standings keeps, and what the tournament's settings say of points;
    None where it keeps nothing.
    """
    if not rules:
        return None
    return Order(
        tuple((gettext(METRICS[key].name), gettext(METRICS[key].explanation)) for key in rules["metrics"]),
        tuple(_points(settings)),
        gettext(TIE_POLICIES[rules["tie_policy"]].explanation),
        tuple(
            OrderChange(
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


def _points(settings: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each stage in which a match gives points."""
    for stage in (settings, *(settings.get("later") or ())):
        choice = FORMATS[stage["format"]]
        options = choice.complete(stage.get("options") or {})
        if "win" not in options:
            continue
        words = {name: POINTS[options[name]] for name in ("win", "draw", "loss")}
        told = gettext("%(format)s: a win gives %(win)s, a draw %(draw)s, a loss %(loss)s.")
        sentence = told % {"format": gettext(choice.name), **words}
        if "bye" in options:
            bye = POINTS[options["win"] if options["bye"] is None else options["bye"]]
            asked = words["draw"] if options["asked_bye"] == AS_A_DRAW else "0"
            missed = words["draw"] if options["missed"] == AS_A_DRAW else "0"
            more = gettext(
                "A bye gives %(bye)s, one that was asked for %(asked)s, a round before one came %(missed)s."
            )
            sentence = f"{sentence} {more % {'bye': bye, 'asked': asked, 'missed': missed}}"
        yield sentence


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
