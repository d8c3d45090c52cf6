"""Submits a command to a table: who gives it, in which role, and who signs it off."""

from __future__ import annotations

import asyncio
from time import perf_counter

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from passline.game.refusal import Refused
from passline.people.attempts import Wait
from passline.people.duties import name_of
from passline.people.roles import ROLES, in_order
from passline.provable_dice import NONCE_BYTES
from passline.streams.course import Actor, Answer, Ask
from passline.streams.writer import InDoubt, LogDown
from passline.tables.commands import OpenTable, SeatPlayer
from passline.tables.duties import needs_signature, unfit_signature
from passline.tables.runtime.floor import RunningTable
from passline.web.auth.visitors import Visitor
from passline.web.server.responses import denied, too_many_attempts
from passline.web.server.services import Services

__all__ = [
    "LOG_DOWN",
    "NOT_DONE",
    "SignOff",
    "actor_of",
    "check_id",
    "is_valid_id",
    "signed_by",
    "submit",
    "submit_directly",
    "take_nonce",
    "with_roll",
]

LOG_DOWN = "the log cannot be written now, so this request did nothing; send it again with the same id in a moment"
"""The answer when it is known that a commit wrote nothing."""
NOT_DONE = "that command was not done, and under its id it never will be: send it with a new id if you still want it"
"""The answer to somebody who asks after a command that is not in the log."""
_ID_MAX = 64


class SignOff(Struct, frozen=True, forbid_unknown_fields=True):
    """The name and PIN of the person who signs off a command."""

    name: str
    pin: str

    def __repr__(self) -> str:
        return f"SignOff(name={self.name!r}, pin=(withheld))"


def check_id(id: str) -> None:  # noqa: A002 - the request's own word
    """Raise Denied if an id is not valid."""
    if not is_valid_id(id):
        raise denied(422, f"id: a command needs an id of 1 to {_ID_MAX} printable characters, made by the caller")


def is_valid_id(id: str) -> bool:  # noqa: A002 - the request's own word
    """Return whether an id is valid: not empty, not too long, and printable."""
    return 1 <= len(id) <= _ID_MAX and id.isprintable()


def actor_of(visitor: Visitor, role: str) -> Actor:
    """Return a visitor as the actor of a command, in one of their roles."""
    return Actor(account=visitor.account, name=visitor.name, role=role, is_employee=visitor.is_employee)


async def submit(
    services: Services, table: RunningTable, ask: Ask, sign_off: SignOff | None, address: str = ""
) -> asyncio.Future[Answer | Refused]:
    """Submit a command to a table, signed off where it must be. Return the future of its answer."""
    is_demo = table.live.is_demo
    if signed := await signed_by(services, ask.command, ask.by, sign_off, address, is_demo=is_demo):
        ask = replace(ask, signed_by=signed)
    if isinstance(ask.command, SeatPlayer) and ask.by.role != "player":
        ask = replace(ask, command=await _identified(services, ask.command))
    return _submit(services, table, ask)


def submit_directly(services: Services, table: RunningTable, ask: Ask) -> asyncio.Future[Answer | Refused] | None:
    """Submit a command that needs no sign-off and no look-up, as most do. Return None if it needs one."""
    if isinstance(ask.command, OpenTable | SeatPlayer) or needs_signature(
        ask.command, ask.by, is_demo=table.live.is_demo
    ):
        return None
    return _submit(services, table, ask)


def _submit(services: Services, table: RunningTable, ask: Ask) -> asyncio.Future[Answer | Refused]:
    begun, name = perf_counter(), name_of(ask.command)
    future = table.stream.submit(ask)
    future.add_done_callback(lambda done: _count(services, name, done, perf_counter() - begun))
    return future


async def signed_by(
    services: Services,
    command: object,
    by: Actor,
    sign_off: SignOff | None,
    address: str = "",
    *,
    is_demo: bool = False,
) -> str:
    """Return the account that signs off a command, or nothing if it needs no sign-off. Raise Denied if it is unfit."""
    if isinstance(command, OpenTable) and command.is_demo and not services.is_demo:
        raise denied(403, "is_demo: only passline serve --demo opens demo tables", "duties")
    needed = unfit_signature(command, by, None, is_demo=is_demo)
    if needed is None:
        return ""
    if sign_off is None:
        raise denied(403, f"{needed.why}: send their name and PIN as sign_off", needed.clause)
    signed = await asyncio.to_thread(
        lambda: services.desk.sign_off(
            name=sign_off.name, pin=sign_off.pin, roles=ROLES, requester=by.account, address=address
        )
    )
    if isinstance(signed, Wait):
        raise too_many_attempts(signed)
    if isinstance(signed, Refused):
        raise denied(403, signed.refusals[0].why, signed.refusals[0].clause)
    signers = (Actor(signed.id, signed.name, role) for role in in_order(signed.roles))
    unfit = [unfit_signature(command, by, signer, is_demo=is_demo) for signer in signers]
    if None not in unfit:
        raise denied(403, unfit[-1].why, unfit[-1].clause)  # type: ignore[union-attr]  # none of them is None
    return signed.id


async def _identified(services: Services, command: SeatPlayer) -> SeatPlayer:
    """Complete a seating from the house's records, so that the crew cannot seat an employee as somebody else."""
    people = await asyncio.to_thread(services.desk.people)
    if known := people.accounts.get(command.account):
        return replace(command, name=known.name, is_employee=known.is_employee)
    namesake = people.named(command.name)
    return replace(command, is_employee=namesake is not None and namesake.is_employee)


def _count(services: Services, name: str, done: asyncio.Future[Answer | Refused], seconds: float) -> None:
    if done.cancelled():
        outcome = "cancelled"
    elif error := done.exception():
        outcome = "in-doubt" if isinstance(error, InDoubt) else "log-down" if isinstance(error, LogDown) else "fault"
    else:
        outcome = "refused" if isinstance(done.result(), Refused) else "done"
    services.metrics.commands.labels(name, outcome).inc()
    services.metrics.answer_seconds.observe(seconds)


def take_nonce(table: RunningTable, nonce: str) -> None:
    """Take the nonce of the shooter, in hex, for the throw whose wagers are closed."""
    try:
        table.course.completion.take_nonce(bytes.fromhex(nonce))
    except ValueError:
        raise denied(422, f"nonce: must be {NONCE_BYTES} bytes in hex") from None


async def with_roll(table: RunningTable, answer: Answer) -> Answer:
    """Return the answer to a throw together with its roll, once the dice have landed."""
    landed = await table.course.completion.landed(answer.sequence)
    if landed is None:
        return answer
    entry, head = landed.stored.entry, table.stream.head
    assert head is not None
    events = [*msgspec.json.decode(answer.events, type=list[Raw]), *msgspec.json.decode(entry.events, type=list[Raw])]
    return replace(
        answer,
        sequence=entry.sequence,
        head=head,
        lines=(*answer.lines, *landed.lines),
        events=Raw(msgspec.json.encode(events)),
        hash=landed.stored.hash.hex(),
    )
