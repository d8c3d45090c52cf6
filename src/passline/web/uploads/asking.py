"""Asks the process that reads uploads, so that no text of somebody's holds the event loop up."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from passline.side_processes import SideProcess, pack_question
from passline.web.auth.visitors import Visitor
from passline.web.server.responses import json_response
from passline.web.server.services import services_of
from passline.web.uploads.questions import Question

_SECONDS = 20.0  # within the bounds of a text nothing takes a tenth of it
_STATUS_LENGTH = 3
_readers = SideProcess("passline.web.uploads.checks:answer_packed", seconds=_SECONDS)


async def answer_upload(request: Request, visitor: Visitor, question: Question) -> Response:
    """Return the answer to a question about an upload, once it is its turn.

    Raise Denied with Retry-After if too many wait already, of this account or in all, and TooSlow if it takes too long.
    """
    given = pack_question(question)
    answer = await services_of(request).pools.uploads.run(lambda: _readers.do(given), address=visitor.account)
    return json_response(answer[_STATUS_LENGTH:], int(answer[:_STATUS_LENGTH]))
