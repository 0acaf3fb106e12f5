"""Standings as computed from facts and stored: the thin shell around the pure `standings`."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games import logbook
from games.models import Game
from games.outcome import Outcome
from ledger import outbox, read, receipts
from ledger.entries import StoredFact
from tournaments import due, seals
from tournaments.confirmation import NOBODY, confirmation_rule, counted
from tournaments.counted_games import CountedGames, DrawnGame
from tournaments.models import MatchGame, Standing, StandingsVersion, Tournament
from tournaments.order_rules import order_rules
from tournaments.palio import due as overall_due
from tournaments.refusals import Refused
from tournaments.rounds.course import DrawnStages, StageCourse
from tournaments.rounds.ranking import (
    Decided,
    GroupTable,
    game_results,
    group_tables,
    groups_of,
    rank_stages,
    squad_ids,
)
from tournaments.settings import TournamentSettings, is_by_round
from tournaments.standings import (
    Adjustment,
    Count,
    GameResult,
    Row,
    rank,
    unresolved_ties,
)


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that a version of the standings is computed from."""

    settings: TournamentSettings
    teams: tuple[UUID, ...]
    games: tuple[DrawnGame, ...]
    outcomes: Mapping[UUID, Outcome]
    adjustments: tuple[Adjustment[UUID], ...]
    lots: tuple[tuple[UUID, ...], ...]
    play_offs: tuple[tuple[UUID, ...], ...]
    closed: bool
    courses: tuple[StageCourse, ...] = ()
    order: Mapping[str, Any] = field(default_factory=dict)
    stages: DrawnStages = field(default_factory=DrawnStages, compare=False)
    _counted: list[CountedGames] = field(default_factory=list, init=False, compare=False)

    def results(self) -> list[GameResult[UUID]]:
        """The games as the pure standings take them."""
        return list(self.count().results.values())

    def count(self) -> Count[UUID]:
        """What the games' results add up to."""
        if self.courses:
            return Count.of(game_results(self.courses, squad_ids(self.courses)))
        return self._counted_games().count

    def _counted_games(self) -> CountedGames:
        if not self._counted:
            self._counted.append(CountedGames(self.games, self.outcomes, self.settings.bell))
        return self._counted[0]

    def after(self, changed: Mapping[UUID, Outcome | None]) -> "Inputs":
        """The same after the outcomes of some games have changed (None: it doesn't count any more).

        What was counted goes on from here instead of being counted anew, so this one is of no more use.
        """
        known = dict(self.outcomes)
        for game, outcome in changed.items():
            if outcome is None:
                known.pop(game, None)
            else:
                known[game] = outcome
        later = replace(self, outcomes=known, courses=self.stages.courses(known, self.settings.bell))
        if not later.courses:
            counted = self._counted_games()
            for game, outcome in changed.items():
                counted.enter(game, outcome)
            later._counted.append(counted)
        return later

    def rank(self) -> list[Row[UUID]]:
        """The order of the teams, or of the squads where stages are drawn round by round."""
        if self.courses:
            return rank_stages(self.courses, self.settings.rules(), self.decided())
        return rank(
            self.teams,
            self.count(),
            self.settings.rules(),
            self.adjustments,
            self.lots,
            play_offs=self.play_offs,
        )

    def decided(self) -> Decided:
        """What was decided between squads."""
        return Decided(self.adjustments, self.lots, self.play_offs)

    def groups(self) -> tuple[GroupTable, ...]:
        """The groups of the stage that is on, where it has several."""
        if not self.courses:
            return ()
        course = self.courses[-1]
        if len(groups_of(course)) < 2:
            return ()
        return group_tables(course, squad_ids(self.courses), self.settings.rules(), self.decided())

    def team_of(self) -> dict[UUID, UUID]:
        """The team of everybody who is ranked: of a squad its own, of a team itself."""
        if not self.courses:
            return {team: team for team in self.teams}
        return {squad: UUID(team) for (team, _), squad in squad_ids(self.courses).items()}

    def is_all_drawn(self) -> bool:
        """Whether no round and no stage is still to be drawn, as far as can be told now."""
        if not self.courses:
            return True
        return len(self.courses) == len(self.settings.stages()) and self.courses[-1].is_all_drawn()

    def rounds_played(self) -> int:
        """How many rounds are complete."""
        if self.courses:
            return sum(each.is_complete for course in self.courses for each in course.progress.rounds)
        return self._counted_games().rounds_played()


@transaction.atomic
def compute(tournament_id: UUID) -> StandingsVersion | None:
    """Bring the standings up to date and return the current version; None before the draw is published.

    Twice, late or in any order it gives the same rows: a version is added only where something is due. A draw
    that can still be made anew has none: versions are never changed, and it has no results.
    """
    # Without an order: the usual one would join the event, and lock it with the tournament.
    rows = Tournament.objects.select_for_update(no_key=True).order_by()
    tournament = rows.filter(pk=tournament_id).first()
    if tournament is None:
        return None
    taken = outbox.take(due.TOPIC, tournament_id)
    latest = newest(tournament)
    if tournament.status in Tournament.PUBLIC and (taken or latest is None):
        latest = _version_of(tournament, latest, as_entered(tournament))
    if taken and tournament.status == Tournament.Status.PUBLISHED and is_by_round(tournament.settings):
        outbox.announce(due.ADVANCE, tournament.pk, tournament.pk, tournament.version)
    if taken:
        outbox.announce(due.SHOWN, tournament.event_id, tournament.pk, tournament.version)
    outbox.settle(taken)
    return latest


def newest(tournament: Tournament) -> StandingsVersion | None:
    """The version that was computed last; one query."""
    return tournament.standings_versions.order_by("-number").first()


def add_what_is_missing(tournament: Tournament) -> None:
    """Add the version that has to be there by the facts, whatever is due: for who builds everything again.

    Most of what is entered at a table changes no outcome, is never due, and makes no version.
    """
    if tournament.status in Tournament.PUBLIC:
        latest, entered = newest(tournament), as_entered(tournament)
        if latest is None or is_behind(tournament, latest, entered):
            _version_of(tournament, latest, entered)


def current(tournament: Tournament) -> StandingsVersion:
    """The standings, brought up to date; `Refused("not-drawn")` where there is nothing to order yet."""
    version = compute(tournament.pk)
    if version is None:
        raise Refused("not-drawn", _("The tournament isn't drawn yet."))
    return version


@dataclass(frozen=True, slots=True)
class Entered:
    """What was entered at the tables: how each game stands, which results are confirmed as they are, and the
    heads of the streams that say so.
    """

    outcomes: Mapping[UUID, Outcome]
    confirmed: frozenset[UUID]
    heads: dict[str, int]


def as_entered(tournament: Tournament) -> Entered:
    """What is entered at this moment; one query, so all of it is of the same."""
    if confirmation_rule(tournament.settings) == NOBODY:
        rows = list(games_as_they_stand(tournament.pk))
        heads = {str(row.pk): row.version for row in rows if row.version}
        return Entered({row.pk: Outcome.of_row(row) for row in rows}, frozenset(), heads)
    checked = list(
        games_as_they_stand(tournament.pk).annotate(
            confirmed_version=F("match_game__confirmed_version"),
            in_match=F("match_game__match"),
            match_version=F("match_game__match__version"),
        )
    )
    heads = {str(row.pk): row.version for row in checked if row.version}
    heads |= {str(row.in_match): row.match_version for row in checked if row.match_version}
    confirmed = frozenset(row.pk for row in checked if row.version and row.confirmed_version == row.version)
    return Entered({row.pk: Outcome.of_row(row) for row in checked}, confirmed, heads)


def is_behind(tournament: Tournament, latest: StandingsVersion, entered: Entered) -> bool:
    """Whether something has come since the latest version that calls for another: a decision, something that
    was said of a result, another outcome, or a correction of a confirmed one.
    """
    moved = {UUID(each) for each, _head in latest.heads.items() ^ _heads(tournament, entered).items()}
    games = moved & entered.outcomes.keys()
    if games != moved:
        return True
    read_to = {game: latest.heads.get(str(game), 0) for game in games}
    if any(
        logbook.outcome_at(logbook.outcomes(game), until) != entered.outcomes[game]
        for game, until in read_to.items()
    ):
        return True
    if confirmation_rule(tournament.settings) == NOBODY:
        return False
    confirmed = MatchGame.objects.filter(game__in=games, confirmed_version__gt=0)
    return any(read_to[game] == at for game, at in confirmed.values_list("game_id", "confirmed_version"))


def games_as_they_stand(tournament_id: UUID) -> QuerySet[Game]:
    """The games of a tournament with how they ended alone: a stored state may be long, and there are many."""
    ended = ("version", "is_over", "closed_by", "winner_seat", "winner_team", "figures")
    return Game.objects.filter(group=tournament_id).only(*ended).order_by("pk")


def drawn_games(tournament: Tournament) -> tuple[DrawnGame, ...]:
    """The games of a draw of mini-tournaments with their sides' teams; one query. Of rounds there are none
    here: their matches are read from the decisions.
    """
    if is_by_round(tournament.settings):
        return ()
    columns = (
        "game_id",
        "match_id",
        "match__round",
        "sides",
        "match__sides__number",
        "match__sides__squad__team_id",
    )
    rows = (
        MatchGame.objects.filter(match__stage__tournament=tournament)
        .order_by(
            "match__stage__number",
            "match__round",
            "match__wave",
            "match__table__number",
            "number",
            "match__sides__number",
        )
        .values_list(*columns)
    )
    games = []
    for (game, match, round_, pair), sides in groupby(rows, key=lambda row: row[:4]):
        teams = {number: team for *_, number, team in sides}
        games.append(DrawnGame(game, match, round_, tuple(teams[side] for side in pair)))
    return tuple(games)


def inputs(
    decisions: Iterable[StoredFact],
    games: tuple[DrawnGame, ...],
    outcomes: Mapping[UUID, Outcome],
    confirmed: Collection[UUID],
) -> Inputs:
    """Put together what the decisions up to some moment and the games' outcomes at that moment say.

    Where results have to be confirmed, those of games that aren't `confirmed` are as if nobody had entered
    them: nothing that is worked out from here knows of them.
    """
    decisions = list(decisions)
    settings: dict[str, Any] = {}
    teams: tuple[UUID, ...] = ()
    adjustments, lots, play_offs = [], [], []
    closed = False
    for fact in decisions:
        body = fact.body
        match fact.type:
            case "tournament_set_up":
                settings = body["settings"]
            case "draw_made":
                teams = tuple(UUID(team["team"]) for team in body["teams"])
            case "points_adjusted":
                whose = UUID(body.get("squad") or body["team"])
                adjustments.append(Adjustment(whose, body["points"], body["reason"]))
            case "lots_drawn":
                lots += _orders(body)
            case "play_off_decided":
                play_offs += _orders(body)
            case "tournament_closed":
                closed = True
            case "tournament_reopened":
                closed = False
    chosen = TournamentSettings.from_json(settings)
    outcomes = counted(chosen.confirmation, outcomes, confirmed)
    stages = DrawnStages.of(decisions)
    return Inputs(
        chosen,
        teams,
        games,
        outcomes,
        tuple(adjustments),
        tuple(lots),
        tuple(play_offs),
        closed,
        stages.courses(outcomes, chosen.bell),
        order_rules(decisions),
        stages,
    )


def _orders(body: Mapping[str, Any]) -> list[tuple[UUID, ...]]:
    return [tuple(UUID(team) for team in order) for order in body["orders"]]


def inputs_now(tournament: Tournament) -> Inputs:
    """What the standings are computed from at this moment; three queries at most."""
    entered = as_entered(tournament)
    return inputs(read.facts(tournament.pk), drawn_games(tournament), entered.outcomes, entered.confirmed)


def courses_now(tournament: Tournament) -> tuple[StageCourse, ...]:
    """The stages that were drawn round by round as they stand at this moment; two queries."""
    entered = as_entered(tournament)
    return inputs(read.facts(tournament.pk), (), entered.outcomes, entered.confirmed).courses


def inputs_now_and_with(tournament: Tournament, changed: Mapping[UUID, Outcome]) -> tuple[Inputs, Inputs]:
    """The same as it is, and as it would be if these games had ended otherwise, and that were confirmed; four
    queries.
    """
    entered = as_entered(tournament)
    decisions, games = read.facts(tournament.pk), drawn_games(tournament)
    return (
        inputs(decisions, games, entered.outcomes, entered.confirmed),
        inputs(decisions, games, {**entered.outcomes, **changed}, entered.confirmed | changed.keys()),
    )


def _version_of(
    tournament: Tournament, latest: StandingsVersion | None, entered: Entered
) -> StandingsVersion:
    """The version of what is entered: the latest, or a new one where facts have come since."""
    heads = _heads(tournament, entered)
    if latest is not None and latest.heads == heads:
        return latest
    decisions = read.facts(tournament.pk, until=tournament.version)
    read_in = inputs(decisions, drawn_games(tournament), entered.outcomes, entered.confirmed)
    return _store(tournament, latest, heads, read_in)


def _heads(tournament: Tournament, entered: Entered) -> dict[str, int]:
    return {str(tournament.pk): tournament.version} | entered.heads


def _store(
    tournament: Tournament, latest: StandingsVersion | None, heads: dict[str, int], read_in: Inputs
) -> StandingsVersion:
    ranked = read_in.rank()
    rounds_played = read_in.rounds_played()
    receipt = ""
    if read_in.closed or rounds_played > (latest.rounds_played if latest else 0):
        receipt = receipts.make_receipt(tournament.event_id).root
    number, before = (latest.number + 1, latest.seal) if latest else (1, seals.FIRST)
    now = timezone.now()
    version = StandingsVersion.objects.create(
        tournament=tournament,
        number=number,
        computed_at=now,
        heads=heads,
        receipt=receipt,
        seal=seals.seal(before, tournament.pk, number, now, heads, receipt),
        **summary(read_in, ranked),
    )
    Standing.objects.bulk_create(standing_rows(version, read_in, ranked))
    overall_due.standings_moved(tournament, version, latest)
    return version


def summary(read_in: Inputs, ranked: list[Row[UUID]]) -> dict[str, Any]:
    """The fields of a version that are computed."""
    count = read_in.count()
    return {
        "games_played": count.closed,
        "games_total": len(count.results),
        "is_all_drawn": read_in.is_all_drawn(),
        "groups": [group_json(table) for table in read_in.groups()],
        "order": dict(read_in.order),
        "rounds_played": read_in.rounds_played(),
        "has_open_ties": bool(unresolved_ties(ranked)),
        "is_final": read_in.closed,
    }


def standing_rows(version: StandingsVersion, read_in: Inputs, ranked: list[Row[UUID]]) -> list[Standing]:
    """The rows of a version, not yet saved."""
    teams = read_in.team_of()
    count = read_in.count()
    return [
        Standing(
            version=version,
            team_id=teams[row.team],
            squad_id=None if teams[row.team] == row.team else row.team,
            position=position,
            place=row.place,
            is_tied=bool(row.tied_with),
            games_won=count.games_won[row.team],
            games_played=count.games_closed[row.team],
            metrics=_values(row),
            decided_by=_decision(row),
            placement_points="" if row.placement_points is None else str(row.placement_points),
        )
        for position, row in enumerate(ranked, start=1)
    ]


def group_json(table: GroupTable) -> dict[str, Any]:
    """A group's table as a version keeps it; squads by id."""
    return {
        "name": table.name,
        "missing": table.missing,
        "rows": [
            {
                "squad": str(row.team),
                "place": row.place,
                "is_tied": bool(row.tied_with),
                "metrics": _values(row),
                "decided_by": _decision(row),
            }
            for row in table.rows
        ],
    }


def _values(row: Row[UUID]) -> list[list[str | None]]:
    return [[metric, None if value is None else str(value)] for metric, value in row.values]


def _decision(row: Row[UUID]) -> dict[str, Any] | None:
    if row.decided_by is None:
        return None
    return {
        "metric": row.decided_by.metric,
        "value": str(row.decided_by.value),
        "next_value": str(row.decided_by.next_value),
        "among": [str(team) for team in row.decided_by.among],
    }


def open_ties(tournament: Tournament) -> list[tuple[UUID, ...]]:
    """The groups of teams among which lots or a play-off must still decide, by the latest version."""
    version = newest(tournament)
    groups: dict[int, list[UUID]] = defaultdict(list)
    if version is not None:
        for row in version.rows.filter(placement_points=""):
            groups[row.place].append(row.contestant_id)
    return [tuple(group) for _, group in sorted(groups.items())]
