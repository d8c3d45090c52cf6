"""Verifying the tables of a log: every decision is judged again with the faces it recorded, and must come out the same.

The chain and its seals are `passline.store.verify`'s business; here it is whether what is written could have happened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace

from passline.dice import Roll
from passline.errors import CrapsError
from passline.game import events as e
from passline.game.refusal import Refused
from passline.people.accounts import HOUSE as SERVER
from passline.people.accounts import STREAM as PEOPLE
from passline.people.accounts import Account
from passline.people.verify import PeopleReplay, still_known_until
from passline.store.entry import Entry, Head, Stored
from passline.store.genesis import LogBegun
from passline.store.keys import is_signed
from passline.store.verify import Fault
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approvals
from passline.tables.commands import TableCommand
from passline.tables.decide import Judged, judge
from passline.tables.duties import Actor, name_of, needs_signature, unfit_signature
from passline.tables.entries import TABLE, house_command, house_events, is_house, is_table, table_command, table_events
from passline.tables.events import TableEvent
from passline.tables.house import HouseState, JudgedHouse, checkpoint_message, fold_house, judge_house
from passline.tables.ledger import balances_of
from passline.tables.live import LiveTable, fold, rulebook_digest

__all__ = ["replay_faults"]

_BEYOND = frozenset({"cage", "count", "crew", "patron"})  # accounts beyond the table's edge
_BALANCES_KEPT = 1_000  # versions of a table; a checkpoint names one that was the newest when its shift was closed
_HASH = 32
_COMPUTER = "computer-"  # the accounts of a demonstration's computer players
_STRANGERS_MAX = 50
# What no table could have led to raises one of these when it is folded or judged.
_FORGED = (
    AssertionError,
    AttributeError,
    CrapsError,
    LookupError,
    TypeError,
    ValueError,
)
_SHOWN = 160  # characters of an event in a message


def replay_faults(entries: Iterable[Stored]) -> Iterator[Fault]:
    """Give everything that the tables and the house could not have done as the log says, in its order."""
    replay = _Replay()
    for stored in entries:
        yield from (Fault(stored.entry.sequence, what) for what in replay.faults_of(stored))
        yield from replay.strangers_told()


class _Table(Struct):
    """One table as far as it was replayed."""

    live: LiveTable | None = None
    is_lost: bool = False  # an entry could not be folded: nothing after it can be checked
    froze: int = 0  # the sequence of its newest freeze
    balances: deque[tuple[int, dict[str, int]]] = deque()


class _Replay:
    """All streams of a log, folded along."""

    def __init__(self) -> None:
        self.tables: dict[str, _Table] = {}
        self.house: HouseState | None = None
        self.people = PeopleReplay()
        self.public_key = b""
        self.hashes = bytearray()
        self.replaced: list[tuple[str, Approvals]] = []  # approvals as they were, and until when that counts
        self.has_people = False
        self.strangers: list[Fault] = []  # who acted before anybody had an account: a fault, if anybody ever has

    def faults_of(self, stored: Stored) -> Iterator[str]:
        entry = stored.entry
        try:
            if is_table(entry):
                yield from self._table(entry)
            elif is_house(entry):
                yield from self._house(entry)
            elif entry.stream == PEOPLE:
                self.has_people = True
                yield from self.people.faults_of(entry)
            else:
                yield f"{entry.stream}: no stream of a house"
        except (MsgspecError, *_FORGED) as error:
            yield f"{entry.stream}: cannot be read: {error}"
            self.tables.setdefault(entry.stream, _new()).is_lost = True
        self.hashes += stored.hash

    # Tables.

    def _table(self, entry: Entry) -> Iterator[str]:
        table = self.tables.setdefault(entry.stream, _new())
        if table.is_lost:
            return
        command, events, before = table_command(entry), table_events(entry), table.live
        yield from _unsigned(entry, command, is_demo=before is not None and before.is_demo)
        yield from self._strange(entry, command, is_demo=_is_demo(before, command))
        try:
            verdict = self._judged_again(entry, before, command, events)
            if isinstance(verdict, Judged) and verdict.events == events and verdict.command == command:
                after = verdict.after
            else:
                after = fold(before, command, events)  # go on from what is written: one fault is one fault
                foreign = after.rulebook != rulebook_digest(after.house["rules"])
                hint = "; its rulebook was another one then" if foreign else ""
                yield from (f"{what}{hint}" for what in _differences(entry, command, events, verdict))
        except _FORGED as error:
            table.is_lost = True
            yield f"{entry.stream}: what happened does not follow from what was there ({type(error).__name__}: {error})"
            return
        yield from _unbalanced(after)
        if after.frozen is not None:
            yield from _foreseen(table, entry, events)
        if (entry.hand, entry.rules, entry.stream) != (after.hand, after.rules, f"{TABLE}{after.id}"):
            yield f"it says hand {entry.hand}, rules {entry.rules}; it is hand {after.hand}, rules {after.rules}"
        table.live = after
        table.balances.append((after.version, after.balances))
        if len(table.balances) > _BALANCES_KEPT:
            table.balances.popleft()

    def _judged_again(
        self, entry: Entry, before: LiveTable | None, command: TableCommand, events: Sequence[TableEvent]
    ) -> Judged | Refused:
        by = Actor(entry.actor, entry.actor, entry.role)
        if isinstance(command, k.SeatPlayer):  # what the server knew of the account stands in the command
            by = Actor(entry.actor, command.name, entry.role, is_employee=command.is_employee)
        verdict: Judged | Refused | None = None
        for approvals in self._approvals(entry.at):
            dice, signed = _recorded(events), entry.signed_by
            again = judge(before, command, by=by, at=entry.at, dice=dice, approvals=approvals, signed_by=signed)
            if isinstance(again, Judged) and again.events == events:
                return again
            verdict = verdict or again
        assert verdict is not None
        return verdict

    def _approvals(self, at: str) -> Iterator[Approvals]:
        """Give the approvals in force by the order of the log, then those a server could still have gone by."""
        yield self.house.approvals if self.house else Approvals()
        yield from (old for until, old in reversed(self.replaced) if at < until)

    # People.

    def strangers_told(self) -> Iterator[Fault]:
        """Give who acted without an account, once it is clear that this log has people."""
        if self.has_people:
            yield from self.strangers
            self.strangers.clear()

    def _strange(self, entry: Entry, command: Any, *, is_demo: bool) -> Iterator[str]:  # noqa: ANN401 - of any stream
        """Whoever acted and signed had an account then, and the role for it; the server itself needs none."""
        name, by = name_of(command), Actor(entry.actor, entry.actor, entry.role)
        told = list[str]()
        if not _is_server(entry, is_demo=is_demo) and (
            why := self.people.unfit(entry.actor, entry.at, lambda one: entry.role in one.roles)
        ):
            told.append(f"{name} is by {entry.actor} as the {entry.role}, who {why}")
        if entry.signed_by and (
            why := self.people.unfit(entry.signed_by, entry.at, lambda one: _may_sign(command, by, one))
        ):
            told.append(f"{name} is signed by {entry.signed_by}, who {why}")
        if self.has_people:
            yield from told
        elif len(self.strangers) < _STRANGERS_MAX:
            self.strangers += (Fault(entry.sequence, what) for what in told)

    # The house.

    def _house(self, entry: Entry) -> Iterator[str]:
        events, before = house_events(entry), self.house or HouseState()
        if not events:
            yield "house: brings about nothing"
            return
        self.house = fold_house(self.house, events)
        if self.house.approvals != before.approvals:
            self.replaced.append((still_known_until(entry.at), before.approvals))
        if len(events) == 1 and isinstance(begun := events[0], LogBegun):
            self.public_key = bytes.fromhex(begun.public_key)
            if entry.sequence != 1:
                yield "a log begins once"
            return
        command = house_command(entry)
        yield from _unsigned(entry, command)
        yield from self._strange(entry, command, is_demo=True)  # a demonstration files its own approvals
        by = Actor(entry.actor, entry.actor, entry.role)
        closed = events[-1] if isinstance(events[-1], t.ShiftClosed) else None
        head = Head(closed.sequence, closed.hash, "") if closed else None
        signature = _bytes(closed.signature) if closed else b""
        verdict = judge_house(
            before, command, by=by, at=entry.at, head=head, tables=(), sign=lambda _message: signature
        )
        if closed is None or isinstance(verdict, Refused):
            yield from _differences(entry, command, events, verdict)
        else:
            yield from self._checkpoint(entry, before, closed)

    def _checkpoint(self, entry: Entry, before: HouseState, closed: t.ShiftClosed) -> Iterator[str]:
        if closed.shift != before.shift:
            yield f"shift {closed.shift} is closed where {before.shift} was open"
        if not is_signed(checkpoint_message(before.log_id, closed), _bytes(closed.signature), self.public_key):
            yield f"the signature of the checkpoint of shift {closed.shift} does not hold"
        place = (closed.sequence - 1) * _HASH
        if not 0 < closed.sequence < entry.sequence or self.hashes[place : place + _HASH].hex() != closed.hash:
            yield f"the checkpoint of shift {closed.shift} is of another log at sequence {closed.sequence}"
        for one in closed.tables:
            table = self.tables.get(f"{TABLE}{one.table}") or _new()
            known = dict(table.balances).get(one.version)
            if known is None or {account: cents for account, cents in known.items() if cents} != one.balances:
                yield f"the checkpoint of shift {closed.shift} has other balances of {one.table} than its entries"


def _is_server(entry: Entry, *, is_demo: bool) -> bool:
    """Whether the server acted by itself: it opens tables, and at those of a demonstration it deals and plays."""
    if entry.actor == SERVER:
        return is_demo or entry.role == "owner"
    return is_demo and entry.actor.startswith(_COMPUTER) and entry.role == "player"


def _is_demo(live: LiveTable | None, command: object) -> bool:
    return live.is_demo if live else isinstance(command, k.OpenTable) and command.is_demo


def _may_sign(command: object, by: Actor, account: Account) -> bool:
    return any(unfit_signature(command, by, Actor(account.id, account.name, role)) is None for role in account.roles)


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def _new() -> _Table:
    return _Table(balances=deque())


def _recorded(events: Sequence[TableEvent]) -> Callable[[], Roll]:
    """Give the dice as they were recorded; a decision that threw none is given none."""
    landed = [event for event in events if isinstance(event, e.DiceLanded)]

    def throw() -> Roll:
        if not landed or not all(face in range(1, 7) for face in (landed[0].first, landed[0].second)):
            return Roll(1, 1)  # the events will differ, and that is the fault
        return Roll(landed[0].first, landed[0].second)

    return throw


def _unsigned(entry: Entry, command: object, *, is_demo: bool = False) -> Iterator[str]:
    """What needs a signature has one, of somebody else."""
    if needs_signature(command, Actor(entry.actor, entry.actor, entry.role), is_demo=is_demo):
        if not entry.signed_by:
            yield f"{name_of(command)} was signed by nobody"
        elif entry.signed_by == entry.actor:
            yield f"{name_of(command)} was signed by {entry.actor}, who asked for it"


def _foreseen(table: _Table, entry: Entry, events: Sequence[TableEvent]) -> Iterator[str]:
    """What screens had shown when a table was frozen was in the log before that."""
    for event in events:
        if isinstance(event, t.TableFrozen):
            table.froze = entry.sequence
        if isinstance(event, t.TableFrozen | t.ScreensShown):
            wrong = {seat: last for seat, last in event.shown.items() if last >= table.froze}
            yield from (
                f"seat {seat} is said to have been shown entry {last} before the freeze, entry {table.froze}"
                for seat, last in wrong.items()
            )


def _unbalanced(live: LiveTable) -> Iterator[str]:
    if total := sum(live.balances.values()):
        yield f"the ledger sums to {total} cents, not to zero"
    held = {account: cents for account, cents in live.balances.items() if cents and account not in _BEYOND}
    money = balances_of(live.game)
    if held != money:
        wrong = sorted(account for account in held | money if held.get(account, 0) != money.get(account, 0))
        yield f"the ledger and the game disagree about {', '.join(wrong)}"


def _differences(
    entry: Entry, command: object, found: Sequence[Any], verdict: Judged | JudgedHouse | Refused
) -> Iterator[str]:
    """Say where what is written parts from what the rules give."""
    name = name_of(command)
    if isinstance(verdict, Refused):
        yield f"{name} by the {entry.role} would be refused: {verdict}"
        return
    if verdict.command != command:
        yield f"{name} would have been written as {_text(verdict.command)}"
    if len(verdict.events) != len(found):
        yield f"{name} brings about {len(verdict.events)} events, and {len(found)} are written"
    for place, (one, other) in enumerate(zip(verdict.events, found, strict=False), start=1):
        if one != other and not _is_opened_alike(one, other):
            yield f"event {place} of {name} is written as {_text(other)}; the rules give {_text(one)}"
            return


def _is_opened_alike(now: object, then: object) -> bool:
    """Whether a table would open the same today but for a rulebook printed anew and elections that came with it."""
    if not isinstance(now, t.TableOpened) or not isinstance(then, t.TableOpened):
        return False
    house = {key: value for key, value in now.house.items() if key in then.house}
    return replace(now, house=house, rulebook=then.rulebook) == then


def _text(thing: object) -> str:
    text = json.encode(thing).decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
