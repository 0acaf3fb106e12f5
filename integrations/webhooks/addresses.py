"""Addresses that messages may go to; private networks are refused (SSRF).

An organizer writes the address, and the service stands in a network of its own. So an address could mean the
database, the metadata of a cloud, a router. What counts is the number to which a connection is opened, not
the name. A name is looked up anew at each try, and every number it stands for is judged. The connection goes
to the number that was judged: a second look-up could give another one.
"""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

LONGEST = 500
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\Z", re.ASCII)
_PATH = re.compile(r"[!-~]*\Z", re.ASCII)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# What is given to anybody on the internet in IPv6, and what in it and in IPv4 isn't reachable by everybody or
# leads on to other networks. From IANA's special-purpose address registries; the standard library's lists
# differ from one version to the next.
_UNICAST = ipaddress.IPv6Network("2000::/3")
_SPECIAL = [
    ipaddress.ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        # Protocol assignments (Teredo among them), documentation, 6to4.
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
]
# What a service on a laptop or in a closed network may be told to reach, where its operator says so.
# Addresses of the link alone aren't among them: a cloud's metadata have one.
_PRIVATE = [
    ipaddress.ip_network(network)
    for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "::1/128", "fc00::/7")
]
# Where clouds answer their own machines (metadata, keys) at addresses that look private or public: AWS and
# Google in IPv6, Azure. Their others are of the link, or special.
_CLOUDS = [ipaddress.ip_network(network) for network in ("fd00:ec2::/32", "fd20:ce::/32", "168.63.129.16/32")]


class AddressError(ValueError):
    """An address that nothing is sent to; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Target:
    """An address taken apart."""

    is_secure: bool
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        """What the header `Host` says."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_secure else 80) else f"{host}:{self.port}"


def parse(url: str, *, to_private: bool) -> Target:
    """An address taken apart, or AddressError: `malformed`; `not-https` (only `to_private` addresses may do
    without); `private-address` for a number that may not be reached.
    """
    if len(url) > LONGEST or not _PATH.match(url):
        raise AddressError("malformed")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise AddressError("malformed") from error
    if parts.scheme not in ("http", "https") or parts.username is not None or parts.fragment:
        raise AddressError("malformed")
    number = _number(host)
    if (number is None and not _HOST.match(host)) or port == 0:
        raise AddressError("malformed")
    is_secure = parts.scheme == "https"
    if not is_secure and not to_private:
        raise AddressError("not-https")
    if number is not None:
        judge(number, is_secure=is_secure, to_private=to_private)
    path = parts.path or "/"
    query = f"?{parts.query}" if parts.query else ""
    return Target(is_secure, host, port or (443 if is_secure else 80), path + query)


def judge(number: Address, *, is_secure: bool, to_private: bool) -> None:
    """Raise AddressError for a number to which no connection may be opened.

    Its code is `private-address`, or `not-https` where the message would go through a public network for
    everybody to read.
    """
    real = _embedded(number)
    if any(real in network for network in _CLOUDS):
        raise AddressError("private-address")
    if to_private and any(real in network for network in _PRIVATE):
        return
    if not is_public(real):
        raise AddressError("private-address")
    if not is_secure:
        raise AddressError("not-https")


def is_public(number: Address) -> bool:
    """Whether a number is one of the open internet."""
    real = _embedded(number)
    if isinstance(real, ipaddress.IPv6Address) and real not in _UNICAST:
        return False
    return not any(real in network for network in (*_SPECIAL, *_CLOUDS))


def _number(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _embedded(number: Address) -> Address:
    """The number of the older kind that one of the newer kind stands for, wherever it leads there."""
    if isinstance(number, ipaddress.IPv6Address):
        if number in _NAT64:
            return ipaddress.IPv4Address(int(number) & 0xFFFFFFFF)
        return number.ipv4_mapped or number
    return number
