"""`manage.py runserver`: Django's, which also runs the tasks of the embedded mode; `script/dev` calls it.

Static files are WhiteNoise's, as in the service itself, so Django's own handler of them isn't used.
"""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import runserver
from django.utils import autoreload

from config import catalogues
from config.celery import app
from config.embedded import first_run
from config.embedded.__main__ import only_service, say
from config.embedded.tasks import THREADS, TaskThread

BEGUN = time.time() - time.process_time()
"""When this process began, in seconds since 1970: later rather than earlier, as it counts no waiting."""


class Command(runserver.Command):
    """Serve the code while it is changed."""

    addr: str
    port: str

    def run(self, **options: Any) -> None:
        """Serve until Ctrl-C, and start again after a change of code, templates or texts."""
        compiled = catalogues.compile_missing()
        if compiled and os.environ.get(autoreload.DJANGO_AUTORELOAD_ENV):
            # They changed together with code, for which this process was started: it has read the old ones.
            autoreload.trigger_reload(str(compiled[0]))
        # Django has no other place to choose a reloader.
        autoreload.get_reloader = Reloader
        autoreload.autoreload_started.connect(watch_texts)
        autoreload.file_changed.connect(restart_for_page)
        super().run(**options)

    def inner_run(self, *args: Any, **options: Any) -> None:
        """Serve until Ctrl-C or a change. In the embedded mode fill a new database first, and run tasks."""
        if not settings.EMBEDDED:
            super().inner_run(*args, **options)
            return
        with ExitStack() as held:
            try:
                held.enter_context(only_service(settings.VAR_DIR, started_by="script/dev"))
            except SystemExit as error:
                # It would end a thread of the reloader alone, which goes on and waits for changes.
                say(str(error))
                os._exit(1)
            say("Bringing the database up to date; a new one is filled with the sample palio.")
            first_run.migrate()
            start = first_run.fill(settings.VAR_DIR / "addresses.json", sample=True)
            base = f"http://{self.addr}:{self.port}"
            say(f"Public page: {base}{start.paths.public}")
            if start.paths.referee:
                say(f"A referee's table: {base}{start.paths.referee}")
            say(f"Organizer's desk: {base}{start.paths.desk}, account {start.account}")
            if start.password:
                say(f"Password: {start.password}   (shown this once)")
            threads = [TaskThread(app, names) for names in THREADS]
            for thread in threads:
                thread.start()
            super().inner_run(*args, **options)


class Reloader(autoreload.StatReloader):
    """Django's, which also sees what was saved after this process began and before the first look at it."""

    def snapshot_files(self) -> Iterator[tuple[Path, float]]:
        """Each watched file with its time; raises SystemExit for one that is newer than this process."""
        for path, changed_at in super().snapshot_files():
            # Catalogues are written by this process itself; a time that is still to come would never be over.
            if BEGUN < changed_at <= time.time() and path.suffix != ".mo":
                self.notify_file_changed(path)
            yield path, changed_at


def watch_texts(sender: autoreload.BaseReloader, **_kwargs: Any) -> None:
    """Watch what catalogues are compiled of, beside what Django watches."""
    sender.watch_dir(settings.BASE_DIR / "locale", "**/*.po")


def restart_for_page(file_path: Path, **_kwargs: Any) -> None:
    """Start again for a changed template or text: pages kept in memory were made of the one before."""
    if file_path.suffix in {".html", ".po"}:
        autoreload.trigger_reload(str(file_path))
