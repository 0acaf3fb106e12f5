"""A game of a tournament as it is stored now, and how the logs of tests begin."""

from typing import Any

from games.models import Game
from games.outcome import Outcome
from ledger import read
from tournaments.models import MatchGame

BEGIN: tuple[dict[str, Any], ...] = (
    {"type": "dealer_named", "seat": 0},
    {"type": "deal_started", "dealer": 0},
    {"type": "card_turned", "card": "R5"},
)
SIX_LINES = (
    *BEGIN,
    {"type": "cards_played", "seat": 1, "cards": ["R7"]},
    {"type": "cards_played", "seat": 0, "cards": ["R2"]},
    {"type": "cards_played", "seat": 1, "cards": ["R9"]},
)


def outcome(game: MatchGame) -> Outcome:
    """How it ended, and with what."""
    return Outcome.of_row(Game.objects.get(pk=game.game_id))


def types_of(game: MatchGame) -> list[str]:
    """Its log, by types."""
    return [fact.type for fact in read.facts(game.game_id)]
