"""The next round of a Swiss and of a knockout, and standings after a result: queries and milliseconds."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any
from uuid import uuid4

from django.db import transaction

from benchmarks.on_database import DATABASE
from benchmarks.on_database.append import statements
from benchmarks.tables import Cell, show
from benchmarks.timing import Times
from ledger.append import append
from ledger.entries import NewFact
from people.actors import Actor
from tests.support import factories
from tournaments.commands import results
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.round_draws import draw_next_round
from tournaments.commands.set_up import create_tournament
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings

TURNS = 7
BATCH = 100
"""SQLite takes many rows in several statements: so many queries more, for each so many contestants."""


@dataclass(frozen=True, slots=True)
class Case:
    """A tournament: its name, its teams and the entries of each, its settings, the rounds that are played."""

    name: str
    teams: int
    entries: int
    settings: dict[str, Any]
    played: int

    @property
    def contestants(self) -> int:
        """How many are drawn."""
        return self.teams * self.entries


SWISS = {"format": "swiss", "options": {"rounds": 7, "rematches": True}}
KNOCKOUT = {"format": "single_elimination"}
CASES = (
    (
        Case("Swiss of 10", 5, 2, {"format": "swiss", "options": {"rounds": 3}}, 2),
        Case("Swiss of 100", 10, 10, SWISS, 6),
    ),
    (Case("knockout of 16", 4, 4, KNOCKOUT, 1), Case("knockout of 256", 16, 16, KNOCKOUT, 1)),
)


def played(case: Case) -> Tournament:
    """The tournament after so many rounds, the next one not drawn."""
    event = factories.make_event()
    factories.make_field(event, case.teams, case.entries)
    settings = {**case.settings, "draws_itself": False}
    made = create_tournament(event, Actor.command(), "Torneo", settings)
    make_draw(made, Actor.command(), "benchmark")
    publish_draw(made, Actor.command())
    chance = Random(case.contestants)
    for number in range(1, case.played + 1):
        if number > 1:
            draw_next_round(made, Actor.command())
        for game in open_games(made):
            results.enter_result(game, Actor.command(), seat=chance.randrange(2))
    standings.compute(made.pk)
    return made


def open_games(tournament: Tournament) -> list[MatchGame]:
    """The games of the last round that is drawn."""
    games = MatchGame.objects.filter(match__stage__tournament=tournament, game__is_over=False)
    return list(games.select_related("match", "game"))


def undone(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """The seconds that a work takes; what it did, and what was done before it, is taken back."""
    with transaction.atomic():
        before()
        begun = perf_counter()
        work()
        seconds = perf_counter() - begun
        transaction.set_rollback(True)
    return seconds


def counted(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> int:
    """The statements that read or write of such a work."""
    with transaction.atomic():
        before()
        queries, _control = statements(work)
        transaction.set_rollback(True)
    return queries


def measure(case: Case) -> list[list[Cell]]:
    """Two rows: the next round, and the standings after one result of it."""
    tournament = played(case)
    stream = uuid4()

    def alone() -> None:
        append(stream, "measured", None, None, [NewFact("cards_drawn", {"seat": 1, "count": 1}, uuid4())])

    def draw() -> None:
        draw_next_round(tournament, Actor.command())

    def one_result() -> None:
        draw()
        results.enter_result(open_games(tournament)[0], Actor.command(), seat=0)

    def compute() -> None:
        standings.compute(tournament.pk)

    queries = {"draw": counted(draw), "standings": counted(compute, one_result)}
    taken: dict[str, list[float]] = {"alone": [], "draw": [], "standings": []}
    for _ in range(TURNS):
        taken["alone"].append(undone(alone))
        taken["draw"].append(undone(draw))
        taken["standings"].append(undone(compute, one_result))
    times = {name: Times(tuple(seconds)) for name, seconds in taken.items()}
    return [
        [f"{case.name}: {told}", queries[name], times[name].median * 1e3, times[name].ratio(times["alone"])]
        for name, told in (
            ("draw", f"draw round {case.played + 1}"),
            ("standings", "standings after a result"),
        )
    ]


def main() -> int:
    """Measure on this process's database; 1 if many contestants ask more queries than few."""
    rows: list[list[Cell]] = []
    good = True
    for small, large in CASES:
        few, many = measure(small), measure(large)
        rows += [*few, *many]
        batches = large.contestants // BATCH if DATABASE == "SQLite" else 0
        for one, other in zip(few, many, strict=True):
            if int(other[1]) > int(one[1]) + 8 * batches:
                print(f"FAILED: {other[0]}: {other[1]} queries; of {small.name}: {one[1]}.", file=sys.stderr)
                good = False
    show(
        f"Rounds and standings on {DATABASE}",
        ["what", "queries", "ms", "× ledger alone"],
        rows,
    )
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
