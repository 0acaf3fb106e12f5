"""What a tournament's standings are computed from: what was decided, and what was entered at the tables."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet

from games.models import Game
from games.outcome import Outcome
from ledger import read
from ledger.entries import StoredFact
from tournaments.models import MatchGame, Tournament
from tournaments.projections.counted_games import CountedGames, DrawnGame
from tournaments.projections.order_rules import order_rules
from tournaments.projections.removals import Removal, Removals
from tournaments.projections.rounds.course import DrawnStages, StageHistory
from tournaments.projections.rounds.qualifying import coming_stage
from tournaments.projections.rounds.ranking import (
    Decided,
    GroupTable,
    annulled_of,
    counted_results,
    group_tables,
    groups_of,
    rank_stages,
    ranked_last_of,
    squad_ids,
)
from tournaments.settings.confirmation import NOBODY, confirmation_rule, counted
from tournaments.settings.stage import StageSettings
from tournaments.settings.tournament import TournamentSettings, is_by_round
from tournaments.standings import (
    EDITION,
    RANKED_LAST,
    Adjustment,
    Count,
    CountedResult,
    RemovedPlace,
    Row,
    Rules,
    rank,
)


@dataclass(frozen=True, slots=True)
class StandingsInputs:
    """All that a version of the standings is computed from."""

    settings: TournamentSettings
    teams: tuple[UUID, ...]
    games: tuple[DrawnGame, ...]
    outcomes: Mapping[UUID, Outcome]
    adjustments: tuple[Adjustment[UUID], ...]
    lots: tuple[tuple[UUID, ...], ...]
    play_offs: tuple[tuple[UUID, ...], ...]
    closed: bool
    courses: tuple[StageHistory, ...] = ()
    order: Mapping[str, Any] = field(default_factory=dict)
    removals: Removals = field(default_factory=Removals)
    stages: DrawnStages = field(default_factory=DrawnStages, compare=False)
    edition: int = EDITION
    _counted: list[CountedGames] = field(default_factory=list, init=False, compare=False)

    def results(self) -> list[CountedResult[UUID]]:
        """The games as the pure standings take them, without those that are annulled."""
        return list(self.count().results.values())

    def count(self) -> Count[UUID]:
        """What the games' results add up to."""
        if self.courses:
            return Count.of(counted_results(self.courses, squad_ids(self.courses)))
        return self._counted_games().count

    def _counted_games(self) -> CountedGames:
        if not self._counted:
            annulled = {each.game for each in self.games if self.removals.annuls(each)}
            self._counted.append(CountedGames(self.games, self.outcomes, self.settings.bell, annulled))
        return self._counted[0]

    def after(self, changed: Mapping[UUID, Outcome | None]) -> "StandingsInputs":
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

    def rules(self) -> Rules:
        """What orders the teams, by the edition that the tournament was set up with."""
        return replace(self.settings.rules(), edition=self.edition)

    def rank(self) -> list[Row[UUID]]:
        """The order of the teams, or of the squads where stages are drawn round by round."""
        if self.courses:
            return self._rank_stages(self.rules(), self.decided())
        return rank(
            self.teams,
            self.count(),
            self.rules(),
            self.adjustments,
            self.lots,
            play_offs=self.play_offs,
            ranked_last=self.ranked_last(),
        )

    def _rank_stages(self, rules: Rules, decided: Decided) -> list[Row[UUID]]:
        coming = None
        if rules.edition > 5:
            coming = coming_stage(self.courses, self.planned_stages(), rules, decided)
        return rank_stages(self.courses, rules, decided, coming=coming)

    def ranked_last(self) -> frozenset[UUID]:
        """The teams, or the squads where these are ranked, that were removed and by decision come last."""
        return frozenset(whose for whose, removal in self._removals() if removal.place in RANKED_LAST)

    def removed(self) -> Mapping[UUID, Removal]:
        """Who of those who are ranked was removed and what became of the place, where that was said: where it
        was left to the format's rule and this annuls, that it is annulled.
        """
        found = dict(self._removals())
        if self.courses:
            last = ranked_last_of(self.courses, squad_ids(self.courses), self.rules(), self.decided())
            for squad, removal in found.items():
                if removal.place is RemovedPlace.RULE and squad in last:
                    found[squad] = replace(removal, place=RemovedPlace.ANNULLED)
        return found

    def _removals(self) -> Iterator[tuple[UUID, Removal]]:
        """Who of those who are ranked was removed, as decided."""
        if not self.courses:
            yield from ((UUID(team), removal) for team, removal in self.removals.teams.items())
            return
        ids = squad_ids(self.courses)
        yield from ((ids[key], removal) for key, removal in self.removals.squads.items() if key in ids)

    def annuls(self, team: str, squad: int | None = None) -> bool:
        """Whether no result counts against a squad, or a team of mini-tournaments, by decision or by rule."""
        if not self.courses:
            if squad is not None:
                return self.removals.annuls_one_of([(team, squad)])
            removal = self.removals.teams.get(team)
            return removal is not None and removal.place is RemovedPlace.ANNULLED
        course = self.courses[-1]
        return any(course.key(number) == (team, squad) for number in annulled_of(course))

    def decided(self) -> Decided:
        """What was decided between squads."""
        return Decided(self.adjustments, self.lots, self.play_offs, self.ranked_last())

    def groups(self) -> tuple[GroupTable, ...]:
        """The groups of the stage that is on, where it has several."""
        if not self.courses:
            return ()
        course = self.courses[-1]
        if len(groups_of(course)) < 2:
            return ()
        return group_tables(course, squad_ids(self.courses), self.rules(), self.decided())

    def team_of(self) -> dict[UUID, UUID]:
        """The team of everybody who is ranked: of a squad its own, of a team itself."""
        if not self.courses:
            return {team: team for team in self.teams}
        return {squad: UUID(team) for (team, _), squad in squad_ids(self.courses).items()}

    def is_all_drawn(self) -> bool:
        """Whether no round and no stage is still to be drawn, as far as can be told now."""
        if not self.courses:
            return True
        return len(self.courses) == len(self.planned_stages()) and self.courses[-1].is_all_drawn()

    def planned_stages(self) -> tuple[StageSettings, ...]:
        """The stages in their order, without those that fell away when organizers ended one before."""
        stages = self.settings.stages()
        return stages[: len(self.courses)] if self.courses and self.courses[-1].is_last else stages

    def is_over(self) -> bool:
        """Whether nothing is left to draw or to play; not so before the draw."""
        if self.courses:
            return self.is_all_drawn() and self.courses[-1].is_finished()
        count = self.count()
        return bool(self.games) and len(count.results) == count.closed

    def rounds_played(self) -> int:
        """How many rounds are complete."""
        if self.courses:
            return sum(each.is_complete for course in self.courses for each in course.progress.rounds)
        return self._counted_games().rounds_played()


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
        "match__sides__squad__number",
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
        squads = {number: (team, squad) for *_, number, team, squad in sides}
        playing = [squads[side] for side in pair]
        games.append(
            DrawnGame(
                game,
                match,
                round_,
                tuple(team for team, _ in playing),
                tuple(number for _, number in playing),
            )
        )
    return tuple(games)


def inputs(
    decisions: Iterable[StoredFact],
    games: tuple[DrawnGame, ...],
    outcomes: Mapping[UUID, Outcome],
    confirmed: Collection[UUID],
) -> StandingsInputs:
    """Put together what the decisions up to some moment and the games' outcomes at that moment say.

    Where results have to be confirmed, those of games that aren't `confirmed` are as if nobody had entered
    them: nothing that is worked out from here knows of them.
    """
    decisions = list(decisions)
    settings: dict[str, Any] = {}
    teams: tuple[UUID, ...] = ()
    adjustments, lots, play_offs = [], [], []
    closed, edition = False, EDITION
    for fact in decisions:
        body = fact.body
        match fact.type:
            case "tournament_set_up":
                settings = body["settings"]
                edition = edition_of(body)
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
    return StandingsInputs(
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
        Removals.of(decisions),
        stages,
        edition,
    )


def edition_of(body: Mapping[str, Any]) -> int:
    """The edition of the rules for standings, from the body of `tournament_set_up`: 1 where none is said."""
    return int(body.get("edition", 1))


def _orders(body: Mapping[str, Any]) -> list[tuple[UUID, ...]]:
    return [tuple(UUID(team) for team in order) for order in body["orders"]]


def inputs_now(tournament: Tournament) -> StandingsInputs:
    """What the standings are computed from at this moment; three queries at most."""
    entered = as_entered(tournament)
    return inputs(read.facts(tournament.pk), drawn_games(tournament), entered.outcomes, entered.confirmed)


def courses_as_entered(tournament: Tournament) -> tuple[StageHistory, ...]:
    """The stages by all results that are entered, confirmed or not; two queries."""
    entered = as_entered(tournament)
    settings = TournamentSettings.from_json(tournament.settings)
    return DrawnStages.of(read.facts(tournament.pk)).courses(entered.outcomes, settings.bell)


def courses_now(tournament: Tournament) -> tuple[StageHistory, ...]:
    """The stages that were drawn round by round as they stand at this moment; two queries."""
    entered = as_entered(tournament)
    return inputs(read.facts(tournament.pk), (), entered.outcomes, entered.confirmed).courses


def inputs_now_and_with(
    tournament: Tournament, changed: Mapping[UUID, Outcome]
) -> tuple[StandingsInputs, StandingsInputs]:
    """The same as it is, and as it would be if these games had ended otherwise, and that were confirmed; four
    queries.
    """
    entered = as_entered(tournament)
    decisions, games = read.facts(tournament.pk), drawn_games(tournament)
    return (
        inputs(decisions, games, entered.outcomes, entered.confirmed),
        inputs(decisions, games, {**entered.outcomes, **changed}, entered.confirmed | changed.keys()),
    )
