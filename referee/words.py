"""What was entered and what is asked for, in a referee's few words.

The names of the seats and of the teams (by id) go in; the language is the active one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import get_language, gettext, ngettext

from drawings.card import COLOR_NAMES, card_name
from games.engine import Event, Refusal, Ruleset, State
from games.engine import sentence as rule_sentence
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


@dataclass(frozen=True, slots=True)
class People:
    """Who is spoken of: shown names by seat, teams' names by id."""

    names: Sequence[str]
    teams: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Why:
    """A refusal in the reader's language: the rule behind it, what was expected in this case, and how this
    table's rules have the field that decides it (empty where none does).
    """

    sentence: str
    expected: str
    field: str

    def __str__(self) -> str:
        return " ".join(part for part in (self.sentence, self.expected, self.field) if part)


def why(refusal: Refusal, people: People, rules: Ruleset) -> Why:
    """A refusal told with the names of who plays."""
    language = get_language() or "it"
    return Why(
        rule_sentence(refusal.code, language),
        refusal.expected(language, seat=people.names.__getitem__, card=card_word),
        rules.told(refusal.rule, language) if refusal.rule else "",
    )


def card_word(card: str, color: str | None = None) -> str:
    """A card in the middle of a sentence."""
    name = card_name(card, get_language() or "it", color)
    return name[0].lower() + name[1:]


def color_word(color: str) -> str:
    """A colour in the middle of a sentence."""
    return COLOR_NAMES["it" if (get_language() or "it").startswith("it") else "en"][color]


def cards_word(count: int) -> str:
    """So many cards."""
    return ngettext("%(count)d card", "%(count)d cards", count) % {"count": count}


def said(event: Event, people: People) -> str:
    """One entry, as short as it can be said."""
    names = people.names
    match event:
        case GameOpened():
            return gettext("The game is opened")
        case DealerCut(cards=cards):
            cut = [f"{names[seat]} – {card_word(card)}" for seat, card in sorted(cards.items())]
            return gettext("Cut: %(cuts)s") % {"cuts": "; ".join(cut)}
        case DealerNamed(seat=seat):
            return gettext("%(name)s is the dealer") % {"name": names[seat]}
        case DealStarted(dealer=seat):
            return gettext("%(name)s has dealt") % {"name": names[seat]}
        case CardTurned(card=card):
            return gettext("First card: %(card)s") % {"card": card_word(card)}
        case ColorNamed(seat=seat, color=color):
            return gettext("%(name)s: %(what)s") % {"name": names[seat], "what": color_word(color)}
        case CardsPlayed():
            return _played(event, names)
        case CardsDrawn(seat=seat, count=count):
            return gettext("%(name)s draws %(cards)s") % {"name": names[seat], "cards": cards_word(count)}
        case TurnPassed(seat=seat):
            return gettext("%(name)s passes") % {"name": names[seat]}
        case UnoCalled(seat=seat):
            return gettext("%(name)s says UNO") % {"name": names[seat]}
        case UnoCaught(seat=seat):
            return gettext("%(name)s forgot UNO") % {"name": names[seat]}
        case ChallengeMade(seat=seat, upheld=upheld):
            told = (
                gettext("%(name)s challenges and is right")
                if upheld
                else gettext("%(name)s challenges and is wrong")
            )
            return told % {"name": names[seat]}
        case PenaltyGiven(seat=seat, reason=reason):
            told = gettext("%(name)s prompted") if reason == "prompting" else gettext("%(name)s: wrong card")
            return told % {"name": names[seat]}
        case ZeroGift(seat=seat, to=to):
            return gettext("%(name)s has %(other)s draw") % {"name": names[seat], "other": names[to]}
        case PileReshuffled():
            return gettext("The discards are shuffled")
        case HandShown():
            return _shown(event, names)
        case GameClosed():
            return closed(event, people)
        case EventVoided(line=line):
            return gettext("Number %(line)d taken back") % {"line": line}


def _played(event: CardsPlayed, names: Sequence[str]) -> str:
    cards = ", ".join(card_word(card, event.color) for card in event.cards)
    told = gettext("%(name)s: %(what)s") % {"name": names[event.seat], "what": cards}
    return gettext("%(entry)s, UNO said") % {"entry": told} if event.uno else told


def _shown(event: HandShown, names: Sequence[str]) -> str:
    name = names[event.seat]
    if event.cards is not None:
        cards = ", ".join(card_word(card) for card in event.cards)
        return gettext("%(name)s is left with %(cards)s") % {"name": name, "cards": cards}
    points = event.points or 0
    words = ngettext("%(count)d point", "%(count)d points", points) % {"count": points}
    return gettext("%(name)s is left with %(cards)s") % {"name": name, "cards": words}


def closed(event: GameClosed, people: People) -> str:
    """How a game ended and who won it."""
    team = people.teams.get(event.team or "", "")
    winner = people.names[event.winner] if event.winner is not None else team
    if not winner:
        match event.reason:
            case "time":
                return gettext("The bell ended the game, nobody wins")
            case "forfeit":
                return gettext("Forfeited, nobody wins")
        return gettext("The game was broken off, nobody wins")
    match event.reason:
        case "time":
            told = gettext("%(winner)s wins by the bell")
        case "forfeit":
            told = gettext("%(winner)s wins, the others weren't there")
        case "abandoned":
            told = gettext("The game was broken off, %(winner)s wins")
        case _:
            told = gettext("%(winner)s wins")
    return told % {"winner": winner}


def asked(state: State, people: People) -> str:
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
            return gettext("%(name)s answers, or draws %(cards)s") % words
        case "draw":
            return gettext("%(name)s has to draw %(cards)s") % words
        case "show":
            return gettext("Count the cards that are left")
    return outcome(state, people)


def outcome(state: State, people: People) -> str:
    """Who has won a game that is over."""
    if state.winner is not None:
        winner = people.names[state.winner]
    else:
        winner = people.teams.get(state.team or "", "")
    return gettext("%(winner)s wins") % {"winner": winner} if winner else gettext("Nobody wins")
