"""What a phone has to load before a referee's page can be used."""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from people.actors import Actor
from tests.support import factories
from tests.support.phones import address, phone
from tests.support.rounds_play import published
from tests.support.stored_games import BEGIN
from tournaments.commands import results

pytestmark = pytest.mark.django_db

MOST = 100_000
"""Bytes of HTML, style sheets and scripts, compressed, before anything is kept on the phone."""


def load(client: Client, path: str) -> int:
    """The weight of a page with its style sheets and scripts, and the scripts that these import."""
    response = client.get(path, HTTP_ACCEPT_ENCODING="gzip")
    assert (response.status_code, response["Content-Encoding"]) == (200, "gzip")
    html = gzip.decompress(response.content).decode()
    waiting = re.findall(r'<(?:script|link)[^>]*(?:src|href)="/static/([^"]+\.(?:css|js))"', html)
    assert waiting
    files: dict[str, int] = {}
    while waiting:
        name = waiting.pop()
        if name not in files:
            content = file_of(name).read_bytes()
            files[name] = len(gzip.compress(content))
            imported = re.findall(r'(?:from|import)\s*\(?\s*"(\.[^"]+\.js)"', content.decode())
            waiting += [str(Path(name).parent / each) for each in imported]
    return len(response.content) + sum(files.values())


def file_of(name: str) -> Path:
    found = finders.find(str(Path(name)))
    assert found, name
    return Path(str(found))


def test_every_referee_page_is_light_enough_for_weak_wifi() -> None:
    game = factories.games_of(factories.drawn_tournament(factories.make_event(), entries=1))[0]
    results.write_log(game, Actor.command(), [(None, event) for event in BEGIN])
    client = phone(game.match.stage.tournament.event)
    table = f"/t/{game.match.table.code}/"
    other = game.match.match_games.get(number=2)
    team = other.game.seats.get(number=0).team
    paths = [
        "/t/",
        table,
        address(game, "cards/"),
        address(game, "cards/?do=more"),
        address(game, "log/"),
        address(game, "instead/?line=4"),
        address(game, "wrong/?line=4"),
        address(other),
        address(other, "end/"),
        address(other, "bell/"),
        address(other, f"confirm/?team={team}"),
    ]
    weights = {path: load(client, path) for path in paths}

    assert {path: weight for path, weight in weights.items() if weight > MOST} == {}


def test_log_page_of_a_long_game_is_light_enough() -> None:
    """Entries of a game that goes on until the draw pile is nearly empty."""
    game = factories.games_of(published(1, 2, format="round_robin"))[0]
    drawn = [
        event
        for number in range(100)
        for event in (
            {"type": "cards_drawn", "seat": (number + 1) % 2, "count": 1},
            {"type": "turn_passed", "seat": (number + 1) % 2},
        )
    ][:120]
    results.write_log(game, Actor.command(), [(None, event) for event in (*BEGIN, *drawn)])
    assert load(phone(game.match.stage.tournament.event), address(game, "log/")) <= MOST
