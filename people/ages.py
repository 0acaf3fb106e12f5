"""Ages on a day."""

from datetime import date


def age_on(birth_date: date, day: date) -> int:
    """Whole years on that day, negative before birth.

    Who is born on 29 February has the birthday on 1 March of other years.
    """
    had_birthday = (day.month, day.day) >= (birth_date.month, birth_date.day)
    return day.year - birth_date.year - (0 if had_birthday else 1)
