"""The outcome of a game in a sentence for the desk."""

from collections.abc import Collection, Mapping
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game
from games.outcome import Outcome
from people.display_names import NameBook, Reader, Viewer
from people.models import Team
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.table_result import ResultKind
from tournaments.models import MatchGame, Tournament
from tournaments.projections.counted_ends import by_side, places_by_side
from tournaments.queries.history import last_decision
from tournaments.queries.history_words import HOW
from tournaments.queries.table_results import came_in
from tournaments.settings.bell import bell_rule, is_shared
from tournaments.settings.stage import stage_format


def outcome_sentence(
    outcome: Outcome,
    teams: Mapping[UUID, Team],
    match_game: MatchGame,
    absent: Collection[int] | None = None,
) -> str:
    """`Centro wins (result)`, `nobody wins (the bell)`, `a point each (the bell)`, `not over`; with the
    points of the seats where they are known. At a table of many `1st Ada · 2nd Bea (result)`, with two
    queries; `absent` are the sides there, from 0, that weren't there, if that is another than was noted.
    """
    if not outcome.is_over:
        return _("not over")
    if FORMATS[match_game.match.stage.format].adds_points:
        away = set(match_game.match.absent_sides() if absent is None else absent)
        if outcome.seat is not None:
            away.discard(outcome.seat % len(match_game.sides))
        told = _table_result(outcome, match_game, away)
        how = HOW.get(outcome.closed_by, outcome.closed_by)
        if told:
            return _("%(ending)s (%(how)s)") % {"ending": told, "how": how}
    ending = _ending(outcome, teams, match_game.match.stage.tournament)
    if outcome.points is None:
        return ending
    points = " – ".join(map(str, outcome.points))
    return _("%(ending)s, card points %(points)s") % {"ending": ending, "points": points}


def _table_result(outcome: Outcome, match_game: MatchGame, absent: Collection[int]) -> str:
    """Who came where at a table of many, with full names; empty where nobody knows."""
    seats = list(match_game.game.seats.order_by("number").values_list("entry", flat=True))
    book = NameBook(Viewer(Reader.DESK, match_game.match.stage.tournament.event), seats)
    sides = len(match_game.sides)
    names = [", ".join(book[entry] for entry in seats[side::sides]) for side in range(sides)]
    # Where points decide, who wasn't there has none: that is no place of theirs.
    by_points = stage_format(match_game.match.stage).result_kind is ResultKind.POINTS
    places = None if by_points else places_by_side(outcome.places, sides)
    return came_in(names, places, by_side(outcome.points, sides), absent)


def _ending(outcome: Outcome, teams: Mapping[UUID, Team], tournament: Tournament) -> str:
    how = HOW.get(outcome.closed_by, outcome.closed_by)
    winner = teams.get(outcome.team) if outcome.team else None
    if is_shared(bell_rule(tournament.settings), outcome.closed_by, outcome.team):
        return _("a point each (%(how)s)") % {"how": how}
    if winner is None:
        return _("nobody wins (%(how)s)") % {"how": how}
    return _("%(winner)s wins (%(how)s)") % {"winner": winner.name, "how": how}


def now(match_game: MatchGame) -> list[str]:
    """What is stored of a game at this moment, for who was overtaken."""
    game = Game.objects.get(pk=match_game.game_id)
    teams = match_game.match.stage.tournament.event.teams.in_bulk()
    return [
        _("Game %(number)d: %(outcome)s.")
        % {"number": match_game.number, "outcome": outcome_sentence(Outcome.of_row(game), teams, match_game)},
        ngettext("Its log has %(count)d line.", "Its log has %(count)d lines.", game.version)
        % {"count": game.version},
    ]


def now_decided(tournament: Tournament) -> list[str]:
    """How far a tournament is at this moment and what was decided last, for who was overtaken."""
    sentences = [_("The tournament is: %(status)s.") % {"status": tournament.get_status_display()}]
    last = last_decision(tournament)
    if last is not None:
        sentences.append(_("Last decision: %(what)s, %(who)s.") % {"what": last.what, "who": last.who})
    return sentences
