"""A draw as its page at the desk shows it: what a seed would give, what is kept, and how that is played."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from desk.stage_squads import DeskContestant, contestants, of_course
from desk.stages_shown import Placed, PlacedPairings, ShownStage, previewed_stage, shown_stage
from people.display_names import NameBook
from people.models import Entry, Team
from tournaments.formats import ConstraintsKept, Course, EntryLoad, Player, Together, fairness
from tournaments.formats.fairness import Remark
from tournaments.formats.format import Format
from tournaments.formats.match_lengths import MatchKind
from tournaments.models import Match, SquadMember, Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.standings_inputs import courses_now
from tournaments.queries.first_stage_draws import PreviewedDraw, kept_draw, preview_draw
from tournaments.queries.match_views import MatchView
from tournaments.queries.matches import load_matches
from tournaments.queries.timetable.match_starts import Hours, hours
from tournaments.settings import keep_apart_labels
from tournaments.settings.tournament import TournamentSettings

MOST_REMATCHES = 20
MOST_TOGETHER = 20


@dataclass(frozen=True, slots=True)
class ShownDraw:
    """A draw with names: its stages, who plays and who waits, from when to when.

    `teams` have how many play and the names of their reserves. `counted` is there where all rounds were drawn
    at once. Hours and matches are of the stage that it counts, else of all that is drawn. `has_changed`: the
    entries are others than when it was kept. `by_timetable`, `has_replaced`: hours and tables, or who plays,
    differ from the draw as it was made. `is_all_drawn`: no round follows any more.
    """

    stages: tuple[ShownStage, ...]
    teams: tuple[tuple[Team, int, list[str]], ...]
    seeded: tuple[DeskContestant, ...]
    method: str
    start: datetime | None
    end: datetime | None
    matches: int
    counted: "CountedDraw | None"
    is_predetermined: bool
    has_more_stages: bool
    has_changed: bool = False
    by_timetable: bool = False
    has_replaced: bool = False
    is_all_drawn: bool = False


TogetherShown = tuple[int, int, str, str]
"""Who sits together though they should be kept apart: round, table, players, and why as is known by now."""


@dataclass(frozen=True, slots=True)
class CountedDraw:
    """What is counted of a draw of all rounds: the day, who meets twice, how fair it is, each player's day.

    `games` are all of them, None where a match ends once it is decided. `fewest` and `most` are what somebody
    plays, `wait_minutes` the longest wait between two matches. `repeats` says how many second meetings there
    are at tables of many, None elsewhere. `together` is None where nobody was asked to be kept apart.
    `command` repeats the draw, if one does.
    """

    rounds: int
    waves: int
    games: int | None
    fewest: int
    most: int
    wait_minutes: int
    rematches: tuple[tuple[str, str, int], ...]
    more_rematches: int
    remarks: tuple[tuple[Remark, str], ...]
    repeats: tuple[Remark, str] | None
    together: tuple[TogetherShown, ...] | None
    more_together: int
    loads: tuple[tuple[Team, str, EntryLoad], ...]
    command: str


def show_previewed_draw(tournament: Tournament, seed: str | None, book: NameBook) -> ShownDraw:
    """What a seed would give; raises `Refused("cannot-draw")`."""
    found = preview_draw(tournament, seed)
    if found.stage is None:
        raise TypeError("a draw that is kept")
    teams = {squad.team.pk: squad.team for squad in found.squads}
    who = contestants([squad.body() for squad in found.squads], teams, book)
    choice = found.stage.settings.choice
    return ShownDraw(
        (previewed_stage(found.stage, 1, who, placed=_placed(found)),),
        tuple(
            (team.team, len(team.playing), [book[entry.pk] for entry in team.reserves])
            for team in found.field.teams
        ),
        _seeded(found.stage.form, who),
        found.stage.method,
        found.day.start if choice.is_played else None,
        found.day.end if choice.is_played else None,
        found.day.matches,
        _counted(found, book, found.stage.settings.kind()) if choice.is_predetermined else None,
        choice.is_predetermined,
        _has_later(tournament),
    )


def show_kept_draw(tournament: Tournament, book: NameBook) -> ShownDraw:
    """A draw that is kept, and isn't published; what its seed gives now where the entries have changed."""
    courses = courses_now(tournament)
    if _has_other_field(preview_draw(tournament, courses[0].seed), courses[0]):
        return replace(show_previewed_draw(tournament, courses[0].seed, book), has_changed=True)
    return show_played_draw(tournament, book, courses)


def show_played_draw(
    tournament: Tournament, book: NameBook, drawn_stages: Sequence[StageHistory] = ()
) -> ShownDraw:
    """A draw as it is played: who sits down, hours and tables by the timetable. What is counted is that of
    all its rounds as they are drawn by now.
    """
    courses = drawn_stages or courses_now(tournament)
    matches = load_matches(Match.objects.filter(stage__tournament=tournament))
    first = courses[0]
    teams = tournament.event.teams.in_bulk()
    known = [(course, of_course(course, teams, book)) for course in courses]
    by_match = hours(tournament)
    drawn = {UUID(entry) for squad in first.body["squads"] for entry in squad["entries"]}
    playing = set(
        SquadMember.objects.filter(squad__stage__tournament=tournament).values_list("entry", flat=True)
    )
    choice = first.choice
    counted = {match.id for match in first.matches} if choice.is_predetermined else by_match.keys()
    figures = [hour for match, hour in by_match.items() if match in counted]
    return ShownDraw(
        tuple(
            shown_stage(
                course,
                who,
                _as_placed(course, who, matches, by_match, book),
                is_closed=tournament.status == Tournament.Status.CLOSED,
            )
            for course, who in known
        ),
        _teams(tournament, playing, book),
        _seeded(first.format, known[0][1]),
        first.body["method"],
        min((each.begins_at for each in figures), default=None),
        max((each.ends_at for each in figures), default=None),
        len(figures),
        _counted(kept_draw(tournament, first), book, first.kind) if choice.is_predetermined else None,
        choice.is_predetermined,
        _has_later(tournament),
        by_timetable=any(each.is_stored for each in by_match.values()),
        has_replaced=not drawn <= playing,
        is_all_drawn=_is_all_drawn(tournament, courses),
    )


def _has_later(tournament: Tournament) -> bool:
    return _number_of_stages(tournament) > 1


def _number_of_stages(tournament: Tournament) -> int:
    return len(TournamentSettings.from_json(tournament.settings).stages())


def _is_all_drawn(tournament: Tournament, courses: Sequence[StageHistory]) -> bool:
    last = courses[-1]
    return last.is_all_drawn() and (last.is_last or len(courses) == _number_of_stages(tournament))


def _has_other_field(now: PreviewedDraw, stage: StageHistory) -> bool:
    """Whether the entries give another field than when a stage was drawn."""
    if now.field.constraints != keep_apart_labels.of_fact(stage.body):
        return True
    before, after = list(stage.body["squads"]), [squad.body() for squad in now.squads]
    if now.inputs is None:
        return before != after
    # Squads that are drawn by lot follow from who plays, and from how that version of the program drew.
    return _entries(before) != _entries(after)


def _entries(squads: Iterable[Mapping[str, Any]]) -> set[str]:
    return {entry for squad in squads for entry in squad["entries"]}


def _teams(
    tournament: Tournament, playing: set[UUID], book: NameBook
) -> tuple[tuple[Team, int, list[str]], ...]:
    """The teams that have somebody in the draw, with who is entered and waits."""
    counts: Counter[UUID] = Counter()
    reserves: dict[UUID, list[str]] = defaultdict(list)
    entries = Entry.objects.filter(team__event=tournament.event).order_by("number")
    for team, entry, status in entries.values_list("team", "pk", "status"):
        if entry in playing:
            counts[team] += 1
        elif status == Entry.Status.ENTERED:
            reserves[team].append(book[entry])
    teams = tournament.event.teams.order_by("number")
    return tuple((team, counts[team.pk], reserves[team.pk]) for team in teams if counts[team.pk])


def _seeded(form: Format, who: Mapping[int, DeskContestant]) -> tuple[DeskContestant, ...]:
    """Those who are set by their entry numbers."""
    return tuple(who[number] for number in range(1, form.seeds(len(who)) + 1))


def _placed(found: PreviewedDraw) -> PlacedPairings:
    """Where and when the pairings of a draw are played that isn't kept."""
    placed = {}
    for plan, drawn, day in zip(found.rounds, found.draw.rounds, found.day.rounds, strict=True):
        pairings = iter(plan.pairings)
        for wave, time in zip(drawn.waves, day.waves, strict=True):
            for match in wave.matches:
                slot = next(pairings).slot
                placed[plan.number, slot] = Placed(wave.number, match.table, time.start, time.end)
    return placed


def placed_as_played(
    tournament: Tournament, course: StageHistory, who: Mapping[int, DeskContestant], book: NameBook
) -> PlacedPairings:
    """Where and when the pairings of a stage are played; five queries."""
    matches = load_matches(Match.objects.filter(stage=course.stage))
    return _as_placed(course, who, matches, hours(tournament), book)


def _as_placed(
    course: StageHistory,
    who: Mapping[int, DeskContestant],
    matches: Iterable[MatchView],
    by_match: Hours,
    book: NameBook,
) -> PlacedPairings:
    """Where and when the pairings of a stage are played, and who sits there."""
    pairings = {match.id: (match.round, match.pairing) for match in course.matches}
    placed = {}
    for match in matches:
        if match.id not in pairings:
            continue
        number, pairing = pairings[match.id]
        sides = tuple(
            replace(who[contestant], names=tuple(book[entry.pk] for entry in side.entries))
            for contestant, side in zip(pairing.sides, match.sides, strict=True)
        )
        hour = by_match[match.id]
        placed[number, pairing.slot] = Placed(
            match.wave, match.table.number, hour.begins_at, hour.ends_at, sides
        )
    return placed


def _counted(found: PreviewedDraw, book: NameBook, kind: MatchKind) -> CountedDraw:
    teams = found.field.teams

    def name(player: Player) -> str:
        return book[teams[player.team - 1].entry(player.entry).pk]

    kept_apart = found.kept() if found.field.constraints else None
    together = () if kept_apart is None else tuple(_together(found, kept_apart, name))
    remarks = fairness(Course.of_draw(found.draw), constraints_kept=kept_apart).remarks
    sentences = [(remark, _(remark.template) % dict(remark.values)) for remark in remarks]
    day = found.day
    return CountedDraw(
        len(found.draw.rounds),
        sum(len(each.waves) for each in found.draw.rounds),
        None if kind.may_go_without(kind.games) else day.games,
        day.fewest_games,
        day.most_games,
        max(load.longest_wait for load in day.entries) // timedelta(minutes=1),
        tuple((name(each.one), name(each.other), each.matches) for each in day.rematches[:MOST_REMATCHES]),
        max(0, len(day.rematches) - MOST_REMATCHES),
        # Second meetings stand by themselves, with names.
        tuple(each for each in sentences if each[0].code not in ("rematches", "no_rematch", "repeats")),
        next((each for each in sentences if each[0].code == "repeats"), None),
        None if kept_apart is None else together[:MOST_TOGETHER],
        max(0, len(together) - MOST_TOGETHER),
        tuple((teams[load.player.team - 1].team, name(load.player), load) for load in day.entries),
        found.command(),
    )


def _together(
    found: PreviewedDraw, kept_apart: ConstraintsKept, name: Callable[[Player], str]
) -> Iterator[TogetherShown]:
    """Who couldn't be kept apart, those of a group before strong ones; who shares two groups, once."""
    places = {
        match.number: (each.number, match.table) for each in found.draw.rounds for match in each.matches()
    }
    whys: dict[tuple[int, tuple[Player, ...]], list[str]] = {}
    for each in sorted(kept_apart.together, key=lambda each: (not each.group, each.match, each.group)):
        told = whys.setdefault((each.match, each.players), [])
        told += [why for why in _whys(found, each) if why not in told]
    for (match, players), told in whys.items():
        yield *places[match], ", ".join(map(name, players)), ", ".join(told)


def _whys(found: PreviewedDraw, together: Together) -> list[str]:
    if not together.group:
        return [_("strong players")]
    texts = {"family": _("one family"), "class": _("one class")}
    entries = [found.field.teams[player.team - 1].entry(player.entry) for player in together.players]
    return [texts[kind] for kind in keep_apart_labels.in_common(entries)]
