"""The address at which other machines of this network reach the server."""

from __future__ import annotations

import socket
from ipaddress import ip_address

from starlette.requests import HTTPConnection

_ELSEWHERE = "192.0.2.1"  # documentation's own network: nothing is sent there, it only says which way packets would go
_SECONDS = 0.5
_PORTS = {"http": 80, "https": 443}


def is_only_here(host: str) -> bool:
    """Return whether a host, without its port, is this very machine to everybody.

    >>> [is_only_here(host) for host in ("localhost", "127.0.0.1", "::1", "192.168.1.20", "craps.example")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def network_address(port: int) -> str:
    """Return this machine's address on its network if the server listens there; else nothing. It may take a moment."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
            route.connect((_ELSEWHERE, 9))
            address: str = route.getsockname()[0]
        with socket.create_connection((address, port), timeout=_SECONDS):
            return "" if is_only_here(address) else address
    except OSError:
        return ""


def public_base(connection: HTTPConnection, address: str) -> str:
    """Return the base of addresses for other machines: as the visitor reached it, or by its address on the network.

    Empty if the visitor sits at this machine and the server is not reached from elsewhere.
    """
    url = connection.url
    if url.hostname and not is_only_here(url.hostname):
        return f"{url.scheme}://{url.netloc}"
    return f"{url.scheme}://{address}:{url.port or _PORTS[url.scheme]}" if address else ""
