"""Every public page: light, of this host alone, readable without JavaScript, still when news come."""

import gzip
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from people.actors import Actor
from publishing.models import Publication
from publishing.page_list import list_pages
from tests.support.accessibility import violations_by_scheme
from tests.support.computed_tournaments import address, enter, palio, sides_of
from tests.support.factories import games_of
from tests.support.recorded_game import table_log
from tournaments.commands import results
from tournaments.models import Tournament
from tournaments.projections import outlooks, standings

HTML = 30_000
ALL = 100_000
NEWER = ("/teams/", "/day/", "/games/")
"""The pages whose accessibility no other test looks at."""
NAMED = re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js|svg|woff2))"')


def played() -> Tournament:
    """A palio of thirty children, half played; one game of it was written down card by card."""
    tournament = palio(entries=10, tables=6)
    games = games_of(tournament)
    results.write_log(games[0], Actor.command(), [(None, event) for event in table_log()])
    for game in games[1 : len(games) // 2]:
        enter(game, sides_of(game)[0])
    standings.compute(tournament.pk)
    outlooks.compute(tournament.pk)
    return tournament


def pages(tournament: Tournament) -> list[str]:
    """The addresses of an event's pages, one of many alike, and of those that belong to no event."""
    publication = Publication.objects.get_or_create(event=tournament.event)[0]
    all_ = [page.path for page in list_pages(tournament.event, publication) if page.path.endswith("/")]
    alike = {re.sub(r"[0-9a-f-]{36}|\d+", "…", path): path for path in reversed(all_)}
    game = f"/palio/{tournament.slug}/games/{games_of(tournament)[0].game_id}/"
    return [
        "/?all",
        "/rules/",
        "/rules/house/",
        *alike.values(),
        game,
        f"/palio/{tournament.slug}/open/what-if/",
    ]


@cache
def compressed(file: Path) -> int:
    """The bytes of a file as a server sends it; the face is compressed by itself."""
    return len(file.read_bytes() if file.suffix == ".woff2" else gzip.compress(file.read_bytes(), 6))


@pytest.mark.django_db
def test_every_public_page_is_light_and_of_this_host_alone(client: Client) -> None:
    tournament = played()
    heavy = {}
    for path in pages(tournament):
        answer = client.get(path)
        assert answer.status_code == 200, path
        html = answer.content.decode()
        weight = len(gzip.compress(html.encode(), 6))
        named = {Path(settings.BASE_DIR, name.lstrip("/")) for name in NAMED.findall(html)}
        assert named, path
        all_ = weight + sum(map(compressed, named))
        if weight > HTML or all_ > ALL:
            heavy[path] = (weight, all_)
        assert not re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?//', html), path
    assert heavy == {}


def test_every_public_page_is_readable_without_scripts_and_accessible(
    live_server: Any, page: Page, open_page: Callable[..., Page]
) -> None:
    tournament = played()
    without = open_page(java_script_enabled=False)
    for path in pages(tournament):
        if "projector" in path:
            continue
        without.goto(live_server.url + path)
        assert len(without.locator("main").inner_text().split()) > 5, path
        expect(without.locator("h1")).to_be_visible()
        if any(part in path for part in NEWER):
            page.goto(live_server.url + path)
            assert not violations_by_scheme(page), path


SHIFTS = """
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shifted += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""


def test_standings_do_not_jump_when_a_result_comes(live_server: Any, page: Page) -> None:
    tournament = palio(entries=3)
    first, second, *_ = games_of(tournament)
    enter(first, sides_of(first)[0])
    standings.compute(tournament.pk)
    page.add_init_script(SHIFTS)
    page.clock.install()
    page.goto(live_server.url + address(tournament))
    expect(page.locator(".progress")).to_contain_text("1 of 27 games")
    enter(second, sides_of(second)[0])
    standings.compute(tournament.pk)
    page.clock.fast_forward(1_500)
    expect(page.locator(".progress")).to_contain_text("2 of 27 games")

    assert page.evaluate("window.shifted") == 0
