"""Rule sets: five presets, every field, and clear words for what can't be played."""

import json
from dataclasses import fields

import pytest

from games.engine import FIELDS, PRESETS, SENTENCES, Field, Refusal, Ruleset, sentence
from games.engine.rule_fields import RULES, Rule


def test_presets_have_a_value_for_every_field() -> None:
    names = [field.name for field in FIELDS]
    assert names == [field.name for field in fields(Ruleset)][1:]
    for preset in PRESETS.values():
        assert list(preset) == names


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_presets_have_values_that_a_field_can_hold(field: Field) -> None:
    assert "palio" in RULES[field.name].presets.keys() <= PRESETS.keys()
    for preset in PRESETS.values():
        Ruleset.from_json({"preset": "palio", "after_out": "new_deal", field.name: preset[field.name]})


def test_preset_has_the_value_of_the_one_it_starts_from() -> None:
    rule = Rule("Cards dealt to each player.", palio=7, classic=5, guide=9)

    assert [rule.value(preset) for preset in PRESETS] == [7, 5, 5, 9, 5]


@pytest.mark.parametrize("preset", PRESETS)
def test_preset_reads_and_prints_as_its_name(preset: str) -> None:
    ruleset = Ruleset.from_json(preset)
    assert ruleset.to_json() == preset
    assert ruleset.values() == PRESETS[preset]
    assert Ruleset.read({"preset": preset}) == ruleset


def test_rule_set_prints_only_fields_that_differ() -> None:
    ruleset = Ruleset.from_json({"preset": "palio", "hand_size": 5, "decks": 1})
    assert ruleset.to_json() == {"preset": "palio", "hand_size": 5}
    assert Ruleset.from_json(json.loads(json.dumps(ruleset.to_json()))) == ruleset


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_rule_set_field_takes_its_kind_and_nothing_else(field: Field) -> None:
    wrong: dict[str, list[object]] = {
        "bool": [0, 1, "true", None],
        "int": [True, 1.0, "2", None],
        "choice": ["", "other", 1, None, True],
    }
    for value in wrong[field.kind]:
        with pytest.raises(Refusal) as caught:
            Ruleset.read({"preset": "palio", field.name: value})
        assert caught.value.code == "malformed"
        assert field.name in caught.value.message
    assert field.told("de") == field.sentence != field.told("it-IT")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"target": 0}, "target must be at least 1"),
        ({"target": -5}, "target must be at least 1"),
        ({"decks": 0}, "decks must be at least 1"),
        ({"decks": 21}, "decks must be at most 20"),
        ({"hand_size": 0}, "hand_size must be at least 1"),
        ({"uno_penalty": -1}, "uno_penalty must be at least 0"),
        ({"uno_penalty": 10**9}, "uno_penalty must be at most 10000, not 1000000000"),
        ({"max_players": 10**9}, "max_players must be at most 10000, not 1000000000"),
        ({"min_players": 5, "max_players": 4}, "min_players"),
        ({"min_players": 1}, "min_players must be at least 2"),
        ({"scoring": "elimination"}, 'after_out must be "new_deal", not "game_ends"'),
        ({"hand_size": 54}, "2 players with 54 cards each"),
        ({"hand_size": 50, "reverse_with_two": "removed"}, "need 101 cards: the packs hold 100"),
    ],
)
def test_rule_set_with_a_contradiction_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(Refusal) as caught:
        Ruleset.from_json({"preset": "palio", **changes})
    assert caught.value.code == "bad-ruleset"
    assert words in caught.value.message


def test_rule_set_refuses_too_few_or_too_many_players() -> None:
    ruleset = Ruleset.from_json({"preset": "palio", "hand_size": 10})
    ruleset.check(10)
    for players, rule in ((1, "min_players"), (11, "max_players")):
        with pytest.raises(Refusal, match="these rules are for 2 to 10 players") as refused:
            ruleset.check(players)
        assert refused.value.rule == rule


def test_refusal_codes_have_a_sentence_in_both_languages() -> None:
    for code, english in SENTENCES.items():
        assert sentence(code, "it") == sentence(code, "it-IT") != english
        assert sentence(code, "de") == english


@pytest.mark.parametrize("preset", PRESETS)
def test_rule_set_of_before_draw_twos_answered_wild_draw_fours_says_that_they_don_t(preset: str) -> None:
    written = {name: value for name, value in PRESETS[preset].items() if name != "draw_two_on_wild_four"}

    ruleset = Ruleset.from_json({"preset": preset, **written})

    assert ruleset == Ruleset.from_json(preset)
    assert not ruleset.draw_two_on_wild_four
    assert ruleset.to_json() == preset
