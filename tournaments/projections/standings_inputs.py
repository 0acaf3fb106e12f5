"""Inputs of a tournament's standings: its decisions, and what was entered at the tables."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Self
from uuid import UUID

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from games.models import Game
from games.outcome import Outcome
from ledger.entries import StoredFact
from people.refusals import Refused
from tournaments.facts import earlier
from tournaments.models import Tournament
from tournaments.projections.mini_tournament_games import CountedGames
from tournaments.projections.order_rules import order_rules
from tournaments.projections.removed_squads import Removal, Removals
from tournaments.projections.rounds.course import DrawnStages, Key, StageHistory
from tournaments.projections.rounds.draw_comparison import outdated_matches
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
from tournaments.settings.tournament import TournamentSettings
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
class StandingsInputs(ABC):
    """All that a version of the standings is computed from.

    Who is ranked is a team (`TeamInputs`) or a squad (`SquadInputs`), as the format has it. `written` has
    when the log of each game was written in last, where that is known.
    """

    settings: TournamentSettings
    outcomes: Mapping[UUID, Outcome]
    adjustments: tuple[Adjustment[UUID], ...] = ()
    lots: tuple[tuple[UUID, ...], ...] = ()
    play_offs: tuple[tuple[UUID, ...], ...] = ()
    closed: bool = False
    order: Mapping[str, Any] = field(default_factory=dict)
    removals: Removals = field(default_factory=Removals)
    stages: DrawnStages = field(default_factory=DrawnStages, compare=False)
    edition: int = EDITION
    decisions: Sequence[StoredFact] = field(default=(), compare=False)
    written: Mapping[UUID, datetime] = field(default_factory=dict, compare=False)
    _courses: list[tuple[StageHistory, ...]] = field(default_factory=list, init=False, compare=False)

    @property
    def courses(self) -> tuple[StageHistory, ...]:
        """The stages that are drawn, as they went with these outcomes."""
        if not self._courses:
            courses = self.stages.courses(self.outcomes, self.settings.bell)
            self._courses.append(
                tuple(replace(course, format=course.format.as_of_edition(self.edition)) for course in courses)
            )
        return self._courses[0]

    @property
    def by_round(self) -> tuple[StageHistory, ...]:
        """Those of the stages that are drawn round by round."""
        return tuple(course for course in self.courses if course.choice.is_by_round)

    def results(self) -> list[CountedResult[UUID]]:
        """The games as the pure standings take them, without those that are annulled."""
        return list(self.count().results.values())

    @abstractmethod
    def count(self) -> Count[UUID]:
        """What the games' results add up to."""

    def after(self, changed: Mapping[UUID, Outcome | None]) -> Self:
        """The same after the outcomes of some games have changed (None: it doesn't count any more).

        What was counted goes on from here instead of being counted anew, so this one is of no more use.
        """
        known = dict(self.outcomes)
        for game, outcome in changed.items():
            if outcome is None:
                known.pop(game, None)
            else:
                known[game] = outcome
        return replace(self, outcomes=known)

    def rules(self) -> Rules:
        """What orders the teams, by the edition that the tournament was set up with."""
        return replace(self.settings.rules(), edition=self.edition)

    @abstractmethod
    def rank(self) -> list[Row[UUID]]:
        """The order of those who are ranked."""

    def ranked_last(self) -> frozenset[UUID]:
        """Who of those who are ranked was removed and by decision comes last."""
        return frozenset(whose for whose, removal in self._removals() if removal.place in RANKED_LAST)

    def removed(self) -> Mapping[UUID, Removal]:
        """Who of those who are ranked was removed and what became of the place, where that was said.

        Where that was left to the format's rule, and the rule annuls, it is annulled.
        """
        return dict(self._removals())

    @abstractmethod
    def _removals(self) -> Iterator[tuple[UUID, Removal]]:
        """Who of those who are ranked was removed, as decided."""

    @abstractmethod
    def annuls(self, team: str, squad: int | None = None) -> bool:
        """Whether no result counts against a squad, or a whole team, by decision or by rule."""

    @abstractmethod
    def places_offered(self, key: Key | None = None) -> tuple[RemovedPlace, ...]:
        """What can become of the place of a squad, or of a team (`key` None), the usual one of who leaves
        first.

        Where a format itself says who is where, no result can be annulled: the others have gone on by it. Nor
        can those of a stage that is over. A squad of mini-tournaments has no place of its own.
        """

    def expect_team(self, team: UUID) -> None:
        """Raise `Refused` for a team that isn't ranked: squads are, or it doesn't take part."""
        ranked = self.team_of()
        if team in ranked:
            return
        if team in ranked.values():
            raise Refused("squad-needed", _("Here squads are ranked: say which one of the team."), status=422)
        raise Refused("unknown-team", _("The team doesn’t take part in this tournament."), status=422)

    def decided(self) -> Decided:
        """What was decided between those who are ranked."""
        return Decided(self.adjustments, self.lots, self.play_offs, self.ranked_last())

    def groups(self) -> tuple[GroupTable, ...]:
        """The groups of the stage that is on, where it has several."""
        return ()

    @abstractmethod
    def annulled(self) -> tuple[UUID, ...]:
        """The squads, each as of its stage, against whom no result counts, by decision or by rule."""

    def outdated(self) -> tuple[UUID, ...]:
        """The matches of brackets in which, after a correction, others would meet than were drawn."""
        return ()

    @abstractmethod
    def team_of(self) -> dict[UUID, UUID]:
        """The team of everybody who is ranked: of a squad its own, of a team itself."""

    def planned_stages(self) -> tuple[StageSettings, ...]:
        """The stages in their order, without those that fell away when organizers ended one before."""
        stages = self.settings.stages()
        return stages[: len(self.courses)] if self.courses and self.courses[-1].is_last else stages

    @abstractmethod
    def is_all_drawn(self) -> bool:
        """Whether no round and no stage is still to be drawn, as far as can be told now."""

    @abstractmethod
    def is_over(self) -> bool:
        """Whether nothing is left to draw or to play; not so before the draw."""

    @abstractmethod
    def rounds_played(self) -> int:
        """How many rounds are complete."""

    @abstractmethod
    def over_and_open_rounds(self) -> tuple[set[int], set[int]]:
        """The rounds with a game that is over, and those with one that is open; only games that count."""


@dataclass(frozen=True, slots=True)
class TeamInputs(StandingsInputs):
    """Teams are ranked by the games of their squads. All of these are drawn at once."""

    _counted: list[CountedGames] = field(default_factory=list, init=False, compare=False)

    @property
    def teams(self) -> tuple[UUID, ...]:
        """The teams that take part."""
        return self.stages.teams

    def count(self) -> Count[UUID]:
        """See `StandingsInputs`."""
        return self._counted_games().count

    def _counted_games(self) -> CountedGames:
        if not self._counted:
            games = self.stages.games()
            annulled = {each.game for each in games if self.removals.annuls(each)}
            self._counted.append(CountedGames(games, self.outcomes, self.settings.bell, annulled))
        return self._counted[0]

    def after(self, changed: Mapping[UUID, Outcome | None]) -> Self:
        """See `StandingsInputs`."""
        counted = self._counted_games()
        for game, outcome in changed.items():
            counted.enter(game, outcome)
        later = StandingsInputs.after(self, changed)
        later._counted.append(counted)
        return later

    def rank(self) -> list[Row[UUID]]:
        """See `StandingsInputs`."""
        return rank(
            self.teams,
            self.count(),
            self.rules(),
            self.adjustments,
            self.lots,
            play_offs=self.play_offs,
            ranked_last=self.ranked_last(),
        )

    def _removals(self) -> Iterator[tuple[UUID, Removal]]:
        return ((UUID(team), removal) for team, removal in self.removals.teams.items())

    def annuls(self, team: str, squad: int | None = None) -> bool:
        """See `StandingsInputs`."""
        if squad is not None:
            return self.removals.annuls_one_of([(team, squad)])
        removal = self.removals.teams.get(team)
        return removal is not None and removal.place is RemovedPlace.ANNULLED

    def places_offered(self, key: Key | None = None) -> tuple[RemovedPlace, ...]:
        """See `StandingsInputs`."""
        last = (RemovedPlace.LAST,) if key is None else ()
        return (RemovedPlace.KEEPS, *last, RemovedPlace.ANNULLED)

    def annulled(self) -> tuple[UUID, ...]:
        """See `StandingsInputs`."""
        if not self.removals.has_annulled():
            return ()
        return tuple(
            course.squad_id(number)
            for course in self.courses
            for number in range(1, len(course.squads) + 1)
            if self.annuls(*course.key(number))
        )

    def team_of(self) -> dict[UUID, UUID]:
        """See `StandingsInputs`."""
        return {team: team for team in self.teams}

    def is_all_drawn(self) -> bool:
        """See `StandingsInputs`."""
        return True

    def is_over(self) -> bool:
        """See `StandingsInputs`."""
        count = self.count()
        return bool(self.teams) and len(count.results) == count.closed

    def rounds_played(self) -> int:
        """See `StandingsInputs`."""
        return self._counted_games().rounds_played()

    def over_and_open_rounds(self) -> tuple[set[int], set[int]]:
        """See `StandingsInputs`."""
        return self._counted_games().over_and_open_rounds()


@dataclass(frozen=True, slots=True)
class SquadInputs(StandingsInputs):
    """Squads are ranked, over all stages."""

    _counts: list[Count[UUID]] = field(default_factory=list, init=False, compare=False)

    def count(self) -> Count[UUID]:
        """See `StandingsInputs`."""
        if not self._counts:
            self._counts.append(Count.of(counted_results(self.courses, squad_ids(self.courses))))
        return self._counts[0]

    def rank(self) -> list[Row[UUID]]:
        """See `StandingsInputs`."""
        if not self.courses:
            return []
        rules, decided, coming = self.rules(), self.decided(), None
        if rules.edition > 5:
            coming = coming_stage(self.courses, self.planned_stages(), rules, decided)
        return rank_stages(self.courses, rules, decided, coming=coming)

    def removed(self) -> Mapping[UUID, Removal]:
        """See `StandingsInputs`."""
        found = dict(self._removals())
        last = ranked_last_of(self.courses, squad_ids(self.courses), self.rules(), self.decided())
        for squad, removal in found.items():
            if removal.place is RemovedPlace.RULE and squad in last:
                found[squad] = replace(removal, place=RemovedPlace.ANNULLED)
        return found

    def _removals(self) -> Iterator[tuple[UUID, Removal]]:
        ids = squad_ids(self.courses)
        return ((ids[key], removal) for key, removal in self.removals.squads.items() if key in ids)

    def annuls(self, team: str, squad: int | None = None) -> bool:
        """See `StandingsInputs`."""
        course = self.courses[-1]
        return any(course.key(number) == (team, squad) for number in annulled_of(course))

    def places_offered(self, key: Key | None = None) -> tuple[RemovedPlace, ...]:
        """See `StandingsInputs`."""
        course = self.courses[-1]
        if course.choice.has_places or (key is not None and course.number_of(key) is None):
            return (RemovedPlace.KEEPS, RemovedPlace.LAST)
        usual = (RemovedPlace.RULE,) if course.format.annuls_early_leavers else ()
        return (*usual, RemovedPlace.KEEPS, RemovedPlace.LAST, RemovedPlace.ANNULLED)

    def annulled(self) -> tuple[UUID, ...]:
        """See `StandingsInputs`."""
        return tuple(
            course.squad_id(number) for course in self.courses for number in sorted(annulled_of(course))
        )

    def groups(self) -> tuple[GroupTable, ...]:
        """See `StandingsInputs`."""
        if not self.courses or len(groups_of(self.courses[-1])) < 2:
            return ()
        return group_tables(self.courses[-1], squad_ids(self.courses), self.rules(), self.decided())

    def outdated(self) -> tuple[UUID, ...]:
        """See `StandingsInputs`."""
        return tuple(match for course in self.courses for match in outdated_matches(course))

    def team_of(self) -> dict[UUID, UUID]:
        """See `StandingsInputs`."""
        return {squad: UUID(team) for (team, _), squad in squad_ids(self.courses).items()}

    def is_all_drawn(self) -> bool:
        """See `StandingsInputs`."""
        return len(self.courses) == len(self.planned_stages()) and self.courses[-1].is_all_drawn()

    def is_over(self) -> bool:
        """See `StandingsInputs`."""
        return bool(self.courses) and self.is_all_drawn() and self.courses[-1].is_finished()

    def rounds_played(self) -> int:
        """See `StandingsInputs`."""
        return sum(each.is_complete for course in self.courses for each in course.progress.rounds)

    def over_and_open_rounds(self) -> tuple[set[int], set[int]]:
        """See `StandingsInputs`."""
        over, open_ = set[int](), set[int]()
        results = self.count().results
        for game, number in self.stages.rounds.items():
            if game in results:
                (open_ if results[game].closed is None else over).add(number)
        return over, open_


@dataclass(frozen=True, slots=True)
class Entered:
    """What was entered at the tables: how each game stands, and which results are confirmed as they are.

    It also has the heads of the streams that say so. `written`: when each game's log was written in last.
    """

    outcomes: Mapping[UUID, Outcome]
    confirmed: frozenset[UUID]
    heads: dict[str, int]
    written: Mapping[UUID, datetime]


def as_entered(tournament: Tournament) -> Entered:
    """What is entered at this moment; one query, so all of it is of the same."""
    if confirmation_rule(tournament.settings) == NOBODY:
        rows = list(games_as_they_stand(tournament.pk))
        heads = {str(row.pk): row.version for row in rows if row.version}
        return Entered({row.pk: Outcome.of_row(row) for row in rows}, frozenset(), heads, _written(rows))
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
    return Entered({row.pk: Outcome.of_row(row) for row in checked}, confirmed, heads, _written(checked))


def _written(rows: Iterable[Game]) -> dict[UUID, datetime]:
    return {row.pk: row.changed_at for row in rows if row.changed_at is not None}


def games_as_they_stand(tournament_id: UUID) -> QuerySet[Game]:
    """The games of a tournament with how they ended alone: a stored state may be long, and there are many."""
    ended = ("is_over", "closed_by", "winner_seat", "winner_team", "figures", "is_from_paper")
    return Game.objects.filter(group=tournament_id).only("version", *ended, "changed_at").order_by("pk")


def inputs(
    decisions: Iterable[StoredFact],
    outcomes: Mapping[UUID, Outcome],
    confirmed: Collection[UUID],
    written: Mapping[UUID, datetime] = MappingProxyType({}),
) -> StandingsInputs:
    """Put together what the decisions up to some moment and the games' outcomes at that moment say.

    Where results have to be confirmed, those of games that aren't `confirmed` are as if nobody had entered
    them. Nothing that is worked out from here knows of them.
    """
    decisions = list(decisions)
    settings: dict[str, Any] = {}
    adjustments, lots, play_offs = [], [], []
    closed, edition = False, EDITION
    for fact in decisions:
        body = fact.body
        match fact.type:
            case "tournament_set_up":
                settings = body["settings"]
                edition = edition_of(body)
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
    kind = TeamInputs if chosen.choice.ranks_teams else SquadInputs
    return kind(
        chosen,
        counted(chosen.confirmation, outcomes, confirmed),
        tuple(adjustments),
        tuple(lots),
        tuple(play_offs),
        closed,
        order_rules(decisions),
        Removals.of(decisions),
        DrawnStages.of(decisions),
        edition,
        decisions,
        written,
    )


def edition_of(body: Mapping[str, Any]) -> int:
    """The edition of the rules for standings, from the body of `tournament_set_up`: 1 where none is said."""
    return int(body.get("edition", 1))


def _orders(body: Mapping[str, Any]) -> list[tuple[UUID, ...]]:
    return [tuple(UUID(team) for team in order) for order in body["orders"]]


def inputs_now(tournament: Tournament) -> StandingsInputs:
    """What the standings are computed from at this moment; two queries."""
    entered = as_entered(tournament)
    return inputs(earlier.decisions(tournament.pk), entered.outcomes, entered.confirmed)


def courses_as_entered(tournament: Tournament) -> tuple[StageHistory, ...]:
    """The stages by all results that are entered, confirmed or not; two queries."""
    entered = as_entered(tournament)
    settings = TournamentSettings.from_json(tournament.settings)
    return DrawnStages.of(earlier.decisions(tournament.pk)).courses(entered.outcomes, settings.bell)


def courses_now(tournament: Tournament) -> tuple[StageHistory, ...]:
    """The stages as they stand at this moment; two queries."""
    return inputs_now(tournament).courses


def inputs_now_and_with(
    tournament: Tournament, changed: Mapping[UUID, Outcome]
) -> tuple[StandingsInputs, StandingsInputs]:
    """The same as it is, and as it would be if these games had ended otherwise, and that were confirmed; two
    queries.
    """
    entered = as_entered(tournament)
    decisions = earlier.decisions(tournament.pk)
    return (
        inputs(decisions, entered.outcomes, entered.confirmed),
        inputs(decisions, {**entered.outcomes, **changed}, entered.confirmed | changed.keys()),
    )
