"""The fields of a rule set, each declared once: its type and words, its limits and its value in each preset.

A rule set's JSON, the presets, forms, the API's schema, the tables of the documentation and rows of the rules
sheet follow from here. What a rule does in a game is in `transitions/`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, get_args, get_type_hints

from games.engine.cards import Card
from games.engine.translations import mark, translate

MOST: Final = 10_000
"""No number in a rule set is greater: far more cards, players and points than any game has."""

BASES: Final = {"palio": "", "classic": "palio", "to_go": "classic", "guide": "classic", "house": "classic"}
"""The presets, and from which each takes the values that it doesn't declare."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """What the rules sheet says of a variation where it holds: cards, name and sentences (msgids)."""

    cards: tuple[Card, ...]
    name: str
    text: str


class Rule:
    """What is declared of a field beside its name and type.

    `sentence` says what it decides and `words` its choices in their order, msgids. `minimum` and `maximum`
    are those of a number. `presets`: values by preset; one that isn't there has that of its base.
    """

    def __init__(
        self,
        sentence: str,
        words: tuple[str, ...] = (),
        *,
        minimum: int = 0,
        maximum: int = MOST,
        sheet: SheetRow | None = None,
        **presets: object,
    ) -> None:
        self.sentence = sentence
        self.words = words
        self.minimum = minimum
        self.maximum = maximum
        self.sheet = sheet
        self.presets = presets

    def value(self, preset: str) -> Any:
        """The field's value in a preset."""
        while preset not in self.presets:
            preset = BASES[preset]
        return self.presets[preset]


@dataclass(frozen=True, slots=True)
class RuleFields:
    """A preset's name and the value of every field, in the order of the rules' table."""

    preset: str
    decks: Annotated[
        int, Rule(mark("How many packs of 108 cards are used."), minimum=1, maximum=20, palio=1, guide=2)
    ]
    min_players: Annotated[int, Rule(mark("Fewest players at a table."), minimum=2, palio=2)]
    max_players: Annotated[int, Rule(mark("Most players at a table."), minimum=2, palio=10)]
    hand_size: Annotated[int, Rule(mark("Cards dealt to each player."), minimum=1, palio=7)]
    dealer_cut: Annotated[
        Literal["highest", "lowest"],
        Rule(
            mark("Who deals: the highest or the lowest card drawn."),
            (mark("the highest"), mark("the lowest")),
            palio="highest",
            house="lowest",
        ),
    ]
    cut_action_cards: Annotated[
        Literal["zero", "redraw"],
        Rule(
            mark("An action card drawn for the dealer counts zero, or is drawn again."),
            (mark("counts zero"), mark("drawn again")),
            palio="zero",
            house="redraw",
        ),
    ]
    single_card_per_turn: Annotated[
        bool, Rule(mark("Only one card is played in a turn."), palio=True, house=False)
    ]
    voluntary_draw: Annotated[
        bool, Rule(mark("Who could play may draw instead."), palio=False, classic=True, guide=False)
    ]
    drawn_card: Annotated[
        Literal["may_play", "must_play", "keep"],
        Rule(
            mark("A drawn card may be played at once, must be if it can, or is kept."),
            (mark("may be played"), mark("must be played if it can"), mark("is kept")),
            palio="may_play",
            classic="must_play",
            to_go="may_play",
            guide="may_play",
            house="keep",
        ),
    ]
    draw_two_stacks: Annotated[
        bool, Rule(mark("A Draw Two can be answered with a Draw Two."), palio=False, house=True)
    ]
    draw_two_skips: Annotated[bool, Rule(mark("Who draws for a Draw Two loses the turn."), palio=True)]
    wild_four_condition: Annotated[
        Literal["no_color_match", "no_playable_card"],
        Rule(
            mark(
                "A Wild Draw Four may be played with no card of the colour, or with no other playable card."
            ),
            (mark("with no card of the colour"), mark("with no other playable card")),
            palio="no_playable_card",
            classic="no_color_match",
        ),
    ]
    wild_four_on_draw_two: Annotated[
        bool, Rule(mark("A Draw Two can be answered with a Wild Draw Four."), palio=False)
    ]
    draw_two_on_wild_four: Annotated[
        bool, Rule(mark("A Wild Draw Four can be answered with a Draw Two."), palio=False)
    ]
    wild_four_on_wild_four: Annotated[
        bool, Rule(mark("A Wild Draw Four can be answered with another."), palio=False)
    ]
    stacked_wild_four_free: Annotated[
        bool, Rule(mark("A Wild Draw Four that answers a draw card needs no condition."), palio=False)
    ]
    stacked_wild_four_color: Annotated[
        Literal["named", "before_first"],
        Rule(
            mark(
                "The condition of an answering Wild Draw Four looks at the named colour, "
                "or at the one before."
            ),
            (mark("the colour named"), mark("the colour from before the first")),
            palio="named",
        ),
    ]
    stack_on_last_card: Annotated[
        bool,
        Rule(
            mark("A draw card that was its player's last can be answered, but not between two players."),
            palio=False,
        ),
    ]
    challenge: Annotated[
        bool, Rule(mark("Who would draw for a Wild Draw Four can challenge it."), palio=True)
    ]
    challenge_upheld: Annotated[
        Literal["offender_draws", "taken_back"],
        Rule(
            mark("When a challenge is upheld the offender draws, or also takes the card back."),
            (mark("the offender draws"), mark("the card is taken back")),
            palio="offender_draws",
            guide="taken_back",
        ),
    ]
    challenge_failed_cards: Annotated[
        int, Rule(mark("Cards drawn by who challenges wrongly."), minimum=4, palio=6)
    ]
    uno_call: Annotated[
        Literal["with_card", "until_caught", "until_next_acts"],
        Rule(
            mark(
                "UNO is said before the card lands, until somebody catches it, or until the next player acts."
            ),
            (mark("with the card"), mark("until somebody catches it"), mark("until the next player acts")),
            palio="with_card",
            classic="until_caught",
            guide="with_card",
            house="until_next_acts",
        ),
    ]
    uno_catch_window: Annotated[
        Literal["next_acts", "second_next_acts"],
        Rule(
            mark("A forgotten UNO can be caught until the next player acts, or the one after."),
            (mark("until the next player acts"), mark("until the one after acts")),
            palio="next_acts",
            house="second_next_acts",
        ),
    ]
    uno_penalty: Annotated[int, Rule(mark("Cards drawn for a forgotten UNO."), palio=2)]
    prompting_penalty: Annotated[
        int,
        Rule(
            mark("Cards drawn for prompting another player; 0: no such penalty."),
            palio=2,
            classic=0,
            guide=4,
            house=2,
        ),
    ]
    wrong_card_penalty: Annotated[
        int, Rule(mark("Cards drawn for a wrong card; 0: no such penalty."), palio=0, guide=4, house=2)
    ]
    wrong_card_ends_turn: Annotated[
        bool, Rule(mark("A wrong card also costs the turn."), palio=False, house=True)
    ]
    reverse_with_two: Annotated[
        Literal["skip", "plain", "removed"],
        Rule(
            mark("With two players a Reverse skips, does nothing, or is taken out of the pack."),
            (mark("skips"), mark("does nothing"), mark("is taken out")),
            palio="skip",
        ),
    ]
    reverse_matches_skip: Annotated[
        bool, Rule(mark("With two players Reverse and Skip go on each other."), palio=False)
    ]
    zero_gift: Annotated[
        bool,
        Rule(
            mark("Who plays a 0 may have a relative draw four cards."),
            sheet=SheetRow(
                ("R0",),
                mark("The gift of the zero"),
                mark(
                    "Who plays a 0 may have a relative at the table draw 4 cards, before the"
                    " next player plays. Say before the game who is related to whom."
                ),
            ),
            palio=False,
        ),
    ]
    burn: Annotated[
        bool,
        Rule(
            mark("Two identical cards played together skip the next player."),
            sheet=SheetRow(
                ("G5", "G5"),
                mark("The burn"),
                mark(
                    "You may play two cards together that have the same number and the same"
                    " colour. They must fit. Then the next player misses a turn."
                ),
            ),
            palio=False,
        ),
    ]
    finish_on_action: Annotated[
        bool, Rule(mark("The last card may be an action card or a Wild."), palio=True)
    ]
    final_draw: Annotated[
        bool, Rule(mark("A draw card played as the last card is still drawn for."), palio=False, classic=True)
    ]
    after_out: Annotated[
        Literal["game_ends", "new_deal", "finisher_redraws"],
        Rule(
            mark("When somebody is out the game ends, all is dealt anew, or the finisher draws a new hand."),
            (mark("the game ends"), mark("a new deal"), mark("who went out draws anew")),
            palio="game_ends",
            classic="new_deal",
            house="finisher_redraws",
        ),
    ]
    scoring: Annotated[
        Literal["first_out", "winner_takes", "lowest_wins", "elimination"],
        Rule(
            mark(
                "Who is out first wins; or the winner takes the points; or the lowest total wins; "
                "or elimination."
            ),
            (
                mark("who is out first wins"),
                mark("the winner takes the points"),
                mark("the lowest total wins"),
                mark("elimination"),
            ),
            palio="first_out",
            classic="winner_takes",
            house="lowest_wins",
        ),
    ]
    target: Annotated[int, Rule(mark("The points at which the game is decided."), minimum=1, palio=500)]


@dataclass(frozen=True, slots=True)
class Field:
    """What one field of a rule set can hold, and one sentence on what it decides, a msgid.

    `kind` is `bool`, `int` (then `minimum` and `maximum` count) or `choice` (then `choices` lists the words).
    `sheet` is its row of special rules on the rules sheet, where it has one. `words` are the msgids of its
    values; a number has none.
    """

    name: str
    kind: str
    sentence: str
    choices: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = MOST
    sheet: SheetRow | None = None
    words: Mapping[Any, str] = field(default_factory=dict)

    def told(self, language: str) -> str:
        """The sentence in a language."""
        return translate(self.sentence, language)


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of a rule set and what it is set to."""

    of: Field
    value: object

    def told(self, language: str) -> str:
        """The value in the field's words, in a language; a number as it is."""
        if self.value not in self.of.words:
            return str(self.value)
        return translate(self.of.words[self.value], language)


def _field(name: str, type_: Any, rule: Rule) -> Field:
    choices = get_args(type_)
    kind = "choice" if choices else "bool" if type_ is bool else "int"
    yes_no = {True: mark("yes"), False: mark("no")}
    words = yes_no if type_ is bool else dict(zip(choices, rule.words, strict=True))
    return Field(name, kind, rule.sentence, choices, rule.minimum, rule.maximum, rule.sheet, words)


_HINTS: Final = get_type_hints(RuleFields, include_extras=True)
_DECLARED: Final = {name: get_args(hint) for name, hint in _HINTS.items() if name != "preset"}

RULES: Final[Mapping[str, Rule]] = {name: rule for name, (_, rule) in _DECLARED.items()}
"""What is declared of each field."""

FIELDS: Final[tuple[Field, ...]] = tuple(
    [_field(name, type_, rule) for name, (type_, rule) in _DECLARED.items()]
)
"""All fields with what they can hold, in the order of the rules' table."""
