"""A client in TypeScript, generated from the committed description with Zod, runs a palio from end to end.

It compares each body that it sends and each answer with the description, and ends at the first difference.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from games.engine import Ruleset, print_log
from games.engine.bots import play_random_game
from tests.support import factories
from tests.support.services import node

DESCRIPTION = Path(__file__).parents[2] / "docs" / "reference" / "openapi.yaml"


FILES = [node.SOURCE / name for name in ("package.json", "tsconfig.json", "client.config.mjs", "palio.ts")]


@pytest.fixture(scope="module")
def project() -> Path:
    """The client and the program that uses it, generated and compiled with strict types: anew only if the
    description, the program or the tools have changed.
    """
    return node.keep("client", [DESCRIPTION, *FILES, Path(__file__)], generate)


def generate(folder: Path) -> None:
    """Generate the client and compile it."""
    (folder / "node_modules").symlink_to(node.tools() / "node_modules")
    for path in FILES:
        shutil.copy(path, folder / path.name)
    where = {"DESCRIPTION": str(DESCRIPTION), "CLIENT": str(folder / "client")}
    for tool, *arguments in (("openapi-ts", "-f", "client.config.mjs"), ("tsc", "-p", ".")):
        ended = node.run(tool, *arguments, folder=folder, environment=where)
        assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.sqlite
@pytest.mark.usefixtures("embedded_tasks")
def test_validating_client_runs_a_palio(project: Path, live_server: Any) -> None:
    log = print_log(play_random_game(Ruleset.from_json("palio"), 2, seed=1))
    given = {
        "SERVICE": live_server.url,
        "TOKEN": factories.make_token(factories.make_account())[1],
        "LOG": log,
        "NO_PROXY": "*",
    }

    ended = node.run("node", "built/palio.js", folder=project, environment=given)

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert json.loads(ended.stdout.splitlines()[-1]) == {
        "entries": 3,
        "seed": "palio",
        "games": 3,
        "refusals": ["name-taken", "not-found", "tie-unresolved"],
        "again": 2,
        "legal": True,
        "corrected": [True, True],
        "places": [1, 2, 3],
        "points": ["30", "20", "10"],
        "palio": [1, 2, 3],
        "results": 3,
        "findings": [],
    }


def test_validating_client_refuses_data_not_as_described(project: Path) -> None:
    asked = """
        import { zEvent, zPaginatedTeamList } from "./built/client/zod.gen.js";
        const page = { count: 0, next: null, previous: null, results: [] };
        const pages = [page, { ...page, next: 5 }, { count: 0 }];
        const tried = pages.map((each) => zPaginatedTeamList.safeParse(each));
        console.log(JSON.stringify([...tried, zEvent.safeParse({})].map((each) => each.success)));
    """

    ended = node.run("node", "--input-type=module", "--eval", asked, folder=project)

    assert json.loads(ended.stdout) == [True, False, False, False], ended.stderr
