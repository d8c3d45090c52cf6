"""What tables have won, by shift and gaming day, from the events of an office, to the cent.

win = closer + credits + drop - opener - fills, as counted. Where a live table keeps a ledger of keyed wagers, the same
is told with what the ledger had at those counts, and the difference of the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.money import Cents, dollars
from passline.office import events as e
from passline.office.calendar.facility import Facility
from passline.office.calendar.shifts import day_of_shift, following_shift

__all__ = ["DROPS", "TableResult", "box_cents", "table_results", "total_result", "units_cents"]

_INVENTORIES = frozenset({"count_opener", "count_shift", "count_closer"})
DROPS = frozenset({"drop_table", "emergency_drop"})
"""The acts that take a box off a table."""
_CARRIED = {"accept_fill": ("fills", 1), "prepare_credit": ("credits", 1), "return_credit": ("credits", -1)}


class TableResult(Struct, frozen=True, kw_only=True):
    """The result of a table in a shift, or of whatever was added up.

    >>> shift = TableResult(table="T1", opener=Cents(900), closer=Cents(700), drop=Cents(500), fills=Cents(100))
    >>> shift.win, shift.hold
    (200, Fraction(2, 5))
    """

    table: str = ""
    day: date | None = None  # the gaming day
    shift: str = ""
    opener: Cents = Cents(0)
    closer: Cents = Cents(0)
    fills: Cents = Cents(0)
    credits: Cents = Cents(0)
    drop: Cents = Cents(0)
    corrections: tuple[str, ...] = ()  # of counts, each with the acts and by how much the drop became another
    missing: tuple[str, ...] = ()  # what is not known yet, without which nobody can say what was won
    ledger: Cents | None = None  # closer and drop as the table's ledger had them; None: it does not cover the play

    @property
    def win(self) -> Cents | None:
        """What the table has won, below zero if it has lost; None: it is not known."""
        if self.missing:
            return None
        return Cents(self.closer + self.credits + self.drop - self.opener - self.fills)

    @property
    def ledger_win(self) -> Cents | None:
        """What the table has won by its ledger of keyed wagers; None: that is not covered, or not known yet.

        >>> TableResult(opener=Cents(900), closer=Cents(700), drop=Cents(500), ledger=Cents(1210)).ledger_win
        310
        """
        if self.missing or self.ledger is None:
            return None
        return Cents(self.ledger + self.credits - self.opener - self.fills)

    @property
    def difference(self) -> Cents | None:
        """By how much the counted win is over the ledger's, below zero if it is short; None: not both are known."""
        if self.win is None or self.ledger_win is None:
            return None
        return Cents(self.win - self.ledger_win)

    @property
    def hold(self) -> Fraction | None:
        """The share of the drop that the table has won; None where nothing was dropped or it is not known."""
        return Fraction(self.win, self.drop) if self.win is not None and self.drop else None


def total_result(results: Iterable[TableResult], **said: Any) -> TableResult:  # noqa: ANN401 - of the total itself
    """Return results added up; what is missing of one is missing of the total.

    Counts that a shift lacks are there in the total if another of the results has them.
    """
    parts = list(results)
    missing = [reason for part in parts for reason in part.missing if not _is_covered(reason, part, parts)]
    return TableResult(
        opener=Cents(sum(part.opener for part in parts)),
        closer=Cents(sum(part.closer for part in parts)),
        fills=Cents(sum(part.fills for part in parts)),
        credits=Cents(sum(part.credits for part in parts)),
        drop=Cents(sum(part.drop for part in parts)),
        corrections=tuple(one for part in parts for one in part.corrections),
        missing=tuple(dict.fromkeys(missing)),
        ledger=None if any(part.ledger is None for part in parts) else Cents(sum(part.ledger or 0 for part in parts)),
        **said,
    )


def _is_covered(reason: str, part: TableResult, parts: list[TableResult]) -> bool:
    """Return whether a count runs over several shifts that are all among the parts."""
    if not reason.startswith(_SPANS):
        return False
    return all(any(one.table == part.table and _name(one) == name for one in parts) for name in _spanned(reason))


_SPANS = "counted only for "


def _name(result: TableResult) -> str:
    return f"{result.day} {result.shift}"


def _spanned(reason: str) -> list[str]:
    return reason.removeprefix(_SPANS).split(" and ")


def table_results(events: Iterable[tuple[str, e.OfficeEvent]], facility: Facility) -> list[TableResult]:
    """Return what each table has won in each shift, in order, from an office's events with their moments."""
    books = _Books(facility)
    waiting: dict[int, e.ActDone] = {}
    for _, event in events:
        match event:
            case e.ActDone():
                waiting[event.number] = event
            case e.ActVoided():
                waiting.pop(event.number, None)
            case e.ActCompleted():
                books.enter(waiting.pop(event.number))
            case e.LedgerTold():
                books.told[event.act] = event.ledger
            case _:
                pass
    return books.results()


_Key = tuple[str, date, str]  # the table, the gaming day and the shift


class _Books:
    """What has been counted so far."""

    def __init__(self, facility: Facility) -> None:
        self.facility = facility
        self.known: dict[_Key, TableResult] = {}
        self.open: dict[str, _Key] = {}  # by table: the shift that the next count closes, if it is counted at its end
        self.slips: dict[str, dict[str, Any]] = {}
        self.dropped: set[_Key] = set()
        self.boxes: dict[str, _Key] = {}  # dropped and not counted yet
        self.counted: dict[int, tuple[_Key, int]] = {}  # by the number of the count: what was in the box
        self.held: dict[_Key, list[int]] = {}  # the counts of each shift that a ledger is told for
        self.told: dict[int, int] = {}  # what the ledger had, by act

    def enter(self, done: e.ActDone) -> None:
        """Enter an act that has taken effect."""
        if done.act in _INVENTORIES:
            self._count(done)
        elif done.act in DROPS:
            self.boxes[done.fields["dropped"]] = self._key(done)
            self.dropped.add(self._key(done))
            self._add(self._key(done))
        elif done.act in {"request_fill", "request_credit"}:
            self.slips[done.things[0]] = done.fields
        elif done.act in _CARRIED:
            self._carry(done)
        elif done.act == "count_box" and done.things[0] in self.boxes:
            key = self.boxes.pop(done.things[0])
            self.held.setdefault(key, []).append(done.number)
            self.counted[done.number] = key, box_cents(done.fields)
            self._add(key, drop=box_cents(done.fields))
        elif done.act == "correct_count" and done.fields["corrects"] in self.counted:
            self._correct(done, *self.counted[done.fields["corrects"]])

    def _correct(self, done: e.ActDone, key: _Key, before: int) -> None:
        """Enter the correction of a count in the shift whose drop it was: the difference, and that it is one."""
        after = box_cents(done.fields)
        self.counted[done.number] = key, after
        self._add(key, drop=after - before)
        said = f"act {done.number} corrects act {done.fields['corrects']}: ${dollars(before)} to ${dollars(after)}"
        self.known[key] = replace(self.known[key], corrections=(*self.known[key].corrections, said))

    def _count(self, done: e.ActDone) -> None:
        table, counted, key = done.things[0], units_cents(done.fields.get("chips")), self._key(done)
        if done.act == "count_opener":
            self.open[table] = key
            self._add(key, opener=counted)
            return
        begun = self.open.pop(table, key)
        self._add(key, closer=counted)
        self.held.setdefault(key, []).append(done.number)
        if begun != key:
            reason = f"{_SPANS}{_name(self.known[begun])} and {_name(self.known[key])}"
            for one in (begun, key):
                self.known[one] = replace(self.known[one], missing=(*self.known[one].missing, reason))
        if done.act == "count_shift":
            day, shift = following_shift(key[1], key[2], self.facility)
            self.open[table] = (table, day, shift)
            self._add(self.open[table], opener=counted)

    def _carry(self, done: e.ActDone) -> None:
        """Enter a fill or credit of an open table; what a closed one gets is in its next opener.

        A fill is in the tray when it is accepted there, and a credit is not when it was made up there.
        """
        slip = self.slips[done.things[0]]
        if key := self.open.get(slip["table"]):
            column, sign = _CARRIED[done.act]
            self._add(key, **{column: sign * units_cents(slip["units"])})

    def _key(self, done: e.ActDone) -> _Key:
        shift, day = done.fields["shift"], done.fields.get("gaming_day")
        meant = date.fromisoformat(day) if day else day_of_shift(done.occurred, shift, self.facility)
        return done.things[0], meant, shift

    def _add(self, key: _Key, **cents: int) -> None:
        known = self.known.get(key) or TableResult(table=key[0], day=key[1], shift=key[2])
        more = {name: Cents(getattr(known, name) + amount) for name, amount in cents.items()}
        self.known[key] = replace(known, **more)

    def results(self) -> list[TableResult]:
        """Return all of them, each with what is missing."""
        shifts = [shift.name for shift in self.facility.shifts]
        order = sorted(self.known, key=lambda key: (key[1], shifts.index(key[2]), key[0]))
        return [self._judged(key) for key in order]

    def _judged(self, key: _Key) -> TableResult:
        missing = list(self.known[key].missing)
        if key in self.open.values():
            missing.append("the closer")
        if key not in self.dropped:
            missing.append("the drop")
        missing += (f"the count of box {box}" for box, of in self.boxes.items() if of == key)
        acts = self.held.get(key, [])
        is_covered = bool(acts) and all(act in self.told for act in acts)
        ledger = Cents(sum(self.told[act] for act in acts)) if is_covered else None
        return replace(self.known[key], missing=tuple(missing), ledger=ledger)


def box_cents(fields: Mapping[str, Any]) -> int:
    """Return what a soft count found in a box: notes, chips and tickets; coupons are no drop."""
    money = units_cents(fields.get("cash")) + units_cents(fields.get("chips"))
    return money + int(fields.get("tickets") or 0)


def units_cents(units: Mapping[str, int] | None) -> int:
    """Return the cents of a count by denomination.

    >>> units_cents({"500": 3, "10000": 1}), units_cents(None)
    (11500, 0)
    """
    return sum(int(one) * count for one, count in (units or {}).items())
