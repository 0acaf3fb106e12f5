"""Addresses on the desk's papers: in the event's language, in full or to be typed, and as QR codes."""

import segno
from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import override

from people.access import EventRequest


def full_address(request: EventRequest, name: str, *args: str) -> str:
    """The address of this name as others open it, in the event's language."""
    with override(request.event.language):
        path = reverse(name, args=args)
    return settings.PUBLIC_ADDRESS + path if settings.PUBLIC_ADDRESS else request.build_absolute_uri(path)


def typed_address(address: str) -> str:
    """An address as short as it can be typed."""
    return address.partition("://")[2].rstrip("/")


def qr_drawing(address: str) -> SafeString:
    """An address as a QR code in SVG; black on white in dark mode, too, since phones read that best."""
    code = segno.make_qr(address, error="m")
    return SafeString(code.svg_inline(border=2, light="#fff", omitsize=True, svgclass="qr", lineclass=None))


def qr_squares(address: str) -> tuple[tuple[bool, ...], ...]:
    """An address as the rows of a QR code, for paper."""
    return tuple(tuple(map(bool, row)) for row in segno.make_qr(address, error="m").matrix)
