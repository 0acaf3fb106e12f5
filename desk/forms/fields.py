"""Fields that the desk's forms share; doing what a form asks for, and showing refusals at its fields."""

import hashlib
from collections.abc import Callable
from typing import Any, Self, TypeVar

from django import forms
from django.db.models import Model
from django.utils.translation import gettext as _

from people.access import EventRequest
from people.input_problems import BadInputError
from people.input_sentences import sentence
from people.moment_parsing import has_year, year_refused
from people.refusals import Refused

Made = TypeVar("Made")


class CompletedForm(forms.Form):
    """A form that completes its fields when it is made; they are of any type, for the type checker."""

    fields: dict[str, Any]


class RowForm(forms.Form):
    """A form with a field for each of some values of a row."""

    @classmethod
    def of(cls, row: object, data: Any = None) -> Self:
        """The form with what a row has now."""
        return cls(data, initial={name: getattr(row, name) for name in cls.base_fields})


class DayField(forms.DateField):
    """A day, by the browser's own calendar."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
        super().__init__(widget=widget, input_formats=["%Y-%m-%d"], **options)

    def clean(self, value: Any) -> Any:
        """Refuse a year that isn't taken."""
        return expect_year(super().clean(value))


class LocalMoment(forms.DateTimeField):
    """A day and time where the event is."""

    def clean(self, value: Any) -> Any:
        """Refuse a year that isn't taken."""
        try:
            return expect_year(super().clean(value))
        except OverflowError as error:
            raise forms.ValidationError(year_refused()) from error


def expect_year(day: Any) -> Any:
    """The date, or the date and time, if one is given; refused where its year isn't taken."""
    if day is not None and not has_year(day):
        raise forms.ValidationError(year_refused())
    return day


class WholeNumberField(forms.IntegerField):
    """A whole number between two others; phones show their keys for digits."""

    def __init__(self, low: int, high: int, **options: Any) -> None:
        super().__init__(min_value=low, max_value=high, **options)
        self.widget.attrs |= {"inputmode": "numeric"}


def attempt(form: forms.Form, act: Callable[[], Made]) -> Made | None:
    """Do what a valid form asks for, and return what comes of it.

    None if the form isn't filled in, or is refused; then each problem stands at its field.
    """
    if not form.is_valid():
        return None
    try:
        return act()
    except BadInputError as refused:
        for problem in refused.problems:
            name = problem.column if problem.column in form.fields else None
            form.add_error(name, sentence(problem))
    except Refused as refused:
        _show(form, refused)
    return None


def succeeds(form: forms.Form, act: Callable[[], object]) -> bool:
    """As `attempt`, for what returns nothing: whether it was done."""
    return attempt(form, lambda: (act(),)) is not None


def _show(form: forms.Form, refused: Refused) -> None:
    problems = refused.params.get("problems")
    if not problems:
        form.add_error(None, str(refused))
        return
    for problem in problems:
        # A field of the rule set has a field of its own.
        name = f"rule_{problem['rule']}" if "rule" in problem else problem["field"]
        name = getattr(form, "shown_at", {}).get(name, name)
        told = problem["expected"]
        if not told.endswith("."):
            told = _("Expected: %(expected)s.") % {"expected": told}
        form.add_error(name if name in form.fields else None, told)


def stamp(row: Model) -> str:
    """A short text that changes with every value of a row; a form carries it along."""
    values = [str(field.value_from_object(row)) for field in row._meta.concrete_fields]
    return hashlib.sha256("\n".join(values).encode()).hexdigest()[:20]


def unchanged(request: EventRequest, row: Model, form: forms.Form) -> bool:
    """Whether a valid form's row is as it was when that was made; if not, the form says what is there now."""
    if not form.is_valid():
        return False
    if request.POST.get("stamp") == stamp(row):
        return True
    form.add_error(
        None,
        _(
            "Somebody has changed this since you opened the page; nothing of yours was stored. Where it "
            "differs from yours it now says: %(now)s. Store again if yours is right."
        )
        % {"now": _differences(form)},
    )
    return False


def _differences(form: forms.Form) -> str:
    told = [
        f"{form[name].label}: {form.get_initial_for_field(form.fields[name], name)}"
        for name in form.changed_data
    ]
    return "; ".join(told) or _("nothing")
