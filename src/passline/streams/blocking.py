"""A stream with blocking calls, for threads that may wait, such as those that hash passwords."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from passline.refusal import Refusal, Refused
from passline.store.log import Conflict, Known, TooLate
from passline.store.sealed import Log
from passline.streams.course import Answer, Ask, Course
from passline.streams.replica import Replica, clock_fault
from passline.streams.writer import append_settled

State = TypeVar("State")
_TRIES = 20  # at writing a decision while other processes write theirs


class BlockingStream(Replica[State]):
    """A stream whose calls come from any thread, and see what other processes wrote before they answer."""

    def __init__(self, name: str, course: Course[State], *, log: Log, clock: Callable[[], str]) -> None:
        super().__init__(name, course, log=log, clock=clock)
        self._reading, self._writing = Lock(), Lock()

    def newest(self) -> State | None:
        """Return the state that is in the log now."""
        return self._read_on()[0]

    def ask(self, ask: Ask) -> Answer | Refused:
        """Decide a command on the newest state and write it; if another process was quicker, decide it again.

        Raise InDoubt if it is not known whether it was written, and LogError if nothing was.
        """
        for _ in range(_TRIES):
            with self._writing:
                state, version = self._read_on()
                at = self._now()
                # Looked up after reading: if another process writes this id later, `append` finds it.
                if (known := self._log.find(self.name, ask.by.account, ask.id)) is not None:
                    self._read_on()
                    return self._answer_again(ask, known, self._log.head())
                if refused := clock_fault(self._clock, ask):
                    return refused
                decision = self._course.decide(state, ask, at)
                if isinstance(decision, Refused):
                    return decision
                (result,) = append_settled(self._log, [self._draft(ask, decision, state, at=at, expected=version)])
            if isinstance(result, TooLate):
                self._log_newest = result.at
            elif not isinstance(result, Conflict | Known):
                self._read_on()
                return self._answer(ask, self._as_happened(result.stored, decision.events, state), result.head)
        return Refused((Refusal("log", "too many others are writing; try again"),))

    def _read_on(self) -> tuple[State | None, int]:
        """Fold what is new in the log; return the state and its version."""
        with self._reading:
            self._fold(self._log.read_stream(self.name, after=self.version))
            return self.state, self.version
