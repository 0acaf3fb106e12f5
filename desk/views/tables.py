"""The tables with the cards that lie on them: number, code, QR."""

from dataclasses import dataclass

import segno
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpResponseBase
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy, ngettext, override

from desk.forms.fields import Whole
from desk.page import done, organizer, page
from people import audit
from people.access import EventRequest
from people.entries import lock_event
from people.models import Event
from tournaments.models import Table
from tournaments.settings import MAX_TABLES


class TablesForm(forms.Form):
    """How many tables there are."""

    count = Whole(
        1,
        MAX_TABLES,
        label=gettext_lazy("How many tables are there?"),
        help_text=gettext_lazy("Tables that are there already keep their codes."),
    )


@dataclass(frozen=True, slots=True)
class Card:
    """What lies on a table: its address as text and as a QR code in SVG."""

    table: Table
    address: str
    code: SafeString

    @property
    def before_code(self) -> str:
        """The address up to the code: a line may break here, and nowhere within the code."""
        return self.address.removesuffix(f"{self.table.code}/")


@organizer
def tables(request: EventRequest, event_slug: str) -> HttpResponseBase:
    """All cards, ready to be printed, and a form to put up tables before a draw does."""
    event = request.event
    form = TablesForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        added = _put_up(request, form.cleaned_data["count"])
        told = ngettext("%(count)d table put up.", "%(count)d tables put up.", added) % {"count": added}
        return done(request, told, "tables")
    cards = [_card(request, event, table) for table in event.tables.order_by("number")]
    context = {"cards": cards, "form": form, "here": "tables"}
    return page(request, "desk/tables.html", context, 422 if form.errors else 200)


@transaction.atomic
def _put_up(request: EventRequest, count: int) -> int:
    """Add the tables up to a number that aren't there yet; how many those were."""
    event = request.event
    lock_event(event)
    there = set(event.tables.values_list("number", flat=True))
    new = [Table(event=event, number=number) for number in range(1, count + 1) if number not in there]
    Table.objects.bulk_create(new)
    audit.keep(audit.created(table, request.actor, event.pk) for table in new)
    return len(new)


def _card(request: EventRequest, event: Event, table: Table) -> Card:
    with override(event.language):
        path = reverse("referee:table", args=[table.code])
    address = settings.PUBLIC_ADDRESS + path if settings.PUBLIC_ADDRESS else request.build_absolute_uri(path)
    # Black on white by night, too: phones read nothing else for sure.
    code = segno.make(address, error="m", micro=False)
    drawn = code.svg_inline(border=2, light="#fff", omitsize=True, svgclass="qr", lineclass=None)
    return Card(table, address, SafeString(drawn))
