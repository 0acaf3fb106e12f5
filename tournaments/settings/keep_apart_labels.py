"""Labels of people who are kept apart: numbers that say nothing of the family or class that they stand for.

A family and a class are words of reference rows. They are compared here and forgotten. A draw, its fact and
what is published of it know only lists of entries, in the order of their members. Whether two of a list are
brothers or sit in one class can't be told from it.

Entries have to be loaded with their persons; of one that was erased nothing is known.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from people.intake.cell_text import fold
from people.models import Entry
from tournaments.formats import Constraints, Player
from tournaments.formats.constraints import groups_of

# What a tournament can be set to keep apart.
KEEP_APART = {
    "family": _("Brothers and sisters"),
    "class": _("Children of one class"),
    "strong": _("Strong players"),
}
# Siblings should hardly ever meet, and nobody is marked as strong but to be spread. A class is often in the
# list for other reasons, and children like to play against their friends: that is asked for.
DEFAULT_KEEP_APART = ("family", "strong")

Mark = tuple[str, str]


def marks(entry: Entry, keep_apart: Collection[str]) -> frozenset[Mark]:
    """What an entry may have in common with others, as they are compared: not for anybody's eyes."""
    person = entry.person
    if person is None:
        return frozenset()
    words = {"family": person.family, "class": person.school_class}
    return frozenset((kind, fold(word)) for kind, word in words.items() if kind in keep_apart and fold(word))


def labels(entries: Iterable[Entry], keep_apart: Collection[str]) -> dict[UUID, frozenset[int]]:
    """For each entry the numbers of its groups, for formats that pair contestants (`Contestant.labels`).

    They are groups of two or more of these entries, numbered from 1 in the order of their members as the
    entries come. If the entries come in the order of the seeding, the numbers say nothing but who is
    together. A squad has the labels of all its entries. Strong entries have none: they are to meet, only not
    at once.
    """
    listed = list(entries)
    found: dict[UUID, set[int]] = {entry.pk: set() for entry in listed}
    written = [(place, marks(entry, keep_apart)) for place, entry in enumerate(listed)]
    for number, members in enumerate(groups_of(written), start=1):
        for place in members:
            found[listed[place].pk].add(number)
    return {pk: frozenset(numbers) for pk, numbers in found.items()}


def constraints_of(teams: Sequence[Sequence[Entry]], keep_apart: Collection[str]) -> Constraints:
    """What a draw of these teams' entries is to keep apart and to spread."""
    players = [
        (Player(number, entry.number), entry)
        for number, entries in enumerate(teams, start=1)
        for entry in entries
    ]
    strong = [
        player
        for player, entry in players
        if "strong" in keep_apart and entry.person is not None and entry.person.is_strong
    ]
    # One alone has nobody to be spread from.
    spread = tuple(sorted(strong)) if len(strong) > 1 else ()
    return Constraints(groups_of((player, marks(entry, keep_apart)) for player, entry in players), spread)


def in_common(entries: Sequence[Entry], keep_apart: Collection[str] = tuple(KEEP_APART)) -> tuple[str, ...]:
    """Which of `family` and `class` all of these have in common by now: for the organizer's eyes."""
    shared = frozenset.intersection(*(marks(entry, keep_apart) for entry in entries))
    return tuple(kind for kind in KEEP_APART if any(kind == found for found, _word in shared))


def to_fact(constraints: Constraints) -> dict[str, Any]:
    """What a `stage_drawn` fact keeps of it: pairs of a team's place among the teams, from 0, and an entry's
    number.
    """
    return {
        "apart": [_pairs(members) for members in constraints.groups],
        "strong": _pairs(constraints.strong),
    }


def of_fact(body: Mapping[str, Any]) -> Constraints:
    """The constraints that a `stage_drawn` fact keeps; none where its format keeps squads apart by labels."""
    apart, strong = body.get("apart", ()), body.get("strong", ())
    return Constraints(tuple(_players(pairs) for pairs in apart), _players(strong))


def _pairs(players: Iterable[Player]) -> list[list[int]]:
    return [[player.team - 1, player.entry] for player in players]


def _players(pairs: Iterable[Sequence[int]]) -> tuple[Player, ...]:
    return tuple(Player(team + 1, entry) for team, entry in pairs)
