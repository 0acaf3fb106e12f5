"""Fields that take what their JSON type says and nothing that looks like it ("5" is not 5, 1 is not true)."""

import re
import uuid
from datetime import date
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from people.moment_parsing import has_year, year_refused
from people.number_parsing import whole_number

UUID_FORM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
LOCAL_FORM = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?", re.ASCII)
MOMENT_FORM = re.compile(LOCAL_FORM.pattern + r"([Zz]|[+-]\d{2}:\d{2})\Z", re.ASCII)
DATE_FORM = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)


class Text(serializers.CharField):
    """A string."""

    default_error_messages = {"not-a-text": _("This has to be a text.")}

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Refuse numbers, which the framework would turn into texts, before blank is looked for."""
        if data is not serializers.empty and data is not None and not isinstance(data, str):
            self.fail("not-a-text")
        return super().run_validation(data)


class Whole(serializers.IntegerField):
    """A whole number; the bounds have to be given, since a column has bounds."""

    default_error_messages = {"not-a-number": _("This has to be a whole number.")}

    def to_internal_value(self, data: Any) -> int:
        """Refuse texts, truth values and fractions."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("not-a-number")
        return data


class WholeInQuery(serializers.IntegerField):
    """A whole number in the query of an address: its digits alone, as in the number of a page."""

    def __init__(self, low: int, high: int, **options: Any) -> None:
        super().__init__(min_value=low, max_value=high, **options)

    def to_internal_value(self, data: Any) -> int:
        """Refuse signs, fractions and digits of other scripts, which the framework reads."""
        number = whole_number(str(data))
        if number is None:
            expected = gettext("A whole number from %(low)d to %(high)d is expected.")
            bounds = {"low": self.min_value, "high": self.max_value}
            raise serializers.ValidationError(expected % bounds, "invalid")
        return number


class Truth(serializers.BooleanField):
    """true or false."""

    default_error_messages = {"not-a-truth-value": _("This has to be true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        """Refuse "yes", 1 and their like."""
        if not isinstance(data, bool):
            self.fail("not-a-truth-value")
        return data


class Id(serializers.UUIDField):
    """A UUID in its usual form with dashes."""

    def to_internal_value(self, data: Any) -> uuid.UUID:
        """Refuse numbers and other forms."""
        if not isinstance(data, str) or not UUID_FORM.match(data):
            self.fail("invalid", value=str(data)[:60])
        return uuid.UUID(data)


class Day(serializers.DateField):
    """A date as YYYY-MM-DD."""

    def to_internal_value(self, value: Any) -> Any:
        """Refuse the other forms of ISO 8601."""
        if not isinstance(value, str) or not DATE_FORM.match(value):
            self.fail("invalid", format="YYYY-MM-DD")
        day = super().to_internal_value(value)
        _expect_year(day)
        return day


class Moment(serializers.DateTimeField):
    """A moment as RFC 3339 writes it, with its offset: a local time alone would be somebody else's."""

    default_error_messages = {
        "no-offset": _("A time needs its offset, for example 2026-09-05T15:40:00+02:00.")
    }

    def to_internal_value(self, value: Any) -> Any:
        """Refuse numbers, dates and times without offset."""
        if not isinstance(value, str):
            self.fail("invalid", format="YYYY-MM-DDThh:mm:ss+hh:mm")
        if not MOMENT_FORM.match(value):
            self.fail(
                "no-offset" if LOCAL_FORM.match(value) else "invalid", format="YYYY-MM-DDThh:mm:ss+hh:mm"
            )
        try:
            moment = super().to_internal_value(value)
        except OverflowError:
            raise serializers.ValidationError(year_refused(), "wrong-year") from None
        _expect_year(moment)
        return moment


def _expect_year(day: date) -> None:
    """Refuse a date, or a date and time, of a year that isn't taken."""
    if not has_year(day):
        raise serializers.ValidationError(year_refused(), "wrong-year")


class Choice(serializers.ChoiceField):
    """One of some words; whatever else is sent is refused with these words."""

    default_error_messages = {"invalid_choice": _("“{input}” isn’t one of the choices: {choices}.")}

    def to_internal_value(self, data: Any) -> Any:
        """Refuse what isn't a text."""
        if not isinstance(data, str) or data not in self.choice_strings_to_values:
            known = ", ".join(self.choice_strings_to_values)
            self.fail("invalid_choice", input=str(data)[:60], choices=known)
        return self.choice_strings_to_values[data]


class Body(serializers.Serializer[Any]):
    """What a call sends: an object with these fields and no others."""

    default_error_messages = {"unknown-field": _("There is no such field here.")}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Refuse fields that aren't known, together with all else that is wrong."""
        unknown: dict[str, Any] = {}
        if isinstance(data, dict):
            message = self.error_messages["unknown-field"]
            unknown = {
                name: [serializers.ErrorDetail(str(message), "unknown-field")]
                for name in data
                if name not in self.fields
            }
        try:
            value: dict[str, Any] = super().to_internal_value(data)
        except serializers.ValidationError as error:
            detail = error.detail
            raise serializers.ValidationError(
                {**detail, **unknown} if isinstance(detail, dict) else detail
            ) from error
        if unknown:
            raise serializers.ValidationError(unknown)
        return value


class Shape(serializers.Serializer[Any]):
    """What an answer holds; only ever written, never read."""


class SecretShape(Shape):
    """An answer with a `secret`, which the service itself keeps hashed or encrypted: it is told once."""

    def get_secret(self, _row: Any) -> str:
        """As the view hands it over."""
        secret: str = self.context["secret"]
        return secret
