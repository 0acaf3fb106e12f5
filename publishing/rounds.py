"""How far the rounds of a tournament are, what stands on their pages, and who sits one out."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, Sum

from people.models import Event
from publishing.squads import squads_called
from tournaments.edits_told import Edit, sentences, squads_of
from tournaments.models import DrawnRound, Match, Tournament
from tournaments.reading import Progress, load_matches


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


def byes(event: Event, tournament: Tournament, numbers: Iterable[int]) -> dict[int, list[str]]:
    """Who has a bye in these rounds, by the names that may be shown; two queries."""
    if not tournament.is_by_round:
        return {}
    rounds = DrawnRound.objects.filter(stage__tournament=tournament, number__in=list(numbers))
    found = {each.number: [UUID(squad) for squad in each.byes] for each in rounds}
    names = squads_called(event, [squad for squads in found.values() for squad in squads])
    return {number: [names[squad] for squad in squads if squad in names] for number, squads in found.items()}
