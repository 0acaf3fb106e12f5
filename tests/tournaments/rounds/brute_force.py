"""Every way in which a tournament can go on, by brute force, with facts and results as the service has them.

It knows nothing of outlooks: where a round follows it is drawn, where squads are level for a place in the
next stage lots are drawn in every order, and each open game is won by each of its sides and, unless the bell
rule has them play on, ended by the bell with nobody ahead. A table of many ends in every order, with shared
places too.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from games.outcome import WINNER_TAKES, Figures, Outcome
from tests.support.factories import SEED
from tournaments.commands.next_stage import _following
from tournaments.facts import stages
from tournaments.formats.format import Contestant, RoundPairing, RoundPlan
from tournaments.formats.match_lengths import Length
from tournaments.formats.table_result import ResultKind
from tournaments.projections.rounds.drawing import DrawnStage, draw_stage, next_body, next_rounds
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.standings_inputs import StandingsInputs, inputs
from tournaments.settings.tournament import TournamentSettings
from tournaments.standings import EDITION, Row

_ROOT = UUID("00000000-0000-4000-8000-000000000000")
# What can be counted of a game: nothing, or as points and penalty cards of the winner and of the loser.
CARDS: tuple[tuple[tuple[int, int], tuple[int, int]] | None, ...] = (
    None,
    ((90, 0), (0, 7)),
    ((5, 0), (7, 0)),
)
_NO_CARDS: tuple[None] = (None,)


class Told(NamedTuple):
    """A fact as far as inputs read it."""

    type: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Position:
    """A tournament as it stands: decisions and the outcomes of games."""

    decisions: tuple[Told, ...]
    outcomes: Mapping[UUID, Outcome]

    def read(self) -> StandingsInputs:
        """What standings and outlook are computed from."""
        return inputs(self.decisions, self.outcomes, ())  # type: ignore[arg-type]  # facts' types and bodies are all that is read

    def decided(self, type_: str, body: Mapping[str, Any]) -> "Position":
        """The same after one more decision."""
        return Position((*self.decisions, Told(type_, body)), self.outcomes)

    def played(self, game: UUID, outcome: Outcome) -> "Position":
        """The same after one more result."""
        return Position(self.decisions, {**self.outcomes, game: outcome})


def start(teams: int, given: Mapping[str, Any], matches: int = 2, *, edition: int = EDITION) -> Position:
    """A tournament of so many teams, a squad each, drawn and not begun; `matches` are those of a
    mini-tournament's draw, `edition` that of the rules for standings.
    """
    settings = TournamentSettings.from_json(dict(given))
    ids = [uuid5(_ROOT, f"team/{number}") for number in range(1, teams + 1)]
    set_up = Told("tournament_set_up", {"settings": settings.to_json(), "edition": edition})
    squads = [{"team": str(team), "number": 1, "entries": [], "labels": [], "since": 1} for team in ids]
    stage = settings.stages()[0]
    contestants = tuple(Contestant(number, number) for number in range(1, teams + 1))
    if settings.choice.ranks_teams:
        rounds = tuple(_mini_tournaments(stage.kind().pairs, teams, matches))
        drawn = DrawnStage(stage, contestants, SEED, "", rounds)
    else:
        drawn = draw_stage(stage, contestants, SEED)
    body = drawn.body(_ROOT, 1, squads, [], squad_size=1, rounds_before=0, tables=8)
    return Position((set_up, Told("stage_drawn", body)), {})


def _mini_tournaments(pairs: Sequence[Sequence[int]], teams: int, matches: int) -> Iterator[RoundPlan]:
    """Rounds of a single match, in which the teams take turns."""
    sides = max(max(pair) for pair in pairs) + 1
    for number in range(1, matches + 1):
        playing = tuple((number - 1 + index) % teams + 1 for index in range(sides))
        yield RoundPlan(number, "", (), (RoundPairing(f"r{number}m1", playing),))


def continuations(position: Position, cards: bool) -> list[Position]:
    """What can come next: the results of one game, a drawn round, lots, a stage; none at the end."""
    read_in = position.read()
    course = read_in.courses[-1]
    for match in course.matches:
        following = match.state.next_game
        if following is None:
            continue
        game = stages.game_id(match.id, following.number)
        if following.number > len(match.games):
            added = {"stage": str(course.stage), "match": str(match.id), "number": following.number}
            return [position.decided("game_added", added)]
        teams = [UUID(course.squads[side - 1]["team"]) for side in following.sides]
        # Where a game that nobody wins doesn't bring the match nearer to its end, one is enough.
        goes_on = course.kind.decisive or course.kind.length is Length.FIRST_TO
        can_be_level = not goes_on or None not in {each.end.winner for each in match.games if each.end}
        if course.format.result_kind is ResultKind.PLACES:
            return [position.played(game, each) for each in _ranked(teams, cards)]
        return [position.played(game, each) for each in _results(read_in, teams, cards, can_be_level)]
    plans = next_rounds(course)
    if plans:
        return [position.decided("round_drawn", next_body(course, plans, 8))]
    if course.number < len(read_in.settings.stages()):
        return list(_next_stage(position, read_in))
    return []


def _results(
    read_in: StandingsInputs, teams: Sequence[UUID], cards: bool, can_be_level: bool = True
) -> Iterator[Outcome]:
    for seat in range(len(teams)):
        for counted in CARDS if cards else _NO_CARDS:
            figures = None
            if counted is not None:
                points, penalties = (pair if seat == 0 else pair[::-1] for pair in counted)
                figures = Figures(tuple(teams), WINNER_TAKES, points, penalties)
            yield Outcome(True, "result", seat, teams[seat], figures)
    if can_be_level and read_in.settings.bell != "one_more_card":
        yield Outcome(True, "time")


def _ranked(teams: Sequence[UUID], cards: bool) -> Iterator[Outcome]:
    """A table of many with all places that its seats can come to, shared ones among them."""
    for figures in product(range(len(teams)), repeat=len(teams)):
        places = tuple(1 + sum(other < own for other in figures) for own in figures)
        if len(set(figures)) != max(figures) + 1:
            # The same order with other figures.
            continue
        winner = places.index(1) if places.count(1) == 1 else None
        for counted in CARDS if cards else _NO_CARDS:
            points = None if counted is None else tuple(counted[0][place > 1] for place in places)
            penalties = None if counted is None else tuple(counted[1][place > 1] for place in places)
            yield Outcome(
                True,
                "result",
                winner,
                None if winner is None else teams[winner],
                Figures(tuple(teams), WINNER_TAKES, points, penalties, places),
            )


def _next_stage(position: Position, read_in: StandingsInputs) -> Iterator[Position]:
    course = read_in.courses[-1]
    for seed in (SEED, "0000-0000-0001", "0000-0000-0002", "0000-0000-0003"):
        following = _following(read_in, course, seed)
        if following.preview.ties:
            ids = squad_ids(read_in.courses)
            tied = [ids[course.key(one)] for one in following.preview.ties[0].contestants]
            for order in permutations(tied):
                yield position.decided("lots_drawn", {"orders": [list(map(str, order))]})
            return
        if following.drawn is None:
            raise AssertionError("a stage that is over can be followed")
        came = [each.contestant for each in following.preview.goes_on]
        body = following.drawn.body(
            uuid5(course.stage, seed),
            following.number,
            [{**course.squads[was - 1], "since": 1} for was in came],
            [],
            squad_size=1,
            rounds_before=course.rounds_before + len(course.progress.rounds),
            tables=8,
        )
        yield position.decided("stage_drawn", body)


def ends(position: Position, cards: bool) -> Iterator[Position]:
    """All positions in which nothing is left to draw or to play."""
    following = continuations(position, cards)
    if not following:
        yield position
    for each in following:
        yield from ends(each, cards)


def count_ends(position: Position, cards: bool, most: int) -> int:
    """How many ends there are, counted up to `most`."""
    number = 0
    for number, _ in enumerate(ends(position, cards), start=1):
        if number >= most:
            break
    return number


def possible_places(position: Position, cards: bool) -> dict[UUID, set[int]]:
    """Every place that each team or squad takes at some end; lots and play-offs in every order."""
    found: dict[UUID, set[int]] = {}
    for end in ends(position, cards):
        for rows in _decided(end):
            for row in rows:
                found.setdefault(row.team, set()).add(row.place)
    return found


def _decided(end: Position) -> Iterator[list[Row[UUID]]]:
    """The rows of an end, after each order in which lots or a play-off can put those who are level."""
    rows = end.read().rank()
    asks_play_off = any(metric == "play_off" for row in rows for metric, _ in row.values)
    waiting = [row for row in rows if row.unresolved or (asks_play_off and row.tied_with)]
    if not any(row.unresolved for row in rows):
        yield rows
    if not waiting:
        return
    type_ = "play_off_decided" if asks_play_off else "lots_drawn"
    for order in permutations((waiting[0].team, *waiting[0].tied_with)):
        yield from _decided(end.decided(type_, {"orders": [list(map(str, order))]}))


def advance(position: Position, chance: random.Random, cards: bool, leave: int) -> Position:
    """Go on by chance until at most `leave` ends are left, or the end; one game in six is forfeited."""
    while count_ends(position, cards, leave + 1) > leave:
        following = chance.choice(continuations(position, cards))
        new = following.outcomes.keys() - position.outcomes.keys()
        forfeits = {
            game: replace(following.outcomes[game], closed_by="forfeit", figures=None) for game in new
        }
        if chance.randrange(6) == 0:
            following = replace(following, outcomes={**following.outcomes, **forfeits})
        position = following
    return position
