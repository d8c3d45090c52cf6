"""What a server answers: a receipt, refusals with their clauses, or nothing in time."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any

from msgspec import Struct

from passline.errors import CrapsError
from passline.refusal import Refusal

_RETRY_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)


class RequestRefused(CrapsError):
    """The server refused a request: every clause, and the HTTP status."""

    def __init__(self, refusals: tuple[Refusal, ...], status: int = 0) -> None:
        self.refusals = refusals
        self.status = status
        super().__init__("; ".join(str(refusal) if refusal.clause else refusal.why for refusal in refusals))


class Unreachable(CrapsError):
    """The server did not answer in time. A command may have been carried out: send it again under the same id."""


class Receipt(Struct, frozen=True):
    """The server's receipt for a command that is in the log."""

    id: str
    sequence: int
    head: dict[str, Any]
    lines: tuple[str, ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    hash: str = ""  # of the entry itself


def refusals_in(answer: Any) -> tuple[Refusal, ...]:  # noqa: ANN401 - any JSON
    """Return the refusals in an answer, if it has any."""
    found = answer.get("refusals", ()) if isinstance(answer, dict) else ()
    return tuple(Refusal(refusal["clause"], refusal["why"]) for refusal in found)


def retry_waits(end: float) -> Iterator[float]:
    """Yield how long to wait before each retry, until `end`."""
    tries = 0
    while True:
        yield _RETRY_SECONDS[min(tries, len(_RETRY_SECONDS) - 1)]
        tries += 1
        if monotonic() > end:
            return
