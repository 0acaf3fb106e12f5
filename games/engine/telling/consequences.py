"""Consequences of each kind of event, read off the state before and after it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.engine.cards import DRAW_TWO, REVERSE, SKIP, SYMBOL, WILD_FOUR
from games.engine.events import (
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    DealerCut,
    Event,
    EventVoided,
    GameClosed,
    GameOpened,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCaught,
    ZeroGift,
)
from games.engine.state import (
    AFTER_DRAW,
    ANSWER,
    COLOR_PHASE,
    CUT,
    DEAL,
    DRAW,
    HIT,
    PENALTY,
    PENALTY_ENDS_TURN,
    PLAY,
    SHOW,
    TABLE_PHASES,
    TURN_CARD,
    State,
)
from games.engine.telling.before_and_after import Follows, Scene
from games.engine.telling.model import Follow
from games.engine.telling.wording import Voice
from games.engine.transitions.effects import hit_reason, is_burn, victim


def following(event: Event, before: State, after: State, voice: Voice) -> tuple[Follow, ...]:
    """All that follows from an event, in the order in which it is told."""
    scene = Scene(before, after, voice)
    own = _FOLLOWING.get(type(event))
    told = list(own(event, scene)) if own is not None else []
    if not isinstance(event, EventVoided | GameClosed):
        told += scene.ending(event)
    return tuple(told)


# The beginning


def _opened(event: GameOpened, scene: Scene) -> Follows:
    if event.kin:
        voice = scene.voice
        pairs = [voice.seats(pair) for pair in event.kin]
        yield scene.says("kin", pairs=voice.semicolons(pairs))


def _cut(event: DealerCut, scene: Scene) -> Follows:
    if scene.after.dealer is not None:
        yield scene.of("dealer", scene.after.dealer)
        return
    again = [seat for seat, number in scene.after.cut.items() if number is None]
    kind = "cut_again" if len(again) > 1 else "cut_again_alone"
    yield scene.says(kind, seats=scene.voice.seats(again))


def _turned(event: CardTurned, scene: Scene) -> Follows:
    after = scene.after
    if after.phase == TURN_CARD:
        yield scene.says("goes_back")
        return
    symbol = SYMBOL[event.card]
    if symbol == REVERSE:
        yield scene.says("clockwise" if after.direction == 1 else "anticlockwise")
    elif symbol == SKIP and after.dealer is not None:
        yield scene.of("skipped", after.next_seat(after.dealer))
    elif symbol == DRAW_TWO:
        yield from scene.owed()
        return
    yield scene.of("names_color" if after.phase == COLOR_PHASE else "begins", after.player)


# Turns


def _played(event: CardsPlayed, scene: Scene) -> Follows:
    before, after = scene.before, scene.after
    held = before.hands[event.seat] - len(event.cards)
    if held == 0:
        yield scene.of("out", event.seat)
    elif held == 1:
        yield scene.of("one_card" if event.uno else "uno_forgotten", event.seat)
    goes_on = after.phase == SHOW and after.ruleset.after_out == "finisher_redraws"
    if after.phase in TABLE_PHASES or goes_on:
        yield from _effect(event, scene)


def _effect(event: CardsPlayed, scene: Scene) -> Follows:
    """What the card does to whoever comes next."""
    before, after = scene.before, scene.after
    seat, symbol = event.seat, SYMBOL[event.cards[-1]]
    if symbol == SKIP or (len(event.cards) > 1 and after.ruleset.burn and is_burn(event.cards)):
        yield scene.of("skipped", after.next_seat(seat))
    elif symbol == REVERSE:
        if before.direction != after.direction:
            yield scene.says("clockwise" if after.direction == 1 else "anticlockwise")
            return
    elif symbol in (DRAW_TWO, WILD_FOUR):
        if after.phase in (ANSWER, DRAW) and len(after.deal_scores) == len(before.deal_scores):
            yield from scene.owed()
        elif after.out is None or after.ruleset.final_draw:
            target = victim(after, seat)
            yield from scene.pushed(seat if target is None else target, HIT)
        return
    if after.player == seat:
        yield scene.of("plays_again", seat)


def _drawn(event: CardsDrawn, scene: Scene) -> Follows:
    before, after = scene.before, scene.after
    if before.phase == PLAY:
        if after.phase != AFTER_DRAW:
            yield scene.of("turn_over", event.seat)
        return
    count = len(before.debts) + (before.phase == ANSWER)
    if event.count < before.owed and len(after.debts) < count:
        yield scene.says("rest_lapsed")
    if len(after.deal_scores) > len(before.deal_scores):
        return
    if after.phase == DRAW and len(after.debts) == count:
        yield scene.counts("rest_owed", after.owed)
        return
    reason = before.debts[-1].reason if before.debts else hit_reason(before)
    yield from scene.settled(event.seat, reason)
    # What was owed after that, and of which there is nothing left to draw.
    for debt in reversed(before.debts[len(after.debts) : count - 1]):
        yield from scene.lapsed(debt.seat, debt.reason)
    if after.phase == PLAY and after.taken_back and after.player == event.seat:
        yield scene.plays_another(event.seat)
    if after.phase == DRAW and after.turn == event.seat:
        yield scene.counts("more_owed", after.owed)
        return
    yield from scene.owed()


def _passed(event: TurnPassed, scene: Scene) -> Follows:
    if scene.before.phase != AFTER_DRAW:
        yield scene.says("nothing_to_draw")


def _caught(event: UnoCaught, scene: Scene) -> Follows:
    yield from scene.pushed(event.seat, PENALTY)


def _challenged(event: ChallengeMade, scene: Scene) -> Follows:
    hit = scene.before.hit
    if hit is None:
        raise ValueError("a challenge that nothing waits for")
    offender = scene.voice.seat(hit.offender)
    kind = _verdict(event, scene.before)
    color = hit.color
    if hit.answers and scene.before.ruleset.stacked_wild_four_color == "before_first":
        color = hit.first_color
    yield scene.says(kind, offender=offender, color=scene.voice.color_of_cards(color) if color else ())
    if event.upheld:
        taken_back = scene.before.ruleset.challenge_upheld == "taken_back"
        if taken_back:
            yield scene.of("taken_back", hit.offender)
        yield from scene.pushed(hit.offender, PENALTY)
        if taken_back and scene.after.phase == PLAY:
            yield scene.plays_another(hit.offender)
    else:
        yield from scene.pushed(event.seat, HIT)


def _verdict(event: ChallengeMade, before: State) -> str:
    """Why a challenge is right or wrong."""
    hit, ruleset = before.hit, before.ruleset
    if event.upheld:
        return "held_color" if ruleset.wild_four_condition == "no_color_match" else "held_playable"
    if hit is not None and not before.hands[hit.offender]:
        return "last_card"
    if hit is not None and hit.answers and ruleset.stacked_wild_four_free:
        return "always_free"
    return "held_no_color" if ruleset.wild_four_condition == "no_color_match" else "held_nothing"


def _penalty(event: PenaltyGiven, scene: Scene) -> Follows:
    before, ruleset = scene.before, scene.before.ruleset
    ends_turn = event.reason == "wrong_card" and ruleset.wrong_card_ends_turn
    reason = PENALTY
    if ends_turn and before.phase in (PLAY, AFTER_DRAW):
        reason = PENALTY_ENDS_TURN
    elif ends_turn and before.phase == ANSWER:
        reason = hit_reason(before)
        yield scene.of("choice_lost", event.seat)
    yield from scene.pushed(event.seat, reason)


def _gift(event: ZeroGift, scene: Scene) -> Follows:
    yield from scene.pushed(event.to, PENALTY)


def _reshuffled(event: PileReshuffled, scene: Scene) -> Follows:
    yield scene.says("new_pile", cards=scene.voice.count(scene.after.pile))


# The end


def _closed(event: GameClosed, scene: Scene) -> Follows:
    if event.winner is not None and scene.after.team is not None:
        yield scene.says("win_of", team=scene.voice.team(scene.after.team))
    if event.scores is not None:
        yield scene.totals()
    if event.places is not None:
        voice = scene.voice
        in_order = sorted(event.places.items(), key=lambda each: (each[1], each[0]))
        yield scene.says("places", rows=voice.rows((seat, voice.number(place)) for seat, place in in_order))


def _voided(event: EventVoided, scene: Scene) -> Follows:
    """How the game stands without what was taken out."""
    after = scene.after
    if after.phase in (ANSWER, DRAW):
        yield from scene.owed()
    elif after.phase == SHOW:
        yield scene.shows()
    elif after.over:
        yield scene.won()
    else:
        yield scene.of(_NOW[after.phase], after.dealer if after.phase == DEAL else after.turn)


_NOW: Final[Mapping[str, str]] = {
    CUT: "now_cut",
    DEAL: "now_deals",
    TURN_CARD: "now_turns",
    COLOR_PHASE: "now_names",
    PLAY: "now_plays",
    AFTER_DRAW: "now_drawn",
}

_FOLLOWING: Final[Mapping[type[Event], Callable[[Any, Scene], Follows]]] = {
    GameOpened: _opened,
    DealerCut: _cut,
    CardTurned: _turned,
    CardsPlayed: _played,
    CardsDrawn: _drawn,
    TurnPassed: _passed,
    UnoCaught: _caught,
    ChallengeMade: _challenged,
    PenaltyGiven: _penalty,
    ZeroGift: _gift,
    PileReshuffled: _reshuffled,
    GameClosed: _closed,
    EventVoided: _voided,
}
