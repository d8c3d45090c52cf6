"""The addresses of an identity provider: over TLS, or on this machine."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

ADDRESS_MAX = 200
"""The most characters in the address of an identity provider."""


def address_fault(address: str) -> str:
    """Return why an address is not one of an identity provider, or an empty string.

    >>> address_fault("http://id.example"), address_fault("https://id.example"), address_fault("http://127.0.0.1:4000")
    ('http://id.example is not an https address', '', '')
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        parts, host = urlsplit(""), ""
    is_plain = parts.scheme == "http" and _is_this_machine(host)
    is_whole = bool(host) and not (parts.username or parts.fragment) and len(address) <= ADDRESS_MAX
    return "" if is_whole and (is_plain or parts.scheme == "https") else f"{address[:80]} is not an https address"


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
