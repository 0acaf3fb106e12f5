"""Taking an event's archive in."""

from django import forms
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.transfer.archive.container import MOST_PACKED


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
