"""The words of the rule set's fields, and the form fields by which a preset's are changed."""

from typing import Any

from django import forms
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from games.engine import DEFAULT_PRESET, Ruleset
from games.engine.phrases import value_words
from games.engine.ruleset import FIELDS, Field
from tournaments.settings.bell import BELL_RULES

PRESETS = {
    "palio": gettext_lazy("Palio: children, one deal a game, a point to the winner"),
    "classic": gettext_lazy("Classic: the official rules, to 500 points"),
    "to_go": gettext_lazy("To go: the rules of the travel edition"),
    "guide": gettext_lazy("Guide: two packs, dearer penalties"),
    "house": gettext_lazy("House: a circle of friends’ rules, with variations"),
}


def explained(field: Field) -> str:
    """One sentence on what a field decides, in the reader's language."""
    return field.told(get_language() or "it")


def spoken(value: object) -> str:
    """A field's value in words, in the reader's language."""
    return value_words(value, get_language() or "it")


def sheet(ruleset: Any) -> list[tuple[str, str, bool]]:
    """The rules as a list: sentence, value, and whether it differs from the preset."""
    rules = Ruleset.read(ruleset)
    own = Ruleset.read(rules.preset).values()
    return [
        (explained(field), spoken(value), value != own[field.name])
        for field, value in zip(FIELDS, rules.values().values(), strict=True)
    ]


def rule_fields(ruleset: Any) -> dict[str, forms.Field]:
    """A form field for each field of a rule set; left empty, the preset decides."""
    rules = Ruleset.read(ruleset)
    own = Ruleset.read(rules.preset).values()
    changed = {name: value for name, value in rules.values().items() if value != own[name]}
    return {f"rule_{field.name}": _rule_field(field, changed.get(field.name)) for field in FIELDS}


class RulesForm(forms.Form):
    """The part of a tournament's settings that its rules sheet is made from."""

    preset = forms.ChoiceField(label=gettext_lazy("Rules of the game"), choices=PRESETS)
    bell = forms.ChoiceField(
        label=gettext_lazy("Still level when the bell rings"), choices=BELL_RULES, required=False
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.fields.update(rule_fields(DEFAULT_PRESET))

    def ruleset(self) -> str | dict[str, Any]:
        """As a game log would write it; not checked yet."""
        return chosen_rules(self.cleaned_data)


def _rule_field(field: Field, value: Any) -> forms.Field:
    if field.kind == "int":
        return forms.IntegerField(
            label=explained(field),
            min_value=field.minimum,
            max_value=field.maximum,
            required=False,
            initial=value,
        )
    words = ("true", "false") if field.kind == "bool" else field.choices
    said = [(word, spoken(word == "true") if field.kind == "bool" else spoken(word)) for word in words]
    initial = str(value).lower() if isinstance(value, bool) else value
    return forms.ChoiceField(
        label=explained(field),
        choices=[("", _("as the preset says")), *said],
        required=False,
        initial=initial,
    )


def chosen_rules(given: dict[str, Any]) -> str | dict[str, Any]:
    """What was filled in, as settings take it: the preset with the fields that differ."""
    changed: dict[str, Any] = {}
    for field in FIELDS:
        value = given.get(f"rule_{field.name}")
        if value not in (None, ""):
            changed[field.name] = value == "true" if field.kind == "bool" else value
    preset: str = given["preset"]
    return {"preset": preset, **changed} if changed else preset
