"""Any rule set that can be played: a preset with some, all or none of its fields changed."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from games.engine import FIELDS, PRESETS, Field, Ruleset

MOST_SEATS = 10

_RANGES = {
    "decks": (1, 2),
    "min_players": (2, 4),
    "max_players": (5, MOST_SEATS),
    # Small hands and targets, so that hands, deals and games come to their ends.
    "hand_size": (1, 9),
    "challenge_failed_cards": (4, 8),
    "uno_penalty": (0, 4),
    "prompting_penalty": (0, 4),
    "wrong_card_penalty": (0, 4),
    "target": (5, 200),
}


def _values(field: Field) -> st.SearchStrategy[Any]:
    if field.kind == "bool":
        return st.booleans()
    if field.kind == "choice":
        return st.sampled_from(field.choices)
    return st.integers(*_RANGES[field.name])


VALUES = {field.name: _values(field) for field in FIELDS}


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """A rule set that `Ruleset.check` lets be, for tables of up to ten."""
    preset = draw(st.sampled_from(list(PRESETS)))
    names = st.one_of(
        st.just(list[str]()),
        st.lists(st.sampled_from(list(VALUES)), max_size=6, unique=True),
        st.just(list(VALUES)),
    )
    changes = {name: draw(VALUES[name]) for name in draw(names)}
    ruleset = Ruleset.read({"preset": preset, **changes})
    if ruleset.scoring == "elimination":
        changes["after_out"] = "new_deal"
    return Ruleset.from_json({"preset": preset, **changes})


def any_ruleset(random: Random) -> Ruleset:
    """A rule set in which every field has one of its values by chance, for tables of up to ten."""
    values = {field.name: _any_value(field, random) for field in FIELDS}
    if values["scoring"] == "elimination":
        values["after_out"] = "new_deal"
    return Ruleset.from_json({"preset": random.choice(list(PRESETS)), **values})


def _any_value(field: Field, random: Random) -> Any:
    if field.kind == "bool":
        return random.random() < 0.5
    if field.kind == "choice":
        return random.choice(field.choices)
    return random.randint(*_RANGES[field.name])


def seats_for(ruleset: Ruleset) -> st.SearchStrategy[int]:
    """A number of seats that the rule set is for; two and few oftener than many."""
    least, most = ruleset.min_players, min(ruleset.max_players, MOST_SEATS)
    return st.one_of(st.just(least), st.integers(least, min(least + 2, most)), st.integers(least, most))
