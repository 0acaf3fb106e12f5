"""Counting the deals of a log as it is written down, for the marks `#1`, `#2` … before them."""

from games.engine.events import DealStarted, Event, EventVoided


class Deals:
    """Which lines dealt the cards, of those that no correction has taken out so far."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: set[int] = set()

    @property
    def next(self) -> int:
        """The number of the next deal."""
        return len(self.lines) + 1

    def note(self, line: int, event: Event) -> None:
        """Count what stands on a line of the log."""
        if isinstance(event, DealStarted):
            self.lines.add(line)
        elif isinstance(event, EventVoided):
            self.lines.discard(event.line)
