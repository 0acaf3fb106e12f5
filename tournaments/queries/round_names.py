"""Names of a tournament's rounds and matches, in the reader's language."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext, ngettext

from tournaments.formats.catalogue import FORMATS
from tournaments.formats.elimination import titles as bracket
from tournaments.formats.format import RoundPlan
from tournaments.formats.match_lengths import LENGTHS, Length
from tournaments.models import DrawnRound, Match, Stage, Tournament

ROUND: Final = "Round %(number)d"
"""The title of a round that has no name but its number, as formats give it."""


@dataclass(frozen=True, slots=True)
class RoundTitle:
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


def drawn_round(stage: str = "stage", number: str = "round") -> dict[str, Subquery]:
    """Annotations of matches (or of rows that have these columns) for `round_name`.

    They are the drawn round's msgid as `round_title` and its values as `round_values`. Both are None where
    rounds have numbers alone.
    """
    # One row at most: without an order no other table is joined for it.
    rows = DrawnRound.objects.filter(stage=OuterRef(stage), number=OuterRef(number)).order_by()
    return {"round_title": Subquery(rows.values("title")), "round_values": Subquery(rows.values("values"))}


def round_name(number: int, title: str | None, values: Mapping[str, Any] | None, slot: str = "") -> str:
    """What a round is called, or what is played in its match in a slot, in the reader's language.

    It is "Third place", "Semi-finals", or "Round 3", from the round's number, msgid and values.
    """
    if not title:
        return gettext("Round %(number)d") % {"number": number}
    played = bracket.part_of_round(bracket.Title(title, tuple((values or {}).items())), slot)
    return round_title(played.template, dict(played.values))


def part_name(title: str, values: Mapping[str, Any], slot: str) -> str:
    """What is played in a match in a slot where its round has matches of several kinds, such as final and
    third place; else empty.
    """
    name = round_name(0, title, values, slot)
    return name if title and name != round_title(title, values) else ""


def plan_name(plan: RoundPlan, before: int = 0) -> str:
    """What a round is called that is drawn or would be; `before` are the rounds of earlier stages."""
    return round_name(before + plan.number, plan.title, dict(plan.values))


def spoken_numbers(numbers: Sequence[int]) -> str:
    """Numbers of rounds, in order, as they follow the word "rounds": 3, "2 and 3", "3 to 5", else 1, 3, 4."""
    if len(numbers) == 2:
        return gettext("%(first)d and %(last)d") % {"first": numbers[0], "last": numbers[1]}
    if len(numbers) > 2 and list(numbers) == [*range(numbers[0], numbers[-1] + 1)]:
        return gettext("%(first)d to %(last)d") % {"first": numbers[0], "last": numbers[-1]}
    return ", ".join(map(str, numbers))


def spoken_rounds(rounds: Sequence[Mapping[str, Any]]) -> str:
    """What rounds are called that are told of together, as facts have them: "Rounds 1 to 3", or
    "Semi-finals, Final".
    """
    if any(each["title"] not in ("", ROUND) for each in rounds):
        return ", ".join(round_name(each["number"], each["title"], each["values"]) for each in rounds)
    numbers = [each["number"] for each in rounds]
    told = ngettext("Round %(rounds)s", "Rounds %(rounds)s", len(numbers))
    return told % {"rounds": spoken_numbers(numbers)}


def round_names(tournament: Tournament, numbers: Iterable[int]) -> dict[int, str]:
    """What these rounds of a tournament are called, by number; one query."""
    rows = DrawnRound.objects.filter(stage__tournament=tournament)
    drawn = {
        number: (title, values) for number, title, values in rows.values_list("number", "title", "values")
    }
    return {number: round_name(number, *drawn.get(number, ("", {}))) for number in numbers}


def match_name(match: Match) -> str:
    """What is played in a match, and at which table; its table is loaded, one query."""
    drawn = DrawnRound.objects.filter(stage=match.stage_id, number=match.round)
    title, values = drawn.values_list("title", "values").first() or (None, None)
    name = round_name(match.round, title, values, match.slot)
    return gettext("%(title)s, table %(number)s") % {"title": name, "number": match.table.number}


def titles(tournament: Tournament) -> dict[int, RoundTitle]:
    """The titles of the drawn rounds by number.

    One query, and none for a format that isn't drawn round by round, whose rounds have numbers alone.
    """
    if not tournament.choice.is_by_round:
        return {}
    drawn = DrawnRound.objects.filter(stage__tournament=tournament).select_related("stage").order_by("number")
    has_several = bool(tournament.settings.get("later"))
    return {
        each.number: RoundTitle(
            round_title(each.title, each.values),
            gettext(FORMATS[each.stage.format].name) if has_several else "",
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
