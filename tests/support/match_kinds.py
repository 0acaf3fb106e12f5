"""Kinds of match by their names."""

from tournaments.formats.match_lengths import Length, MatchKind


def one_game(*, decisive: bool = False) -> MatchKind:
    """One game; `decisive`: another one as long as nobody wins it."""
    return MatchKind(Length.ONE_GAME, 1, decisive)


def best_of(games: int, *, decisive: bool = False) -> MatchKind:
    """So many games at most; a game that nobody wins uses one of them up."""
    return MatchKind(Length.BEST_OF, games, decisive)


def first_to(points: int, *, decisive: bool = False) -> MatchKind:
    """Until somebody has so many points."""
    return MatchKind(Length.FIRST_TO, points, decisive)
