"""Form for a token: a program's name, what it may do, where, and until when."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from desk.forms.fields import CompletedForm
from people.models import Account, ApiToken, Event


class TokenForm(CompletedForm):
    """A program's name, by which its key is known, what it may do, where, and until when."""

    name = forms.CharField(
        label=gettext_lazy("What is it for?"),
        max_length=60,
        help_text=gettext_lazy("A word by which you know it again, for example “website”."),
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("What may it do?"), choices=ApiToken.Scope.choices, widget=forms.RadioSelect
    )
    event = forms.ModelChoiceField(
        label=gettext_lazy("At which event?"),
        queryset=Event.objects.none(),
        required=False,
        empty_label=gettext_lazy("At all that I organize"),
        help_text=gettext_lazy("A program that is for one event opens no other."),
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Until when?"),
        choices=[
            (7, gettext_lazy("for a week")),
            (30, gettext_lazy("for a month")),
            (365, gettext_lazy("for a year")),
            (0, gettext_lazy("until it is revoked")),
        ],
        coerce=int,
        help_text=gettext_lazy("Whoever finds a token that is over can do nothing with it."),
    )

    def __init__(self, account: Account, data: Any = None) -> None:
        super().__init__(data, initial={"scope": ApiToken.Scope.READ, "days": 30})
        mine = Event.objects.filter(organizers__account=account)
        self.fields["event"].queryset = mine.order_by("-starts_on", "name")
