"""A sentence for everybody, and until when it is shown."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from people.models import Event
from people.models.announcements import MOST_TEXT

USUAL = timedelta(minutes=30)


class AnnouncementForm(forms.Form):
    """The sentence in the event's language first; one of the two is enough."""

    text_it = forms.CharField(label=_("In Italian"), max_length=MOST_TEXT, required=False)
    text_en = forms.CharField(label=_("In English"), max_length=MOST_TEXT, required=False)
    shown_until = forms.TimeField(
        label=_("Shown until"),
        input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )

    def __init__(self, event: Event, data: Any = None) -> None:
        self.zone = ZoneInfo(event.time_zone)
        usual = (timezone.now() + USUAL).astimezone(self.zone)
        super().__init__(data, initial={"shown_until": usual.strftime("%H:%M")})
        first = f"text_{event.language}"
        if first in self.fields:
            self.order_fields([first])
            self.fields[first].help_text = _(
                "Shown in the other language, too, as long as nothing stands there."
            )

    def texts(self) -> dict[str, str]:
        """The sentence by language."""
        return {"it": self.cleaned_data["text_it"], "en": self.cleaned_data["text_en"]}

    def until(self) -> datetime:
        """The next moment at which the clock where the event is shows that time."""
        now = timezone.now().astimezone(self.zone)
        today = datetime.combine(now.date(), self.cleaned_data["shown_until"], self.zone)
        return today if today > now else today + timedelta(days=1)
