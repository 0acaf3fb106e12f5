"""An address outside, and what is sent there."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from desk.forms.fields import LocalMoment
from integrations.change_feed import kinds
from integrations.webhooks.registration import KINDS

USUAL = [kinds.RESULT_ENTERED, kinds.RESULT_CORRECTED, kinds.STANDINGS]


class WebhookForm(forms.Form):
    """Where to, and of what."""

    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=500,
        help_text=gettext_lazy("It begins with https:// and belongs to the program that is to be told."),
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("Tell it of"), choices=list(KINDS.items()), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, initial={"kinds": USUAL})


class ReplayForm(forms.Form):
    """From when on everything is sent once more."""

    since = LocalMoment(
        label=gettext_lazy("Since"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=gettext_lazy("Day and time where the event is."),
    )
