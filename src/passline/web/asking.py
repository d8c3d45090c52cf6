"""From a request to a table: who asks in which role, who signs it off, and what comes of it."""

from __future__ import annotations

import asyncio
from time import perf_counter

from msgspec import Struct

from passline.game.refusal import Refused
from passline.tables.actors import Actor
from passline.tables.commands import TableCommand
from passline.tables.duties import signers_of
from passline.tables.floor import RunningTable
from passline.tables.live import seat_of
from passline.tables.people.attempts import Wait
from passline.tables.stream import Answer, Ask
from passline.tables.writer import LogDown
from passline.web.answers import denied
from passline.web.services import Services
from passline.web.visitors import Visitor

__all__ = ["LOG_DOWN", "SignOff", "actor_of", "check_id", "signed_by", "submit"]

LOG_DOWN = "the log takes nothing now, so nothing was done; ask again with the same id in a moment"
"""What is said when a commit failed."""
_ID_MAX = 64


class SignOff(Struct, frozen=True, forbid_unknown_fields=True):
    """The name and PIN of the person who signs a privileged act off."""

    name: str
    pin: str

    def __repr__(self) -> str:
        return f"SignOff(name={self.name!r}, pin=(withheld))"


def check_id(id: str) -> None:  # noqa: A002 - the request's own word
    """Refuse an id that no log could keep."""
    if not 1 <= len(id) <= _ID_MAX or not id.isprintable():
        raise denied(422, f"id: a command needs an id of 1 to {_ID_MAX} printable characters, made by the caller")


def actor_of(table: RunningTable, visitor: Visitor, role: str) -> Actor:
    """Give somebody as they stand at a table: in a role, and at their seat if they play."""
    state = table.stream.state
    seat = seat_of(state, visitor.account) if state is not None and role == "player" else 0
    return Actor(account=visitor.account, name=visitor.name, role=role, seat=seat)


async def submit(
    services: Services,
    table: RunningTable,
    by: Actor,
    id: str,  # noqa: A002
    command: TableCommand,
    sign_off: SignOff | None,
    address: str = "",
) -> asyncio.Future[Answer | Refused]:
    """Put a command to a table, signed off where it must be, and give what will hold its answer."""
    signed = await signed_by(services, command, by, sign_off, address)
    begun, name = perf_counter(), str(command.__struct_config__.tag)
    future = table.stream.submit(Ask(id, command, by, signed))
    future.add_done_callback(lambda done: _count(services, name, done, perf_counter() - begun))
    return future


async def signed_by(
    services: Services, command: object, by: Actor, sign_off: SignOff | None, address: str = ""
) -> str:
    """Give the account that signs a command off, or nothing where it needs nobody; checked before it is judged."""
    roles = signers_of(command)
    if not roles:
        return ""
    if sign_off is None:
        wanted = " or ".join(sorted(roles))
        raise denied(403, f"this needs the sign-off of a {wanted} other than yourself, by name and PIN", "duties")
    signed = await asyncio.to_thread(
        lambda: services.desk.sign_off(
            name=sign_off.name, pin=sign_off.pin, roles=roles, requester=by.account, address=address
        )
    )
    if isinstance(signed, Wait):
        raise denied(429, f"too many attempts; wait {signed.seconds} seconds", "people")
    if isinstance(signed, Refused):
        raise denied(403, signed.refusals[0].why, signed.refusals[0].clause)
    return signed.id


def _count(services: Services, name: str, done: asyncio.Future[Answer | Refused], seconds: float) -> None:
    if done.cancelled():
        outcome = "cancelled"
    elif error := done.exception():
        outcome = "log-down" if isinstance(error, LogDown) else "fault"
    else:
        outcome = "refused" if isinstance(done.result(), Refused) else "done"
    services.metrics.commands.labels(name, outcome).inc()
    services.metrics.answer_seconds.observe(seconds)
