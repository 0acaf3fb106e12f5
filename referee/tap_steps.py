"""Taps: what a referee can tap on a page, in groups, step by step."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from games.engine import Event, event_to_json
from people.models import Team
from referee.sentences import color_word


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
class TapGroup:
    """Taps that stand together; `layout` is a class of the style sheet."""

    taps: tuple[Tap, ...]
    layout: str = "two"
    title: str = ""


@dataclass(slots=True)
class TapStep:
    """A page's choice: its own question (empty: what the game waits for) and groups of taps.

    `is_more` is the step of what is seldom needed: ending the game and looking at the entries belong there,
    too. `hands` are the seats whose points are asked for: they are typed in.
    """

    question: str = ""
    groups: list[TapGroup] = field(default_factory=list)
    hands: tuple[int, ...] = ()
    is_first: bool = False
    is_more: bool = False

    def add(self, layout: str, taps: Sequence[Tap], title: str = "") -> None:
        """Add a group, if there is anything in it."""
        if taps:
            self.groups.append(TapGroup(tuple(taps), layout, title))


def event_tap(event: Event, label: str = "", **look: Any) -> Tap:
    """The tap that enters an event."""
    return Tap(label, event=json.dumps(event_to_json(event)), **look)


def color_tap(event: Event, color: str) -> Tap:
    """The tap that enters an event which names a colour."""
    return event_tap(event, color_word(color), color=color)
