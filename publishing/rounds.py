"""How far the rounds of a tournament are, what stands on their pages, and who sits one out."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, Sum

from ledger import read
from people.models import Event
from publishing.squads import squads_called
from tournaments.edits_told import Edit, sentences, squads_of
from tournaments.formats.swiss import Swiss
from tournaments.models import DrawnRound, Match, Tournament
from tournaments.reading import Progress, load_matches
from tournaments.rounds.course import DrawnStages


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round: whether all its matches are done, all of its matches that a page may show, in a text, and how
    it was changed by hand.
    """

    number: int
    is_done: bool
    seen: str
    edits: tuple[Edit, ...]


def round_states(tournament: Tournament) -> list[RoundState]:
    """The rounds by number; one query, and five more while a match of a format drawn round by round may be
    decided before all its games are played, which only the whole of it tells.
    """
    is_over = Q(match_games__game__is_over=True)
    matches: Any = (
        Match.objects.filter(stage__tournament=tournament)
        .annotate(
            entries=Sum("match_games__game__version"),
            games=Count("match_games"),
            over=Count("match_games", filter=is_over),
        )
        .order_by("round", "pk")
        .values_list("round", "pk", "version", "table", "entries", "stage__edits", "games", "over")
    )
    seen: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    edits: dict[int, list[Edit]] = {}
    open_: dict[UUID, int] = {}
    undecided: set[int] = set()
    for number, pk, *state, changed, games, over in matches:
        edits[number] = [{**edit, "rounds": [number]} for edit in changed if number in edit["rounds"]]
        seen[number].append((pk, *state, games))
        if over < games and tournament.is_by_round and over:
            open_[pk] = number
        elif over < games:
            undecided.add(number)
    if open_:
        half_played = load_matches(Match.objects.filter(pk__in=list(open_)))
        undecided |= {open_[each.id] for each in half_played if each.progress is not Progress.DONE}
    return [
        RoundState(
            number, number not in undecided, f"{seen[number]} {len(edits[number])}", tuple(edits[number])
        )
        for number in sorted(seen)
    ]


def by_hand(event: Event, state: RoundState) -> list[str]:
    """What was changed of a round by hand, by the names that may be shown; one query if anything was."""
    if not state.edits:
        return []
    return sentences(state.edits, squads_called(event, squads_of(state.edits)))


@dataclass(frozen=True, slots=True)
class Resting:
    """Who doesn't play in a round, by the names that may be shown: left over by the draw, or as asked."""

    byes: list[str]
    on_request: list[str]


def resting(event: Event, tournament: Tournament, number: int) -> Resting:
    """Who has a bye in a round, and who asked to sit it out; two queries, three of a Swiss."""
    if not tournament.is_by_round:
        return Resting([], [])
    drawn = DrawnRound.objects.filter(stage__tournament=tournament, number=number).select_related("stage")
    rounds = list(drawn)
    byes = [UUID(squad) for each in rounds for squad in each.byes]
    on_request: list[UUID] = []
    if any(each.stage.format == Swiss.key for each in rounds):
        on_request = DrawnStages.of(read.facts(tournament.pk)).sitting_out().get(number, [])
    names = squads_called(event, [*byes, *on_request])
    return Resting(*([names[squad] for squad in squads if squad in names] for squads in (byes, on_request)))
