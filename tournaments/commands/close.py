"""Close a tournament with its final standings and a receipt; reopen it with a reason."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command
from tournaments.commands.next_stage import find_ending
from tournaments.facts.reasons import check_reason
from tournaments.models import Tournament
from tournaments.projections import standings
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.confirmation import expect_all_confirmed
from tournaments.standings import TiePolicy


# Whoever comes later with a result finds the tournament closed.
@command("tournament_closed", Tournament.Status.PUBLISHED, locks_games=True)
def close_tournament(decision: OpenDecision, tournament: Tournament) -> None:
    """End the tournament: its standings are final and a receipt over all facts of the event is made.

    Refused while a game is open, a result waits for confirmation, or a tie that matters is unresolved.
    """
    expect_all_confirmed(tournament)
    computed = standings.current(tournament)
    still_open = computed.games_total - computed.games_played
    if still_open:
        raise Refused(
            "games-open",
            ngettext("%(open)d game isn't played yet.", "%(open)d games aren't played yet.", still_open)
            % {"open": still_open},
            open=still_open,
        )
    if not computed.is_all_drawn:
        raise Refused(
            "rounds-to-draw",
            _("Not all rounds and stages are drawn yet.")
            if find_ending(inputs_now(tournament)) is None
            else _("Nothing more can be drawn here: end the stage with the rounds played, then close."),
        )
    if computed.has_open_ties:
        raise Refused(
            "tie-unresolved",
            _(
                "A tie that decides placement points isn't resolved: enter the play-off, or change the rule "
                "for ties."
            )
            if tournament.settings["tie_policy"] == TiePolicy.PLAY_OFF
            else _(
                "A tie that decides placement points isn't resolved: draw lots, or change the rule for ties."
            ),
        )
    decision.record({})
    standings.compute(tournament.pk)


@command("tournament_reopened", Tournament.Status.CLOSED)
def reopen_tournament(decision: OpenDecision, tournament: Tournament, reason: str) -> None:
    """Let results be corrected again after closing."""
    decision.record({"reason": check_reason(reason)})
