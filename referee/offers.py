"""Legal events as things to tap: the engine says what is legal, this says how it is laid out.

A move that needs more than one choice (a colour, then a card) is asked for step by step. What was chosen so
far stands in the address. Each last tap carries the whole log event that it enters.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from games.engine import Event, Option, Refusal, State, event_to_json, legal, parse_event, refusal_of
from games.engine.cards import CARDS, COLOR, COLORS, WILDS
from games.engine.events import (
    NEEDED,
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerCut,
    DealerNamed,
    DealStarted,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from games.engine.legal import ASIDES, legal_asides, with_choices
from games.engine.translations import translate
from people.models import Team
from referee.sentences import People, cards_title, cards_word, color_word, entry_text
from referee.tap_steps import Tap, TapStep, color_tap, event_tap
from rendering.text.active_language import reader_language

PLAIN_ASIDES = {cls.type: cls for cls in ASIDES if cls not in (UnoCalled, UnoCaught, PenaltyGiven, ZeroGift)}
"""Types of events without words of their own here: their taps have the sentences of the log."""
MOVES = ("cards_played", "card_turned")
"""The types of which a card is chosen."""
FEW = 20
"""So many cards, and no more, are shown at once; of more the colour is asked for first."""


Query = Mapping[str, Sequence[str]]


def can_be(state: State, event: Event) -> bool:
    """Whether the engine would accept this event: its form, and its place in the game now."""
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
) -> TapStep:
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
        self.people = people
        self.names = people.names
        self.teams = teams
        self.options = {option.type: option for option in legal(state)}
        self.query = query
        self.carried = carried

    def asked(self, name: str) -> str:
        """The last value of a choice."""
        values = self.query.get(name, ())
        return values[-1] if values else ""

    def step(self) -> TapStep:
        later = {
            "cut": ("dealer_cut", self.cut),
            "caught": ("uno_caught", self.caught),
        }
        if self.asked("do") == "more":
            return self.more()
        if self.asked("do") in PLAIN_ASIDES:
            return self.aside(PLAIN_ASIDES[self.asked("do")])
        if self.asked("with"):
            return self.choices(self.asked("with"))
        type_, build = later.get(self.asked("do"), ("", self.first))
        if type_ in self.options:
            return build()
        option = self.move()
        if option is None:
            return self.first()
        chosen = [card for card in self.query.get("card", ()) if card in CARDS]
        several = option.several and bool(self.asked("several"))
        if chosen and chosen[0] in option.cards:
            if chosen[0] in option.needs_color:
                return self.wild(option, chosen[0])
            if several:
                return self.together(option, chosen)
        if self.asked("color") in COLORS:
            return self.of_color(option, self.asked("color"), several=several)
        if several:
            return self.several(option)
        if option.uno and self.asked("uno"):
            return self.after_the_call(option)
        return self.first()

    def move(self) -> Option | None:
        """The option of which a card is chosen."""
        return next((self.options[type_] for type_ in MOVES if type_ in self.options), None)

    # The first step: everything that may come next

    def first(self) -> TapStep:
        step = TapStep(is_first=True)
        # Naming the dealer is the shorter way, so the cut comes after it.
        for type_, option in sorted(self.options.items(), key=lambda each: each[0] == "dealer_cut"):
            if type_ in PLAIN_ASIDES:
                self._aside(step, PLAIN_ASIDES[type_])
                continue
            add = getattr(self, f"_{type_}", None)
            if add is not None:
                add(step, option)
        return step

    def _aside(self, step: TapStep, cls: Any) -> None:
        """Each event by its sentence; of a type that names a card, who does it is asked first."""
        events: list[Any] = legal_asides(self.state, cls)
        if not NEEDED[cls] >= {"seat", "card"}:
            step.add("two", [self.told_tap(event) for event in events])
            return
        for seat in dict.fromkeys(event.seat for event in events):
            words = {"name": self.names[seat], "what": translate(cls.words, reader_language())}
            label = _("%(name)s: %(what)s") % words
            step.add("one", [Tap(label, href=self.link(do=cls.type, seat=seat))])

    def _dealer_named(self, step: TapStep, option: Option) -> None:
        step.add("two", [self.seat_tap(DealerNamed(seat), seat) for seat in option.seats])

    def _dealer_cut(self, step: TapStep, option: Option) -> None:
        step.add("one", [Tap(_("Write down the cut"), href=self.link(do="cut"))])

    def _deal_started(self, step: TapStep, option: Option) -> None:
        for seat in option.seats:
            words = self.of_seat(_("%(name)s has dealt"), seat)
            step.add("one", [event_tap(DealStarted(seat), words, is_main=True)])

    def _card_turned(self, step: TapStep, option: Option) -> None:
        self._colors_and_wilds(step, option)

    def _cards_played(self, step: TapStep, option: Option) -> None:
        """All cards at once where they are few.

        Where a card would leave one, it is first asked whether UNO is said. It is said before the card lands,
        and so nobody forgets to write it down.
        """
        beside = self.draw_taps()
        if option.several:
            beside.append(Tap(_("Several together"), href=self.link(several=1)))
        if option.uno:
            words = {"1": _("Says UNO and plays"), "0": _("Plays without UNO")}
            step.add("two", [Tap(word, href=self.link(uno=uno)) for uno, word in words.items()])
        else:
            self._cards(step, option)
        step.add("two" if len(beside) > 1 else "one", beside)

    def _cards(self, step: TapStep, option: Option) -> None:
        if len(option.cards) <= FEW:
            step.add("cards", [self.card_tap(option, card) for card in self.in_order(option.cards)])
        else:
            self._colors_and_wilds(step, option)

    def _colors_and_wilds(self, step: TapStep, option: Option) -> None:
        self._colors(step, option)
        step.add("three", [self.card_tap(option, card) for card in option.cards if card in WILDS])

    def _colors(self, step: TapStep, option: Option, **choices: Any) -> None:
        """All four colours in their places, those of which no card is legal without anything to tap."""
        own = {COLOR[card] for card in option.cards}
        colors = [
            Tap(
                color_word(color),
                href=self.link(**self.call(), **choices, color=color) if color in own else "",
                color=color,
            )
            for color in COLORS
        ]
        if own - {None}:
            step.add("four", colors)

    def in_order(self, cards: Sequence[str]) -> list[str]:
        """The colour in play first, wilds last."""
        return sorted(cards, key=lambda card: (card in WILDS, COLOR[card] != self.state.color))

    def draw_taps(self) -> list[Tap]:
        """Drawing, beside the cards where there is a choice."""
        option = self.options.get("cards_drawn")
        if option is None:
            return []
        count = option.count or 0
        words = _("Draws %(cards)s") % {"cards": cards_word(count)}
        is_main = "cards_played" not in self.options
        return [event_tap(CardsDrawn(seat, count), words, is_main=is_main) for seat in option.seats]

    def _color_named(self, step: TapStep, option: Option) -> None:
        for seat in option.seats:
            step.add("four", [color_tap(ColorNamed(seat, color), color) for color in option.colors])

    def _cards_drawn(self, step: TapStep, option: Option) -> None:
        if "cards_played" not in self.options:
            step.add("one", self.draw_taps())

    def _turn_passed(self, step: TapStep, option: Option) -> None:
        step.add("one", [event_tap(TurnPassed(seat), _("Passes"), is_main=True) for seat in option.seats])

    def _challenge_made(self, step: TapStep, option: Option) -> None:
        words = {True: _("It wasn’t allowed"), False: _("It was allowed")}
        events = [ChallengeMade(seat, verdict) for seat in option.seats for verdict in option.verdicts]
        title = _("The Wild Draw Four is challenged, the cards are shown:")
        step.add("two", [event_tap(event, words[event.upheld]) for event in events], title)

    def _pile_reshuffled(self, step: TapStep, option: Option) -> None:
        step.add("one", [event_tap(PileReshuffled(), _("The discards are shuffled"), is_main=True)])

    def _uno_called(self, step: TapStep, option: Option) -> None:
        words = _("%(name)s says UNO")
        step.add("two", [event_tap(UnoCalled(seat), self.of_seat(words, seat)) for seat in option.seats])

    def _uno_caught(self, step: TapStep, option: Option) -> None:
        words = _("%(name)s forgot UNO")
        links = [(self.of_seat(words, seat), self.link(do="caught", seat=seat)) for seat in option.seats]
        step.add("two", [Tap(word, href=link) for word, link in links])

    def _zero_gift(self, step: TapStep, option: Option) -> None:
        words = _("%(name)s has %(other)s draw")
        gifts = [ZeroGift(seat, to) for seat in option.seats for to in option.to]
        taps = [
            event_tap(gift, words % {"name": self.names[gift.seat], "other": self.names[gift.to]})
            for gift in gifts
            if can_be(self.state, gift)
        ]
        step.add("two", taps)

    def _hand_shown(self, step: TapStep, option: Option) -> None:
        step.hands = option.seats

    # Later steps

    def more(self) -> TapStep:
        """What is seldom needed, so that the first step stays short."""
        step = TapStep(_("What else?"), is_more=True)
        titles = {"prompting": _("A penalty for prompting"), "wrong_card": _("A penalty for a wrong card")}
        for reason in self.options["penalty_given"].reasons if "penalty_given" in self.options else ():
            events = [PenaltyGiven(seat, reason) for seat in range(len(self.names))]
            taps = [self.seat_tap(event, event.seat) for event in events if can_be(self.state, event)]
            step.add("two" if len(taps) < 5 else "three", taps, titles[reason])
        return step

    def aside(self, cls: Any) -> TapStep:
        """Which card, for a type of event that names one; of many cards the colour is asked for first."""
        every: list[Any] = legal_asides(self.state, cls) if NEEDED[cls] >= {"seat", "card"} else []
        events = [event for event in every if str(event.seat) == self.asked("seat")]
        if not events:
            return self.first()
        step = TapStep(_("Which card?"))
        color = self.asked("color")
        cards = [event.card for event in events]
        if len(cards) > FEW and color not in COLORS:
            option = Option(cls.type, cards=tuple(cards))
            self._colors(step, option, do=cls.type, seat=self.asked("seat"))
            events = [event for event in events if event.card in WILDS]
        elif len(cards) > FEW:
            events = [event for event in events if COLOR[event.card] == color]
        step.add("cards", [event_tap(event, card=event.card) for event in events])
        return step

    def choices(self, written: str) -> TapStep:
        """An event that was tapped, with each choice that can be added to it."""
        try:
            event = parse_event(json.loads(written))
        except (Refusal, ValueError):
            return self.first()
        if not can_be(self.state, event):
            return self.first()
        step = TapStep(str(entry_text(event, self.people)))
        step.add("one", [self.told_tap(each) for each in with_choices(self.state, event)])
        return step

    def cut(self) -> TapStep:
        """One card after the other, as the seats have cut; the last of them enters the cut."""
        option = self.options["dealer_cut"]
        before = [card for card in self.query.get("card", ()) if card in CARDS][: len(option.seats) - 1]
        seat = option.seats[len(before)]
        step = TapStep(self.of_seat(_("Which card did %(name)s cut?"), seat))

        def tap(card: str) -> Tap:
            cards = [*before, card]
            if len(cards) < len(option.seats):
                return Tap(href=self.link(do="cut", card=cards), card=card)
            return event_tap(DealerCut(dict(zip(option.seats, cards, strict=True))), card=card)

        if self.asked("color") in COLORS:
            step.add("cards", [tap(card) for card in CARDS if COLOR[card] == self.asked("color")])
            return step
        self._colors(step, option, do="cut", card=before)
        step.add("three", [tap(card) for card in CARDS if card in WILDS])
        return step

    def caught(self) -> TapStep:
        option = self.options["uno_caught"]
        seat = next((seat for seat in option.seats if str(seat) == self.asked("seat")), option.seats[0])
        step = TapStep(self.of_seat(_("Who noticed that %(name)s forgot UNO?"), seat))
        others = [(UnoCaught(seat, other), other) for other in range(len(self.names))]
        step.add("two", [self.seat_tap(event, other) for event, other in others if can_be(self.state, event)])
        step.add("one", [event_tap(UnoCaught(seat), _("Somebody else, or nobody knows"))])
        return step

    def of_color(self, option: Option, color: str, *, several: bool = False) -> TapStep:
        """The cards of a colour."""
        cards = [card for card in option.cards if COLOR[card] == color]
        if several:
            return self.several(replace(option, cards=tuple(cards)))
        step = TapStep(_("Which card?"))
        step.add("cards", [self.card_tap(option, card) for card in cards])
        return step

    def after_the_call(self, option: Option) -> TapStep:
        """The cards that leave one, once it is known whether UNO was said."""
        step = TapStep(_("UNO said: which card?") if self.call()["uno"] else _("No UNO: which card?"))
        self._cards(step, option)
        return step

    def wild(self, option: Option, card: str) -> TapStep:
        """Which colour is named; also whether UNO was said, where that is asked and not known yet."""
        seat = option.seats[0]
        step = TapStep(cards_title([card]))
        calls = self.calls(1)
        if option.uno and self.call():
            calls = [("", self.call()["uno"] == 1 or None)]
        for title, uno in calls:
            events = [CardsPlayed(seat, (card,), color, uno) for color in option.colors]
            asked = self.of_seat(_("Which colour does %(name)s name?"), seat)
            taps = [
                self.play_tap(event, color_word(event.color or ""), color=event.color or "")
                for event in events
            ]
            step.add("four", taps, title or asked)
        return step

    def several(self, option: Option) -> TapStep:
        """Of several cards together the first: those that another can go with."""
        step = TapStep(_("Several together: which is the first?"))
        fit = [card for card in self.in_order(option.cards) if self.others(option, [card])]
        if len(fit) > FEW:
            self._colors(step, option, several=1)
            return step
        step.add("cards", [Tap(href=self.link(several=1, card=card), card=card) for card in fit])
        return step

    def together(self, option: Option, chosen: Sequence[str]) -> TapStep:
        """What goes with the chosen cards: as the last of them, with or without UNO, or with more to come."""
        seat = option.seats[0]
        step = TapStep(_("%(cards)s, and with it:") % {"cards": cards_title(chosen)})
        fit = self.others(option, chosen)
        for title, uno in self.calls(len(chosen) + 1):
            events = [CardsPlayed(seat, (*chosen, card), uno=uno) for card in fit]
            taps = [self.play_tap(event, card=event.cards[-1]) for event in events]
            step.add("cards", taps, title or _("This one, and that is all:"))
        more = [card for card in fit if self.others(option, [*chosen, card])]
        step.add(
            "cards",
            [Tap(href=self.link(several=1, card=[*chosen, card]), card=card) for card in more],
            _("This one, and more:"),
        )
        return step

    def calls(self, count: int) -> list[tuple[str, bool | None]]:
        """What is asked about UNO when so many cards are played: a heading for each answer."""
        if self.state.held(self.options["cards_played"].seats[0]) != count + 1:
            return [("", None)]
        return [(_("UNO said"), True), (_("UNO not said"), None)]

    def call(self) -> dict[str, int]:
        """What the address says about UNO, if it does."""
        return {"uno": int(self.asked("uno") == "1")} if self.asked("uno") else {}

    def others(self, option: Option, chosen: Sequence[str]) -> list[str]:
        """The cards that may go on top of those that are chosen, as the engine says."""
        seat = option.seats[0]
        return [card for card in CARDS if refusal_of(self.state, CardsPlayed(seat, (*chosen, card))) is None]

    # Taps

    def card_tap(self, option: Option, card: str) -> Tap:
        """A card: it enters the event, or asks what else has to be known."""
        if option.type == "card_turned":
            return event_tap(CardTurned(card), card=card)
        if card in option.needs_color:
            return Tap(href=self.link(**self.call(), card=card), card=card)
        uno = (self.call().get("uno") == 1 or None) if option.uno else None
        return self.play_tap(CardsPlayed(option.seats[0], (card,), uno=uno), card=card)

    def play_tap(self, event: Event, label: str = "", **look: Any) -> Tap:
        """What enters a play, or asks first what is chosen with it."""
        if len(with_choices(self.state, event)) == 1:
            return event_tap(event, label, **look)
        return Tap(label, href=self.link(**{"with": json.dumps(event_to_json(event))}), **look)

    def told_tap(self, event: Event) -> Tap:
        """What enters an event, by its sentence."""
        return event_tap(event, str(entry_text(event, self.people)).removesuffix("."))

    def of_seat(self, sentence: str, seat: int) -> str:
        """A sentence about a person at the table."""
        return sentence % {"name": self.names[seat]}

    def seat_tap(self, event: Event, seat: int) -> Tap:
        """A person at the table."""
        return event_tap(event, self.names[seat], team=self.teams[seat])

    def link(self, **choices: Any) -> str:
        """The address of a step with these choices."""
        return "?" + urlencode({**self.carried, **choices}, doseq=True)
