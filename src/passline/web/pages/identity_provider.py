"""Log-in by the identity provider over HTTP: to the provider, back again, and the watch over whoever came that way.

The cookie that ties a log-in to a browser is sent on the way back from another site, the session's is not: so the way
back ends on a page of this house, which goes on by itself.
"""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from passline.errors import CrapsError
from passline.people.provider.desk import CHECK_SECONDS, PENDING_SECONDS
from passline.refusal import Refused
from passline.streams.writer import ServerFault
from passline.web.auth.visitors import address_of, set_session_cookie
from passline.web.pages.frame import next_path, office_page
from passline.web.server.logs import logger
from passline.web.server.services import Services, services_of

router = APIRouter(include_in_schema=False)
"""The routes of a log-in by the identity provider."""
PATH = "/log-in/provider"
"""Where such a log-in begins; the address that the provider knows is the one below it."""
RETURN_PATH = f"{PATH}/return"
"""Where the provider sends a browser back to."""
_COOKIE = "passline-provider"
_LOOKS = 6  # at who is due, while one of them becomes so


@router.get(PATH)
async def begin(request: Request) -> Response:
    """Send a browser to the identity provider."""
    services, wanted = services_of(request), next_path(request)
    redirect = f"{request.url.scheme}://{request.url.netloc}{RETURN_PATH}"
    begun = await services.pools.strangers.run(
        lambda: services.provider.begin(redirect=redirect, next_=wanted), address=address_of(request)
    )
    if isinstance(begun, Refused):
        return _refusal_of(request, begun)
    response = RedirectResponse(begun.address, status_code=303)
    response.set_cookie(
        _COOKIE,
        begun.browser,
        max_age=PENDING_SECONDS,
        httponly=True,
        samesite="lax",  # it comes back from another site
        secure=request.url.scheme == "https",
        path=PATH,
    )
    return response


@router.get(RETURN_PATH)
async def finish(request: Request, state: str = "", code: str = "", error: str = "") -> Response:
    """Log in whoever comes back from the identity provider, once."""
    services, browser = services_of(request), request.cookies.get(_COOKIE, "")
    done = await services.pools.strangers.run(
        lambda: services.provider.finish(state=state, browser=browser, code=code, denied=error),
        address=address_of(request),
    )
    if isinstance(done, Refused):
        return _refusal_of(request, done)
    account = done.welcome.session.account
    response = office_page(request, "provider.html", None, who=account.name, next=done.next or "/", why="")
    set_session_cookie(response, done.welcome, is_secure=request.url.scheme == "https")
    response.delete_cookie(_COOKIE, path=PATH, httponly=True, samesite="lax")
    return response


def _refusal_of(request: Request, refused: Refused) -> Response:
    """Return the page that says why nobody is logged in, and leads to name and password."""
    why = "; ".join(refusal.why for refusal in refused.refusals)
    return office_page(request, "provider.html", None, who="", next="", why=why, status=403)


async def watch_provider(services: Services) -> None:
    """Ask the identity provider again about whoever came by it, as long as the server runs."""
    while True:
        await asyncio.sleep(CHECK_SECONDS / _LOOKS)
        try:
            shut = await asyncio.to_thread(services.provider.check)
        except (CrapsError, ServerFault, OSError) as error:
            logger().warning("the identity provider could not be asked", why=str(error))
        else:
            if shut:
                logger().info("shut out by the identity provider", accounts=shut)
