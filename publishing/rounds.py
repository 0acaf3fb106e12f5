"""Rounds of a tournament: how far they are, what stands on their pages, who sits one out."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from people.display_names import Viewer
from people.models import Event
from tournaments.facts import earlier
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.elimination.titles import Title, has_byes_of_losers
from tournaments.models import DrawnRound, Match, Tournament
from tournaments.projections.rounds.course import DrawnStages
from tournaments.projections.standings_inputs import courses_now
from tournaments.queries.draw_edits_text import Edit, in_round, sentences, squads_of
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.matches import annulled_squads, is_outdated, load_matches, outdated_matches
from tournaments.queries.squad_names import squad_names


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round: whether all its matches are done, and how it was changed by hand. Also, as a text, all of its
    matches that a page may show.
    """

    number: int
    is_done: bool
    seen: str
    edits: tuple[Edit, ...]


def round_states(tournament: Tournament) -> list[RoundState]:
    """The rounds by number. One query, and five more while a match may be decided before all its games are
    played, which only the whole of it tells.
    """
    is_over = Q(match_games__game__is_over=True)
    matches: Any = (
        Match.objects.filter(stage__tournament=tournament)
        .annotate(
            entries=Sum("match_games__game__version"),
            games=Count("match_games"),
            over=Count("match_games", filter=is_over),
            outdated=outdated_matches(),
            annulled=annulled_squads(),
        )
        .order_by("round", "pk")
        .values_list(
            *("round", "pk", "outdated", "version", "table", "entries", "annulled"),
            *("stage__edits", "games", "over"),
        )
    )
    seen: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    edits: dict[int, list[Edit]] = {}
    open_: dict[UUID, int] = {}
    undecided: set[int] = set()
    for number, pk, outdated, *state, changed, games, over in matches:
        edits[number] = [in_round(edit, number) for edit in changed if number in edit["rounds"]]
        seen[number].append((pk, is_outdated(pk, outdated), *state, games))
        if over < games and over and not tournament.plays_all_games:
            open_[pk] = number
        elif over < games:
            undecided.add(number)
    if open_:
        half_played = load_matches(Match.objects.filter(pk__in=list(open_)))
        undecided |= {open_[each.id] for each in half_played if each.progress is not MatchProgress.DONE}
    return [
        RoundState(
            number, number not in undecided, f"{seen[number]} {len(edits[number])}", tuple(edits[number])
        )
        for number in sorted(seen)
    ]


def by_hand(event: Event, state: RoundState) -> list[str]:
    """What was changed of a round after it was drawn, by the names that may be shown; one query if anything
    was.
    """
    if not state.edits:
        return []
    return sentences(state.edits, squad_names(Viewer.public(event), squads_of(state.edits)))


@dataclass(frozen=True, slots=True)
class Resting:
    """Who doesn't play in a round, by the names that may be shown.

    `byes` are left over by the draw, `losers` so in the losers' bracket, `on_request` sit out as asked, and
    `late` weren't there yet. `walkovers` have won without playing, since the other one is gone.

    `is_end`: organizers ended the stage with this round; `is_last`: no stage follows either.
    """

    byes: list[str]
    on_request: list[str]
    walkovers: list[str] = field(default_factory=list)
    is_end: bool = False
    is_last: bool = False
    losers: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)

    def by_kind(self) -> list[list[str]]:
        """A sentence for each, those of one kind together."""
        told = (
            (_("%(name)s has a bye"), self.byes),
            (_("%(name)s goes on in the losers’ bracket without playing this round"), self.losers),
            (_("%(name)s sits out, as asked"), self.on_request),
            (_("%(name)s came after this round"), self.late),
            (_("%(name)s wins without playing, since the other side has left"), self.walkovers),
        )
        return [[sentence % {"name": name} for name in names] for sentence, names in told]

    def sentences(self) -> list[str]:
        """A sentence for each."""
        return [sentence for told in self.by_kind() for sentence in told]


def resting(event: Event, tournament: Tournament, number: int) -> Resting:
    """Who has a bye in a round, and who asked to sit it out.

    Two queries; three of a Swiss, at tables of many and where stages follow. Two more of a bracket in which
    somebody has none to play against.
    """
    if not tournament.choice.is_by_round:
        return Resting([], [])
    drawn = DrawnRound.objects.filter(stage__tournament=tournament, number=number).select_related("stage")
    rounds = list(drawn)
    byes = [UUID(squad) for each in rounds for squad in each.byes]
    on_request: list[UUID] = []
    late: list[UUID] = []
    ended: dict[int, bool] = {}
    choices = [FORMATS[each.stage.format] for each in rounds]
    if tournament.settings.get("later") or any(each.grants_byes or each.adds_points for each in choices):
        stages = DrawnStages.of(earlier.decisions(tournament.pk))
        on_request, ended = list(stages.sitting_out().get(number, {}).values()), stages.ended()
        late = list(stages.coming_later().get(number, {}).values())
    won = _walkovers(tournament, number) if byes and number > 1 and tournament.has_bracket else frozenset()
    names = squad_names(Viewer.public(event), [*byes, *on_request, *late])
    left_over = [each for each in byes if each not in won]
    after_a_defeat = any(has_byes_of_losers(Title(each.title, tuple(each.values.items()))) for each in rounds)
    groups = (left_over, on_request, late, [each for each in byes if each in won])
    called, asked, came_later, walkovers = (
        [names[squad] for squad in squads if squad in names] for squads in groups
    )
    return Resting(
        [] if after_a_defeat else called,
        asked,
        walkovers,
        number in ended,
        ended.get(number, False),
        called if after_a_defeat else [],
        came_later,
    )


def _walkovers(tournament: Tournament, number: int) -> frozenset[UUID]:
    """The squads that won a match of a bracket's round that was never drawn; two queries."""
    found: set[UUID] = set()
    for course in courses_now(tournament):
        for each in course.progress.rounds:
            if course.rounds_before + each.plan.number == number:
                won = course.format.walkovers(course.progress, each.plan)
                found |= {course.squad_id(one) for one in won}
    return frozenset(found)
