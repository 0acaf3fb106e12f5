"""Form for the filters of the audit trail."""

from datetime import datetime
from typing import Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from desk.forms.fields import CompletedForm
from people.models import Event
from people.moment_parsing import BadMomentError, moment_asked
from tournaments.queries.history import KINDS, HappeningKind, HistoryFilter, actors


def _moment_field(label: Any) -> forms.CharField:
    widget = forms.TextInput({"type": "datetime-local"})
    return forms.CharField(required=False, label=label, max_length=40, widget=widget)


class AskedForm(CompletedForm):
    """What of the history is wanted; all of it where nothing is chosen."""

    who = forms.ChoiceField(required=False, label=gettext_lazy("Who"))
    kind = forms.TypedChoiceField(
        required=False,
        label=gettext_lazy("What"),
        choices=[("", gettext_lazy("everything")), *((kind.value, label) for kind, label in KINDS.items())],
        coerce=HappeningKind,
        empty_value=None,
    )
    table = forms.TypedChoiceField(required=False, label=gettext_lazy("Table"), coerce=int, empty_value=None)
    since = _moment_field(gettext_lazy("From"))
    until = _moment_field(gettext_lazy("Until"))

    def __init__(self, event: Event, data: Any) -> None:
        super().__init__(data, label_suffix="")
        self.event = event
        self.fields["who"].choices = [("", _("everybody")), *actors(event)]
        numbers = [str(number) for number in event.tables.order_by("number").values_list("number", flat=True)]
        self.fields["table"].choices = [("", pgettext("tables", "all")), *zip(numbers, numbers, strict=True)]

    def clean_since(self) -> datetime | None:
        """The moment from which on."""
        return self._moment("since")

    def clean_until(self) -> datetime | None:
        """The moment up to which."""
        return self._moment("until")

    def _moment(self, name: str) -> datetime | None:
        text = self.cleaned_data.get(name)
        if not text:
            return None
        try:
            return moment_asked(text, self.event)
        except BadMomentError as error:
            raise forms.ValidationError(_("That is no moment in time")) from error

    def asked(self) -> HistoryFilter:
        """What was chosen; Http404 for what nobody can choose."""
        if not self.is_valid():
            raise Http404
        return HistoryFilter(**self.cleaned_data)

    @property
    def chosen(self) -> dict[str, str]:
        """What stands in the address of it."""
        return {name: self.data[name] for name in self.fields if self.data.get(name)}
