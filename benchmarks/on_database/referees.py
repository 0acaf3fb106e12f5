"""The two ends of `benchmarks.referees`, on its database: a festival to write in, and what is there then.

`prepare TABLES PHONES` prints a JSON object: the ids of each table's games in order (`tables`), and the
secrets of admitted phones (`phones`). `check` reads a JSON list of entries' ids, all that was acknowledged,
and prints how many of them are `lost`, how many came twice (`doubled`), how many facts are there that nobody
was told of (`unknown`), whether the standings count the games that are over (`standings`), and what `verify`
finds (`faults`).
"""

import json
import sys
from collections import defaultdict
from uuid import UUID

from django.db.models import Q

from ledger.models import Fact
from tests.support import factories
from tournaments.models import MatchGame, StandingsVersion, Tournament
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

PRESET = "palio"


def prepare(tables: int, phones: int) -> dict[str, object]:
    """A triangle of three teams on so many tables, enough rounds for all of them to go on playing."""
    event = factories.make_event(factories.make_account())
    tournament = factories.drawn_tournament(event, entries=tables, rounds=3, tables=tables, ruleset=PRESET)
    by_table: defaultdict[UUID, list[str]] = defaultdict(list)
    for game in factories.games_of(tournament):
        by_table[game.match.table_id].append(str(game.game_id))
    secrets = [factories.make_pairing(event)[1] for _ in range(phones)]
    return {"tables": list(by_table.values()), "phones": secrets}


def check(acknowledged: list[str]) -> dict[str, object]:
    """Hold what is stored against what the phones were told."""
    told = {UUID(entry) for entry in acknowledged}
    games = MatchGame.objects.values_list("game_id", flat=True)
    rows = Fact.objects.filter(Q(stream__in=games) & ~Q(client_id=None)).values_list("client_id", flat=True)
    stored = set(rows)
    tournament = Tournament.objects.get()
    compute_standings(str(tournament.pk))
    newest = StandingsVersion.objects.filter(tournament=tournament).latest("number")
    over = MatchGame.objects.filter(game__is_over=True).count()
    return {
        "lost": len(told - stored),
        "doubled": len(acknowledged) - len(told) + len(rows) - len(stored),
        "unknown": len(stored - told),
        "over": over,
        "standings": newest.games_played,
        "faults": "; ".join(map(str, verify())),
    }


def main() -> int:
    """One of the two, as the arguments say."""
    word, *numbers = sys.argv[1:]
    answer = prepare(*map(int, numbers)) if word == "prepare" else check(json.load(sys.stdin))
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
