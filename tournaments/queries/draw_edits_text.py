"""Changes of a draw as sentences, beside seed and method: by hand, planned anew, free seats taken.

A change is one of `Stage.edits`.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext, pgettext

from tournaments.facts.reasons import CAME, FREE_SEAT, LEFT, ON_REQUEST, REASONS
from tournaments.models import Stage, Tournament
from tournaments.queries.round_names import spoken_numbers, spoken_rounds

Edit = Mapping[str, Any]


def edited_stages(tournament: Tournament) -> list[Stage]:
    """Its stages that were changed by hand, by number; one query."""
    return list(Stage.objects.filter(tournament=tournament).exclude(edits=[]).order_by("number"))


def squads_of(edits: Iterable[Edit]) -> list[UUID]:
    """The squads that these changes speak of."""
    return [UUID(edit[side]["id"]) for edit in edits for side in ("one", "other", "squad") if side in edit]


def in_round(edit: Edit, number: int) -> Edit:
    """What a change says of one of its rounds."""
    narrowed = {**edit, "rounds": [number]}
    if "seats" in edit:
        narrowed["seats"] = [seat for seat in edit["seats"] if seat[0] == number]
    return narrowed


def sentences(edits: Iterable[Edit], called: Mapping[UUID, str]) -> list[str]:
    """Each change, in order; `called` has the names of squads as the reader may see them."""
    return [_sentence(edit, [called.get(squad, "–") for squad in squads_of([edit])]) for edit in edits]


def plans_repeated(edits: Iterable[Edit]) -> str:
    """What the seed repeats where rounds were planned anew; empty where none were."""
    if not any("plan" in edit for edit in edits):
        return ""
    return gettext(
        "The seed alone repeats plan 1. Each later plan follows from the seed, from who was there, and from "
        "the rounds before it."
    )


def redrawn_text(body: Mapping[str, Any], name: str) -> str:
    """What a fact says of rounds that are others, as one sentence; `name` is whoever left or came, if any."""
    reason = body["reason"]
    if reason == LEFT:
        told = gettext("%(rounds)s: %(name)s has left, and too few would have sat at a table.")
    elif reason == CAME:
        told = gettext("%(rounds)s: %(name)s came, and no seat was free.")
    elif reason == ON_REQUEST:
        told = gettext("%(rounds)s: planned by the desk for who was there.")
    elif reason == FREE_SEAT:
        told = gettext("%(rounds)s: %(name)s takes a free seat, and nobody else moves.")
    else:
        told = gettext("%(rounds)s. Reason: %(reason)s.")
    why = str(REASONS.get(reason, reason))
    return told % {"rounds": spoken_rounds(body["rounds"]), "name": name, "reason": why}


def _sentence(edit: Edit, squads: list[str]) -> str:
    if "plan" in edit:
        return _of_plan(edit, *squads)
    if "seats" in edit:
        told = gettext("round %(round)d, table %(table)d")
        return gettext("%(when)s: %(name)s takes a free seat: %(where)s. Nobody else moves.") % {
            "when": _when(edit),
            "name": squads[0],
            "where": ", ".join(told % {"round": number, "table": table} for number, table in edit["seats"]),
        }
    values = {
        "rounds": ", ".join(map(str, edit["rounds"])),
        "one": squads[0],
        "other": squads[1],
        "reason": str(REASONS.get(edit["reason"], edit["reason"])),
    }
    if len(edit["rounds"]) == 1:
        return gettext("Round %(rounds)s: %(one)s and %(other)s changed places (%(reason)s).") % values
    return gettext("Rounds %(rounds)s: %(one)s and %(other)s changed places (%(reason)s).") % values


def _of_plan(edit: Edit, name: str = "") -> str:
    plan = gettext("Plan %(plan)d, %(when)s") % {"plan": edit["plan"], "when": _when(edit)}
    if not edit["rounds"]:
        return gettext("%(plan)s: replaced since.") % {"plan": plan}
    count = len(edit["rounds"])
    if edit["reason"] == LEFT:
        told = ngettext(
            "%(plan)s, round %(rounds)s: %(name)s has left, and too few would have sat at a table.",
            "%(plan)s, rounds %(rounds)s: %(name)s has left, and too few would have sat at a table.",
            count,
        )
    elif edit["reason"] == CAME:
        told = ngettext(
            "%(plan)s, round %(rounds)s: %(name)s came, and no seat was free.",
            "%(plan)s, rounds %(rounds)s: %(name)s came, and no seat was free.",
            count,
        )
    else:
        told = ngettext(
            "%(plan)s, round %(rounds)s: planned anew at the desk.",
            "%(plan)s, rounds %(rounds)s: planned anew at the desk.",
            count,
        )
    return told % {"plan": plan, "rounds": spoken_numbers(edit["rounds"]), "name": name}


def _when(edit: Edit) -> str:
    when = date_format(localtime(datetime.fromisoformat(edit["at"])), "j F, H:i")
    return when.lower() if pgettext("how days and months begin", "capital") == "small" else when
