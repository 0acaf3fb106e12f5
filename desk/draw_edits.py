"""Changes of a tournament's draw: those made, and whether more are possible."""

from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from desk.forms.draw_edits import EVERY
from desk.stage_squads import ranked_squads
from people.display_names import NameBook
from people.refusals import Refused
from tournaments.commands.edit_draw import Editable, editable
from tournaments.models import Tournament
from tournaments.queries import draw_edits_text


def edits_shown(tournament: Tournament, book: NameBook) -> dict[str, Any]:
    """For `desk/edits.html`: each change with the address that puts it back, "" where that can't be; what the
    seed repeats of plans; and `can_edit`.
    """
    try:
        here: Editable | None = editable(tournament)
    except Refused:
        here = None
    stages = draw_edits_text.edited_stages(tournament)
    called = {}
    if stages:
        called = {pk: one.name for pk, one in ranked_squads(tournament.pk, book).items()}
    edits = [(stage, edit) for stage in stages for edit in stage.edits]
    told = draw_edits_text.sentences([edit for _stage, edit in edits], called)
    return {
        "can_edit": here is not None,
        "plans_repeated": draw_edits_text.plans_repeated(edit for _stage, edit in edits),
        "edits": [
            (sentence, _address(tournament, here, edit) if here and here.course.stage == stage.pk else "")
            for sentence, (stage, edit) in zip(told, edits, strict=True)
        ],
    }


def _address(tournament: Tournament, here: Editable, edit: dict[str, Any]) -> str:
    """Where the same two change places again; "" in a round that can't be changed any more, and for what
    wasn't changed by hand.
    """
    rounds = set(edit["rounds"])
    if "one" not in edit or not rounds <= set(here.rounds):
        return ""
    asked = {"one": edit["one"]["id"], "other": edit["other"]["id"]}
    asked["round"] = str(*rounds) if len(rounds) == 1 else EVERY
    path = reverse("desk:draw-edit", args=[tournament.event.slug, tournament.slug])
    return f"{path}?{urlencode(asked)}"
