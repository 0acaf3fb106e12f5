"""The words of the rule set's fields, and the form fields by which a preset's are changed."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import Ruleset
from games.engine.rule_fields import FIELDS, Field, Setting
from rendering.text.active_language import reader_language

PRESETS = {
    "palio": gettext_lazy("Palio: children, one deal a game, a point to the winner"),
    "classic": gettext_lazy("Classic: the official rules, to 500 points"),
    "to_go": gettext_lazy("To go: the rules of the travel edition"),
    "guide": gettext_lazy("Guide: two packs, dearer penalties"),
    "house": gettext_lazy("House: a circle of friends’ rules, with variations"),
}


def sheet(ruleset: Any) -> list[tuple[str, str, bool]]:
    """The rules as a list: sentence, value, and whether it differs from the preset."""
    changed = _changed(ruleset)
    values = Ruleset.read(ruleset).values()
    language = reader_language()
    return [
        (field.told(language), Setting(field, values[field.name]).told(language), field.name in changed)
        for field in FIELDS
    ]


def rule_fields(ruleset: Any) -> dict[str, forms.Field]:
    """A form field for each field of a rule set; left empty, the preset decides."""
    changed = _changed(ruleset)
    return {f"rule_{field.name}": _rule_field(field, changed.get(field.name)) for field in FIELDS}


def _changed(ruleset: Any) -> dict[str, Any]:
    """The values that differ from those of the preset, by field."""
    rules = Ruleset.read(ruleset)
    own = Ruleset.read(rules.preset).values()
    return {name: value for name, value in rules.values().items() if value != own[name]}


def _rule_field(field: Field, value: Any) -> forms.Field:
    language = reader_language()
    common: dict[str, Any] = {"label": field.told(language), "required": False}
    if field.kind == "int":
        return forms.IntegerField(min_value=field.minimum, max_value=field.maximum, initial=value, **common)
    said = [(_sent(each), Setting(field, each).told(language)) for each in field.words]
    return forms.ChoiceField(choices=[("", _("as the preset says")), *said], initial=_sent(value), **common)


def _sent(value: Any) -> Any:
    """A value as a form sends it."""
    return str(value).lower() if isinstance(value, bool) else value


def chosen_rules(given: dict[str, Any]) -> str | dict[str, Any]:
    """What was filled in, as settings take it: the preset with the fields that differ."""
    changed: dict[str, Any] = {}
    for field in FIELDS:
        value = given.get(f"rule_{field.name}")
        if value not in (None, ""):
            changed[field.name] = value == "true" if field.kind == "bool" else value
    preset: str = given["preset"]
    return {"preset": preset, **changed} if changed else preset
