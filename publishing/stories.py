"""One sentence for each log event, as somebody at the table would tell it to somebody who came late.

Pure but for the language, which is the active one: what happened, the moments before and after it, and the
names of the seats go in, a sentence comes out. Cards that only their holder sees are not told, whether the
log knows them or not. What follows from an event (who is skipped, who has to draw, who has won) is read off
the moment after it, so that no rule is told here a second time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language, gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from drawings.card import COLOR_NAMES, card_name
from games.engine import Event
from games.engine.events import (
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerCut,
    DealerNamed,
    DealStarted,
    EventVoided,
    GameClosed,
    GameOpened,
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from publishing.moments import Moment

MANY_CARDS = 4
"""Who has to draw so many at once stands at a turning point."""


@dataclass(frozen=True, slots=True)
class Scene:
    """An event between its two moments, with the names of the seats and those of the teams by id."""

    event: Event
    before: Moment
    after: Moment
    names: Sequence[str]
    team_names: dict[str, str]

    def name(self, seat: int | None) -> str:
        """Who sits there."""
        return "" if seat is None else self.names[seat]


@dataclass(frozen=True, slots=True)
class Story:
    """A sentence (or a few short ones), and whether the game turned here."""

    text: str
    is_turning: bool


def tell(scene: Scene) -> Story:
    """The story of one event in the active language."""
    sentences = [*_TELLERS[type(scene.event)](scene.event, scene), *_end(scene)]
    return Story(" ".join(sentence for sentence in sentences if sentence), is_turning(scene))


def is_turning(scene: Scene) -> bool:
    """Whether who leafs through stops here: a last card, somebody out, a challenge, many cards, an end."""
    event, before, after = scene.event, scene.before, scene.after
    if isinstance(event, ChallengeMade | UnoCaught | GameClosed):
        return True
    if after.over != before.over or after.deals_ended != before.deals_ended:
        return not isinstance(event, EventVoided)
    if isinstance(event, CardsPlayed):
        return after.hands[event.seat] <= 1 or after.owed >= MANY_CARDS
    return False


# Words


def _language() -> str:
    return get_language() or "it"


def _card(card: str, color: str | None = None) -> str:
    """A card in the middle of a sentence: "Red 7" begins small there, as in Italian."""
    name = card_name(card, _language(), color)
    return name[0].lower() + name[1:]


def _a_card(card: str) -> str:
    """The same with its article, for which Italian hears the number: un 7 rosso, uno 0 rosso."""
    words = {"card": _card(card)}
    if card.endswith("0"):
        return pgettext("a card with a zero", "a %(card)s") % words
    return gettext("a %(card)s") % words


def _color(color: str) -> str:
    return COLOR_NAMES["it" if _language().split("-")[0] == "it" else "en"][color]


def _list(items: Sequence[str]) -> str:
    """ "Anna", "Anna and Bruno", "Anna, Bruno and Carla"."""
    if len(items) < 2:
        return "".join(items)
    return gettext("%(first)s and %(last)s") % {"first": ", ".join(items[:-1]), "last": items[-1]}


def _cards(count: int) -> str:
    return ngettext("%(count)d card", "%(count)d cards", count) % {"count": count}


def _points(count: int) -> str:
    return ngettext("%(count)d point", "%(count)d points", count) % {"count": count}


def _has_to_draw(scene: Scene) -> str:
    """Who has to draw now, if anybody; in `answer` there is a choice."""
    after = scene.after
    if not after.owed:
        return ""
    words = {"name": scene.name(after.turn), "cards": _cards(after.owed)}
    if after.phase == "draw":
        return gettext("%(name)s has to draw %(cards)s.") % words
    return gettext("%(name)s has to draw %(cards)s, unless there is an answer.") % words


def _goes(direction: int) -> str:
    return gettext("Play goes clockwise.") if direction == 1 else gettext("Play goes anticlockwise.")


# The beginning


def _opened(event: GameOpened, scene: Scene) -> list[str]:
    return [gettext("At the table: %(names)s.") % {"names": _list(scene.names)}]


def _cut(event: DealerCut, scene: Scene) -> list[str]:
    cut = [f"{scene.name(seat)} – {_card(card)}" for seat, card in sorted(event.cards.items())]
    told = [gettext("They cut for the deal: %(cuts)s.") % {"cuts": "; ".join(cut)}]
    if scene.after.dealer is not None:
        return [*told, _deals(scene)]
    again = [scene.name(seat) for seat in scene.after.cutting]
    return [*told, gettext("It is not decided: %(names)s cut again.") % {"names": _list(again)}]


def _deals(scene: Scene) -> str:
    return gettext("%(name)s is the dealer.") % {"name": scene.name(scene.after.dealer)}


def _named(event: DealerNamed, scene: Scene) -> list[str]:
    return [_deals(scene)]


def _dealt(event: DealStarted, scene: Scene) -> list[str]:
    words = {
        "name": scene.name(event.dealer),
        "cards": _cards(scene.after.hands[event.dealer]),
        "number": scene.after.deal,
    }
    if scene.after.deal == 1:
        return [gettext("%(name)s deals %(cards)s to each.") % words]
    return [gettext("Deal %(number)d: %(name)s deals %(cards)s to each.") % words]


def _turned(event: CardTurned, scene: Scene) -> list[str]:
    card = {"card": _a_card(event.card)}
    if scene.after.phase == "turn_card":
        return [gettext("The first card is %(card)s: it goes back into the pile.") % card]
    told = [gettext("The first card is %(card)s.") % card]
    symbol = event.card[1:]
    if symbol == "R":
        told.append(_goes(scene.after.direction))
    elif symbol == "S" and scene.after.dealer is not None:
        told.append(_skipped(scene, scene.after.next_seat(scene.after.dealer)))
    elif scene.after.phase == "color":
        told.append(gettext("%(name)s names the colour.") % {"name": scene.name(scene.after.turn)})
    return [*told, _has_to_draw(scene)]


def _color_named(event: ColorNamed, scene: Scene) -> list[str]:
    return [
        gettext("%(name)s names %(color)s.") % {"name": scene.name(event.seat), "color": _color(event.color)}
    ]


# Turns


def _played(event: CardsPlayed, scene: Scene) -> list[str]:
    words: dict[str, Any] = {
        "name": scene.name(event.seat),
        "card": _list([_card(card) for card in event.cards])
        if len(event.cards) > 1
        else _a_card(event.cards[0]),
    }
    if event.color is not None:
        words["color"] = _color(event.color)
        told = gettext("%(name)s plays %(card)s and names %(color)s.")
    elif len(event.cards) > 1:
        told = gettext("%(name)s plays %(card)s together.")
    elif scene.before.phase == "after_draw":
        told = gettext("%(name)s plays the card just drawn, %(card)s.")
    elif scene.before.phase == "answer":
        told = gettext("%(name)s answers with %(card)s.")
    else:
        told = gettext("%(name)s plays %(card)s.")
    return [told % words, *_effect(event, scene), *_last_card(event, scene)]


def _effect(event: CardsPlayed, scene: Scene) -> list[str]:
    """What the card does, unless the deal ended with it."""
    after = scene.after
    if after.turn is None or after.deals_ended > scene.before.deals_ended:
        return []
    symbol = event.cards[-1][1:]
    if symbol == "R":
        if scene.before.direction != after.direction:
            return [_goes(after.direction)]
        return [_plays_again(scene, event.seat)] if after.turn == event.seat else []
    passed_over = after.next_seat(event.seat)
    if not after.owed and after.turn != passed_over and (symbol == "S" or len(event.cards) > 1):
        return [_skipped(scene, passed_over)]
    return [_has_to_draw(scene)]


def _skipped(scene: Scene, seat: int) -> str:
    return gettext("%(name)s is skipped.") % {"name": scene.name(seat)}


def _plays_again(scene: Scene, seat: int) -> str:
    return gettext("%(name)s plays again.") % {"name": scene.name(seat)}


def _last_card(event: CardsPlayed, scene: Scene) -> list[str]:
    held = scene.after.hands[event.seat]
    name = {"name": scene.name(event.seat)}
    if held == 0:
        return [gettext("%(name)s is out.") % name]
    if held > 1:
        return []
    if event.uno:
        return [gettext("UNO! One card left for %(name)s.") % name]
    return [gettext("One card left for %(name)s, and UNO wasn't said.") % name]


def _drawn(event: CardsDrawn, scene: Scene) -> list[str]:
    words = {"name": scene.name(event.seat), "cards": _cards(event.count)}
    return [gettext("%(name)s draws %(cards)s.") % words]


def _passed(event: TurnPassed, scene: Scene) -> list[str]:
    return [gettext("%(name)s passes.") % {"name": scene.name(event.seat)}]


def _called(event: UnoCalled, scene: Scene) -> list[str]:
    return [gettext("%(name)s says it just in time: UNO!") % {"name": scene.name(event.seat)}]


def _caught(event: UnoCaught, scene: Scene) -> list[str]:
    words = {"name": scene.name(event.seat), "catcher": scene.name(event.catcher)}
    if event.catcher is None:
        told = gettext("Somebody notices: %(name)s didn't say UNO.")
    else:
        told = gettext("%(catcher)s notices: %(name)s didn't say UNO.")
    return [told % words, _has_to_draw(scene)]


def _challenged(event: ChallengeMade, scene: Scene) -> list[str]:
    words = {"name": scene.name(event.seat), "offender": scene.name(scene.before.offender)}
    told = [gettext("%(name)s challenges the draw four of %(offender)s.") % words]
    if not event.upheld:
        told.append(gettext("It was played by the rules."))
    elif scene.before.offender is not None and scene.after.discards < scene.before.discards:
        told.append(gettext("It wasn't allowed: %(offender)s takes it back.") % words)
    else:
        told.append(gettext("It wasn't allowed."))
    return [*told, _has_to_draw(scene)]


def _penalty(event: PenaltyGiven, scene: Scene) -> list[str]:
    words = {"name": scene.name(event.seat), "card": _a_card(event.card) if event.card else ""}
    if event.reason == "prompting":
        told = gettext("%(name)s prompted another player.")
    elif event.card:
        told = gettext("%(name)s takes back a wrong card, %(card)s.")
    else:
        told = gettext("%(name)s takes back a wrong card.")
    return [told % words, _has_to_draw(scene)]


def _gift(event: ZeroGift, scene: Scene) -> list[str]:
    words = {"name": scene.name(event.seat), "other": scene.name(event.to)}
    return [gettext("The zero of %(name)s is a gift for %(other)s.") % words, _has_to_draw(scene)]


def _reshuffled(event: PileReshuffled, scene: Scene) -> list[str]:
    return [gettext("The draw pile is used up: the discards are shuffled and become the new one.")]


# The end


def _shown(event: HandShown, scene: Scene) -> list[str]:
    name = scene.name(event.seat)
    if event.cards is None:
        return [
            gettext("%(name)s is left with %(points)s.")
            % {"name": name, "points": _points(event.points or 0)}
        ]
    cards = _list([_card(card) for card in event.cards])
    return [gettext("%(name)s is left with %(cards)s.") % {"name": name, "cards": cards}]


_CLOSED = {
    "result": _("The result is entered."),
    "time": _("The bell ends the game."),
    "forfeit": _("The game isn't played: one side isn't there."),
    "abandoned": _("The game is abandoned."),
}


def _closed(event: GameClosed, scene: Scene) -> list[str]:
    return [str(_CLOSED[event.reason])]


def _voided(event: EventVoided, scene: Scene) -> list[str]:
    told = gettext("Correction: what was written as number %(line)d doesn't count.") % {"line": event.line}
    return [told]


def _end(scene: Scene) -> list[str]:
    """The points of a deal and the end of the game, where this event brought them."""
    before, after = scene.before, scene.after
    if isinstance(scene.event, EventVoided):
        return []
    told = []
    if after.deals_ended > before.deals_ended and after.by_points:
        row = [f"{scene.name(seat)} – {points}" for seat, points in enumerate(after.last_deal)]
        told.append(gettext("Points of this deal: %(points)s.") % {"points": "; ".join(row)})
    if after.deals_ended > before.deals_ended:
        told += [_leaves(scene, seat) for seat in after.left if seat not in before.left]
        told.append(_has_to_draw(scene))
    if after.over and not before.over:
        told.append(outcome(after, scene.names, scene.team_names))
    return told


def _leaves(scene: Scene, seat: int) -> str:
    words = {"name": scene.name(seat), "points": _points(scene.after.scores[seat])}
    return gettext("%(name)s leaves the table with %(points)s.") % words


def outcome(moment: Moment, names: Sequence[str], team_names: dict[str, str]) -> str:
    """Who has won a game that is over."""
    team = team_names.get(moment.team or "", moment.team)
    if moment.winner is not None and team:
        return gettext("%(name)s wins: a point to %(team)s.") % {"name": names[moment.winner], "team": team}
    if moment.winner is not None:
        return gettext("%(name)s wins.") % {"name": names[moment.winner]}
    if team:
        return gettext("A point to %(team)s.") % {"team": team}
    return gettext("Nobody wins.")


_TELLERS: dict[type, Callable[[Any, Scene], list[str]]] = {
    GameOpened: _opened,
    DealerCut: _cut,
    DealerNamed: _named,
    DealStarted: _dealt,
    CardTurned: _turned,
    ColorNamed: _color_named,
    CardsPlayed: _played,
    CardsDrawn: _drawn,
    TurnPassed: _passed,
    UnoCalled: _called,
    UnoCaught: _caught,
    ChallengeMade: _challenged,
    PenaltyGiven: _penalty,
    ZeroGift: _gift,
    PileReshuffled: _reshuffled,
    HandShown: _shown,
    GameClosed: _closed,
    EventVoided: _voided,
}
