"""A palio's decisions: facts in its own stream, projected at once.

Types and bodies (every body also has `by`: the actor's id or null, and `by_kind`):

| type | body |
|---|---|
| `palio_set_up` | `rules` (see `PalioRules`), `teams`: ids; with `reason` once a discipline has begun |
| `joker_played` | `team`, `discipline` |
| `joker_withdrawn` | `team`, `discipline` |
| `placements_entered` | `discipline`, `places`: [[team, place], ...]; `reason` if corrected |
| `overall_lots_drawn` | `orders`: for each tie the teams' ids in the order drawn; `seed`, `method` |

A discipline is named by the id of its tournament or other game. A reason is a code of
`tournaments.facts.reasons.REASONS`.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from games.models import Game
from ledger import append, outbox
from ledger.entries import StoredFact
from people.actors import Actor
from people.models import Event
from people.refusals import Refused
from tournaments.facts import topics
from tournaments.facts.recording import new_decision, was_decided
from tournaments.models import Palio
from tournaments.projections import palio_rows
from tournaments.settings.palio import DisciplineKind, PalioRules

STREAM_KIND = "palio"


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


def decide(
    palio: Palio,
    type: str,
    body: Mapping[str, Any],
    actor: Actor,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
    client_body: Mapping[str, Any] | None = None,
) -> StoredFact:
    """Append one decision, project it, and mark the overall table due; in the caller's transaction.

    Sent again with the same client id and body, it is the same decision. Raises the ledger's `ConflictError`
    and `ClientIdReusedError`.
    """
    fact = new_decision(type, body, actor, client_id, client_body)
    appended = append.append(palio.pk, STREAM_KIND, palio.event_id, expected_version, [fact])
    if appended.added:
        stored = appended.added[0]
        palio_rows.project(palio, stored)
        outbox.announce(topics.OVERALL, palio.pk, stored.stream, stored.sequence)
    return appended.facts[0]


def repeated(palio: Palio, type: str, client_id: UUID | None, client_body: Mapping[str, Any]) -> bool:
    """Whether this very decision was made before, so that its conditions needn't hold again."""
    return was_decided(palio.pk, STREAM_KIND, palio.event_id, type, client_id, client_body)
