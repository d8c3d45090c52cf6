"""The address of a visitor behind a proxy: from `X-Forwarded-For`, but only if a proxy that the owner named sent it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from passline.errors import CrapsError

Network = IPv4Network | IPv6Network
_SECURE = {"http": "https", "ws": "wss"}


def proxy_networks(proxies: Iterable[str]) -> tuple[Network, ...]:
    """Return the addresses of proxies as the owner names them: each an address, or a network such as 10.0.0.0/8.

    >>> proxy_networks(["proxy.example"])
    Traceback (most recent call last):
    passline.errors.CrapsError: --proxy proxy.example: must be an address, or a network such as 10.0.0.0/8
    """
    networks = []
    for proxy in proxies:
        try:
            networks.append(ip_network(proxy))
        except ValueError:
            raise CrapsError(f"--proxy {proxy}: must be an address, or a network such as 10.0.0.0/8") from None
    return tuple(networks)


def forwarded_address(client: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """Return where a request comes from: going back from us, the first address that is not one of our proxies.

    What lies further back was written by strangers.

    >>> ours = proxy_networks(["10.0.0.0/8"])
    >>> forwarded_address("10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2", ours)
    '203.0.113.9'
    >>> forwarded_address("203.0.113.9", "1.1.1.1", ours), forwarded_address("10.0.0.1", "evil", ours)
    ('203.0.113.9', '10.0.0.1')
    """
    nearest = client
    for address in (client, *reversed([part.strip() for part in forwarded.split(",")])):
        if (read := _read(address)) is None:
            return nearest
        nearest = str(read)
        if not is_among(nearest, proxies):
            return nearest
    return nearest


def is_among(address: str, networks: Sequence[Network]) -> bool:
    """Return whether an address is in one of these networks.

    >>> is_among("10.1.2.3", proxy_networks(["10.0.0.0/8"])), is_among("unknown", proxy_networks(["10.0.0.0/8"]))
    (True, False)
    """
    read = _read(address)
    return read is not None and any(read in network for network in networks)


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        read = ip_address(text.removeprefix("[").partition("]")[0])
    except ValueError:
        return None
    return (read.ipv4_mapped or read) if isinstance(read, IPv6Address) else read


class Proxies:
    """Middleware that gives each request the address, and https, that a named proxy tells of."""

    def __init__(self, app: ASGIApp, networks: Sequence[Network] = ()) -> None:
        self.app = app
        self._networks = tuple(networks)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or one websocket."""
        client = scope.get("client")
        if client and is_among(client[0], self._networks):
            headers = Headers(scope=scope)
            address = forwarded_address(client[0], ",".join(headers.getlist("x-forwarded-for")), self._networks)
            scope = {**scope, "client": (address, 0)}
            if headers.get("x-forwarded-proto") == "https":
                scope["scheme"] = _SECURE.get(scope["scheme"], scope["scheme"])
        await self.app(scope, receive, send)
