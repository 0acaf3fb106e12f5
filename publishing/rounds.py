"""The rounds of a tournament by their titles, with who has a bye in them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from people.models import Event
from publishing.squads import squads_called
from tournaments.formats.catalogue import ROUND_FORMATS
from tournaments.formats.match_kind import LENGTHS, Length
from tournaments.models import DrawnRound, Stage, Tournament


@dataclass(frozen=True, slots=True)
class Title:
    """What a round is called, and in which stage it is played where there are several."""

    title: str
    stage: str = ""


def titles(tournament: Tournament) -> dict[int, Title]:
    """The titles of the drawn rounds by number, of a format drawn round by round; one query."""
    if not tournament.is_by_round:
        return {}
    drawn = DrawnRound.objects.filter(stage__tournament=tournament).select_related("stage").order_by("number")
    has_several = bool(tournament.settings.get("later"))
    return {
        each.number: Title(
            gettext(each.title) % each.values,
            gettext(ROUND_FORMATS[each.stage.format].name) if has_several else "",
        )
        for each in drawn
    }


def byes(event: Event, tournament: Tournament, numbers: Iterable[int]) -> dict[int, list[str]]:
    """Who has a bye in these rounds, by the names that may be shown; two queries."""
    if not tournament.is_by_round:
        return {}
    rounds = DrawnRound.objects.filter(stage__tournament=tournament, number__in=list(numbers))
    found = {each.number: [UUID(squad) for squad in each.byes] for each in rounds}
    names = squads_called(event, [squad for squads in found.values() for squad in squads])
    return {number: [names[squad] for squad in squads if squad in names] for number, squads in found.items()}


def length_of(stage: Stage | None) -> str:
    """What ends a match of a stage, such as "Best of 3"; empty where one game does, and for
    mini-tournaments.
    """
    match: Mapping[str, Any] = stage.match if stage is not None else {}
    if not match or match["length"] in (Length.ONE_GAME, Length.MINI_TOURNAMENT):
        return ""
    return gettext(LENGTHS[match["length"]].name) % {"games": match["games"]}
