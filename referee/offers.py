"""What may happen next, as things to tap: the engine says what is legal, this says how it is laid out.

A move that needs more than one choice (a colour, then a card) is asked for step by step; what was chosen so
far stands in the address. Each last tap carries the whole log event that it enters.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from games.engine import Event, Option, Refusal, State, event_to_json, legal, parse_event, refusal_of
from games.engine.cards import CARDS, COLOR, COLORS, WILDS
from games.engine.events import (
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerNamed,
    DealStarted,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from people.models import Team
from referee.words import People, card_title, cards_word, color_word

MOVES = ("cards_played", "card_turned")
"""The types of which a card is chosen by its colour first."""


@dataclass(frozen=True, slots=True)
class Tap:
    """One thing to tap: it enters `event` (JSON), or goes to `href`, the next step.

    With neither it only keeps its place. It shows a card, a colour or a team's banner, and `label`.
    """

    label: str = ""
    event: str = ""
    href: str = ""
    card: str = ""
    color: str = ""
    team: Team | None = None
    is_main: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Taps that stand together; `layout` is a class of the style sheet."""

    taps: tuple[Tap, ...]
    layout: str = "two"
    title: str = ""


@dataclass(slots=True)
class Step:
    """A page's choice: its own question (empty: what the game waits for) and groups of taps.

    `is_more` is the step of what is seldom needed: ending the game and looking at the entries belong there,
    too. `cut` are the seats that have to cut, `hands` those whose points are asked for; both are typed in.
    """

    question: str = ""
    groups: list[Group] = field(default_factory=list)
    cut: tuple[int, ...] = ()
    hands: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    is_first: bool = False
    is_more: bool = False

    def add(self, layout: str, taps: Sequence[Tap], title: str = "") -> None:
        """A group, if there is anything in it."""
        if taps:
            self.groups.append(Group(tuple(taps), layout, title))


Query = Mapping[str, Sequence[str]]


def can_be(state: State, event: Event) -> bool:
    """Whether the engine would take this event, both as it is written and now."""
    try:
        return refusal_of(state, parse_event(event_to_json(event))) is None
    except Refusal:
        return False


def offer(
    state: State,
    people: People,
    teams: Sequence[Team],
    query: Query,
    carried: Mapping[str, int] | None = None,
) -> Step:
    """What can be tapped now, as far as the choices in `query` have come; unknown choices are the first
    step's.

    `teams` are those of the seats; `carried` stands in the address of every step.
    """
    return _Offer(state, people, teams, query, carried or {}).step()


class _Offer:
    def __init__(
        self,
        state: State,
        people: People,
        teams: Sequence[Team],
        query: Query,
        carried: Mapping[str, int],
    ) -> None:
        self.state = state
        self.names = people.names
        self.teams = teams
        self.options = {option.type: option for option in legal(state)}
        self.query = query
        self.carried = carried

    def asked(self, name: str) -> str:
        """The last value of a choice."""
        values = self.query.get(name, ())
        return values[-1] if values else ""

    def step(self) -> Step:
        if self.asked("do") == "more":
            return self.more()
        later = {
            "cut": ("dealer_cut", self.cut),
            "caught": ("uno_caught", self.caught),
            "penalty": ("penalty_given", self.penalty),
        }
        type_, build = later.get(self.asked("do"), ("", self.first))
        if type_ in self.options:
            return build()
        option = self.move()
        if option is not None:
            chosen = [card for card in self.query.get("card", ()) if card in CARDS]
            if chosen and chosen[0] in option.cards:
                return self.together(option, chosen)
            if self.asked("color") in COLORS:
                return self.of_color(option, self.asked("color"))
        return self.first()

    def move(self) -> Option | None:
        """The option of which a card is chosen."""
        return next((self.options[type_] for type_ in MOVES if type_ in self.options), None)

    # The first step: everything that may come next

    def first(self) -> Step:
        step = Step(is_first=True)
        # Naming the dealer is the shorter way, so the cut comes after it.
        for type_, option in sorted(self.options.items(), key=lambda each: each[0] == "dealer_cut"):
            add = getattr(self, f"_{type_}", None)
            if add is not None:
                add(step, option)
        return step

    def _dealer_named(self, step: Step, option: Option) -> None:
        step.add("two", [self.seat_tap(DealerNamed(seat), seat) for seat in option.seats])

    def _dealer_cut(self, step: Step, option: Option) -> None:
        step.add("one", [Tap(_("Write down the cut"), href=self.link(do="cut"))])

    def _deal_started(self, step: Step, option: Option) -> None:
        for seat in option.seats:
            words = _("%(name)s has dealt") % {"name": self.names[seat]}
            step.add("one", [_tap(DealStarted(seat), words, is_main=True)])

    def _card_turned(self, step: Step, option: Option) -> None:
        self._colors(step, option)

    def _cards_played(self, step: Step, option: Option) -> None:
        self._colors(step, option)

    def _colors(self, step: Step, option: Option) -> None:
        """All four colours in their places, those of which no card is legal without anything to tap."""
        own = {COLOR[card] for card in option.cards}
        colors = [
            Tap(color_word(color), href=self.link(color=color) if color in own else "", color=color)
            for color in COLORS
        ]
        if own - {None}:
            step.add("four", colors)
        wilds = [self.card_tap(option, card) for card in option.cards if card in WILDS]
        step.add("three", [*wilds, *self.draw_taps()])

    def draw_taps(self) -> list[Tap]:
        """Drawing, beside the cards where there is a choice."""
        option = self.options.get("cards_drawn")
        if option is None:
            return []
        count = option.count or 0
        words = _("Draws %(cards)s") % {"cards": cards_word(count)}
        is_main = "cards_played" not in self.options
        return [_tap(CardsDrawn(seat, count), words, is_main=is_main) for seat in option.seats]

    def _color_named(self, step: Step, option: Option) -> None:
        for seat in option.seats:
            step.add("four", [_color_tap(ColorNamed(seat, color), color) for color in option.colors])

    def _cards_drawn(self, step: Step, option: Option) -> None:
        if "cards_played" not in self.options:
            step.add("one", self.draw_taps())

    def _turn_passed(self, step: Step, option: Option) -> None:
        step.add("one", [_tap(TurnPassed(seat), _("Passes"), is_main=True) for seat in option.seats])

    def _challenge_made(self, step: Step, option: Option) -> None:
        words = {True: _("It wasn’t allowed"), False: _("It was allowed")}
        step.add(
            "two",
            [
                _tap(ChallengeMade(seat, verdict), words[verdict])
                for seat in option.seats
                for verdict in option.verdicts
            ],
            _("The Wild Draw Four is challenged, the cards are shown:"),
        )

    def _pile_reshuffled(self, step: Step, option: Option) -> None:
        step.add("one", [_tap(PileReshuffled(), _("The discards are shuffled"), is_main=True)])

    def _uno_called(self, step: Step, option: Option) -> None:
        words = [_("%(name)s says UNO") % {"name": self.names[seat]} for seat in option.seats]
        step.add("two", [_tap(UnoCalled(seat), word) for seat, word in zip(option.seats, words, strict=True)])

    def _uno_caught(self, step: Step, option: Option) -> None:
        words = [_("%(name)s forgot UNO") % {"name": self.names[seat]} for seat in option.seats]
        step.add(
            "two",
            [
                Tap(word, href=self.link(do="caught", seat=seat))
                for seat, word in zip(option.seats, words, strict=True)
            ],
        )

    def _zero_gift(self, step: Step, option: Option) -> None:
        step.add(
            "two",
            [
                _tap(
                    ZeroGift(seat, to),
                    _("%(name)s has %(other)s draw") % {"name": self.names[seat], "other": self.names[to]},
                )
                for seat in option.seats
                for to in option.to
                if can_be(self.state, ZeroGift(seat, to))
            ],
        )

    def _hand_shown(self, step: Step, option: Option) -> None:
        step.hands = option.seats

    # Later steps

    def more(self) -> Step:
        """What is seldom needed, so that the first step stays short."""
        step = Step(_("What else?"), is_more=True)
        if "penalty_given" in self.options:
            step.add("one", [Tap(_("A penalty"), href=self.link(do="penalty"))])
        return step

    def cut(self) -> Step:
        option = self.options["dealer_cut"]
        return Step(_("Which card did each of them cut?"), cut=option.seats, cards=option.cards)

    def caught(self) -> Step:
        option = self.options["uno_caught"]
        seat = next((seat for seat in option.seats if str(seat) == self.asked("seat")), option.seats[0])
        step = Step(_("Who noticed that %(name)s forgot UNO?") % {"name": self.names[seat]})
        others = [
            UnoCaught(seat, other)
            for other in range(len(self.names))
            if can_be(self.state, UnoCaught(seat, other))
        ]
        step.add("two", [self.seat_tap(event, event.catcher or 0) for event in others])
        step.add("one", [_tap(UnoCaught(seat), _("Somebody else, or nobody knows"))])
        return step

    def penalty(self) -> Step:
        option = self.options["penalty_given"]
        step = Step(_("Who gets a penalty?"))
        titles = {"prompting": _("For prompting"), "wrong_card": _("For a wrong card")}
        for reason in option.reasons:
            events = [PenaltyGiven(seat, reason) for seat in range(len(self.names))]
            taps = [self.seat_tap(event, event.seat) for event in events if can_be(self.state, event)]
            step.add("two", taps, titles[reason])
        return step

    def of_color(self, option: Option, color: str) -> Step:
        """The cards of a colour; a number that others may go with can be chosen with them."""
        cards = [card for card in option.cards if COLOR[card] == color]
        several = option.several and bool(self.asked("several"))
        question = _("Which cards?") if several else _("Which card?")
        step = Step(question)
        if several:
            fit = [card for card in cards if self.others(option, [card])]
            step.add("cards", [Tap(href=self.link(card=card), card=card) for card in fit])
            return step
        step.add("cards", [self.card_tap(option, card) for card in cards])
        if option.several:
            step.add("one", [Tap(_("Several together"), href=self.link(color=color, several=1))])
        return step

    def together(self, option: Option, chosen: Sequence[str]) -> Step:
        """What is still open once the cards are chosen: the colour, UNO, others that go with them."""
        seat = option.seats[0]
        step = Step(card_title(chosen))
        calls: list[tuple[str, bool | None]] = [("", None)]
        if self.state.held(seat) == len(chosen) + 1:
            calls = [(_("UNO said"), True), (_("UNO not said"), None)]
        if chosen[-1] in option.needs_color:
            asked = _("Which colour does %(name)s name?") % {"name": self.names[seat]}
            for title, uno in calls:
                taps = [
                    _color_tap(CardsPlayed(seat, tuple(chosen), color, uno), color) for color in option.colors
                ]
                step.add("four", taps, title or asked)
            return step
        step.add(
            "two" if len(calls) > 1 else "one",
            [
                _tap(
                    CardsPlayed(seat, tuple(chosen), uno=uno),
                    words or _("That is all"),
                    is_main=bool(uno or not words),
                )
                for words, uno in calls
            ],
        )
        more = self.others(option, chosen) if option.several else []
        step.add(
            "cards",
            [Tap(href=self.link(card=[*chosen, card]), card=card) for card in more],
            _("Together with it:"),
        )
        return step

    def others(self, option: Option, chosen: Sequence[str]) -> list[str]:
        """The cards that may go on top of those that are chosen, as the engine says."""
        seat = option.seats[0]
        return [card for card in CARDS if refusal_of(self.state, CardsPlayed(seat, (*chosen, card))) is None]

    # Taps

    def card_tap(self, option: Option, card: str) -> Tap:
        """A card: it enters the event, or asks what else has to be known."""
        if option.type == "card_turned":
            return _tap(CardTurned(card), card=card)
        if card in option.needs_color or option.uno:
            return Tap(href=self.link(card=card), card=card)
        return _tap(CardsPlayed(option.seats[0], (card,)), card=card)

    def seat_tap(self, event: Event, seat: int) -> Tap:
        """A person at the table."""
        return _tap(event, self.names[seat], team=self.teams[seat])

    def link(self, **choices: Any) -> str:
        """The address of a step with these choices."""
        return "?" + urlencode({**self.carried, **choices}, doseq=True)


def _tap(event: Event, label: str = "", **look: Any) -> Tap:
    return Tap(label, event=json.dumps(event_to_json(event)), **look)


def _color_tap(event: Event, color: str) -> Tap:
    return _tap(event, color_word(color), color=color)
