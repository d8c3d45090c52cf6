"""`passline office body-keys`, `give-body-key`, `revoke-body-key`: the keys of outside bodies in the house."""

from __future__ import annotations

from json import dumps
from typing import Annotated

import typer

from passline.cli.options.office import JsonOption, RegulationArgument, SecondOption, sign_off_of
from passline.cli.options.server import DEFAULT_SERVER, ServerOption, TokenOption, client_at, print_receipt

BodyArgument = Annotated[str, typer.Argument(metavar="BODY", help="Which body, such as TGO.")]
KeyArgument = Annotated[str, typer.Argument(metavar="KEY", help="Its public key, as passline regulator key prints it.")]


def body_keys(
    regulation: RegulationArgument,
    *,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    json: JsonOption = False,
) -> None:
    """List the outside bodies of an office, each with the fingerprint of its key: the body knows what it must be."""
    with client_at(server, token) as client:
        found = client.office(regulation)
    bodies = sorted({role["body"] for role in found["roles"].values() if role.get("body")})
    keys = {body: found["body_keys"].get(body, "") for body in bodies}
    if json:
        print(dumps(keys))
        return
    for body, print_ in keys.items():
        print(f"{body:12} {print_ or 'has no key: its words are told by the house'}")


def give_body_key(
    regulation: RegulationArgument,
    body: BodyArgument,
    key: KeyArgument,
    *,
    second: SecondOption = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Enter the public key of an outside body: from then on its favourable words need its stamp."""
    from passline.acts.stamps import fingerprint
    from passline.store.keys import bytes_of_hex

    with client_at(server, token) as client:
        command = {"command": "give-body-key", "body": body, "key": key}
        print_receipt(client.office_command(regulation, command, sign_off=sign_off_of(second, second)))
    print(f"fingerprint {fingerprint(bytes_of_hex(key))}")


def revoke_body_key(
    regulation: RegulationArgument,
    body: BodyArgument,
    key: KeyArgument,
    *,
    reason: Annotated[str, typer.Option(help="Why: it is lost, or the body has another.")],
    second: SecondOption = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Take back the key of an outside body; what it stamped before stands."""
    with client_at(server, token) as client:
        command = {"command": "revoke-body-key", "body": body, "key": key, "reason": reason}
        print_receipt(client.office_command(regulation, command, sign_off=sign_off_of(second, second)))
