"""How the server answers: JSON by msgspec, and refusals that say what broke and what to do, never a stack trace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from passline.game.refusal import Refusal, Refused
from passline.people.attempts import Wait

__all__ = [
    "BODY_MAX",
    "Denied",
    "decoded",
    "denied",
    "json_answer",
    "read_body",
    "refusals_answer",
    "too_long",
    "waiting",
]

BODY_MAX = 64 * 1024
"""The most bytes of a request's body, and of a message of a websocket."""


_SOURCES = {500: "server", 503: "log"}


class Denied(Exception):
    """A request that is refused, with the status of HTTP and every reason."""

    def __init__(self, status: int, refusals: Iterable[Refusal], *, headers: dict[str, str] | None = None) -> None:
        self.status = status
        self.headers = headers
        self.refusals = tuple(refusals)
        super().__init__("; ".join(one.why for one in self.refusals))


def denied(status: int, why: str, clause: str = "") -> Denied:
    """Give a refusal of one reason, to be raised; where it names no clause, the status says whose word it is.

    >>> denied(422, "seat: x is not a whole number").refusals[0].clause
    'form'
    """
    return Denied(status, (Refusal(clause or _SOURCES.get(status, "form"), why),))


def too_long() -> Denied:
    """Give the refusal of a request with too long a body, to be raised."""
    return denied(413, f"a request has at most {BODY_MAX} bytes; send less")


def waiting(wait: Wait) -> Denied:
    """Give the refusal of somebody who tried too often, to be raised: when to come back is in a header too."""
    return Denied(429, (Refusal("people", str(wait)),), headers={"Retry-After": str(wait.seconds)})


def json_answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Answer with JSON."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(body, status_code=status, media_type="application/json", headers=headers)


def refusals_answer(refused: Refused | Denied, status: int = 409, headers: dict[str, str] | None = None) -> Response:
    """Answer with refusals: `{"refusals":[{"clause","why"}]}`."""
    told = {"refusals": [{"clause": one.clause, "why": one.why} for one in refused.refusals]}
    if isinstance(refused, Denied):
        status, headers = refused.status, headers or refused.headers
    return json_answer(told, status, headers)


async def read_body(request: Request, decoder: msgspec.json.Decoder[Any]) -> Any:  # noqa: ANN401 - the decoder's own type
    """Read a body by its decoder; one that is too long or not what it should be is refused with the reason."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_MAX:
            raise too_long()
    return decoded(bytes(body), decoder)


def decoded(body: bytes | str, decoder: msgspec.json.Decoder[Any]) -> Any:  # noqa: ANN401 - the decoder's own type
    """Decode JSON, or refuse it with where it is wrong."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise denied(422, f"the request is not understood: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise denied(400, f"the request is no JSON: {error}") from None
