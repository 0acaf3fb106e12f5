"""One game at a table with all that its pages show: who sits where, how it stands, what was entered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from uuid import UUID

from django.utils.translation import gettext as _

from games.corrections import CorrectionPlan
from games.engine import Event, Refusal, State, effective_log, replay
from games.engine.cards import WILDS
from games.engine.events import GameClosed, GameOpened
from games.engine.state import CUT, DEAL
from games.engine.telling import Part
from games.logbook import Written, opened_state
from games.models import Game, Seat
from games.outcome import Outcome
from games.stored_log import stored_log
from people.actors import Actor
from people.display_names import NameBook
from people.models import Team
from referee.batches import SentBatch, SentCorrection, write
from referee.rung_bell import rang_for
from referee.sentences import People, Why, entry_text, next_step_heading, why
from rendering.components.component_inputs import ShownSeat
from tournaments.commands import results
from tournaments.commands.table_absences import enter_without, who_has_left
from tournaments.formats.table_result import ResultKind
from tournaments.models import Match, MatchGame
from tournaments.projections.counted_ends import winning_side
from tournaments.queries.clocks import ClockView, clock_of
from tournaments.queries.confirmation import check
from tournaments.queries.matches import is_needed
from tournaments.settings.bell import bell_rule, is_shared
from tournaments.settings.confirmation import DISPUTES, Check, confirmation_rule
from tournaments.settings.stage import stage_format, stage_kind


@dataclass(frozen=True, slots=True)
class WinnerChoice:
    """Somebody who can have won: the banner, what stands beside it, and how an address says who it is."""

    team: Team
    label: str
    query: str


@dataclass(frozen=True, slots=True)
class ToldEntry:
    """An entry that holds: its line in the log, and how it is told."""

    line: int
    told: tuple[Part, ...]


class TableGame:
    """A game at the table of a request, to be read and to be written in. What isn't asked for isn't read."""

    def __init__(
        self,
        match_game: MatchGame,
        seats: Sequence[Seat],
        teams: Mapping[UUID, Team],
        names: NameBook | Mapping[UUID, str],
        round_title: str = "",
    ) -> None:
        self.match_game = match_game
        self.row: Game = match_game.game
        self.match: Match = match_game.match
        self.round_title = round_title
        """What is played in its match, where rounds have titles; else empty."""
        self._seats = tuple(seats)
        self.teams = tuple(teams[team] for team in dict.fromkeys(seat.team for seat in seats))
        self.seat_teams = tuple(teams[seat.team] for seat in seats)
        entries = [seat.entry for seat in seats]
        self.seat_names = tuple(names[each] for each in entries)
        """Names that stand beside a banner; those of `people` are told apart without."""
        apart = names.at_table(entries) if isinstance(names, NameBook) else self.seat_names
        team_names = {str(key): team.name for key, team in teams.items()}
        absent = tuple(sorted(match_game.match.absent_sides()))
        self.people = People(tuple(apart), team_names, len(match_game.sides), absent)

    @cached_property
    def state(self) -> State:
        """How the game stands; one that wasn't begun stands as its opening will leave it."""
        return opened_state(self.row, self._seats)

    @property
    def where(self) -> str:
        """Its table and its number: what stands above its pages."""
        values = {"number": self.match.table.number, "game": self.match_game.number}
        return _("Table %(number)s · game %(game)s") % values

    @property
    def where_in_full(self) -> str:
        """Its table, its round and its number."""
        match = self.match
        values = {"number": match.table.number, "round": match.round, "game": self.match_game.number}
        if self.round_title:
            return _("Table %(number)s · %(title)s · game %(game)s") % {**values, "title": self.round_title}
        return _("Table %(number)s · round %(round)s · game %(game)s") % values

    @cached_property
    def standing(self) -> list[tuple[int, Event]]:
        """The log as it holds, with the lines."""
        return effective_log(stored_log(self.row.pk))

    @cached_property
    def clock(self) -> ClockView | None:
        """The clock that its tournament's tables share; None where nothing is shared."""
        return clock_of(self.match.stage.tournament)

    def rang(self) -> bool:
        """Whether the bell ends this game; a query once it has rung."""
        return self.clock is not None and rang_for(
            self.clock, self.match.pk, self.match.round, self.match.wave
        )

    def write(self, actor: Actor, batch: SentBatch) -> Written:
        """Enter a batch as far as it is legal; raises as `batches.write` does. Practice overrides it."""
        return write(self.match_game, actor, batch)

    def correct(self, actor: Actor, correction: SentCorrection) -> Written:
        """Enter a correction; raises as `tournaments.commands.results.correct` does."""
        correct = partial(
            results.correct,
            self.match_game,
            actor,
            correction.line,
            correction.replacement,
            correction.reason,
            expected_version=correction.version,
            client_id=correction.id,
        )
        absent = None if correction.replacement else who_has_left(self.match_game)
        return enter_without(self.match_game, actor, absent, correction.replacement, correct)

    def preview(self, actor: Actor, line: int, right: Sequence[object], reason: str) -> CorrectionPlan:
        """What a correction would do; stores nothing. Raises `Refusal`, and `Refused`."""
        return results.preview_correction(self.match_game, actor, line, right, reason)

    @property
    def entered(self) -> list[tuple[int, Event]]:
        """What was entered and holds; without the opening, which nobody entered."""
        return [(line, event) for line, event in self.standing if not isinstance(event, GameOpened)]

    def entry(self, line: int) -> tuple[int, Event] | None:
        """The entry of a line; None if there is none that holds."""
        return next((each for each in self.entered if each[0] == line), None)

    def before(self, line: int) -> State:
        """How the game stood before a line."""
        return replay([event for each, event in self.standing if each < line])

    @property
    def last(self) -> ToldEntry | None:
        """What was entered last and holds."""
        return self.told(self.entered[-1:])[0] if self.entered else None

    def told(self, entries: Sequence[tuple[int, Event]]) -> list[ToldEntry]:
        """Entries in words."""
        return [ToldEntry(line, entry_text(event, self.people).parts) for line, event in entries]

    def why(self, refusal: Refusal | None) -> Why | None:
        """Why something can't be entered, in words."""
        return None if refusal is None else why(refusal, self.people, self.state.ruleset)

    @cached_property
    def is_needed(self) -> bool:
        """Whether its match isn't decided without it; four queries where it could be, and it isn't over."""
        may_be_decided = stage_kind(self.match.stage).may_go_without(self.match_game.number)
        return self.row.is_over or not may_be_decided or is_needed(self.match_game)

    @property
    def is_by_cards(self) -> bool:
        """Whether somebody writes down the cards: more has been entered than how the game ended."""
        return self.row.version > 0 and any(not isinstance(event, GameClosed) for _, event in self.entered)

    @property
    def is_begun(self) -> bool:
        """Whether its first card or cut is written down; unlike `is_by_cards` it needs no log."""
        return self.state.phase != CUT or any(number is not None for number in self.state.cut.values())

    @property
    def is_closed_by_hand(self) -> bool:
        """Whether the last entry is the referee's closing, and not a last card."""
        return bool(self.entered) and isinstance(self.entered[-1][1], GameClosed)

    @property
    def asked(self) -> str:
        """What the game waits for; of a game that is over, how it ended."""
        if self.is_shared:
            return _("A point each")
        if self.ranks_sides and self.row.winner_seat is None and Outcome.of_row(self.row).places is not None:
            return _("The first place is shared")
        return next_step_heading(self.state, self.people)

    @property
    def is_shared(self) -> bool:
        """Whether the bell ended it and each side has a point."""
        bell = bell_rule(self.match.stage.tournament.settings)
        return is_shared(bell, self.row.closed_by, self.row.winner_team)

    @property
    def check(self) -> Check:
        """How far the result has come, where results have to be confirmed."""
        return check(self.match_game, confirmation_rule(self.match.stage.tournament.settings))

    @property
    def dispute(self) -> str:
        """What was said to be wrong with the result, in words."""
        return str(DISPUTES.get(self.match_game.dispute, ""))

    @property
    def mover(self) -> Team | None:
        """The team of whoever's move it is: children of two teams may be called alike."""
        turn = self.state.dealer if self.state.phase == DEAL else self.state.turn
        return None if turn is None else self.seat_teams[turn]

    @property
    def seats(self) -> list[ShownSeat]:
        """The seats as they are drawn; cards are counted once they are dealt."""
        state = self.state
        rows = zip(self.seat_names, self.seat_teams, strict=True)
        return [
            ShownSeat(
                name,
                team,
                state.held(seat) if state.deal else None,
                out=seat in state.left or (state.deal > 0 and seat == state.out),
            )
            for seat, (name, team) in enumerate(rows)
        ]

    @property
    def named_color(self) -> str | None:
        """The colour that was named with the wild on top."""
        return self.state.color if self.state.top in WILDS else None

    @cached_property
    def result_kind(self) -> ResultKind:
        """What its format takes from a game."""
        return stage_format(self.match.stage).result_kind

    @property
    def names_seats(self) -> bool:
        """Whether a winner is named by the seat: two sides are of one team, or it isn't the winner who
        decides.
        """
        return len(self.teams) < len(self.match_game.sides) or self.result_kind is not ResultKind.WINNER

    @property
    def adds_points(self) -> bool:
        """Whether the points of everybody at the table decide."""
        return self.result_kind is ResultKind.POINTS

    @cached_property
    def absent_seats(self) -> frozenset[int]:
        """The seats of whom it was noted that they aren't at a table of many; a query if there are any."""
        absent, sides = self.people.absent, len(self.match_game.sides)
        return frozenset(seat for seat in range(len(self.seat_teams)) if seat % sides in absent)

    @property
    def asks_absent(self) -> bool:
        """Whether it is asked beside everybody's points who wasn't there."""
        return self.adds_points and stage_format(self.match.stage).plays_on_without

    @property
    def ranks_sides(self) -> bool:
        """Whether the places of everybody at the table decide."""
        return self.result_kind is ResultKind.PLACES

    @property
    def choices(self) -> list[WinnerChoice]:
        """Who can be said to have won: a team, or somebody at the table where that wouldn't say who."""
        if not self.names_seats:
            return [WinnerChoice(team, team.short_name, f"team={team.pk}") for team in self.teams]
        return [
            WinnerChoice(team, name, f"team={team.pk}&seat={seat}")
            for seat, name, team in self.seated(range(len(self.seat_teams)))
        ]

    def side_of(self, seat: int | None, team: UUID | None) -> int | None:
        """The side that a seat or a team stands for, counted by first seats; None if that can't be told."""
        sides = range(len(self.match_game.sides))
        return winning_side(sides, [self.seat_teams[side].pk for side in sides], seat, team)

    def seated(self, seats: Iterable[int]) -> list[tuple[int, str, Team]]:
        """Seats with name and team."""
        return [(seat, self.people.names[seat], self.seat_teams[seat]) for seat in seats]

    def seats_of(self, team: Team) -> list[tuple[int, str]]:
        """A team's seats with their names."""
        return [
            (seat, self.people.names[seat]) for seat, other in enumerate(self.seat_teams) if other == team
        ]
