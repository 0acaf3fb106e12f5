"""What rounds and matches of a tournament are called, in the reader's language."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from tournaments.formats.catalogue import ROUND_FORMATS
from tournaments.formats.match_kind import LENGTHS, Length
from tournaments.models import DrawnRound, Stage, Tournament


@dataclass(frozen=True, slots=True)
class Title:
    """What a round is called, and in which stage it is played where there are several."""

    title: str
    stage: str = ""


def round_title(title: str, values: Mapping[str, Any]) -> str:
    """A round's title, of its msgid and values."""
    return gettext(title) % values if title else ""


def round_titles(tournaments: Iterable[UUID]) -> dict[tuple[UUID, int], str]:
    """The titles of the drawn rounds of tournaments, by tournament and number; one query."""
    rows = DrawnRound.objects.filter(stage__tournament__in=set(tournaments))
    found = rows.values_list("stage__tournament", "number", "title", "values")
    return {(tournament, number): round_title(title, values) for tournament, number, title, values in found}


def titles(tournament: Tournament) -> dict[int, Title]:
    """The titles of the drawn rounds by number; one query, and none for a format that isn't drawn round by
    round, whose rounds have numbers alone.
    """
    if not tournament.is_by_round:
        return {}
    drawn = DrawnRound.objects.filter(stage__tournament=tournament).select_related("stage").order_by("number")
    has_several = bool(tournament.settings.get("later"))
    return {
        each.number: Title(
            round_title(each.title, each.values),
            gettext(ROUND_FORMATS[each.stage.format].name) if has_several else "",
        )
        for each in drawn
    }


def length_of(stage: Stage | None) -> str:
    """What ends a match of a stage, such as "Best of 3"; empty where one game does, and for
    mini-tournaments.
    """
    match: Mapping[str, Any] = stage.match if stage is not None else {}
    if not match or match["length"] in (Length.ONE_GAME, Length.MINI_TOURNAMENT):
        return ""
    return gettext(LENGTHS[match["length"]].name) % {"games": match["games"]}
