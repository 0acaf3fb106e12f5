"""A sentence for everybody, and until when it is shown."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from desk.forms.fields import CompletedForm
from people.models import Event
from people.models.announcements import MOST_TEXT

USUAL = timedelta(minutes=30)


class AnnouncementForm(CompletedForm):
    """The sentence in each language, the event's first; one is enough."""

    shown_until = forms.TimeField(
        label=_("Shown until"),
        input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )

    def __init__(self, event: Event, data: Any = None) -> None:
        self.zone = ZoneInfo(event.time_zone)
        usual = (timezone.now() + USUAL).astimezone(self.zone)
        super().__init__(data, initial={"shown_until": usual.strftime("%H:%M")})
        texts = {
            f"texts.{language}": forms.CharField(label=name, max_length=MOST_TEXT, required=False)
            for language, name in settings.LANGUAGES
        }
        self.fields = texts | self.fields
        first = f"texts.{event.language}"
        if first in texts:
            self.order_fields([first])
            texts[first].help_text = _("Shown in other languages, too, as long as nothing stands there.")

    def texts(self) -> dict[str, str]:
        """The sentence by language."""
        return {language: self.cleaned_data[f"texts.{language}"] for language, _name in settings.LANGUAGES}

    def until(self) -> datetime:
        """The next moment at which the clock where the event is shows that time."""
        now = timezone.now().astimezone(self.zone)
        today = datetime.combine(now.date(), self.cleaned_data["shown_until"], self.zone)
        return today if today > now else today + timedelta(days=1)
