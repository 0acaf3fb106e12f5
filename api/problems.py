"""Every answer that isn't a success: `application/problem+json` (RFC 9457) with a stable code.

A problem has `type` (a URN of its code), `title`, `status`, `code` and `detail` (a sentence in the reader's
language). By its `request_id` an operator finds it in the log. Further members depend on the code, such as
`current_version` or `problems` (one row for each wrong field). A problem is small, whatever was sent. It has
the first 20 of its rows, and at most 64 KB; long texts are cut.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.http import Http404
from django.utils.encoding import force_str
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response

from games.engine import ImpossibleStateError, Refusal
from games.engine import sentence as rule_sentence
from games.engine.events import EVENT_CLASSES
from ledger.errors import ClientIdReusedError, ConflictError, OtherStreamError, ScopeDeletedError
from ledger.outages import RETRY_AFTER, Outage, log_outage, outage_of
from people import request_ids
from people.input_problems import BadInputError, Code
from people.input_sentences import sentence
from people.refusals import Refused, id_is_taken
from rendering.text.active_language import reader_language
from tournaments.commands.results import not_followed

logger = logging.getLogger("django.request")

CONTENT_TYPE = "application/problem+json"
# Nothing wrong with what was sent, but for what is there already.
AGAINST_STORED = {Code.ALREADY_ENTERED, Code.NAME_TAKEN, Code.TEAM_IN_USE, Code.TEAM_COUNTED}
EVENT_TYPES = {each.type for each in EVENT_CLASSES}
MOST_ROWS = 20
"""So many of what is wrong; `problems_left_out` (or the like) says how many more there are."""
LONGEST_TEXT = 500
MOST_BYTES = 64 * 1024 - 4 * 1024
"""What the further members may have; the rest is for the members that every problem has."""
MEMBERS = {"type", "title", "status", "code", "detail", "request_id"}


class Problem(exceptions.APIException):
    """A refusal that a view states itself: its status, code, sentence and further members; `wait` in seconds
    where calling again later helps.
    """

    wait: int = 0

    def __init__(self, status: int, code: str, detail: Any, **members: Any) -> None:
        super().__init__(detail, code)
        self.status_code = status
        self.code = code
        self.members = members


class InvalidInput(Problem):
    """422 `invalid-input`: what was sent can be read, but isn't what was expected, field by field."""

    def __init__(self, problems: list[dict[str, Any]], detail: Any = None) -> None:
        super().__init__(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "invalid-input",
            detail or _("Some of what was sent isn't right; `problems` says what."),
            problems=problems,
        )


def field_problem(field: str, code: str, detail: Any) -> dict[str, Any]:
    """One row of `problems`: where (a dotted path into the body, or a parameter), what, and a sentence."""
    return {"field": field, "code": code.replace("_", "-"), "detail": force_str(detail)}


def problem(
    status: int, code: str, detail: Any, members: Mapping[str, Any] | None = None, **headers: str
) -> Response:
    """A problem as an answer. A member can't take the place of one that every problem has."""
    body = {
        "type": f"urn:tendone:problem:{code}",
        "title": code.replace("-", " ").capitalize(),
        "status": int(status),
        "code": code,
        "detail": shortened(force_str(detail), 2 * LONGEST_TEXT),
    }
    if request_id := request_ids.current():
        body["request_id"] = request_id
    body |= {key: value for key, value in small(members or {}).items() if key not in MEMBERS}
    return Response(body, status=int(status), headers=headers or None, content_type=CONTENT_TYPE)


def small(members: Mapping[str, Any]) -> dict[str, Any]:
    """Members of a problem, with the first of many rows, and texts cut; none if they are still too large."""
    found: dict[str, Any] = {}
    for name, value in members.items():
        found[name] = shortest(value)
        if isinstance(value, list | tuple) and len(value) > MOST_ROWS:
            found[f"{name}_left_out"] = len(value) - MOST_ROWS
    return found if len(json.dumps(found, default=str)) <= MOST_BYTES else {}


def shortest(value: Any) -> Any:
    """A value with its texts cut and the first rows of its lists."""
    match value:
        case str():
            return shortened(value, LONGEST_TEXT)
        case list() | tuple():
            return [shortest(each) for each in value[:MOST_ROWS]]
        case Mapping():
            return {shortened(str(key), LONGEST_TEXT): shortest(each) for key, each in value.items()}
    return value


def shortened(text: str, longest: int) -> str:
    """A text of at most so many characters, without halves of surrogate pairs, which no answer can hold."""
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def problem_response(exc: Exception, context: dict[str, Any]) -> Response:
    """The answer to any exception of a view; one that nobody foresaw tells nothing but that it happened."""
    if isinstance(exc, exceptions.ValidationError):
        exc = InvalidInput(list(field_problems(exc.detail)))
    elif isinstance(exc, BadInputError):
        exc = of_people(exc)
    if isinstance(exc, Problem):
        headers = {"Retry-After": str(exc.wait)} if exc.wait else {}
        return problem(exc.status_code, exc.code, exc.detail, exc.members, **headers)
    if (refusal := of_service(exc)) is not None:
        return refusal
    if isinstance(exc, Http404 | exceptions.NotFound):
        return problem(HTTPStatus.NOT_FOUND, "not-found", _("There is nothing at this address."))
    if isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    if isinstance(exc, exceptions.APIException):
        return of_framework(exc)
    if (outage := outage_of(exc)) is not None:
        return unavailable(exc, outage)
    return unforeseen(exc, context)


def of_service(exc: Exception) -> Response | None:
    """What the layers below refuse, in their own codes; None for anything else."""
    match exc:
        case Refused():
            headers = {"Retry-After": str(exc.wait)} if exc.wait else {}
            return problem(exc.status, exc.code, exc.sentence, refused_members(exc), **headers)
        case Refusal():
            return problem(422, exc.code, rule(exc), event_members(exc))
        case ConflictError():
            detail = _("Somebody else was faster: this is at another version now. Read it and decide anew.")
            return problem(409, "version-conflict", detail, {"current_version": exc.current_version})
        case ClientIdReusedError():
            detail = _("This id was used before for something else.")
            used = exc.client_id and str(exc.client_id)
            return problem(409, "client-id-reused", detail, {"client_id": used})
        case ImpossibleStateError():
            return of_service(not_followed())
        case OtherStreamError():
            return problem(409, "id-taken", id_is_taken())
        case ScopeDeletedError():
            return problem(410, "event-deleted", _("This event was deleted."))
    return None


def refused_members(refused: Refused) -> dict[str, Any]:
    """A tournament's refusal: its parameters, and wrong settings as rows of `problems`."""
    members = dict(refused.params)
    if "problems" in members:
        members["problems"] = [
            field_problem(f"settings.{row['field']}", row["code"], row["expected"])
            for row in members["problems"]
        ]
    return members


def of_people(refused: BadInputError) -> Problem:
    """What can't be entered: 409 where only what is stored stands against it, else 422 with every field."""
    rows = [
        field_problem(each.column, each.code.value, sentence(each))
        | ({} if each.line is None else {"line": each.line})
        for each in refused.problems
    ]
    if all(each.code in AGAINST_STORED for each in refused.problems):
        return Problem(HTTPStatus.CONFLICT, rows[0]["code"], rows[0]["detail"], problems=rows)
    return InvalidInput(rows)


def rule(refusal: Refusal) -> str:
    """The rule that a log event breaks, in the reader's language."""
    return rule_sentence(refusal.code, reader_language())


def event_members(refusal: Refusal) -> dict[str, Any]:
    """Which log event was refused, and what was expected of it.

    Its type is `event_type`, since a problem's own `type` is another thing. What was expected is told in
    English (`message`, as the engine's command line has it) and in the reader's language (`expected`).
    """
    return {
        "line": refusal.line,
        "event_type": event_type(refusal),
        "message": refusal.message,
        "expected": expected(refusal),
        "rule": refusal.rule,
    }


def expected(refusal: Refusal) -> str:
    """What was expected in this case, in the reader's language."""
    return refusal.expected(reader_language())


def event_type(refusal: Refusal) -> str | None:
    """The type of the log event that was refused; None for one that there isn't, which can be any text."""
    return refusal.type if refusal.type in EVENT_TYPES else None


def of_framework(exc: exceptions.APIException) -> Response:
    """What the framework refuses by itself: 401, 403, 405, 406, 415, 429."""
    headers = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(exc, "wait", None):
        headers["Retry-After"] = f"{wait:.0f}"
    codes = exc.get_codes()
    code = codes if isinstance(codes, str) else str(exc.default_code)
    return problem(exc.status_code, code.replace("_", "-"), exc.detail, None, **headers)


def unavailable(exc: Exception, outage: Outage) -> Response:
    """Nothing can be stored just now. Whether what was sent is stored is not known: sent again with the same
    ids it counts once.
    """
    log_outage(outage, exc)
    detail = {
        Outage.AWAY: _(
            "The database doesn't answer just now. Send the same again, with the same ids, in a moment."
        ),
        Outage.DISK_FULL: _(
            "The disk of the service is full. Send the same again, with the same ids, once there is room."
        ),
        Outage.DATABASE_MOVED: _(
            "The database of the service was moved, replaced or deleted. Send the same again, with the same "
            "ids, once it is back."
        ),
    }[outage]
    return problem(
        HTTPStatus.SERVICE_UNAVAILABLE, outage.value, detail, None, **{"Retry-After": str(RETRY_AFTER)}
    )


def unforeseen(exc: Exception, context: dict[str, Any]) -> Response:
    """A fault of ours: logged and signalled as Django does for pages, answered without any detail."""
    request = getattr(context.get("request"), "_request", None)
    logger.error("Internal error", exc_info=exc)
    got_request_exception.send(sender=None, request=request)
    return problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "internal-error",
        _("Something went wrong here; it was noted. Nothing was changed."),
    )


def field_problems(detail: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """The framework's nested error lists, flat: a dotted path, the code and the sentence of each."""
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            inner = path if key == "non_field_errors" else f"{path}.{key}".lstrip(".")
            yield from field_problems(value, inner)
    elif isinstance(detail, list):
        nested = any(isinstance(value, Mapping | list) for value in detail)
        for index, value in enumerate(detail):
            yield from field_problems(value, f"{path}.{index}".lstrip(".") if nested else path)
    else:
        yield field_problem(path, getattr(detail, "code", "invalid"), detail)
