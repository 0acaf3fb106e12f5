"""A game in words: told to the letter in both languages, without a code in it, and without a secret."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import Ruleset, Seat, event_to_json, parse_event, parse_line, play_random_game
from games.engine.cards import CARDS
from games.engine.events import (
    EVENT_CLASSES,
    CardsDrawn,
    CardsPlayed,
    ChallengeMade,
    DealStarted,
    Event,
    EventVoided,
    GameClosed,
    GameOpened,
)
from games.engine.hiding import hide
from games.engine.state import DEBT_REASONS
from games.engine.telling import Names, Part, Teller, card_words, outcome, say, tell
from games.engine.telling.before_and_after import KINDS
from games.engine.telling.wording import Voice
from tests.games.engine.rulesets import RULESETS
from tests.support.run.long import examples

FOLDER = Path(__file__).parent / "telling"
LANGUAGES = ("it", "en")
LINE = re.compile(r" *(?P<number>\d+) (?P<language>it|en)  (?P<text>.+)")
CODE = re.compile(r"\b(?:[RYGB][0-9SR]|[RYGB]\+2|W\+4)\b|_|None|null|[{}]|\bseat\b|il posto|  ")
NAMES = Names(["Anna", "Bruno", "Carla", "Dario", "Elena", "Fulvio"])


class Scene:
    """A log with its telling, as a file has it: after each event its line in both languages."""

    def __init__(self, title: str, lines: list[str]) -> None:
        self.title = title
        self.log = [parse_line(line) for line in lines if line.startswith("{")]
        self.told: dict[str, list[str]] = {language: [] for language in LANGUAGES}
        for line in lines:
            found = LINE.fullmatch(line)
            if found:
                self.told[found["language"]].append(found["text"])


def scenes(name: str) -> list[Scene]:
    found: list[Scene] = []
    for text in (FOLDER / name).read_text("utf-8").split("== ")[1:]:
        title, *lines = text.splitlines()
        found.append(Scene(title, lines))
    return found


WHOLE = scenes("whole_game.txt")
CONSEQUENCES = scenes("consequences.txt")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", [*WHOLE, *CONSEQUENCES], ids=lambda scene: scene.title)
def test_telling_of_a_game_is_the_expected_one_to_the_letter(scene: Scene, language: str) -> None:
    teller = Teller(language)
    assert [str(teller.add(event)) for event in scene.log] == scene.told[language]


def test_telling_of_the_whole_game_has_every_type_of_event_of_its_rules() -> None:
    (whole,) = WHOLE
    missing = set(EVENT_CLASSES) - {type(event) for event in whole.log}
    assert {each.type for each in missing} == {"dealer_named", "turn_passed", "pile_reshuffled"}


def test_telling_scenes_have_every_type_of_event_and_every_consequence() -> None:
    types, kinds = set(), set()
    for scene in [*WHOLE, *CONSEQUENCES]:
        teller = Teller("it")
        for event in scene.log:
            types.add(type(event))
            kinds |= {follow.kind for follow in teller.add(event).follows}
    assert types == set(EVENT_CLASSES)
    assert kinds == KINDS


@pytest.mark.parametrize("language", LANGUAGES)
def test_telling_of_a_debt_says_who_owes_how_many_cards(language: str) -> None:
    """When it comes up, and where a correction leads to it. A rule that makes somebody owe has a scene."""
    reasons = set()
    for scene in CONSEQUENCES:
        teller = Teller(language)
        for event in scene.log:
            before, told = teller.moment, str(teller.add(event))
            after, voice = teller.moment, Voice(language, teller.names)
            texts = [str(tell(before, EventVoided(line=1, reason=""), after, language, teller.names))]
            # Of a draw that was begun it is told what is left of it.
            if len(after.debts) > len(before.debts) and not isinstance(event, CardsDrawn):
                texts.append(told)
            for debt in after.debts:
                reasons.add(debt.reason)
                parts = voice.seat(debt.seat), voice.count(debt.count)
                words = ["".join(part.text for part in each) for each in parts]
                assert all(each in text for each in words for text in texts), texts
    assert reasons == set(DEBT_REASONS)


games = st.builds(
    lambda ruleset, seats, seed, style, table: play_random_game(
        Ruleset.from_json(ruleset), seats, seed, style=style, table=table, longest=300, kin=((0, 1),)
    ),
    st.sampled_from([*RULESETS, {"preset": "house", "hand_size": 17}, {"preset": "guide", "hand_size": 35}]),
    st.integers(2, 6),
    st.integers(0, 10**6),
    st.sampled_from(["sensible", "random"]),
    st.booleans(),
)


@given(games, st.sampled_from(LANGUAGES), st.booleans())
@examples(60)
def test_telling_of_any_event_is_one_line_of_words(log: list[Event], language: str, is_open: bool) -> None:
    teller = Teller(language, NAMES, is_open=is_open)
    for event in log:
        told = teller.add(event)
        text = str(told)
        assert text == "".join(part.text for part in told.parts)
        assert text[-1] in ".!"
        assert text[0].isupper()
        assert text.isprintable()
        assert CODE.search(text) is None, text


@given(games, st.sampled_from(LANGUAGES))
@examples(30)
def test_telling_leaves_out_cards_that_only_their_holder_sees(log: list[Event], language: str) -> None:
    """The full log is told word for word as the one that never had the secret cards."""
    full, hidden = Teller(language, NAMES), Teller(language, NAMES)
    by_points = isinstance(log[0], GameOpened) and log[0].ruleset.scoring != "first_out"
    for event in log:
        told = full.add(event)
        assert str(say(event, language, NAMES)) == str(say(hide(event), language, NAMES))
        if isinstance(event, DealStarted | CardsDrawn | ChallengeMade):
            assert {part.card for part in told.parts} <= {None, "W+4"}
        if not by_points:
            # With points a log without secret cards needs hands that are shown, and is another log.
            assert str(hidden.add(hide(event))) == str(told)


def test_twin_telling_with_open_cards_holds_the_secret_cards() -> None:
    """The twin of the test above: without the safeguard they are all there."""
    log = play_random_game(Ruleset.from_json("palio"), 2, 1)
    teller = Teller("en", NAMES, is_open=True)
    for event in log:
        told = teller.add(event)
        cards = [part.card for part in told.parts if part.card is not None]
        if isinstance(event, DealStarted) and event.hands:
            assert cards == [card for seat in sorted(event.hands) for card in event.hands[seat]]
        elif isinstance(event, CardsDrawn) and event.cards:
            assert cards == list(event.cards)


def test_telling_s_parts_know_their_seat_card_and_team() -> None:
    names = Names(
        ["Anna B.", "Bruno C."], teams={"t1": "Alta"}, reasons={"typing-error": "un tocco sbagliato"}
    )
    played = CardsPlayed(1, ("W",), "G", uno=True)
    assert say(played, "it", names).parts == (
        Part("Bruno C.", seat=1),
        Part(" gioca "),
        Part("un "),
        Part("Jolly", card="W", color="G"),
        Part(", "),
        Part("chiama il "),
        Part("verde", color="G"),
        Part(" e "),
        Part("dice UNO"),
        Part("!"),
    )
    closed = GameClosed("result", None, team="t1")
    assert say(closed, "it", names).parts[-2:] == (Part("Alta", team="t1"), Part("."))
    assert str(say(EventVoided(3, "typing-error"), "it", names)) == (
        "Correzione: la riga 3 non vale più (un tocco sbagliato)."
    )


def test_telling_s_italian_articles_suit_the_number() -> None:
    told = [str(say(CardsPlayed(0, (card,)), "it", NAMES)) for card in ("R0", "R1", "R7", "R8", "RS", "R+2")]
    assert told == [
        "Anna gioca lo 0 rosso.",
        "Anna gioca l’1 rosso.",
        "Anna gioca il 7 rosso.",
        "Anna gioca l’8 rosso.",
        "Anna gioca un Salta rosso.",
        "Anna gioca un Pesca due rosso.",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_card_has_a_name_of_its_own_in_each_language(language: str) -> None:
    assert len({card_words(card, language) for card in CARDS}) == len(CARDS)


def test_telling_s_names_of_a_log_are_told_apart_and_can_not_break_a_line() -> None:
    seats = (Seat("Anna", "Alta"), Seat("Anna", "Bassa"), Seat("Bea\n\x1b[31m"), Seat(""), Seat("Bea", None))
    opened = GameOpened(Ruleset.from_json("palio"), seats)
    assert list(Names.of_log(opened).seats) == ["Anna (Alta)", "Anna (Bassa)", "Bea [31m", "(3)", "Bea"]
    twins = GameOpened(Ruleset.from_json("palio"), (Seat("Anna"), Seat("Anna")))
    assert list(Names.of_log(twins).seats) == ["Anna (0)", "Anna (1)"]


def test_telling_of_an_event_with_an_unknown_seat_names_its_number() -> None:
    event = parse_event({"type": "cards_drawn", "seat": 9, "count": 1})
    assert (str(say(event, "it", NAMES)), str(say(event, "en", NAMES))) == (
        "Il posto 9 pesca 1 carta.",
        "Seat 9 draws 1 card.",
    )


def test_telling_s_outcome_names_the_winner_of_a_finished_game() -> None:
    teller = Teller("it")
    for event in WHOLE[0].log:
        teller.add(event)
    assert str(outcome(teller.moment, "it", teller.names)) == "Vince Bruno per Bassa."
    assert event_to_json(WHOLE[0].log[-1])["winner"] == 1
