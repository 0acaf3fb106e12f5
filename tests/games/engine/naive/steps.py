"""One event more: the next table, or the refusal that the papers give.

Each kind of event is one function, and the checks stand in it in the order of the papers; what they leave
open ("then the rest") in the order of their table of refusals.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from tests.games.engine.naive.rules import (
    CARDS,
    PACK,
    is_draw_card,
    is_number,
    is_wild,
    playable_by,
    points,
    rules_of,
    symbol,
)
from tests.games.engine.naive.table import (
    Debt,
    Event,
    Hit,
    Missed,
    Refused,
    Table,
    changed,
    draw_value,
    without,
)

AT_THE_TABLE = ("color", "play", "after_draw", "answer", "draw")


def refuse_unless(condition: object, code: str) -> None:
    """Refuse with a code where a condition doesn't hold."""
    if not condition:
        raise Refused(code)


# Who sits there


def seats_named(event: Event) -> set[int]:
    """Every seat that an event speaks of."""
    found = {
        event[key] for key in ("seat", "to", "dealer", "catcher", "winner") if event.get(key) is not None
    }
    for key in ("hands", "scores", "places"):
        found |= {int(seat) for seat in event.get(key, {})}
    if event["type"] == "dealer_cut":
        found |= {int(seat) for seat in event["cards"]}
    return found


def open_game(event: Event) -> Table:
    """The table before anything was cut or dealt."""
    refuse_unless(event["type"] == "game_opened", "out-of-order")
    seats = len(event["seats"])
    kin = event.get("kin", [])
    refuse_unless(all(seat < seats for pair in kin for seat in pair), "malformed")
    rules = rules_of(event["ruleset"])
    assert rules is not None
    refuse_unless(playable_by(rules, seats), "bad-ruleset")
    return Table(
        rules,
        seats,
        tuple(seat.get("team") for seat in event["seats"]),
        frozenset(frozenset(pair) for pair in kin),
        cuts=dict.fromkeys(range(seats)),
        copies={card: copies * rules["decks"] for card, copies in Counter(PACK).items()},
        known=((),) * seats,
        unknown=(0,) * seats,
        scores=(0,) * seats,
    )


def step(table: Table | None, event: Event) -> Table:
    """The table after one more event; corrections are the log's affair."""
    if table is None:
        return open_game(event)
    if event["type"] == "game_opened":
        refuse_unless(
            all(seat < len(event["seats"]) for pair in event.get("kin", []) for seat in pair), "malformed"
        )
    refuse_unless(all(seat < table.seats for seat in seats_named(event)), "malformed")
    if event["type"] == "game_closed" and "team" in event:
        refuse_unless(event["team"] in table.teams, "malformed")
    if event["type"] == "game_closed" and "places" in event:
        refuse_unless(len(event["places"]) == table.seats, "malformed")
    if event["type"] == "uno_caught" and event.get("catcher") in table.left:
        raise Refused("malformed")
    refuse_unless(table.phase != "over", "game-over")
    return settled(STEPS[event["type"]](table, event))


def opened_again(table: Table, event: Event) -> Table:
    raise Refused("must-draw" if table.debts else "out-of-order")


def in_phase(table: Table, *phases: str) -> None:
    """Refuse an event that the phase doesn't list."""
    if table.waits_for() not in phases:
        raise Refused("must-draw" if table.debts else "out-of-order")


# Before the first turn


def cut(table: Table, event: Event) -> Table:
    in_phase(table, "cut")
    cards = {int(seat): card for seat, card in event["cards"].items()}
    due = {seat for seat, card in table.cuts.items() if card is None}
    refuse_unless(set(cards) == due, "wrong-cut")
    redraw = table.rules["cut_action_cards"] == "redraw"
    cuts = dict(table.cuts)
    for seat, card in cards.items():
        cuts[seat] = None if redraw and not is_number(card) else card
    if None in cuts.values():
        return replace(table, cuts=cuts)
    numbers = {seat: int(symbol(card)) if is_number(card) else 0 for seat, card in cuts.items() if card}
    best = (max if table.rules["dealer_cut"] == "highest" else min)(numbers.values())
    winners = [seat for seat, number in numbers.items() if number == best]
    if len(winners) > 1:
        return replace(table, cuts=dict.fromkeys(winners))
    return replace(table, phase="deal", dealer=winners[0])


def name_dealer(table: Table, event: Event) -> Table:
    in_phase(table, "cut")
    return replace(table, phase="deal", dealer=event["seat"])


def deal(table: Table, event: Event) -> Table:
    in_phase(table, "deal")
    hands = {int(seat): tuple(cards) for seat, cards in event.get("hands", {}).items()}
    size = table.rules["hand_size"]
    removed = table.rules["reverse_with_two"] == "removed" and table.two()
    copies = {card: n * table.rules["decks"] for card, n in Counter(PACK).items()}
    if removed:
        copies = {card: n for card, n in copies.items() if symbol(card) != "R"}
    table = replace(
        table,
        phase="turn_card",
        deal=table.deal + 1,
        copies=copies,
        known=tuple(hands.get(seat, ()) for seat in range(table.seats)),
        unknown=tuple(0 if seat in hands or seat in table.left else size for seat in range(table.seats)),
        pile=sum(copies.values()) - size * len(table.present()),
        discards=(),
        out=None,
        shown={},
    )
    refuse_unless(not table.crowded(), "too-many-copies")
    refuse_unless(event["dealer"] == table.dealer, "wrong-dealer")
    for seat, cards in hands.items():
        refuse_unless(seat not in table.left and len(cards) == size, "impossible-hand")
    return table


def turn_card(table: Table, event: Event) -> Table:
    in_phase(table, "turn_card")
    card = event["card"]
    turned = replace(table, pile=table.pile - 1, discards=(card,), top=card)
    refuse_unless(not turned.crowded(), "too-many-copies")
    if card == "W+4":
        return table
    assert table.dealer is not None
    first = table.after(table.dealer, 1)
    turned = replace(
        turned, color=None if card == "W" else card[0], turn=first, turns=table.turns + 1, phase="play"
    )
    match symbol(card):
        case "W":
            return replace(turned, phase="color")
        case "S":
            return replace(turned, turn=table.after(first, 1))
        case "R":
            return replace(turned, turn=table.dealer, direction=-1)
        case "+2":
            return struck(turned, Hit(2, four=False))
    return turned


def name_color(table: Table, event: Event) -> Table:
    in_phase(table, "color")
    refuse_unless(event["seat"] == table.turn, "not-your-turn")
    return replace(table, color=event["color"], phase="play")


# How turns go on


def acted(table: Table) -> Table:
    """The seat to play acts in its turn: windows close."""
    window = 2 if table.rules["uno_catch_window"] == "second_next_acts" else 1
    return replace(
        table,
        missed=tuple(
            replace(one, late=one.late or table.turns > one.turn)
            for one in table.missed
            if table.turns < one.turn + window
        ),
        gift=table.gift if table.gift is not None and table.gift[1] == table.turns else None,
    )


def moved_on(table: Table, seats: int = 1) -> Table:
    """The next seat's turn; `seats` 2 skips one."""
    seat = table.turn
    assert seat is not None
    for _ in range(seats):
        seat = table.after(seat)
    return replace(
        table, turn=seat, turns=table.turns + 1, phase="play", drawn=None, hit=None, took_back=False
    )


def struck(table: Table, hit: Hit) -> Table:
    """The seat to play is hit by a draw card: it may answer, or draws."""
    choice = (hit.four and table.rules["challenge"]) or any(
        table.answers(card, hit) for card in ("R+2", "W+4")
    )
    if choice:
        return replace(table, hit=hit, phase="answer")
    return made_to_draw(replace(table, hit=hit))


def made_to_draw(table: Table, more: int = 0) -> Table:
    """The seat to play owes what its draw card costs, and has no choice any more."""
    assert table.hit is not None
    assert table.turn is not None
    debt = Debt(table.turn, table.hit.total + more, act=True)
    return replace(table, debts=(debt, *table.debts), phase="hit")


def settled(table: Table) -> Table:
    """What follows by itself once an event has happened."""
    while True:
        if table.debts and (table.due() == 0 or table.dry()):
            table = replace(table, debts=table.debts[:-1])
        elif table.debts or table.phase not in ("hit", "ending"):
            return table
        elif table.phase == "hit":
            table = hit_over(table)
        elif table.counting():
            return replace(table, phase="show")
        else:
            table = deal_over(table)


def hit_over(table: Table) -> Table:
    """Who was hit has drawn, or could not."""
    assert table.hit is not None
    if table.rules["draw_two_skips"] or table.hit.four:
        table = moved_on(table)
    else:
        table = replace(table, phase="play", hit=None)
    return table if table.out is None else replace(table, phase="ending")


def owing(table: Table, seat: int, count: int) -> Table:
    """A seat owes cards before anything else goes on."""
    return replace(table, debts=(*table.debts, Debt(seat, count)))


# Plays


def play(table: Table, event: Event) -> Table:
    in_phase(table, "play", "after_draw", "answer", *(["draw"] if table.debts else []))
    refuse_unless(not table.debts, "must-draw")
    seat, cards = event["seat"], tuple(event["cards"])
    refuse_unless(seat == table.turn, "not-your-turn")
    check_form(table, cards, event)
    hit = table.hit if table.phase == "answer" else None
    last = cards[-1]
    if hit is not None and is_draw_card(cards[0]):
        refuse_unless(table.answers(cards[0], hit), "not-in-ruleset")
    if table.phase == "after_draw":
        refuse_unless(len(cards) == 1 and may_have_been_drawn(table, seat, cards[0]), "only-drawn-card")
    before = table
    table = laid(table, seat, cards)
    refuse_unless(is_draw_card(cards[0]) if hit is not None else before.goes(cards[0]), "no-match")
    refuse_unless(not before.finishing(last, before.held(seat) - len(cards) + 1), "finish-on-action")
    refuse_unless(not table.crowded(), "too-many-copies")
    refuse_unless(not (table.took_back and last == "W+4"), "must-play")
    table = acted(replace(table, top=last, color=event.get("color", last[0]), drawn=None, took_back=False))
    if table.held(seat) == 1:
        said = bool(event.get("uno"))
        table = table if said else replace(table, missed=(*table.missed, Missed(seat, table.turns)))
    if table.rules["zero_gift"] and symbol(last) == "0":
        table = replace(table, gift=(seat, table.turns))
    if table.held(seat) == 0:
        table = replace(
            table,
            missed=tuple(one for one in table.missed if one.seat != seat),
            out=seat if table.out is None else table.out,
        )
    return effect(table, before, seat, cards)


def may_have_been_drawn(table: Table, seat: int, card: str) -> bool:
    """Whether this can be the card that was drawn in this turn."""
    if table.drawn != "?":
        return table.drawn == card
    return card in table.perhaps_drawn or table.unknown[seat] > 0


def check_form(table: Table, cards: tuple[str, ...], event: Event) -> None:
    wild = any(map(is_wild, cards))
    refuse_unless("color" in event or not wild, "needs-color")
    refuse_unless("color" not in event or wild, "takes-no-color")
    if len(cards) == 1:
        return
    refuse_unless(all(map(is_number, cards)) and len(set(map(symbol, cards))) == 1, "cards-not-together")
    twins = len(cards) == 2 and cards[0] == cards[1]
    if table.rules["single_card_per_turn"]:
        refuse_unless(twins, "cards-not-together")
        refuse_unless(table.rules["burn"], "not-in-ruleset")


def laid(table: Table, seat: int, cards: tuple[str, ...]) -> Table:
    """The cards leave the hand, known ones first, for the discards."""
    known, unknown = table.known[seat], table.unknown[seat]
    for card in cards:
        if card in (known if table.drawn != "?" else table.perhaps_drawn):
            known = without(known, card)
        elif unknown:
            unknown -= 1
        else:
            raise Refused("card-not-held")
    return replace(
        table,
        known=changed(table.known, seat, known),
        unknown=changed(table.unknown, seat, unknown),
        discards=table.discards + cards,
    )


def effect(table: Table, before: Table, seat: int, cards: tuple[str, ...]) -> Table:
    """What the last card does, and who is next."""
    card = cards[-1]
    burnt = table.rules["burn"] and len(cards) == 2 and cards[0] == cards[1]
    over = table.held(seat) == 0 and table.out == seat
    stands = not over or table.rules["final_draw"]
    if is_draw_card(card) and stands:
        return draw_card_played(table, before, seat, card, over)
    if symbol(card) == "S" or burnt:
        table = moved_on(table, 2)
    elif symbol(card) == "R" and not table.two():
        table = moved_on(replace(table, direction=-table.direction))
    elif symbol(card) == "R" and table.rules["reverse_with_two"] == "skip":
        table = moved_on(table, 2)
    else:
        table = moved_on(table)
    return table if table.out is None else replace(table, phase="ending")


def draw_card_played(table: Table, before: Table, seat: int, card: str, over: bool) -> Table:
    answered = before.hit if before.phase == "answer" else None
    first_color = before.color if answered is None or not answered.four else answered.first_color
    others = list(before.known[seat])
    hidden = before.unknown[seat]
    if card in (others if before.drawn != "?" else before.perhaps_drawn):
        others.remove(card)
    else:
        hidden -= 1
    hit = Hit(
        draw_value(card) + (0 if answered is None else answered.total),
        card == "W+4",
        seat,
        tuple(others),
        hidden,
        (),
        before.color,
        first_color,
        answered,
        table.held(seat) == 0,
    )
    table = moved_on(table)
    if table.out is not None and not any(map(table.held, table.present())):
        return replace(table, phase="ending")
    while table.turn is not None and table.is_out(table.turn):
        table = replace(moved_on(table), turns=table.turns)
    return struck(table, hit)


# Draws


def draw(table: Table, event: Event) -> Table:
    in_phase(table, "play", "answer", "draw")
    seat, count = event["seat"], event["count"]
    mover = table.mover()
    refuse_unless(seat == mover, "must-draw" if table.debts else "not-your-turn")
    cards = event.get("cards")
    phase, debts = table.waits_for(), table.debts
    due = 1 if phase == "play" else table.due()
    known = [*table.known[seat], *(cards or [])]
    after = table.knowing(seat, known, table.unknown[seat] + (count if cards is None else 0))
    if count != due:
        refuse_unless(0 < count == table.pile < due, "wrong-count")
    refuse_unless(phase != "play" or not table.must_play(seat), "must-play")
    refuse_unless(count <= table.pile, "pile-empty")
    table = replace(after, pile=table.pile - count)
    if table.hit is not None and seat == table.hit.offender:
        new = (None,) * count if cards is None else tuple(cards)
        table = replace(table, hit=replace(table.hit, since=table.hit.since + new))
    if debts:
        table = acted(table) if debts[-1].act else table
        return replace(table, debts=(*debts[:-1], replace(debts[-1], count=debts[-1].count - count)))
    table = acted(table)
    if phase == "answer":
        assert table.hit is not None
        return made_to_draw(table, due - count - table.hit.total)
    if table.rules["drawn_card"] == "keep":
        return moved_on(table)
    return replace(
        table, phase="after_draw", drawn=cards[0] if cards else "?", perhaps_drawn=(), took_back=False
    )


def pass_turn(table: Table, event: Event) -> Table:
    seat = event["seat"]
    refuse_unless(not table.debts, "must-draw")
    refuse_unless(table.mover() in (seat, None), "not-your-turn")
    refuse_unless(table.phase in ("play", "after_draw", "answer"), "may-not-pass")
    if table.phase == "after_draw":
        drawn = table.drawn
        if drawn == "?":
            drawn = (
                table.perhaps_drawn[0] if len(table.perhaps_drawn) == 1 and not table.unknown[seat] else None
            )
        must = table.rules["drawn_card"] == "must_play" and drawn is not None and table.playable(seat, drawn)
        refuse_unless(not must, "must-play-drawn")
        return moved_on(table)
    refuse_unless(table.dry(), "may-not-pass")
    if table.phase == "answer":
        table = moved_on(table)
        return table if table.out is None else replace(table, phase="ending")
    refuse_unless(not table.must_play(seat), "must-play")
    return moved_on(table)


def reshuffle(table: Table, event: Event) -> Table:
    in_phase(table, "play", "after_draw", "answer", "draw")
    spare = table.spare()
    refuse_unless(table.pile == 0 and spare > 0, "pile-not-empty")
    return replace(table, pile=spare, discards=table.discards[spare:])


# UNO, penalties, gifts


def call(table: Table, event: Event) -> Table:
    if table.waits_for() not in AT_THE_TABLE:
        raise Refused("out-of-order")
    kind = table.rules["uno_call"]
    due = [one for one in table.missed if one.seat == event["seat"]]
    if kind == "until_next_acts":
        due = [one for one in due if not one.late]
    refuse_unless(due and kind != "with_card", "no-uno-to-call")
    return replace(table, missed=tuple(one for one in table.missed if one not in due))


def catch(table: Table, event: Event) -> Table:
    if table.waits_for() not in AT_THE_TABLE:
        raise Refused("out-of-order")
    seat = event["seat"]
    refuse_unless(any(one.seat == seat for one in table.missed), "no-uno-to-catch")
    table = replace(table, missed=tuple(one for one in table.missed if one.seat != seat))
    return owing(table, seat, table.rules["uno_penalty"])


def penalty(table: Table, event: Event) -> Table:
    if table.waits_for() not in AT_THE_TABLE:
        raise Refused("out-of-order")
    seat, reason = event["seat"], event["reason"]
    refuse_unless(not (reason == "wrong_card" and table.debts), "must-draw")
    count = table.rules[f"{reason}_penalty"]
    refuse_unless(count, "not-in-ruleset")
    refuse_unless(seat not in table.left and not table.is_out(seat), "out-of-order")
    if reason == "wrong_card":
        refuse_unless(seat == table.turn, "not-your-turn")
    if "card" in event:
        table = named(table, seat, event["card"])
    if reason == "wrong_card" and table.rules["wrong_card_ends_turn"]:
        if table.phase == "answer":
            table = made_to_draw(table)
        elif table.phase != "color":
            table = moved_on(table)
    return owing(table, seat, count)


def named(table: Table, seat: int, card: str) -> Table:
    """A wrong card was seen, and is taken back."""
    if card in table.known[seat]:
        return table
    refuse_unless(table.unknown[seat], "card-not-held")
    table = table.knowing(seat, [*table.known[seat], card], table.unknown[seat] - 1)
    if table.drawn == "?":
        return replace(table, perhaps_drawn=(*table.perhaps_drawn, card))
    return table


def give(table: Table, event: Event) -> Table:
    if table.waits_for() not in AT_THE_TABLE:
        raise Refused("out-of-order")
    refuse_unless(table.rules["zero_gift"], "not-in-ruleset")
    due = table.gift is not None and table.gift[0] == event["seat"]
    refuse_unless(due, "must-draw" if table.debts else "out-of-order")
    kin = {event["seat"], event["to"]} in table.kin and event["to"] not in table.left
    refuse_unless(kin, "not-kin")
    return owing(replace(table, gift=None), event["to"], 4)


# Challenges


def challenge(table: Table, event: Event) -> Table:
    if table.waits_for() == "draw":
        raise Refused(
            "must-draw" if table.challengeable() and event["seat"] == table.turn else "no-challenge"
        )
    refuse_unless(table.challengeable() and event["seat"] == table.turn, "no-challenge")
    hit = table.hit
    assert hit is not None
    assert hit.offender is not None
    offender, hidden = hit.offender, hit.hidden
    others = Counter(hit.others)
    drawn_unseen = sum(card is None for card in hit.since)
    if "hand" in event:
        hand: Counter[str] = Counter(event["hand"])
        table = shown(table, offender, event["hand"])
        rest = hand - others - Counter(card for card in hit.since if card is not None)
        guilty = sum(count for card, count in rest.items() if proves(table, hit, card))
        proven_wrong = guilty > drawn_unseen
        proven_right = guilty == 0 or hidden == 0
    else:
        proven_wrong = False
        proven_right = hidden == 0
    harmless = not any(proves(table, hit, card) for card in CARDS)
    free = hit.last or harmless or (hit.answered is not None and table.rules["stacked_wild_four_free"])
    if free:
        proven_wrong, proven_right = False, True
    elif any(proves(table, hit, card) for card in others):
        proven_wrong, proven_right = True, False
    refuse_unless(not (proven_right if event["upheld"] else proven_wrong), "verdict")
    table = acted(table)
    if not event["upheld"]:
        return made_to_draw(table, table.rules["challenge_failed_cards"] - 4)
    phase = "play" if table.out is None else "ending"
    if table.rules["challenge_upheld"] == "offender_draws":
        return owing(replace(table, phase=phase, hit=None), offender, hit.total)
    judged = [card for card in CARDS if proves(table, hit, card)]
    table = replace(
        table,
        known=changed(table.known, offender, (*table.known[offender], "W+4")),
        discards=table.discards[:-1],
        top=table.discards[-2],
        color=hit.color,
        turn=offender,
        phase=phase,
        hit=None,
        took_back=True,
        missed=tuple(one for one in table.missed if one.seat != offender),
    )
    table = replace(table, may_hold_nothing=not all(map(table.goes, judged)))
    return owing(table, offender, hit.total)


def proves(table: Table, hit: Hit, other: str) -> bool:
    """Whether that other card in the hand made a Wild Draw Four illegal."""
    if table.rules["wild_four_condition"] == "no_color_match":
        color = hit.first_color if table.rules["stacked_wild_four_color"] == "before_first" else hit.color
        return not is_wild(other) and other[0] == color
    if other == "W+4":
        return False
    if hit.answered is not None:
        return table.goes_in_answer(other, hit.answered)
    below = replace(table, top=table.discards[-2], color=hit.color)
    return below.goes(other)


# Ends


def shown(table: Table, seat: int, hand: list[str]) -> Table:
    """A hand lies open."""
    found = table.knowing(seat, hand)
    fitting = len(hand) == table.held(seat) and Counter(table.known[seat]) <= Counter(hand)
    refuse_unless(fitting, "impossible-hand")
    return found


def deal_over(table: Table) -> Table:
    """Points are taken, and it is said who won or how it goes on."""
    rules, out = table.rules, table.out
    assert out is not None
    held = [table.shown.get(seat, sum(map(points, table.known[seat]))) for seat in range(table.seats)]
    if rules["scoring"] == "first_out":
        row = [0] * table.seats
    elif rules["scoring"] == "winner_takes":
        row = [
            sum(held[seat] for seat in table.present()) if seat == out else 0 for seat in range(table.seats)
        ]
    else:
        row = [held[seat] if seat in table.present() else 0 for seat in range(table.seats)]
    scores = tuple(old + new for old, new in zip(table.scores, row, strict=True))
    resume = table.turn
    table = replace(
        table, turn=None, scores=scores, deal_scores=(*table.deal_scores, tuple(row)), hit=None, debts=()
    )
    reached = [seat for seat in table.present() if scores[seat] >= rules["target"]]
    winner: int | None = None
    if rules["scoring"] == "first_out":
        winner = out
    elif rules["scoring"] == "elimination":
        table = replace(table, left=table.left | {seat for seat in reached if seat != out})
        if len(table.present()) == 1:
            winner = table.present()[0]
    elif rules["scoring"] == "lowest_wins":
        best = [seat for seat in table.present() if scores[seat] == min(scores[s] for s in table.present())]
        if rules["after_out"] == "game_ends":
            winner = best[0] if len(best) == 1 else out
        elif reached and len(best) == 1:
            winner = best[0]
    elif reached or rules["after_out"] == "game_ends":
        winner = out
    if winner is not None:
        return replace(table, phase="over", winner=winner, team=table.teams[winner])
    if rules["after_out"] == "finisher_redraws":
        table = replace(table, turn=resume, phase="play", out=None, shown={}, deal=table.deal + 1)
        return owing(table, out, rules["hand_size"])
    assert table.dealer is not None
    return replace(
        table,
        phase="deal",
        dealer=table.after(table.dealer, 1),
        top=None,
        color=None,
        direction=1,
        missed=(),
        gift=None,
        took_back=False,
    )


def show(table: Table, event: Event) -> Table:
    in_phase(table, "show")
    seat = event["seat"]
    refuse_unless(seat in table.counting(), "out-of-order")
    if "points" in event:
        refuse_unless(event["points"] in table.possible_points(seat), "impossible-hand")
        table = replace(table, shown={**table.shown, seat: event["points"]})
    else:
        table = shown(table, seat, event["cards"])
    return replace(table, phase="ending")


def close(table: Table, event: Event) -> Table:
    winner = event["winner"]
    scores = {int(seat): total for seat, total in event.get("scores", {}).items()}
    return replace(
        table,
        phase="over",
        turn=None,
        debts=(),
        winner=winner,
        team=event.get("team", None if winner is None else table.teams[winner]),
        scores=tuple(scores.get(seat, total) for seat, total in enumerate(table.scores)),
    )


STEPS: dict[str, Callable[[Table, Event], Table]] = {
    "game_opened": opened_again,
    "dealer_cut": cut,
    "dealer_named": name_dealer,
    "deal_started": deal,
    "card_turned": turn_card,
    "color_named": name_color,
    "cards_played": play,
    "cards_drawn": draw,
    "turn_passed": pass_turn,
    "uno_called": call,
    "uno_caught": catch,
    "challenge_made": challenge,
    "penalty_given": penalty,
    "zero_gift": give,
    "pile_reshuffled": reshuffle,
    "hand_shown": show,
    "game_closed": close,
}
