"""Finds the acts of an office that are about the money of a table: counts, slips, drops and tip boxes."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.figures import INSTEAD, Correction
from passline.acts.tills import DROPS
from passline.bookkeeping.act_money import (
    MARKERS,
    REQUESTS,
    REVERSAL,
    SLIPS_ENDED,
    box_cents,
    came_cents,
    count_with_it,
    marker_cents,
    reversed_fills,
    units_cents,
)

HELD_AGAINST = frozenset({"shift", "closer", "soft_count"})
"""The papers that are held against the ledger of a live table."""
_COUNTS = {"count_opener": "opener", "count_shift": "shift", "count_closer": "closer"}
_SLIPS = {"accept_fill": "fill", "prepare_credit": "credit", "return_credit": "credit_back"}
_SOFT_COUNT = "count_box"
_TIPS = "collect_tips"


class TablePaper(Struct, frozen=True, kw_only=True):
    """A paper about the money of a table, from the entry with which it took effect."""

    table: str
    entry: int  # the version of the office's stream
    act: int
    paper: str
    cents: int = 0
    about: str = ""  # the slip, or the box
    on_record: int = 0  # of an opener: what the office had on record in the tray


class _Slip(Struct, frozen=True):
    """What a slip asks for, and by which act."""

    act: int
    table: str
    cents: int


class PaperTrail(Struct):
    """Follows the events of one office, and says what they mean for the money of tables."""

    _waiting: dict[int, e.ActDone] = field(default_factory=dict)
    _slips: dict[str, _Slip] = field(default_factory=dict)  # what was asked for, until the slip has ended
    _boxes: dict[str, str] = field(default_factory=dict)  # the table that a dropped box came off
    _trays: dict[str, dict[int, int]] = field(default_factory=dict)  # by table, since its tray was counted last: acts
    # with figures that brought chips (1) or took them away (-1)

    def take(self, entry: int, events: Iterable[e.ActEvent]) -> list[TablePaper]:
        """Return the papers that took effect with an entry of the office's stream."""
        found = []
        for event in events:
            match event:
                case e.ActDone():
                    self._waiting[event.number] = event
                case e.ActVoided():
                    self._waiting.pop(event.number, None)
                case e.ActCompleted() if event.corrects is not None and INSTEAD in event.corrects.now:
                    found += self._count_of_another(entry, self._waiting.pop(event.number), event, event.corrects)
                case e.ActCompleted():
                    paper = self._paper(entry, self._waiting.pop(event.number), event)
                    found += [paper] if paper else []
                case _:
                    pass
        return found

    def _paper(self, entry: int, done: e.ActDone, completed: e.ActCompleted) -> TablePaper | None:
        act, fields = done.act, done.fields
        about = done.things[0] if done.things else ""
        if completed.corrects is not None:
            return self._correction(entry, done, completed.corrects)
        if act in REQUESTS:
            self._slips[about] = _Slip(done.number, fields["table"], units_cents(fields["units"]))
            return None
        if act in _COUNTS:
            self._trays[about] = {done.number: 1}
            cents = units_cents(fields.get("chips"))
            on_record = cents - _change_cents(completed, f"{done.kind}/{about}")
            return _paper_of(entry, done, _COUNTS[act], about, cents=cents, on_record=on_record)
        slip = self._slips.pop(about, None) if act in SLIPS_ENDED else self._slips.get(about)
        if act in _SLIPS and slip:
            return self._slip_paper(entry, done, completed, slip)
        if act == REVERSAL:
            fills = reversed_fills(completed)
            taken = [(table, cents) for table, cents in fills if not count_with_it(completed, table)]
            return _paper_of(entry, done, "credit", taken[0][0], cents=taken[0][1], about=about) if taken else None
        if act in MARKERS:
            [(table, cents)] = marker_cents(completed)
            paper = "credit" if cents > 0 else "credit_back"
            return _paper_of(entry, done, paper, table, cents=abs(cents), about=about)
        if act in DROPS:
            self._boxes[fields["dropped"]] = about
            return _paper_of(entry, done, "drop", about, about=fields["dropped"])
        if act == _SOFT_COUNT and about in self._boxes:
            return _paper_of(entry, done, "soft_count", self._boxes.pop(about), cents=box_cents(fields), about=about)
        if act == _TIPS:
            return _paper_of(entry, done, "tips", about, about=str(fields.get("collected", "")))
        return None

    def _slip_paper(self, entry: int, done: e.ActDone, completed: e.ActCompleted, slip: _Slip) -> TablePaper | None:
        """Return what a slip brings to a tray, or takes from it; if that was counted since, its ledger has it."""
        if (came := came_cents(done)) is not None:
            slip = _Slip(done.number, slip.table, came)  # whatever the slip is corrected to, this came
        if count_with_it(completed, slip.table):
            return None
        self._carry(slip, -1 if done.act == "prepare_credit" else 1)
        return _paper_of(entry, done, _SLIPS[done.act], slip.table, cents=slip.cents, about=done.things[0])

    def _carry(self, slip: _Slip, sign: int) -> None:
        """Note that what is on a slip came to a tray, or left it."""
        carried = self._trays.setdefault(slip.table, {})
        carried[slip.act] = carried.get(slip.act, 0) + sign

    def _count_of_another(
        self, entry: int, done: e.ActDone, completed: e.ActCompleted, correction: Correction
    ) -> list[TablePaper]:
        """Return by how much two trays hold more or less since the count of one was that of the other."""
        tables = [str(said[INSTEAD]) for said in (correction.was, correction.now)]
        wrong, right = (self._trays.setdefault(table, {}) for table in tables)
        right[correction.first] = wrong.pop(correction.first, 1)
        changed = {table: _change_cents(completed, f"{done.kind}/{table}") for table in tables}
        return [
            _paper_of(entry, done, "over" if cents > 0 else "short", table, cents=abs(cents), about=table)
            for table, cents in changed.items()
            if cents
        ]

    def _correction(self, entry: int, done: e.ActDone, correction: Correction) -> TablePaper | None:
        """Return by how much a correction changes what lies in a tray; once it was counted since, by nothing."""
        was, now = (
            units_cents(fields.get("chips") or fields.get("units")) for fields in (correction.was, correction.now)
        )
        about = done.things[0] if done.things else ""
        if (slip := self._slips.get(about)) and slip.act == correction.first:
            self._slips[about] = replace(slip, cents=slip.cents + now - was)
        for table, carried in self._trays.items():
            more = carried.get(correction.first, 0) * (now - was)
            if more:
                return _paper_of(entry, done, "over" if more > 0 else "short", table, cents=abs(more), about=about)
        return None


def _paper_of(
    entry: int, done: e.ActDone, paper: str, table: str, *, cents: int = 0, about: str = "", on_record: int = 0
) -> TablePaper:
    return TablePaper(
        table=table, entry=entry, act=done.number, paper=paper, cents=cents, about=about, on_record=on_record
    )


def _change_cents(completed: e.ActCompleted, place: str) -> int:
    """Return by how many cents a count changed what is on record in a place."""
    came = sum(units_cents(move.units) for move in completed.moves if move.target == place)
    return came - sum(units_cents(move.units) for move in completed.moves if move.source == place)
