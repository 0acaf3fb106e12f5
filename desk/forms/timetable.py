"""Forms for the timetable: its settings, a match's place, a delay."""

import re
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from desk.forms.fields import CompletedForm, RowForm, WholeNumberField
from people.models import Event
from tournaments.settings.timetable import MAX_STEP, OWN, TOGETHER
from tournaments.settings.tournament import MAX_MINUTES, MAX_TABLES

_LINE = re.compile(r"(?:(\d{1,2})[ .:)]+)?(\d{1,2}[:.]\d\d)\s*[-–—]\s*(\d{1,2}[:.]\d\d)", re.ASCII)


class Spans(forms.CharField):
    """Hours, a line each: `14:00-18:00`, the day's number before them where there are several."""

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}), **options)

    def clean(self, value: Any) -> list[dict[str, Any]]:
        """The spans as the settings take them."""
        text = super().clean(value) or ""
        found = []
        for line in filter(None, (each.strip() for each in re.split(r"[\n,;]", text))):
            match = _LINE.fullmatch(line)
            if match is None:
                raise forms.ValidationError(
                    _("Write hours as 14:00-18:00, a line each; “%(line)s” isn’t so.") % {"line": line[:40]}
                )
            day, begins, ends = match.groups()
            found.append({"day": int(day or 1), "begins": _clock(begins), "ends": _clock(ends)})
        return found

    def prepare_value(self, value: Any) -> Any:
        """The spans as lines."""
        if not isinstance(value, list | tuple):
            return value
        several = any(each.day != 1 for each in value)
        return "\n".join(f"{f'{each.day} ' if several else ''}{each.begins}-{each.ends}" for each in value)


def _clock(text: str) -> str:
    hours, minutes = re.split(r"[:.]", text)
    return f"{int(hours):02d}:{minutes}"


class MomentField(forms.TimeField):
    """A clock time, by the browser's own field."""

    def __init__(self, **options: Any) -> None:
        widget = forms.TimeInput(format="%H:%M", attrs={"type": "time"})
        super().__init__(widget=widget, input_formats=["%H:%M"], **options)


class TimetableForm(RowForm):
    """The settings of an event's timetable."""

    days = Spans(
        label=gettext_lazy("Opening hours"),
        help_text=gettext_lazy(
            "A line each, such as 14:00-19:30; with several days the day’s number first: 2 9:00-12:00."
        ),
    )
    breaks = Spans(
        required=False,
        label=gettext_lazy("Breaks"),
        help_text=gettext_lazy("When nobody plays, written in the same way."),
    )
    tables = WholeNumberField(1, MAX_TABLES, label=gettext_lazy("Tables"))
    step = WholeNumberField(1, MAX_STEP, label=gettext_lazy("A match can begin every … minutes"))
    changeover = WholeNumberField(
        0, MAX_MINUTES, label=gettext_lazy("Minutes between two matches at a table")
    )
    rest = WholeNumberField(
        0, MAX_MINUTES, label=gettext_lazy("Minutes of rest between two matches of a player")
    )
    shorter = WholeNumberField(
        0,
        MAX_MINUTES,
        label=gettext_lazy("Minutes that each match is shorter than by the tournament’s rules"),
    )
    is_judged = forms.BooleanField(required=False, label=gettext_lazy("Every match needs a referee"))
    rounds = forms.ChoiceField(
        label=gettext_lazy("Rounds"),
        choices=[
            ("in_turn", gettext_lazy("one after the other; a free table goes on with the next round")),
            ("apart", gettext_lazy("a round begins when the one before is over")),
            ("free", gettext_lazy("may mix")),
        ],
    )

    starts = forms.ChoiceField(
        label=gettext_lazy("Starts"),
        choices=[
            (TOGETHER, gettext_lazy("all tables together, wave after wave: one bell for all")),
            (OWN, gettext_lazy("each match as soon as its table and its players are free")),
        ],
    )


class PlaceForm(CompletedForm):
    """Where and when a match is played."""

    day = forms.ChoiceField(label=gettext_lazy("Day"))
    begins = MomentField(label=gettext_lazy("Begins at"))
    table = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Table"))

    def __init__(self, event: Event, tables: list[int], data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self._zone = ZoneInfo(event.time_zone)
        days = [
            event.starts_on + timedelta(days=n) for n in range((event.ends_on - event.starts_on).days + 1)
        ]
        field = self.fields["day"]
        field.choices = [(each.isoformat(), each.strftime("%d/%m/%Y")) for each in days]
        if len(days) == 1:
            field.widget = forms.HiddenInput()
            field.initial = days[0].isoformat()
        self.fields["table"].choices = [(each, str(each)) for each in tables]

    def begins_at(self) -> datetime:
        """The moment, of a valid form."""
        day = date.fromisoformat(self.cleaned_data["day"])
        return datetime.combine(day, self.cleaned_data["begins"], self._zone)


class DelayForm(PlaceForm):
    """So many minutes late, from an hour on; one table or all."""

    minutes = WholeNumberField(1, MAX_MINUTES, label=gettext_lazy("Minutes late"))

    def __init__(self, event: Event, tables: list[int], data: Any = None, **options: Any) -> None:
        super().__init__(event, tables, data, **options)
        self.fields["begins"].label = _("From")
        table = self.fields["table"]
        table.choices = [(0, pgettext("tables", "all")), *table.choices]
        self.order_fields(["minutes", "table", "day", "begins"])
