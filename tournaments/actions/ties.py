"""Break a tie by drawing lots, recorded."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from people.actors import Actor
from tournaments import standing
from tournaments.actions.draw import new_seed
from tournaments.decisions import decide, expect_status, lock, repeated
from tournaments.formats import METHOD, lot
from tournaments.models import Tournament
from tournaments.refusals import Refused


@transaction.atomic
def draw_lots(
    tournament: Tournament,
    actor: Actor,
    seed: str | None = None,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Tournament:
    """Draw lots among the teams of every tie that matters; the order drawn decides between them from then on.

    Lots are drawn by the method of the draw (`formats.order`), with the teams' numbers: anybody can repeat
    it. Refused while games are open (the tie may still dissolve) and where there is no such tie.
    """
    tournament = lock(tournament)
    said = {} if seed is None else {"seed": seed}
    if repeated(tournament, "lots_drawn", client_id, said):
        return tournament
    expect_status(tournament, Tournament.Status.PUBLISHED)
    computed = standing.current(tournament)
    if computed.games_played < computed.games_total:
        raise Refused(
            "games-open",
            _("Lots are drawn when all games are played; %(open)d are open.")
            % {"open": computed.games_total - computed.games_played},
            open=computed.games_total - computed.games_played,
        )
    tied = standing.open_ties(tournament)
    if not tied:
        raise Refused("no-tie", _("There is no tie that lots have to break."))
    chosen_seed = seed or new_seed()
    numbers = dict(tournament.event.teams.values_list("pk", "number"))
    orders = [sorted(group, key=lambda team: lot(chosen_seed, numbers[team])) for group in tied]
    decide(
        tournament,
        "lots_drawn",
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
    return tournament
