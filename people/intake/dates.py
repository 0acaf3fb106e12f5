"""Dates of birth as people write them."""

import re
from datetime import date

from people.input_problems import Code

# Spreadsheets add a midnight to dates.
_ISO = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T ]0?0:00(?::00(?:\.0+)?)?)?")
_DAY_FIRST = re.compile(r"([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4})(?: 0?0:00(?::00)?)?")
_SHORT_YEAR = re.compile(r"[0-9]{1,2}([/.-])[0-9]{1,2}\1'?[0-9]{2}")


class NotADateError(ValueError):
    """The text can't be taken for a date; `code` says why."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.code = code


def read_date(text: str) -> date:
    """The date in `2012-03-05`, `05/03/2012`, `5-3-2012` or `5.3.2012` (the day before the month).

    Raises `NotADateError`: a year of two digits is never guessed, and a day that doesn't exist isn't moved.
    """
    if found := _ISO.fullmatch(text):
        year, month, day = found.groups()
    elif found := _DAY_FIRST.fullmatch(text):
        day, _, month, year = found.groups()
    elif _SHORT_YEAR.fullmatch(text):
        raise NotADateError(Code.DATE_SHORT_YEAR)
    else:
        raise NotADateError(Code.DATE_UNREADABLE)
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        raise NotADateError(Code.DATE_IMPOSSIBLE) from None
