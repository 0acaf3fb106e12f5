"""A service at work is backed up, measured, stopped under load and put back elsewhere.

40 phones write whole games; meanwhile `manage.py backup` copies the database, and the memory of every process
is read. Then web, worker and beat are told to stop (SIGTERM) while the phones go on. The backup is put back
into an empty database by `manage.py restore`, which verifies it, and backed up again. Both backups have to
be the same bytes, table by table, but for the tables of published pages, which a restore forgets. Exits with
1 if a request was answered by a 5xx, an entry was lost or doubled, a process ended with an error, or the two
backups differ.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter, sleep
from urllib.parse import urlsplit, urlunsplit

import psycopg

from benchmarks import services
from benchmarks.referees import Phone, on_database, write_at_once
from benchmarks.tables import Cell, show
from config.backup_folder import backups_in
from config.backups.container import Manifest, opened
from tests.support.services import broker
from tests.support.services.broker import free_port
from tests.support.services.processes import is_ready, stop, wait_until

REFEREES = 40
SECONDS = 20
ELSEWHERE = "elsewhere"
OF_PAGES = {"tables/publishing_publication.copy", "tables/publishing_publishedpage.copy"}
"""What is in the store isn't known after restoring: all pages are written anew."""


def manage(environment: dict[str, str], *arguments: str) -> tuple[float, str]:
    """Run a command of the service; its seconds and what it said."""
    begun = perf_counter()
    ran = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=services.ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return perf_counter() - begun, ran.stdout.strip()


def memory(pid: int) -> tuple[float, float]:
    """MB that a process has in memory, and its share of what it has in common with others."""
    found = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, value, *_ = line.split()
        found[name] = int(value) / 1024
    return found["Rss:"], found["Pss:"]


def processor_seconds(pid: int) -> float:
    """Seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and those that it has made."""
    made = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, made)]


def started(environment: dict[str, str], port: int, stack: ExitStack) -> dict[str, subprocess.Popen[bytes]]:
    """Web, worker and beat, as in the full mode."""
    folder = Path(environment["TENDONE_VAR"])
    celery = ["celery", "--app", "config"]
    commands = {
        "web": ["gunicorn", "--config", "config/gunicorn.py", "--bind", f"127.0.0.1:{port}", "config.wsgi"],
        "worker": [*celery, "worker", "--concurrency", "2"],
        "beat": [*celery, "beat", "--schedule", str(folder / "schedule"), "--pidfile", str(folder / "beat")],
    }
    found = {}
    for name, command in commands.items():
        with (folder / f"{name}.log").open("wb") as log:
            found[name] = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=services.ROOT,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        stack.callback(stop, found[name])
    wait_until(lambda: is_ready(port), found["web"], folder / "web.log")
    return found


def measured(processes: dict[str, subprocess.Popen[bytes]]) -> list[list[Cell]]:
    """Memory and processor time of each process."""
    rows: list[list[Cell]] = []
    for name, process in processes.items():
        for number, pid in enumerate(family(process.pid)):
            rss, pss = memory(pid)
            rows.append(
                [f"{name}, {'parent' if number == 0 else 'process'}", rss, pss, processor_seconds(pid)]
            )
    return rows


def manifest_of(folder: Path) -> Manifest:
    """What the newest backup in a folder says of itself."""
    with opened(backups_in(folder)[-1]) as (_, manifest):
        return manifest


def elsewhere(environment: dict[str, str]) -> dict[str, str]:
    """The environment of an empty database on the same server."""
    url = environment["DATABASE_URL"]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{ELSEWHERE}"')
    parts = urlsplit(url)
    return environment | {"DATABASE_URL": urlunsplit(parts._replace(path=f"/{ELSEWHERE}"))}


def main() -> int:
    """Do all of it; 1 if anything isn't as it has to be."""
    parser = services.arguments(__doc__)
    parser.add_argument("--referees", type=int, default=REFEREES, help=f"phones (default: {REFEREES})")
    parser.add_argument("--seconds", type=int, default=SECONDS, help=f"of load (default: {SECONDS})")
    chosen = parser.parse_args()
    wrong: list[str] = []
    with services.database("postgresql") as environment, ExitStack() as stack:
        server = broker.start()
        stack.callback(server.stop)
        environment["CELERY_BROKER_URL"] = server.url
        manage(environment, "migrate", "--no-input", "--verbosity", "0")
        made = on_database(environment, "prepare", str(chosen.referees), str(chosen.referees))
        port = free_port()
        processes = started(environment, port, stack)
        phones = [
            Phone(port, secret, iter(made["tables"][number])) for number, secret in enumerate(made["phones"])
        ]
        told = []
        load = threading.Thread(target=lambda: told.append(write_at_once(phones, chosen.seconds, 0.5)))
        load.start()
        sleep(chosen.seconds / 2)
        folder = Path(environment["TENDONE_VAR"]) / "backup"
        copied, said = manage(environment, "backup", str(folder))
        rows = measured(processes)
        # Under load: what was begun is answered, and what comes later finds nobody.
        for name in ("web", "worker", "beat"):
            processes[name].send_signal(signal.SIGTERM)
        begun = perf_counter()
        ended = {name: process.wait(60) for name, process in processes.items()}
        stopped = perf_counter() - begun
        load.join()
        (answered,) = told
        found = on_database(environment, "check", given=json.dumps(answered.stored))
        there = elsewhere(environment)
        restored, _ = manage(there, "restore", str(backups_in(folder)[-1]))
        manage(there, "backup", str(folder / "again"))
        first, second = manifest_of(folder), manifest_of(folder / "again")
        server_errors = {status: count for status, count in answered.statuses.items() if status >= 500}
        wrong += [f"{name}: {found[name]}" for name in ("lost", "doubled", "faults") if found[name]]
        wrong += [f"{name} ended with {status}" for name, status in ended.items() if status]
        wrong += [f"5xx: {server_errors}"] if server_errors else []
        names = (set(first.files) | set(second.files)) - OF_PAGES
        differ = sorted(name for name in names if first.files.get(name) != second.files.get(name))
        wrong += [f"restored otherwise: {differ}"] if differ else []
        wrong += ["restored with pages of another store"] if second.tables["publishing_publishedpage"] else []
        print(f"{len(answered.stored)} entries acknowledged, {found['lost']} lost; {said}")
        print(f"backed up under load in {copied:.1f} s, restored and verified in {restored:.1f} s")
        print(f"{len(names)} tables, {len(differ)} differ; all ended within {stopped:.1f} s")
    show("Processes under load", ["process", "RSS, MB", "PSS, MB", "processor, s"], rows)
    return services.report_failures(wrong)


if __name__ == "__main__":
    sys.exit(main())
