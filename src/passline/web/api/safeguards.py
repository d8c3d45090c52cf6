"""The API of a house's safeguards: dual control, the age of passwords, and authenticators for signatures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.people import commands as c
from passline.people.credentials import SignOff
from passline.people.decide import PASSWORD_DAYS_MAX
from passline.store.upkeep.retention import RETENTION_YEARS_MAX
from passline.streams.course import Answer
from passline.web.api.authenticators import origin_of
from passline.web.api.openapi import body, refusals
from passline.web.api.people import in_thread
from passline.web.auth.visitors import address_of, require_visitor
from passline.web.server.responses import json_response, read_body
from passline.web.server.services import services_of

router = APIRouter(tags=["people"])
"""The routes of safeguards, each of which two owners choose."""
_SIGNED = refusals(400, 401, 403, 409, 413, 422, 429)


class PasswordAgeBody(Struct, forbid_unknown_fields=True):
    """How old a password may be, in days (0: as old as it likes), and the second owner who signs."""

    days: Annotated[int, Meta(ge=0, le=PASSWORD_DAYS_MAX)]
    sign_off: SignOff | None = None


class RetentionBody(Struct, forbid_unknown_fields=True):
    """For how many years records are kept (0: for ever), and the second owner who signs."""

    years: Annotated[int, Meta(ge=0, le=RETENTION_YEARS_MAX)]
    sign_off: SignOff | None = None


class DualControlBody(Struct, forbid_unknown_fields=True):
    """Whether two owners must agree, and the second owner who signs this change."""

    is_on: bool
    sign_off: SignOff | None = None


class SecondFactorBody(Struct, forbid_unknown_fields=True):
    """Whether signatures take an authenticator at the address of this request, and the second owner who signs."""

    is_on: bool
    sign_off: SignOff | None = None


@router.post("/api/dual-control", openapi_extra=body(DualControlBody), responses=_SIGNED)
async def dual_control(request: Request) -> Response:
    """Choose whether two owners must agree before somebody gets a role that can sign. Two owners choose it."""
    visitor = await require_visitor(request)
    asked = await read_body(request, DualControlBody)
    desk, command = services_of(request).desk, c.ElectDualControl(is_on=asked.is_on)
    done: Answer = await in_thread(
        request, lambda: desk.do(command, by=visitor.account, sign_off=asked.sign_off, address=address_of(request))
    )
    return json_response({"sequence": done.sequence, "head": done.head})


@router.post("/api/password-age", openapi_extra=body(PasswordAgeBody), responses=_SIGNED)
async def password_age(request: Request) -> Response:
    """Choose how old a password may be. Whoever has an older one chooses another at the next log-in. Two owners do."""
    visitor = await require_visitor(request)
    asked = await read_body(request, PasswordAgeBody)
    desk, command = services_of(request).desk, c.ElectPasswordAge(days=asked.days)
    done: Answer = await in_thread(
        request, lambda: desk.do(command, by=visitor.account, sign_off=asked.sign_off, address=address_of(request))
    )
    return json_response({"sequence": done.sequence, "head": done.head})


@router.post("/api/retention", openapi_extra=body(RetentionBody), responses=_SIGNED)
async def retention(request: Request) -> Response:
    """Choose for how many years records are kept; a shorter time counts 90 days later. Two owners choose it."""
    visitor = await require_visitor(request)
    asked = await read_body(request, RetentionBody)
    desk, command = services_of(request).desk, c.ElectRetention(years=asked.years)
    done: Answer = await in_thread(
        request, lambda: desk.do(command, by=visitor.account, sign_off=asked.sign_off, address=address_of(request))
    )
    return json_response({"sequence": done.sequence, "head": done.head})


@router.post("/api/second-factor", openapi_extra=body(SecondFactorBody), responses=_SIGNED)
async def second_factor(request: Request) -> Response:
    """Choose whether signatures take an authenticator besides the PIN. Two owners choose it, who have one each."""
    visitor = await require_visitor(request)
    asked = await read_body(request, SecondFactorBody)
    desk, address = services_of(request).desk, address_of(request)
    command = c.ElectSecondFactor(origin=origin_of(request) if asked.is_on else "")
    done = await in_thread(
        request, lambda: desk.do(command, by=visitor.account, sign_off=asked.sign_off, address=address)
    )
    return json_response({"sequence": done.sequence, "head": done.head})
