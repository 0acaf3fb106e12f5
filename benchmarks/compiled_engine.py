"""The engine compiled by mypyc from its own source, into a folder of its own. Nothing depends on it.

    python -m benchmarks.compiled_engine [FOLDER]

It needs a C compiler, Python's headers and the test requirements. What replays and plays is compiled; what
writes, draws or tells for people stays as it is. With FOLDER first on PYTHONPATH and `python -P`,
`games.engine` is the compiled one.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = Path("games", "engine")
PLAIN = frozenset(
    (
        "__init__",
        "__main__",
        "audit",
        "command",
        "notation",
        "rules_sheet",
        "telling",
        "versions",
    )
)
"""Modules and packages of the engine that no replay runs through."""
DECLARING = frozenset(("events", "rule_fields", "ruleset"))
"""Declarations by decorators and slots, which mypyc can't compile; a replay runs through their checks."""

_BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify(sys.argv[2:], opt_level=sys.argv[1], debug_level="0")
setup(name="engine", packages=[], ext_modules=modules, script_args=["build_ext", "--inplace"])
"""


def lacking() -> str | None:
    """What this machine lacks to compile it, as a phrase; None if it can."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"the C compiler {compiler}"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's headers"
    return None


def modules(root: Path) -> list[str]:
    """The files to compile, as paths under a folder that holds `games/`."""
    found = []
    for path in sorted((root / ENGINE).rglob("*.py")):
        inside = path.relative_to(root / ENGINE)
        if inside.with_suffix("").parts[0] not in PLAIN | DECLARING:
            found.append(str(path.relative_to(root)))
    return found


def build(folder: Path, *, optimized: bool = True) -> None:
    """Compile the engine into a folder, which is emptied first.

    Raises CalledProcessError with the compiler's output.
    """
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(ROOT / ENGINE, folder / ENGINE, ignore=ignored)
    shutil.copy(ROOT / "games" / "__init__.py", folder / "games")
    command = [sys.executable, "-c", _BUILD, "3" if optimized else "0", *modules(folder)]
    said = {**os.environ}
    if not optimized:
        # Looking for what to warn of takes a compiler two thirds of its time.
        said["CFLAGS"] = f"{said.get('CFLAGS', '')} -Wno-all -w".strip()
    subprocess.run(command, cwd=folder, env=said, check=True, capture_output=True, text=True)
    shutil.rmtree(folder / "build")


def environment(folder: Path) -> dict[str, str]:
    """The environment in which `python -P` finds the compiled engine, and everything else where it is."""
    path = [str(folder), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


AS_IT_IS = "--as-it-is"
"""The option by which a script measures the engine that is imported, and nothing else."""


def measure_compiled(script: str) -> int:
    """Run a script of measurements again with the compiled engine, where it can be compiled; its status."""
    missing = lacking()
    if missing is not None:
        print(f"\nNot measured compiled: {missing} is missing.")
        return 0
    with tempfile.TemporaryDirectory(prefix="tendone-compiled-") as name:
        folder = Path(name)
        build(folder)
        print("\nCompiled by mypyc from the same source:", flush=True)
        command = [sys.executable, "-P", "-m", script, AS_IT_IS]
        return subprocess.run(command, env=environment(folder), check=False).returncode


def main() -> int:
    """Compile; 1 if that can't be done here."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "var" / "compiled-engine")
    folder: Path = parser.parse_args().folder
    missing = lacking()
    if missing is not None:
        print(f"The engine can't be compiled here: {missing} is missing.", file=sys.stderr)
        return 1
    try:
        build(folder.resolve())
    except subprocess.CalledProcessError as error:
        print(error.stdout, error.stderr, sep="\n", file=sys.stderr)
        return 1
    print(f"PYTHONPATH={folder} python -P -m games.engine …")
    return 0


if __name__ == "__main__":
    sys.exit(main())
