"""Asks for signatures: the one way by which somebody's name and PIN come to sign what somebody else sends."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from passline.authority.duties import name_of
from passline.people.accounts import Account
from passline.people.attempts import Wait
from passline.people.credentials import SIGNATURE_WRONG, SignOff
from passline.people.second_factor import SecondFactorNeeded
from passline.refusal import Refusal, Refused
from passline.store.entry import Stored
from passline.streams.course import Actor, Ask, Decision
from passline.web.server.responses import Denied, denial, second_factor_denial, too_many_attempts
from passline.web.server.services import Services

_DUTIES = "duties"  # what stands against these is noted; what a page asks for before it sends the same again is not


async def ask_signature(
    services: Services,
    ask: Ask,
    given: SignOff | None,
    *,
    needed: Refusal | None,
    may_sign: Callable[[Account], bool],
    as_signed: Callable[[], Decision | Refused | None],
    as_sent: object,
    address: str,
    stream: str = "",
) -> str:
    """Return the account that signs a command, or an empty string if nobody must. Raise Denied if nobody does.

    A PIN is the last thing that is looked at: not if the command needs none (`needed` is None, else why it is refused),
    was done before on its `stream`, or would be refused however it is signed; and only of somebody who may sign it. So
    nobody can try PINs by way of commands that come to nothing, and the answer does not tell whether name, PIN or role
    was wrong. `as_signed` decides the command as if it were signed, None where that is left to whoever records it;
    `as_sent` is what of it is signed.
    """
    if needed is None:
        return ""
    if stream and (done := await entry_before(services, stream, ask)) is not None:
        return done.entry.signed_by
    decision = as_signed()
    if given is not None and not isinstance(decision, Refused):
        return await check_signature(services, given, as_sent, ask.by, may_sign, address, hint=f"; {needed.why}")
    if needed.clause == _DUTIES:
        services.desk.note(name_of(ask.command), ask.by.account, address)
    raise Denied(409, decision.refusals) if isinstance(decision, Refused) else Denied(403, (needed,))


async def entry_before(services: Services, stream: str, ask: Ask) -> Stored | None:
    """Return the entry of a command that was sent before and done, or None."""
    return await services.pools.sessions.run(lambda: services.log.find(stream, ask.by.account, ask.id))


async def check_signature(  # noqa: PLR0917
    services: Services,
    given: SignOff,
    command: object,
    by: Actor,
    may_sign: Callable[[Account], bool],
    address: str,
    *,
    hint: str = "",
) -> str:
    """Return the account that signs a command with name, PIN and what else the house elects.

    Raise Denied if that is wrong, with the hint who may sign, or with what an authenticator is to sign.
    """
    sign_off = partial(services.desk.sign_off, name=given.name, pin=given.pin, assertion=given.assertion)
    try:
        signed = await services.pools.known.run(
            lambda: sign_off(command=command, may_sign=may_sign, requester=by.account, address=address)
        )
    except SecondFactorNeeded as needed:
        raise second_factor_denial(needed) from None
    if isinstance(signed, Wait):
        raise too_many_attempts(signed)
    if isinstance(signed, Refused):
        why, clause = signed.refusals[0].why, signed.refusals[0].clause
        raise denial(403, f"{why}{hint if why == SIGNATURE_WRONG else ''}", clause)
    return signed.id
