"""JSON in, and nothing that JSON readers disagree about.

Refused with 400:

- What isn't UTF-8 JSON.
- A body that isn't an object.
- A key that stands twice in an object.
- NaN and infinities, and whole numbers that a double can't hold.
- The null character and lone surrogates: no database keeps them.
- Nesting, objects and numbers of values that nobody needs.

Refused with 413: a body above the service's limit.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import IO, Any, NoReturn

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser

from api.problems import Problem

MAX_DEPTH = 32
MAX_MEMBERS = 1_000
"""In one object."""
MAX_VALUES = 50_000
"""In the whole body; a batch of 500 log events has a tenth of it."""
MAX_INTEGER = 2**53 - 1

# A text, also one that never ends; a comma; a bracket that opens something, or nothing; one that closes.
# Possessive, so that nothing is kept or looked at twice, however the body is made.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[,\]}]|[\[{](?:[ \t\n\r]*+[\]}])?', re.DOTALL)


class StrictJSONParser(BaseParser):
    """Reads a JSON object."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The body as an object, or a problem."""
        body = read_body(stream)
        try:
            value = parse_json(body.decode())
        except UnicodeDecodeError as error:
            refuse("malformed-json", _("The body isn't UTF-8 (byte %(byte)d).") % {"byte": error.start})
        if not isinstance(value, dict):
            refuse("not-an-object", _("The body has to be a JSON object: { … }."))
        return value


def read_body(stream: IO[bytes]) -> bytes:
    """The whole body, unless it is larger than the service takes."""
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    body = stream.read(limit + 1)
    if len(body) > limit:
        raise too_large(limit)
    return body


def too_large(limit: int) -> Problem:
    """413 with what may be sent."""
    detail = _("The body is larger than %(limit)d bytes.") % {"limit": limit}
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", detail, limit=limit)


def parse_json(text: str) -> Any:
    """A JSON text as a value, strictly; raises a 400 problem."""
    check_size(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=without_duplicates,
            parse_constant=refuse_constant,
            parse_float=finite,
            parse_int=exact_integer,
        )
    except RecursionError:
        too_deep()
    except json.JSONDecodeError as error:
        refuse(
            "malformed-json",
            _("The body isn't JSON: line %(line)d, column %(column)d.")
            % {"line": error.lineno, "column": error.colno},
        )
    for text in texts(value):
        check_text(text)
    return value


def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different, and not too many."""
    if len(pairs) > MAX_MEMBERS:
        refuse("too-many-members", _("An object has more than %(limit)d members.") % {"limit": MAX_MEMBERS})
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            check_text(key)
            refuse("duplicate-key", _("The key “%(key)s” stands twice in one object.") % {"key": key[:40]})
        result[key] = value
    return result


def refuse_constant(name: str) -> NoReturn:
    """NaN, Infinity and -Infinity are no JSON, although Python reads them."""
    refuse("malformed-json", _("%(name)s isn't a JSON number.") % {"name": name})


def finite(text: str) -> float:
    """A number with a fraction or exponent, unless it overflows."""
    value = float(text)
    if not math.isfinite(value):
        refuse("number-too-large", _("The number %(number)s is too large.") % {"number": text[:40]})
    return value


def exact_integer(text: str) -> int:
    """A whole number that every JSON reader holds exactly."""
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        refuse("number-too-large", _("The number %(number)s is too large.") % {"number": text[:40]})
    return int(text)


def check_size(text: str) -> None:
    """Refuse too many values and levels before anything is made of the text: what three bytes say takes a
    hundred as a Python object.

    Counts brackets and commas outside of texts: no valid body is refused that has as many as are allowed.
    """
    values = depth = 1
    for token in _TOKEN.finditer(text):
        first = text[token.start()]
        if first == '"' or token.end() - token.start() > 1:
            continue
        if first in "[{":
            depth += 1
        elif first in "]}":
            depth -= 1
        if first not in "]}":
            values += 1
        if depth - 1 > MAX_DEPTH:
            too_deep()
        if values > MAX_VALUES:
            too_many_values()


def check_text(text: str) -> None:
    """Refuse a text that no database keeps, and no answer can quote."""
    if "\0" in text:
        refuse("null-character", _("A text holds the null character."))
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        refuse("malformed-json", _("A text holds half of a surrogate pair."))


def texts(value: Any) -> Iterator[str]:
    """All texts of a value, keys included; a problem for too many values or levels."""
    waiting = [(value, 1)]
    found = 0
    while waiting:
        item, depth = waiting.pop()
        found += 1
        if found > MAX_VALUES:
            too_many_values()
        if depth > MAX_DEPTH:
            too_deep()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            yield from item
            waiting += [(inner, depth + 1) for inner in item.values()]
        elif isinstance(item, list):
            waiting += [(inner, depth + 1) for inner in item]


def too_many_values() -> NoReturn:
    """Nothing of the API says so much at once."""
    refuse("too-many-values", _("The body has more than %(limit)d values.") % {"limit": MAX_VALUES})


def too_deep() -> NoReturn:
    """Nothing of the API is nested so deep."""
    refuse("too-deep", _("The body is nested deeper than %(depth)d levels.") % {"depth": MAX_DEPTH})


def refuse(code: str, detail: str) -> NoReturn:
    """400 with this code."""
    raise Problem(HTTPStatus.BAD_REQUEST, code, detail)
