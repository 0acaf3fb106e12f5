"""A game in words: one telling of every log event, in any language. Pure, like the rest of the engine.

Whoever shows a game has its words from here, so nothing is told twice. People are named by the caller, and
cards that only their holder sees are told only to who asks for them.
"""

from games.engine.telling.model import Follow, Line, Part, Telling
from games.engine.telling.names import Names
from games.engine.telling.teller import Teller, outcome, say, tell
from games.engine.telling.wording import card_words

__all__ = [
    "Follow",
    "Line",
    "Names",
    "Part",
    "Teller",
    "Telling",
    "card_words",
    "outcome",
    "say",
    "tell",
]
