"""Form for changing a draw: which two squads change places, and in which round."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

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
