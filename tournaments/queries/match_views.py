"""Views of matches, their games, waves and rounds: what pages and programs read of them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Any
from uuid import UUID

from people.models import Entry, Team
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.match_lengths import GameEnd, Length, MatchKind
from tournaments.formats.table_result import ResultKind
from tournaments.models import (
    Place,
    Stage,
    Table,
    Tournament,
)
from tournaments.projections.counted_ends import end_of
from tournaments.queries.match_state import DayMatch, DayState, state_of
from tournaments.queries.round_names import part_name, round_name
from tournaments.settings.confirmation import DISPUTES, Check
from tournaments.settings.stage import stage_format, stage_kind


class MatchProgress(StrEnum):
    """How far a game, a match or a round is."""

    WAITING = "waiting"
    PLAYING = "playing"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class GameView:
    """One game of a match. `sides` are indices into the match's sides; `winner` is the winning team, if any,
    and `winning_side` its index. `is_shared`: the bell ended it, nobody won, and by the tournament's rule
    each side has a point. `points` are what the rules of the game count, of each of `sides`; None where
    nobody knows. `places` are those of `sides`, where the format ranks them; None where nobody knows.
    `is_needed`: False for a game that its match was decided without. It isn't over, or it was played before a
    correction ended the match sooner, and doesn't count. `check` is how far its result has come where results
    have to be confirmed, `dispute` the code of why it was disputed last. `is_unplayed`: it was forfeited
    before anybody began it. `is_annulled`: it counts for nobody, as a side of it was removed. At a table of
    many it counts for the others.
    `is_set_aside`: the engine can't follow its log, and takes nothing but a result from paper, which
    `is_from_paper` then says.
    """

    id: UUID
    number: int
    sides: tuple[int, ...]
    progress: MatchProgress
    version: int
    closed_by: str
    winner: Team | None
    is_shared: bool
    points: tuple[int, ...] | None
    winning_side: int | None = None
    is_needed: bool = True
    check: Check = Check.NOTHING
    dispute: str = ""
    is_unplayed: bool = False
    is_annulled: bool = False
    places: tuple[int, ...] | None = None
    is_set_aside: bool = False
    is_from_paper: bool = False

    @property
    def end(self) -> GameEnd:
        """How it counts for its match, of one that is over."""
        return end_of(self.winning_side, self.closed_by, is_shared=self.is_shared)

    @property
    def disputed_for(self) -> str:
        """Why it is disputed, in words; empty unless it is."""
        return str(DISPUTES.get(self.dispute, "")) if self.check is Check.DISPUTED else ""

    @property
    def is_surplus(self) -> bool:
        """Whether something was written in it though its match was decided without it."""
        return self.progress is not MatchProgress.WAITING and not self.is_needed

    @property
    def is_left_out(self) -> bool:
        """Whether pages say of it that it doesn't count, however it ends: it is surplus, or annulled."""
        return self.is_surplus or self.is_annulled

    @property
    def is_listed(self) -> bool:
        """Whether pages show it among the games of its match."""
        return self.is_needed or self.is_surplus

    @property
    def counts(self) -> bool:
        """Whether it is over, needed, not annulled, and confirmed where it has to be."""
        counts = self.is_needed and not self.is_annulled and self.check.counts
        return self.progress is MatchProgress.DONE and counts


@dataclass(frozen=True, slots=True)
class SideView:
    """One side of a match: a team's squad, its entries, and its points in this match. These are one for each
    game that it won or shared, if the result counts. `is_annulled`: no result counts against it, as it was
    removed. `place` and `table_points` are what it came to at a table of many, and what that adds to its
    points in the standings. They are None before the result counts, and in other matches. A table that was
    broken off has no places.
    `is_absent`: it wasn't at a table of many; until that has a result, it is noted that it won't be.
    `left` is why it doesn't play on in the stage (of `GONE_REASONS`), empty if it does.

    Where a reserve took a place, `entries` are those who sat in this match and who is still to sit in it.
    """

    squad_id: UUID
    team: Team
    squad: int
    entries: tuple[Entry, ...]
    points: int
    is_annulled: bool = False
    is_absent: bool = False
    place: int | None = None
    table_points: Fraction | None = None
    left: str = ""


@dataclass(frozen=True, slots=True)
class MatchView:
    """One match at its table, drawn in the stage of the number `stage`.

    `slot` is its place in a round that has a title, else empty; `place` its place in the event's
    timetable, None where it has none.

    `is_outdated`: after a correction others would meet in a bracket than were drawn here.
    `called_at` is when its players were called last, None if they weren't; `call_version` counts the changes
    of that. `round_title` and `round_values` are the msgid and values of a drawn round that has a title.
    """

    id: UUID
    tournament: Tournament
    round: int
    wave: int
    table: Table
    sides: tuple[SideView, ...]
    games: tuple[GameView, ...]
    slot: str = ""
    stage: int = 1
    drawn_in: Stage | None = None
    place: Place | None = None
    called_at: datetime | None = None
    call_version: int = 0
    round_title: str = ""
    round_values: Mapping[str, Any] = field(default_factory=dict)
    is_outdated: bool = False

    @property
    def is_upheld(self) -> bool:
        """Whether it is outdated and stands as it was played, since its tournament was closed."""
        return self.is_outdated and self.tournament.status == Tournament.Status.CLOSED

    @property
    def round_name(self) -> str:
        """What is played in it, in the reader's language: "Third place", "Semi-finals", or "Round 3"."""
        return round_name(self.round, self.round_title, self.round_values, self.slot)

    @property
    def part_name(self) -> str:
        """What is played in it where its round has matches of several kinds, such as final and third place;
        else empty.
        """
        return part_name(self.round_title, self.round_values, self.slot)

    @property
    def round_seen(self) -> tuple[Hashable, ...]:
        """What its round's name is made of, in no language."""
        return self.round_title, tuple(sorted(self.round_values.items())), self.slot

    @property
    def has_locked_place(self) -> bool:
        """Whether it stays where it is when the timetable is worked out anew."""
        return self.place is not None and self.place.is_locked

    @property
    def is_called(self) -> bool:
        """Whether its players were called and haven't begun."""
        return self.called_at is not None and self.progress is MatchProgress.WAITING

    @property
    def state(self) -> DayState:
        """How it stands by itself; of one that waits the day says whether it is next, or late."""
        progress = self.progress
        return state_of(
            self.check,
            is_begun=progress is not MatchProgress.WAITING,
            is_over=progress is MatchProgress.DONE,
            is_called=self.is_called,
        )

    @property
    def players(self) -> frozenset[UUID]:
        """Who sits down, as persons."""
        return frozenset(entry.person_id or entry.pk for side in self.sides for entry in side.entries)

    def in_day(self, begins_at: datetime | None) -> DayMatch:
        """The match among the others of the day; `begins_at` is its hour."""
        is_on = self.is_called or self.progress is MatchProgress.PLAYING
        return DayMatch(self.table.pk, self.state, is_on, self.players, begins_at)

    @property
    def progress(self) -> MatchProgress:
        """Waiting until the first game is begun, done when all that are needed are over.

        A game that was forfeited before anybody began it doesn't begin the match.
        """
        needed = [game for game in self.games if game.is_needed]
        if all(game.progress is MatchProgress.DONE for game in needed):
            return MatchProgress.DONE
        if all(game.progress is MatchProgress.WAITING or game.is_unplayed for game in needed):
            return MatchProgress.WAITING
        return MatchProgress.PLAYING

    @property
    def kind(self) -> MatchKind | None:
        """What ends it; None of one that isn't drawn, as at the practice table."""
        return None if self.drawn_in is None else stage_kind(self.drawn_in)

    @property
    def result_kind(self) -> ResultKind:
        """What its format takes from a game."""
        return ResultKind.WINNER if self.drawn_in is None else stage_format(self.drawn_in).result_kind

    @property
    def ranks_sides(self) -> bool:
        """Whether its game ranks its sides, in place of having a winner."""
        return self.result_kind is ResultKind.PLACES

    @property
    def adds_points(self) -> bool:
        """Whether it is one game at a table of many, of which each side has `table_points`."""
        return self.drawn_in is not None and FORMATS[self.drawn_in.format].adds_points

    @property
    def plays_on_without(self) -> bool:
        """Whether it is played on without who isn't there; see `Format`."""
        return self.drawn_in is not None and stage_format(self.drawn_in).plays_on_without

    @property
    def counts_cards(self) -> bool:
        """Whether its points are those of the cards left in hand, and low is good."""
        return self.result_kind is ResultKind.POINTS

    @property
    def is_mini_tournament(self) -> bool:
        """Whether all its games are played in any case, between more than one pair of seats."""
        return self.kind is None or self.kind.plays_all

    @property
    def counts_games(self) -> bool:
        """Whether its score counts games that were won, as in a best of three, and not points."""
        is_best_of = self.kind is not None and self.kind.length is Length.BEST_OF and self.kind.games > 1
        # A shared game is a point for both, and nobody has won it.
        return is_best_of and not any(game.is_shared for game in self.games)

    @property
    def is_walkover(self) -> bool:
        """Whether it is over without a game that anybody played."""
        needed = [game for game in self.games if game.is_needed]
        return self.progress is MatchProgress.DONE and all(game.closed_by == "forfeit" for game in needed)

    @property
    def is_broken_off(self) -> bool:
        """Whether it is a table of many whose game was abandoned, and that counts."""
        return self.adds_points and any(game.counts and game.closed_by == "abandoned" for game in self.games)

    @property
    def gives_mean(self) -> bool:
        """Whether it was broken off and gives each side the mean."""
        return self.is_broken_off and any(side.table_points for side in self.sides)

    @property
    def is_annulled(self) -> bool:
        """Whether none of its games counts, since a side of each was removed so."""
        return bool(self.games) and all(game.is_annulled for game in self.games)

    @property
    def has_annulled(self) -> bool:
        """Whether it doesn't count for one of its sides at least, which was removed."""
        return any(side.is_annulled for side in self.sides)

    @property
    def check(self) -> Check:
        """The furthest from counting that any of its results is: disputed, then to be confirmed."""
        found = {game.check for game in self.games}
        order = (Check.DISPUTED, Check.WAITING, Check.CONFIRMED)
        return next((each for each in order if each in found), Check.NOTHING)

    @property
    def is_provisional(self) -> bool:
        """Whether it is over by results of which some don't count yet."""
        needed = [game for game in self.games if game.is_needed]
        return self.progress is MatchProgress.DONE and not all(game.check.counts for game in needed)

    def next_game(self) -> GameView | None:
        """The first game that isn't over; None when all that are needed are."""
        open_ = (game for game in self.games if game.is_needed and game.progress is not MatchProgress.DONE)
        return next(open_, None)


@dataclass(frozen=True, slots=True)
class WaveView:
    """Matches that are played at the same time."""

    number: int
    matches: tuple[MatchView, ...]


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round with its waves."""

    number: int
    waves: tuple[WaveView, ...]

    @property
    def name(self) -> str:
        """What the round is called, in the reader's language: "Final and third place", or "Round 3"."""
        first = self.waves[0].matches[0]
        return round_name(self.number, first.round_title, first.round_values)

    @property
    def progress(self) -> MatchProgress:
        """As its matches are; a walkover doesn't begin the round."""
        matches = [match for wave in self.waves for match in wave.matches]
        if all(match.progress is MatchProgress.DONE for match in matches):
            return MatchProgress.DONE
        if all(match.progress is MatchProgress.WAITING or match.is_walkover for match in matches):
            return MatchProgress.WAITING
        return MatchProgress.PLAYING


def in_rounds(matches: Iterable[MatchView]) -> list[RoundView]:
    """Matches in any order, by round and wave."""
    listed = sorted(matches, key=lambda match: (match.round, match.wave, match.table.number))
    return [
        RoundView(
            number,
            tuple(
                WaveView(wave, tuple(at_once))
                for wave, at_once in groupby(of_round, key=lambda match: match.wave)
            ),
        )
        for number, of_round in groupby(listed, key=lambda match: match.round)
    ]


def match_on(matches: Sequence[MatchView]) -> MatchView | None:
    """The match that is on, of a table's: the first that isn't done; None when all are."""
    return next((match for match in matches if match.progress is not MatchProgress.DONE), None)
