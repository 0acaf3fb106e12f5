"""`manage.py runserver`: Django's, which also runs the tasks of the embedded mode; `script/dev` calls it.

Static files are WhiteNoise's, as in the service itself, so Django's own handler of them isn't used.
"""

import os
import time
from contextlib import ExitStack, suppress
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
        autoreload.autoreload_started.connect(watch)
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


def watch(sender: autoreload.BaseReloader, **_kwargs: Any) -> None:
    """Watch texts, too, and see what was changed since this process has begun.

    Django's reloader takes its first look when everything is loaded, and what was saved before that for old.
    """
    sender.watch_dir(settings.BASE_DIR / "locale", "**/*.po")
    for path in sender.watched_files():
        with suppress(FileNotFoundError):
            if path.stat().st_mtime > BEGUN:
                sender.notify_file_changed(path)


def restart_for_page(file_path: Path, **_kwargs: Any) -> None:
    """Start again for a changed template or text: pages kept in memory were made of the one before."""
    if file_path.suffix == ".po":
        catalogues.compile_missing()
    if file_path.suffix in {".html", ".po"}:
        autoreload.trigger_reload(str(file_path))
