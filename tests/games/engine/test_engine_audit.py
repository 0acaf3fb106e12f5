"""The audit of a state: sound games break nothing, and each invariant is found when just that is broken."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from games.engine import State, audit, parse_log, replay
from games.engine.events import CardsDrawn, TurnPassed
from games.engine.invariants import INVARIANTS
from games.engine.state import PLAY, Debt
from games.engine.state_audit import Broken
from games.engine.transitions import TRANSITIONS

SEATS = '[{"name": "Ada", "team": "A"}, {"name": "Bea", "team": "B"}, {"name": "Ciro"}]'
PALIO = '"palio"'
TAKEN_BACK = '{"preset": "guide", "decks": 1}'
GIFTS = '{"preset": "house", "zero_gift": true}'
SHORT = '{"preset": "to_go", "hand_size": 1}'
NAMED = '{"type": "dealer_named", "seat": 0}'
DEALT = '{"type": "deal_started", "dealer": 0}'
TURNED = '{"type": "card_turned", "card": "R7"}'
FOUR = '{"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "G"}'
TABLE = (NAMED, DEALT, TURNED)


def game(*lines: str, ruleset: str = PALIO) -> State:
    """The state after an opening with three seats, the first two related, and these lines."""
    opened = f'{{"type": "game_opened", "ruleset": {ruleset}, "seats": {SEATS}, "kin": [[0, 1]]}}'
    return replay(parse_log([opened, *lines]))


def cutting() -> State:
    return game()


def dealing() -> State:
    return game(NAMED)


def turning() -> State:
    return game(NAMED, DEALT)


def playing() -> State:
    return game(*TABLE)


def after_draw() -> State:
    return game(*TABLE, '{"type": "cards_drawn", "seat": 1, "count": 1, "cards": ["G7"]}')


def named_after_draw() -> State:
    state = game(
        *TABLE,
        '{"type": "cards_drawn", "seat": 1, "count": 1}',
        '{"type": "penalty_given", "seat": 1, "reason": "wrong_card", "card": "B1"}',
        ruleset=TAKEN_BACK,
    )
    assert state.named == ["B1"]
    return state


def answering() -> State:
    return game(*TABLE, FOUR)


def owing() -> State:
    return game(*TABLE, '{"type": "cards_played", "seat": 1, "cards": ["R+2"]}')


def took_back() -> State:
    challenged = '{"type": "challenge_made", "seat": 2, "upheld": true}'
    drawn = '{"type": "cards_drawn", "seat": 1, "count": 4}'
    state = game(*TABLE, FOUR, challenged, drawn, ruleset=TAKEN_BACK)
    assert state.taken_back
    return state


def took_back_and_holds_nothing() -> State:
    rules = '{"preset": "guide", "wild_four_on_wild_four": true, "stacked_wild_four_color": "before_first"}'
    state = game(
        NAMED,
        '{"type": "deal_started", "dealer": 0, "hands": {"2": ["W+4", "R1", "B1", "B2", "B3", "B4", "B5"]}}',
        TURNED,
        FOUR,
        '{"type": "cards_played", "seat": 2, "cards": ["W+4"], "color": "Y"}',
        '{"type": "challenge_made", "seat": 0, "upheld": true}',
        '{"type": "cards_drawn", "seat": 2, "count": 8, '
        '"cards": ["R2", "R3", "R4", "R5", "R6", "R8", "R9", "B6"]}',
        ruleset=rules,
    )
    assert state.can_draw_instead
    return state


def forgotten() -> State:
    opening = (NAMED, DEALT, TURNED, '{"type": "cards_played", "seat": 1, "cards": ["R1"]}')
    return game(*opening, ruleset='{"preset": "palio", "hand_size": 2}')


def giving() -> State:
    return game(*TABLE, '{"type": "cards_played", "seat": 1, "cards": ["R0"]}', ruleset=GIFTS)


def showing() -> State:
    return game(*TABLE, '{"type": "cards_played", "seat": 1, "cards": ["R9"]}', ruleset=SHORT)


def shown() -> State:
    state = showing()
    state.points = {0: 20}
    return state


def next_deal() -> State:
    points = (
        '{"type": "hand_shown", "seat": 0, "points": 20}',
        '{"type": "hand_shown", "seat": 2, "points": 7}',
    )
    last = '{"type": "cards_played", "seat": 1, "cards": ["R9"]}'
    state = game(*TABLE, last, *points, ruleset=SHORT)
    assert state.deal_scores == [[0, 27, 0]]
    return state


def eliminated() -> State:
    """Seat 0 has left, and the second deal is played."""
    rules = '{"preset": "to_go", "hand_size": 1, "scoring": "elimination", "target": 20}'
    first = '{"type": "cards_played", "seat": 1, "cards": ["R9"]}'
    points = (
        '{"type": "hand_shown", "seat": 0, "points": 20}',
        '{"type": "hand_shown", "seat": 2, "points": 7}',
    )
    state = game(*TABLE, first, *points, '{"type": "deal_started", "dealer": 1}', TURNED, ruleset=rules)
    assert (state.left, state.phase) == ([0], "play")
    return state


def closed() -> State:
    return game(*TABLE, '{"type": "game_closed", "reason": "forfeit", "winner": 1}')


def won() -> State:
    return game(
        *TABLE,
        '{"type": "cards_played", "seat": 1, "cards": ["R9"]}',
        ruleset='{"preset": "palio", "hand_size": 1}',
    )


def sound(make: Callable[[], State]) -> State:
    state = make()
    assert audit(state) == []
    return state


def put(**values: object) -> Callable[[State], None]:
    """Set fields of the state."""

    def change(state: State) -> None:
        for name, value in values.items():
            setattr(state, name, value)

    return change


def put_hit(**values: object) -> Callable[[State], None]:
    """Set fields of the draw card that waits for an answer."""

    def change(state: State) -> None:
        for name, value in values.items():
            setattr(state.hit, name, value)

    return change


def see(seat: int, *cards: str) -> Callable[[State], None]:
    """Make hidden cards of a seat known, properly."""

    def change(state: State) -> None:
        for card in cards:
            state.known[seat].append(card)
            state.unknown[seat] -= 1
            state.seen[card] += 1

    return change


def owe(*debts: Debt) -> Callable[[State], None]:
    return put(debts=list(debts))


def hidden_below_zero(state: State) -> None:
    state.unknown[0] -= 8
    state.pile += 8


def pile_below_zero(state: State) -> None:
    state.unknown[0] += state.pile + 1
    state.pile = -1


def one_more_card(state: State) -> None:
    state.pile += 1


def forget_a_card(state: State) -> None:
    state.seen["R7"] = 0


def a_strange_card(state: State) -> None:
    state.known[0].append("R10")


def a_gone_seat(state: State) -> None:
    state.unknown.pop()


def a_short_row(state: State) -> None:
    state.deal_scores = [[27]]


def hands_to_who_left(state: State) -> None:
    state.unknown[0] += 1
    state.pile -= 1


def out_with_cards(state: State) -> None:
    state.unknown[1] += 1
    state.pile -= 1


def all_but_one_leave(state: State) -> None:
    state.left = [0, 2]
    state.pile += state.unknown[2]
    state.unknown[2] = 0
    state.player = 1


def drop_a_wild_four(state: State) -> None:
    state.known[1].remove("W+4")
    state.seen["W+4"] -= 1
    state.unknown[1] += 1


def drop_the_named(state: State) -> None:
    state.named = ["B2"]


def other_rules(state: State) -> None:
    state.ruleset = replace(state.ruleset, min_players=4)


def two_packs(state: State) -> None:
    state.limit = {card: 2 * copies for card, copies in state.limit.items()}
    state.pile += 108


BREAKING: list[tuple[str, Callable[[], State], Callable[[State], None]]] = [
    ("unknown-phase", playing, put(waiting="lunch")),
    ("seats", playing, a_gone_seat),
    ("seats", next_deal, a_short_row),
    ("seats", playing, put(waiting="start")),
    ("seats", eliminated, put(left=[0, 0])),
    ("seats", eliminated, put(left=[3])),
    ("no-card", playing, a_strange_card),
    ("no-card", playing, put(top="7R")),
    ("no-card", after_draw, put(drawn="")),
    ("rules", playing, other_rules),
    ("pack", playing, two_packs),
    ("cards-conserved", playing, one_more_card),
    ("cards-conserved", dealing, put(pile=108)),
    ("too-many-copies", playing, see(0, "R0", "R0")),
    ("too-many-copies", playing, see(2, "R7", "R7")),
    ("negative", playing, hidden_below_zero),
    ("negative", playing, pile_below_zero),
    ("negative", playing, put(events=-1)),
    ("negative", playing, put(last_act=-1)),
    ("negative", next_deal, put(deal_scores=[[-1, 28, 0]], scores=[-1, 28, 0])),
    ("seen", playing, forget_a_card),
    ("top", turning, put(top="R7", color="R")),
    ("top", playing, put(top="R8")),
    ("top", playing, put(top=None, color=None)),
    ("color", playing, put(color="G")),
    ("color", playing, put(color=None)),
    ("color", answering, put(color=None)),
    ("color", answering, put(color="X")),
    ("color", turning, put(color="R")),
    ("turn", playing, put(player=None)),
    ("turn", playing, put(player=3)),
    ("turn", owing, owe(Debt(7, 2, "penalty"))),
    ("turn-left", eliminated, put(player=0)),
    ("debt", owing, owe(Debt(2, 0, "hit"))),
    ("debt", owing, owe(Debt(2, 2, "spite"))),
    ("debt", owing, owe(Debt(1, 2, "hit"))),
    ("waiting", playing, put(waiting="draw")),
    ("waiting", owing, put(waiting="deal")),
    ("hit", answering, put(hit=None)),
    ("hit", answering, put_hit(offender=3)),
    ("hit", answering, put_hit(total=3)),
    ("hit", answering, put_hit(first_color=None)),
    ("hit-hand", answering, put_hit(unknown=5)),
    ("hit-hand", answering, put_hit(drawn=["R1"])),
    ("drawn", playing, put(drawn="R7")),
    ("drawn", after_draw, put(drawn="G8")),
    ("drawn", named_after_draw, drop_the_named),
    ("taken-back", playing, put(taken_back=True)),
    ("taken-back", playing, put(can_draw_instead=True)),
    ("taken-back", took_back, drop_a_wild_four),
    ("turns", playing, put(last_act=5)),
    ("turns", forgotten, put(missed=[(1, 9)])),
    ("turns", forgotten, put(missed=[(3, 1)])),
    ("gift", playing, put(gift=(1, 1))),
    ("gift", giving, put(gift=(1, 9))),
    ("gift", giving, put(gift=(4, 1))),
    ("direction", playing, put(direction=0)),
    ("direction", turning, put(direction=-1)),
    ("dealer", playing, put(dealer=None)),
    ("dealer", playing, put(dealer=3)),
    ("dealer", cutting, put(dealer=0)),
    ("dealer", eliminated, put(dealer=0)),
    ("cut", cutting, put(cut={})),
    ("cut", cutting, put(cut={0: 1, 1: 1, 2: 1})),
    ("cut", cutting, put(cut={0: None, 1: 10})),
    ("cut", cutting, put(cut={0: None, 5: 1})),
    ("cut", playing, put(cut={0: 1})),
    ("deals", playing, put(deal=2)),
    ("deals", next_deal, put(deal=2)),
    ("deals", won, put(deal=3)),
    ("scores", next_deal, put(scores=[0, 26, 0])),
    ("points", playing, put(points={0: 5})),
    ("points", shown, put(points={0: -5})),
    ("points", shown, put(points={1: 5})),
    ("points", shown, put(points={3: 5})),
    ("out", showing, put(out=None)),
    ("out", showing, out_with_cards),
    ("out", showing, put(out=3)),
    ("out", playing, put(out=3)),
    ("left", dealing, put(left=[2])),
    ("left", eliminated, hands_to_who_left),
    ("left", eliminated, all_but_one_leave),
    ("winner", playing, put(winner=1, team="B")),
    ("winner", playing, put(close_reason="played")),
    ("winner", closed, put(close_reason="boredom")),
    ("winner", closed, put(winner=3)),
    ("winner", closed, put(team="A")),
    ("winner", closed, put(winner=None, team="Z")),
    ("winner", won, put(winner=None, team=None)),
    ("kin", playing, put(kin=((1, 1),))),
    ("kin", playing, put(kin=((0, 3),))),
]


@pytest.mark.parametrize(
    ("code", "make", "breaks"), BREAKING, ids=lambda part: part if isinstance(part, str) else ""
)
def test_audit_finds_just_the_invariant_that_is_broken(
    code: str, make: Callable[[], State], breaks: Callable[[State], None]
) -> None:
    state = sound(make)
    breaks(state)
    found = audit(state)
    assert {broken.code for broken in found} == {code}
    for broken in found:
        assert broken.detail
        assert str(broken) == f"{code}: {broken.detail}"


def test_audit_names_a_state_in_which_nobody_can_act(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the engine forgot that one card is drawn by who took a card back and holds nothing that fits."""
    state = sound(took_back_and_holds_nothing)
    draws = {CardsDrawn: (TRANSITIONS[PLAY][TurnPassed][0], TRANSITIONS[PLAY][CardsDrawn][1])}
    monkeypatch.setitem(TRANSITIONS, PLAY, {**TRANSITIONS[PLAY], **draws})
    assert audit(state) == [Broken("stuck", "nothing is legal for seat 2 in phase play")]
    # Asked of a sound state alone.
    state.direction = 7
    assert [broken.code for broken in audit(state)] == ["direction"]


def test_audit_breaks_every_invariant_in_these_tests() -> None:
    assert {code for code, _, _ in BREAKING} | {"stuck"} == set(INVARIANTS)


def test_audit_finds_every_broken_invariant_not_only_the_first() -> None:
    state = playing()
    state.pile += 1
    state.direction = 7
    state.color = "G"

    assert audit(state) == [
        Broken("cards-conserved", "21 in hands, 87 in the pile, 1 discards of 108 cards"),
        Broken("color", "color is G on R7"),
        Broken("direction", "direction is 7 in phase play"),
    ]


def test_audit_of_a_state_without_a_game_finds_nothing() -> None:
    assert audit(State()) == []


def test_audit_has_a_sentence_for_each_invariant_in_both_languages() -> None:
    for code, english in INVARIANTS.items():
        italian = Broken(code, "").sentence("it-IT")
        assert Broken(code, "").sentence("de") == english != italian
        for sentence in (english, italian):
            assert sentence[0].isupper()
            assert sentence.endswith(".")
