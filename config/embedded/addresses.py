"""The laptop's own address on the tent's network, found without asking anybody outside."""

import ipaddress
import socket

# Addresses nobody has to answer: connecting a UDP socket sends nothing, it only makes the system choose a
# way out.
_TOWARDS = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "224.0.0.251")


def lan_address() -> str | None:
    """This machine's IPv4 address on the local network, or None if it is on no network."""
    for target in _TOWARDS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
            except OSError:
                continue
            if usable(address := probe.getsockname()[0]):
                return str(address)
    try:
        _, _, named = socket.gethostbyname_ex(socket.gethostname())
    except OSError:
        return None
    return next((address for address in named if usable(address)), None)


def usable(address: str) -> bool:
    """Whether phones can reach an address: neither the machine itself nor no address at all."""
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_unspecified or parsed.is_multicast)


def free(host: str, port: int) -> bool:
    """Whether a server can be opened on this port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
