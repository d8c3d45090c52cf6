"""The pages of one's own account: logging in, registering, a one-time link, password, PIN, and *Invite a phone*."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.authority.roles import EMPLOYED_ROLES, OWNER, in_order
from passline.documents.scan_codes import scan_code
from passline.people.credentials import PASSWORD_MAX, PASSWORD_MIN, PIN_MAX, PIN_MIN
from passline.people.desk import REGISTRATION_CLOSED
from passline.people.links import link_state
from passline.web.auth.visitors import visitor_of
from passline.web.demo.casino.staff import DEMO_PASSWORD, DEMO_PIN, STAFF
from passline.web.demo.plan import demo_plan
from passline.web.pages.frame import next_path, office_page, page_visitor, refusal_page
from passline.web.pages.home import home_of, house_regulation
from passline.web.server.network import is_only_here, network_address, public_base
from passline.web.server.services import services_of

_PASSWORD = f"{PASSWORD_MIN} to {PASSWORD_MAX} characters: three or more words that few combine."
_PIN = f"{PIN_MIN} to {PIN_MAX} digits: not a run of digits, nor the same digits repeated."
_DEMO_STAFF = {  # the names of those who work in the demo's casino, by role
    role: [account.capitalize() for account, its in STAFF.items() if its == role] for role in STAFF.values()
}

router = APIRouter(include_in_schema=False)
"""The routes of these pages."""


@router.get("/log-in")
async def log_in(request: Request) -> Response:
    """The page where people log in."""
    services = services_of(request)
    return office_page(
        request,
        "log_in.html",
        await visitor_of(request),
        next=next_path(request),
        can_register=services.desk.can_register,
        has_provider=(await asyncio.to_thread(services.desk.people)).provider is not None,
        staff=_DEMO_STAFF if services.is_demo else {},
        casino=demo_plan().casino.rules,
        password=DEMO_PASSWORD,
        pin=DEMO_PIN,
    )


@router.get("/register")
async def register(request: Request) -> Response:
    """The page where players register."""
    visitor = await visitor_of(request)
    if not services_of(request).desk.can_register:
        return refusal_page(request, visitor, REGISTRATION_CLOSED.capitalize() + ".")
    return office_page(request, "register.html", visitor, password_hint=_PASSWORD, next=next_path(request))


@router.get("/invitations/{token}")
async def invitation(request: Request, token: str) -> Response:
    """The page behind a one-time link."""
    services = services_of(request)
    desk = services.desk
    found = await asyncio.to_thread(desk.invitation_of, token)
    people = await asyncio.to_thread(desk.people)
    known = people.accounts.get(found.account) if found else None
    roles = known.roles if known else frozenset(found.roles if found else ())
    state = link_state(people, found, services.clock())
    facility = services.offices.facility()
    return office_page(
        request,
        "invitation.html",
        None,  # the session in this browser, if any, is not that of the link's holder
        token=token,
        invitation=found if state == "waits" else None,
        is_unsigned=state == "unsigned",
        known=known.name if known else "",
        is_first_use=known is not None and not known.password,
        roles=in_order(roles),
        is_first_owner=found is not None and OWNER in found.roles and not people.owners(),
        needs_pin=not EMPLOYED_ROLES.isdisjoint(roles),
        expires=f"{facility.local(found.expires):%d %B, %H:%M} ({facility.zone})" if found else "",
        home=home_of(roles, await house_regulation(services)),
        password_hint=_PASSWORD,
        pin_hint=_PIN,
        status=200 if state == "waits" else 404,
    )


@router.get("/account")
async def account(request: Request, done: str = "") -> Response:
    """The page where people change their own password and PIN."""
    visitor = await page_visitor(request)
    return office_page(
        request,
        "account.html",
        visitor,
        done=done,
        needs_pin=not EMPLOYED_ROLES.isdisjoint(visitor.roles),
        password_hint=_PASSWORD,
        pin_hint=_PIN,
    )


@router.get("/invite")
async def invite(request: Request, table: str = "") -> Response:
    """The address as a code to scan, of the lobby or of one table."""
    visitor = await page_visitor(request)
    tables = [
        running.live for running in await services_of(request).floor.load_all() if running.live.status != "closed"
    ]
    chosen = next((live for live in tables if live.id == table), None)
    host, port = request.url.hostname or "", request.url.port or (443 if request.url.scheme == "https" else 80)
    found = await asyncio.to_thread(network_address, port) if is_only_here(host) else ""
    base = public_base(request, found)
    path = f"/tables/{quote(chosen.id)}" if chosen else "/"
    return office_page(
        request,
        "invite.html",
        visitor,
        address=base + path if base else "",
        code=scan_code(base + path) if base else "",
        tables=tables,
        chosen=chosen,
        is_tls=request.url.scheme == "https",
        port=port,
    )
