"""Verifies what a log says happened: every command is decided again with the dice it recorded.

`passline.store.verify` checks the chain and its seals; this module checks that the entries could have happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Any

from msgspec.structs import replace

from passline.authority.duties import name_of
from passline.game import commands as c
from passline.people.accounts import STREAM as PEOPLE
from passline.people.verify import PeopleCheck
from passline.refusal import Refused
from passline.store.checked_chain import CheckedChain
from passline.store.entry import Entry, Stored
from passline.store.genesis import HOUSE
from passline.store.once import Once
from passline.store.verify import Fault
from passline.streams.course import THE_HOUSE, Actor, Decision
from passline.streams.redecide import FORGED, Case, StreamCheck, differences, is_as_written, is_encoded_so
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.decide import decide
from passline.tables.dice.proofs import DiceProofs, ProofCheck
from passline.tables.duties import can_sign
from passline.tables.entries import TABLE, TABLE_CODEC, is_house, is_table
from passline.tables.events import TableEvent
from passline.tables.house import HouseState
from passline.tables.house_check import HouseCheck
from passline.tables.house_stream_check import HouseStreamCheck
from passline.tables.ledger_check import balance_faults
from passline.tables.live import LiveTable, fold
from passline.tables.newest_balances import NewestBalances
from passline.tables.opening import is_opened_alike
from passline.tables.rules_in_force import known_rulebook, rulebook_behind
from passline.tables.signed_entries import (
    is_by_server,
    is_for_server,
    may_be_signed_forms,
)
from passline.tables.terms import is_play_money
from passline.tables.text_days import TextDays, texts_brought
from passline.tables.track import SETTLED
from passline.tables.views.dealt_by import DealtBy
from passline.tables.wager_check import WagerCheck, WagerRun

_STRANGERS_MAX = 50
_COMPLETES_ROLL = b'"command":"complete-roll"'


def decision_faults(
    entries: Iterable[Stored],
    proofs: DiceProofs | None = None,
    dealt_by: DealtBy | None = None,
    also: Sequence[Callable[[LogCheck], HouseCheck[Any]]] = (),
) -> Iterator[Fault]:
    """Yield every entry that could not have happened as the log says, in the log's order.

    `proofs` counts electronic rolls; `dealt_by` collects which program and rulebook dealt what; `also` makes the checks
    of the parts above the tables.
    """
    check = LogCheck(proofs, dealt_by, also)
    for stored in entries:
        yield from (Fault(stored.entry.sequence, what) for what in check.entry_faults(stored))
        yield from check.stranger_faults()
    check.finish()


class LogCheck(StreamCheck[LiveTable]):
    """All streams of a log, folded entry by entry: tables and the house here, the others by checks of their own."""

    not_in_image = ("_wagers", "_runs", "_fit", "_waiting")

    def __init__(
        self,
        proofs: DiceProofs | None = None,
        dealt_by: DealtBy | None = None,
        also: Sequence[Callable[[LogCheck], HouseCheck[Any]]] = (),
        *,
        once: Once | None = None,
        chain: CheckedChain | None = None,
    ) -> None:
        super().__init__(TABLE_CODEC)
        self.dice = ProofCheck(proofs or DiceProofs(), once)
        self.dealt_by = dealt_by or DealtBy()
        self.froze: dict[str, int] = {}  # by table the sequence of its newest freeze
        self.balances: dict[str, NewestBalances] = {}
        self._house = HouseStreamCheck(self)
        self.texts = TextDays(self._house_day)
        self.people = PeopleCheck()
        self.chain = chain or CheckedChain()
        self.has_people = False
        self._wagers = WagerCheck()
        self._runs: dict[str, WagerRun] = {}  # by table
        self._fit: set[str] = set()  # accounts of players with nothing to be said against them now
        self.strangers: list[Fault] = []  # actors without an account: a fault only if the log has accounts at all
        self.also = [make(self) for make in also]
        self._waiting: list[HouseCheck[Any]] | None = None  # those of them that are waiting; None: ask them

    def entry_faults(self, stored: Stored) -> Iterator[str]:
        """Yield what is wrong with the next entry of the log, whatever its stream is."""
        found = self.wager_faults(stored.entry, stored.hash, is_sealed=bool(stored.seal))
        yield from self.faults_of_other(stored) if found is None else found

    def faults_of_other(self, stored: Stored) -> Iterator[str]:
        """Yield what is wrong with the next entry, which `wager_faults` has left."""
        entry, self._waiting = stored.entry, None
        try:
            if is_table(entry):
                self._end_run(entry.stream)
                yield from self.faults_of(stored)
            elif is_house(entry):
                self.end_runs()
                yield from self._house.faults_of(stored)
            elif entry.stream == PEOPLE:
                self.has_people = True
                self._fit.clear()
                yield from self.people.faults_of(stored)
            elif check := next((check for check in self.also if entry.stream.startswith(check.prefix)), None):
                yield from check.faults_of(stored)
            else:
                yield f"{entry.stream}: not a stream of a house"
        except FORGED as error:
            yield f"{entry.stream}: cannot be read: {error}"
        self.chain.add(stored.hash)
        if stored.seal:
            self.dice.note_sealed(entry.sequence)

    # Tables.

    def wager_faults(self, entry: Entry, hash_: bytes, *, is_sealed: bool) -> Sequence[str] | None:
        """Return what is wrong with the next entry if it makes a plain wager; None: `faults_of_other` tells.

        It moves chips as the engine alone says, so that the ledger is compared with the game at the next other entry.
        """
        try:
            run = self._runs.get(entry.stream) or self._begin_run(entry.stream)
            wager = self._wagers.wager_of(entry) if run is not None else None
            judgement = run.judgement_of(entry, wager) if run is not None and wager is not None else None
            if run is None or wager is None or judgement is None:
                return None
            if entry.actor not in self._fit and any(self._unfit_player(entry, wager.command, run.before)):
                return None
            if run.may_end and any(self.texts.faults_of_stake(run.before, wager.command, entry.at)):
                return None
        except FORGED:  # told by the check in every respect
            return None
        run.make(entry, wager, judgement)
        self.chain.add(hash_)
        if is_sealed:
            self.dice.note_sealed(entry.sequence)
        if self._waiting is None:
            self._waiting = [check for check in self.also if check.is_waiting]
        return list(self._waiting_faults(entry)) if self._waiting else ()

    def _waiting_faults(self, entry: Entry) -> Iterator[str]:
        """Yield what is wrong at the moment of a plain wager, by the parts that are waiting."""
        waiting, self._waiting = self._waiting or (), None
        try:
            for check in waiting:
                yield from check.pass_by_wager(entry)
        except FORGED as error:
            yield f"{entry.stream}: cannot be read: {error}"

    def _begin_run(self, stream: str) -> WagerRun | None:
        """Return the plain wagers at a table since its last other entry, none yet; None if the table is not known."""
        live = super().state(stream)
        if live is None:
            return None
        run = self._runs[stream] = WagerRun(live, may_end=self.texts.may_end(live.rulebook))
        return run

    def _unfit_player(self, entry: Entry, command: c.MakeWager, live: LiveTable) -> Iterator[str]:
        """Yield that a player lacked an account or the role."""
        yield from self.unfit_people(entry, command, is_demo=is_for_server(live, command), live=live)
        is_enough = not self.has_people and len(self.strangers) >= _STRANGERS_MAX  # of them are kept, until people come
        if is_enough or (self.has_people and self.people.is_fit_now(entry.actor, entry.role)):
            self._fit.add(entry.actor)

    def _end_run(self, stream: str) -> None:
        """Take the plain wagers at a table into what is known of it."""
        run = self._runs.pop(stream, None)
        if run is not None and run.wagers:
            self._states[stream] = after = run.table()
            self._note_dealt(run.first, run.last, len(run.wagers), after)
            self.balances[stream].add_wagers(run.before.version, run.wagers)
            for check in self.also:
                check.note_moment(run.last.at)

    def end_runs(self) -> None:
        """Fold all plain wagers that are still only noted into their tables."""
        for stream in list(self._runs):
            self._end_run(stream)

    def state(self, stream: str) -> LiveTable | None:
        """Return a table as far as it was checked."""
        self._end_run(stream)
        return super().state(stream)

    def finish(self) -> None:
        """Finish the checks at the end of the log."""
        self.end_runs()
        self.dice.finish()

    def case_of(self, stored: Stored, before: LiveTable | None) -> Case[LiveTable]:
        """Return an entry as it is to be decided again.

        The hundreds of events of a roll are not read if they are, byte by byte, what deciding it brings about.
        """
        if _COMPLETES_ROLL in bytes(stored.entry.command):
            with suppress(*FORGED):  # told by the check of what was read
                bare = Case(stored, TABLE_CODEC.command(stored.entry), (), before)
                decision = self.decide_again(bare)
                if is_encoded_so(decision, stored.entry):
                    return replace(bare, events=decision.events, decision=decision)
        return super().case_of(stored, before)

    def faults_of_people(self, case: Case[LiveTable]) -> Iterator[str]:
        """Yield who could not have given or signed the command."""
        entry, command, before = case.entry, case.command, case.before
        yield from self.unfit_people(entry, command, is_demo=is_for_server(before, command), live=before)
        yield from self._alone(entry, command)
        yield from self._of_themselves(entry, case.events)

    def faults_beyond(self, case: Case[LiveTable], after: LiveTable) -> Iterator[str]:
        """Yield dice, rulebooks, clearances, money and marks of an entry that the log does not bear out."""
        entry, events = case.entry, [event for event in case.events if type(event) not in SETTLED]
        yield from self.dice.faults_of(case.stored, case.command, events)
        yield from self._unkept_rulebooks(events)
        yield from self._untimely(case, events)
        yield from self._clearance_faults(entry, events, after)
        yield from balance_faults(after)
        if after.frozen is not None or any(isinstance(event, t.TableFrozen) for event in events):
            yield from self._screens_too_late(entry, events)
        if (entry.hand, entry.rules, entry.stream) != (after.hand, after.rules, f"{TABLE}{after.id}"):
            yield f"it says hand {entry.hand}, rules {entry.rules}; it is hand {after.hand}, rules {after.rules}"
        self._note_dealt(entry, entry, 1, after)
        self.balances.setdefault(entry.stream, NewestBalances()).add(after.version, after.balances)

    def _note_dealt(self, first: Entry, last: Entry, count: int, after: LiveTable) -> None:
        """Note which program dealt so many entries of a table."""
        self.dealt_by.table(after, first.sequence, last.sequence, count, is_kept=after.rulebook in self.kept_rulebooks)

    def decide_again(self, case: Case[LiveTable]) -> Decision | Refused:
        """Decide a command to a table again with the dice that it recorded, under the approvals of its moment."""
        entry, command, events = case.entry, case.command, case.events
        by = Actor(entry.actor, entry.actor, entry.role)
        if isinstance(command, k.SeatPlayer):  # the command holds what the server knew of the account
            by = Actor(entry.actor, command.name, entry.role, is_employee=command.is_employee)
        digest = next(iter(texts_brought(events)), "")
        first: Decision | Refused | None = None
        for approvals in self._house.approvals(entry.at):
            again = decide(
                case.before,
                command,
                by=by,
                at=entry.at,
                approvals=approvals,
                signed_by=entry.signed_by,
                recorded=self.dice.recorded_dice(events),
                rulebooks=lambda name: rulebook_behind(digest, name),  # an old log keeps none
                odds=self.house.odds if self.house else None,  # a real log begins with the house
            )
            if is_as_written(again, command, events):
                return again
            first = first or again
        assert first is not None
        return first

    def fold(self, case: Case[LiveTable]) -> LiveTable:
        """Return the table after an entry as it is written."""
        return fold(case.before, case.command, case.events)

    def differences(self, case: Case[LiveTable], decision: Decision | Refused, after: LiveTable) -> Iterator[str]:
        """Yield where an entry differs from what is decided now, but for a rulebook that nobody kept."""
        is_known = known_rulebook(after.rulebook, after.house["rules"]) is not None
        hint = "" if is_known else "; its rulebook was another one then"
        found = differences(case.entry, case.command, case.events, decision, is_opened_alike)
        return (f"{what}{hint}" for what in found)

    def _screens_too_late(self, entry: Entry, events: Sequence[TableEvent]) -> Iterator[str]:
        """Yield screens that are said to have shown, before a freeze, an entry that came after it."""
        for event in events:
            if isinstance(event, t.TableFrozen):
                self.froze[entry.stream] = entry.sequence
            if isinstance(event, t.TableFrozen | t.ScreensShown):
                froze = self.froze.get(entry.stream, 0)
                for seat, last in event.shown.items():
                    if last >= froze:
                        shown = f"seat {seat} is said to have been shown entry {last}"
                        yield f"{shown} before the freeze, entry {froze}"

    @property
    def house(self) -> HouseState | None:
        """The house as far as it was checked."""
        return self._house.state(HOUSE)

    @property
    def kept_rulebooks(self) -> Mapping[str, int]:
        """The rulebooks that the log keeps so far."""
        return self.house.rulebooks if self.house else {}

    def _unkept_rulebooks(self, events: Sequence[TableEvent]) -> Iterator[str]:
        """Yield a fault if a table comes under a rulebook that the log does not keep; old logs keep none at all."""
        for digest in texts_brought(events):
            if self.kept_rulebooks and digest not in self.kept_rulebooks:
                yield f"the table comes under the rulebook {digest}, which the log does not keep"

    def _untimely(self, case: Case[LiveTable], events: Sequence[TableEvent]) -> Iterator[str]:
        """Yield what a table takes, or comes under, on a day that is not of the text."""
        at, is_house = case.entry.at, case.entry.actor == THE_HOUSE.account
        for digest in texts_brought(events):
            is_by_house = is_house and isinstance(case.command, k.AdoptRulebook)
            before = case.before.rulebook if case.before else ""
            yield from self.texts.faults_of_text(digest, before, at, is_by_house=is_by_house)
        if case.before is not None:
            yield from self.texts.faults_of_stake(case.before, case.command, at)

    def _house_day(self, name: str, at: str) -> date | None:
        """Return the calendar day of the house for a regulation, where an office of it says where it is."""
        days = (check.day_of(name, at) for check in self.also)
        return next((day for day in days if day is not None), None)

    def _clearance_faults(self, entry: Entry, events: Sequence[TableEvent], after: LiveTable) -> Iterator[str]:
        """Yield a table for money that opened or changed its house without its office, though that is kept here."""
        for check in self.also:
            yield from check.table_faults(entry, events)
        is_here = self.house is not None and self.house.office == "here"
        for event in events:
            if not is_here or not isinstance(event, t.TableOpened | t.HouseChanged) or event.clearance:
                continue
            if not is_play_money(after):
                does = "opened" if isinstance(event, t.TableOpened) else "changed its house"
                yield f"the table {does} without the office's clearance"

    # People.

    def stranger_faults(self) -> Iterator[Fault]:
        """Yield who acted without an account, once it is clear that this log has accounts."""
        if self.has_people:
            yield from self.strangers
            self.strangers.clear()

    def unfit_people(
        self,
        entry: Entry,
        command: Any,  # noqa: ANN401 - of any stream
        *,
        is_demo: bool,
        live: LiveTable | None = None,
    ) -> Iterator[str]:
        """Yield a fault if actor or signer lacked an account or the role for it; the server itself needs none."""
        if not self.has_people and len(self.strangers) >= _STRANGERS_MAX:
            return
        by = Actor(entry.actor, entry.actor, entry.role)
        is_server = is_by_server(entry, is_demo=is_demo)
        told = self.people.unfit_people(
            entry,
            command,
            is_server=is_server,
            may_sign=lambda account: can_sign(command, by, account.id, account.roles, live=live),
            signed=may_be_signed_forms(command) if entry.signed_by else (),
        )
        if self.has_people:
            yield from told
        else:
            self.strangers += (Fault(entry.sequence, what) for what in told)

    def _alone(self, entry: Entry, command: TableCommand) -> Iterator[str]:
        """Yield a fault if an owner acted alone where there was another one to sign."""
        people = self.people.people
        if getattr(command, "is_sole_owner", False) and people is not None:
            owners = sorted(owner.id for owner in people.owners())
            if owners != [entry.actor]:
                yield f"{name_of(command)} is by {entry.actor} as the only owner; the owners are {', '.join(owners)}"

    def _of_themselves(self, entry: Entry, events: Sequence[TableEvent]) -> Iterator[str]:
        """Yield a fault if somebody ruled that a walk-in with a name like their own is not them."""
        people = self.people.people
        for event in [event for event in events if type(event) is t.EmployeeRuledOut]:
            for who in filter(None, (entry.actor, entry.signed_by)):
                account = people.accounts.get(who) if people is not None else None
                if account is not None and account.name == event.resembles:
                    yield f"that {event.name} is not {account.name} was ruled by {account.name}: another must look"
