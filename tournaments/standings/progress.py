"""Progress of a tournament."""

from collections.abc import Hashable, Iterable

from .model import CountedResult, T


def open_games(results: Iterable[CountedResult[T]]) -> list[Hashable]:
    """The games whose results are missing, as they come."""
    return [result.game for result in results if result.closed is None]


def is_finished(results: Iterable[CountedResult[T]]) -> bool:
    """Whether there are games and each is closed: what was never drawn isn't finished."""
    games = list(results)
    return bool(games) and not open_games(games)
