"""Reading large valid files and refusing hostile ones, each in a process of its own."""

import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks import services
from benchmarks.costly_files import ARCHIVES, LISTS, MEGABYTE, VALID, Make
from benchmarks.on_database import rebuild
from benchmarks.tables import Cell, show
from people.actors import Actor
from people.input_problems import BadInputError
from people.intake.sheet_reading import Options
from people.refusals import Refused
from tests.people.support import read as read_list
from tournaments.transfer.archive import container
from tournaments.transfer.archive.export import export_event
from tournaments.transfer.archive.intake import take_in

MOST_MEMORY = 100 * MEGABYTE
MOST_SECONDS = 3.0
FULL, ALTERED = "archive: an event of 100,000 facts", "archive: the same, its last fact altered"


def event_archives() -> dict[str, Make]:
    """An archive of a large event, and one that is wrong at its very end."""
    made = io.BytesIO()
    export_event(rebuild.made(), made, with_people=True)
    with zipfile.ZipFile(made) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(files.pop(container.MANIFEST))
    *facts, last = files["facts.jsonl"].splitlines()
    altered = json.loads(last)
    altered["text"] = altered["text"].replace("}", ' ,"x":1}')
    files["facts.jsonl"] = b"\n".join([*facts, json.dumps(altered).encode(), b""])
    other = io.BytesIO()
    kept = {name: value for name, value in about.items() if name not in ("format", "version", "files")}
    container.write(other, kept, files)
    return {FULL: made.getvalue, ALTERED: other.getvalue}


def read(path: Path, is_archive: bool) -> dict[str, Any]:
    """Read a file as the service does; what became of it, in how many seconds, with how much more memory."""
    import openpyxl  # noqa: F401  # its memory is no file's

    forget_peak()
    before, begun = peak(), process_time()
    try:
        if is_archive:
            with path.open("rb") as source:
                take_in(source, Actor.command())
            answer = "taken"
        else:
            answer = f"{len(read_list(path.read_bytes(), options=Options({})).good):,} people"
    except BadInputError as refused:
        answer = str(refused)
    except Refused as refused:
        answer = refused.code
    return {"answer": answer, "seconds": process_time() - begun, "memory": peak() - before}


def forget_peak() -> None:
    """Count the most memory from now on; what a process begins with is its parent's."""
    Path("/proc/self/clear_refs").write_text("5")


def peak() -> int:
    """The most memory that this process has had since then, in bytes."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def measured(path: Path, is_archive: bool, folder: Path) -> dict[str, Any]:
    """The same in a process of its own, on a database of its own."""
    command = [sys.executable, "-m", __spec__.name, str(path), "archive" if is_archive else "list"]
    environment = os.environ | {"TENDONE_VAR": str(folder)}
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return found


def main() -> int:
    """Measure; 1 if something is read that shouldn't be, or refusing it costs too much."""
    if len(sys.argv) == 3:
        print(json.dumps(read(Path(sys.argv[1]), sys.argv[2] == "archive")))
        return 0
    table: list[list[Cell]] = []
    failed = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, make in (LISTS | ARCHIVES | VALID | event_archives()).items():
            path = folder / "file"
            path.write_bytes(make())
            found = measured(path, what.startswith("archive"), folder / "var")
            seconds, memory = found["seconds"], found["memory"]
            table.append([what, path.stat().st_size, found["answer"], seconds, round(memory / MEGABYTE)])
            is_valid = what in VALID or what == FULL
            is_taken = found["answer"] == "taken" or found["answer"].endswith("people")
            is_dear = memory > MOST_MEMORY or seconds > MOST_SECONDS
            if is_valid != is_taken or (not is_valid and is_dear):
                failed.append(what)
    show("Files that are sent", ["file", "bytes", "answer", "s of processor", "MB more"], table)
    return services.report_failures(failed)


if __name__ == "__main__":
    sys.exit(main())
