"""The rules of play as data: one `Ruleset` with every field in which the documents differ."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from games.engine.cards import PACK, REVERSE, SYMBOL
from games.engine.phrases import shown, value_words
from games.engine.presets import DEFAULT_PRESET, PRESETS
from games.engine.refusals import Refusal
from games.engine.words import mark, translate

MOST: Final = 10_000
"""No number in a rule set is greater: far more cards, players and points than any game has."""


@dataclass(frozen=True, slots=True)
class Field:
    """What one field of a rule set can hold, and one sentence on what it decides, a msgid.

    `kind` is `bool`, `int` (then `minimum` and `maximum` count) or `choice` (then `choices` lists the words).
    """

    name: str
    kind: str
    sentence: str
    choices: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = MOST

    def told(self, language: str) -> str:
        """The sentence in a language."""
        return translate(self.sentence, language)


FIELDS: Final[tuple[Field, ...]] = (
    Field("decks", "int", mark("How many packs of 108 cards are used."), (), 1, 20),
    Field("min_players", "int", mark("Fewest players at a table."), (), 2),
    Field("max_players", "int", mark("Most players at a table."), (), 2),
    Field("hand_size", "int", mark("Cards dealt to each player."), (), 1),
    Field(
        "dealer_cut",
        "choice",
        mark("Who deals: the highest or the lowest card drawn."),
        ("highest", "lowest"),
    ),
    Field(
        "cut_action_cards",
        "choice",
        mark("An action card drawn for the dealer counts zero, or is drawn again."),
        ("zero", "redraw"),
    ),
    Field("single_card_per_turn", "bool", mark("Only one card is played in a turn.")),
    Field("voluntary_draw", "bool", mark("Who could play may draw instead.")),
    Field(
        "drawn_card",
        "choice",
        mark("A drawn card may be played at once, must be if it can, or is kept."),
        ("may_play", "must_play", "keep"),
    ),
    Field("draw_two_stacks", "bool", mark("A Draw Two can be answered with a Draw Two.")),
    Field("draw_two_skips", "bool", mark("Who draws for a Draw Two loses the turn.")),
    Field(
        "wild_four_condition",
        "choice",
        mark("A Wild Draw Four may be played with no card of the colour, or with no other playable card."),
        ("no_color_match", "no_playable_card"),
    ),
    Field("wild_four_on_draw_two", "bool", mark("A Draw Two can be answered with a Wild Draw Four.")),
    Field("draw_two_on_wild_four", "bool", mark("A Wild Draw Four can be answered with a Draw Two.")),
    Field("wild_four_on_wild_four", "bool", mark("A Wild Draw Four can be answered with another.")),
    Field(
        "stacked_wild_four_free",
        "bool",
        mark("A Wild Draw Four that answers a draw card needs no condition."),
    ),
    Field(
        "stacked_wild_four_color",
        "choice",
        mark("The condition of an answering Wild Draw Four looks at the named colour, or at the one before."),
        ("named", "before_first"),
    ),
    Field(
        "stack_on_last_card",
        "bool",
        mark("A draw card that was its player's last can be answered, but not between two players."),
    ),
    Field("challenge", "bool", mark("Who would draw for a Wild Draw Four can challenge it.")),
    Field(
        "challenge_upheld",
        "choice",
        mark("When a challenge is upheld the offender draws, or also takes the card back."),
        ("offender_draws", "taken_back"),
    ),
    Field("challenge_failed_cards", "int", mark("Cards drawn by who challenges wrongly."), (), 4),
    Field(
        "uno_call",
        "choice",
        mark("UNO is said before the card lands, until somebody catches it, or until the next player acts."),
        ("with_card", "until_caught", "until_next_acts"),
    ),
    Field(
        "uno_catch_window",
        "choice",
        mark("A forgotten UNO can be caught until the next player acts, or the one after."),
        ("next_acts", "second_next_acts"),
    ),
    Field("uno_penalty", "int", mark("Cards drawn for a forgotten UNO.")),
    Field("prompting_penalty", "int", mark("Cards drawn for prompting another player; 0: no such penalty.")),
    Field("wrong_card_penalty", "int", mark("Cards drawn for a wrong card; 0: no such penalty.")),
    Field("wrong_card_ends_turn", "bool", mark("A wrong card also costs the turn.")),
    Field(
        "reverse_with_two",
        "choice",
        mark("With two players a Reverse skips, does nothing, or is taken out of the pack."),
        ("skip", "plain", "removed"),
    ),
    Field("reverse_matches_skip", "bool", mark("With two players Reverse and Skip go on each other.")),
    Field("zero_gift", "bool", mark("Who plays a 0 may have a relative draw four cards.")),
    Field("burn", "bool", mark("Two identical cards played together skip the next player.")),
    Field("finish_on_action", "bool", mark("The last card may be an action card or a Wild.")),
    Field("final_draw", "bool", mark("A draw card played as the last card is still drawn for.")),
    Field(
        "after_out",
        "choice",
        mark("When somebody is out the game ends, all is dealt anew, or the finisher draws a new hand."),
        ("game_ends", "new_deal", "finisher_redraws"),
    ),
    Field(
        "scoring",
        "choice",
        mark(
            "Who is out first wins; or the winner takes the points; or the lowest total wins; or elimination."
        ),
        ("first_out", "winner_takes", "lowest_wins", "elimination"),
    ),
    Field("target", "int", mark("The points at which the game is decided."), (), 1),
)
"""All fields with what they can hold, in the order of the rules' table."""

_FIELD_OF: Final[Mapping[str, Field]] = {field.name: field for field in FIELDS}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One set of rules: a preset's name and the value of every field.

    Build it with `Ruleset.from_json`. `preset` stays the preset's name where fields differ from it.
    """

    preset: str
    decks: int
    min_players: int
    max_players: int
    hand_size: int
    dealer_cut: str
    cut_action_cards: str
    single_card_per_turn: bool
    voluntary_draw: bool
    drawn_card: str
    draw_two_stacks: bool
    draw_two_skips: bool
    wild_four_condition: str
    wild_four_on_draw_two: bool
    draw_two_on_wild_four: bool
    wild_four_on_wild_four: bool
    stacked_wild_four_free: bool
    stacked_wild_four_color: str
    stack_on_last_card: bool
    challenge: bool
    challenge_upheld: str
    challenge_failed_cards: int
    uno_call: str
    uno_catch_window: str
    uno_penalty: int
    prompting_penalty: int
    wrong_card_penalty: int
    wrong_card_ends_turn: bool
    reverse_with_two: str
    reverse_matches_skip: bool
    zero_gift: bool
    burn: bool
    finish_on_action: bool
    final_draw: bool
    after_out: str
    scoring: str
    target: int

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
        return f"{field.told(language).rstrip('.')}: {value_words(getattr(self, field.name), language)}."

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
                due="new_deal",
                given=self.after_out,
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
            choices=field.choices,
            given=given,
            rule=name,
        )


_RULESETS: Final[Mapping[str, Ruleset]] = {
    name: Ruleset(preset=name, **values) for name, values in PRESETS.items()
}

DEFAULT_RULESET: Final[Ruleset] = _RULESETS[DEFAULT_PRESET]
