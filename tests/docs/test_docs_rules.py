"""The tables of the rules are the engine's."""

import re

from games.engine import FIELDS, PRESETS, parse_event, replay
from tests.docs.rules_tables import PAGE, TABLE, TABLES, with_tables
from tests.support.doc_pages import first_column


def test_rules_page_tables_are_the_engine_s() -> None:
    text = PAGE.read_text("utf-8")
    assert [found[2] for found in TABLE.finditer(text)] == list(TABLES)
    assert text == with_tables(text), "write them anew: python -m tests.docs.rules_tables"


def test_rules_page_tables_have_every_field() -> None:
    for table in TABLES.values():
        assert [name for name in first_column(table()) if name not in PRESETS] == [f.name for f in FIELDS]


def test_rules_page_bold_values_differ_from_the_palio() -> None:
    bold = re.findall(r"^\| `(\w+)` \| `[^`]*` \| (.*) \|$", TABLES["presets"](), re.MULTILINE)
    differing = {
        (field, list(PRESETS)[place])
        for field, cells in bold
        for place, cell in enumerate(cells.split(" | "), start=1)
        if cell.startswith("**")
    }
    assert differing == {
        (name, preset)
        for preset, values in PRESETS.items()
        for name, value in values.items()
        if value != PRESETS["palio"][name]
    }


CARDS = {
    "a number": "R7",
    "Draw Two": "R+2",
    "Skip": "RS",
    "Reverse": "RR",
    "Wild": "W",
    "Wild Draw Four": "W+4",
}


def begins(players: int, card: str) -> int | None:
    """The seat that plays first after this card was turned, of the palio's rules; seat 0 deals."""
    seats = [{"name": f"P{seat}", "team": f"T{seat}"} for seat in range(players)]
    dealt = [
        {"type": "game_opened", "ruleset": "palio", "seats": seats},
        {"type": "dealer_named", "seat": 0},
        {"type": "deal_started", "dealer": 0},
        {"type": "card_turned", "card": card},
    ]
    state = replay(map(parse_event, dealt))
    if state.phase == "draw":
        state = replay(map(parse_event, [*dealt, {"type": "cards_drawn", "seat": 1, "count": 2}]))
    return state.player


def test_rules_page_first_cards_give_the_first_player() -> None:
    text = PAGE.read_text("utf-8")
    section = text[text.index("## The first card") : text.index("## A Wild Draw Four as an answer")]
    rows = [row.strip("| ").split(" | ") for row in section.splitlines() if row.startswith("| ")]
    told = {row[0]: row[1] for row in rows[1:]}

    for players in (2, 4):
        seats = {"the first player": 1, "the second player": 2 % players, "the dealer": 0, "nobody": None}
        assert {card: seats[who] for card, who in told.items()} == {
            card: begins(players, code) for card, code in CARDS.items()
        }
