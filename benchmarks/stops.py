"""Stops of the embedded service while phones write, and a check that the last backup holds every entry.

An event with 200 tables on SQLite. Half of the stops are Ctrl-C, which reaches every process of the group,
the other half SIGTERM to the first process. Each comes once a page was published since the start, while the
phones go on writing until nobody answers. Exits with 1 if a service didn't end well, or if an entry that a
phone was told of isn't in the newest backup.
"""

import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks import services
from benchmarks.referees import Phone, on_database
from benchmarks.tables import Cell, show
from config.backup_folder import backups_in
from config.backups.container import opened
from tests.support.services.embedded import running
from tests.support.services.processes import PATIENCE, tail
from tests.support.waiting import wait_for

TABLES = 200
PHONES = 8
STOPS = 20
LONG = 3600.0


def entries_in(backup: Path) -> set[str]:
    """The ids that clients gave to what is in a backup."""
    with TemporaryDirectory() as folder, opened(backup) as (archive, manifest):
        [name] = manifest.files
        path = archive.extract(name, folder)
        with closing(sqlite3.connect(path)) as connection:
            return {id_ for (id_,) in connection.execute("SELECT client_id FROM ledger_fact") if id_}


def wait_for_a_page(folder: Path, since: float) -> None:
    """Return when a page was published after that time."""
    wait_for(lambda: any(path.stat().st_mtime > since for path in _files(folder)))


def _files(folder: Path) -> Iterable[Path]:
    # Others come and go while they are written.
    return (path for path in folder.rglob("index.html") if path.exists())


def stop_once(
    environment: dict[str, str], by: signal.Signals, made: dict[str, list[str]], secrets: list[str]
) -> tuple[float, int, int, str]:
    """Start, write and stop; seconds of the stop, entries that were acknowledged, those that the newest
    backup lacks, and what went wrong.
    """
    folder = Path(environment["TENDONE_VAR"])
    log = folder / "serve.log"
    with running(environment, log, "--empty") as (process, port):
        begun = log.stat().st_mtime
        phones = [PhoneAtTheEnd(port, secret, iter(())) for secret in secrets]
        threads = [
            threading.Thread(target=write_until_nobody_answers, args=(phone, made), daemon=True)
            for phone in phones
        ]
        for thread in threads:
            thread.start()
        wait_for_a_page(folder / "published", begun)
        told = perf_counter()
        if by == signal.SIGINT:
            os.killpg(process.pid, by)
        else:
            process.send_signal(by)
        status = process.wait(PATIENCE)
        seconds = perf_counter() - told
        for thread in threads:
            thread.join()
    stored = {entry.replace("-", "") for phone in phones for entry in phone.told.stored}
    lacking = stored - entries_in(backups_in(folder / "backup")[-1])
    wrong = "" if status == 0 and "Traceback" not in log.read_text() else f"status {status}: {tail(log)}"
    return seconds, len(stored), len(lacking), wrong


class StoppedError(Exception):
    """The service is gone."""


class PhoneAtTheEnd(Phone):
    """A phone that stops at the first call without an answer."""

    def _enter(self, *arguments: Any) -> int:
        version = super()._enter(*arguments)
        if self.told.statuses[0]:
            raise StoppedError
        return version


def write_until_nobody_answers(phone: Phone, made: dict[str, list[str]]) -> None:
    """Write games until the service is gone; those that were begun are left out the next time."""
    for begun, game in enumerate(made[phone.secret], 1):
        phone.games = iter([game])
        try:
            phone.write(perf_counter() + LONG, 0.05)
        except StoppedError:
            made[phone.secret] = made[phone.secret][begun:]
            return
    raise RuntimeError("All games were played before the service was stopped.")


def main() -> int:
    """Stop so many times; 1 if anything is lacking."""
    parser = services.arguments(__doc__)
    parser.add_argument("--stops", type=int, default=STOPS, help=f"(default: {STOPS})")
    chosen = parser.parse_args()
    rows: list[list[Cell]] = []
    wrong: list[str] = []
    with services.database("sqlite") as environment:
        prepared = on_database(environment, "prepare", str(TABLES), str(PHONES))
        secrets = prepared["phones"]
        made = {
            secret: [game for table in prepared["tables"][number::PHONES] for game in table]
            for number, secret in enumerate(secrets)
        }
        for by, name in ((signal.SIGINT, "Ctrl-C, to the group"), (signal.SIGTERM, "SIGTERM")):
            found = [stop_once(environment, by, made, secrets) for _ in range(chosen.stops // 2)]
            seconds = [each[0] for each in found]
            whole = sum(not lacking and not fault for _, _, lacking, fault in found)
            rows.append(
                [
                    name,
                    f"{whole} of {len(found)}",
                    sum(each[1] for each in found),
                    median(seconds),
                    max(seconds),
                ]
            )
            wrong += [f"{lacking} entries lacking" for _, _, lacking, _ in found if lacking]
            wrong += [fault for *_, fault in found if fault]
    show(
        f"Stops with {PHONES} phones and {TABLES} tables",
        ["stopped by", "all in the newest backup", "entries", "s", "at most, s"],
        rows,
    )
    return services.report_failures(wrong)


if __name__ == "__main__":
    sys.exit(main())
