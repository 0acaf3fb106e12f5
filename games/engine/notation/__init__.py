"""A log as a text for people, beside JSON Lines, and a position on one line; both read back exactly."""

from games.engine.notation.position import parse_position, print_position
from games.engine.notation.printing import print_notation
from games.engine.notation.reading import parse_notation

__all__ = ["parse_notation", "parse_position", "print_notation", "print_position"]
