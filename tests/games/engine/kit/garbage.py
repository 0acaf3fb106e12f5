"""What could come in where an event is expected: bytes, text that is nearly JSON, events with any values."""

import json
from typing import Any

from hypothesis import strategies as st

from games.engine import PRESETS
from games.engine.cards import CARDS, COLORS
from games.engine.events import CLOSE_REASONS, EVENT_CLASSES, PENALTY_REASONS

HUGE = 10**4299
"""The longest number that Python reads from JSON."""

NUMBERS = st.one_of(
    st.integers(-2, 12),
    st.sampled_from([108, 2**31, 2**63, 2**64, -(2**63), HUGE, -HUGE]),
    st.floats(),
    st.booleans(),
)
TEXTS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(["", "\ud800", "\x00", "R10", "r7", "٣", "0", "-1", "00", "name", "preset", *CARDS]),
)
SCALARS = st.one_of(st.none(), NUMBERS, TEXTS)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)

TYPES = [cls.type for cls in EVENT_CLASSES]
FIELDS = sorted({name for cls in EVENT_CLASSES for name in cls.__dataclass_fields__})

SEATS = st.one_of(st.integers(0, 11), st.sampled_from([10**6, HUGE]))
CARD = st.sampled_from(CARDS)
CARD_LISTS = st.lists(CARD, min_size=1, max_size=8)
SEAT_KEYS = st.one_of(st.integers(0, 11), st.just(999_999_999)).map(str)
COUNTS = st.one_of(st.integers(1, 12), st.sampled_from([108, 2**63, HUGE]))
RULES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(list(PRESETS)),
    st.fixed_dictionaries(
        {"preset": st.sampled_from(list(PRESETS))},
        optional=dict.fromkeys(
            (
                "decks",
                "min_players",
                "max_players",
                "hand_size",
                "challenge_failed_cards",
                "uno_penalty",
                "target",
            ),
            COUNTS,
        ),
    ),
)

_FIELDS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "game_opened": {
        "ruleset": RULES,
        "seats": st.lists(st.fixed_dictionaries({"name": st.text(max_size=3)}), max_size=12),
    },
    "dealer_cut": {"cards": st.dictionaries(SEAT_KEYS, CARD, max_size=4)},
    "dealer_named": {"seat": SEATS},
    "deal_started": {"dealer": SEATS},
    "card_turned": {"card": CARD},
    "color_named": {"seat": SEATS, "color": st.sampled_from(COLORS)},
    "cards_played": {"seat": SEATS, "cards": CARD_LISTS},
    "cards_drawn": {"seat": SEATS, "count": COUNTS},
    "turn_passed": {"seat": SEATS},
    "uno_called": {"seat": SEATS},
    "uno_caught": {"seat": SEATS},
    "challenge_made": {"seat": SEATS, "upheld": st.booleans()},
    "penalty_given": {"seat": SEATS, "reason": st.sampled_from(PENALTY_REASONS)},
    "zero_gift": {"seat": SEATS, "to": SEATS},
    "pile_reshuffled": {},
    "hand_shown": {"seat": SEATS},
    "game_closed": {"reason": st.sampled_from(CLOSE_REASONS), "winner": st.none() | SEATS},
    "event_voided": {"line": COUNTS, "reason": st.text(max_size=3)},
}
_OPTIONAL: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "game_opened": {"kin": st.lists(st.tuples(SEATS, SEATS).map(list), max_size=2)},
    "deal_started": {"hands": st.dictionaries(SEAT_KEYS, CARD_LISTS, max_size=3)},
    "cards_played": {"color": st.sampled_from(COLORS), "uno": st.booleans()},
    "cards_drawn": {"cards": CARD_LISTS},
    "uno_caught": {"catcher": SEATS},
    "challenge_made": {"hand": CARD_LISTS},
    "penalty_given": {"card": CARD},
    "hand_shown": {"cards": CARD_LISTS, "points": st.integers(0, 300) | st.just(HUGE)},
    "game_closed": {
        "team": st.sampled_from("AB"),
        "scores": st.dictionaries(SEAT_KEYS, st.integers(0, 500) | st.just(HUGE), max_size=3),
        "places": st.dictionaries(SEAT_KEYS, st.integers(1, 3) | st.just(HUGE), max_size=3),
    },
}


def _objects(type_: str) -> st.SearchStrategy[dict[str, Any]]:
    fields = {"type": st.just(type_), **_FIELDS[type_]}
    return st.fixed_dictionaries(fields, optional=_OPTIONAL.get(type_, {}))


EVENT_OBJECTS: st.SearchStrategy[dict[str, Any]] = st.sampled_from(TYPES).flatmap(_objects)
"""Objects with the right fields of the right kinds, and whatever in them: seats that aren't there, too."""

_JUNK_OBJECTS = st.dictionaries(st.sampled_from(["type", *FIELDS]) | TEXTS, JSON, max_size=5)
_PAIRS = st.lists(
    st.tuples(st.sampled_from(['"type"', '"seat"', '"s\\u0065at"', '"cards"']), JSON.map(json.dumps)),
    max_size=4,
)


def _doubled(pairs: list[tuple[str, str]]) -> str:
    """An object whose keys may stand twice, which no dictionary can."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"


def _nested(depth: int, inside: str) -> str:
    return '{"type": "turn_passed", "seat": ' + "[" * depth + inside + "]" * depth + "}"


LINES: st.SearchStrategy[str] = st.one_of(
    EVENT_OBJECTS.map(json.dumps),
    st.builds(lambda event, junk: json.dumps({**event, **junk}), EVENT_OBJECTS, _JUNK_OBJECTS),
    JSON.map(json.dumps),
    _PAIRS.map(_doubled),
    st.builds(_nested, st.sampled_from([1, 50, 5_000, 100_000]), st.sampled_from(["", "1", "{"])),
    st.sampled_from(
        [
            '{"type": "turn_passed", "seat": NaN}',
            '{"type": "turn_passed", "seat": -Infinity}',
            '{"type": "turn_passed", "seat": 1e400}',
            '{"type": "turn_passed", "seat": -0}',
            '{"type": "turn_passed", "seat": ' + "9" * 4301 + "}",
            '{"type": "turn_passed", "by": "\\ud800"}',
            '{"type": "pile_reshuffled"} ',
            '{"type": "pile_reshuffled"}}',
            '{"type": "\\ud800"}',
            "\ufeff",
            "",
        ]
    ),
    st.text(max_size=30),
)
"""Lines without line feeds of their own but by chance."""

BYTES: st.SearchStrategy[bytes] = st.one_of(
    st.binary(max_size=80),
    st.lists(LINES, min_size=1, max_size=4).map(
        lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass")
    ),
)
