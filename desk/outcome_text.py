"""The outcome of a game in a sentence for the desk."""

from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game
from games.outcome import Outcome
from people.models import Team
from tournaments.models import MatchGame, Tournament
from tournaments.queries.history import last_decision
from tournaments.queries.history_words import HOW
from tournaments.settings.bell import bell_rule, is_shared


def outcome_sentence(outcome: Outcome, teams: Mapping[UUID, Team], tournament: Tournament) -> str:
    """`Centro wins (result)`, `nobody wins (the bell)`, `a point each (the bell)`, `not over`. The places of
    the seats follow where they were entered, and their points where they are known.
    """
    if not outcome.is_over:
        return _("not over")
    ending = _ending(outcome, teams, tournament)
    if outcome.figures is not None and outcome.figures.places is not None:
        places = " – ".join(map(str, outcome.figures.places))
        ending = _("%(ending)s, places %(places)s") % {"ending": ending, "places": places}
    if outcome.points is None:
        return ending
    points = " – ".join(map(str, outcome.points))
    return _("%(ending)s, card points %(points)s") % {"ending": ending, "points": points}


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
    tournament = match_game.match.stage.tournament
    teams = tournament.event.teams.in_bulk()
    return [
        _("Game %(number)d: %(outcome)s.")
        % {"number": match_game.number, "outcome": outcome_sentence(Outcome.of_row(game), teams, tournament)},
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
