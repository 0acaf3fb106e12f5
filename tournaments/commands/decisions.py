"""Decisions of a tournament or a palio: facts in its own stream, projected at once.

Types and bodies of a tournament's (every body also has `by`: the actor's id or null, and `by_kind`); those of
a palio's stand in `palio_decisions`:

| type | body |
|---|---|
| `tournament_set_up` | `settings`; with `reason` once the draw has been published |
| `stage_drawn` | see `tournaments.facts.stages`; with `reason` if a later stage is drawn anew |
| `draw_edited` | `stage`, `rounds` (of the stage), `one` and `other` who change places, `reason` |
| `draw_published` | |
| `round_drawn` | `stage`, `rounds`: see `tournaments.facts.stages` |
| `rounds_redrawn` | `stage`, `rounds` in the place of those of the same numbers, `reason` |
| `stage_ended` | `stage`, `rounds`: with so many, since no other can be drawn; `is_last`: no stage follows |
| `game_added` | `stage`, `match`, `number`: one more game of a match that is level |
| `squad_added` | `stage`, `squad` as in `stage_drawn` |
| `bye_requested` | `stage`, `team`, `squad`, `round` (of the stage): it sits out a round not drawn yet |
| `bye_request_withdrawn` | `stage`, `team`, `squad`, `round` |
| `squad_gone` | `team`, `squad` (its number in the team), `reason`: of `removals.GONE_REASONS`; `place` |
| `squad_back` | `team`, `squad` |
| `team_gone` | `team`, `reason`, `place`: the same of a whole team, in a draw of mini-tournaments |
| `team_back` | `team` |
| `entry_substituted` | `stage`, `team`, `squad`, `out`, `in`, `games` not begun then; `reason` |
| `placements_entered` | `stage`, `places`: pairs of contestant and place; `reason` if changed |
| `lots_drawn` | `orders`: for each tie the ids in the order drawn; `seed`, `method` |
| `play_off_decided` | `orders`: for each tie the ids, the winner first; `reason` if corrected |
| `points_adjusted` | `team` (with `squad`, an id, where squads are ranked), `points` (whole), `reason` |
| `tournament_closed` | |
| `tournament_reopened` | `reason` |

`place` is what becomes of the place (`standings.RemovedPlace`); facts of earlier versions have none, and mean
`rule`. A removal that is decided again takes the place of the one before.
The reason of `entry_substituted` is one of `commands.substitute.REPLACED_REASONS`: `came-after-all` where a
place goes back to who was replaced.

`one` and `other` are squads, by `team` and `squad` (the number in it). Ids in orders are those of teams or,
where the format is drawn round by round, of squads: as in the stage in which they came. A reason is a code
(`REASONS`): free text could hold a name, and facts hold none.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from ledger import append, outbox
from ledger.entries import StoredFact
from people.actors import Actor
from people.refusals import Refused
from tournaments.facts import earlier, topics
from tournaments.facts.recording import new_decision, was_decided
from tournaments.models import Palio, Tournament
from tournaments.projections import palio_rows, tournament_rows

STREAM_KIND = "tournament"
PALIO_STREAM_KIND = "palio"


def expect_status(tournament: Tournament, *allowed: str) -> None:
    """Raise `Refused("wrong-status")` unless the tournament is in one of these."""
    if tournament.status not in allowed:
        raise Refused(
            "wrong-status",
            _("The tournament is “%(status)s”; this needs: %(allowed)s.")
            % {
                "status": Tournament.Status(tournament.status).label,
                "allowed": ", ".join(str(Tournament.Status(status).label) for status in allowed),
            },
            current=tournament.status,
            allowed=list(allowed),
        )


def _kind(subject: Tournament | Palio) -> str:
    return STREAM_KIND if isinstance(subject, Tournament) else PALIO_STREAM_KIND


def decide(
    subject: Tournament | Palio,
    type: str,
    body: Mapping[str, Any],
    actor: Actor,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
    client_body: Mapping[str, Any] | None = None,
) -> StoredFact:
    """Append one decision, project it, and mark the standings or the overall table due; in the caller's
    transaction.

    Sent again with the same client id and body, it is the same decision. Raises the ledger's `ConflictError`
    and `ClientIdReusedError`.
    """
    stored_type, stored_body = earlier.as_stored(type, body)
    said = body if client_body is None else client_body
    fact = replace(new_decision(type, stored_body, actor, client_id, said), type=stored_type)
    appended = append.append(subject.pk, _kind(subject), subject.event_id, expected_version, [fact])
    if appended.added:
        stored = appended.added[0]
        if isinstance(subject, Tournament):
            tournament_rows.project(subject, stored)
        else:
            palio_rows.project(subject, stored)
        topic = topics.STANDINGS if isinstance(subject, Tournament) else topics.OVERALL
        outbox.announce(topic, subject.pk, stored.stream, stored.sequence)
    return appended.facts[0]


def repeated(
    subject: Tournament | Palio, type: str, client_id: UUID | None, client_body: Mapping[str, Any]
) -> bool:
    """Whether this very decision was made before, so that its conditions needn't hold again."""
    return was_decided(subject.pk, _kind(subject), subject.event_id, type, client_id, client_body)
