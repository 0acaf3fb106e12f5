"""Rounds at tables, from the draw to the certificates: commands, pages, papers, archive."""

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from django.test import Client

from people.actors import Actor
from tests import factories
from tests.desk.conftest import browser_of
from tests.tournaments.rounds.support import SEED
from tests.tournaments.rounds.support import play_tables as play
from tournaments.commands.close import close_tournament
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.set_up import create_tournament
from tournaments.tasks import compute_standings
from tournaments.verification import verify

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ACTOR = Actor.command()
ALIKE = re.compile(r"[0-9a-f-]{36}|\d+|\?.*")
LINK = re.compile(r'href="(/[^"#]*)')


def crawled(client: Client, first: str, within: str) -> Iterator[tuple[str, int]]:
    """Every page that can be reached by links from the first one, with its status."""
    known, waiting = {first}, [first]
    seen: Counter[str] = Counter()
    while waiting:
        path = waiting.pop(0)
        response = client.get(path)
        yield path, response.status_code
        if "text/html" not in response.headers.get("content-type", ""):
            continue
        for link in LINK.findall(response.content.decode()):
            link = link.replace("&amp;", "&")
            if within not in link or link in known:
                continue
            known.add(link)
            kind = ALIKE.sub("*", link)
            seen[kind] += 1
            if seen[kind] <= 2:
                waiting.append(link)


@pytest.mark.parametrize("key", ["tables", "tables_by_standing"])
def test_scratch(key: str) -> None:
    account = factories.make_account()
    event = factories.make_event(account)
    for number, entries in enumerate((4, 4, 4, 4, 4, 3), start=1):
        factories.make_entries(factories.make_team(event, number), entries)
    made = create_tournament(event, ACTOR, "Torneo", {"format": key})
    make_draw(made, ACTOR, SEED)
    publish_draw(made, ACTOR)
    compute_standings(str(made.pk))
    desk = browser_of(account)
    wrong = []

    def look() -> None:
        for client, first in (
            (Client(headers={"accept-encoding": "identity"}), f"/en/{event.slug}/"),
            (desk, f"/en/desk/events/{event.slug}/"),
        ):
            try:
                for path, status in crawled(client, first, event.slug):
                    if status >= 400:
                        wrong.append((path, status))
            except Exception:
                import traceback

                wrong.append((path, traceback.format_exc()[-1500:]))

    look()
    play(made, random.Random(1), 8)
    look()
    play(made, random.Random(2))
    made.refresh_from_db()
    close_tournament(made, ACTOR)
    compute_standings(str(made.pk))
    look()
    for each in wrong:
        print(each)  # noqa: T201
    assert not wrong
    assert list(verify.verify(event)) == []
