"""A log as a text for people, beside JSON Lines; it is written, never read."""

from games.engine.notation.printing import print_notation

__all__ = ["print_notation"]
