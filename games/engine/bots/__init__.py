"""Bots that play whole games, the same ones from the same seed: for tests, measurements and rehearsals.

They hold real cards, so every event of theirs is checked in full. They also make the mistakes that rules are
there for. They forget UNO and catch each other, and bluff with a Wild Draw Four. They challenge rightly and
wrongly, prompt, and lay wrong cards.

They never correct a log (`event_voided`) or name a result (`game_closed` with `result`). Nor do they close a
game while hands are being shown.
"""

from games.engine.bots.game import play_random_game
from games.engine.bots.styles import STYLES

__all__ = ["STYLES", "play_random_game"]
