"""What was changed of a draw by hand, as sentences: told beside seed and method, with why."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.utils.translation import gettext

from tournaments.decisions import REASONS
from tournaments.models import Stage, Tournament


def edited_stages(tournament: Tournament) -> list[Stage]:
    """Its stages that were changed by hand, by number; one query."""
    stages = Stage.objects.filter(tournament=tournament).exclude(edits=[]).order_by("number")
    return list(stages)


def squads_of(stages: Iterable[Stage]) -> list[UUID]:
    """The squads that the changes of these stages speak of."""
    return [UUID(edit[side]["id"]) for stage in stages for edit in stage.edits for side in ("one", "other")]


def sentences(stages: Iterable[Stage], called: Mapping[UUID, str], number: int | None = None) -> list[str]:
    """Each change, in order; with a `number` those of this round (counted through all stages) alone.

    `called` has the names of squads as the reader may see them.
    """
    found = []
    for stage in stages:
        for edit in stage.edits:
            if number is not None and number not in edit["rounds"]:
                continue
            rounds = edit["rounds"] if number is None else [number]
            one, other = (called.get(UUID(edit[side]["id"]), "–") for side in ("one", "other"))
            values = {
                "rounds": ", ".join(map(str, rounds)),
                "one": one,
                "other": other,
                "reason": str(REASONS.get(edit["reason"], edit["reason"])),
            }
            if len(rounds) == 1:
                told = gettext("Round %(rounds)s: %(one)s and %(other)s changed places (%(reason)s).")
            else:
                told = gettext("Rounds %(rounds)s: %(one)s and %(other)s changed places (%(reason)s).")
            found.append(told % values)
    return found
