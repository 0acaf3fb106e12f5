"""Changes by hand of a draw as sentences, beside seed and method.

A change is one of `Stage.edits`.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from tournaments.facts.reasons import REASONS
from tournaments.models import Stage, Tournament

Edit = Mapping[str, Any]


def edited_stages(tournament: Tournament) -> list[Stage]:
    """Its stages that were changed by hand, by number; one query."""
    return list(Stage.objects.filter(tournament=tournament).exclude(edits=[]).order_by("number"))


def squads_of(edits: Iterable[Edit]) -> list[UUID]:
    """The squads that these changes speak of."""
    return [UUID(edit[side]["id"]) for edit in edits for side in ("one", "other")]


def sentences(edits: Iterable[Edit], called: Mapping[UUID, str]) -> list[str]:
    """Each change, in order; `called` has the names of squads as the reader may see them."""
    found = []
    for edit in edits:
        one, other = (called.get(squad, "–") for squad in squads_of([edit]))
        values = {
            "rounds": ", ".join(map(str, edit["rounds"])),
            "one": one,
            "other": other,
            "reason": str(REASONS.get(edit["reason"], edit["reason"])),
        }
        if len(edit["rounds"]) == 1:
            told = gettext("Round %(rounds)s: %(one)s and %(other)s changed places (%(reason)s).")
        else:
            told = gettext("Rounds %(rounds)s: %(one)s and %(other)s changed places (%(reason)s).")
        found.append(told % values)
    return found
