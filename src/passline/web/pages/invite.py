"""*Invite a phone*: the address of this server on its network, as a code to scan, and what TLS needs."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

import segno
from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.web.pages.access import office_page, visitor_or_response
from passline.web.server.network import is_only_here, network_address, public_base
from passline.web.server.services import services_of

__all__ = ["invite_pages", "scan_code"]


def invite_pages() -> APIRouter:
    """Return the route of this page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/invite")
    async def invite(request: Request, table: str = "") -> Response:
        """The address as a code to scan, of the lobby or of one table."""
        visitor = await visitor_or_response(request)
        if isinstance(visitor, Response):
            return visitor
        tables = [one.live for one in await services_of(request).floor.load_all() if one.live.status != "closed"]
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

    return router


def scan_code(text: str) -> str:
    """Return a QR code as an SVG for a page: black on white, with the quiet zone that scanners need around it.

    >>> scan_code("http://192.168.1.20:8000/").startswith('<svg viewBox="0 0 33 33" class="qr"')
    True
    """
    code = segno.make(text, error="m", micro=False)
    return code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None)
