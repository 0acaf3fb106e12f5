"""Days as people read them."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import pgettext


def day(moment: date, form: str = "j F Y") -> str:
    """A date (and a time, if the form asks for it) in words.

    A language whose days and months begin small says so in the catalogue, by the word `small`.
    """
    words = date_format(moment, form)
    return words.lower() if pgettext("how days and months begin", "capital") == "small" else words
