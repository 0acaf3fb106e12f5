"""A match's facts: what was said of the results at its table, in a stream with the match's id.

Types and bodies (every body also has `by` and `by_kind`, as a decision has):

| type | body |
|---|---|
| `result_confirmed` | `game`, `version`: of the game's log |
| `result_accepted` | `game`, `version`: it was in before anybody was asked to confirm, and counts on |
| `result_disputed` | `game`, `version`, `reason`: of `confirmation.DISPUTES` |
| `dispute_settled` | `game`, `version` that holds, `disputed` version, `outcome`: `kept` or `corrected` |

All of it is about one version of a game's log, so whoever reads it needs to know how far that log has come.
Who settles a dispute has confirmed what holds then.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from ledger import append, read
from ledger.entries import NewFact, StoredFact
from tournaments.models import Match, MatchGame

STREAM_KIND = "match"
CONFIRMED = "result_confirmed"
ACCEPTED = "result_accepted"
DISPUTED = "result_disputed"
SETTLED = "dispute_settled"


def add(match: UUID, event: UUID, facts: Sequence[NewFact]) -> tuple[StoredFact, ...]:
    """Append facts to a match's stream and project them; in the caller's transaction."""
    appended = append.append(match, STREAM_KIND, event, None, facts)
    _project(match, appended.added)
    return appended.facts


def rebuild(matches: Collection[UUID]) -> None:
    """Project the facts of these matches on rows that were made anew; one query where there are none."""
    for head in read.heads_of(matches).values():
        if head.sequence:
            _project(head.stream, read.facts(head.stream))


def _project(match: UUID, facts: Iterable[StoredFact]) -> None:
    """Facts in their order; of a game that isn't drawn (yet), nothing is kept."""
    for fact in facts:
        MatchGame.objects.filter(match=match, game=UUID(fact.body["game"])).update(**_columns(fact))
        Match.objects.filter(pk=match).update(version=fact.sequence)


def turn_back(game: MatchGame, moment: datetime) -> None:
    """Set a row that isn't saved to what was said of its result by a moment; one query."""
    game.confirmed_version = game.disputed_version = 0
    game.dispute = ""
    for fact in read.facts(game.match_id):
        if fact.recorded_at <= moment and UUID(fact.body["game"]) == game.game_id:
            for name, value in _columns(fact).items():
                setattr(game, name, value)


def _columns(fact: StoredFact) -> dict[str, Any]:
    """What a game's row holds of a fact."""
    if fact.type == DISPUTED:
        return {"disputed_version": fact.body["version"], "dispute": fact.body["reason"]}
    return {"confirmed_version": fact.body["version"]}


def confirmations(match: UUID) -> list[tuple[int, UUID, int]]:
    """What was confirmed when: sequence, game and version of the game's log; one query."""
    return [
        (fact.sequence, UUID(fact.body["game"]), fact.body["version"])
        for fact in read.facts(match)
        if fact.type != DISPUTED
    ]
