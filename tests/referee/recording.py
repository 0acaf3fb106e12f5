"""What the recorder's page offers, read from its templates; and how events are tapped together on it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any

from playwright.sync_api import Locator, Page, expect

VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "path", "circle", "rect"})
Pair = tuple[str, str]


def pairs(events: Mapping[str, Sequence[Mapping[str, Any]]]) -> set[Pair]:
    """The fields of a kit's events as (type, field), and (type, "") for each type."""
    return {(type_, "") for type_ in events} | {
        (type_, field["name"]) for type_, fields in events.items() for field in fields
    }


def flags(events: Mapping[str, Sequence[Mapping[str, Any]]]) -> set[str]:
    """The words by which the page's parts are there, as `has` in the script makes them of a kit's events."""
    found = set()
    for type_, fields in events.items():
        found.add(type_)
        for field in fields:
            name = f"{type_}.{field['name']}"
            found |= {name, *(f"{name}.{choice}" for choice in field.get("choices", ()))}
            if field["kind"] == "cards" and field.get("most") != 1:
                found.add(f"{name}.many")
    return found


class RecorderPage(HTMLParser):
    """The template of the recorder as far as a kit's events have its parts: `entered` are the fields that its
    buttons enter, `choices` the values of those that stand in them, `ends` whether it leads to ending a game.
    """

    def __init__(self, html: str, has: Iterable[str]) -> None:
        super().__init__()
        self.has = frozenset(has)
        self.entered: set[Pair] = set()
        self.choices: set[tuple[str, str, Any]] = set()
        self.boxes: set[str] = set()
        self.ends = False
        self._open: list[tuple[str, bool]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        condition = given.get("data-if", "")
        is_there = "_" not in condition or condition in self.has
        if tag not in VOID:
            self._open.append((tag, is_there))
        if is_there and all(there for _tag, there in self._open):
            self._see(tag, given)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def _see(self, tag: str, given: dict[str, str]) -> None:
        if tag == "input" and given.get("type") == "checkbox":
            self.boxes.add(given["name"])
        if "href:end" in given.get("data-set", ""):
            self.ends = True
        if tag != "button" or not given.get("value", "").startswith("{"):
            return
        event = json.loads(given["value"])
        type_ = event.pop("type")
        self.entered |= {(type_, ""), *((type_, name) for name in event)}
        self.choices |= {
            (type_, name, value) for name, value in event.items() if isinstance(value, (str, bool))
        }
        for source in ("seat", "other", "pick", "counted", "number-of"):
            if given.get(f"data-{source}"):
                self.entered.add((type_, given[f"data-{source}"]))
        if "data-count:" in given.get("data-set", ""):
            self.entered.add((type_, "count"))


class Recorder:
    """Taps on the recorder of an open page, in English; each event is on the phone when its call returns."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.form = page.locator("[data-recorder]")

    def record(self, event: Mapping[str, Any]) -> None:
        """Tap an event together, as somebody would who sees it happen."""
        known = self.form.locator("[name=id]").input_value()
        given = dict(event)
        getattr(self, "_" + given.pop("type"))(**given)
        expect(self.form.locator("[name=id]")).not_to_have_value(known)

    def tap(self, name: str) -> None:
        """A button by its whole name."""
        self.form.get_by_role("button", name=name, exact=True).click()

    def who(self, seat: int) -> None:
        """Who it is about."""
        self._label("who", str(seat)).click()

    def cards(self, cards: Iterable[str]) -> None:
        """Cards, each by its colour first."""
        for card in cards:
            self.form.locator(f'[data-color="{card[0]}"]').click()
            self.form.locator(f'[data-card="{card}"]').click()

    def _label(self, name: str, value: str) -> Locator:
        return self.form.locator(f'label:has([name={name}][value="{value}"])')

    def _dealer_cut(self, cards: Mapping[str, str]) -> None:
        self.tap("Start")
        self.tap("Write down the cut")
        for seat, card in cards.items():
            self.who(int(seat))
            self.cards([card])
        self.tap("That is all")

    def _dealer_named(self, seat: int) -> None:
        self.tap("Start")
        self.who(seat)
        self.tap("Is the dealer")

    def _deal_started(self, dealer: int, hands: Mapping[str, Sequence[str]] | None = None) -> None:
        self.tap("Start")
        self.who(dealer)
        self.tap("Has dealt, cards are seen" if hands else "Has dealt")
        for seat, hand in (hands or {}).items():
            self.who(int(seat))
            self.cards(hand)
        if hands:
            self.tap("That is all")

    def _card_turned(self, card: str) -> None:
        self.tap("Start")
        self.tap("The first card")
        self.cards([card])

    def _color_named(self, seat: int, color: str) -> None:
        self.tap("Start")
        self.who(seat)
        self.form.locator(f"button[value*=color_named][value*='\"{color}\"']").click()

    def _cards_played(self, seat: int, cards: Sequence[str], color: str = "", *, uno: bool = False) -> None:
        self.tap("Cards")
        self.who(seat)
        if uno:
            self.form.get_by_text("Says UNO", exact=True).click()
        if len(cards) > 1:
            self.form.get_by_text("Several together").click()
        if color:
            names = {"W": "Wild", "W+4": "Wild Draw Four"}
            colors = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
            self.tap("Wilds")
            self.tap(f"{names[cards[0]]}: {colors[color]}")
            return
        self.cards(cards)
        if len(cards) > 1:
            self.tap("That is all")

    def _cards_drawn(self, seat: int, count: int, cards: Sequence[str] = ()) -> None:
        if count == 1 and not cards:
            self.tap("Cards")
            self.who(seat)
            self.tap("Draws 1")
            return
        self.tap("Draws")
        self.who(seat)
        if cards:
            self.tap("Draws cards that are seen")
            self.cards(cards)
            self.tap("That is all")
        elif self.form.get_by_role("button", name=str(count), exact=True).count():
            self.tap(str(count))
        else:
            self.form.get_by_label("Draws another number").fill(str(count))
            self.tap("Enter")

    def _turn_passed(self, seat: int) -> None:
        self.tap("Cards")
        self.who(seat)
        self.tap("Passes")

    def _call(self, seat: int) -> None:
        self.tap("UNO and more")
        self.who(seat)

    def _uno_called(self, seat: int) -> None:
        self._call(seat)
        self.tap("Says UNO now")

    def _uno_caught(self, seat: int, catcher: int | None = None) -> None:
        self._call(seat)
        self.tap("Forgot UNO")
        self._other(catcher)

    def _zero_gift(self, seat: int, to: int) -> None:
        self._call(seat)
        self.tap("Has a relative draw")
        self._other(to)

    def _other(self, seat: int | None) -> None:
        if seat is None:
            self.tap("Somebody else, or nobody knows")
        else:
            self.form.locator(f'[data-panel]:not([hidden]) [data-number="{seat}"]').click()

    def _challenge_made(self, seat: int, *, upheld: bool, hand: Sequence[str] = ()) -> None:
        self._call(seat)
        self.tap("Challenges")
        words = "It was allowed" if not upheld else "It wasn’t allowed"
        if not hand:
            self.tap(words)
            return
        self.tap(words + ": write down the hand")
        self.cards(hand)
        self.tap("That is all")

    def _penalty_given(self, seat: int, reason: str, card: str = "") -> None:
        self._call(seat)
        if card:
            self.tap("Wrong card, and which")
            self.cards([card])
        else:
            self.tap("Penalty: " + reason.replace("_", " "))

    def _pile_reshuffled(self) -> None:
        self.tap("UNO and more")
        self.tap("The discards are shuffled")

    def _hand_shown(self, seat: int, points: int | None = None, cards: Sequence[str] = ()) -> None:
        self.tap("End")
        self.who(seat)
        if points is not None:
            self.form.get_by_label("or their points").fill(str(points))
            self.page.keyboard.press("Enter")
            return
        self.tap("Tap the cards that are left")
        self.cards(cards)
        self.tap("That is all")
