"""Types and bodies of a palio's decisions; the palio of an event, and its disciplines that have begun.

Types and bodies follow. Every body also has `by`, the actor's id or null, and `by_kind`.

| type | body |
|---|---|
| `palio_set_up` | `rules` (see `PalioRules`), `teams`: ids; with `reason` once a discipline has begun. |
| `joker_played` | `team`, `discipline`. |
| `joker_withdrawn` | `team`, `discipline`. |
| `placements_entered` | `discipline`, `places`: [[team, place], …]; `reason` if corrected. |
| `overall_lots_drawn` | `orders`: for each tie the teams' ids in the order drawn; `seed`, `method`. |

A discipline is named by the id of its tournament or other game. A reason is a code of
`tournaments.facts.reasons.REASONS`.
"""

from uuid import UUID

from django.utils.translation import gettext as _

from games.models import Game
from people.models import Event
from people.refusals import Refused
from tournaments.models import Palio
from tournaments.settings.palio import DisciplineKind, PalioRules


def palio_of(event: Event) -> Palio:
    """The event's palio; `Refused("no-palio")` where none is set up."""
    palio = Palio.objects.filter(event=event).select_related("event").first()
    if palio is None:
        raise Refused("no-palio", _("This event has no overall table."), status=404)
    return palio


def begun(palio: Palio) -> set[UUID]:
    """The disciplines that have begun: a game has a line in its log, or places are entered; two queries."""
    rules = PalioRules.from_json(palio.rules)
    tournaments = [each.id for each in rules.disciplines if each.kind is DisciplineKind.TOURNAMENT]
    playing = Game.objects.filter(group__in=tournaments, version__gt=0).values_list("group", flat=True)
    placed = palio.other_placings.values_list("discipline", flat=True)
    return {each for each in (*playing.distinct(), *placed.distinct()) if each is not None}
