"""The rules of play as data: one `Ruleset` with every field in which the documents differ."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from games.engine.cards import PACK, REVERSE, SYMBOL
from games.engine.phrases import shown
from games.engine.presets import DEFAULT_PRESET, PRESETS
from games.engine.refusals import Refusal
from games.engine.rule_fields import FIELDS, Field, RuleFields, Setting

_FIELD_OF: Final[Mapping[str, Field]] = {field.name: field for field in FIELDS}


class Ruleset(RuleFields):
    """One set of rules: a preset's name and the value of every field.

    Build it with `Ruleset.from_json`. `preset` stays the preset's name where fields differ from it.
    """

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> "Ruleset":
        """The rule set that a name, or an object with `preset` and fields that differ, stands for.

        Only its form is checked here: Refusal `malformed` for an unknown preset or field, or a value of the
        wrong kind. `check` says whether it can be played.
        """
        if isinstance(value, str):
            return _preset(value)
        if not isinstance(value, Mapping):
            raise Refusal(
                "malformed",
                "a rule set is a preset's name, or an object with `preset` and fields, not {given}",
                given=shown(value),
            )
        if "preset" not in value:
            raise Refusal("malformed", "a rule set given as an object needs `preset`")
        changes: dict[str, Any] = {}
        for name, content in value.items():
            if name == "preset":
                continue
            field = _FIELD_OF.get(name)
            if field is None:
                raise Refusal(
                    "malformed",
                    "a rule set has no field {given}; its fields are {fields}",
                    given=shown(name),
                    fields=", ".join(_FIELD_OF),
                )
            _check_kind(field, content)
            changes[name] = content
        return replace(_preset(value["preset"]), **changes)

    @classmethod
    def from_json(cls, value: object) -> "Ruleset":
        """As `read`, and checked: Refusal `bad-ruleset` where it contradicts itself."""
        ruleset = cls.read(value)
        ruleset.check()
        return ruleset

    def to_json(self) -> str | dict[str, object]:
        """The preset's name, or an object with `preset` and the fields that differ from it."""
        own = PRESETS[self.preset]
        changed = {name: value for name, value in self.values().items() if value != own[name]}
        return {"preset": self.preset, **changed} if changed else self.preset

    @property
    def counts_points(self) -> bool:
        """Whether cards left in a hand count."""
        return self.scoring != "first_out"

    def values(self) -> dict[str, object]:
        """Every field's value by name, without `preset`."""
        return {field.name: getattr(self, field.name) for field in FIELDS}

    def told(self, name: str, language: str) -> str:
        """What a field decides and how it is set, as a sentence: "Who could play may draw instead: no."

        KeyError for a field that there isn't.
        """
        field = _FIELD_OF[name]
        return (
            f"{field.told(language).rstrip('.')}: {Setting(field, getattr(self, field.name)).told(language)}."
        )

    def check(self, players: int | None = None) -> None:
        """Refusal `bad-ruleset` if it contradicts itself or isn't for so many players."""
        for field in FIELDS:
            if field.kind != "int":
                continue
            value = getattr(self, field.name)
            if value < field.minimum:
                raise Refusal(
                    "bad-ruleset",
                    "{field:field} must be at least {least}, not {given}",
                    field=field,
                    least=field.minimum,
                    given=shown(value),
                    rule=field.name,
                )
            if value > field.maximum:
                raise Refusal(
                    "bad-ruleset",
                    "{field:field} must be at most {most}, not {given}",
                    field=field,
                    most=field.maximum,
                    given=shown(value),
                    rule=field.name,
                )
        if self.min_players > self.max_players:
            raise Refusal(
                "bad-ruleset",
                "{least:field} is {fewest}, {most:field} {given}: the most can't be less than the fewest",
                least=_FIELD_OF["min_players"],
                fewest=self.min_players,
                most=_FIELD_OF["max_players"],
                given=self.max_players,
                rule="max_players",
            )
        if self.scoring == "elimination" and self.after_out != "new_deal":
            raise Refusal(
                "bad-ruleset",
                "elimination takes new deals: {field:field} must be {due:value}, not {given:value}",
                field=_FIELD_OF["after_out"],
                due=Setting(_FIELD_OF["after_out"], "new_deal"),
                given=Setting(_FIELD_OF["after_out"], self.after_out),
                rule="after_out",
            )
        self._check_players(self.min_players if players is None else players)

    def _check_players(self, players: int) -> None:
        if not self.min_players <= players <= self.max_players:
            raise Refusal(
                "bad-ruleset",
                "these rules are for {least} to {most} players, not {given}",
                least=self.min_players,
                most=self.max_players,
                given=players,
                rule="min_players" if players < self.min_players else "max_players",
            )
        cards = self.decks * len(PACK)
        if self.reverse_with_two == "removed" and players == 2:
            cards -= self.decks * sum(SYMBOL[card] == REVERSE for card in PACK)
        # One card more than the hands: without a first discard no game can begin.
        needed = players * self.hand_size + 1
        if needed > cards:
            raise Refusal(
                "bad-ruleset",
                "{players} players with {size:count} each and a first card need {needed:count}: "
                "the packs hold {cards}",
                players=players,
                size=self.hand_size,
                needed=needed,
                cards=cards,
                rule="hand_size",
            )


def _preset(name: object) -> Ruleset:
    if not isinstance(name, str) or name not in _RULESETS:
        raise Refusal(
            "malformed",
            "there is no preset {given}; there are {presets}",
            given=shown(name),
            presets=", ".join(map(shown, PRESETS)),
        )
    return _RULESETS[name]


def _check_kind(field: Field, value: object) -> None:
    given, name = shown(value), field.name
    if field.kind == "bool" and not isinstance(value, bool):
        raise Refusal(
            "malformed",
            "{field:field} must be true or false, not {given}",
            field=field,
            given=given,
            rule=name,
        )
    if field.kind == "int" and (not isinstance(value, int) or isinstance(value, bool)):
        raise Refusal(
            "malformed",
            "{field:field} must be a whole number, not {given}",
            field=field,
            given=given,
            rule=name,
        )
    if field.kind == "choice" and value not in field.choices:
        raise Refusal(
            "malformed",
            "{field:field} must be {choices:values}, not {given}",
            field=field,
            choices=[Setting(field, each) for each in field.choices],
            given=given,
            rule=name,
        )


_RULESETS: Final[Mapping[str, Ruleset]] = {
    name: Ruleset(preset=name, **values) for name, values in PRESETS.items()
}

DEFAULT_RULESET: Final[Ruleset] = _RULESETS[DEFAULT_PRESET]
