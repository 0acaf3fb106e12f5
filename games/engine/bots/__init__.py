"""Bots that play whole games, the same ones from the same seed: for tests, measurements and rehearsals.

They hold real cards, so every event of theirs is checked in full. They also make the mistakes that rules are
there for: they forget UNO and catch each other, bluff with a Wild Draw Four, challenge rightly and wrongly,
prompt, and lay wrong cards.

What they never do: correct a log (`event_voided`), name a result (`game_closed` with `result`), and close a
game while hands are being shown.
"""

from games.engine.bots.game import play_random_game
from games.engine.bots.styles import STYLES

__all__ = ["STYLES", "play_random_game"]
