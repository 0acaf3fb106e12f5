"""Changes of a tournament's draw: those made, whether more are possible, and the form for one."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy

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


EVERY = "every"
"""The choice of every round."""
Choices = Sequence[tuple[str, Any]]


class SwapForm(forms.Form):
    """Which two squads change places, and in which round, or in every one."""

    def __init__(self, squads: Choices, rounds: Choices, data: Any = None) -> None:
        super().__init__(data)
        choices = [("", gettext_lazy("choose")), *squads]
        self.fields["one"] = forms.ChoiceField(label=gettext_lazy("Who"), choices=choices)
        self.fields["other"] = forms.ChoiceField(label=gettext_lazy("Changes places with"), choices=choices)
        where = forms.ChoiceField(label=gettext_lazy("Where"), choices=list(rounds))
        if len(rounds) == 1:
            where.widget = forms.HiddenInput()
            where.initial = rounds[0][0]
        self.fields["round"] = where

    def chosen_round(self) -> int | None:
        """The round, counted through all stages; None is every round."""
        text = self.cleaned_data["round"]
        return None if text == EVERY else int(text)
