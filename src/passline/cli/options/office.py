"""What commands about an office are given: whose office, who signs, and how it is printed."""

from __future__ import annotations

from typing import Annotated

import typer

from passline.cli.options.game import LISTED, complete_regulation
from passline.cli.options.server import asked_pin
from passline.errors import CrapsError

RegulationArgument = Annotated[
    str,
    typer.Argument(
        metavar="REGULATION",
        help=f"Whose office: a regulation; {LISTED}.",
        autocompletion=complete_regulation,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
SecondOption = Annotated[
    str,
    typer.Option("--by", help="The second owner, where dual control asks for one; the PIN is asked for."),
]


def sign_off_of(part: str, signer: str) -> tuple[str, str] | None:
    """Return the name and the PIN of whoever signs as a part; None: nobody does. The PIN is asked for."""
    if bool(part) != bool(signer):
        raise CrapsError("--signs PART and --by NAME go together: who signs, and as which part")
    if not signer:
        return None
    return signer, asked_pin(signer)
