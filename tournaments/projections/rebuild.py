"""Throw projections away and build them again from facts."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from games import logbook
from games.models import Game
from games.outcome import Outcome
from ledger import needed_code_version, read
from ledger.inserting import insert_many
from people.models import Event
from tournaments.facts import earlier, matches
from tournaments.facts.locks import lock, lock_games
from tournaments.models import Outlook, OverallStanding, Palio, Standing, StandingsVersion, Tournament
from tournaments.projections import overall, overall_inputs, palio_rows, standings, tournament_rows
from tournaments.projections.discipline_places import places_before
from tournaments.projections.drawn_rows import taking_the_place_of_others
from tournaments.projections.round_end_places import RoundCourse, RoundEnds
from tournaments.projections.standings_inputs import StandingsInputs, games_as_they_stand, inputs
from tournaments.settings.confirmation import counted

PROJECTIONS: Final = 11
"""The version of projections. Goes up with a change after which facts give other rows than those there.

2: annulled games are neither among the games played nor among all games.
3: a bye gives its points with the first result of its round.
4: an outlook knows that a game can end level at the bell. After a correction nobody is taken to be in two
matches of a round of a bracket.
5: mini-tournaments have rows of rounds, and their matches slots, as all other formats.
6: rows of standings and of the overall table have the places climbed since the end of a round, or since one
discipline fewer was decided.
7: standings know which matches a correction has overtaken, and which points were given or taken by decision.
8: standings know whose results are annulled; a game whose whole log was taken back waits again.
9: places climbed are counted since the round before the latest one with a result.
10: figures of a game have the places that were entered with its end, and where neither points nor places are
known the cards left.
11: stages know which squads don't play on, and why.
"""

History = list[tuple[int, Outcome]]
"""A game's outcomes, each with the sequence from which on it is that."""
Confirmation = tuple[int, UUID, int]
"""What was confirmed in a match: the fact's sequence, the game, and which version of its log."""


class CannotRebuildError(Exception):
    """What can't be built again from its facts, and why; `count` tournaments could."""

    def __init__(self, failed: Sequence[tuple[str, Exception]], count: int) -> None:
        self.failed, self.count = failed, count
        super().__init__("; ".join(self.sentences()))

    def sentences(self) -> list[str]:
        """One for each that can't be built."""
        return [f"{what}: {type(error).__name__}: {error}" for what, error in self.failed]


def rebuild(event: Event | None = None, counted: Mapping[UUID, Game] = MappingProxyType({})) -> int:
    """Throw the projections of an event, or of all, away and build them again; returns how many
    tournaments.

    `counted` is what games counted of which there are no rows, where the engine can't follow them. Raises
    `CannotRebuildError` with all that can't be built; the others are by then.
    """
    tournaments = Tournament.objects.all() if event is None else event.tournaments.all()
    count = 0
    failed: list[tuple[str, Exception]] = []
    for tournament in tournaments.select_related("event"):
        try:
            with transaction.atomic():
                rebuild_tournament(tournament, counted)
            count += 1
        except Exception as error:
            # Facts that were tampered with can be anything, so whatever stands in the way is told.
            failed.append((f"tournament {tournament.pk} of event {tournament.event.slug}", error))
    for palio in palios(event):
        try:
            with transaction.atomic():
                rebuild_palio(palio)
        except Exception as error:
            failed.append((f"palio {palio.pk} of event {palio.event.slug}", error))
    if failed:
        raise CannotRebuildError(failed, count) from failed[0][1]
    return count


def rebuild_outdated() -> int:
    """Build everything again if the rows were built by an older version of projections; returns how many
    tournaments.
    """
    if needed_code_version.projected() >= PROJECTIONS:
        return 0
    count = rebuild()
    needed_code_version.set_projected(PROJECTIONS)
    return count


def palios(event: Event | None = None) -> QuerySet[Palio]:
    """The palio of an event, or those of all."""
    rows = Palio.objects.select_related("event")
    return rows if event is None else rows.filter(event=event)


def rebuild_tournament(
    tournament: Tournament, counted: Mapping[UUID, Game] = MappingProxyType({})
) -> set[UUID]:
    """Build one tournament's rows again: decisions, games, and every version of its standings.

    `counted`: see `rebuild`. Returns the ids of all matches and games that were ever drawn.
    """
    tournament = lock(tournament)
    lock_games(tournament.pk)
    tournament.status = Tournament.Status.SET_UP
    with taking_the_place_of_others() as drawn:
        # A stored state may be long, and isn't needed to remove it.
        games = Game.objects.filter(
            Q(group=tournament.pk) | Q(match_game__match__stage__tournament=tournament)
        )
        counted_before = {**counted, **logbook.outcomes_as_counted(games)}
        games.only("pk").delete()
        tournament.stages.all().delete()
        for fact in earlier.decisions(tournament.pk):
            tournament_rows.project(tournament, fact)
    logbook.restore_outcomes(tournament.pk, counted_before)
    _rebuild_standings(tournament)
    # It is made anew by the task that looks ahead.
    Outlook.objects.filter(tournament=tournament).delete()
    standings.add_what_is_missing(tournament)
    return drawn


def _rebuild_standings(tournament: Tournament) -> None:
    """Compute the rows of every version again, from the facts up to the heads that it read."""
    versions = list(tournament.standings_versions.order_by("number"))
    Standing.objects.filter(version__tournament=tournament).delete()
    rows: list[Standing] = []
    course = RoundCourse(RoundEnds())
    for version, read_in in zip(versions, inputs_of(tournament, versions), strict=True):
        ranked = read_in.rank()
        decided = version.heads.get(str(tournament.pk), 0)
        course.go_to(read_in, decided, has_receipt=bool(version.receipt))
        summary = standings.summary(read_in, ranked, course)
        if any(getattr(version, name) != value for name, value in summary.items()):
            for name, value in summary.items():
                setattr(version, name, value)
            version.save(update_fields=list(summary))
        before = course.places_before(read_in)
        rows += standings.standing_rows(version, read_in, ranked, before)
    insert_many(rows)


def rebuild_palio(palio: Palio) -> None:
    """Build one palio's rows again: decisions, and every version of its table; in a transaction.

    The standings of its tournaments have to be built before.
    """
    palio = lock(palio)
    decisions = read.facts(palio.pk)
    palio_rows.clear(palio)
    for fact in decisions:
        palio_rows.project(palio, fact)
    for version in palio.overall_versions.order_by("number"):
        known = [fact for fact in decisions if fact.sequence <= version.head]
        read_in = overall_inputs.inputs(known, overall_inputs.standings_of(palio, version.standings))
        ranked = read_in.rank()
        version.rows.all().delete()
        for name, value in overall.summary(read_in, ranked).items():
            setattr(version, name, value)
        version.save()
        before = places_before(read_in, known, version.standings)
        OverallStanding.objects.bulk_create(overall.table_rows(version, read_in, ranked, before))
    overall.compute(palio.pk)


def inputs_of(tournament: Tournament, versions: Sequence[StandingsVersion]) -> Iterator[StandingsInputs]:
    """What each version was computed from.

    From one to the next little has changed, so only that is read, unless something was decided in between.
    Each is of use until the next one is asked for.
    """
    decisions = earlier.decisions(tournament.pk)
    entered = _Entered(*_read_by(tournament, versions))
    read_in: StandingsInputs | None = None
    decided = 0
    for version in versions:
        changed = entered.move_to(version.heads)
        until = version.heads.get(str(tournament.pk), 0)
        if read_in is None or until != decided:
            decided = until
            so_far = [fact for fact in decisions if fact.sequence <= until]
            read_in = inputs(so_far, entered.outcomes, entered.confirmed, entered.written)
        else:
            now = {game: entered.outcomes[game] for game in changed}
            counting = counted(read_in.settings.confirmation, now, entered.confirmed)
            read_in = read_in.after({game: counting.get(game) for game in changed})
        yield read_in


class _Entered:
    """What was entered at the tables up to the heads of one version after another."""

    def __init__(
        self,
        histories: Mapping[UUID, History],
        written: Mapping[tuple[UUID, int], datetime],
        said: Mapping[UUID, list[Confirmation]],
    ) -> None:
        self.outcomes: dict[UUID, Outcome] = {}
        self.written: dict[UUID, datetime] = {}
        self.confirmed: set[UUID] = set()
        self._histories = histories
        self._written = written
        self._said = said
        self._of_game: dict[UUID, list[tuple[str, int, int]]] = defaultdict(list)
        for match, confirmations in said.items():
            for sequence, game, version in confirmations:
                self._of_game[game].append((str(match), sequence, version))
        self._heads: Mapping[str, int] = {}

    def move_to(self, heads: Mapping[str, int]) -> set[UUID]:
        """Go to these heads; the games of which something may be otherwise than before."""
        moved = {UUID(stream) for stream, _sequence in heads.items() ^ self._heads.items()}
        self._heads = heads
        games = {game for stream in moved for _sequence, game, _at in self._said.get(stream, ())}
        games = {game for game in games | moved if game in self._histories}
        for game in games:
            version = heads.get(str(game), 0)
            self.outcomes[game] = logbook.outcome_at(self._histories[game], version)
            if version:
                self.written[game] = self._written[game, version]
            if any(
                sequence <= heads.get(match, 0) and at == heads.get(str(game))
                for match, sequence, at in self._of_game[game]
            ):
                self.confirmed.add(game)
            else:
                self.confirmed.discard(game)
        return games


def _read_by(
    tournament: Tournament, versions: Sequence[StandingsVersion]
) -> tuple[dict[UUID, History], dict[tuple[UUID, int], datetime], dict[UUID, list[Confirmation]]]:
    """What versions of the standings have read: outcomes, times and confirmations.

    Outcomes are by game. Times are by game and sequence: when a log was written to where a version stopped.
    Confirmations are by match. Games that nobody had begun aren't read; one that isn't drawn any more is.
    Most versions read a game to the end that it has now, and its row, just built again, has that outcome.
    Where a version stopped before, the log is replayed.
    """
    read_to = {head for version in versions for head in version.heads.items()}
    stops: dict[UUID, set[int]] = defaultdict(set)
    for stream, sequence in read_to:
        stops[UUID(stream)].add(sequence)
    stops.pop(tournament.pk, None)
    spoken_of = read.of_kind(stops, matches.STREAM_KIND)
    ended = {row.pk: row for row in games_as_they_stand(tournament.pk)}
    histories: dict[UUID, History] = {}
    written: dict[tuple[UUID, int], datetime] = {}
    for game in sorted(stops.keys() - spoken_of):
        row = ended.get(game)
        if row is not None and stops[game] == {row.version} and row.changed_at is not None:
            histories[game] = [(row.version, Outcome.of_row(row))]
            written[game, row.version] = row.changed_at
        else:
            histories[game] = logbook.outcomes(game)
            written |= {(game, stop): at for stop, at in read.recorded_at(game, stops[game]).items()}
    return histories, written, {match: matches.confirmations(match) for match in sorted(spoken_of)}
