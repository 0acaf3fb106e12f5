"""Snapshots of projected rows as comparable values, and where two of them differ."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy

from games import logbook
from games.models import Game, Seat
from tournaments.models import (
    DrawnRound,
    Match,
    MatchGame,
    MatchSide,
    OtherPlacing,
    OverallStanding,
    OverallVersion,
    Palio,
    PlayedJoker,
    Squad,
    SquadMember,
    Stage,
    Standing,
    StandingsVersion,
    Tournament,
)

Key = tuple[Any, ...]
Row = Mapping[str, Any]
Picture = dict[str, dict[Key, Row]]
"""The rows of each kind: their columns by what names a row."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Rows of one kind: what people call them, the columns that name a row, and those that are compared.

    Ids that are made up anew when a row is built are in neither.
    """

    title: Any
    model: type[Model]
    key: tuple[str, ...]
    columns: tuple[str, ...]
    of: str
    """The lookup of the tournament (or palio) from a row."""

    def rows(self, of: Model) -> QuerySet[Any]:
        """Those of a tournament or a palio."""
        return self.model._default_manager.filter(**{self.of: of.pk}).order_by(*self.key)


KINDS = {
    "settings": Kind(
        gettext_lazy("the settings"), Tournament, ("pk",), ("settings", "status", "version"), "pk"
    ),
    "stages": Kind(
        gettext_lazy("the draw"),
        Stage,
        ("pk",),
        ("number", "format", "seed", "method", "options", "match", "edits", "left", "absent"),
        "tournament",
    ),
    "rounds": Kind(
        gettext_lazy("the rounds"),
        DrawnRound,
        ("stage", "number"),
        ("title", "values", "byes"),
        "stage__tournament",
    ),
    "squads": Kind(
        gettext_lazy("who plays together"),
        Squad,
        ("pk",),
        ("stage", "team", "number"),
        "stage__tournament",
    ),
    "squad members": Kind(
        gettext_lazy("who plays together"),
        SquadMember,
        ("squad", "position"),
        ("entry",),
        "squad__stage__tournament",
    ),
    "matches": Kind(
        gettext_lazy("where and when they meet"),
        Match,
        ("pk",),
        ("stage", "round", "wave", "table", "drawn_wave", "drawn_table", "slot", "version"),
        "stage__tournament",
    ),
    "sides": Kind(
        gettext_lazy("who meets whom"),
        MatchSide,
        ("match", "number"),
        ("squad",),
        "match__stage__tournament",
    ),
    "match games": Kind(
        gettext_lazy("the games of a meeting"),
        MatchGame,
        ("match", "number"),
        ("sides", "game"),
        "match__stage__tournament",
    ),
    "confirmations": Kind(
        gettext_lazy("what was confirmed or disputed"),
        MatchGame,
        ("match", "number"),
        ("confirmed_version", "disputed_version", "dispute"),
        "match__stage__tournament",
    ),
    "games": Kind(
        gettext_lazy("the results of games"),
        Game,
        ("pk",),
        ("group", "scope", "ruleset", *logbook.PROJECTED),
        "group",
    ),
    "seats": Kind(gettext_lazy("who sits where"), Seat, ("game", "number"), ("entry", "team"), "game__group"),
    "versions of the standings": Kind(
        gettext_lazy("the standings of the day"),
        StandingsVersion,
        ("number",),
        (
            *("heads", "games_played", "games_total", "is_all_drawn", "groups", "order", "rounds_played"),
            "round_ends",
            *("has_open_ties", "outdated", "annulled", "is_final", "receipt", "seal"),
        ),
        "tournament",
    ),
    "standings": Kind(
        gettext_lazy("the standings"),
        Standing,
        ("version__number", "team", "squad"),
        (
            *("position", "place", "movement", "is_tied", "games_won", "games_played", "metrics"),
            *("decided_by", "placement_points", "adjustments", "removal"),
        ),
        "version__tournament",
    ),
}
"""What is projected from a tournament's facts."""

OVERALL = {
    "rules": Kind(gettext_lazy("the palio’s rules"), Palio, ("pk",), ("rules", "teams", "version"), "pk"),
    "jokers": Kind(
        gettext_lazy("the jokers"), PlayedJoker, ("team", "discipline"), ("announced_at",), "palio"
    ),
    "placings": Kind(
        gettext_lazy("the places in other games"), OtherPlacing, ("discipline", "team"), ("place",), "palio"
    ),
    "versions of the overall table": Kind(
        gettext_lazy("the overall table of the day"),
        OverallVersion,
        ("number",),
        (*("head", "standings", "decided", "total", "has_open_ties", "is_final", "receipt", "seal"),),
        "palio",
    ),
    "overall table": Kind(
        gettext_lazy("the overall table"),
        OverallStanding,
        ("version__number", "team"),
        ("position", "place", "movement", "is_tied", "total", "shares", "metrics", "decided_by"),
        "version__palio",
    ),
}
"""What is projected from a palio's facts."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that isn't as it should be: `column` is empty where the whole row is there or missing.

    `stored` and `expected` are the column's values; of a whole row, one of them is None.
    """

    kind: Kind
    key: Key
    column: str
    stored: Any
    expected: Any


def picture(of: Model, kinds: Mapping[str, Kind] = KINDS) -> Picture:
    """All projected rows of a tournament (or, with `OVERALL`, a palio); one query for each kind."""
    taken: Picture = {}
    for name, kind in kinds.items():
        rows: dict[Key, Row] = {}
        named = len(kind.key)
        for values in kind.rows(of).values_list(*kind.key, *kind.columns):
            key = values[:named]
            # Without its unique constraint a table can have a row twice.
            while key in rows:
                key = (*key, "again")
            rows[key] = dict(zip(kind.columns, values[named:], strict=True))
        taken[name] = rows
    return taken


def differences(
    stored: Picture, expected: Picture, kinds: Mapping[str, Kind] = KINDS
) -> Iterator[Difference]:
    """Where what is stored isn't what it should be: each row by each of its columns."""
    for name, kind in kinds.items():
        here, there = stored[name], expected[name]
        if here == there:
            continue
        for key in [*here, *(key for key in there if key not in here)]:
            if key not in there or key not in here:
                yield Difference(kind, key, "", here.get(key), there.get(key))
                continue
            for column in kind.columns:
                if here[key][column] != there[key][column]:
                    yield Difference(kind, key, column, here[key][column], there[key][column])


def narrowed(column: str, stored: Any, expected: Any) -> tuple[str, Any, Any]:
    """The place within nested values where two of them first differ, as a path, and what is there."""
    while isinstance(stored, dict) and isinstance(expected, dict):
        differing = [
            name
            for name in sorted({*stored, *expected}, key=str)
            if stored.get(name, _NOTHING) != expected.get(name, _NOTHING)
        ]
        if not differing:
            break
        column = f"{column}.{differing[0]}"
        stored, expected = stored.get(differing[0]), expected.get(differing[0])
    return column, stored, expected


_NOTHING: Callable[[], None] = lambda: None  # noqa: E731  # equal to itself alone
