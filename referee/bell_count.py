"""Count of the hands after the bell: the form that a referee fills in, and who has won by it."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import State, rules_sheet
from games.engine.cards import POINTS, reachable_points
from games.engine.rules_sheet import RulesTableRow
from people.models import Team
from people.number_parsing import whole_number
from referee.sentences import cards_word
from referee.table_game import TableGame
from rendering.text.active_language import reader_language
from tournaments.settings.bell import bell_rule
from tournaments.standings import BellVerdict, by_bell


@dataclass(slots=True)
class Hand:
    """A seat's row of the form: what stands in its fields, and what is wrong with it.

    `points` is None as long as nobody asks for them.
    """

    seat: int
    name: str
    team: Team
    cards: str
    points: str | None = None
    wrong_cards: str = ""
    wrong_points: str = ""


@dataclass(slots=True)
class BellCount:
    """The whole form. `verdict`, by sides, is None until the cards of all hands are there; `wrong` is about
    all hands together.
    """

    hands: list[Hand]
    verdict: BellVerdict[int] | None = None
    wrong: str = ""

    def filled(self) -> str:
        """What is filled in, as an address says it."""
        cards = [(f"cards-{hand.seat}", hand.cards) for hand in self.hands]
        points = [(f"points-{hand.seat}", hand.points) for hand in self.hands if hand.points]
        return urlencode([*cards, *points])

    @property
    def has_wrong(self) -> bool:
        """Whether anything was filled in that can't be."""
        return bool(self.wrong) or any(hand.wrong_cards or hand.wrong_points for hand in self.hands)


def count(found: TableGame, query: Mapping[str, str]) -> BellCount:
    """The form as `query` fills it in: `cards-<seat>`, and `points-<seat>` of those who are level.

    Where the cards are written down, the number in each hand is known and stands there from the beginning.
    """
    state = found.state
    known = {seat: str(state.held(seat)) if state.deal else "" for seat in state.active()}
    is_sent = any(name.startswith("cards-") for name in query)
    hands = [
        Hand(seat, name, team, query.get(f"cards-{seat}", "") if is_sent else known[seat])
        for seat, name, team in found.seated(state.active())
    ]
    counted = BellCount(hands)
    if not is_sent:
        return counted
    cards = _cards(counted, state)
    if counted.has_wrong:
        return counted
    sides = {hand.seat: hand.seat % len(found.match_game.sides) for hand in hands}
    level = by_bell(sides, cards).asked
    points = _points([hand for hand in hands if hand.seat in level], cards, state, query)
    counted.verdict = by_bell(sides, cards, points)
    return counted


def card_values(found: TableGame) -> tuple[RulesTableRow, ...]:
    """What each kind of card counts, in the words of the tournament's rules sheet."""
    bell = bell_rule(found.match.stage.tournament.settings)
    sheet = rules_sheet(found.state.ruleset, reader_language(), bell)
    return next(section.values for section in sheet.sections if section.values and section.values[0].cards)


def cards_of(query: Mapping[str, str], seat: int) -> int | None:
    """The cards of a seat as `query` has them filled in; None where no number is."""
    return whole_number(query.get(f"cards-{seat}", "").strip())


def _cards(counted: BellCount, state: State) -> dict[int, int]:
    """The cards of each hand; what can't be is said at its place."""
    pack = sum(state.limit.values())
    # Who has no cards has won where that ends the game; elsewhere a bell can ring between two deals.
    ends = state.ruleset.after_out == "game_ends"
    cards: dict[int, int] = {}
    for hand in counted.hands:
        number = whole_number(hand.cards.strip())
        if number == 0 and ends:
            hand.wrong_cards = _("Who has no cards left has won: enter that, not the bell.")
        elif number is None or number > pack:
            hand.wrong_cards = _("A whole number from %(low)d to %(high)d is expected.") % {
                "low": int(ends),
                "high": pack,
            }
        else:
            cards[hand.seat] = number
    together = sum(cards.values())
    if together > pack and not counted.has_wrong:
        counted.wrong = _("Together these are %(count)d cards, and there are only %(pack)d: count again.") % {
            "count": together,
            "pack": pack,
        }
    return cards


def _points(
    level: list[Hand], cards: Mapping[int, int], state: State, query: Mapping[str, str]
) -> dict[int, int]:
    """The points of those who are level in cards, as far as they are there; the others aren't asked."""
    copies: dict[int, int] = {}
    for card, count_ in state.limit.items():
        copies[POINTS[card]] = copies.get(POINTS[card], 0) + count_
    points: dict[int, int] = {}
    for hand in level:
        hand.points = query.get(f"points-{hand.seat}", "")
        if f"points-{hand.seat}" not in query:
            continue
        held = cards[hand.seat]
        mask = reachable_points(copies, held)
        number = whole_number(hand.points.strip())
        if number is None:
            hand.wrong_points = _("A whole number from %(low)d to %(high)d is expected.") % {
                "low": (mask & -mask).bit_length() - 1,
                "high": mask.bit_length() - 1,
            }
        elif not mask >> number & 1:
            hand.wrong_points = ngettext(
                "%(cards)s can’t make %(count)d point: count again.",
                "%(cards)s can’t make %(count)d points: count again.",
                number,
            ) % {"cards": cards_word(held), "count": number}
        else:
            points[hand.seat] = number
    return points
