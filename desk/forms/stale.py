"""A form that was open while somebody else changed the row: it is told, and stores nothing."""

import hashlib

from django import forms
from django.db.models import Model
from django.utils.translation import gettext as _

from people.access import EventRequest


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
