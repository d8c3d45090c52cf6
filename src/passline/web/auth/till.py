"""At a till: whoever moves money says their PIN again after a while in which nobody did.

Programs, which send a token of their own, have no screen that somebody could find.
"""

from __future__ import annotations

from starlette.requests import Request

from passline.people.attempts import Wait
from passline.refusal import Refused
from passline.web.auth.visitors import Visitor, address_of, token_of
from passline.web.server.responses import denial, too_many_attempts
from passline.web.server.services import services_of

PIN = "pin"
"""The clause of what a page asks for: it sends the same request again, with the PIN."""


async def check_till(request: Request, visitor: Visitor, pin: str) -> None:
    """Raise Denied if money is to be moved in a session that was idle, unless the PIN comes with it."""
    services = services_of(request)
    tills, seconds = services.desk.tills, services.pin_seconds
    if not seconds or services.is_demo or not token_of(request)[1]:
        return
    is_idle = await services.pools.sessions.run(lambda: tills.is_idle(visitor.token, seconds))
    if is_idle and not pin:
        raise denial(403, f"say your PIN to move money: it is asked for after {seconds} idle seconds", PIN)
    if is_idle:
        known = await services.pools.known.run(
            lambda: tills.check_pin(visitor.account, pin, address=address_of(request))
        )
        if isinstance(known, Wait):
            raise too_many_attempts(known)
        if isinstance(known, Refused):
            services.desk.note("log-in", visitor.account, address_of(request))
            raise denial(403, f"{known.refusals[0].why}; who has none sets it on the page of their account", PIN)
    await services.pools.sessions.run(lambda: tills.note_act(visitor.token))
