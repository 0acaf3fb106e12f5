"""Break the ties of the overall table by drawing lots, recorded."""

from django.utils.translation import gettext as _

from people.refusals import Refused
from tournaments.commands.command import OpenDecision, command
from tournaments.commands.ties import drawn_lots
from tournaments.models import Palio
from tournaments.projections import overall


@command("overall_lots_drawn")
def draw_overall_lots(decision: OpenDecision, palio: Palio, seed: str | None = None) -> None:
    """Draw lots among the teams of every tie of the overall table, by the method of a tournament's lots.

    Refused while a discipline is open (the tie may still dissolve), and where there is no such tie.
    """
    version = overall.compute(palio.pk)
    still_open = 0 if version is None else version.total - version.decided
    if still_open:
        raise Refused(
            "disciplines-open",
            _("Lots are drawn when all disciplines are decided; %(open)d are open.") % {"open": still_open},
            open=still_open,
        )
    tied = overall.open_ties(version) if version is not None else []
    if not tied:
        raise Refused("no-tie", _("There is no tie that lots have to break."))
    numbers = {pk: (number,) for pk, number in palio.event.teams.values_list("pk", "number")}
    decision.record(drawn_lots(tied, numbers, seed))
