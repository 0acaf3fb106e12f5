"""Course of a stage: rounds from its facts, results from its games' outcomes."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Self
from uuid import UUID

from games.outcome import Figures
from games.outcome import Outcome as GameOutcome
from ledger.entries import StoredFact
from tournaments.facts import stages as stage_facts
from tournaments.formats import CannotDraw
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.choice import FormatChoice
from tournaments.formats.edits import ContestantSwap
from tournaments.formats.format import Format, PairingOutcome, PlayedRound, RoundPairing, StageProgress
from tournaments.formats.match_lengths import GameEnd, MatchKind, MatchState
from tournaments.formats.places_by_hand import placements
from tournaments.formats.points import MatchPoints
from tournaments.formats.record import StageRecord
from tournaments.formats.table_result import TableResult
from tournaments.projections.counted_ends import by_side, end_of, places_by_side, winning_side
from tournaments.projections.mini_tournament_games import DrawnGame
from tournaments.projections.removed_squads import Removal
from tournaments.settings.bell import is_shared
from tournaments.standings import RemovedPlace

Key = tuple[str, int]
"""A squad through all stages: the team's id and its number in the team."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a match: `number` from 1, contestants by seat, how it ended if it is over, its figures."""

    id: UUID
    number: int
    seats: tuple[int, ...]
    end: GameEnd | None
    figures: Figures | None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match as drawn, its games, and how it stands; `wave` and `table` are where it is played.

    `absent` are the contestants of whom it was noted that they aren't at their table.
    """

    id: UUID
    round: int
    pairing: RoundPairing
    wave: int
    table: int
    games: tuple[PlayedGame, ...]
    state: MatchState
    absent: frozenset[int] = frozenset()

    def counted_games(self) -> tuple[PlayedGame, ...]:
        """The games without those that a decided match doesn't need: still open, or, after a correction of
        an earlier one, played for nothing.
        """
        if self.state.outcome is None:
            return self.games
        ended = [game for game in self.games if game.end is not None]
        return tuple(ended[: len(ended) - self.state.surplus])

    def absent_at(self) -> frozenset[int]:
        """The indices of the sides of whom it was noted that they aren't at their table."""
        return frozenset(at for at, side in enumerate(self.pairing.sides) if side in self.absent)

    @property
    def is_begun(self) -> bool:
        """Whether any of its games is over (one that is being played isn't known here)."""
        return any(game.end is not None for game in self.games)


@dataclass(frozen=True, slots=True)
class StageHistory:
    """A stage so far. `squads` are as in its fact; a contestant's number is the place there, from 1.

    Who is gone is told by `progress`, and why by `left` (codes of `GONE_REASONS`); once a later stage is
    drawn, as it was then. `gone_before` tells it for each round, as it was when that was drawn.
    `annulled_before`: of whom all results counted for nobody then. `edits`: how each was changed by hand.
    `is_ended`: organizers ended it with the rounds that it has, since nothing could be drawn after them;
    `is_last`: no stage follows either. A round that is drawn after all takes that back.
    """

    stage: UUID
    number: int
    body: Mapping[str, Any]
    choice: FormatChoice
    format: Format
    kind: MatchKind
    squads: tuple[Mapping[str, Any], ...]
    matches: tuple[PlayedMatch, ...]
    progress: StageProgress
    gone_before: tuple[frozenset[int], ...]
    annulled_before: tuple[frozenset[int], ...]
    edits: tuple[tuple[ContestantSwap, ...], ...]
    is_ended: bool = False
    is_last: bool = False
    left: Mapping[int, str] = field(default_factory=dict)

    @property
    def seed(self) -> str:
        """The seed of the stage's draw."""
        return str(self.body["seed"])

    @property
    def rounds_before(self) -> int:
        """How many rounds the stages before have."""
        return int(self.body["rounds_before"])

    def record(self) -> StageRecord:
        """All that decides its rounds, by numbers alone: `to_json()` of it is what is published."""
        return StageRecord(
            self.choice,
            self.choice.complete(self.body["options"]),
            self.body["match"],
            self.seed,
            self.progress,
            self.gone_before,
            self.annulled_before,
            self.edits,
            self.body["method"],
        )

    def scores(self) -> dict[str, dict[int, Fraction]]:
        """The games won by each contestant in each match, by its slot; a game may be shared."""
        return {
            match.pairing.slot: dict(zip(match.pairing.sides, match.state.points, strict=False))
            for match in self.matches
        }

    def squad_id(self, number: int) -> UUID:
        """The id of a contestant's squad in this stage."""
        return stage_facts.squad_id(self.stage, number, self.squads[number - 1])

    def key(self, number: int) -> Key:
        """A contestant through all stages."""
        squad = self.squads[number - 1]
        return squad["team"], squad["number"]

    def number_of(self, key: Key) -> int | None:
        """A squad's number as a contestant of the stage; None if it isn't in it."""
        return next((at for at in range(1, len(self.squads) + 1) if self.key(at) == key), None)

    def is_finished(self) -> bool:
        """Whether all is drawn and decided, or all is decided and the stage was ended."""
        return (self.is_ended and self.progress.is_complete) or self.format.is_finished(self.progress)

    def is_all_drawn(self) -> bool:
        """Whether no further round is to be drawn, as far as can be told; by hand, whether all is entered."""
        if not self.choice.is_played:
            return self.is_finished()
        if self.is_ended:
            return True
        try:
            return self.format.next_round(self.progress, self.seed) is None
        except CannotDraw:
            return False


@dataclass
class _Stage:
    """A stage while its decisions are read."""

    body: dict[str, Any]
    squads: list[dict[str, Any]]
    rounds: list[dict[str, Any]] = field(default_factory=list)
    gone_at_end: Mapping[Key, Removal] | None = None
    placements: list[list[int]] | None = None
    extra: dict[str, int] = field(default_factory=dict)
    gone_before: dict[int, Mapping[Key, Removal]] = field(default_factory=dict)
    edits: dict[int, list[ContestantSwap]] = field(default_factory=dict)
    ends: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def end(self) -> Mapping[str, Any] | None:
        """How organizers ended it with the rounds that it has."""
        return next((end for end in reversed(self.ends) if end["rounds"] == len(self.rounds)), None)

    def substitute(self, body: Mapping[str, Any]) -> None:
        """Another entry sits in a squad from now on."""
        self.squads = [
            {**squad, "entries": [body["in"] if each == body["out"] else each for each in squad["entries"]]}
            if (squad["team"], squad["number"]) == (body["team"], body["squad"])
            else squad
            for squad in self.squads
        ]

    def sit_out(self, body: Mapping[str, Any], number: int, *, withdrawn: bool = False) -> None:
        """A squad asks to sit out a round, or doesn't any more."""
        for at, squad in enumerate(self.squads):
            if (squad["team"], squad["number"]) == (body["team"], body["squad"]):
                asked = {*squad.get("sits_out", ())}
                asked = asked - {number} if withdrawn else asked | {number}
                self.squads[at] = {**squad, "sits_out": sorted(asked)}

    def note_absence(self, body: Mapping[str, Any]) -> None:
        """A squad isn't at its tables in these rounds, whatever was noted of it before."""
        self.squads = [
            {**squad, "absent": body["rounds"]}
            if (squad["team"], squad["number"]) == (body["team"], body["squad"])
            else squad
            for squad in self.squads
        ]

    def leave(self, body: Mapping[str, Any]) -> None:
        """Who leaves asks for nothing in the rounds that aren't drawn yet."""
        for at, squad in enumerate(self.squads):
            if (squad["team"], squad["number"]) == (body["team"], body["squad"]) and squad.get("sits_out"):
                asked = [number for number in squad["sits_out"] if number <= len(self.rounds)]
                self.squads[at] = {**squad, "sits_out": asked}

    def draw(self, rounds: Iterable[dict[str, Any]], gone: Mapping[Key, Removal]) -> None:
        """Take rounds in, or in the place of those of the same numbers."""
        new = {each["number"]: each for each in rounds}
        by_number = {each["number"]: each for each in self.rounds} | new
        self.rounds = [by_number[number] for number in sorted(by_number)]
        # A round that is drawn anew is as it was drawn; one whose free seats are taken stays.
        drawn = [number for number, each in new.items() if not each.get("taken")]
        self.gone_before |= {number: dict(gone) for number in drawn}
        self.edits |= {number: [] for number in drawn}

    def edit(self, body: Mapping[str, Any]) -> None:
        """Two squads have changed places."""
        numbers = {(squad["team"], squad["number"]): at for at, squad in enumerate(self.squads, start=1)}
        one, other = (numbers[squad["team"], squad["squad"]] for squad in (body["one"], body["other"]))
        for at, each in enumerate(self.rounds):
            if each["number"] in body["rounds"]:
                self.rounds[at] = stage_facts.swapped(each, one, other)
                self.edits[each["number"]].append(ContestantSwap(one, other, body["reason"]))


@dataclass
class DrawnStages:
    """The stages of a tournament, first stage first, as decisions say."""

    _stages: dict[str, _Stage] = field(default_factory=dict)
    _gone: dict[Key, Removal] = field(default_factory=dict)

    @classmethod
    def of(cls, decisions: Iterable[StoredFact]) -> Self:
        """What decisions up to some moment say."""
        drawn = cls()
        for fact in decisions:
            _read(fact.type, fact.body, drawn._stages, drawn._gone)
        return drawn

    @property
    def format(self) -> FormatChoice | None:
        """The format of the stage that is on; None before the first."""
        on = next(reversed(self._stages.values()), None)
        return None if on is None else FORMATS[on.body["format"]]

    def is_gone(self, key: Key) -> bool:
        """Whether a squad was removed and isn't back."""
        return key in self._gone

    def sitting_out(self) -> dict[int, dict[Key, UUID]]:
        """By round that is drawn, counted through all stages, the squads that had asked to sit it out, with
        their ids.
        """
        return self._not_playing(lambda squad: squad.get("sits_out", ()))

    def coming_later(self) -> dict[int, dict[Key, UUID]]:
        """By round that is drawn, counted through all stages, the squads that came after it was drawn, with
        their ids.
        """
        return self._not_playing(lambda squad: range(1, squad["since"]))

    def _not_playing(
        self, rounds_of: Callable[[Mapping[str, Any]], Iterable[int]]
    ) -> dict[int, dict[Key, UUID]]:
        found: dict[int, dict[Key, UUID]] = {}
        for stage in self._stages.values():
            for at, squad in enumerate(stage.squads, start=1):
                for number in rounds_of(squad):
                    if number <= len(stage.rounds):
                        squads = found.setdefault(stage.body["rounds_before"] + number, {})
                        squads[squad["team"], squad["number"]] = stage_facts.squad_id(
                            UUID(stage.body["stage"]), at, squad
                        )
        return found

    def byes(self, formats: Collection[str]) -> dict[int, list[Key]]:
        """By round, counted through all stages, whom the draw left over in stages of these formats."""
        return {
            stage.body["rounds_before"] + each["number"]: [
                (squad["team"], squad["number"])
                for squad in (stage.squads[number - 1] for number in each["byes"])
            ]
            for stage in self._stages.values()
            if stage.body["format"] in formats
            for each in stage.rounds
        }

    def ended(self) -> dict[int, bool]:
        """By their last round, counted through all stages, the stages that organizers ended with the rounds
        played: whether no stage follows.
        """
        return {
            stage.body["rounds_before"] + len(stage.rounds): bool(stage.end["is_last"])
            for stage in self._stages.values()
            if stage.end is not None
        }

    @cached_property
    def teams(self) -> tuple[UUID, ...]:
        """The teams that take part in the first stage, in the order of their squads."""
        first = next(iter(self._stages.values()), None)
        squads = () if first is None else first.squads
        return tuple(UUID(team) for team in dict.fromkeys(squad["team"] for squad in squads))

    def games(self) -> tuple[DrawnGame, ...]:
        """The games that were drawn, with their sides' teams, stage after stage and round after round."""
        return tuple(
            DrawnGame(
                stage_facts.game_id(match_id, number),
                match_id,
                stage.body["rounds_before"] + each["number"],
                tuple(UUID(squad["team"]) for squad in playing),
                tuple(squad["number"] for squad in playing),
            )
            for stage in self._stages.values()
            for each in stage.rounds
            for match in each["matches"]
            for match_id in (stage_facts.id_of_match(UUID(stage.body["stage"]), match),)
            for number, seats in enumerate(match["games"], start=1)
            for playing in ([stage.squads[match["sides"][seat] - 1] for seat in seats],)
        )

    @cached_property
    def rounds(self) -> Mapping[UUID, int]:
        """The round of each game, counted through all stages; games that were added later among them."""
        return {
            stage_facts.game_id(match_id, number): stage.body["rounds_before"] + each["number"]
            for stage in self._stages.values()
            for each in stage.rounds
            for match in each["matches"]
            for match_id in (stage_facts.id_of_match(UUID(stage.body["stage"]), match),)
            for number in range(1, max(len(match["games"]), stage.extra.get(str(match_id), 0)) + 1)
        }

    def courses(self, outcomes: Mapping[UUID, GameOutcome], bell: str) -> tuple[StageHistory, ...]:
        """How the stages went, or go, with these outcomes of games by id (one that isn't there is open);
        `bell` is the tournament's bell rule.
        """
        return tuple(_course(stage, self._gone, outcomes, bell) for stage in self._stages.values())


def _read(type_: str, body: Mapping[str, Any], stages: dict[str, _Stage], gone: dict[Key, Removal]) -> None:
    match type_:
        case "tournament_set_up":
            pass
        case "stage_drawn":
            # A stage that is drawn anew replaces the one of its number, and those that followed from it.
            for other in [key for key, each in stages.items() if each.body["number"] >= body["number"]]:
                del stages[other]
            for before in stages.values():
                if before.gone_at_end is None:
                    before.gone_at_end = dict(gone)
                before.ends = [end for end in before.ends if not end["is_last"]]
            stages[body["stage"]] = _Stage(dict(body), list(body["squads"]))
            stages[body["stage"]].draw(body["rounds"], gone)
        case "round_drawn" | "rounds_redrawn":
            stages[body["stage"]].draw(body["rounds"], gone)
        case "stage_ended":
            stages[body["stage"]].ends.append(body)
        case "game_added":
            stages[body["stage"]].extra[body["match"]] = body["number"]
        case "squad_added":
            stages[body["stage"]].squads.append(body["squad"])
        case "bye_requested":
            stages[body["stage"]].sit_out(body, body["round"])
        case "bye_request_withdrawn":
            stages[body["stage"]].sit_out(body, body["round"], withdrawn=True)
        case "absence_noted" if body["stage"] in stages:
            stages[body["stage"]].note_absence(body)
        case "squad_gone":
            for stage in stages.values():
                stage.leave(body)
            place = RemovedPlace(body.get("place", RemovedPlace.RULE))
            gone[body["team"], body["squad"]] = Removal(body["reason"], place)
        case "squad_back":
            gone.pop((body["team"], body["squad"]), None)
        case "entry_substituted" if body["stage"] in stages:
            stages[body["stage"]].substitute(body)
        case "draw_edited" if body["stage"] in stages:
            stages[body["stage"]].edit(body)
        case "placements_entered":
            stages[body["stage"]].placements = body["places"]


def _course(
    stage: _Stage, gone: Mapping[Key, Removal], outcomes: Mapping[UUID, GameOutcome], bell: str
) -> StageHistory:
    body = stage.body
    choice = FORMATS[body["format"]]
    kind = choice.kind(body["match"])
    stage_id = UUID(body["stage"])
    contestants = stage_facts.contestants_of(stage.squads)
    numbers = {(squad["team"], squad["number"]): at for at, squad in enumerate(stage.squads, start=1)}

    def numbers_of(keys: Iterable[Key]) -> frozenset[int]:
        return frozenset(numbers[key] for key in keys if key in numbers)

    def annulled_of(removed: Mapping[Key, Removal]) -> frozenset[int]:
        return numbers_of(key for key, left in removed.items() if left.place is RemovedPlace.ANNULLED)

    removed = gone if stage.gone_at_end is None else stage.gone_at_end
    gone_here = numbers_of(removed)
    form = choice.build_by(body["method"], body["options"])
    points = form.points
    found: list[PlayedMatch] = []
    rounds = []
    for drawn in stage.rounds:
        plan = stage_facts.plan_of(drawn)
        matches = [
            _match(stage_id, plan.number, pairing, where, stage, kind, outcomes, bell)
            for pairing, where in zip(plan.pairings, drawn["matches"], strict=True)
        ]
        found += matches
        if not choice.is_played:
            ends = [_by_hand(pairing, stage.placements, gone_here) for pairing in plan.pairings]
        elif choice.adds_points:
            ends = form.outcomes(plan, [_table_result(each) for each in matches])
        else:
            ends = [match_outcome(each, points) for each in matches]
        rounds.append(PlayedRound(plan, tuple(ends)))
    # The format's rule is asked of nobody else.
    kept = numbers_of(key for key, left in removed.items() if left.place is not RemovedPlace.RULE)
    progress = StageProgress(contestants, tuple(rounds), gone_here, annulled_of(removed), kept)
    return StageHistory(
        stage=stage_id,
        number=body["number"],
        body=body,
        choice=choice,
        format=form,
        kind=kind,
        squads=tuple(stage.squads),
        matches=tuple(found),
        progress=progress,
        gone_before=tuple(numbers_of(stage.gone_before[each.plan.number]) for each in rounds),
        annulled_before=tuple(annulled_of(stage.gone_before[each.plan.number]) for each in rounds),
        edits=tuple(tuple(stage.edits[each.plan.number]) for each in rounds),
        is_ended=stage.end is not None,
        is_last=stage.end is not None and stage.end["is_last"],
        left={numbers[key]: left.reason for key, left in removed.items() if key in numbers},
    )


def _match(
    stage_id: UUID,
    round_: int,
    pairing: RoundPairing,
    where: Mapping[str, Any],
    stage: _Stage,
    kind: MatchKind,
    outcomes: Mapping[UUID, GameOutcome],
    bell: str,
) -> PlayedMatch:
    id_ = stage_facts.id_of_match(stage_id, where)
    seats = [tuple(pairing.sides[index] for index in game) for game in where["games"]]
    for number in range(len(seats) + 1, stage.extra.get(str(id_), 0) + 1):
        seats.append(kind.seats(pairing.sides, number))
    teams = {side: stage.squads[side - 1]["team"] for side in pairing.sides}
    games = []
    for number, playing in enumerate(seats, start=1):
        game = stage_facts.game_id(id_, number)
        outcome = outcomes.get(game)
        end = None if outcome is None or not outcome.is_over else game_end(outcome, playing, teams, bell)
        games.append(PlayedGame(game, number, playing, end, None if outcome is None else outcome.figures))
    ends = [game.end for game in games if game.end is not None or kind.plays_all]
    state = kind.state(pairing.sides, ends) if len(pairing.sides) > 1 else MatchState((), None, None)
    absent = frozenset(side for side in pairing.sides if round_ in stage.squads[side - 1].get("absent", ()))
    return PlayedMatch(id_, round_, pairing, where["wave"], where["table"], tuple(games), state, absent)


def not_begun(course: StageHistory, number: int, pairing: RoundPairing) -> PlayedMatch:
    """A match that isn't drawn, without games and places."""
    id_ = stage_facts.match_id(course.stage, pairing.slot, pairing.sides)
    return PlayedMatch(id_, number, pairing, 0, 0, (), MatchState((), None, None))


def game_end(outcome: GameOutcome, playing: Sequence[int], teams: Mapping[int, str], bell: str) -> GameEnd:
    """How a game that is over ended, for those who played it by seat."""
    sides = range(len(playing))
    won = winning_side(sides, [UUID(teams[side]) for side in playing], outcome.seat, outcome.team)
    winner = None if won is None else playing[won]
    shared = is_shared(bell, outcome.closed_by, outcome.team)
    return end_of(winner, outcome.closed_by, is_shared=shared)


def match_outcome(match: PlayedMatch, gives: MatchPoints) -> PairingOutcome | None:
    """How a match ended, with what it gives to each side; None while it is open.

    One that ends level is a draw where somebody took a point in it. Where nobody did both have lost it, and
    where nothing was played nobody has anything.
    """
    outcome = match.state.outcome
    if outcome is None:
        return None
    sides = len(outcome.points)
    if outcome.winner is not None:
        # Which side won is where its points are highest; the pairing's order is that of the points.
        winner = outcome.points.index(max(outcome.points))
        points = gives.won(winner, sides, walkover=outcome.walkover)
    elif any(outcome.points):
        points = (gives.draw,) * sides
    else:
        was_played = any(game.end is not None and game.end.closed.is_played for game in match.games)
        points = (gives.loss if was_played else Fraction(0),) * sides
    return PairingOutcome(points, outcome.winner, outcome.walkover)


def _by_hand(
    pairing: RoundPairing, entered: list[list[int]] | None, gone: frozenset[int]
) -> PairingOutcome | None:
    if entered is None:
        return None
    placed = {contestant for contestant, _ in entered}
    # Who was gone when places were entered has none, also if it is back by now.
    missing = gone | (set(pairing.sides) - placed)
    return placements(pairing.sides, [(contestant, place) for contestant, place in entered], missing)


def _table_result(match: PlayedMatch) -> TableResult | None:
    """How the one game of a match ended, with its figures by side; None while it isn't over."""
    (game,) = match.games
    if game.end is None:
        return None
    figures, sides = game.figures, len(game.seats)
    return TableResult(
        game.end.closed,
        game.end.winner,
        by_side(figures.points if figures else None, sides),
        places_by_side(figures.ranking if figures else None, sides),
        match.absent_at(),
    )
