"""The API of the house's identity provider: which it is, and the roles that its groups have here."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.authority.roles import ROLES
from passline.people import commands as c
from passline.people.accounts import NAME_MAX, People
from passline.people.credentials import SignOff
from passline.people.identity import GROUP_MAX, GROUPS_MAX, SUBJECT_MAX
from passline.people.provider_address import ADDRESS_MAX
from passline.web.api.openapi import body, refusals
from passline.web.api.people import in_thread
from passline.web.auth.visitors import address_of, require_visitor
from passline.web.server.responses import json_response, read_body
from passline.web.server.services import services_of

router = APIRouter(tags=["people"])
"""The routes of the identity provider."""


class GroupRole(Struct, forbid_unknown_fields=True):
    """A group at the identity provider, and a role that whoever is in it has here."""

    group: Annotated[str, Meta(min_length=1, max_length=GROUP_MAX, examples=["pit-dealers"])]
    role: Annotated[str, Meta(max_length=20, examples=list(ROLES))]


class ProviderBody(Struct, forbid_unknown_fields=True):
    """The identity provider (empty: none any more), this house's name there, and the second owner who signs."""

    issuer: Annotated[str, Meta(max_length=ADDRESS_MAX, examples=["https://id.example.com"])]
    client: Annotated[str, Meta(max_length=NAME_MAX, examples=["passline"])] = ""
    claim: Annotated[str, Meta(max_length=NAME_MAX)] = "groups"
    roles: Annotated[list[GroupRole], Meta(max_length=GROUPS_MAX)] = msgspec.field(default_factory=list)
    sign_off: SignOff | None = None


class LinkBody(Struct, forbid_unknown_fields=True):
    """Who an account is at the identity provider (empty: nobody any more), and the second owner who signs."""

    subject: Annotated[str, Meta(max_length=SUBJECT_MAX, examples=["248289761001"])]
    sign_off: SignOff | None = None


@router.get("/api/provider", responses=refusals(401, 403))
async def provider(request: Request) -> Response:
    """Return the identity provider by which people log in, with the roles of its groups; `issuer` is empty for none."""
    await require_visitor(request)
    return json_response(await _fields(request))


@router.post("/api/provider", openapi_extra=body(ProviderBody), responses=refusals(400, 401, 403, 409, 413, 422, 429))
async def elect_provider(request: Request) -> Response:
    """Choose the identity provider by which people log in, and the roles of its groups. Two owners choose it."""
    visitor = await require_visitor(request)
    asked = await read_body(request, ProviderBody)
    desk, address = services_of(request).desk, address_of(request)
    command = c.ElectProvider(
        issuer=asked.issuer,
        client=asked.client,
        claim=asked.claim,
        roles=tuple((mapped.group, mapped.role) for mapped in asked.roles),
    )
    done = await in_thread(
        request, lambda: desk.do(command, by=visitor.account, sign_off=asked.sign_off, address=address)
    )
    return json_response({**await _fields(request), "sequence": done.sequence, "head": done.head})


@router.post(
    "/api/people/{account}/provider",
    openapi_extra=body(LinkBody),
    responses=refusals(400, 401, 403, 409, 413, 422, 429),
)
async def link_account(request: Request, account: str) -> Response:
    """Say who an account is at the identity provider, or with an empty `subject` that it is nobody there any more.

    Two owners say it. From then on the provider's groups say the roles of the account, and its sessions end.
    """
    visitor = await require_visitor(request)
    asked = await read_body(request, LinkBody)
    desk, address = services_of(request).desk, address_of(request)
    command = (
        c.LinkAccount(account=account, subject=asked.subject) if asked.subject else c.UnlinkAccount(account=account)
    )
    done = await in_thread(
        request, lambda: desk.do(command, by=visitor.account, sign_off=asked.sign_off, address=address)
    )
    return json_response({"account": account, "subject": asked.subject, "sequence": done.sequence, "head": done.head})


async def _fields(request: Request) -> dict[str, Any]:
    services = services_of(request)
    people: People = await services.pools.sessions.run(services.desk.people)
    if people.provider is None:
        return {"issuer": "", "client": "", "claim": "groups", "roles": []}
    chosen = people.provider
    roles = [{"group": group, "role": role} for group, role in chosen.roles]
    return {"issuer": chosen.issuer, "client": chosen.client, "claim": chosen.claim, "roles": roles}
