"""Sends what is printed to a thermal printer in the network."""

from __future__ import annotations

import socket

from passline.cli.options.server import whole_number
from passline.errors import CrapsError

_PORT, _SECONDS = 9100, 10


def send_to_printer(address: str, data: bytes) -> None:
    """Send bytes to the printer at HOST or HOST:PORT; raise CrapsError if it does not take them."""
    host, _, port = address.partition(":")
    number = whole_number("--printer", port) if port else _PORT
    try:
        with socket.create_connection((host, number), timeout=_SECONDS) as connection:
            connection.sendall(data)
    except OSError as error:
        raise CrapsError(f"--printer {address}: {error.strerror or error}") from error
    print(f"printed at {address}")
