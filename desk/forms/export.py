"""Forms for files: which table is exported and how, and an archive that is taken in."""

from typing import Any

from django import forms
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.transfer.archive.container import MOST_PACKED
from tournaments.transfer.export.csv_and_json import Form
from tournaments.transfer.export.files import NAMES, ZIP, forms_of

FULL, PUBLIC = "full", "public"
NEWEST, EVERY = "newest", "every"


class ExportForm(forms.Form):
    """Which table, in which form, for whose eyes."""

    table = forms.ChoiceField(choices=[(name, name) for name in NAMES])
    form = forms.ChoiceField(choices=[(form, form) for form in (*Form, ZIP)])
    names = forms.ChoiceField(choices=[(FULL, FULL), (PUBLIC, PUBLIC)])
    versions = forms.ChoiceField(choices=[(NEWEST, NEWEST), (EVERY, EVERY)], required=False)

    def clean(self) -> dict[str, Any]:
        """Not every table comes in every form."""
        found = super().clean() or self.cleaned_data
        table, form = found.get("table"), found.get("form")
        if form not in forms_of(table or ""):
            raise forms.ValidationError(gettext_lazy("This isn’t there in this form."))
        return found


class ArchiveForm(forms.Form):
    """The file, and another address where its own is taken."""

    file = forms.FileField(
        label=gettext_lazy("The archive"), widget=forms.ClearableFileInput({"accept": ".zip,application/zip"})
    )
    slug = forms.CharField(
        label=gettext_lazy("Another address"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("Only if its own is taken here. Small letters, digits and hyphens."),
    )

    def clean_file(self) -> object:
        """No larger than what a festival can be."""
        file = self.cleaned_data["file"]
        if file.size > MOST_PACKED:
            told = _("Expected at most %(size)s.") % {"size": filesizeformat(MOST_PACKED)}
            raise forms.ValidationError(told)
        return file
