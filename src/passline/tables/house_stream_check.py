"""`HouseStreamCheck`: decides the stream of the house again, and checks what the log says there of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from passline.people.verify import still_known_until
from passline.refusal import Refused
from passline.rules.pages.texts import unpacked_pages
from passline.store.checked_chain import CheckedChain
from passline.store.entry import Entry, Head, Stored
from passline.store.genesis import HOUSE, KeyRotated, LogBegun, LogRestored, OwnEvent
from passline.store.keys import bytes_of_hex
from passline.streams.course import Decision
from passline.streams.redecide import Case, StreamCheck, differences
from passline.tables import house
from passline.tables.approvals import Approvals
from passline.tables.commands import KeepRulebook
from passline.tables.dice.proofs import ProofCheck
from passline.tables.entries import HOUSE_CODEC
from passline.tables.house import HouseState
from passline.tables.house_events import ShiftClosed
from passline.tables.ledger_check import checkpoint_faults
from passline.tables.newest_balances import NewestBalances
from passline.tables.text_days import TextDays
from passline.tables.views.dealt_by import DealtBy


class _Log(Protocol):
    """What the check of a log's tables knows that the house is held against."""

    dice: ProofCheck
    dealt_by: DealtBy
    texts: TextDays
    chain: CheckedChain
    balances: dict[str, NewestBalances]  # by the stream of a table

    def unfit_people(self, entry: Entry, command: object, *, is_demo: bool) -> Iterator[str]: ...


class HouseStreamCheck(StreamCheck[HouseState]):
    """Checks the entries of the house. After one that cannot be decided again the next is checked as well."""

    def __init__(self, log: _Log) -> None:
        super().__init__(HOUSE_CODEC)
        self.log = log
        self._public_key = b""
        self._replaced: list[tuple[str, Approvals]] = []  # earlier approvals, and until when a server may go by them

    def approvals(self, at: str) -> Iterator[Approvals]:
        """Yield the approvals in force by the log's order, then earlier ones a server could still have gone by."""
        state = self.state(HOUSE)
        yield state.approvals if state else Approvals()
        yield from (old for until, old in reversed(self._replaced) if at < until)

    def faults_of(self, stored: Stored) -> Iterator[str]:
        """Yield what is wrong with the next entry of the house."""
        events, before = HOUSE_CODEC.events(stored.entry), self.state(HOUSE)
        if not events:
            yield "house: brings about nothing"
        elif len(events) == 1 and isinstance(own := events[0], OwnEvent):
            self._states[HOUSE] = house.fold(before, events)
            yield from self._faults_of_own(stored.entry, own)
        else:
            try:
                yield from super().faults_of(stored)
            finally:
                if self.is_lost(HOUSE):
                    self._lost.clear()
                    self._states[HOUSE] = house.fold(before, events)

    def _faults_of_own(self, entry: Entry, own: OwnEvent) -> Iterator[str]:
        """Yield what is wrong with an entry in which the log says something of itself."""
        if isinstance(own, LogBegun):
            self._public_key = bytes.fromhex(own.public_key)
            if entry.sequence != 1:
                yield "a log can begin only once"
            return
        if isinstance(own, KeyRotated):  # proved in passline.store.verify
            self._public_key = bytes.fromhex(own.new_key)
        elif isinstance(own, LogRestored):
            self.log.dice.note_restored()
        yield from self.log.chain.faults_of(entry, own)

    def case_of(self, stored: Stored, before: HouseState | None) -> Case[HouseState]:
        """Return an entry as it is to be decided again; a rulebook that it keeps is known from here on."""
        case = super().case_of(stored, before)
        if isinstance(case.command, KeepRulebook):
            self.log.texts.keep(unpacked_pages(case.command.name, case.command.pages))
        return case

    def faults_of_people(self, case: Case[HouseState]) -> Iterator[str]:
        """Yield who could not have given or signed the command."""
        yield from self.log.unfit_people(case.entry, case.command, is_demo=True)  # a demo files its own approvals

    def decide_again(self, case: Case[HouseState]) -> Decision | Refused:
        """Decide a command to the house again; a checkpoint is of the head, and signed, as it says itself."""
        closed = next((event for event in case.events if isinstance(event, ShiftClosed)), None)
        return house.decide(
            case.before or HouseState(),
            case.command,
            by=self.actor_of(case.entry),
            at=case.entry.at,
            head=Head(closed.sequence, closed.hash, "") if closed else None,
            tables=(),
            sign=lambda _message: bytes_of_hex(closed.signature) if closed else b"",
            signed_by=case.entry.signed_by,
        )

    def fold(self, case: Case[HouseState]) -> HouseState:
        """Return the house after an entry as it is written."""
        return house.fold(case.before, case.events)

    def differences(self, case: Case[HouseState], decision: Decision | Refused, _after: HouseState) -> Iterator[str]:
        """Yield where an entry differs from what is decided now; a checkpoint is left to `faults_beyond`."""
        return differences(case.entry, case.command, case.events, decision, _is_alike)

    def faults_beyond(self, case: Case[HouseState], after: HouseState) -> Iterator[str]:
        """Remember approvals as they were: a server may go by them for a while. Yield checkpoints of another log."""
        before = case.before or HouseState()
        self.log.dealt_by.house(case.events)
        if after.approvals != before.approvals:
            self._replaced.append((still_known_until(case.entry.at), before.approvals))
        for closed in case.events:
            if isinstance(closed, ShiftClosed):
                yield from checkpoint_faults(closed, before, self._public_key, self.log.balances)
                if (
                    not 0 < closed.sequence < case.entry.sequence
                    or self.log.chain.hash_of(closed.sequence) != closed.hash
                ):
                    yield f"the checkpoint of shift {closed.shift} is of another log at sequence {closed.sequence}"


def _is_alike(_command: object, now: object, then: object) -> bool:
    return now == then or (isinstance(now, ShiftClosed) and isinstance(then, ShiftClosed))
