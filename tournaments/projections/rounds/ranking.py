"""Ranking of a tournament that is drawn round by round: over all stages, and in each group.

A squad goes by one id through all stages: that of its row in the first. While a bracket runs everybody stands
at the best place that they can still come to. All who can still win share the first, and who is out has that
of the round. Whoever doesn't come into a later stage stands below all who do, in the order of the places in
the groups. That holds as soon as it is decided who comes into that stage, also before it is drawn.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from uuid import UUID

from tournaments.formats.format import PairingOutcome, RoundPairing
from tournaments.formats.match_lengths import GameEnd
from tournaments.projections.counted_ends import with_figures
from tournaments.projections.rounds.course import Key, PlayedGame, StageHistory
from tournaments.projections.rounds.draw_comparison import as_due
from tournaments.standings import (
    METRICS,
    Adjustment,
    Bye,
    CountedResult,
    GameClosing,
    MatchResult,
    Rounds,
    Row,
    Rules,
    TiePolicy,
    rank,
    ties,
    unresolved_ties,
)
from tournaments.standings.model import by_level
from tournaments.standings.open_ties import rows_while_open

_GROUP_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


Unknown = Mapping[str, Collection[UUID]]
"""By metric, the squads whose value can't be foreseen: see `standings.rank`."""

_NOTHING: Unknown = {}


@dataclass(frozen=True, slots=True)
class Decided:
    """What organizers decided that orders squads: adjusted points, lots and play-offs, the latest last, and
    who was removed and is ranked last.
    """

    adjustments: tuple[Adjustment[UUID], ...] = ()
    lots: tuple[tuple[UUID, ...], ...] = ()
    play_offs: tuple[tuple[UUID, ...], ...] = ()
    ranked_last: frozenset[UUID] = frozenset()

    def among(self, squads: Iterable[UUID]) -> "Decided":
        """Only what is about these."""
        known = set(squads)
        return Decided(
            tuple(each for each in self.adjustments if each.team in known),
            tuple(each for each in self.lots if known.issuperset(each)),
            tuple(each for each in self.play_offs if known.issuperset(each)),
            self.ranked_last & known,
        )

    def order_of(self, squads: Collection[UUID]) -> Sequence[UUID]:
        """The order of these by the latest record that names all of them; empty where there is none.

        It is asked for those of a tie in a group who are left once others of it have gone on. Such a record
        decided that, also where the rules let level ones share a place.
        """
        for order in reversed((*self.lots, *self.play_offs)):
            if set(squads) <= set(order):
                return [squad for squad in order if squad in squads]
        return ()


@dataclass(frozen=True, slots=True)
class GroupTable:
    """A group of a stage: its name (A, B, …), its rows, and how many of its matches aren't decided."""

    name: str
    rows: tuple[Row[UUID], ...]
    missing: int


GroupTables = Callable[[StageHistory, Mapping[Key, UUID], Rules, Decided], tuple[GroupTable, ...]]
"""Takes what `group_tables` takes, and gives what that gives."""


@dataclass(frozen=True, slots=True)
class ComingStage:
    """The stage that is drawn next, once it is decided who comes into it.

    `squads` are their ids through all stages; `has_places`: its format itself says who is where.
    """

    squads: frozenset[UUID]
    has_places: bool


@dataclass(frozen=True, slots=True)
class _StageEnd:
    """The places in a stage, each in its own group.

    `ties` are who is level in a group, `waiting` those of them that lots or a play-off must still break.
    """

    places: list[tuple[int, UUID]]
    ties: Sequence[tuple[UUID, ...]] = ()
    waiting: Collection[tuple[UUID, ...]] = ()

    def levels(self, behind: Mapping[UUID, int]) -> Sequence[Sequence[UUID]]:
        """Who shares a place, first place first; `behind`: how many of its tie a squad has before it."""
        return by_level((place + behind.get(squad, 0), squad) for place, squad in self.places)


def squad_ids(courses: Sequence[StageHistory]) -> dict[Key, UUID]:
    """What each squad goes by through all stages."""
    found: dict[Key, UUID] = {}
    for course in courses:
        for number in range(1, len(course.squads) + 1):
            found.setdefault(course.key(number), course.squad_id(number))
    return found


def rank_stages(
    courses: Sequence[StageHistory],
    rules: Rules,
    decided: Decided,
    unknown: Unknown = _NOTHING,
    coming: ComingStage | None = None,
    *,
    tables: GroupTables | None = None,
) -> list[Row[UUID]]:
    """The rows of all squads, first place first. Raises CannotRank.

    `tables` works out the groups of a stage in place of `group_tables`.
    With `coming` whoever doesn't come into that stage has the place that follows from its draw. While lots or
    a play-off have to decide in a group, the places of others are those that they have whoever wins.
    """
    ids = squad_ids(courses)
    last_placed = ranked_last_of(courses, ids, rules, decided)
    if len(courses) == 1 and not courses[0].choice.has_places and len(groups_of(courses[0])) == 1:
        return stage_rows(courses[0], ids, rules, decided, unknown=unknown)
    first_placed = _places_in_bracket(courses[-1], ids, last_placed) if rules.edition > 4 else {}
    everybody = frozenset(ids.values())
    ends = [
        (_stage_end(course, ids, rules, decided, tables or group_tables), everybody)
        for course in reversed(courses)
    ]
    if coming is not None:
        ends.insert(0, (ends[0][0], coming.squads))
    over_stages = _OverStages(courses, ids, rules, decided, unknown, coming, last_placed)
    ahead: Counter[UUID] = Counter()
    """How many of its tie stand before a squad, since they went on or by a record."""

    def rows_with(behind: Mapping[UUID, int]) -> list[Row[UUID]]:
        places = dict(first_placed)
        for end, squads in ends:
            _add_places(places, end.levels(ahead + Counter(behind)), squads - last_placed)
        return over_stages.rows(places | dict.fromkeys(last_placed, len(ids) - len(last_placed) + 1))

    if rules.edition < 7:
        return rows_with({})
    placed = {*first_placed, *last_placed, *(coming.squads if coming else ())}
    open_ties = []
    for end, _squads in ends:
        for tie in end.ties:
            left = [one for one in tie if one not in placed]
            gone_on = len(set(tie) & placed - last_placed) if rules.edition > 7 else 0
            recorded = decided.order_of(left) if gone_on or tie in end.waiting else ()
            ahead.update({squad: gone_on + at for at, squad in enumerate(recorded)})
            if not recorded:
                ahead.update(dict.fromkeys(left, gone_on))
                if tie in end.waiting and len(left) > 1:
                    open_ties.append(left)
        placed |= {squad for _place, squad in end.places}
    return rows_while_open(open_ties, rows_with)


@dataclass(frozen=True)
class _OverStages:
    """What puts the squads of all stages in order, once each has its place in them."""

    courses: Sequence[StageHistory]
    ids: Mapping[Key, UUID]
    rules: Rules
    decided: Decided
    unknown: Unknown
    coming: ComingStage | None
    last_placed: frozenset[UUID]

    def rows(self, places: Mapping[UUID, int]) -> list[Row[UUID]]:
        """The rows by these places; in groups the metrics put in order who shares one."""
        last, coming = self.courses[-1], self.coming
        metrics = tuple(key for key in self.rules.metrics if key != "lots")
        among_groups = () if last.choice.has_places else metrics
        rows = self._ranked(places, among_groups, self._rounds if among_groups else None)
        if coming is None:
            return rows
        # Of the coming stage no match is drawn, and whoever isn't in it never plays one.
        if coming.has_places:
            left_out = self._ranked(places, (), None)
        else:
            left_out = self._ranked(places, metrics, Rounds())
        values = {row.team: row.values for row in rows}
        return [row for row in rows if row.team in coming.squads] + [
            replace(row, values=values[row.team]) if among_groups else row
            for row in left_out
            if row.team not in coming.squads
        ]

    @cached_property
    def _rounds(self) -> Rounds[UUID]:
        last = self.courses[-1]
        return _rounds(last, self.ids, annulled_of(last))

    @cached_property
    def _results(self) -> list[CountedResult[UUID]]:
        return counted_results(self.courses, self.ids)

    def _ranked(
        self, places: Mapping[UUID, int], asked: tuple[str, ...], rounds: Rounds[UUID] | None
    ) -> list[Row[UUID]]:
        return rank(
            list(self.ids.values()),
            # The places in stages hang on no game beside them.
            self._results if asked else (),
            replace(self.rules, metrics=tuple(dict.fromkeys(("stage_place", *asked)))),
            self.decided.adjustments if asked else (),
            self.decided.lots,
            play_offs=self.decided.play_offs,
            rounds=rounds,
            places=places,
            ranked_last=self.last_placed,
            unknown=self.unknown,
        )


def _add_places(places: dict[UUID, int], levels: Iterable[Iterable[UUID]], squads: Collection[UUID]) -> None:
    """Give those of `squads` who have no place yet the places behind all who have one, level by level."""
    first = len(places) + 1
    for level in levels:
        new = [one for one in level if one not in places and one in squads]
        places |= dict.fromkeys(new, first)
        first += len(new)


def stage_rows(
    course: StageHistory,
    ids: Mapping[Key, UUID],
    rules: Rules,
    decided: Decided,
    among: Iterable[int] | None = None,
    *,
    unknown: Unknown = _NOTHING,
) -> list[Row[UUID]]:
    """The rows of a stage that metrics order, or of one group of it (contestants' numbers).

    Whoever was removed after the stage keeps the place in it: who came into the next one doesn't change.
    """
    numbers = [one.number for one in course.progress.contestants] if among is None else sorted(among)
    squads = {number: ids[course.key(number)] for number in numbers}
    known = decided.among(squads.values())
    gone = {squads[number] for number in numbers if number in course.progress.gone}
    annulled = annulled_of(course)
    by_rule = {squads[number] for number in annulled_by_rule(course, rules) & squads.keys()}
    here = set(squads.values())
    results = [each for each in counted_results([course], ids) if here.issuperset(each.sides)]
    return rank(
        list(squads.values()),
        results,
        rules,
        known.adjustments,
        known.lots,
        play_offs=known.play_offs,
        rounds=_rounds(course, ids, annulled, among=frozenset(numbers)),
        ranked_last=known.ranked_last & gone | by_rule,
        unknown=unknown,
    )


def compared_rows(
    course: StageHistory,
    ids: Mapping[Key, UUID],
    rules: Rules,
    decided: Decided,
    among: Iterable[int],
) -> list[Row[UUID]]:
    """The rows of contestants of all groups together by the metrics that look at each by itself, and by what
    they played with each other. Only their values count.
    """
    metrics = tuple(key for key in rules.metrics if not METRICS[key].relative)
    compared = replace(rules, metrics=metrics or ("points",), ties=TiePolicy.SAME)
    return stage_rows(course, ids, compared, decided, among)


def group_tables(
    course: StageHistory,
    ids: Mapping[Key, UUID],
    rules: Rules,
    decided: Decided,
    unknown: Unknown = _NOTHING,
) -> tuple[GroupTable, ...]:
    """The groups of a stage, each with its own table; none where the format itself says who is where."""
    if course.choice.has_places:
        return ()
    return tuple(
        group_table(course, ids, rules, decided, index, members, unknown=unknown)
        for index, members in enumerate(groups_of(course))
    )


def group_table(
    course: StageHistory,
    ids: Mapping[Key, UUID],
    rules: Rules,
    decided: Decided,
    index: int,
    members: Iterable[int],
    *,
    unknown: Unknown = _NOTHING,
) -> GroupTable:
    """One group of a stage: its index, from 0, and its members (contestants' numbers)."""
    rows = stage_rows(course, ids, rules, decided, members, unknown=unknown)
    return GroupTable(group_name(index), tuple(rows), _missing(course, members))


def group_name(index: int) -> str:
    """A to Z, then A2 to Z2, and so on."""
    again, letter = divmod(index, len(_GROUP_NAMES))
    return _GROUP_NAMES[letter] + (str(again + 1) if again else "")


def groups_of(course: StageHistory) -> tuple[tuple[int, ...], ...]:
    """The contestants by group; all in one where the format has no groups."""
    return course.format.division(course.progress, course.seed)


def counted_results(courses: Iterable[StageHistory], ids: Mapping[Key, UUID]) -> list[CountedResult[UUID]]:
    """All games that count, as results between squads. Those that are annulled, by rule or by decision, and
    those that their match didn't need are left out.

    At a table of many an annulled game counts for the others, if two of them are left, and each for those
    who were there.
    """
    found = []
    for course in courses:
        annulled = annulled_of(course)
        outcomes = {
            pairing.slot: outcome for each in course.progress.rounds for pairing, outcome in each.matches()
        }
        for match in course.matches:
            for game in match.counted_games():
                outcome = outcomes[match.pairing.slot]
                absent = frozenset() if outcome is None else outcome.absent
                if (annulled | absent) & set(match.pairing.sides):
                    counted = course.format.without_annulled(match.pairing, outcome, annulled)
                    if counted is None or len(counted[0].sides) < 2:
                        continue
                    game = _played_by(game, *counted)
                sides = tuple(ids[course.key(side)] for side in game.seats)
                closed = game.end.closed if game.end else None
                winner = game.end.winner if game.end and closed is not GameClosing.SHARED else None
                won = None if winner is None else ids[course.key(winner)]
                result = CountedResult(game.id, match.id, sides, won, closed)
                found.append(with_figures(result, game.figures))
    return found


def _played_by(game: PlayedGame, left: RoundPairing, outcome: PairingOutcome | None) -> PlayedGame:
    """The one game of a table as if these sides alone had played it."""
    stays = [at for at, side in enumerate(game.seats) if side in left.sides]
    seats = tuple(game.seats[at] for at in stays)
    figures, end = game.figures, game.end
    if figures is not None:
        among = len(game.seats)
        figures = figures.of_seats([at for at in range(len(figures.teams)) if at % among in stays])
    if end is not None:
        winner = None if outcome is None else outcome.winner
        closed = end.closed
        if closed.is_played and (winner is None) is (closed is GameClosing.PLAYED):
            closed = GameClosing.BELL if winner is None else GameClosing.PLAYED
        end = GameEnd(winner, closed)
    return replace(game, seats=seats, end=end, figures=figures)


def _places_in_bracket(
    course: StageHistory, ids: Mapping[Key, UUID], ranked_last: Collection[UUID]
) -> dict[UUID, int]:
    """The places in a bracket that runs, each the best that can still be taken.

    A stage that is over, or isn't a bracket, has none here.
    """
    if course.is_ended or course.is_finished():
        return {}
    progress = as_due(course).progress
    numbers = {one.number: ids[course.key(one.number)] for one in progress.contestants}
    last = {number for number, squad in numbers.items() if squad in ranked_last}
    return {numbers[number]: place for number, place in course.format.best_places(progress, last).items()}


def _stage_end(
    course: StageHistory, ids: Mapping[Key, UUID], rules: Rules, decided: Decided, tables: GroupTables
) -> _StageEnd:
    """Who is where in a stage; whoever can still be the first of a bracket stands before all others."""
    if course.choice.has_places:
        order = course.format.order(as_due(course).progress)
        return _StageEnd(
            [(place, ids[course.key(one)]) for place, level in enumerate(order) for one in level]
        )
    rows = [row for table in tables(course, ids, rules, decided) for row in table.rows]
    return _StageEnd([(row.place, row.team) for row in rows], ties(rows), unresolved_ties(rows))


def annulled_of(course: StageHistory) -> frozenset[int]:
    """The contestants against whom no result counts, by rule or by decision."""
    return course.format.annulled(course.progress, course.seed)


def annulled_by_rule(course: StageHistory, rules: Rules) -> frozenset[int]:
    """The contestants who left so early that by the format's rule no result against them counts, where they
    come last for that. Up to edition 3 metrics ranked them like others.
    """
    if rules.edition <= 3:
        return frozenset()
    return annulled_of(course) - course.progress.annulled


def ranked_last_of(
    courses: Iterable[StageHistory], ids: Mapping[Key, UUID], rules: Rules, decided: Decided
) -> frozenset[UUID]:
    """Who stands behind all others: by decision, or since a rule annulled what they played in their last
    stage.
    """
    is_annulled: dict[UUID, bool] = {}
    for course in courses:
        by_rule = annulled_by_rule(course, rules)
        is_annulled |= {
            ids[course.key(one.number)]: one.number in by_rule for one in course.progress.contestants
        }
    return decided.ranked_last.union(squad for squad, annulled in is_annulled.items() if annulled)


def _rounds(
    course: StageHistory,
    ids: Mapping[Key, UUID],
    annulled: frozenset[int],
    among: frozenset[int] | None = None,
) -> Rounds[UUID]:
    """The matches and byes of a stage as metrics take them."""
    matches = []
    byes = []
    scores = course.scores()
    predetermined, gives = course.format.is_predetermined, course.format.points
    # A bye counts in games like a match won without losing one, if it gives as much.
    seats = course.format.seats
    games_of_bye = course.kind.won_alone() if course.format.unplayed_points and seats == 2 else 0
    known = {one.number for one in course.progress.contestants} if among is None else among
    for each in course.progress.rounds:
        in_round = course.format.counted(each, annulled)
        for pairing, counted in zip(each.plan.pairings, in_round, strict=True):
            if not known.issuperset(pairing.sides):
                continue
            if counted is None:
                if not predetermined:
                    # Whoever met somebody whose results are annulled was free to play, and has nothing of it.
                    byes += [
                        Bye(ids[course.key(one)], each.plan.number, Fraction(0))
                        for one in pairing.sides
                        if one not in annulled
                    ]
                continue
            pairing, outcome = counted
            sides = tuple(ids[course.key(one)] for one in pairing.sides)
            if len(sides) == 1:
                if outcome is not None:
                    byes.append(Bye(sides[0], each.plan.number, outcome.points[0]))
                continue
            games = scores[pairing.slot]
            matches.append(
                MatchResult(
                    pairing.slot,
                    each.plan.number,
                    sides,
                    None if outcome is None else outcome.points,
                    outcome is not None and outcome.walkover,
                    tuple(int(games.get(one, 0)) for one in pairing.sides),
                    () if outcome is None else outcome.places,
                )
            )
        byes += [
            Bye(
                ids[course.key(bye.contestant)],
                each.plan.number,
                bye.points,
                requested=bye.is_requested,
                games=games_of_bye if bye.points >= gives.win and not bye.is_requested else 0,
                is_absent=bye.is_absent,
            )
            for bye in course.format.points_unplayed(course.progress, each.plan)
        ]
    return Rounds(tuple(matches), tuple(byes), gives.draw, predetermined, gives.win, seats)


def _missing(course: StageHistory, members: Iterable[int]) -> int:
    """How many matches of a group aren't decided, also those of rounds that are still to be drawn."""
    known = set(members)
    open_ = sum(known.issuperset(pairing.sides) for pairing in course.progress.open_pairings())
    return open_ or int(not course.is_finished() and not course.format.is_predetermined)
