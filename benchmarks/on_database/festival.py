"""The two ends of a festival on its database: what phones and viewers need, and what is there afterwards.

`prepare TABLES PHONES ROUNDS` makes an event with a tournament and prints, as a JSON object, what
`benchmarks.festival.crowd.Ground` holds. `check` reads a JSON object: `acknowledged`, all clients' ids that
were told to be stored, each with its kind, and `marks`, those of the standings pages that were seen. It
prints what `benchmarks.festival.judging.Found` holds.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from io import StringIO
from itertools import product
from typing import Any
from uuid import UUID

from django.core.management import call_command
from django.db.models import Count
from django.urls import reverse
from django.utils.translation import override

from ledger import outbox
from ledger.entries import follow_up_id
from ledger.models import Fact, Receipt
from people.models import Event
from publishing import page_store
from publishing.models import Publication
from publishing.page_cache import at_once
from publishing.page_list import ListedPage, list_pages
from publishing.rendering import in_language, render
from publishing.responses import tag
from publishing.subjects import find_subject
from tests.support import factories
from tournaments.models import Tournament
from tournaments.projections import standings as stored_standings
from tournaments.projections.standings_inputs import as_entered
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

PRESET = "palio"
LANGUAGES = ("it", "en")


def prepare(tables: int, phones: int, rounds: int) -> dict[str, object]:
    """A triangle of three teams on so many tables, in which results count once somebody confirmed them."""
    event = factories.make_event(factories.make_account())
    tournament = factories.drawn_tournament(
        event,
        entries=tables,
        rounds=rounds,
        tables=tables,
        ruleset=PRESET,
        confirmation="second_person",
    )
    played: defaultdict[UUID, list[tuple[str, str]]] = defaultdict(list)
    for game in factories.games_of(tournament):
        played[game.match.table_id].append((str(game.match_id), str(game.game_id)))
    secrets = [factories.make_pairing(event)[1] for _ in range(phones)]
    compute_standings(str(tournament.pk))
    call_command("publish", anew=True, stdout=StringIO())
    return {
        "tables": [
            {"id": str(table.pk), "code": table.code, "games": played[table.pk]}
            for table in event.tables.order_by("number")
        ],
        "phones": secrets,
        "standings": reverse("publishing:standings", args=[event.slug, tournament.slug]),
        "pages": pages_of(event, tournament),
    }


def pages_of(event: Event, tournament: Tournament) -> list[str]:
    """What people look at, each as often as it is liked."""
    slugs = [event.slug, tournament.slug]
    with override("it"):
        standings = reverse("publishing:standings", args=slugs)
        teams = [reverse("publishing:team", args=[event.slug, team.number]) for team in event.teams.all()]
        matches = [
            reverse("publishing:match", args=[*slugs, match.pk]) for match in factories.matches_of(tournament)
        ]
        others = [
            reverse("publishing:event", args=[event.slug]),
            reverse("publishing:timetable", args=[event.slug]),
            reverse("publishing:matches", args=slugs),
            reverse("publishing:projector", args=slugs),
        ]
    # Two in five look at the standings, one in five at a board that is being played at.
    chosen = [*[standings] * 8, *others, *others[:2], *(teams * 2)[:4], *matches[: 4 * 12 : 12]]
    return [in_language(path, language) for path, language in product(chosen, ("it", "it", "en"))]


def check(given: dict[str, Any]) -> dict[str, object]:
    """Hold what is stored against what people were told. Nobody may be writing."""
    tournament = Tournament.objects.select_related("event").get()
    told: dict[str, str] = given["acknowledged"]
    facts = Fact.objects.filter(stream__scope=tournament.event_id).exclude(client_id=None)
    rows = {str(row[0]): row[1:] for row in facts.values_list("client_id", "stream", "sequence")}
    twice = facts.values("client_id").annotate(count=Count("pk")).filter(count__gt=1).count()
    due = outbox.total()
    entered = as_entered(tournament)
    versions = list(tournament.standings_versions.order_by("number"))
    return {
        "lost": len(told.keys() - rows.keys()),
        "doubled": twice,
        "unknown": len(rows.keys() - told.keys() - followed(told)),
        "due": due,
        "behind": stored_standings.is_behind(tournament, versions[-1], entered),
        "counted": versions[-1].games_played,
        "confirmed": sum(entered.outcomes[game].is_over for game in entered.confirmed),
        "faults": faults(),
        "wrong_pages": published_wrongly(tournament.event),
        "versions": len(versions),
        "shown_in": shown_in(told, rows, versions),
        "marks": marks(tournament, given["marks"], len(versions)),
    }


def followed(told: dict[str, str]) -> set[str]:
    """The ids of the facts that corrections have brought with them."""
    corrections = [UUID(id_) for id_, kind in told.items() if kind == "correction"]
    return {str(follow_up_id(id_, place)) for id_ in corrections for place in range(1, 4)}


def faults() -> str:
    """What `verify` finds; it builds the standings again from the facts and compares them."""
    return "; ".join(map(str, verify()))


def published_wrongly(event: Event) -> list[str]:
    """Published pages that aren't what would be rendered now, or that nobody has written."""
    written = Publication.objects.get(event=event)
    there = dict(written.pages.values_list("path", "stamp"))
    wrong: list[str] = []
    # As when they were written, what they are made of is loaded once.
    with at_once():
        pages = list_pages(event, written)
        for page in pages:
            wrong += wrong_in(page, there)
    return wrong


def wrong_in(page: ListedPage, there: dict[str, str]) -> Iterator[str]:
    """What is wrong with one of them, in any language."""
    if there.get(page.path) != page.stamp:
        yield f"{page.path} is old"
        return
    for language in LANGUAGES:
        path = in_language(page.path, language)
        shown, right = page_store.get(path), render(page.path, language)
        if (shown and shown.plain) != (None if right is None else right.encode()):
            yield f"{path} isn't what it would be"


def shown_in(told: dict[str, str], rows: dict[str, tuple[UUID, int]], versions: list[Any]) -> dict[str, int]:
    """Of each confirmation the first version of the standings that counts it."""
    heads: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for version in versions:
        for stream, head in version.heads.items():
            if not heads[stream] or heads[stream][-1][1] < head:
                heads[stream].append((version.number, head))
    found = {}
    for id_, kind in told.items():
        if kind == "confirmed" and id_ in rows:
            stream, sequence = rows[id_]
            number = next((number for number, head in heads[str(stream)] if head >= sequence), None)
            if number is not None:
                found[id_] = number
    return found


def marks(tournament: Tournament, seen: list[str], versions: int) -> dict[str, int]:
    """Which version of the standings a page with a mark shows; those that were seen.

    A mark is a hash of what a page stands on: that of each version is worked out again.
    """
    subject = find_subject(tournament.event.slug, tournament.slug)
    address = reverse("publishing:standings", args=[tournament.event.slug, tournament.slug])
    receipts = [None, *Receipt.objects.filter(scope=tournament.event_id).values_list("root", flat=True)]
    found = {}
    with override("it"):
        for number, receipt, is_decided in product(range(1, versions + 1), receipts, (False, True)):
            stamp = f"{subject.base} {number} {receipt} {subject.overall} {is_decided}"
            found[tag("publishing/standings.html", stamp, address)] = number
    return {mark: found[mark] for mark in seen if mark in found}


def main() -> int:
    """One of the two, as the arguments say."""
    word, *numbers = sys.argv[1:]
    answer = prepare(*map(int, numbers)) if word == "prepare" else check(json.load(sys.stdin))
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
