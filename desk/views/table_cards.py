"""The tables with the cards that lie on them: number, code, QR; on paper, and anew."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django.views.decorators.http import require_safe

from desk.forms.events import TablesForm
from desk.page import done, organizer, organizer_post, page, private_pdf
from desk.qr_codes import full_address, qr_drawing, qr_squares, typed_address
from people.access import EventRequest
from people.number_parsing import whole_number
from rendering.pdf.table_cards import PER_SHEET, TableCard, TableCardWords, print_cards
from tournaments.commands.table_cards import grouped, put_up_tables, renew_code
from tournaments.models import Table


@dataclass(frozen=True, slots=True)
class PrintedTableCard:
    """What lies on a table: its address as text and as a QR code in SVG."""

    table: Table
    address: str
    code: SafeString

    @property
    def grouped(self) -> str:
        """The code as it is read out and typed off."""
        return grouped(self.table.code)

    @property
    def before_code(self) -> str:
        """The address up to the code: a line may break here, and nowhere within the code."""
        return self.address.removesuffix(f"{self.table.code}/")


@organizer
def tables(request: EventRequest) -> HttpResponseBase:
    """All cards, ready to be printed, and a form to put up tables before a draw does."""
    event = request.event
    form = TablesForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        wanted = range(1, form.cleaned_data["count"] + 1)
        added = len(put_up_tables(event, request.actor, wanted))
        told = ngettext("%(count)d table put up.", "%(count)d tables put up.", added) % {"count": added}
        return done(request, told, "tables")
    addresses = [
        (table, full_address(request, "referee:table", table.code))
        for table in event.tables.order_by("number")
    ]
    context = {
        "cards": [PrintedTableCard(table, address, qr_drawing(address)) for table, address in addresses],
        "form": form,
        "is_local": _is_local(request),
        "per_sheet": PER_SHEET,
        "here": "tables",
    }
    return page(request, "desk/tables.html", context, 422 if form.errors else 200)


@organizer
@require_safe
def cards(request: EventRequest) -> HttpResponseBase:
    """The cards of all tables as a PDF to be cut apart, `?per_sheet=` 2 or 4; `?table=` for one."""
    event = request.event
    per_sheet = request.GET.get("per_sheet", "4")
    if per_sheet not in map(str, PER_SHEET):
        raise Http404
    rows = event.tables.order_by("number")
    if "table" in request.GET:
        number = whole_number(request.GET["table"])
        rows = rows.none() if number is None else rows.filter(number=number)
    printed = [_printed(request, table) for table in rows]
    if not printed:
        raise Http404
    with override(event.language):
        words = TableCardWords(
            table=_("Table"),
            event=event.name,
            referees=_("For referees: point the phone’s camera here, or open the address and type the code."),
            others=_("Everybody else sees how the game stands, and can change nothing."),
        )
    # The codes of today: a copy that a browser kept could be printed after a code was renewed.
    made = print_cards(printed, words, event.language, int(per_sheet))
    return private_pdf(made, f"{event.slug}-{per_sheet}")


@organizer_post
def renew(request: EventRequest, number: int) -> HttpResponse:
    """A new code for the table of this number, since its card was misused or is lost."""
    table = get_object_or_404(request.event.tables, number=number)
    renew_code(table, request.actor)
    told = _("Table %(number)d has a new code. Print its card and swap it for the one on the table.")
    return done(request, told % {"number": number}, "tables")


def _is_local(request: EventRequest) -> bool:
    """Whether the cards would lead to this very machine, where no phone gets to."""
    host = urlsplit(settings.PUBLIC_ADDRESS or request.build_absolute_uri()).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def _printed(request: EventRequest, table: Table) -> TableCard:
    squares = qr_squares(full_address(request, "referee:table", table.code))
    door = typed_address(full_address(request, "referee:door"))
    return TableCard(table.number, grouped(table.code), door, squares)
