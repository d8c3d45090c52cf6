"""A log whose commits can lose their answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from passline.store.entry import Draft, Stored
from passline.store.log import AppendResult, CommitInDoubt, LogError
from passline.store.memory import MemoryLog


class DoubtfulLog(MemoryLog):
    """A log in memory. `lose` makes the next commits doubtful: done without an answer, or not done."""

    loss: Literal["request", "answer", "down"] = "request"
    times = 0

    def lose(self, loss: Literal["request", "answer", "down"], times: int) -> None:
        self.loss, self.times = loss, times

    def append(self, drafts: Sequence[Draft]) -> list[AppendResult]:
        if self.times:
            self.times -= 1
            if self.loss == "answer":
                super().append(drafts)
            if self.loss == "down":
                raise LogError("the database is away")
            raise CommitInDoubt("the connection was lost")
        return super().append(drafts)

    def find_decided(self, stream: str, actor: str, id: str, *, gives_up: bool = False) -> Stored | None:  # noqa: A002 - as Log has it
        if self.times:
            raise LogError("the database is away")
        return super().find_decided(stream, actor, id, gives_up=gives_up)
