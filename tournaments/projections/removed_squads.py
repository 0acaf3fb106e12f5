"""Sides that were removed from a tournament, and what becomes of their places, as decisions say."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from ledger.entries import StoredFact
from tournaments.projections.mini_tournament_games import DrawnGame
from tournaments.standings import RANKED_LAST, RemovedPlace

_Squad = tuple[str, int]

# As a row of the standings begins with it: in Italian nouns, which fit teams and squads alike.
_IN_A_ROW: Final = {
    "withdrawn": pgettext_lazy("standings row", "Withdrawn"),
    "no-show": pgettext_lazy("standings row", "Didn’t turn up"),
    "disqualified": pgettext_lazy("standings row", "Disqualified"),
}

# As it stands beside a name: in Italian nouns, too, which fit squads and players alike.
_BESIDE_A_NAME: Final = {
    "withdrawn": pgettext_lazy("beside a name", "withdrawn"),
    "no-show": pgettext_lazy("beside a name", "didn’t turn up"),
    "disqualified": pgettext_lazy("beside a name", "disqualified"),
}

REMOVED_PLACES: Final[Mapping[RemovedPlace, Promise]] = {
    RemovedPlace.RULE: gettext_lazy("As the round robin’s rule on leaving early says"),
    RemovedPlace.KEEPS: gettext_lazy("Keeps its results and its place"),
    RemovedPlace.LAST: gettext_lazy("Comes last, without placement points"),
    RemovedPlace.ANNULLED: gettext_lazy("Comes last, and no result against it counts"),
}
"""What becomes of the place of who is removed, in words."""


@dataclass(frozen=True, slots=True)
class Removal:
    """Why a side doesn't play on (one of `GONE_REASONS`), and what becomes of its place."""

    reason: str
    place: RemovedPlace

    def to_json(self) -> dict[str, str]:
        """As a row of the standings keeps it."""
        return {"reason": self.reason, "place": self.place.value}


def why_left(reason: str) -> str:
    """Why somebody doesn't play on, as it stands beside the name; empty for an empty reason."""
    return str(_BESIDE_A_NAME[reason]) if reason else ""


def is_ranked_last(removal: Mapping[str, str] | None) -> bool:
    """Whether a row's removal puts it behind all others, without placement points."""
    return removal is not None and removal["place"] in RANKED_LAST


def removed(removal: Mapping[str, str] | None, ahead: str) -> str:
    """The sentence in a row of the standings: why a side was removed and what became of its place, if it was.

    `ahead` is the sentence without that.
    """
    if removal is None:
        return ahead
    words = {"why": str(_IN_A_ROW[removal["reason"]]), "ahead": ahead[:1].lower() + ahead[1:]}
    if removal["place"] == RemovedPlace.LAST:
        return gettext("%(why)s: last, without placement points") % words
    if removal["place"] == RemovedPlace.ANNULLED:
        return gettext("%(why)s: last, and no result against it counts") % words
    return gettext("%(why)s; %(ahead)s") % words if ahead else words["why"]


@dataclass(frozen=True, slots=True)
class Removals:
    """Who was removed and isn't back: squads by team and number, teams by id.

    Removals from before it was asked what becomes of the place aren't here: those keep to the format's rule.
    """

    squads: Mapping[_Squad, Removal] = field(default_factory=dict)
    teams: Mapping[str, Removal] = field(default_factory=dict)

    @classmethod
    def of(cls, decisions: Iterable[StoredFact]) -> Self:
        """What decisions up to some moment say."""
        squads: dict[_Squad, Removal] = {}
        teams: dict[str, Removal] = {}
        for fact in decisions:
            body: Mapping[str, Any] = fact.body
            match fact.type:
                case "squad_gone" if "place" in body:
                    squads[body["team"], body["squad"]] = Removal(body["reason"], RemovedPlace(body["place"]))
                case "squad_gone" | "squad_back":
                    squads.pop((body["team"], body["squad"]), None)
                case "team_gone":
                    teams[body["team"]] = Removal(body["reason"], RemovedPlace(body["place"]))
                case "team_back":
                    teams.pop(body["team"], None)
        return cls(squads, teams)

    def has_annulled(self) -> bool:
        """Whether there is anybody against whom no result counts, by decision."""
        removed = (*self.squads.values(), *self.teams.values())
        return any(each.place is RemovedPlace.ANNULLED for each in removed)

    def annuls(self, game: DrawnGame) -> bool:
        """Whether a game of mini-tournaments counts for nobody, since a side of it was removed so."""
        return self.annuls_one_of(zip(map(str, game.sides), game.squads, strict=True))

    def annuls_one_of(self, squads: Iterable[_Squad]) -> bool:
        """Whether no result counts against one of these squads of mini-tournaments, or its team."""
        return any(
            each is not None and each.place is RemovedPlace.ANNULLED
            for team, squad in squads
            for each in (self.teams.get(team), self.squads.get((team, squad)))
        )
