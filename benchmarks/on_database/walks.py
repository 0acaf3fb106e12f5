"""Modules visited, functions called and calls of a batch, a draw and a cold page."""

import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType
from uuid import uuid4

from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient

from benchmarks.services import ROOT
from benchmarks.tables import show
from games.engine import Ruleset, event_to_json, play_random_game
from tests.support import factories
from tests.support.computed_tournaments import sides_of, win

Calls = Counter[CodeType]
DRAWS = {"mini-tournaments": {}, "Swiss": {"format": "swiss"}}


def walked(work: Callable[[], object]) -> Calls:
    """What a work calls of the project's own code, and how often."""
    calls: Calls = Counter()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and is_own(frame.f_code.co_filename):
            calls[frame.f_code] += 1

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def is_own(path: str) -> bool:
    """Whether a file is the project's, and no test or benchmark."""
    root = f"{ROOT}/"
    inside = path.removeprefix(root)
    return path.startswith(root) and not inside.startswith(("tests/", "benchmarks/", ".venv/"))


def figures(calls: Calls) -> tuple[int, int, int]:
    """Modules, functions and calls; comprehensions belong to the function that they are in."""
    named = {code: count for code, count in calls.items() if not code.co_name.startswith("<")}
    return len({code.co_filename for code in named}), len(named), sum(named.values())


def batch() -> Calls:
    """A phone sends five log events of a game at once."""
    log = play_random_game(Ruleset.from_json("classic"), 2, 1, table=True)
    event = factories.make_event()
    tournament = factories.drawn_tournament(event, ruleset="classic")
    _pairing, secret = factories.make_pairing(event)
    phone = APIClient(headers={"Authorization": f"Pairing {secret}"})

    def send(game: str) -> None:
        entries = [{"id": str(uuid4()), "event": event_to_json(each)} for each in log[:5]]
        body = {"expected_version": 0, "entries": entries}
        answer = phone.post(f"/api/v1/games/{game}/log/", body)
        if answer.status_code != 200:
            raise AssertionError(answer.content)

    games = [str(game.game_id) for game in factories.games_of(tournament)]
    send(games[0])
    return walked(lambda: send(games[1]))


def draw(**settings: str) -> Calls:
    """An organizer's program draws a tournament whose field is there."""
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    factories.make_field(event, 3, 4)
    _token, secret = factories.make_token(organizer)
    program = APIClient(headers={"Authorization": f"Bearer {secret}"})

    def make(name: str) -> Callable[[], None]:
        tournament = factories.make_tournament(event, name, **settings)

        def ask() -> None:
            answer = program.post(f"/api/v1/tournaments/{tournament.pk}/draw/", {"seed": factories.SEED})
            if answer.status_code not in (200, 201):
                raise AssertionError(answer.content)

        return ask

    make("Uno")()
    return walked(make("Due"))


def page() -> Calls:
    """The standings' page, with an empty page cache."""
    event = factories.make_event()
    tournament = factories.drawn_tournament(event)
    client = Client()

    def ask() -> None:
        cache.clear()
        answer = client.get(f"/{event.slug}/{tournament.slug}/")
        if answer.status_code != 200:
            raise AssertionError(answer.content)

    ask()
    game = factories.games_of(tournament)[0]
    win(game, sides_of(game)[0])
    return walked(ask)


def main() -> int:
    """Print the figures of each."""
    walks = {
        "a phone's batch": batch(),
        **{f"a draw, {name}": draw(**settings) for name, settings in DRAWS.items()},
        "a cold page": page(),
    }
    show(
        "Ways through the project's own code",
        ["way", "modules", "functions", "calls"],
        [[name, *figures(calls)] for name, calls in walks.items()],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
