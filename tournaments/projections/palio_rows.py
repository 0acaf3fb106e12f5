"""From a palio's decisions to its rows: one function for each type of decision.

The same functions run when a decision is made and when everything is built again.
"""

from collections.abc import Callable
from uuid import UUID

from ledger.entries import StoredFact
from tournaments.models import OtherPlacing, Palio, PlayedJoker


def project(palio: Palio, fact: StoredFact) -> None:
    """Bring the palio's rows from before this decision to after it."""
    _PROJECT[fact.type](palio, fact)
    palio.version = fact.sequence
    palio.save(update_fields=["rules", "teams", "version"])


def clear(palio: Palio) -> None:
    """Take away all that decisions have made, before they are projected again."""
    palio.rules, palio.teams, palio.version = {}, [], 0
    palio.jokers.all().delete()
    palio.other_placings.all().delete()


def _set_up(palio: Palio, fact: StoredFact) -> None:
    palio.rules = fact.body["rules"]
    palio.teams = fact.body["teams"]
    # What was said of a discipline that is no longer one goes with it; a joker is free again.
    kept = [UUID(each["id"]) for each in palio.rules["disciplines"]]
    palio.jokers.exclude(discipline__in=kept).delete()
    palio.other_placings.exclude(discipline__in=kept).delete()


def _joker_played(palio: Palio, fact: StoredFact) -> None:
    PlayedJoker.objects.create(
        palio=palio,
        team_id=UUID(fact.body["team"]),
        discipline=UUID(fact.body["discipline"]),
        announced_at=fact.recorded_at,
    )


def _joker_withdrawn(palio: Palio, fact: StoredFact) -> None:
    palio.jokers.filter(team=fact.body["team"], discipline=fact.body["discipline"]).delete()


def _placements_entered(palio: Palio, fact: StoredFact) -> None:
    discipline = UUID(fact.body["discipline"])
    palio.other_placings.filter(discipline=discipline).delete()
    OtherPlacing.objects.bulk_create(
        [
            OtherPlacing(palio=palio, discipline=discipline, team_id=UUID(team), place=place)
            for team, place in fact.body["places"]
        ]
    )


def _only_table(palio: Palio, fact: StoredFact) -> None:
    """Lots are read when the table is computed; no other row depends on them."""


_PROJECT: dict[str, Callable[[Palio, StoredFact], None]] = {
    "palio_set_up": _set_up,
    "joker_played": _joker_played,
    "joker_withdrawn": _joker_withdrawn,
    "placements_entered": _placements_entered,
    "overall_lots_drawn": _only_table,
}
