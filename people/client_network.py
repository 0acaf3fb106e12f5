"""From where somebody asks, as far as rate limits need to know it. It is kept nowhere but as a keyed hash."""

from ipaddress import IPv6Address, ip_address

from django.http import HttpRequest
from django.utils.crypto import salted_hmac


def place_of(request: HttpRequest) -> str:
    """The network address; of IPv6 the part that a household or a tent has.

    Behind proxies that of whom the outermost has before it, see `config.middleware`.
    """
    try:
        address = ip_address(str(request.META.get("REMOTE_ADDR", "")))
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else ":".join(address.exploded.split(":")[:4])
    return str(address)


def place_hash(place: str) -> str:
    """A keyed hash of a place, by which requests from one place are counted."""
    return salted_hmac("people.client_network", place, algorithm="sha256").hexdigest()
