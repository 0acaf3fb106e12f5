"""Forms for entries: one person, or a list to import."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from desk.forms.fields import CompletedForm
from people.intake.rows import MAX_MARK, MAX_NAME, MAX_NOTE
from people.models import Entry, Event, Team


class EntryForm(CompletedForm):
    """One person, checked by the same rules as a list."""

    first_name = forms.CharField(label=_("First name"), max_length=MAX_NAME)
    last_name = forms.CharField(label=_("Last name"), max_length=MAX_NAME)
    birth_date = forms.CharField(
        label=_("Date of birth"), max_length=20, help_text=_("Day, month, year: 05/03/2014")
    )
    team = forms.ModelChoiceField(Team.objects.none(), label=_("Team"), empty_label=None)
    shows_name = forms.BooleanField(
        label=_("The parents agree to first name and initial being shown"), required=False
    )
    family = forms.CharField(
        label=_("Family"),
        max_length=MAX_MARK,
        required=False,
        help_text=_("A word that brothers and sisters share: draws keep them apart. Only the desk sees it."),
    )
    school_class = forms.CharField(
        label=_("Class"),
        max_length=MAX_MARK,
        required=False,
        help_text=_("For example 3 B. The draw can keep a class apart, if the tournament is set so."),
    )
    is_strong = forms.BooleanField(
        label=_("A strong player: the draw spreads them over the tables"), required=False
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=MAX_NOTE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Seen at the desk only, for example an allergy; it goes after the event."),
    )

    def __init__(self, event: Event, data: Any = None, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.fields["team"].queryset = event.teams.order_by("number")

    @classmethod
    def of(cls, event: Event, entry: Entry, data: Any = None) -> "EntryForm":
        """The form with what is known of an entry's person."""
        person = entry.person
        assert person is not None  # noqa: S101  # who was erased has no form; for the type checker
        known = {name: getattr(person, name) for name in cls.base_fields if name != "team"}
        birth_date = person.birth_date.strftime("%d/%m/%Y")
        return cls(event, data, {**known, "birth_date": birth_date, "team": entry.team_id})

    def person(self) -> dict[str, Any]:
        """What was filled in of the person."""
        return {name: value for name, value in self.cleaned_data.items() if name != "team"}


class ImportForm(CompletedForm):
    """A list of entries: a file, or rows pasted from a spreadsheet."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        help_text=_("A spreadsheet (XLSX) or a CSV file, as it comes."),
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv,.tsv,.txt,text/csv"}),
    )
    pasted = forms.CharField(
        label=_("Or paste the rows"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("With the line of headers: select the cells in the spreadsheet, copy, paste here."),
    )
    team = forms.ModelChoiceField(
        Team.objects.none(),
        label=_("Team of all rows"),
        required=False,
        empty_label=_("as the list says"),
        help_text=_("For a list without a column for the team."),
    )
    with_notes = forms.BooleanField(
        label=_("Take the notes in, too"),
        required=False,
        help_text=_("Notes may be health data. Without this they aren’t even read."),
    )

    def __init__(self, event: Event, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        self.fields["team"].queryset = event.teams.order_by("number")

    def clean(self) -> dict[str, Any]:
        """Refuse a form that has neither a file nor pasted rows."""
        given = self.cleaned_data
        if not given.get("file") and not (given.get("pasted") or "").strip() and "file" not in self.errors:
            self.add_error("file", _("Choose a file, or paste the rows below."))
        return given

    def content(self) -> bytes:
        """The list's bytes."""
        file = self.cleaned_data["file"]
        return bytes(file.read()) if file else str(self.cleaned_data["pasted"]).encode()
