"""One text for one value: the canonical JSON that facts are stored and hashed as.

Keys sorted by code point, no blanks, UTF-8 as it is (only what JSON must escape is escaped). Numbers are
whole and within ±(2^53 - 1), so every reader in every language gets the same number back; a fraction has more
than one spelling, so there are none: write tenths as a whole number, or the fraction as a string.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

JSON: TypeAlias = "bool | int | str | Sequence[JSON] | Mapping[str, JSON] | None"
"""Values that may have a canonical text; of sequences and mappings only lists, tuples and dicts."""

MAX_DEPTH = 64
MAX_INT = 2**53 - 1

_encode = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode


class NotCanonicalError(ValueError):
    """A value that has no canonical text; the message says where in the value and why."""


def canonical(value: JSON) -> str:
    """Return the canonical text of `value`; lists and tuples both become arrays.

    Raises NotCanonicalError for fractions, NaN, whole numbers beyond ±(2^53 - 1), keys that are no strings,
    text that UTF-8 can't hold, nesting deeper than 64 and any other type.
    """
    _check(value, "$", MAX_DEPTH)
    return _encode(value)


def parse(text: str) -> JSON:
    """Return the value of a canonical text; raises NotCanonicalError if `text` isn't exactly the canonical
    one.
    """
    try:
        value: JSON = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotCanonicalError(f"The text is no JSON: {error}.") from error
    # Repeated keys, blanks, other orders and other spellings all come out different.
    if canonical(value) != text:
        raise NotCanonicalError("The text is JSON, but not in its canonical form.")
    return value


def _check(value: Any, where: str, depth: int) -> None:
    """Refuse what has no canonical text. `where` is the path so far, `depth` the levels that are left."""
    if value is None or value is True or value is False:
        return
    if isinstance(value, str):
        _check_text(value, where)
    elif isinstance(value, int):
        if not -MAX_INT <= value <= MAX_INT:
            raise NotCanonicalError(f"{where}: whole numbers go from -(2^53 - 1) to 2^53 - 1.")
    elif depth == 0:
        raise NotCanonicalError(f"{where}: nested deeper than {MAX_DEPTH}.")
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise NotCanonicalError(f"{where}: keys are strings, not {type(key).__name__}.")
            _check_text(key, where)
            _check(item, f"{where}.{key}", depth - 1)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            _check(item, f"{where}[{index}]", depth - 1)
    elif isinstance(value, float):
        raise NotCanonicalError(
            f"{where}: numbers are whole; write a fraction as a string or in smaller units."
        )
    else:
        raise NotCanonicalError(f"{where}: {type(value).__name__} is no JSON.")


def _check_text(text: str, where: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotCanonicalError(f"{where}: half of a surrogate pair can't be written in UTF-8.") from error
