"""Refusals: what was expected, in Italian and English, for people and for programs."""

import copy
import json
import pickle

import pytest

from games.engine import (
    FIELDS,
    Field,
    Log,
    Refusal,
    Ruleset,
    event_to_json,
    parse_event,
    parse_lines,
    refusal_of,
    replay_while_valid,
    sentence,
)
from games.engine.phrases import Phrase, Wording, as_sentence, shown
from games.engine.rule_fields import Setting
from tests.support import ROOT

NAMES = ("Ada", "Bea", "Carlo")


def table(rules: object, first: str = "R7", hands: dict[str, list[str]] | None = None, seats: int = 3) -> Log:
    """Three players or so, seat 0 dealt, seat 1 is to play."""
    log = Log()
    dealt = {"type": "deal_started", "dealer": 0} | ({"hands": hands} if hands else {})
    for obj in (
        {"type": "game_opened", "ruleset": rules, "seats": [{"name": str(seat)} for seat in range(seats)]},
        {"type": "dealer_named", "seat": 0},
        dealt,
        {"type": "card_turned", "card": first},
    ):
        log.add(parse_event(obj))
    return log


def refused(log: Log, **event: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        log.add(parse_event(event))
    return caught.value


def test_refusal_has_code_line_type_and_message_in_both_languages() -> None:
    refusal = refused(table("palio"), type="cards_played", seat=1, cards=["G4"])
    assert (refusal.code, refusal.line, refusal.type, refusal.rule) == ("no-match", 5, "cards_played", None)
    message = "G4 doesn't go on R7: expected red, the same number or symbol, or a Wild"
    assert refusal.to_json() == {"line": 5, "type": "cards_played", "code": "no-match", "message": message}
    assert str(refusal) == f"line 5: no-match: {message}"
    assert refusal.expected("en") == f"{message}."
    assert (
        refusal.expected("it-IT")
        == "G4 non va su R7: ci vuole il rosso, lo stesso numero o simbolo, o un jolly."
    )
    assert refusal.expected("de") == refusal.expected("en")


def test_refusal_names_seats_and_cards_as_the_page_does() -> None:
    refusal = refused(table("palio"), type="cards_drawn", seat=2, count=1)
    assert refusal.expected("it") == "Adesso è il posto 1 a giocare, non il posto 2."
    assert refusal.expected("en") == "It is seat 1's turn, not seat 2's."
    assert refusal.expected("it", seat=NAMES.__getitem__) == "Adesso è Bea a giocare, non Carlo."
    assert refusal.expected("en", seat=NAMES.__getitem__) == "It is Bea's turn, not Carlo's."
    cards = {"G4": "4 verde", "R7": "7 rosso"}
    refusal = refused(table("palio"), type="cards_played", seat=1, cards=["G4"])
    assert refusal.expected("it", card=cards.__getitem__).startswith("4 verde non va su 7 rosso: ")


def test_refusal_has_types_for_programs_and_words_for_people() -> None:
    refusal = refused(table("palio"), type="dealer_named", seat=2)
    assert refusal.message == "dealer_named can't come now: expected cards_played or cards_drawn"
    assert refusal.expected("en") == "The naming of the dealer can't come now: expected a play or a draw."
    assert (
        refusal.expected("it")
        == "La nomina del mazziere non può venire adesso: si aspetta una giocata o una pescata."
    )


@pytest.mark.parametrize(
    ("changes", "due"),
    [
        ({}, "cards_drawn or challenge_made"),
        ({"wild_four_on_wild_four": True}, "cards_drawn, cards_played or challenge_made"),
        ({"wild_four_on_wild_four": True, "challenge": False}, "cards_drawn or cards_played"),
        ({"draw_two_on_wild_four": True, "challenge": False}, "cards_drawn or cards_played"),
    ],
)
def test_refusal_of_an_answer_names_those_that_the_rules_allow(changes: dict[str, object], due: str) -> None:
    log = table({"preset": "palio", **changes})
    log.add(parse_event({"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "G"}))
    assert refused(log, type="dealer_named", seat=0).message == f"dealer_named can't come now: expected {due}"


@pytest.mark.parametrize(
    ("rules", "event", "code", "rule"),
    [
        ("palio", {"type": "cards_drawn", "seat": 1, "count": 1}, "must-play", "voluntary_draw"),
        ("palio", {"type": "zero_gift", "seat": 1, "to": 2}, "not-in-ruleset", "zero_gift"),
        (
            "palio",
            {"type": "penalty_given", "seat": 1, "reason": "wrong_card"},
            "not-in-ruleset",
            "wrong_card_penalty",
        ),
        (
            "classic",
            {"type": "penalty_given", "seat": 1, "reason": "prompting"},
            "not-in-ruleset",
            "prompting_penalty",
        ),
        ("palio", {"type": "cards_played", "seat": 1, "cards": ["R5", "R5"]}, "not-in-ruleset", "burn"),
        (
            "classic",
            {"type": "penalty_given", "seat": 2, "reason": "wrong_card"},
            "not-in-ruleset",
            "wrong_card_penalty",
        ),
        (
            "palio",
            {"type": "cards_played", "seat": 1, "cards": ["R5", "Y5"]},
            "cards-not-together",
            "single_card_per_turn",
        ),
        (
            {"preset": "palio", "challenge": False},
            {"type": "challenge_made", "seat": 1, "upheld": True},
            "no-challenge",
            "challenge",
        ),
        ("palio", {"type": "challenge_made", "seat": 1, "upheld": True}, "no-challenge", None),
    ],
)
def test_refusal_names_the_deciding_field_of_the_rule_set(
    rules: object, event: dict[str, object], code: str, rule: str | None
) -> None:
    hand = ["R5", "R5", "R9", "Y5", "G5", "B1", "W"]
    refusal = refused(table(rules, hands={"1": hand}), **event)
    assert (refusal.code, refusal.rule) == (code, rule)


def test_refusal_of_a_draw_card_names_the_field_that_forbids_it() -> None:
    hands = {
        "1": ["R+2", "R1", "R1", "R2", "R2", "R3", "R3"],
        "2": ["W+4", "Y+2", *["Y1"] * 2, *["Y2"] * 2, "Y3"],
    }
    for changes, card, rule in (
        ({"wild_four_on_draw_two": True}, "Y+2", "draw_two_stacks"),
        ({"draw_two_stacks": True}, "W+4", "wild_four_on_draw_two"),
    ):
        log = table({"preset": "palio", **changes}, hands=hands)
        log.add(parse_event({"type": "cards_played", "seat": 1, "cards": ["R+2"]}))
        color = {"color": "G"} if card == "W+4" else {}
        refusal = refused(log, type="cards_played", seat=2, cards=[card], **color)
        assert (refusal.code, refusal.rule) == ("not-in-ruleset", rule)


def test_refusal_uses_the_singular_for_one_seat_and_one_card() -> None:
    log = table({"preset": "classic", "hand_size": 1})
    log.add(parse_event({"type": "cards_played", "seat": 1, "cards": ["R1"]}))
    log.add(parse_event({"type": "hand_shown", "seat": 0, "points": 5}))
    shown_twice = refused(log, type="hand_shown", seat=0, points=5)
    hands = {"1": ["R1", "R2"]}
    not_held = refused(
        table({"preset": "palio", "hand_size": 2}, hands=hands), type="cards_played", seat=1, cards=["R3"]
    )

    assert [each.expected(language) for each in (shown_twice, not_held) for language in ("en", "it")] == [
        "Seat 0 has no hand to show now; who still has to: seat 2.",
        "Il posto 0 adesso non ha una mano da mostrare; chi deve ancora farlo: il posto 2.",
        "Seat 1 can't hold R3; cards of that hand that aren't known: 0.",
        "Il posto 1 non può avere in mano R3; carte non note di quella mano: 0.",
    ]


def test_refusal_of_an_answer_to_a_wild_draw_four_names_the_forbidding_field() -> None:
    for changes, seats, card, rule in (
        ({}, 3, "Y+2", "draw_two_on_wild_four"),
        ({"draw_two_on_wild_four": True}, 3, "W+4", "wild_four_on_wild_four"),
        ({"draw_two_on_wild_four": True, "final_draw": True, "hand_size": 1}, 3, "Y+2", "stack_on_last_card"),
        (
            {
                "draw_two_on_wild_four": True,
                "final_draw": True,
                "hand_size": 1,
                "stack_on_last_card": True,
            },
            2,
            "Y+2",
            "stack_on_last_card",
        ),
    ):
        log = table({"preset": "palio", "scoring": "winner_takes", **changes}, seats=seats)
        log.add(parse_event({"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "G"}))
        color = {"color": "G"} if card == "W+4" else {}
        refusal = refused(log, type="cards_played", seat=2 % seats, cards=[card], **color)
        assert (refusal.code, refusal.rule) == ("not-in-ruleset", rule)


def test_refusal_of_a_reverse_names_the_rule_that_took_it_out() -> None:
    rules = {"preset": "palio", "reverse_with_two": "removed"}
    played = refused(table(rules, seats=2), type="cards_played", seat=1, cards=["RR"])
    assert (played.code, played.rule) == ("too-many-copies", "reverse_with_two")
    assert played.message == "RR isn't in the packs: with two players all Reverses are taken out"
    assert played.expected("it") == "RR non è nel mazzo: in due tutti gli Inverti si tolgono."
    log = Log()
    log.add(parse_event({"type": "game_opened", "ruleset": rules, "seats": [{"name": "A"}, {"name": "B"}]}))
    log.add(parse_event({"type": "dealer_named", "seat": 0}))
    hand = ["RR", "R1", "R2", "R3", "R4", "R5", "R6"]
    dealt = refused(log, type="deal_started", dealer=0, hands={"1": hand})
    assert (dealt.code, dealt.rule) == ("too-many-copies", "reverse_with_two")
    # With three nothing is taken out.
    reverse = parse_event({"type": "cards_played", "seat": 1, "cards": ["RR"]})
    assert refusal_of(table(rules, seats=3).state, reverse) is None


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (
            {"type": "cards_drawn", "seat": 0, "count": 4},
            "the draw pile holds only 1 card: draw what there is, reshuffle, then draw the rest",
        ),
        (
            {"type": "cards_drawn", "seat": 0, "count": 2},
            "seat 0 draws 1 card, all there is, and the rest after a reshuffle, not 2",
        ),
    ],
)
def test_refusal_of_a_wild_draw_four_s_draw_says_that_more_follows_a_reshuffle(
    event: dict[str, object], message: str
) -> None:
    """The card under it may not be turned over while it can be challenged, but can be after the draw."""
    log = table({"preset": "palio", "hand_size": 53}, seats=2)
    log.add(parse_event({"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "G"}))
    assert refused(log, **event).message == message


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (2, "the draw pile holds only 1 card: draw what there is, and that is all"),
        (3, "seat 1 draws 1 card, all there is, not 3"),
    ],
)
def test_refusal_mentions_no_reshuffle_where_nothing_can_be_reshuffled(count: int, message: str) -> None:
    log = table({"preset": "palio", "hand_size": 53}, seats=2, first="R+2")
    assert refused(log, type="cards_drawn", seat=1, count=count).message == message


def test_rule_s_sentence_has_the_value_of_these_rules() -> None:
    rules = Ruleset.read({"preset": "palio", "hand_size": 5})
    assert rules.told("voluntary_draw", "it") == "Chi potrebbe giocare può invece pescare: no."
    assert rules.told("hand_size", "en") == "Cards dealt to each player: 5."
    assert rules.told("scoring", "it-CH").endswith(": vince chi finisce per primo.")
    with pytest.raises(KeyError):
        rules.told("speed", "it")


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_rule_field_has_words_for_every_value_in_both_languages(field: Field) -> None:
    values = {"bool": (True, False), "choice": field.choices, "int": ()}[field.kind]
    assert tuple(field.words) == values
    assert [Setting(field, value).told("en") for value in values] == list(field.words.values())
    assert Setting(field, 7).told("it") == "7"


def test_rule_value_has_the_words_of_its_field() -> None:
    other = Field("reverse_card", "choice", "What a Reverse does.", ("plain",), words={"plain": "blue"})
    before = next(each for each in FIELDS if each.name == "reverse_with_two")

    assert [Setting(each, "plain").told("en") for each in (before, other)] == ["does nothing", "blue"]


def test_rule_set_refusal_names_the_field_and_its_values() -> None:
    with pytest.raises(Refusal) as caught:
        Ruleset.from_json({"preset": "palio", "hand_size": 0})
    refusal = caught.value
    assert (refusal.code, refusal.rule) == ("bad-ruleset", "hand_size")
    assert refusal.message == "hand_size must be at least 1, not 0"
    assert refusal.expected("it") == "«Carte distribuite a ciascuno» dev'essere almeno 1, non 0."
    with pytest.raises(Refusal) as caught:
        Ruleset.from_json({"preset": "palio", "drawn_card": "burnt"})
    assert caught.value.message == 'drawn_card must be "may_play", "must_play" or "keep", not "burnt"'
    assert "«si può giocare», «si deve giocare, se possibile» o «si tiene»" in caught.value.expected("it")


def test_refusal_of_a_void_is_in_one_language_with_its_cause() -> None:
    log = table("palio")
    log.add(parse_event({"type": "cards_played", "seat": 1, "cards": ["R2"]}))
    log.add(parse_event({"type": "cards_played", "seat": 2, "cards": ["R3"]}))
    refusal = refused(log, type="event_voided", line=5, reason="typing-error")

    assert (refusal.code, refusal.line, refusal.type) == ("void", 7, "event_voided")
    assert (
        refusal.message
        == "without line 5, line 6 can't be: it is seat 1's turn, not seat 2's; void from the last line back"
    )
    assert refusal.expected("it", seat=NAMES.__getitem__) == (
        "Senza la riga 5 la riga 6 non può stare: adesso è Bea a giocare, non Carlo; "
        "togliere le righe a partire dall'ultima."
    )


def test_refusal_of_a_log_comes_with_the_accepted_part() -> None:
    events = [event_to_json(event) for event in table("palio").events]
    lines = [json.dumps(event) for event in events]
    wrong = {"type": "cards_played", "seat": 1, "cards": ["G4"]}
    for last, code, line, type_ in (
        (json.dumps(wrong), "no-match", 5, "cards_played"),
        ('{"type": "cards_played", "seat": 1}', "malformed", 5, "cards_played"),
        ("nonsense", "malformed", 5, None),
    ):
        state, accepted, refusal = replay_while_valid(parse_lines([*lines, last, lines[3]]))
        assert (state.events, accepted) == (4, 4)
        assert refusal is not None
        assert (refusal.code, refusal.line, refusal.type) == (code, line, type_)
        assert refusal.expected("it") != refusal.expected("en")


def test_refusal_never_takes_a_given_text_for_a_template() -> None:
    refusal = refused(
        table("palio"), type="game_closed", reason="result", winner=None, team="{seat:seat} {given} {0} %s"
    )
    assert '"{seat:seat} {given} {0} %s"' in refusal.message
    assert '"{seat:seat} {given} {0} %s"' in refusal.expected("it")
    plain = Refusal("malformed", "expected {braces} of {any:kind}, {0} and {}", line=3)
    assert plain.message == "expected {braces} of {any:kind}, {0} and {}"
    assert plain.expected("it") == "Expected {braces} of {any:kind}, {0} and {}."


def test_refusal_s_copy_is_the_same_refusal() -> None:
    refusal = refused(table("palio"), type="zero_gift", seat=1, to=2)
    copies = [copy.copy(refusal), copy.deepcopy(refusal), pickle.loads(pickle.dumps(refusal))]
    for again in [*copies, refusal.at(refusal.line, refusal.type)]:
        assert (again.to_json(), again.rule) == (refusal.to_json(), "zero_gift")
        assert again.expected("it") == refusal.expected("it")
    elsewhere = refusal.at(2, "turn_passed")

    assert (elsewhere.line, elsewhere.type, elsewhere.message) == (2, "turn_passed", refusal.message)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (-3, "-3"),
        (2**70, "…"),
        (1.5, "1.5"),
        ("r1", '"r1"'),
        ("it's", '"it\'s"'),
        ('a "b"', r'"a \"b\""'),
        ("caffè", '"caffè"'),
        (False, "false"),
        (float("inf"), "Infinity"),
        ("\ud800", '"\\ud800"'),
        ("x" * 60, '"' + "x" * 35 + '…"'),
        ({}, "{…}"),
        ([1], "[…]"),
    ],
)
def test_refusal_shows_a_given_value_short(value: object, text: str) -> None:
    assert shown(value) == text
    assert len(text) <= 40


def test_refusal_counts_are_singular_or_plural() -> None:
    assert [
        Phrase("{a:count}, {a:times}", {"a": count}).said(Wording(language))
        for language in ("en", "it")
        for count in (1, 2, 3)
    ] == [
        "1 card, once",
        "2 cards, twice",
        "3 cards, 3 times",
        "1 carta, 1 volta",
        "2 carte, 2 volte",
        "3 carte, 3 volte",
    ]


def test_refusal_sentence_gets_no_second_full_stop() -> None:
    assert as_sentence("ecco.") == "Ecco."


def test_game_log_page_shows_refusals_in_italian_as_printed() -> None:
    page = (ROOT / "docs" / "reference" / "game-log.md").read_text("utf-8")
    with (ROOT / "docs" / "reference" / "examples" / "refused.jsonl").open("rb") as log:
        _, accepted, refusal = replay_while_valid(parse_lines(log))
    assert refusal is not None
    said = (str(accepted), sentence(refusal.code, "it"), refusal.expected("it"))
    assert ', sep="\\n")\n' + "\n".join(said) + "\n```\n" in page
