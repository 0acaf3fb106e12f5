"""Test files shared out among processes: `--processes 2`, on machines with as many cores.

Tests are collected once; then the run forks. Each worker takes the next file as soon as it is through with
one, and what it reports is shown here, file by file, as if there were one process. Browsers leave an event
loop behind in the thread that drove them: their files are a queue of their own, and begin first, since they
wait much of the time. A worker keeps its services (browser, live server, database) from file to file, as a
whole run does.
"""

import os
from collections import deque
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings
from pytest_django.plugin import blocking_manager_key

from tests.services import environment, migrated, missing
from tests.services.databases import drives_browser

DEAR = ("tests/acceptance", "tests/publishing/test_publishing_published.py", "tests/tournaments/rounds")
"""Whose files begin early, so that none of them is alone at the end."""


@dataclass(frozen=True)
class File:
    """The tests of one file, as places in the session's list; those with a browser count as another file."""

    name: str
    browser: bool
    places: list[int]


@dataclass
class Worker:
    """A forked process and the file that it is at."""

    process: BaseProcess
    connection: Connection
    browser: bool
    at: File | None = None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--processes`."""
    parser.addoption("--processes", type=int, default=1, help="share test files out among so many processes")


def files_of(items: list[pytest.Item]) -> list[File]:
    """The files of tests, in the order in which they begin; within each, tests stand as they stood."""
    files: dict[tuple[str, bool], File] = {}
    for place, item in enumerate(items):
        name, browser = item.nodeid.split("::")[0], drives_browser(item)
        files.setdefault((name, browser), File(name, browser, [])).places.append(place)
    # The dear first; then those of many tests, since a short file is a small rest at the end.
    return sorted(files.values(), key=lambda file: (not file.name.startswith(DEAR), -len(file.places)))


def uses_rows(item: pytest.Item) -> bool:
    """Whether a test needs the tables."""
    return (
        "django_db_setup" in getattr(item, "fixturenames", ())
        or item.get_closest_marker("django_db") is not None
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Have forked workers run the tests, if there are to be several."""
    processes = session.config.getoption("--processes")
    if processes < 2 or session.testsfailed or session.config.option.collectonly:
        return None
    Run(session, processes).run()
    return True


class Run:
    """A session whose tests are run by others."""

    def __init__(self, session: pytest.Session, processes: int) -> None:
        """Sort the files into queues."""
        self.session, self.processes = session, processes
        files = files_of(session.items)
        self.queues = {
            browser: deque(each for each in files if each.browser is browser) for browser in (True, False)
        }
        self.workers: list[Worker] = []
        self.serials = count(1)

    def run(self) -> None:
        """Run every file, and report."""
        # Made here, workers' folders are below it.
        folder = self.session.config._tmp_path_factory.mktemp("migrated")  # type: ignore[attr-defined]  # pytest's own
        if environment.DATABASE == "sqlite" and any(uses_rows(each) for each in self.session.items):
            with self.session.config.stash[blocking_manager_key].unblock():
                migrated.make(folder)
        try:
            self._fill_up()
            while self.workers:
                ready = wait([each.connection for each in self.workers])
                for worker in [each for each in self.workers if each.connection in ready]:
                    self._hear(worker)
                self._fill_up()
        finally:
            for worker in self.workers:
                worker.process.terminate()
                worker.process.join()

    def _fill_up(self) -> None:
        """Start workers while there are files: one for browsers, and more if nothing else is left."""
        while len(self.workers) < self.processes and not self._over():
            browser = bool(self.queues[True]) and not any(each.browser for each in self.workers)
            if not self.queues[browser]:
                browser = not browser
            if not self.queues[browser]:
                return
            self._start(browser)

    def _over(self) -> bool:
        return bool(self.session.shouldfail or self.session.shouldstop)

    def _start(self, browser: bool) -> None:
        context = get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(self.session, theirs, next(self.serials)))
        process.start()
        theirs.close()
        worker = Worker(process, ours, browser)
        self.workers.append(worker)
        self._hand_out(worker)

    def _hand_out(self, worker: Worker) -> None:
        """Give a worker its next file, or let it go."""
        queue = self.queues[worker.browser]
        worker.at = None if self._over() or not queue else queue.popleft()
        worker.connection.send(worker.at and worker.at.places)

    def _hear(self, worker: Worker) -> None:
        """Show what a worker reports about a file; without a file, that is the end of it."""
        try:
            reports, absent = worker.connection.recv()
        except EOFError:
            worker.process.join()
            self.workers.remove(worker)
            if worker.at is not None or worker.process.exitcode:
                self._lost(worker)
            return
        missing.absent.update(absent)
        hook = self.session.config.hook
        for place, nodeid, data in reports:
            if data is None:
                hook.pytest_runtest_logstart(nodeid=nodeid, location=self.session.items[place].location)
            else:
                report = hook.pytest_report_from_serializable(config=self.session.config, data=data)
                hook.pytest_runtest_logreport(report=report)
        self._hand_out(worker)

    def _lost(self, worker: Worker) -> None:
        """Fail for what a worker didn't come to tell."""
        where = worker.at.name if worker.at else "its end"
        self.session.testsfailed += 1
        reporter = self.session.config.pluginmanager.getplugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(f"A worker ended with {worker.process.exitcode} at {where}.", red=True)


class Recorder:
    """Keeps what a worker's tests report until their file is through."""

    def __init__(self, config: pytest.Config) -> None:
        """Nothing is known yet."""
        self.config = config
        self.place = 0
        self.reports: list[tuple[int, str, dict[str, Any] | None]] = []

    def begin(self, place: int, nodeid: str) -> None:
        """A test begins."""
        self.place = place
        self.reports.append((place, nodeid, None))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a report."""
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.reports.append((self.place, report.nodeid, data))

    def taken(self) -> list[tuple[int, str, dict[str, Any] | None]]:
        """What was kept, once."""
        reports, self.reports = self.reports, []
        return reports


def work(session: pytest.Session, connection: Connection, serial: int) -> None:
    """What a worker does: run the files it is given, until it is given none."""
    config = session.config
    _speak_to_nobody(config)
    recorder = Recorder(config)
    config.pluginmanager.register(recorder, "recorder-of-a-worker")
    with _own_folder(serial):
        try:
            while places := connection.recv():
                _run_file(session, places, recorder)
                connection.send((recorder.taken(), missing.absent))
        finally:
            session._setupstate.teardown_exact(None)
    connection.close()


def _run_file(session: pytest.Session, places: list[int], recorder: Recorder) -> None:
    items = [session.items[place] for place in places]
    # Which file comes next isn't known yet: everything goes but what the session has set up.
    for place, item, following in zip(places, items, [*items[1:], session], strict=True):
        recorder.begin(place, item.nodeid)
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail or session.shouldstop:
            return


def _speak_to_nobody(config: pytest.Config) -> None:
    """Capture output anew, since what the run captures to is open in all of its processes; show none."""
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    capture.start_global_capturing()
    capture.suspend_global_capture()


def _own_folder(serial: int) -> override_settings:
    """Files of a worker's own, below those of the run."""
    folder = Path(os.environ["TENDONE_VAR"]) / f"worker-{serial}"
    folder.mkdir()
    os.environ["TENDONE_VAR"] = str(folder)
    if "PUBLISHED_ROOT" in os.environ:
        os.environ["PUBLISHED_ROOT"] = str(folder / "published")
    storages = {
        alias: {**storage, "OPTIONS": {**storage["OPTIONS"], "location": folder / alias}}
        if "location" in storage.get("OPTIONS", {})
        else storage
        for alias, storage in settings.STORAGES.items()
    }
    return override_settings(STORAGES=storages)
