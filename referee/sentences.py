"""Sentences for referees: what was entered and what is asked for.

The names of the seats and of the teams (by id) go in; the language is the active one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext, ngettext

from games.engine import Event, Refusal, Ruleset, State
from games.engine import sentence as rule_sentence
from games.engine.card_names import card_title, color_name
from games.engine.events import GameClosed
from games.engine.places import places_of
from games.engine.telling import Line, Names, Part, card_words, say
from games.engine.telling import outcome as told_outcome
from rendering.text.active_language import reader_language


@dataclass(frozen=True, slots=True)
class People:
    """Who is spoken of: shown names by seat, teams' names by id.

    `sides` is how many sides take turns to sit down, 0 where each seat is told by itself. `absent` are those
    of whom it was noted that they aren't at the table.
    """

    names: Sequence[str]
    teams: Mapping[str, str]
    sides: int = 0
    absent: Sequence[int] = ()

    @property
    def told(self) -> Names:
        """The same for whoever tells a game."""
        return Names(self.names, self.teams)


@dataclass(frozen=True, slots=True)
class Why:
    """A refusal in the reader's language: the rule behind it, then what was expected in this case. Last comes
    how this table's rules have the field that decides it (empty where none does).
    """

    sentence: str
    expected: str
    field: str

    def __str__(self) -> str:
        return " ".join(part for part in (self.sentence, self.expected, self.field) if part)


def why(refusal: Refusal, people: People, rules: Ruleset) -> Why:
    """A refusal told with the names of who plays."""
    language = reader_language()
    return Why(
        rule_sentence(refusal.code, language),
        refusal.expected(
            language, seat=people.names.__getitem__, card=partial(card_words, language=language)
        ),
        rules.told(refusal.rule, language) if refusal.rule else "",
    )


def cards_title(cards: Sequence[str]) -> str:
    """Cards above what is still asked about them: "Jolly", "Red 7, Blue 7"."""
    return ", ".join(card_title(card, reader_language()) for card in cards)


def color_word(color: str) -> str:
    """A colour in the middle of a sentence."""
    return color_name(color, reader_language())


def cards_word(count: int) -> str:
    """So many cards."""
    return ngettext("%(count)d card", "%(count)d cards", count) % {"count": count}


def entry_text(event: Event, people: People) -> Line:
    """One entry, without what follows from it: the game's own page shows that.

    An end with places names the sides in their order, each by all who sit for it, and last who wasn't there.
    """
    said = say(event, reader_language(), people.told)
    if not isinstance(event, GameClosed) or event.places is None:
        return said
    sides = people.sides or len(people.names)
    # All seats of a side have the place of its first one.
    firsts = {seat: place for seat, place in event.places.items() if seat < sides}
    last = [side for side, place in firsts.items() if place == max(firsts.values())]
    missing = last if all(side in people.absent for side in last) else []
    ranked = zip(places_of(firsts.values()), firsts, strict=True)
    in_order = sorted((place, side) for place, side in ranked if side not in missing)
    told = ", ".join(f"{place}. {_side(people, side, sides)}" for place, side in in_order)
    names = ", ".join(_side(people, side, sides) for side in missing)
    away = gettext(" Not there: %(names)s.") % {"names": names} if missing else ""
    return Line((*said.parts, Part(f" {told}.{away}")))


def _side(people: People, side: int, sides: int) -> str:
    """All who sit for a side."""
    return " · ".join([name for seat, name in enumerate(people.names) if seat % sides == side])


def next_step_heading(state: State, people: People) -> str:
    """What the game waits for now: the heading above what can be tapped."""
    names = people.names
    turn = names[state.turn] if state.turn is not None else ""
    words = {"name": turn, "cards": cards_word(state.owed)}
    match state.phase:
        case "cut":
            return gettext("Who deals?")
        case "deal":
            dealer = names[state.dealer] if state.dealer is not None else ""
            return gettext("%(name)s deals") % {"name": dealer}
        case "turn_card":
            return gettext("Which is the first card?")
        case "color":
            return gettext("%(name)s names a colour") % words
        case "play":
            return gettext("%(name)s to play") % words
        case "after_draw":
            return gettext("%(name)s has drawn: play it or pass") % words
        case "answer":
            if state.drawable():
                return gettext("%(name)s answers, or draws %(cards)s") % words
            return gettext("%(name)s answers or passes: there is nothing to draw") % words
        case "draw":
            return gettext("%(name)s has to draw %(cards)s") % words
        case "show":
            return gettext("Count the cards that are left")
    return outcome(state, people)


def outcome(state: State, people: People) -> str:
    """Who has won a game that is over, as a heading."""
    return str(told_outcome(state, reader_language(), people.told)).removesuffix(".")
