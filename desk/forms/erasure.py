"""Forms for erasing people: the event's name to confirm it, and the date where the clock's is in doubt."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.models import Event
from rendering.text.days import day as in_words


class PurgeForm(forms.Form):
    """Nobody erases everybody by a slip of the finger."""

    name = forms.CharField(
        label=gettext_lazy("The event’s name, to confirm"),
        max_length=120,
        widget=forms.TextInput({"size": 40}),
    )

    def __init__(self, event: Event, data: Any = None) -> None:
        super().__init__(data)
        self._event = event

    def clean_name(self) -> str:
        """It has to be the event's."""
        name: str = self.cleaned_data["name"]
        if name.strip() != self._event.name:
            raise forms.ValidationError(_("Expected: %(name)s.") % {"name": self._event.name})
        return name


class DateForm(forms.Form):
    """Today's date as a person knows it, compared with the clock's."""

    day = forms.DateField(
        label=gettext_lazy("Today’s date, from a phone or a calendar"),
        widget=forms.DateInput({"type": "date"}),
    )

    def __init__(self, by_the_clock: date, data: Any = None) -> None:
        super().__init__(data)
        self._by_the_clock = by_the_clock

    def clean_day(self) -> date:
        """It has to be the clock's."""
        day: date = self.cleaned_data["day"]
        if day != self._by_the_clock:
            raise forms.ValidationError(
                _(
                    "The clock of this service says %(day)s. If yours is right, set that clock: what waits "
                    "is looked at again by itself."
                )
                % {"day": in_words(self._by_the_clock, "l j F Y")}
            )
        return day
