"""Responses: JSON by msgspec, and refusals that say what is wrong and what to do, never a stack trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from passline.bounded_text import TEXT_MAX, TooLarge, check_json
from passline.people.attempts import Wait
from passline.people.second_factor import CLAUSE, Challenge, SecondFactorNeeded
from passline.refusal import Refusal, Refused
from passline.streams.course import Answer
from passline.streams.projection_runner import AsOf
from passline.web.server.loop_load import TOO_BUSY

BODY_MAX = TEXT_MAX
"""The most bytes in the body of a request, and in a message to a websocket."""
DOCUMENT_MAX = 16 * 1024 * 1024
"""The most bytes in a document of the office."""
DOCUMENTS = "/api/office/documents"
"""The address to which documents are sent."""
_SOURCES = {500: "server", 503: "log"}
T = TypeVar("T")


class Denied(Exception):
    """A refused request, with its HTTP status and every reason."""

    def __init__(
        self,
        status: int,
        refusals: Iterable[Refusal],
        *,
        headers: dict[str, str] | None = None,
        in_doubt: bool | None = None,
        second_factor: Challenge | None = None,
    ) -> None:
        self.second_factor = second_factor  # what an authenticator is to sign before the same is sent again
        self.status = status
        self.headers = headers
        self.in_doubt = in_doubt  # whether it is not known if the request was done; None: its status tells
        self.refusals = tuple(refusals)
        super().__init__("; ".join(refusal.why for refusal in self.refusals))


def denial(status: int, why: str, clause: str = "") -> Denied:
    """Return a refusal with one reason, to be raised. Without a clause, the status says where it comes from.

    >>> denial(422, "seat: x is not a whole number").refusals[0].clause
    'form'
    """
    return Denied(status, (Refusal(clause or _SOURCES.get(status, "form"), why),))


def body_max(path: str) -> int:
    """Return the most bytes in the body of a request to an address: only documents may be long."""
    return DOCUMENT_MAX if path == DOCUMENTS else BODY_MAX


def too_long(most: int = BODY_MAX) -> Denied:
    """Return the refusal of a body that is too long, to be raised."""
    return denial(413, f"a request has at most {most} bytes; send less")


def too_many_attempts(wait: Wait) -> Denied:
    """Return the refusal of somebody who tried too often, to be raised. Retry-After says when to try again."""
    return Denied(429, (Refusal("people", str(wait)),), headers={"Retry-After": str(wait.seconds)})


def second_factor_denial(needed: SecondFactorNeeded) -> Denied:
    """Return the refusal, to be raised, of a signature by name and PIN that takes an authenticator too."""
    return Denied(403, (Refusal(CLAUSE, str(needed)),), second_factor=needed.challenge)


def too_busy() -> Denied:
    """Return the refusal of a command for which there is no room, to be raised. Nothing was done."""
    return Denied(503, (Refusal("site", TOO_BUSY),), headers={"Retry-After": "2"}, in_doubt=False)


def json_response(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a response of JSON."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(body, status_code=status, media_type="application/json", headers=headers)


def page_response(fields: dict[str, Any], seen: AsOf) -> Response:
    """Return what was read of the log's views, with the entry up to which they were read."""
    return json_response({**fields, **msgspec.structs.asdict(seen)})


def refusals_response(
    refused: Refused | Denied, headers: dict[str, str] | None = None, *, in_doubt: bool | None = None
) -> Response:
    """Return a response of refusals: `{"refusals":[{"clause","why"}]}`.

    `in_doubt` is sent when the log failed: whether it is not known if the request was done.
    """
    told = [{"clause": refusal.clause, "why": refusal.why} for refusal in refused.refusals]
    if in_doubt is None and isinstance(refused, Denied):
        in_doubt = refused.in_doubt
    body: dict[str, Any] = {"refusals": told} | ({} if in_doubt is None else {"in_doubt": in_doubt})
    if isinstance(refused, Denied) and refused.second_factor:
        body["second_factor"] = refused.second_factor
    if isinstance(refused, Denied):
        return json_response(body, refused.status, headers or refused.headers)
    return json_response(body, 409, headers)


def answer_response(answer: Answer | Refused, status: int = 200) -> Response:
    """Return the response to a command: its receipt under this status, or why it was refused."""
    return refusals_response(answer) if isinstance(answer, Refused) else json_response(answer, status)


async def read_body(request: Request, type_: type[T], *, default: Callable[[], T] | None = None) -> T:
    """Read and decode a request's body. Raise Denied if it is too long or cannot be decoded.

    With `default`, there need not be one.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_MAX:
            raise too_long()
    if default is not None and not body:
        return default()
    return decode_body(bytes(body), msgspec.json.Decoder(type_))


def decode_body(body: bytes | str, decoder: msgspec.json.Decoder[T]) -> T:
    """Decode JSON within the bounds. Raise Denied with the place of the fault, or what is too large."""
    try:
        check_json(body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body)
        return decoder.decode(body)
    except TooLarge as error:
        raise denial(422, f"the request is not read: {error}") from None
    except msgspec.ValidationError as error:
        raise denial(422, f"the request is not understood: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise denial(400, f"the request is not JSON: {error}") from None
