"""Slips as they are handed out: each child's own address as a QR code, on the page and on paper."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.core import signing
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import override

from desk.qr_codes import full_address, qr_drawing, qr_squares, typed_address
from people.access import EventRequest
from people.check_in import Slip
from people.models import Entry, Event
from rendering.pdf.slips import PaperSlip, SlipWords, print_slips
from rendering.svg.team_banner import banner

SALT = "desk.result_sheets"
GOOD_FOR_SECONDS = 60 * 60


@dataclass(frozen=True, slots=True)
class ShownSlip:
    """A slip on a page: whose, the code, where it leads, and that as a QR code in SVG."""

    entry: Entry
    code: str = field(repr=False)
    address: str = field(repr=False)
    qr: SafeString = field(repr=False)


def shown_slips(request: EventRequest, slips: Iterable[Slip]) -> list[ShownSlip]:
    """The slips for a page that a browser prints."""
    addressed = [(slip, full_address(request, "slip:slip", slip.code)) for slip in slips]
    return [ShownSlip(slip.entry, slip.code, address, qr_drawing(address)) for slip, address in addressed]


def sealed(event: Event, slips: Iterable[Slip]) -> str:
    """The slips as they travel from the page to the paper: their codes are kept nowhere else."""
    codes = [[str(slip.entry.pk), slip.code] for slip in slips]
    return signing.dumps({"event": str(event.pk), "codes": codes}, salt=SALT, compress=True)


def opened(event: Event, text: str) -> list[Slip] | None:
    """What `sealed` made, without those whose code is another one by now or whose entry is gone.

    None if it is too old, was tampered with, or is another event's.
    """
    try:
        parts = signing.loads(text, salt=SALT, max_age=GOOD_FOR_SECONDS)
    except signing.BadSignature:
        return None
    if parts["event"] != str(event.pk):
        return None
    entries = Entry.objects.filter(team__event=event).select_related("team").in_bulk(
        [entry for entry, _code in parts["codes"]]
    )  # fmt: skip
    by_text = {str(pk): entry for pk, entry in entries.items()}
    return [Slip(by_text[entry], code) for entry, code in parts["codes"] if entry in by_text]


def on_paper(request: EventRequest, slips: Iterable[Slip], sheet: str) -> bytes:
    """A PDF of the slips, in the event's language."""
    event = request.event
    with override(event.language):
        words = SlipWords(
            event=event.name,
            what=_("For the parents: where and when your child plays next. Keep the code to yourselves."),
            door=typed_address(full_address(request, "slip:door")),
        )
        printed = [_printed(request, slip) for slip in slips]
    return print_slips(printed, words, event.language, sheet)


def _printed(request: EventRequest, slip: Slip) -> PaperSlip:
    team = slip.entry.team
    drawn = banner((team.color_one, team.color_two), team.division, team.emblem, "shield", "")
    squares = qr_squares(full_address(request, "slip:slip", slip.code))
    return PaperSlip(drawn, team.short_name, slip.entry.number, slip.code, squares)
