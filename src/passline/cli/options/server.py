"""What commands against a server share: where it is, who asks, and how answers and files are shown."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.client import Client, Receipt

DEFAULT_SERVER = "http://127.0.0.1:8000"
"""Where `passline serve` listens if nothing else is said."""
ServerOption = Annotated[str, typer.Option(metavar="URL", help="The server.", envvar="PASSLINE_SERVER")]
"""The option that names the server."""
TokenOption = Annotated[
    str,
    typer.Option(
        metavar="TOKEN", help="Of a session; without one, name and password are asked for.", envvar="PASSLINE_TOKEN"
    ),
]
"""The option that says who asks."""


@contextmanager
def client_at(server: str, token: str) -> Iterator[Client]:
    """Yield a client that is logged in: by a token, or by name and password, from the environment or asked for."""
    import httpx

    from passline.client import Client

    try:
        with Client(server, token=token) as client:
            if not token:
                name = os.environ.get("PASSLINE_NAME", "") or typer.prompt("Name")
                password = os.environ.get("PASSLINE_PASSWORD", "") or typer.prompt("Password", hide_input=True)
                client.log_in(name, password)
            yield client
    except (httpx.TransportError, httpx.InvalidURL) as error:
        raise CrapsError(f"{server}: {error}: is the server running?") from error


def given_fields(command: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that were given.

    >>> given_fields({"command": "do-act", "signs": ""})
    {'command': 'do-act'}
    """
    return {key: value for key, value in command.items() if value}


def asked_pin(signer: str) -> str:
    """Return the PIN of whoever signs: of the environment, or asked for without showing it."""
    return os.environ.get("PASSLINE_PIN", "") or str(typer.prompt(f"PIN of {signer}", hide_input=True))


def print_receipt(receipt: Receipt) -> None:
    """Print what was recorded, in words, and where."""
    print(*receipt.lines, sep="\n")
    print(f"entry {receipt.sequence} of the log")


def whole_number(key: str, text: str) -> int:
    """Return the whole number typed for a field; refuse anything else."""
    try:
        return int(text)
    except ValueError:
        raise CrapsError(f"{key}: {text!r} is not a whole number") from None


def yes_or_no(key: str, text: str) -> bool:
    """Return whether `yes` was typed for a field; refuse anything but `yes` and `no`."""
    if text not in {"yes", "no"}:
        raise CrapsError(f"{key}: write yes or no, not {text!r}")
    return text == "yes"
