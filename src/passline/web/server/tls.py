"""TLS from the files of a certificate and its key."""

from __future__ import annotations

import asyncio
import ssl
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable

from passline.errors import CrapsError


class TlsLayer(SSLProtocol):
    """The TLS of one connection, below the protocol that reads its requests.

    A server that listens with TLS shows a connection only after its handshake: until then nobody counts it.
    """

    max_size = 16 * 1024  # of one record; by default every connection has a buffer of 256 KB

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        app: asyncio.Protocol,
        context: ssl.SSLContext,
        *,
        seconds: float,
        lost: Callable[[], None],
    ) -> None:
        shaken: asyncio.Future[None] = loop.create_future()
        shaken.add_done_callback(_take_reason)
        super().__init__(loop, app, context, shaken, server_side=True, ssl_handshake_timeout=int(seconds))
        self._lost = lost

    def connection_lost(self, exc: BaseException | None) -> None:
        """Say that the connection is lost, also if its handshake never ended."""
        super().connection_lost(exc)
        self._lost()


def _take_reason(shaken: asyncio.Future[None]) -> None:
    """Take the reason of a failed handshake, which is the client's affair and not ours to report."""
    if not shaken.cancelled():
        shaken.exception()


def tls_of(certificate: str, key: str) -> ssl.SSLContext:
    """Return the context of a server with this certificate. Raise CrapsError if the files do not hold one."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(certificate, key or None, password=_no_password)
    except ssl.SSLError as error:
        why = f"not a certificate and its own key, both in PEM and without a password ({error.reason or error})"
        raise CrapsError(f"--tls-cert {certificate}: {why}; make them again, or leave TLS to a proxy") from error
    except OSError as error:
        raise CrapsError(f"--tls-cert {certificate}, --tls-key {key}: {error.strerror}; name two files") from error
    return context


def _no_password() -> bytes:
    """Refuse to ask for a password: a server starts with nobody at its terminal."""
    return b""
