"""The network that a request comes from, for rate limits. It is stored as a keyed hash alone."""

from ipaddress import IPv6Address, ip_address

from django.http import HttpRequest
from django.utils.crypto import salted_hmac


def place_of(request: HttpRequest) -> str:
    """The client's network address; of IPv6 the part that a household or a tent has.

    Behind proxies it is the one that the outermost proxy saw, see `config.middleware`.
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
    """A keyed hash of a network, by which requests from it are counted."""
    return salted_hmac("people.client_network", place, algorithm="sha256").hexdigest()
