"""The five presets: their values, and what they are called."""

from collections.abc import Mapping
from typing import Any, Final

from games.engine.rule_fields import BASES, RULES
from games.engine.translations import mark

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    preset: {name: rule.value(preset) for name, rule in RULES.items()} for preset in BASES
}
"""The values of each preset: what each Italian document says, field by field."""

DEFAULT_PRESET: Final = "palio"

TITLES: Final = {
    "palio": mark("The rules of the palio"),
    "classic": mark("The classic rules"),
    "to_go": mark("The travel rules"),
    "guide": mark("The rules of the guide"),
    "house": mark("The house rules"),
}
"""What the rules of each preset are called, a msgid."""

ABOUT: Final = {
    "palio": mark("For a palio of children: each game is one deal, and whoever is out first wins."),
    "classic": mark("The official rules: points for the winner of each deal, up to 500."),
    "to_go": mark("The rules of the travel edition: as the classic ones, but a drawn card may be kept."),
    "guide": mark("For many players: two packs, and dearer penalties."),
    "house": mark("Among friends: several cards at once, answers to a Draw Two, and the fewest points win."),
}
"""What each preset is for, in a sentence, a msgid."""
