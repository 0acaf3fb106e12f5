"""Events and fields that a log of a rule set's games can have.

`legal` says what may happen next in a game whose state is known. A phone without a network doesn't know it;
for that this module says what there can be at all.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from games.engine.events import EVENT_CLASSES, EVENT_FIELDS, NEEDED, PENALTY_REASONS, Event
from games.engine.ruleset import Ruleset
from games.engine.transitions.penalties import GIFT_CARDS


@dataclass(frozen=True, slots=True)
class EventField:
    """One field of an event: what it holds, and whether it is always there.

    `kind` is the name of a `FieldKind`, and `choices` the words of a `choice`.
    `most`: a list holds no more than that.
    """

    name: str
    kind: str
    is_needed: bool
    choices: tuple[str, ...] = ()
    most: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As JSON values; `choices` and `most` only where they say something."""
        found: dict[str, Any] = {"name": self.name, "kind": self.kind, "is_needed": self.is_needed}
        if self.choices:
            found["choices"] = list(self.choices)
        if self.most is not None:
            found["most"] = self.most
        return found


MOST_STACKED: Final = 4
"""So many draw cards on each other are told as one number of cards."""

Vocabulary = Mapping[str, tuple[EventField, ...]]
"""The fields of each type of event."""


def _fields(event: type[Event]) -> tuple[EventField, ...]:
    return tuple(
        EventField(name, kind.name, name in NEEDED[event], kind.choices)
        for name, kind in EVENT_FIELDS[event].items()
    )


ALL: Final[Vocabulary] = {event.type: _fields(event) for event in EVENT_CLASSES}
"""Every field of every type, whatever the rule set."""


def vocabulary(ruleset: Ruleset, *, has_kin: bool = False) -> Vocabulary:
    """The events that a game under this rule set can have; `has_kin`: relatives sit at the table."""
    return {
        event.type: tuple(_narrowed(ruleset, event))
        for event in EVENT_CLASSES
        if event.is_possible(ruleset, has_kin=has_kin)
    }


def draw_counts(ruleset: Ruleset, *, has_kin: bool = False) -> list[int]:
    """The numbers of cards that are drawn at once under a rule set, with up to `MOST_STACKED` draw cards that
    answer each other.
    """
    counts = {1, ruleset.uno_penalty, ruleset.prompting_penalty, ruleset.wrong_card_penalty}
    counts |= _totals(ruleset)
    if ruleset.zero_gift and has_kin:
        counts.add(GIFT_CARDS)
    if ruleset.after_out == "finisher_redraws":
        counts.add(ruleset.hand_size)
    return sorted(counts - {0})


def _totals(ruleset: Ruleset) -> set[int]:
    """What draw cards on each other come to, and what a challenge that fails makes of it."""
    rows, totals = {(2, False), (4, True)}, set[int]()
    on_two = {(2, False): ruleset.draw_two_stacks, (4, True): ruleset.wild_four_on_draw_two}
    on_four = {(2, False): ruleset.draw_two_on_wild_four, (4, True): ruleset.wild_four_on_wild_four}
    for _ in range(MOST_STACKED):
        totals |= {total for total, _ in rows}
        if ruleset.challenge:
            totals |= {total + ruleset.challenge_failed_cards - 4 for total, is_four in rows if is_four}
        rows = {
            (total + more, is_four)
            for total, was_four in rows
            for (more, is_four), is_allowed in (on_four if was_four else on_two).items()
            if is_allowed
        }
    return totals


def _narrowed(ruleset: Ruleset, event: type[Event]) -> Iterator[EventField]:
    for field in ALL[event.type]:
        rule = EVENT_FIELDS[event][field.name].rule
        if rule and not getattr(ruleset, rule):
            continue
        match event.type, field.name:
            case "cards_played", "cards" if ruleset.single_card_per_turn and not ruleset.burn:
                yield replace(field, most=1)
            case "penalty_given", "reason":
                yield replace(field, choices=_penalties(ruleset))
            case _:
                yield field


def _penalties(ruleset: Ruleset) -> tuple[str, ...]:
    cards = {"prompting": ruleset.prompting_penalty, "wrong_card": ruleset.wrong_card_penalty}
    return tuple(reason for reason in PENALTY_REASONS if cards[reason])
