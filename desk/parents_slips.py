"""Slips as they are handed out: each child's own address as a QR code, on the page and on paper."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import segno
from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import override

from people.access import EventRequest
from people.check_in import Slip
from people.models import Entry, Event
from rendering.pdf.slips import PaperSlip, SlipWords, print_slips
from rendering.svg.banner import banner

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
    return [_shown(request, slip) for slip in slips]


def _shown(request: EventRequest, slip: Slip) -> ShownSlip:
    address = address_of(request, slip.code)
    # Black on white by night, too: phones read nothing else for sure.
    drawn = _qr(address).svg_inline(border=2, light="#fff", omitsize=True, svgclass="qr", lineclass=None)
    return ShownSlip(slip.entry, slip.code, address, SafeString(drawn))


def sealed(event: Event, slips: Iterable[Slip]) -> str:
    """The slips as they travel from the page to the paper: their codes are kept nowhere else."""
    codes = [[str(slip.entry.pk), slip.code] for slip in slips]
    return signing.dumps({"event": str(event.pk), "codes": codes}, salt=SALT, compress=True)


def opened(event: Event, text: str) -> list[Slip] | None:
    """What `sealed` made, without those whose code is another one by now or whose entry is gone; None if it
    is too old, was tampered with, or is another event's.
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
            door=_short(address_of(request, "")),
        )
        printed = [_printed(request, slip) for slip in slips]
    return print_slips(printed, words, event.language, sheet)


def _printed(request: EventRequest, slip: Slip) -> PaperSlip:
    team = slip.entry.team
    drawn = banner((team.color_one, team.color_two), team.division, team.emblem, "shield", "")
    squares = tuple(
        tuple(bool(module) for module in row) for row in _qr(address_of(request, slip.code)).matrix
    )
    return PaperSlip(drawn, team.short_name, slip.entry.number, slip.code, squares)


def address_of(request: EventRequest, code: str) -> str:
    """Where a slip leads, in the event's language; without a code, where one is typed."""
    with override(request.event.language):
        path = reverse("slip:slip", args=[code]) if code else reverse("slip:door")
    return settings.PUBLIC_ADDRESS + path if settings.PUBLIC_ADDRESS else request.build_absolute_uri(path)


def _short(address: str) -> str:
    return address.partition("://")[2].rstrip("/")


def _qr(address: str) -> segno.QRCode:
    return segno.make_qr(address, error="m")
