"""Form for a line of a game's log: its values, as they can be put right."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.game_log import LogSheet
from games.engine.card_names import color_name
from games.engine.cards import CARDS, COLORS
from games.engine.events import EVENT_CLASSES, EVENT_FIELDS, NEEDED
from games.engine.field_kinds import FieldKind
from games.engine.translations import translate
from rendering.text.active_language import reader_language

CHOICES = {"prompting": gettext_lazy("prompting"), "wrong_card": gettext_lazy("a wrong card")}


class CardsField(forms.CharField):
    """Cards by their codes."""

    def __init__(self, *, most: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.most = most

    def clean(self, value: Any) -> Any:
        """The codes, each one a card's; the code alone where one is expected."""
        codes = [part.upper() for part in re.split(r"[\s,;]+", super().clean(value)) if part]
        unknown = [code for code in codes if code not in CARDS]
        if unknown:
            raise forms.ValidationError(
                _("“%(code)s” isn’t a card; write for example R7, YS (Skip), GR (Reverse), B+2, W or W+4.")
                % {"code": unknown[0]}
            )
        if self.most is not None and len(codes) > self.most:
            raise forms.ValidationError(_("Here one card is expected."))
        return codes[0] if codes and self.most == 1 else codes


class LineForm(forms.Form):
    """The values of a line, as they can be put right."""

    def __init__(self, sheet: LogSheet, event: Mapping[str, Any], data: Any = None) -> None:
        super().__init__(data, prefix="value")
        self.event = event
        cls = next(each for each in EVENT_CLASSES if each.type == event["type"])
        for name, kind in EVENT_FIELDS[cls].items():
            value = event.get(name)
            made = _field(kind, sheet) if kind.label else None
            if made is None:
                # What can't be changed by hand stays as it was.
                continue
            made.label = translate(kind.label, reader_language())
            made.initial = " ".join(value) if isinstance(value, list) else value
            made.required = name in NEEDED[cls]
            self.fields[name] = made

    def changed(self) -> dict[str, Any]:
        """The event with the values that were filled in; what was left empty is left out."""
        event = {name: value for name, value in self.event.items() if name != "by"}
        for name, value in self.cleaned_data.items():
            event.pop(name, None)
            if value not in (None, "", []):
                event[name] = value
        return event


def _field(kind: FieldKind, sheet: LogSheet) -> forms.Field | None:
    """The field of a value of this kind; None for what can't be changed by hand."""
    match kind.name:
        case "seat":
            seats = sheet.seats.items()
            people = [(str(number), f"{name} · {team.short_name}") for number, (name, team) in seats]
            return forms.TypedChoiceField(choices=[("", "–"), *people], coerce=int)
        case "card" | "cards":
            example = _("For example R7, YS (Skip), GR (Reverse), B+2, W, W+4.")
            return CardsField(most=1 if kind.name == "card" else None, max_length=400, help_text=example)
        case "color":
            words = [(color, color_name(color, reader_language())) for color in COLORS]
            return forms.ChoiceField(choices=[("", "–"), *words])
        case "count" | "points":
            return forms.IntegerField(min_value=0, max_value=1000)
        case "flag":
            said = [("", "–"), ("True", _("yes")), ("False", _("no"))]
            return forms.TypedChoiceField(choices=said, coerce=lambda value: value == "True")
        case "choice":
            return forms.ChoiceField(choices=[(word, CHOICES.get(word, word)) for word in kind.choices])
    return None
