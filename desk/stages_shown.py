"""Stages and rounds as the desk's pages show them: drawn, to be drawn, or drawn otherwise by now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from desk.stage_squads import DeskContestant, Who, shown
from people.models import Team
from rendering.components.bracket_view import Piece, Scores, pieces
from tournaments.formats.choice import FormatChoice
from tournaments.formats.elimination.display_sections import sections
from tournaments.formats.elimination.format import bracket_of
from tournaments.formats.elimination.titles import Title, has_byes_of_losers
from tournaments.formats.format import Format, PlayedRound, RoundPlan, StageProgress
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.draw_comparison import ChangedPair, ChangedRound
from tournaments.projections.rounds.ranking import group_name, groups_of
from tournaments.queries.round_names import part_name, plan_name


class Placed(NamedTuple):
    """Where and when a pairing is played; `sides` are who sits there, where that is known otherwise."""

    wave: int
    table: int
    begins_at: datetime
    ends_at: datetime
    sides: tuple[DeskContestant, ...] = ()


PlacedPairings = Mapping[tuple[int, str], Placed]
"""By the number of a round in its stage and the pairing's slot."""


@dataclass(frozen=True, slots=True)
class ShownPairing:
    """Who meets, in the order of the first game's seats; what is to be said of it; the table, if known.

    `part` is what is played in it where its round has matches of several kinds.
    """

    sides: tuple[DeskContestant, ...]
    notes: tuple[str, ...]
    is_decided: bool = False
    table: int | None = None
    part: str = ""


@dataclass(frozen=True, slots=True)
class ShownWave:
    """Who meets at the same time; from when to when, if that is known."""

    number: int
    pairings: tuple[ShownPairing, ...]
    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class ShownRound:
    """A round: its number through all stages, its title, who meets, who has a bye, and who doesn't play.

    `on_request` sit it out as asked, `late` came after it, and `walkovers` win in it since the other one is
    gone. `waiting` are teams that wait as a whole. `is_after_defeat`: who has a bye has lost before, and goes
    on in the losers' bracket.
    """

    number: int
    title: str
    waves: tuple[ShownWave, ...]
    byes: tuple[DeskContestant, ...]
    on_request: tuple[DeskContestant, ...] = ()
    late: tuple[DeskContestant, ...] = ()
    walkovers: tuple[DeskContestant, ...] = ()
    waiting: tuple[Team, ...] = ()
    is_after_defeat: bool = False


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage as drawn: rounds, a bracket where there is one, groups where there are several."""

    number: int
    format: str
    seed: str
    rounds: tuple[ShownRound, ...]
    pieces: tuple[Piece, ...]
    groups: tuple[tuple[str, tuple[DeskContestant, ...]], ...] = ()
    is_played: bool = True
    field: tuple[DeskContestant, ...] = ()


def round_of_course(course: StageHistory, plan: RoundPlan, who: Who) -> ShownRound:
    """A round of a stage that isn't played yet, with names."""
    return _round_of_course(course, _unplayed(plan), who, {})


def _unplayed(plan: RoundPlan) -> PlayedRound:
    return PlayedRound(plan, (None,) * len(plan.pairings))


def _round_of_course(
    course: StageHistory, played: PlayedRound, who: Who, placed: PlacedPairings
) -> ShownRound:
    plan = played.plan
    asked = (one.number for one in course.progress.contestants if plan.number in one.sits_out)
    late = (one.number for one in course.progress.contestants if plan.number < one.since)
    walkovers = course.format.walkovers(course.progress, plan)
    return replace(
        _round(course.choice, played, who, course.rounds_before, placed),
        byes=tuple(who[one] for one in plan.byes if one not in walkovers),
        on_request=tuple(who[one] for one in asked),
        late=tuple(who[one] for one in late),
        walkovers=tuple(who[one] for one in sorted(walkovers)),
    )


def _round(
    choice: FormatChoice, played: PlayedRound, who: Who, before: int, placed: PlacedPairings
) -> ShownRound:
    """A round with names; `before` are the rounds of earlier stages."""
    plan = played.plan
    return ShownRound(
        before + plan.number,
        plan_name(plan, before),
        _waves(choice, played, who, placed),
        tuple(who[one] for one in plan.byes),
        waiting=_waiting(choice, plan, who),
        is_after_defeat=has_byes_of_losers(Title(plan.title, plan.values)),
    )


def _waves(
    choice: FormatChoice, played: PlayedRound, who: Who, placed: PlacedPairings
) -> tuple[ShownWave, ...]:
    """The pairings by wave and table; all in one wave, in their order, where nobody knows where they are."""
    plan = played.plan
    found = []
    for pairing, outcome in zip(plan.pairings, played.outcomes, strict=True):
        where = placed.get((plan.number, pairing.slot))
        sides = (where.sides if where else ()) or tuple(who[side] for side in pairing.sides)
        table = where.table if where else None
        notes = tuple(_notes(choice, pairing.notes, who))
        part = part_name(plan.title, dict(plan.values), pairing.slot)
        found.append((where, ShownPairing(sides, notes, outcome is not None, table, part)))
    known = [(where, pairing) for where, pairing in found if where is not None]
    if len(known) < len(found):
        return (ShownWave(1, tuple(pairing for _where, pairing in found)),)
    known.sort(key=lambda each: (each[0].wave, each[0].table))
    waves = []
    for number, grouped in groupby(known, key=lambda each: each[0].wave):
        places, pairings = zip(*grouped, strict=True)
        begins_at, ends_at = min(each.begins_at for each in places), max(each.ends_at for each in places)
        waves.append(ShownWave(number, pairings, begins_at, ends_at))
    return tuple(waves)


def _waiting(choice: FormatChoice, plan: RoundPlan, who: Who) -> tuple[Team, ...]:
    """The teams that a round leaves out as a whole, where all rounds are drawn at once."""
    if not choice.is_predetermined:
        return ()
    there = {who[side].team for pairing in plan.pairings for side in pairing.sides}
    there |= {who[one].team for one in plan.byes}
    return tuple(team for team in dict.fromkeys(one.team for one in who.values()) if team not in there)


def _notes(choice: FormatChoice, notes: Iterable[tuple[str, int]], who: Who) -> Iterator[str]:
    """Sentences."""
    return (
        _(choice.notes[code]) % {"contestant": who[one].players}
        for code, one in notes
        if code in choice.notes
    )


def shown_stage(
    course: StageHistory, who: Who, placed: PlacedPairings | None = None, *, is_closed: bool = False
) -> ShownStage:
    """A stage as it is drawn and played so far; `is_closed`: its tournament is."""
    rounds = [_round_of_course(course, each, who, placed or {}) for each in course.progress.rounds]
    bracket = _bracket(course.format, course.progress, course.seed, who, course.scores(), is_closed=is_closed)
    return _stage(course.number, course.choice, course.seed, rounds, bracket, groups_of(course), who)


def previewed_stage(
    drawn: Any, number: int, who: Who, before: int = 0, placed: PlacedPairings | None = None
) -> ShownStage:
    """A stage that isn't kept yet (`DrawnStage`)."""
    settings, seed = drawn.settings, drawn.seed
    played = tuple(_unplayed(plan) for plan in drawn.rounds)
    progress = StageProgress(drawn.contestants, played)
    rounds = [_round(settings.choice, each, who, before, placed or {}) for each in played]
    bracket = _bracket(settings.format(), progress, seed, who)
    groups = settings.format().division(progress, seed)
    return _stage(number, settings.choice, seed, rounds, bracket, groups, who)


def _bracket(
    format_: Format,
    progress: StageProgress,
    seed: str,
    who: Who,
    scores: Scores | None = None,
    *,
    is_closed: bool = False,
) -> tuple[Piece, ...]:
    """The bracket of a knockout so far with the `scores` of its matches; nothing of other formats."""
    bracket = bracket_of(format_, progress, seed) if progress.rounds else None
    if bracket is None:
        return ()
    return pieces(sections(bracket), shown(who), scores=scores, is_closed=is_closed)


def _stage(
    number: int,
    choice: FormatChoice,
    seed: str,
    rounds: Iterable[ShownRound],
    bracket: tuple[Piece, ...],
    groups: Sequence[Sequence[int]],
    who: Who,
) -> ShownStage:
    named = [(group_name(at), tuple(who[one] for one in members)) for at, members in enumerate(groups)]
    return ShownStage(
        number,
        _(choice.name),
        seed,
        tuple(rounds),
        bracket,
        tuple(named) if len(groups) > 1 else (),
        choice.is_played,
        tuple(who.values()),
    )


ShownPair = tuple[tuple[DeskContestant, ...], tuple[DeskContestant | None, ...]]
"""Who was drawn, and who would be now: None stands for nobody, or for who isn't known yet."""


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A drawn round that would be drawn otherwise, and its pairs.

    `moving` would move. `staying` stay as drawn: their games were begun, or those of others in a round that
    moves as a whole. `held` weren't begun, and one who is due sits in another match of the round that stays.
    `waiting` weren't begun, and a match that they follow from is open again.
    """

    title: str
    moving: list[ShownPair]
    staying: list[ShownPair]
    held: list[ShownPair]
    waiting: list[ShownPair]


def shown_changes(changed: Iterable[ChangedRound], who: Who) -> Iterator[ShownChange]:
    """Changed rounds with names. Where a round can't move, all its pairs stay."""
    for each in changed:
        due_now = [pair for pair in each.pairs if not pair.waits and not pair.is_held]
        yield ShownChange(
            _(each.becomes.title) % dict(each.becomes.values),
            [_named(pair, who) for pair in due_now if each.moves and not pair.is_begun],
            [_named(pair, who) for pair in due_now if not each.moves or pair.is_begun],
            [_named(pair, who) for pair in each.pairs if pair.is_held],
            [_named(pair, who) for pair in each.pairs if pair.waits],
        )


def _named(pair: ChangedPair, who: Who) -> ShownPair:
    due = tuple(None if one is None else who[one] for one in pair.due)
    return tuple(who[one] for one in pair.drawn), due
