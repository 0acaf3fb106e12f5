"""`manage.py runserver`: Django's, which also runs the tasks of the embedded mode; `script/dev` calls it.

Static files are WhiteNoise's, as in the service itself, so Django's own handler of them isn't used.
"""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import runserver
from django.utils import autoreload

from config.celery import app
from config.embedded import first_run
from config.embedded.__main__ import only_service, say
from config.embedded.tasks import THREADS, TaskThread


class Command(runserver.Command):
    """Serve the code while it is changed."""

    addr: str
    port: str

    def inner_run(self, *args: Any, **options: Any) -> None:
        """Serve until Ctrl-C or a change. In the embedded mode fill a new database first, and run tasks."""
        autoreload.file_changed.connect(restart_for_template)
        if not settings.EMBEDDED:
            super().inner_run(*args, **options)
            return
        with only_service(settings.VAR_DIR):
            first_run.migrate()
            start = first_run.fill(settings.VAR_DIR / "addresses.json", sample=True)
            base = f"http://{self.addr}:{self.port}"
            say(f"Public page: {base}{start.paths.public}")
            say(f"Organizer's desk: {base}{start.paths.desk}, account {start.account}")
            if start.password:
                say(f"Password: {start.password}   (shown this once)")
            threads = [TaskThread(app, names) for names in THREADS]
            for thread in threads:
                thread.start()
            super().inner_run(*args, **options)


def restart_for_template(file_path: Path, **_kwargs: Any) -> None:
    """Start again for a changed template: pages kept in memory were made of the one before."""
    if file_path.suffix == ".html":
        autoreload.trigger_reload(str(file_path))
