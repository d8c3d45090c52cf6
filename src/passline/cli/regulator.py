"""`passline regulator`: a regulator's own key, its stamp on what it approves, and the check of a stamp.

It needs nothing of any house but the request to stamp, a small JSON file: run it on the regulator's own machine.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.bounded_text import read_named_file
from passline.cli.exit_codes import FAILED
from passline.cli.options.act_fields import read_document
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.acts.stamps import StampRequest

commands = typer.Typer(no_args_is_help=True, help="A regulator's own key, and its stamp on what it approves.")
_WHAT, _WHY = "the key of a regulator", "without it nothing can be stamped"
_RequestFile = Annotated[
    Path, typer.Argument(metavar="REQUEST", help="The request, as the house's office sends it: a JSON file.")
]


@commands.command("key")
def make_key(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the key lies. It is made if it is not there.")],
) -> None:
    """Make a key, or show the public part of one: the house enters it, and the fingerprint is told by another way."""
    from passline.acts.stamps import fingerprint
    from passline.store.keys import SigningKey, load_secret

    key = SigningKey(load_secret(file, _WHAT, _WHY, make=True))
    print(f"public key  {key.public.hex()}")
    print(f"fingerprint {fingerprint(key.public)}")


@commands.command()
def stamp(
    key: Annotated[Path, typer.Argument(metavar="KEY", help="The file of the key.")],
    request: _RequestFile,
    *,
    document: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The document itself, to see that the request names it.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Stamp it without asking.")] = False,
) -> None:
    """Show what a request is about, and stamp it: the one line that is printed last goes to the house."""
    from secrets import token_hex

    from passline.acts.stamps import stamp_text
    from passline.store.keys import SigningKey, load_secret
    from passline.store.timestamps import utc_now

    signing, asked = SigningKey(load_secret(key, _WHAT, _WHY)), _read(request)
    if document is not None:
        _check_document(asked, document)
    for line in _lines(asked):
        typer.echo(line, err=True)
    if not yes:
        _ask_whether_to_stamp()
    print(stamp_text(signing, asked, issued=utc_now(), serial=token_hex(16)))


def _ask_whether_to_stamp() -> None:
    """Ask; end the command if the answer is no. Raise CrapsError if nobody answers."""
    try:
        is_wanted = typer.confirm("Stamp this?", err=True)
    except typer.Abort:
        if sys.stdin is not None and sys.stdin.isatty():
            raise
        raise CrapsError("there is no terminal to ask whether to stamp this: read it, and give --yes") from None
    if not is_wanted:
        typer.echo("It is not stamped.", err=True)
        raise typer.Exit(FAILED)


@commands.command()
def verify(
    public_key: Annotated[str, typer.Argument(metavar="PUBLIC-KEY", help="The public key, in hexadecimal digits.")],
    request: _RequestFile,
    stamp: Annotated[str, typer.Argument(metavar="STAMP", help="The stamp.")],
) -> None:
    """Check a stamp: the exit code is 0 if the holder of the key stamped this request, 1 if not."""
    from passline.acts.stamps import fingerprint, key_fault, read_stamp, stamp_fault
    from passline.store.keys import bytes_of_hex

    if fault := key_fault(public_key):
        raise CrapsError(fault)
    asked = _read(request)
    if why := stamp_fault(stamp, asked, bytes_of_hex(public_key)):
        print(f"NOT STAMPED: {why}")
        raise typer.Exit(1)
    for line in _lines(asked):
        print(line)
    print(f"stamped on {read_stamp(stamp).issued} by the key {fingerprint(bytes_of_hex(public_key))}")


def _read(path: Path) -> StampRequest:
    from msgspec import MsgspecError, json

    from passline.acts.stamps import StampRequest

    try:
        return json.decode(read_named_file(path), type=StampRequest)
    except MsgspecError as error:
        raise CrapsError(f"{path}: is not a request to stamp: {error}") from error


def _check_document(asked: StampRequest, document: Path) -> None:
    from hashlib import sha256

    found = sha256(read_document(document)).hexdigest()
    if found != asked.document:
        named = f"the document {asked.document}" if asked.document else "no document"
        raise CrapsError(f"{document}: is {found}; the request names {named}")


def _lines(asked: StampRequest) -> list[str]:
    from msgspec import json

    fields = (f"{key}: {json.encode(value).decode()}" for key, value in asked.fields.items())
    return [
        f"house    {asked.house}, office of {asked.office}",
        f"word of  {asked.body}: {asked.act.replace('_', ' ')}",
        f"about    {', '.join(asked.things) or 'the office as a whole'}",
        f"document {asked.document or 'none'}",
        *fields,
    ]
