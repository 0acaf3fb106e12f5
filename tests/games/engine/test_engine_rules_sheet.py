"""The rules sheet: everything on it follows from the rule set, and whatever the rule set says is on it."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import FIELDS, PRESETS, Field, Refusal, Ruleset, rules_sheet
from games.engine.command import main
from games.engine.rules_sheet import BELL_RULES, RulesSheet, sheet_text
from tests.support.run.long import examples

LANGUAGES = ("it", "en")
NUMBERS = {
    "decks": (1, 2, 3),
    "min_players": (2, 3, 4),
    "max_players": (2, 4, 6, 10),
    "hand_size": (1, 5, 7),
    "challenge_failed_cards": (4, 5, 6),
    "uno_penalty": (0, 1, 2),
    "prompting_penalty": (0, 1, 4),
    "wrong_card_penalty": (0, 1, 2),
    "target": (1, 200, 500),
}


def values(field: Field) -> tuple[Any, ...]:
    """Some values that a field can hold."""
    if field.kind == "bool":
        return (False, True)
    return field.choices or NUMBERS[field.name]


def can_be_played(rules: Ruleset) -> bool:
    try:
        rules.check()
    except Refusal:
        return False
    return True


RULESETS = (
    st.fixed_dictionaries({field.name: st.sampled_from(values(field)) for field in FIELDS})
    .map(lambda chosen: Ruleset(preset="palio", **chosen))
    .filter(can_be_played)
)


def answering_fours(rules: Ruleset) -> bool:
    return rules.wild_four_on_draw_two or rules.wild_four_on_wild_four


def never_two(rules: Ruleset) -> bool:
    return rules.min_players > 2 and rules.scoring != "elimination"


WITHOUT_EFFECT: dict[str, Callable[[Ruleset], bool]] = {
    # Nobody challenges.
    "challenge_upheld": lambda rules: not rules.challenge,
    "challenge_failed_cards": lambda rules: not rules.challenge,
    # Being caught costs nothing.
    "uno_catch_window": lambda rules: rules.uno_penalty == 0,
    # Without a penalty a wrong card is just taken back.
    "wrong_card_ends_turn": lambda rules: rules.wrong_card_penalty == 0,
    # A Wild Draw Four never answers; or nothing else could, so that it is always the only card.
    "stacked_wild_four_free": lambda rules: (
        not answering_fours(rules)
        or (
            rules.wild_four_condition == "no_playable_card"
            and not (rules.wild_four_on_draw_two and rules.draw_two_stacks)
            and not (rules.wild_four_on_wild_four and rules.draw_two_on_wild_four)
        )
    ),
    # Two colours are in question only where one Wild Draw Four answers another, and colours count.
    "stacked_wild_four_color": lambda rules: (
        not rules.wild_four_on_wild_four
        or rules.stacked_wild_four_free
        or rules.wild_four_condition == "no_playable_card"
    ),
    # No draw card is answered, or none that was a last card is drawn for; or there are never more than two.
    "stack_on_last_card": lambda rules: (
        not (rules.draw_two_stacks or rules.draw_two_on_wild_four or answering_fours(rules))
        or not (rules.finish_on_action and rules.final_draw)
        or rules.max_players == 2
    ),
    # Two players never face each other.
    "reverse_with_two": never_two,
    "reverse_matches_skip": lambda rules: never_two(rules) or rules.reverse_with_two == "removed",
    # A draw card is never the last one.
    "final_draw": lambda rules: not rules.finish_on_action,
    # The first who is out has won the game.
    "after_out": lambda rules: rules.scoring == "first_out",
    "target": lambda rules: rules.scoring == "first_out" or rules.after_out == "game_ends",
}
"""Where a field changes nothing in the game, whatever it says; in every other rule set it does."""


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
@examples(25)
@given(data=st.data())
def test_rules_sheet_changes_with_a_field_where_the_game_does(field: Field, data: st.DataObject) -> None:
    rules = data.draw(RULESETS)
    others = [replace(rules, **{field.name: value}) for value in values(field)]
    changed = [each for each in others if each != rules and can_be_played(each)]
    has_effect = not (field.name in WITHOUT_EFFECT and WITHOUT_EFFECT[field.name](rules))
    for other in changed:
        for language in LANGUAGES:
            one, two = (rules_sheet(each, language).sections for each in (rules, other))
            assert (one != two) == has_effect


@given(RULESETS, st.sampled_from([None, *BELL_RULES]))
def test_rules_sheet_says_the_same_in_both_languages_in_the_same_order(
    rules: Ruleset, bell: str | None
) -> None:
    italian, english = (rules_sheet(rules, language, bell) for language in LANGUAGES)
    assert [shape(each) for each in italian.sections] == [shape(each) for each in english.sections]
    assert not any(section.is_empty for section in italian.sections)


@given(RULESETS, st.sampled_from([None, *BELL_RULES]), st.sampled_from(["places", "points"]))
def test_rules_sheet_says_the_same_of_what_decides_in_both_languages(
    rules: Ruleset, bell: str | None, decides: str
) -> None:
    italian, english = (rules_sheet(rules, language, bell, decides) for language in LANGUAGES)
    assert [shape(each) for each in italian.sections] == [shape(each) for each in english.sections]


@pytest.mark.parametrize(
    ("preset", "key", "last"),
    [
        ("palio", "end", "Chi ne ha altrettante divide il posto."),
        (
            "classic",
            "points",
            "I punti dicono i posti al tavolo: prima chi ne ha di più. "
            "Chi ne ha altrettanti divide il posto.",
        ),
        (
            "house",
            "points",
            "I punti dicono i posti al tavolo: prima chi ne ha meno. Chi ne ha altrettanti divide il posto.",
        ),
    ],
)
def test_rules_sheet_says_who_comes_where_when_places_decide(preset: str, key: str, last: str) -> None:
    rules = Ruleset.from_json(preset)
    by_places, by_winner = (rules_sheet(rules, "it", None, decides) for decides in ("places", "winner"))
    (section,) = (each for each in by_places.sections if each.key == key)

    assert section.sentences[-1] == last
    assert last not in sheet_text(by_winner)


@pytest.mark.parametrize(
    ("bell", "level"),
    [
        ("no_point", "Ancora pari? Allora dividono il posto."),
        ("point_each", "Ancora pari? Allora dividono il posto."),
        (
            "one_more_card",
            "Ancora pari? Allora giocano ancora, una carta a testa, finché uno è in vantaggio.",
        ),
    ],
)
def test_rules_sheet_says_whether_places_at_the_bell_are_shared_or_played_for(bell: str, level: str) -> None:
    section = rules_sheet(Ruleset.from_json("palio"), "it", bell, "places").sections[-1]
    assert (section.key, section.sentences[2]) == ("bell", level)


def shape(section: Any) -> tuple[str, int, list[tuple[str, ...]]]:
    return section.key, len(section.sentences), [row.cards for row in section.rows + section.values]


@given(RULESETS, st.sampled_from(LANGUAGES))
def test_rules_sheet_s_numbers_agree_with_their_nouns(rules: Ruleset, language: str) -> None:
    words = " ".join(sheet_text(rules_sheet(rules, language)).split())
    for wrong in ("1 carte", "1 cards", "1 punti", "1 points", "1 mazzi ", "1 packs", "0 carta", "2 carta"):
        assert f" {wrong}" not in words


# What each Italian document says, and what it is silent about.

SAID = {
    "palio": (
        "Chi ha il numero più alto fa il mazziere. Le carte senza numero valgono zero.",
        "Il mazziere mescola e dà 7 carte a ciascuno.",
        "Si gioca una sola carta per turno.",
        "Se puoi giocare, devi giocare: non puoi scegliere di pescare.",
        "Se la carta pescata va bene, la puoi giocare subito.",
        "Lo puoi giocare solo se nessun’altra tua carta va bene.",
        "Chi ha contestato pesca 6 carte, e non 4, e salta il turno.",
        "Dillo forte prima che la carta tocchi il mazzo scarti. Dopo è tardi.",
        "Suggerisci a un altro che cosa giocare: 2 carte",
        "Chi resta senza carte vince, e la partita è finita.",
    ),
    "classic": (
        "Chi ha il numero più alto fa il mazziere. Le carte senza numero valgono zero.",
        "Puoi anche scegliere di pescare quando potresti giocare.",
        "Se la carta pescata va bene, la devi giocare subito.",
        "Lo puoi giocare solo se non hai carte del colore in gioco.",
        "Ti possono scoprire finché il prossimo non gioca o pesca.",
        "il prossimo pesca lo stesso.",
        "Chi ha finito prende i punti di tutte le carte rimaste in mano agli altri.",
        "Vince la partita chi arriva per primo a 500 punti o più.",
        "Salta, Inverti, Pesca due: 20 punti",
        "Jolly, Jolly Pesca quattro: 50 punti",
    ),
    "to_go": (
        "Puoi anche scegliere di pescare quando potresti giocare.",
        "Se la carta pescata va bene, la puoi giocare subito. Se no, tocca al prossimo. "
        "Non puoi giocarne un’altra.",
        "Le carte con lo stesso numero o simbolo, e i Jolly, non contano.",
        "Chi ha finito prende i punti di tutte le carte rimaste in mano agli altri.",
    ),
    "guide": (
        "Giocano da 2 a 10 persone, con 2 mazzi da 108 carte mescolati insieme.",
        "Si gioca una sola carta per turno.",
        "Riprendi la carta e peschi 4 carte. Poi devi giocare un’altra carta che va bene.",
        "Dillo forte prima che la carta tocchi il mazzo scarti. Dopo è tardi.",
        "Suggerisci a un altro che cosa giocare: 4 carte",
        "Giochi una carta che non va bene: la riprendi: 4 carte",
        "fa il mazziere chi sta alla sinistra di quello di prima.",
    ),
    "house": (
        "Chi ha il numero più basso fa il mazziere. Chi pesca una carta senza numero ne pesca un’altra.",
        "Puoi mettere giù insieme più carte con lo stesso numero.",
        "La carta pescata la tieni, e tocca al prossimo.",
        "A un Pesca due puoi rispondere con un Pesca due di qualsiasi colore.",
        "Sei in tempo finché il prossimo non gioca o pesca.",
        "Ti possono scoprire anche dopo che il prossimo ha giocato",
        "Suggerisci a un altro che cosa giocare: 2 carte",
        "Giochi una carta che non va bene: la riprendi, e salti il turno: 2 carte",
        "Chi ha finito pesca 7 carte, gli altri tengono le loro, e gioca il prossimo.",
        "Quando qualcuno ha 500 punti o più, vince la partita chi ne ha di meno.",
    ),
}
SILENT = {
    "palio": ("I punti", "Rispondere a una carta pesca", "Regole speciali"),
    "classic": ("Suggerisci", "Rispondere a una carta pesca", "Regole speciali"),
    "to_go": ("Suggerisci", "Rispondere a una carta pesca", "Regole speciali"),
    "guide": ("Rispondere a una carta pesca", "Regole speciali", "Puoi anche scegliere di pescare"),
    "house": ("Regole speciali", "Si gioca una sola carta per turno"),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_sheet_of_a_preset_says_what_its_document_says(preset: str) -> None:
    words = " ".join(sheet_text(rules_sheet(Ruleset.from_json(preset), "it")).split())
    assert [said for said in SAID[preset] if said not in words] == []
    assert [said for said in SILENT[preset] if said in words] == []


@pytest.mark.parametrize(
    ("variation", "said"),
    [
        ({"scoring": "elimination", "after_out": "new_deal"}, "Vince l’ultimo rimasto."),
        (
            {"stack_on_last_card": True},
            "Si può rispondere anche all’ultima carta di chi ha finito, se un terzo ha ancora carte. "
            "In due non si può.",
        ),
        (
            {"stack_on_last_card": True, "max_players": 2},
            "All’ultima carta di chi ha finito non si risponde.",
        ),
        ({"wild_four_on_draw_two": True}, "A un Pesca due puoi rispondere con un Jolly Pesca quattro."),
        (
            {"wild_four_on_wild_four": True, "stacked_wild_four_color": "before_first"},
            "Su un altro Jolly Pesca quattro, è il colore che c’era prima del primo.",
        ),
        (
            {"draw_two_on_wild_four": True},
            "A un Jolly Pesca quattro puoi rispondere con un Pesca due di qualsiasi colore, e con "
            "nient’altro.",
        ),
        (
            {"draw_two_on_wild_four": True, "wild_four_on_wild_four": True},
            "A un Jolly Pesca quattro puoi rispondere con un Jolly Pesca quattro, o con un Pesca due",
        ),
        (
            {
                "draw_two_on_wild_four": True,
                "wild_four_on_wild_four": True,
                "wild_four_on_draw_two": True,
                "wild_four_condition": "no_playable_card",
            },
            "Puoi rispondere con un Jolly Pesca quattro solo se non hai un Pesca due.",
        ),
        (
            {
                "wild_four_on_wild_four": True,
                "stacked_wild_four_color": "before_first",
                "challenge_upheld": "taken_back",
            },
            "Se lo riprendi e nessuna tua carta va bene, peschi una carta.",
        ),
        ({"draw_two_skips": False}, "Il prossimo pesca 2 carte, e poi gioca."),
        ({"reverse_with_two": "plain"}, "Un Inverti non fa niente: gioca l’altro."),
        ({"reverse_with_two": "removed"}, "Tutti gli Inverti si tolgono dal mazzo."),
        ({"reverse_matches_skip": True}, "Salta e Inverti vanno bene uno sull’altro, di qualsiasi colore."),
        ({"zero_gift": True}, "Chi gioca uno 0 può far pescare 4 carte a un parente seduto al tavolo"),
        ({"burn": True}, "Puoi giocare insieme due carte con lo stesso numero e lo stesso colore."),
    ],
)
def test_rules_sheet_tells_variations_of_the_house_rules(variation: dict[str, Any], said: str) -> None:
    rules = Ruleset.from_json({"preset": "house", **variation})
    assert said in " ".join(sheet_text(rules_sheet(rules, "it")).split())


def titles(sheet: RulesSheet) -> list[str]:
    return [section.title for section in sheet.sections]


def test_rules_sheet_of_a_pack_without_reverses_has_none() -> None:
    rules = Ruleset.from_json({"preset": "classic", "max_players": 2, "reverse_with_two": "removed"})
    assert sheet_text(rules_sheet(rules, "en")).count("Reverse") == 1
    assert "All Reverses are taken out of the pack." in sheet_text(rules_sheet(rules, "en"))


def test_rules_sheet_s_title_says_that_rules_were_changed() -> None:
    assert rules_sheet(Ruleset.from_json("palio"), "it").title == "Le regole del palio"
    changed = Ruleset.from_json({"preset": "palio", "hand_size": 5})
    assert rules_sheet(changed, "it").title == "Le regole del palio, con modifiche"
    assert rules_sheet(changed, "en").title == "The rules of the palio, with changes"


def test_rules_sheet_ends_with_the_bell_s_rule_and_what_cards_count() -> None:
    palio, classic = (Ruleset.from_json(preset) for preset in ("palio", "classic"))
    last = rules_sheet(palio, "it", "point_each").sections[-1]

    assert (last.title, last.sentences[-1]) == (
        "Quando suona la campana",
        "Ancora pari? Allora hanno un punto ciascuno.",
    )
    assert [row.text for row in last.values] == ["il loro numero", "20 punti", "50 punti"]
    assert rules_sheet(classic, "it", "point_each").sections[-1].values == ()
    assert len({rules_sheet(palio, "en", bell) for bell in BELL_RULES}) == len(BELL_RULES)


def test_rules_sheet_refuses_an_unknown_bell_rule() -> None:
    with pytest.raises(ValueError, match="gong"):
        rules_sheet(Ruleset.from_json("palio"), "it", "gong")


@pytest.mark.parametrize(("tag", "language"), [("it-CH", "it"), ("en-GB", "en"), ("eo", "en")])
def test_rules_sheet_has_a_region_s_language_or_english(tag: str, language: str) -> None:
    rules = Ruleset.from_json({"preset": "palio", "hand_size": 5})
    assert sheet_text(rules_sheet(rules, tag, "no_point")) == sheet_text(
        rules_sheet(rules, language, "no_point")
    )


def test_rules_sheet_s_text_fits_a_terminal() -> None:
    text = sheet_text(rules_sheet(Ruleset.from_json("house"), "en"))
    assert max(map(len, text.splitlines())) <= 78
    assert text.endswith("turn again.\n")


# The command line


def test_rules_command_prints_the_sheet_of_a_preset_or_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--language", "it"]) == 0
    assert capsys.readouterr().out == sheet_text(rules_sheet(Ruleset.from_json("palio"), "it"))
    changed = {"preset": "guide", "burn": True}
    assert main(["rules", "--ruleset", json.dumps(changed), "--language", "en"]) == 0
    assert capsys.readouterr().out == sheet_text(rules_sheet(Ruleset.from_json(changed), "en"))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("poker", "malformed"),
        ('{"preset": "palio",', "malformed"),
        ('{"preset": "palio", "colour": 1}', "malformed"),
        ('{"preset": "palio", "decks": 0}', "bad-ruleset"),
    ],
)
def test_rules_command_says_what_is_wrong_with_a_rule_set(
    given: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "--ruleset", given]) == 1
    printed = capsys.readouterr()
    assert (printed.out, json.loads(printed.err)["error"]["code"]) == ("", code)
