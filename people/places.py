"""From where somebody asks, as far as brakes need to know it. It is kept nowhere but as a keyed hash."""

from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest


def place_of(request: HttpRequest) -> str:
    """The network address; of IPv6 the part that a household or a tent has.

    The header counts only where a proxy stands before the service: elsewhere anybody could write it. The
    proxy writes whom it has before it at the end.
    """
    written = str(request.META.get("REMOTE_ADDR", ""))
    if settings.BEHIND_PROXY:
        written = request.headers.get("X-Forwarded-For", written).rpartition(",")[2].strip()
    try:
        address = ip_address(written)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else ":".join(address.exploded.split(":")[:4])
    return str(address)
