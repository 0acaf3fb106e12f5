"""The rules of play as data: one `Ruleset` with every field in which the documents differ."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from games.engine.cards import PACK, REVERSE, SYMBOL
from games.engine.phrases import language_of, shown, value_words
from games.engine.presets import DEFAULT_PRESET, PRESETS
from games.engine.refusals import Refusal

MOST: Final = 10_000
"""No number in a rule set is greater: far more cards, players and points than any game has."""


@dataclass(frozen=True, slots=True)
class Field:
    """What one field of a rule set can hold, and one sentence on what it decides, in English and Italian.

    `kind` is `bool`, `int` (then `minimum` and `maximum` count) or `choice` (then `choices` lists the words).
    """

    name: str
    kind: str
    en: str
    it: str
    choices: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = MOST

    def told(self, language: str) -> str:
        """The sentence in a language (`it`, else English)."""
        return self.it if language_of(language) == "it" else self.en


FIELDS: Final[tuple[Field, ...]] = (
    Field("decks", "int", "How many packs of 108 cards are used.", "Quanti mazzi da 108 carte.", (), 1, 20),
    Field("min_players", "int", "Fewest players at a table.", "Numero minimo di giocatori al tavolo.", (), 2),
    Field("max_players", "int", "Most players at a table.", "Numero massimo di giocatori al tavolo.", (), 2),
    Field("hand_size", "int", "Cards dealt to each player.", "Carte distribuite a ciascuno.", (), 1),
    Field(
        "dealer_cut",
        "choice",
        "Who deals: the highest or the lowest card drawn.",
        "Chi fa il mazziere: la carta pescata più alta o più bassa.",
        ("highest", "lowest"),
    ),
    Field(
        "cut_action_cards",
        "choice",
        "An action card drawn for the dealer counts zero, or is drawn again.",
        "Una carta azione pescata per il mazziere vale zero, oppure si ripesca.",
        ("zero", "redraw"),
    ),
    Field(
        "single_card_per_turn",
        "bool",
        "Only one card is played in a turn.",
        "Si gioca una sola carta per turno.",
    ),
    Field(
        "voluntary_draw",
        "bool",
        "Who could play may draw instead.",
        "Chi potrebbe giocare può invece pescare.",
    ),
    Field(
        "drawn_card",
        "choice",
        "A drawn card may be played at once, must be if it can, or is kept.",
        "La carta pescata si può giocare subito, si deve se possibile, o si tiene.",
        ("may_play", "must_play", "keep"),
    ),
    Field(
        "draw_two_stacks",
        "bool",
        "A Draw Two can be answered with a Draw Two.",
        "A un Pesca due si può rispondere con un Pesca due.",
    ),
    Field(
        "draw_two_skips",
        "bool",
        "Who draws for a Draw Two loses the turn.",
        "Chi pesca per un Pesca due salta il turno.",
    ),
    Field(
        "wild_four_condition",
        "choice",
        "A Wild Draw Four may be played with no card of the colour, or with no other playable card.",
        "Il Jolly Pesca quattro si gioca senza carte del colore, o senza altre carte giocabili.",
        ("no_color_match", "no_playable_card"),
    ),
    Field(
        "wild_four_on_draw_two",
        "bool",
        "A Draw Two can be answered with a Wild Draw Four.",
        "A un Pesca due si può rispondere con un Jolly Pesca quattro.",
    ),
    Field(
        "draw_two_on_wild_four",
        "bool",
        "A Wild Draw Four can be answered with a Draw Two.",
        "A un Jolly Pesca quattro si può rispondere con un Pesca due.",
    ),
    Field(
        "wild_four_on_wild_four",
        "bool",
        "A Wild Draw Four can be answered with another.",
        "A un Jolly Pesca quattro si può rispondere con un altro.",
    ),
    Field(
        "stacked_wild_four_free",
        "bool",
        "A Wild Draw Four that answers a draw card needs no condition.",
        "Un Jolly Pesca quattro giocato in risposta non ha condizioni.",
    ),
    Field(
        "stacked_wild_four_color",
        "choice",
        "The condition of an answering Wild Draw Four looks at the named colour, or at the one before.",
        "La condizione di un Jolly Pesca quattro in risposta guarda il colore detto, o quello di prima.",
        ("named", "before_first"),
    ),
    Field(
        "stack_on_last_card",
        "bool",
        "A draw card that was its player's last can be answered, but not between two players.",
        "Si può rispondere a una carta pesca che era l'ultima di chi l'ha giocata, ma non in due.",
    ),
    Field(
        "challenge",
        "bool",
        "Who would draw for a Wild Draw Four can challenge it.",
        "Chi dovrebbe pescare per un Jolly Pesca quattro può contestarlo.",
    ),
    Field(
        "challenge_upheld",
        "choice",
        "When a challenge is upheld the offender draws, or also takes the card back.",
        "Se la contestazione è giusta chi ha sbagliato pesca, o riprende anche la carta.",
        ("offender_draws", "taken_back"),
    ),
    Field(
        "challenge_failed_cards",
        "int",
        "Cards drawn by who challenges wrongly.",
        "Carte pescate da chi contesta a torto.",
        (),
        4,
    ),
    Field(
        "uno_call",
        "choice",
        "UNO is said before the card lands, until somebody catches it, or until the next player acts.",
        "UNO si dice prima che la carta tocchi il mazzo, finché nessuno se ne accorge, "
        "o finché il successivo non gioca.",
        ("with_card", "until_caught", "until_next_acts"),
    ),
    Field(
        "uno_catch_window",
        "choice",
        "A forgotten UNO can be caught until the next player acts, or the one after.",
        "Un UNO dimenticato si segnala finché non gioca il successivo, o quello dopo ancora.",
        ("next_acts", "second_next_acts"),
    ),
    Field("uno_penalty", "int", "Cards drawn for a forgotten UNO.", "Carte pescate per un UNO dimenticato."),
    Field(
        "prompting_penalty",
        "int",
        "Cards drawn for prompting another player; 0: no such penalty.",
        "Carte pescate da chi suggerisce; 0: nessuna penalità.",
    ),
    Field(
        "wrong_card_penalty",
        "int",
        "Cards drawn for a wrong card; 0: no such penalty.",
        "Carte pescate per una carta sbagliata; 0: nessuna penalità.",
    ),
    Field(
        "wrong_card_ends_turn",
        "bool",
        "A wrong card also costs the turn.",
        "Con una carta sbagliata si perde anche il turno.",
    ),
    Field(
        "reverse_with_two",
        "choice",
        "With two players a Reverse skips, does nothing, or is taken out of the pack.",
        "In due l'Inverti fa saltare il turno, non ha effetto, o si toglie dal mazzo.",
        ("skip", "plain", "removed"),
    ),
    Field(
        "reverse_matches_skip",
        "bool",
        "With two players Reverse and Skip go on each other.",
        "In due, Inverti e Salta si possono giocare uno sull'altro.",
    ),
    Field(
        "zero_gift",
        "bool",
        "Who plays a 0 may have a relative draw four cards.",
        "Chi gioca uno 0 può far pescare quattro carte a un parente.",
    ),
    Field(
        "burn",
        "bool",
        "Two identical cards played together skip the next player.",
        "Due carte identiche giocate insieme fanno saltare il turno al successivo.",
    ),
    Field(
        "finish_on_action",
        "bool",
        "The last card may be an action card or a Wild.",
        "L'ultima carta può essere una carta azione o un jolly.",
    ),
    Field(
        "final_draw",
        "bool",
        "A draw card played as the last card is still drawn for.",
        "Per una carta pesca giocata come ultima si pesca lo stesso.",
    ),
    Field(
        "after_out",
        "choice",
        "When somebody is out the game ends, all is dealt anew, or the finisher draws a new hand.",
        "Quando uno finisce la partita si chiude, si ridistribuisce, o chi ha finito ripesca.",
        ("game_ends", "new_deal", "finisher_redraws"),
    ),
    Field(
        "scoring",
        "choice",
        "Who is out first wins; or the winner takes the points; or the lowest total wins; or elimination.",
        "Vince chi finisce per primo; o chi vince prende i punti; o vince il totale più basso; "
        "o a eliminazione.",
        ("first_out", "winner_takes", "lowest_wins", "elimination"),
    ),
    Field(
        "target",
        "int",
        "The points at which the game is decided.",
        "I punti a cui la partita si decide.",
        (),
        1,
    ),
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
