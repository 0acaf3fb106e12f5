"""Self-description of an action: what the OpenAPI document says and the endpoint accepts."""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from api.fields import Shape
from api.problems import CONTENT_TYPE
from api.retries import REPLAYED
from api.shapes.common import NothingBody
from people.request_ids import HEADER
from tournaments.commands.decision_recording import Caller

SerializerClass = type[serializers.Serializer[Any]]
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

SUCCESSES = [200, 201, 202]


def _header(name: str, description: str, schema: Any = OpenApiTypes.STR, **more: Any) -> OpenApiParameter:
    """A header that is sent, or one of the answers with the statuses of `response`."""
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, description=description, **more)


IDEMPOTENCY_KEY = _header(
    "Idempotency-Key",
    "An id of your own for this call, a UUID. Sent again with the same body it is done once: a "
    "fact for ever, anything else for a day, in which it is answered alike. With another body it is a 409.",
    # Not a format: generated clients would hand a UUID object to libraries whose headers have to be texts.
    {
        "type": "string",
        "pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
        "examples": ["0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11"],
    },
)
IF_MATCH = _header(
    "If-Match", "The `ETag` of the row as you know it: if it was changed since, nothing is done (412)."
)
IF_NONE_MATCH = _header(
    "If-None-Match",
    "The `ETag` of the answer that you have: while it would be the same, the answer is a 304.",
)
ETAG = _header(
    "ETag",
    "A strong tag of what the answer says to this caller in this language.",
    {"type": "string", "pattern": '^"[0-9a-f]{32}"$'},
    required=True,
    response=[*SUCCESSES, 304],
)
IDEMPOTENCY_REPLAYED = _header(
    REPLAYED,
    "Only there where the call was done before with this `Idempotency-Key`: the answer is the one of then.",
    {"type": "string", "const": "true"},
    response=[*SUCCESSES, 204],
)
RETRY_AFTER = _header(
    "Retry-After",
    "After how many seconds it makes sense to call again.",
    {"type": "integer", "minimum": 1},
    required=True,
    response=[429, 503],
)
CHALLENGE = _header("WWW-Authenticate", "How a caller can be known.", required=True, response=[401])
FILE_NAME = _header(
    "Content-Disposition", "`attachment`, with the file's name.", required=True, response=[200]
)
REQUEST_ID = _header(
    HEADER, "The request's id, by which an operator finds it in the log.", required=True, response=True
)
UNCHANGED = "What the caller has is what it would be told."
REASONS = {
    400: "The body can't be read, or a header isn't what it should be.",
    401: "Nobody known is calling, or the token isn't valid.",
    403: "The caller isn't allowed to do this.",
    404: "There is no such thing, or the caller may not know of it.",
    406: "There is no answer of a type that `Accept` names.",
    409: "What is stored now stands against it; `code` says what.",
    410: "What was asked for is gone; `code` says what.",
    411: "The body was sent without its length.",
    412: "The row was changed since the caller read it.",
    413: "The body is too large.",
    415: "The body's type isn't taken here.",
    422: "What was sent isn't what was expected; `code` and `problems` say what and where.",
    429: "Too many attempts; `Retry-After` says when to try again.",
    500: "A fault of the service; it was noted.",
    503: "The service can't store or read anything just now. What was sent may be stored or not: sent again "
    "with the same ids it counts once.",
}


class FieldProblemSerializer(Shape):
    """One wrong field."""

    field = serializers.CharField(
        help_text="Dotted path into the body, or the name of a parameter or header. Of a file of entries a "
        "column's header, empty for the whole file."
    )
    line = serializers.IntegerField(required=False, help_text="Of a file of entries: the line, from 1.")
    code = serializers.CharField()
    detail = serializers.CharField(help_text="A sentence in the language asked for with `Accept-Language`.")


class ProblemSerializer(Shape):
    """RFC 9457. Further members depend on `code`, see the programmers' guide."""

    type = serializers.CharField(help_text="`urn:tendone:problem:` and the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable; what a program looks at.")
    detail = serializers.CharField(help_text="A sentence in the language asked for with `Accept-Language`.")
    request_id = serializers.CharField(
        required=False, help_text="Also the header `X-Request-ID`; an operator finds the request by it."
    )
    problems = FieldProblemSerializer(many=True, required=False)
    problems_left_out = serializers.IntegerField(
        required=False, help_text="How many more there are than the twenty in `problems`."
    )
    current_version = serializers.IntegerField(required=False, allow_null=True)


def describes(
    operation_id: str,
    tag: str,
    responses: Mapping[Any, Any],
    summary: str,
    *,
    body: SerializerClass | None = None,
    request: Any = None,
    query: SerializerClass | None = None,
    problems: Iterable[int] = (),
    headers: Iterable[OpenApiParameter] = (),
    writes: bool = False,
    once: bool = False,
    etag: bool = False,
    in_pages: bool = False,
) -> Decorator:
    """Describe an action of an endpoint, and hand it what was sent.

    The fields of the `body`, checked, are its arguments; `request` describes a body that it reads itself.
    `query` is also what the endpoint checks the address's parameters against. An action that returns nothing
    is answered with the row as it is then, by the endpoint's `current`.

    With `once` an `Idempotency-Key` is taken and honoured here. An action that hands it on to its fact names
    it among its `headers`.

    Every action can be answered with 401, 403, 404, 406, 422 (for an unknown parameter), 500 and 503. An
    `Idempotency-Key` adds 409, `writes` adds 411, and each header that is taken adds 400. A body adds 400,
    413 and 415. `problems` are further statuses. With `etag` the answer has that header. An action that only
    reads then takes `If-None-Match`, and can be answered with 304.
    """
    request = request or body
    sent, answered = list(headers), [REQUEST_ID, CHALLENGE, RETRY_AFTER]
    if any(isinstance(status, tuple) for status in responses):
        answered.append(FILE_NAME)
    if once:
        sent.append(IDEMPOTENCY_KEY)
        answered.append(IDEMPOTENCY_REPLAYED)
    refused = _problems({*problems}, sent, writes=writes, takes_body=bool(request))
    described: dict[Any, Any] = {**responses}
    if etag:
        answered.append(ETAG)
    if etag and not writes:
        sent.append(IF_NONE_MATCH)
        described[(304,)] = OpenApiResponse(description=UNCHANGED)

    def mark(method: Callable[..., Any]) -> Any:
        handle = extend_schema(
            operation_id=operation_id,
            tags=[tag],
            request=request,
            responses={**described, **refused},
            parameters=[*([query] if query else []), *sent, *answered],
            summary=summary,
        )(_handler(method, body, once))
        handle.query, handle.in_pages = query, in_pages
        return handle

    return mark


def _problems(
    further: set[int], sent: list[OpenApiParameter], *, writes: bool, takes_body: bool
) -> dict[Any, OpenApiResponse]:
    """The answers of an action that are problems, by status."""
    statuses = (
        {401, 403, 404, 406, 422, 500, 503, *further}
        | ({409} if IDEMPOTENCY_KEY in sent else set())
        | ({411} if writes else set())
        | ({400, 413, 415} if takes_body else set())
        | ({400} if sent else set())
    )
    return {
        (status, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, REASONS[status])
        for status in sorted(statuses)
    }


def _handler(method: Callable[..., Any], body: SerializerClass | None, once: bool) -> Any:
    """An action as the framework calls it."""

    @wraps(method)
    def handle(endpoint: Any, _request: Request, **_kwargs: Any) -> Any:
        def call() -> Any:
            made = method(endpoint, **endpoint.body(body)) if body else method(endpoint)
            return endpoint.current() if made is None else made

        return endpoint.once(call) if once else call()

    return handle


def reads(
    operation_id: str, tag: str, shape: Any, summary: str, *, etag: bool = True, **more: Any
) -> Decorator:
    """Describe an action that answers with what is there; `more` as `describes` takes it."""
    return describes(operation_id, tag, {200: shape}, summary, etag=etag, **more)


def lists(
    operation_id: str, tag: str, shape: SerializerClass, summary: str, *, in_pages: bool = True, **more: Any
) -> Decorator:
    """Describe an action that answers with rows, in pages or all of them; `more` as `describes` takes it."""
    return describes(operation_id, tag, {200: shape(many=True)}, summary, in_pages=in_pages, **more)


def changes(
    operation_id: str,
    tag: str,
    shape: Any,
    summary: str,
    body: SerializerClass = NothingBody,
    *,
    status: int = 200,
    once: bool = True,
    etag: bool = True,
    **more: Any,
) -> Decorator:
    """Describe an action that changes something, once for each `Idempotency-Key`; `more` as `describes` takes
    it.
    """
    return describes(
        operation_id, tag, {status: shape}, summary, body=body, writes=True, once=once, etag=etag, **more
    )


def edits(
    operation_id: str,
    tag: str,
    shape: SerializerClass,
    summary: str,
    body: SerializerClass,
    problems: Iterable[int] = (),
) -> Decorator:
    """Describe an action that changes a row which the caller can name by its `ETag`."""
    further = [412, *problems]
    return changes(operation_id, tag, shape, summary, body, once=False, problems=further, headers=[IF_MATCH])


def decides(
    operation_id: str,
    tag: str,
    shape: SerializerClass,
    body: SerializerClass,
    summary: str,
    *,
    status: int = 200,
    etag: bool = True,
) -> Decorator:
    """Describe an action that decides something.

    It gets a `Caller` and the other fields of the body. The caller is who asks, with the expected version and
    the id of the call, which go on to its fact.
    """

    def mark(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def decide(endpoint: Any, expected_version: int | None = None, **said: Any) -> Any:
            return method(endpoint, Caller(endpoint.actor, expected_version, endpoint.client_id()), **said)

        described = changes(
            operation_id,
            tag,
            shape,
            summary,
            body,
            status=status,
            once=False,
            etag=etag,
            headers=[IDEMPOTENCY_KEY],
        )
        return described(decide)

    return mark
