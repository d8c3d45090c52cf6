"""What was done in an office, act by act: who recorded it, who signed, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.figures import Correction


class ActSignature(Struct, frozen=True):
    """A signature under an act."""

    part: str
    by: str  # the account
    name: str
    role: str
    at: str
    clause: str
    fields: dict[str, Any] = {}  # a second count


class RecordedAct(Struct, frozen=True, kw_only=True):
    """An act with all that came of it."""

    done: e.ActDone
    at: str  # when it was recorded
    signatures: tuple[ActSignature, ...] = ()
    completed: str = ""  # when it took effect
    voided: str = ""  # when it was taken back
    reason: str = ""  # why it was
    result: e.ActCompleted | None = None
    corrected_by: tuple[int, ...] = ()  # the acts that have put right what it said, as far as they are looked at

    @property
    def correction(self) -> Correction | None:
        """What it has put right, if it is a correction."""
        return self.result.corrects if self.result else None

    @property
    def status(self) -> str:
        """Its status: done, waiting to be signed, or taken back."""
        return "taken back" if self.voided else "done" if self.completed else "waits"

    @property
    def marked_status(self) -> str:
        """Its status, with a mark if it was recorded late."""
        if not (self.done.moments or self.done.slip or self.done.teller):
            return self.status
        slip = f", from manual slip {self.done.slip}" if self.done.slip else ""
        teller = f", told by {self.done.teller} for {self.done.name}" if self.done.teller else ""
        return f"{self.status}{', told late' if self.done.is_late else ''}{slip}{teller}"


def recorded_acts(events: Iterable[tuple[str, e.ActEvent]]) -> dict[int, RecordedAct]:
    """Return the acts of an office by their numbers, from its events with their moments."""
    acts: dict[int, RecordedAct] = {}
    for at, event in events:
        match event:
            case e.ActDone():
                acts[event.number] = RecordedAct(done=event, at=at)
            case e.ActSigned():
                act = acts[event.number]
                signed = ActSignature(event.part, event.by, event.name, event.role, at, event.clause, event.fields)
                acts[event.number] = replace(act, signatures=(*act.signatures, signed))
            case e.ActCompleted():
                if event.number in acts:  # else only what it corrects is looked at
                    acts[event.number] = replace(acts[event.number], completed=at, result=event)
                if event.corrects is not None and (first := acts.get(event.corrects.first)):
                    by = (*first.corrected_by, event.number)
                    acts[event.corrects.first] = replace(first, corrected_by=by)
            case e.ActVoided():
                acts[event.number] = replace(acts[event.number], voided=at, reason=event.reason)
            case _:
                pass
    return acts


def acts_named(event: e.ActEvent) -> tuple[int, ...]:
    """Return the numbers of the acts that an event is about: its own, and the one that it puts right."""
    match event:
        case e.ActDone():
            return (event.number,)
        case e.ActCompleted():
            return (event.number, event.corrects.first) if event.corrects is not None else (event.number,)
        case e.ActSigned() | e.ActVoided():
            return (event.number,)
        case e.LedgerTold():
            return (event.act,)
        case _:
            return ()
