"""Break the ties of the overall table by drawing lots, recorded."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from people.actors import Actor
from tournaments.commands.draw import new_seed
from tournaments.commands.palio_decisions import decide, repeated
from tournaments.facts.palio_locks import lock
from tournaments.formats import METHOD, lot
from tournaments.models import Palio
from tournaments.projections import overall
from tournaments.refusals import Refused


@transaction.atomic
def draw_overall_lots(
    palio: Palio,
    actor: Actor,
    seed: str | None = None,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Palio:
    """Draw lots among the teams of every tie of the overall table, by the method of a tournament's lots.

    Refused while a discipline is open (the tie may still dissolve), and where there is no such tie.
    """
    palio = lock(palio)
    said = {} if seed is None else {"seed": seed}
    if repeated(palio, "overall_lots_drawn", client_id, said):
        return palio
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
    chosen_seed = seed or new_seed()
    numbers = dict(palio.event.teams.values_list("pk", "number"))
    orders = [sorted(group, key=lambda team: lot(chosen_seed, numbers[team])) for group in tied]
    decide(
        palio,
        "overall_lots_drawn",
        {
            "orders": [[str(team) for team in order] for order in orders],
            "seed": chosen_seed,
            "method": METHOD,
        },
        actor,
        expected_version=expected_version,
        client_id=client_id,
        client_body=said,
    )
    overall.compute(palio.pk)
    return palio
