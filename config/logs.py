"""Logging: lines of JSON in the full mode, readable lines in the embedded one.

No line holds anything personal or secret, whoever writes it. What may stand in one beside its message is
listed (`FIELDS`). Paths can hold the code of a slip or a table, so they give way to the name of their route.
Of an error its kind and the places in the code are written. Its text isn't: a database repeats in it the row
that it refused. At the level DEBUG the texts of errors are written, too.
"""

import json
import logging
import re
import traceback
from collections.abc import Iterator, MutableMapping
from functools import partial
from typing import Any

import structlog

Line = MutableMapping[str, Any]

FIELDS = (
    *("method", "route", "status", "duration_ms", "event_id", "actor", "actor_id"),
    *("task", "task_id", "state", "bytes", "code"),
)
"""What a line can say beside its message, its time, its level, its logger and the ids of request and task."""

# The same things are told in lines of our own, without paths, values and texts of errors.
QUIET = ("django.server", "celery.app.trace")

_SECRET_PATH = re.compile(r"(?<![\w.])((?:/en)?/[ts]/)[^/\s\"'?<>]+")
_SECRET_VALUE = re.compile(
    r"(?i)\b(code|key|password|pin|secret|token|csrfmiddlewaretoken)(=|: )[^&\s\"',)]+"
)
_SECRET_HEADER = re.compile(r"(?i)\b(bearer|pairing) [\w.~+/=-]{16,}")
_CREDENTIALS = re.compile(r"(://)[^/@\s]+@")


def configuration(level: str, *, as_json: bool) -> dict[str, Any]:
    """The value of Django's LOGGING, and of gunicorn's `logconfig_dict`."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": "config.logs.formatter", "level": level, "as_json": as_json}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Django's own handlers would write lines a second time, or mail them.
            "django": {"handlers": [], "level": "NOTSET", "propagate": True},
            "gunicorn.error": {"handlers": [], "level": level, "propagate": True},
            # It writes addresses as they were asked for; `config.middleware` writes every request.
            "gunicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
            "celery": {"handlers": [], "level": "NOTSET", "propagate": True},
            "celery.worker.strategy": {"level": "WARNING"},
            **{name: {"handlers": [], "level": "CRITICAL", "propagate": True} for name in QUIET},
        },
    }


def formatter(level: str, *, as_json: bool) -> logging.Formatter:
    """The formatter of every line."""
    with_texts = logging.getLevelNamesMapping()[level] <= logging.DEBUG
    return structlog.stdlib.ProcessorFormatter(
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            json_line if as_json else readable_line,
        ],
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=as_json, key="time"),
            structlog.stdlib.ExtraAdder(allow=FIELDS),
            without_paths,
            partial(error_by_kind, with_text=with_texts),
            without_secrets,
        ],
    )


def without_paths(_logger: object, _method: str, line: Line) -> Line:
    """Name the route in place of a path in Django's messages; of a suspicious request only its kind."""
    record = line["_record"]
    if record.name.startswith("django.security."):
        line["event"] = f"A request was refused: {record.name.rpartition('.')[2]}"
    request = getattr(record, "request", None)
    path = getattr(request, "path", None)
    if path and len(path) > 1:
        line["event"] = line["event"].replace(path, route_of(request))
    return line


def route_of(request: Any) -> str:
    """The name of a request's route; the code in its address isn't part of it."""
    match = getattr(request, "resolver_match", None)
    return match.view_name if match else "(no route)"


def error_by_kind(_logger: object, _method: str, line: Line, *, with_text: bool) -> Line:
    """Write the kinds of an error and of its causes, and where it arose; with `with_text` its text, too."""
    error = line.pop("exc_info", None)
    line.pop("stack_info", None)
    if error and error[1] is not None:
        line["error"] = " from ".join(type(each).__name__ for each in causes(error[1]))
        line["frames"] = [
            f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error[2])
        ]
        if with_text:
            line["text"] = str(error[1])
    return line


def causes(error: BaseException) -> Iterator[BaseException]:
    """An error, and what it came from."""
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def without_secrets(_logger: object, _method: str, line: Line) -> Line:
    """Take secrets out of messages of libraries: codes in paths, named secrets, passwords in addresses."""
    for name in ("event", "text"):
        if isinstance(line.get(name), str):
            line[name] = scrubbed(line[name])
    return line


def scrubbed(message: str) -> str:
    """A message without what looks like a secret."""
    message = _SECRET_PATH.sub(r"\1…", message)
    message = _SECRET_VALUE.sub(r"\1\2…", message)
    message = _SECRET_HEADER.sub(r"\1 …", message)
    return _CREDENTIALS.sub(r"\1…@", message)


def json_line(_logger: object, _method: str, line: Line) -> str:
    """One JSON object on one line: time, level, logger and message first."""
    ordered = {
        "time": line.pop("time"),
        "level": line.pop("level"),
        "logger": line.pop("logger"),
        "message": line.pop("event"),
    }
    return json.dumps(ordered | dict(line), ensure_ascii=False, default=str)


def readable_line(_logger: object, _method: str, line: Line) -> str:
    """A line for people, and below it where an error arose."""
    begun = f"{line.pop('time')[:19]} {line.pop('level').upper()} {line.pop('logger')}: {line.pop('event')}"
    frames = line.pop("frames", [])
    rest = "".join(f" {name}={value}" for name, value in line.items())
    return "\n    ".join([begun + rest, *frames])
