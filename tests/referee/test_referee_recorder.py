"""The offline recorder can say all that the rule set in play has, and nothing else."""

from typing import Any

import pytest
from django.template.loader import render_to_string

from games.engine import PRESETS, Ruleset, State, advance, parse_event, parse_log, replay
from games.engine.events import CLOSE_REASONS
from games.engine.possible_events import ALL
from referee.offline_kit import BY_HAND
from referee.offline_recorder import BESIDE, ELSEWHERE, recorder
from referee.phone_files import shell_context
from tests.referee.recording import Pair, RecorderPage, flags, pairs
from tests.support import factories
from tests.support.phones import phone, table_of

EVERYTHING = {
    "preset": "house",
    "zero_gift": True,
    "burn": True,
}
TABLE: dict[str, str] = {
    "dealer_cut": "cards",
    "dealer_named": "seat",
    "deal_started": "dealer hands",
    "card_turned": "card",
    "color_named": "seat color",
    "cards_played": "seat cards color uno",
    "cards_drawn": "seat count cards",
    "turn_passed": "seat",
    "uno_called": "seat",
    "uno_caught": "seat catcher",
    "challenge_made": "seat upheld hand",
    "penalty_given": "seat reason card",
    "zero_gift": "seat to",
    "pile_reshuffled": "",
    "hand_shown": "seat cards points",
    "game_closed": "reason winner team scores",
}
"""All that a referee can see, with its fields."""
WITHOUT: dict[str, tuple[str, ...]] = {
    "palio": ("uno_called", "zero_gift", "hand_shown", "penalty_given.card"),
    "classic": ("zero_gift", "penalty_given"),
    "to_go": ("zero_gift", "penalty_given"),
    "guide": ("uno_called", "zero_gift"),
    "house": ("zero_gift",),
}
"""What of it a preset doesn't have."""
REASONS = {"palio": {"prompting"}, "guide": {"prompting", "wrong_card"}, "house": {"prompting", "wrong_card"}}


def state_of(rules: object, *, has_kin: bool = False) -> State:
    state = State()
    opening: dict[str, Any] = {
        "type": "game_opened",
        "ruleset": rules,
        "seats": [{"name": "A"}, {"name": "B"}],
    }
    if has_kin:
        opening["kin"] = [[0, 1]]
    advance(state, parse_event(opening))
    return state


def page_of(data: dict[str, Any]) -> RecorderPage:
    html = render_to_string("referee/offline_recorder.html", shell_context())
    return RecorderPage(html, flags(data["events"]))


def cells(*without: str) -> set[Pair]:
    """The table's (type, field) but for these types and fields."""
    return {
        (type_, field)
        for type_, fields in TABLE.items()
        if type_ not in without
        for field in ["", *fields.split()]
        if f"{type_}.{field}" not in without
    }


def entered_by(page: RecorderPage) -> set[Pair]:
    """What a page can enter: an end of the game is entered where it leads to, UNO by its box."""
    uno = {("cards_played", "uno")} if "uno" in page.boxes else set()
    ending = {cell for cell in cells() if cell[0] == "game_closed"} if page.ends else set()
    return page.entered | uno | ending


def test_recorder_has_every_event_and_field_of_the_log_format() -> None:
    """But for what the service writes itself, and for corrections, which need the log."""
    assert {"game_opened", "event_voided"} == ELSEWHERE
    assert cells() == {
        (type_, field)
        for type_, fields in ALL.items()
        if type_ not in ELSEWHERE
        for field in ["", *(each.name for each in fields if each.name not in BESIDE)]
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_every_field_of_every_event_of_a_preset_can_be_entered(preset: str) -> None:
    data = recorder(state_of(preset))
    page = page_of(data)
    assert pairs(data["events"]) == cells(*WITHOUT[preset])
    assert entered_by(page) == cells(*WITHOUT[preset])
    assert ("several" in page.boxes) == (preset == "house")
    reasons = {value for type_, name, value in page.choices if (type_, name) == ("penalty_given", "reason")}
    assert reasons == REASONS.get(preset, set())
    verdicts = {value for type_, name, value in page.choices if (type_, name) == ("challenge_made", "upheld")}
    assert verdicts == {True, False}


def test_recorder_has_what_only_variations_of_the_rules_have() -> None:
    data = recorder(state_of(EVERYTHING, has_kin=True))
    assert pairs(data["events"]) == entered_by(page_of(data)) == cells()
    # Nobody can be given cards where nobody is related, whatever the rules.
    assert "zero_gift" not in recorder(state_of(EVERYTHING))["events"]
    burning = recorder(state_of({"preset": "palio", "burn": True}))
    assert "several" in page_of(burning).boxes
    plain = recorder(state_of({"preset": "palio", "challenge": False, "prompting_penalty": 0}))
    assert entered_by(page_of(plain)) == cells(*WITHOUT["palio"], "challenge_made", "penalty_given")


@pytest.mark.parametrize(
    ("ruleset", "squad", "expected"),
    [
        ("classic", 1, {"reason", "winner", "scores"}),
        ("palio", 1, {"reason", "winner"}),
        ("palio", 2, {"reason", "winner", "team"}),
    ],
)
@pytest.mark.django_db
def test_endings_of_a_kit_have_the_fields_that_the_recorder_lacks(
    ruleset: str, squad: int, expected: set[str]
) -> None:
    tournament = factories.drawn_tournament(
        factories.make_event(), entries=squad, squad_size=squad, ruleset=ruleset
    )
    game = factories.games_of(tournament)[0]
    kit = phone(tournament.event).get(f"/en/t/{table_of(game).code}/kit/").json()
    found = kit["matches"][0]["games"][0]
    assert found["recorder"] == recorder(state_of(ruleset))
    fields = {name for each in found["endings"] for name in each["event"] if name != "type"}
    assert fields | {"scores" for each in found["endings"] if each["points"]} == expected
    assert {each["reason"] for each in found["endings"]} == set(BY_HAND) == set(CLOSE_REASONS)


def test_recorder_offers_the_numbers_of_cards_that_the_rules_need() -> None:
    assert {preset: recorder(state_of(preset))["counts"] for preset in PRESETS} == {
        "palio": [1, 2, 4, 6],
        "classic": [1, 2, 4, 6],
        "to_go": [1, 2, 4, 6],
        "guide": [1, 2, 4, 6],
        "house": [1, 2, 4, 6, 7, 8],
    }
    changed = {"preset": "palio", "challenge": False, "uno_penalty": 3, "prompting_penalty": 5}
    assert recorder(state_of(changed))["counts"] == [1, 2, 3, 4, 5]


LOG = """\
{"type": "game_opened", "ruleset": "house", "seats": [{"name": "Ada"}, {"name": "Bea"}]}
{"type": "dealer_named", "seat": 0}
{"type": "deal_started", "dealer": 0}
{"type": "card_turned", "card": "R7"}
"""


def test_recorder_opens_the_part_that_the_game_needs_next() -> None:
    lines = LOG.splitlines(keepends=True)
    opened = [recorder(replay(parse_log("".join(lines[:count]))))["first"] for count in (1, 2, 3, 4)]
    assert opened == ["start", "start", "start", "cards"]
    following = recorder(state_of("house"))["next"]
    assert {type_: following.get(type_, "cards") for type_ in TABLE if type_ in following} == {
        "dealer_cut": "start",
        "dealer_named": "start",
        "deal_started": "start",
        "hand_shown": "end",
    }


def test_recorder_says_how_many_cards_can_be_played_at_once() -> None:
    """What a list can hold is said, not only that there is one."""
    fields = {each["name"]: each for each in recorder(state_of("palio"))["events"]["cards_played"]}
    assert fields["cards"] == {"name": "cards", "kind": "cards", "is_needed": True, "most": 1}
    several = {each["name"]: each for each in recorder(state_of("house"))["events"]["cards_played"]}
    assert "most" not in several["cards"]
    assert Ruleset.from_json("house").single_card_per_turn is False
