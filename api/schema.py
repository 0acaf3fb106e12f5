"""Self-description of a method: what the OpenAPI document says and the endpoint accepts."""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, TypeVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from api.fields import Shape
from api.problems import CONTENT_TYPE
from api.retries import REPLAYED
from people.request_ids import HEADER

F = TypeVar("F", bound=Callable[..., Any])

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    # Not a format: generated clients would hand a UUID object to libraries whose headers have to be texts.
    {
        "type": "string",
        "pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
        "examples": ["0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11"],
    },
    OpenApiParameter.HEADER,
    description="An id of your own for this call, a UUID. Sent again with the same body it is done once: a "
    "fact for ever, anything else for a day, in which it is answered alike. With another body it is a 409.",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The `ETag` of the row as you know it: if it was changed since, nothing is done (412).",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The `ETag` of the answer that you have: while it would be the same, the answer is a 304.",
)
SUCCESSES = [200, 201, 202]
ETAG = OpenApiParameter(
    "ETag",
    {"type": "string", "pattern": '^"[0-9a-f]{32}"$'},
    OpenApiParameter.HEADER,
    required=True,
    description="A strong tag of what the answer says to this caller in this language.",
    response=[*SUCCESSES, 304],
)
IDEMPOTENCY_REPLAYED = OpenApiParameter(
    REPLAYED,
    {"type": "string", "const": "true"},
    OpenApiParameter.HEADER,
    description="Only there where the call was done before with this `Idempotency-Key`: the answer is the "
    "one of then.",
    response=[*SUCCESSES, 204],
)
RETRY_AFTER = OpenApiParameter(
    "Retry-After",
    {"type": "integer", "minimum": 1},
    OpenApiParameter.HEADER,
    required=True,
    description="After how many seconds it makes sense to call again.",
    response=[429, 503],
)
CHALLENGE = OpenApiParameter(
    "WWW-Authenticate",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="How a caller can be known.",
    response=[401],
)
FILE_NAME = OpenApiParameter(
    "Content-Disposition",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="`attachment`, with the file's name.",
    response=[200],
)
REQUEST_ID = OpenApiParameter(
    HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="The request's id, by which an operator finds it in the log.",
    response=True,
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
        help_text="Dotted path into the body, or the name of a parameter or header."
    )
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
    *,
    request: Any = None,
    query: type[serializers.Serializer[Any]] | None = None,
    problems: Iterable[int] = (),
    headers: Iterable[OpenApiParameter] = (),
    summary: str = "",
    has_key: bool = True,
    etag: bool = False,
) -> Callable[[F], F]:
    """Describe a method. `query` is also what the endpoint checks the address's parameters against.

    Every POST takes an `Idempotency-Key`. One that hands it on to its fact names it among its `headers`;
    for all others it is honoured here, but where the method says that it has none (`has_key`).

    401, 403, 404, 406, 422 (a parameter that there isn't), 500 and 503 are possible everywhere, and 409 with
    an `Idempotency-Key`. 411 is with every method but GET; 400, 413 and 415 are wherever a body is read.
    `problems` are further statuses. With `etag` the answer has that header, and a GET takes `If-None-Match`
    and can be answered with 304.
    """

    def mark(method: F) -> F:
        sent, takes_key = list(headers), method.__name__ == "post" and has_key
        answered = [REQUEST_ID, CHALLENGE, RETRY_AFTER]
        if any(isinstance(status, tuple) for status in responses):
            answered.append(FILE_NAME)
        if takes_key and IDEMPOTENCY_KEY not in sent:
            method = done_once(method)
            sent.append(IDEMPOTENCY_KEY)
            answered.append(IDEMPOTENCY_REPLAYED)
        method.query = query  # type: ignore[attr-defined]  # a function takes attributes
        statuses = (
            {401, 403, 404, 406, 422, 500, 503, *problems}
            | ({409} if takes_key else set())
            | ({411} if method.__name__ != "get" else set())
            | ({400, 413, 415} if request else set())
            | ({400} if sent else set())
        )
        described: dict[Any, Any] = dict(responses)
        if etag:
            answered.append(ETAG)
            if method.__name__ == "get":
                sent.append(IF_NONE_MATCH)
                described[(304,)] = OpenApiResponse(description=UNCHANGED)
        for status in sorted(statuses):
            described[(status, CONTENT_TYPE)] = OpenApiResponse(ProblemSerializer, REASONS[status])
        decorated: F = extend_schema(
            operation_id=operation_id,
            tags=[tag],
            request=request,
            responses=described,
            parameters=[*([query] if query else []), *sent, *answered],
            summary=summary or None,
        )(method)
        return decorated

    return mark


def decides(
    operation_id: str,
    tag: str,
    shape: type[serializers.Serializer[Any]],
    request: type[serializers.Serializer[Any]],
    *,
    summary: str,
    problems: Iterable[int] = (),
    etag: bool = True,
) -> Callable[[F], F]:
    """Describe a method that decides something: the id of the call goes on to its fact, the answer is the row
    as it is then.
    """
    return describes(
        operation_id,
        tag,
        {200: shape},
        request=request,
        problems=[409, *problems],
        headers=[IDEMPOTENCY_KEY],
        summary=summary,
        etag=etag,
    )


def done_once(method: F) -> F:
    """The method, done once for each `Idempotency-Key`."""

    @wraps(method)
    def once(endpoint: Any, *args: Any, **kwargs: Any) -> Any:
        return endpoint.once(lambda: method(endpoint, *args, **kwargs))

    return once  # type: ignore[return-value]  # it takes and answers what the method does
