"""`Trial`: a stream in memory with people and a clock of its own, to learn it, and to try its rules while they grow.

Everything is decided as a server decides it, and nothing is kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from passline.refusal import Refused
from passline.streams.course import Actor, Ask, Decision

State = TypeVar("State")


class Done(Struct, frozen=True):
    """A command that was not refused: its moment, what was asked and by whom, and what it brought about."""

    at: str
    ask: Ask
    events: tuple[Any, ...]


class Trial(ABC, Generic[State]):
    """A stream that is tried out: `at` is its clock, `done` what was decided so far.

    Offices and tournaments are tried by subclasses of it; tests/streams/test_one_mechanism.py finds another trial.
    """

    state: State

    def __init__(self, at: str) -> None:
        self.at = at
        self.done: list[Done] = []

    @abstractmethod
    def actor(self, name: str) -> Actor:
        """Return somebody by their name; without one, the server itself."""

    @abstractmethod
    def decide(self, ask: Ask) -> Decision | Refused:
        """Decide a command as the stream's course does."""

    @abstractmethod
    def lines(self, events: Sequence[Any]) -> tuple[str, ...]:
        """Return what happened in words."""

    def send(self, command: object, by: str = "", signed_by: str = "") -> Refused | tuple[Any, ...]:
        """Send a command by somebody, or as the server does by itself; return its events, or why it is refused."""
        ask = Ask(f"id-{len(self.done) + 1}", command, self.actor(by), signed_by)
        decision = self.decide(ask)
        if isinstance(decision, Refused):
            return decision
        self.state = decision.after
        self.done.append(Done(self.at, ask, tuple(decision.events)))
        return self.done[-1].events

    def tell(self, command: object, by: str = "", signed_by: str = "") -> str:
        """Send a command; return in words what came of it."""
        answer = self.send(command, by, signed_by)
        if isinstance(answer, Refused):
            return "\n".join(f"refused: {refusal}" for refusal in answer.refusals)
        return "\n".join(self.lines(answer))
