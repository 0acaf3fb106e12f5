"""A bracket as pages show it: names, banners and words in the reader's language, for the drawing and for the
list that says the same."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext, pgettext

from rendering.components.component_inputs import LookTeam, look
from rendering.components.states import STATES
from rendering.svg.bracket import BracketBox, BracketColumn, DrawnBracketSide
from tournaments.formats.elimination.display_sections import Section
from tournaments.formats.elimination.titles import Title
from tournaments.formats.elimination.tree import BracketMatch, Side
from tournaments.formats.format import PairingOutcome

_THIRD = "P3"


Scores = Mapping[str, Mapping[int, Fraction]]
"""The games won in each match, by its slot and the contestants' numbers."""


@dataclass(frozen=True)
class BracketSideShown:
    """How a contestant is shown: a name as the reader may see it, and the team whose banner stands before it.

    `left` says why it doesn't play on, if so.
    """

    name: str
    team: LookTeam | None = None
    left: str = ""

    @property
    def told(self) -> str:
        """The name in a sentence."""
        return f"{self.name} ({self.left})" if self.left else self.name


@dataclass(frozen=True)
class MatchLine:
    """A match in words: what it is called, what there is to say of it, and where its page is, if anywhere."""

    label: str
    sentence: str
    href: str = ""


@dataclass(frozen=True)
class RoundLines:
    """A round in words."""

    title: str
    matches: tuple[MatchLine, ...]


@dataclass(frozen=True)
class Piece:
    """What is seen of a bracket at once; without a title if that is all of it."""

    title: str
    columns: tuple[BracketColumn, ...]
    rounds: tuple[RoundLines, ...]


def pieces(
    sections: Sequence[Section],
    who: Mapping[int, BracketSideShown],
    links: Mapping[str, str] | None = None,
    scores: Scores | None = None,
    *,
    is_closed: bool = False,
) -> tuple[Piece, ...]:
    """The sections of a bracket, ready to be drawn and listed.

    `who` has every contestant by number, `links` the pages of matches by slot, `scores` their scores. Without
    scores a match has the points that it gave. Once its tournament `is_closed`, no match is decided anew.

    The match for the third place stands below the final.
    """
    return tuple(_Bracket(sections, who, links or {}, scores or {}, is_closed).pieces())


def says(title: Title) -> str:
    """A title in the reader's language."""
    return gettext(title.template) % dict(title.values)


class _Bracket:
    """What the words and boxes of one match need to know of the others."""

    def __init__(
        self,
        sections: Sequence[Section],
        who: Mapping[int, BracketSideShown],
        links: Mapping[str, str],
        scores: Scores,
        is_closed: bool,
    ) -> None:
        self.sections = sections
        self.who = who
        self.links = links
        self.scores = scores
        self.is_closed = is_closed
        self.matches = {
            match.slot: match for section in sections for each in section.rounds for match in each.matches
        }
        self.parts = {section.part.value for section in sections}
        last = "final" if "final" in self.parts else "winners"
        finals = [section for section in sections if section.part.value == last][-1:]
        self.crowned = [match.slot for each in finals for match in each.rounds[-1].matches]
        places = [section for section in sections if section.part.value == "places"]
        self.named = {slot for section in places for slot in _slots(section)}
        repeated = [each for section in finals if last == "final" for each in section.rounds[1:]]
        self.conditional = {match.slot for each in repeated for match in each.matches}
        # A section that holds nothing but the match for the third place is shown with the final.
        self.shown = [section for section in sections if _slots(section) != {_THIRD}]

    def pieces(self) -> Iterator[Piece]:
        for section in self.shown:
            own = _slots(section)
            with_final = not own.isdisjoint(self.crowned) and _THIRD in self.matches
            third = self.matches[_THIRD] if with_final else None
            rounds = [
                (says(each.title), [match for match in each.matches if match.slot != _THIRD])
                for each in section.rounds
            ]
            if third:
                rounds[-1][1].append(third)
            rounds = [(title, matches) for title, matches in rounds if matches]
            yield Piece(
                title=self._title(section) if len(self.shown) > 1 else "",
                columns=tuple(
                    BracketColumn(title, tuple(self._box(match, own) for match in matches))
                    for title, matches in rounds
                ),
                rounds=tuple(
                    RoundLines(title, tuple(self._line(match) for match in matches))
                    for title, matches in rounds
                ),
            )

    def _title(self, section: Section) -> str:
        values = {
            "number": section.number,
            "count": section.count,
            "first": section.rounds[0].number,
            "last": section.rounds[-1].number,
        }
        is_cut = sum(each.part.value == section.part.value and each.number == 1 for each in self.sections) > 1
        match section.part.value:
            case "final":
                said = gettext("Finals")
            case "places":
                said = gettext("Placement matches")
            case "winners" if "losers" not in self.parts:
                if section.count > 1:
                    said = gettext("Part %(number)d of %(count)d")
                else:
                    said = gettext("The last rounds") if is_cut else gettext("Main bracket")
            case part:
                said = _double_title(part == "winners", is_cut, section.count > 1)
        return said % values

    def _box(self, match: BracketMatch, drawn: set[str]) -> BracketBox:
        one, other = match.sides
        return BracketBox(
            key=match.slot,
            sides=(self._side(match, 0, drawn), self._side(match, 1, drawn)),
            after=(_within(one, drawn), _within(other, drawn)),
            label=self._label(match, drawn),
            note=str(STATES["upheld" if self.is_closed else "outdated"].word) if match.due else "",
            aside=match.slot == _THIRD,
            crown=match.slot in self.crowned,
            href=self.links.get(match.slot, ""),
        )

    def _label(self, match: BracketMatch, drawn: set[str]) -> str:
        """What is written above a box: nothing where its place says enough."""
        if match.slot in self.conditional and match.outcome is None:
            return pgettext("final", "only if needed")
        if match.slot in self.named or self._is_told(match.slot, drawn):
            return says(match.name)
        return ""

    def _is_told(self, slot: str, drawn: set[str]) -> bool:
        """Whether another box names this match, because no line of the drawing leads there."""
        return any(
            side.after == slot and side.contestant is None and (side.as_loser or match.slot not in drawn)
            for match in self.matches.values()
            for side in match.sides
        )

    def _side(self, match: BracketMatch, index: int, drawn: set[str]) -> DrawnBracketSide:
        side = match.sides[index]
        if side.contestant is None:
            return DrawnBracketSide("" if _within(side, drawn) else self._awaited(side), open=True)
        shown = self.who[side.contestant]
        score = ""
        if match.outcome is not None and not match.outcome.walkover:
            score = self._score(match, match.outcome, index)
        return DrawnBracketSide(
            name=shown.name,
            banner=look(shown.team) if shown.team else None,
            score=score,
            won=match.winner == side.contestant,
            left=shown.left,
        )

    def _score(self, match: BracketMatch, outcome: PairingOutcome, index: int) -> str:
        """What a side has of a match that is over: the games that it won, where they are known."""
        own = self.scores.get(match.slot, {}).get(match.sides[index].contestant or 0)
        return str(outcome.points[index] if own is None else own)

    def _awaited(self, side: Side) -> str:
        """Who will be there: "Winner of semi-final 1"."""
        if side.after is None:
            return pgettext("bracket", "open")
        name = says(self.matches[side.after].name)
        values = {"match": name[:1].lower() + name[1:]}
        if side.as_loser:
            return gettext("Loser of %(match)s") % values
        return gettext("Winner of %(match)s") % values

    def _called(self, side: Side) -> str:
        return self._awaited(side) if side.contestant is None else self.who[side.contestant].told

    def _line(self, match: BracketMatch) -> MatchLine:
        values = {"one": self._called(match.sides[0]), "other": self._called(match.sides[1])}
        if match.winner is not None and match.outcome is not None:
            won = next(index for index, side in enumerate(match.sides) if side.contestant == match.winner)
            first, second = (self._score(match, match.outcome, index) for index in (won, 1 - won))
            names = (values["one"], values["other"])
            values = {
                "winner": names[won],
                "loser": names[1 - won],
                "score": f"{first}–{second}",
            }
            if match.outcome.walkover:
                said = gettext("%(winner)s wins by walkover against %(loser)s.")
            else:
                said = gettext("%(winner)s beats %(loser)s %(score)s.")
        elif match.outcome is not None and match.outcome.walkover:
            said = gettext("Neither %(one)s nor %(other)s goes on.")
        else:
            said = gettext("%(one)s against %(other)s.")
        sentence = said % values
        if match.due and self.is_closed:
            sentence += " " + gettext("It was drawn before a correction, and stands as it was played.")
        elif match.due:
            sentence += " " + gettext("It was drawn before a correction, and is to be decided anew.")
        return MatchLine(says(match.name), sentence, self.links.get(match.slot, ""))


def _double_title(winners: bool, is_cut: bool, has_parts: bool) -> str:
    """What a piece of one of the two brackets is called."""
    if not is_cut:
        return gettext("Winners’ bracket") if winners else gettext("Losers’ bracket")
    if not has_parts:
        if winners:
            return gettext("Winners’ bracket, rounds %(first)d to %(last)d")
        return gettext("Losers’ bracket, rounds %(first)d to %(last)d")
    if winners:
        return gettext("Winners’ bracket, rounds %(first)d to %(last)d, part %(number)d of %(count)d")
    return gettext("Losers’ bracket, rounds %(first)d to %(last)d, part %(number)d of %(count)d")


def _slots(section: Section) -> set[str]:
    return {match.slot for each in section.rounds for match in each.matches}


def _within(side: Side, drawn: set[str]) -> str | None:
    """The match of the same drawing from which a line leads to this side."""
    return side.after if side.after in drawn and not side.as_loser else None
