"""The same source, compiled, plays by the same rules: both engines get everything that is kept as text."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import compiled_engine
from tests.support import ROOT
from tests.support.run import missing

# Nothing depends on the compiled one, and what it plays the plain one does in any run.
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a compiled engine; without what compiles it, a visible skip."""
    lacking = compiled_engine.lacking()
    if lacking is not None:
        missing.without(lacking, "install it to compile the engine.")
    folder = tmp_path_factory.mktemp("compiled-engine")
    compiled_engine.build(folder, optimized=False)
    return folder


def printed(*arguments: str, environment: dict[str, str]) -> str:
    command = [sys.executable, "-P", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_compiled_engine_makes_the_same_of_the_corpus(compiled: Path) -> None:
    corpus = ("-m", "tests.games.engine.corpus")
    plain, *said_plain = printed(*corpus, environment={**os.environ, "PYTHONPATH": str(ROOT)}).splitlines()
    native, *said_native = printed(*corpus, environment=compiled_engine.environment(compiled)).splitlines()

    assert (plain, native) == (".py", ".so")
    assert said_plain != []
    assert said_native == said_plain


PROFILED = """
import cProfile, pstats, sys
from games.engine import parse_log, replay
text = open(sys.argv[1]).read()
profile = cProfile.Profile()
profile.runcall(lambda: replay(parse_log(text)))
for path, _, name in pstats.Stats(profile).stats:
    print(path, name)
"""


def test_compiled_engine_runs_no_plain_module_but_declarations(compiled: Path) -> None:
    log = str(ROOT / "docs" / "reference" / "examples" / "finished.jsonl")

    def ran(environment: dict[str, str]) -> set[str]:
        lines = printed("-c", PROFILED, log, environment=environment).splitlines()
        called = [line.partition(" ") for line in lines if "games/engine" in line]
        return {Path(path).stem for path, _, name in called if "__init__" not in name}

    # Compiled functions have no file of their own; the twin shows that plain ones are told by theirs.
    assert "turns" in ran({**os.environ, "PYTHONPATH": str(ROOT)})
    assert ran(compiled_engine.environment(compiled)) <= compiled_engine.DECLARING
