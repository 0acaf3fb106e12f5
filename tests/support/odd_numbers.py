"""Numbers that programs send and nobody types: long, signed, behind zeros, in digits of other scripts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from django.http import QueryDict

from tests.support.run import long

TOO_LONG = "9" * 5000
"""`int` answers so many digits with a ValueError."""
ONE_BEHIND_ZEROS = "0" * 5000 + "1"
"""The only odd number that is one, and a small one."""
ODD_NUMBERS = {
    "too long for int": TOO_LONG,
    "too long for a database": "9" * 4000,
    "of 64 bits and more": "9" * 20,
    "of 32 bits and more": str(2**31),
    "large behind zeros": "0000000001" + TOO_LONG,
    "large at the end of zeros": "00000000019999999999999",
    "small at the end of zeros": ONE_BEHIND_ZEROS,
    "negative": "-1",
    "with a plus": "+1",
    "with an underscore": "1_0",
    "in full width": "２",
    "in Arabic": "١",
    "a power": "²",
    "with an exponent": "1e3",
    "in other spaces": "\N{NO-BREAK SPACE}1\n",
}


def odd_numbers(place: int) -> list[str]:
    """Those to try at the field of this place: one in turn and the one too long for `int`, or all with
    `--long`.
    """
    numbers = list(ODD_NUMBERS.values())
    return numbers if long.asked else [TOO_LONG, numbers[1 + place % (len(numbers) - 1)]]


@contextmanager
def names_asked() -> Iterator[set[str]]:
    """The names of all fields and parameters that are looked for meanwhile, whether they are there or not."""
    names: set[str] = set()

    def noting(look: Callable[..., Any]) -> Callable[..., Any]:
        def noted(query: QueryDict, name: Any, *rest: Any) -> Any:
            names.add(str(name))
            return look(query, name, *rest)

        return noted

    methods = ("__getitem__", "__contains__", "getlist")
    noted_methods: dict[str, Any] = {name: noting(getattr(QueryDict, name)) for name in methods}
    with mock.patch.multiple(QueryDict, create=True, **noted_methods):
        yield names
