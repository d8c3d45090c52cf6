"""What commands against a server share: where it is, who asks, and how answers and files are shown."""

from __future__ import annotations

import os
import sys
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
_LOG_IN = "give --token TOKEN, or set PASSLINE_TOKEN, or PASSLINE_NAME and PASSLINE_PASSWORD"


def ask_for(what: str, instead: str, *, is_secret: bool = True, is_new: bool = False) -> str:
    """Ask whoever sits at the terminal, a new secret twice; without a terminal say what to give `instead`."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise CrapsError(f"there is no terminal to ask for {what}: {instead}")
    words = f"{what[:1].upper()}{what[1:]}"
    return str(typer.prompt(words, hide_input=is_secret, confirmation_prompt=is_new))


def check_token(token: str) -> str:
    """Return the token of a session; raise CrapsError if no server could have made it.

    >>> check_token("t\N{LATIN SMALL LETTER O WITH DIAERESIS}ken")
    Traceback (most recent call last):
    passline.errors.CrapsError: --token (PASSLINE_TOKEN): is not the token of a session, which has only ASCII letters, \
digits and signs
    """
    if not all(33 <= ord(sign) < 127 for sign in token):  # noqa: PLR2004 - what is printable in ASCII
        only = "which has only ASCII letters, digits and signs"
        raise CrapsError(f"--token (PASSLINE_TOKEN): is not the token of a session, {only}")
    return token


@contextmanager
def client_at(server: str, token: str) -> Iterator[Client]:
    """Yield a client that is logged in: by a token, or by name and password, from the environment or asked for."""
    import httpx

    from passline.client import Client

    try:
        with Client(server, token=check_token(token)) as client:
            if not token:
                name = os.environ.get("PASSLINE_NAME", "") or ask_for("name", _LOG_IN, is_secret=False)
                password = os.environ.get("PASSLINE_PASSWORD", "") or ask_for("password", _LOG_IN)
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
    return os.environ.get("PASSLINE_PIN", "") or ask_for(f"PIN of {signer}", "set PASSLINE_PIN")


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
