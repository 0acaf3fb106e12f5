"""gunicorn's settings for the full mode: `gunicorn --config config/gunicorn.py config.wsgi`."""

from typing import Any

from config import environment, logs, metrics_files

metrics_files.prepare()

bind = "0.0.0.0:8000"
worker_class = "gthread"
workers = int(environment.number("WEB_PROCESSES", 2, least=1))
threads = int(environment.number("WEB_THREADS", 8, least=1))
keepalive = 30
# One request never takes this long; a process that hangs is started again.
timeout = 30
graceful_timeout = 20
# The application is loaded before processes are made: a wrong setting stops the start, not every process.
preload_app = True
# Signs of life go to memory, not to a disk that may be slow.
worker_tmp_dir = "/dev/shm"  # noqa: S108  # not a temporary file: the place where Linux mounts memory
control_socket_disable = True
# `config.middleware` writes a line about every request; gunicorn's own would hold addresses with their codes.
accesslog = None
logconfig_dict = logs.configuration(environment.log_level("LOG_LEVEL", "INFO"), as_json=True)


def on_starting(server: Any) -> None:
    """Refuse to start where it can't work."""
    import django

    from config import preflight

    django.setup()
    preflight.or_exit()


def when_ready(server: Any) -> None:
    """Answer Prometheus, where that is asked for."""
    from config import metrics

    metrics.serve()
