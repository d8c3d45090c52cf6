"""The API of documents: attach one to the office by its digest, and get it back as it was."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from passline.store.log import LogError
from passline.web.api.openapi import refusals
from passline.web.auth.visitors import require_visitor
from passline.web.server.responses import DOCUMENT_MAX, DOCUMENTS, denial, json_response, too_long
from passline.web.server.services import services_of

__all__ = ["router"]

router = APIRouter(tags=["office"])
"""The routes of documents."""
_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
_Digest = Annotated[str, Path(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$", examples=["ab" * 32])]


@router.post(DOCUMENTS, status_code=201, openapi_extra=_BODY, responses=refusals(401, 403, 413, 415, 422, 503))
async def attach(request: Request) -> Response:
    """Store a document, such as a scanned letter; the answer has the digest by which acts name it."""
    await require_visitor(request)
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > DOCUMENT_MAX:
            raise too_long(DOCUMENT_MAX)
    if not data:
        raise denial(422, "the document is empty", "office")
    digest = await asyncio.to_thread(services_of(request).documents.put, bytes(data))
    return json_response({"digest": digest, "bytes": len(data)}, 201)


@router.get(f"{DOCUMENTS}/{{digest}}", responses=refusals(401, 403, 404, 409, 422))
async def document(request: Request, digest: _Digest) -> Response:
    """Return a document as it was stored. One that was changed since is refused."""
    await require_visitor(request)
    try:
        data = await asyncio.to_thread(services_of(request).documents.read, digest)
    except LogError as error:
        raise denial(409, error.public, "office") from None
    if data is None:
        raise denial(404, f"there is no document {digest}; attach it first", "office")
    headers = {"Content-Disposition": f'attachment; filename="{digest[:12]}"', "X-Content-Type-Options": "nosniff"}
    return Response(data, media_type="application/octet-stream", headers=headers)
