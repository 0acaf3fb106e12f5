"""A round of paper slips at the desk: one row a game, each with what was typed for it and what became of it.

A winner is typed as a letter or a number. Letters (A, B, C) are the sides as the match has them, numbers (1,
2) the sides of this game. Behind it stands F for a forfeit or T for the bell. T alone: the bell rang and
nobody won. X: the game was abandoned.

Where a game ranks its sides all of them are typed, the first one first; = stands between two who share a
place (AB=CD). With a dash behind them (AB-) the others weren't there. T behind all that is the bell.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from string import ascii_uppercase
from typing import Final, Self
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.ending_input import ABSENT, ShownEnding, absent_sides, ending_of, points_of, ranked_ending
from desk.game_outcome_text import outcome_sentence
from desk.stage_squads import players_of
from games.engine import Ruleset
from games.models import Seat
from games.outcome import NO_POINTS, Outcome
from people.display_names import NameBook
from people.models import Team
from tournaments.models import Match, MatchGame, Tournament
from tournaments.projections.removed_squads import why_left
from tournaments.queries.match_views import MatchProgress, MatchView
from tournaments.queries.matches import load_matches

FORFEIT: Final = "F"
BELL: Final = "T"
ABANDONED: Final = "X"
_HOW = {"": "result", FORFEIT: "forfeit", BELL: "time"}
_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_TYPED_FIELD: Final = re.compile(rf"(?:winner|points)-(?P<game>{_UUID})(?:-[0-9]+)?")
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class SlipSide:
    """A side of a game: its letter in the match, its number in the game, its team and players. `left` says in
    words why it doesn't play on.
    """

    letter: str
    number: int
    team: Team
    players: str
    left: str = ""


@dataclass(frozen=True, slots=True)
class SlipSeat:
    """A seat whose points are counted, with what was typed for it."""

    number: int
    name: str
    typed: str = ""


@dataclass(frozen=True, slots=True)
class PrintedSlip:
    """One game of the round. `outcome` says how it stands where it is over; `wrong` what can't be stored of
    what was typed. `is_new` is true of what was just stored.
    """

    game: MatchGame
    match: MatchView
    sides: tuple[SlipSide, ...]
    seats: tuple[SlipSeat, ...]
    outcome: str
    typed: str = ""
    wrong: str = ""
    is_new: bool = False

    @property
    def is_locked(self) -> bool:
        """Whether a result is there, so that only a correction can change it."""
        return bool(self.game.game.is_over)

    @property
    def version(self) -> int:
        """How far the game's log is."""
        return int(self.game.game.version)

    @property
    def answers(self) -> str:
        """What can be typed for a winner, as letters."""
        return "".join(side.letter for side in self.sides)

    @property
    def name(self) -> str:
        """Table, game and sides in words, for a row whose game may be gone once the form is sent."""
        words = {
            "table": self.match.table.number,
            "game": self.game.number,
            "sides": ", ".join(f"{side.letter} {side.players}" for side in self.sides),
        }
        return _("Table %(table)d, game %(game)d: %(sides)s") % words

    @property
    def ranks_sides(self) -> bool:
        """Whether the order of all sides is typed."""
        return self.match.ranks_sides

    @property
    def is_empty(self) -> bool:
        """Whether nothing is typed in it."""
        return not any(text.strip() for text in (self.typed, *(seat.typed for seat in self.seats)))

    def filled_in(self, data: Mapping[str, str]) -> Self:
        """The row with what a form brings for it."""
        game_id = self.game.game_id
        seats = [replace(seat, typed=data.get(f"points-{game_id}-{seat.number}", "")) for seat in self.seats]
        return replace(self, typed=data.get(f"winner-{game_id}", ""), seats=tuple(seats))


@dataclass(frozen=True, slots=True)
class LostSlip:
    """A row that was typed in for a game that isn't in the round any more. It says which game that was, what
    was typed, and why it isn't stored.
    """

    name: str
    typed: str
    wrong: str


class SlipSheet:
    """The slips of a round, loaded with as many queries for one game as for a hundred."""

    def __init__(self, tournament: Tournament, number: int, book: NameBook) -> None:
        self.tournament = tournament
        self.teams = tournament.event.teams.in_bulk()
        in_round = Match.objects.filter(stage__tournament=tournament, round=number)
        self.matches = load_matches(in_round)
        self.seats = _seats(tournament, number)
        rows = MatchGame.objects.filter(match__in=in_round).select_related(
            "game", "match__table", "match__stage__tournament__event"
        )
        self.games = {row.game_id: row for row in rows}
        self.slips = [slip for match in self.matches for slip in self._slips(match, book)]

    def _slips(self, match: MatchView, book: NameBook) -> Iterable[PrintedSlip]:
        for view in match.games:
            if not view.is_needed or view.id not in self.games:
                continue
            game = self.games[view.id]
            sides = tuple(
                SlipSide(
                    ascii_uppercase[index], number, side.team, players_of(side, book), why_left(side.left)
                )
                for number, index in enumerate(view.sides, start=1)
                for side in (match.sides[index],)
            )
            counted = self.ruleset(game).scoring != NO_POINTS
            seats = self.seats.get(view.id, ()) if counted else ()
            is_over = view.progress is MatchProgress.DONE
            yield PrintedSlip(
                game,
                match,
                sides,
                tuple(SlipSeat(seat.number, book[seat.entry]) for seat in seats),
                self.outcome(game) if is_over else "",
            )

    def lost(self, data: Mapping[str, str]) -> list[LostSlip]:
        """What a form brings for games that have no row here any more, in the order of its fields."""
        typed: dict[str, list[str]] = {}
        for field, text in data.items():
            found = _TYPED_FIELD.fullmatch(field)
            if found and text.strip():
                typed.setdefault(found["game"], []).append(text.strip())
        here = {str(slip.game.game_id) for slip in self.slips}
        replaced = _(
            "The draw has changed, and this match is no part of it now. Nothing of this row was stored."
        )
        surplus = _("The match is decided without this game. Nothing of this row was stored.")
        return [
            LostSlip(
                data.get(f"name-{game}", "")[:_LONGEST],
                ", ".join(texts)[:_LONGEST],
                surplus if UUID(game) in self.games else replaced,
            )
            for game, texts in typed.items()
            if game not in here
        ]

    def ruleset(self, game: MatchGame) -> Ruleset:
        """The rules of a game."""
        return Ruleset.from_json(game.game.ruleset)

    def outcome(self, game: MatchGame) -> str:
        """How a game ended, in words."""
        return outcome_sentence(Outcome.of_row(game.game), self.teams, game)

    def read(self, slip: PrintedSlip) -> ShownEnding | str:
        """What was typed in a row, or a sentence on what is wrong with it."""
        asked = order_of(slip) if slip.ranks_sides else winner_of(slip)
        if asked is None:
            words = {"typed": slip.typed.strip()[:12], "expected": expected(slip)}
            return _("“%(typed)s” says nothing here: %(expected)s.") % words
        how, said = asked
        seats = self.seats.get(slip.game.game_id, [])
        typed = {seat.number: seat.typed for seat in slip.seats}
        absent = absent_sides({} if isinstance(said, str) else said, typed, len(slip.sides))
        numbers = [seat.number for seat in seats]
        points = points_of(typed, self.ruleset(slip.game), numbers, absent, len(slip.sides))
        if isinstance(points, str):
            return points
        if isinstance(said, str):
            by_seat = [(seat.number, seat.team) for seat in seats]
            return ending_of(how, said, by_seat, len(slip.sides), points, absent)
        return ranked_ending(how, said, self.ruleset(slip.game), len(seats), points, absent)


def winner_of(slip: PrintedSlip) -> tuple[str, str] | None:
    """How the game ended and the number of the side that won, from 0, as text (empty for nobody); None for
    what can't be read.
    """
    text = "".join(slip.typed.split()).upper()
    if text in ("", BELL):
        return ("time" if text else "result"), ""
    if text == ABANDONED:
        return "abandoned", ""
    who, how = text[:1], text[1:]
    if how not in _HOW:
        return None
    for position, side in enumerate(slip.sides):
        if who in (side.letter, str(side.number)):
            return _HOW[how], str(position)
    return None


def order_of(slip: PrintedSlip) -> tuple[str, dict[int, str]] | None:
    """How the game ended, and what stands for the place of each side, from 0; None for what can't be read."""
    text = "".join(slip.typed.split()).upper()
    nothing = dict.fromkeys(range(len(slip.sides)), "")
    if text in ("", ABANDONED):
        return ("abandoned" if text else "result"), nothing
    how = "time" if text.endswith(BELL) else "result"
    text = text.removesuffix(BELL)
    has_absent = text.endswith(ABSENT)
    named = {key: at for at, side in enumerate(slip.sides) for key in (side.letter, str(side.number))}
    places: dict[int, str] = {}
    for level in _levels(text.rstrip("".join(ABSENT))):
        place = str(1 + len(places))
        if not level or not set(level) <= named.keys():
            return None
        for key in level:
            if named[key] in places:
                return None
            places[named[key]] = place
    # A dash alone is no forfeit: so people write "not yet", too.
    if not places or (not has_absent and len(places) < len(slip.sides)):
        return None
    return how, {position: places.get(position, ABSENT[0]) for position in nothing}


def _levels(text: str) -> list[str]:
    """Who shares a place together: `AB=CD` is A, BC, D. An empty one where = doesn't stand between two."""
    levels: list[str] = []
    is_shared = False
    for sign in text:
        if sign == "=":
            if is_shared or not levels:
                return [""]
            is_shared = True
        elif is_shared:
            levels[-1] += sign
            is_shared = False
        else:
            levels.append(sign)
    return [*levels, ""] if is_shared else levels


def expected(slip: PrintedSlip) -> str:
    """What a row takes, in words."""
    letters = ", ".join(slip.answers)
    if slip.ranks_sides:
        told = _(
            "expected all of %(letters)s, the first one first, = between two who share a place, or - behind "
            "those who were there"
        )
        return told % {"letters": letters}
    return _("expected one of %(letters)s, alone or with F or T behind it, or T, or X") % {"letters": letters}


def counted(slips: Sequence[PrintedSlip]) -> str:
    """How many were stored, in a sentence."""
    count = sum(slip.is_new for slip in slips)
    words = ngettext("%(count)d result is entered.", "%(count)d results are entered.", count)
    return words % {"count": count}


def _seats(tournament: Tournament, number: int) -> dict[UUID, list[Seat]]:
    """The seats of a round's games, by game; one query."""
    rows = Seat.objects.filter(
        game__match_game__match__stage__tournament=tournament, game__match_game__match__round=number
    ).order_by("game", "number")
    return {game: list(seats) for game, seats in groupby(rows, key=lambda seat: seat.game_id)}
