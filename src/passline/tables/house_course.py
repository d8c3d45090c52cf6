"""How the stream of the house runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from passline.game.refusal import Refusal, Refused
from passline.store.entry import Head, Stored
from passline.tables.approvals import Approvals
from passline.tables.stream import Ask, Happened, Ruling

__all__ = ["HouseCourse", "HouseState"]


class HouseState(Struct, frozen=True):
    approvals: Approvals = Approvals()


class HouseCourse:
    def judge(self, state: HouseState | None, ask: Ask, at: str) -> Ruling | Refused:
        return Refused((Refusal("", "not yet"),))

    def written(self, judged: int) -> None:
        pass

    def read(self, stored: Stored) -> Sequence[Any]:
        return msgspec.json.decode(stored.entry.events)

    def fold(self, state: HouseState | None, stored: Stored, events: Sequence[Any]) -> HouseState:
        return state or HouseState()

    def lines(self, before, after, events, by) -> tuple[str, ...]:
        return ()

    def encode(self, state: HouseState) -> bytes:
        return msgspec.json.encode(state)

    def decode(self, state: bytes) -> HouseState:
        return msgspec.json.decode(state, type=HouseState)

    def publish(self, happened: Sequence[Happened], *, begun: int, head: Head) -> None:
        pass
