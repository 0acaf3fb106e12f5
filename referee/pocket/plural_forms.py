"""Plural forms of a text, as data for what runs on a phone."""

from collections.abc import Callable
from typing import Any, Final

NUMBERS: Final = 200
"""Languages choose a form by a small number itself, and by the last two digits of a great one."""


def plural_forms(text: Callable[[int], str]) -> dict[str, Any]:
    """The forms of a text that is made for a number, in the reader's language.

    `forms`: each form once. `by_number`: a digit for each number below `NUMBERS`, the place of its form. A
    greater number has the form of its last two digits with 100 added.
    """
    told = [text(number) for number in range(NUMBERS)]
    forms = list(dict.fromkeys(told))
    return {"forms": forms, "by_number": "".join(str(forms.index(each)) for each in told)}
