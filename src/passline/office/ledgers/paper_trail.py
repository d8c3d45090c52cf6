"""Which acts of an office are about the money of a table: counts, slips, drops and tip boxes, as they take effect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from passline.acts import events as e
from passline.acts.state import DROPS
from passline.bookkeeping.win import SLIPS_ENDED, box_cents, units_cents

HELD_AGAINST = frozenset({"shift", "closer", "soft_count"})
"""The papers that are held against the ledger of a live table."""
_COUNTS = {"count_opener": "opener", "count_shift": "shift", "count_closer": "closer"}
_SLIPS = {"accept_fill": "fill", "prepare_credit": "credit", "return_credit": "credit_back"}
_REQUESTS = frozenset({"request_fill", "request_credit"})
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


class PaperTrail(Struct):
    """Follows the events of one office, and says what each means for the money of a table."""

    _waiting: dict[int, e.ActDone] = field(default_factory=dict)
    _slips: dict[str, dict[str, Any]] = field(default_factory=dict)  # what was asked for, until the slip has ended
    _boxes: dict[str, str] = field(default_factory=dict)  # the table that a dropped box came off

    def take(self, entry: int, events: Iterable[e.ActEvent]) -> list[TablePaper]:
        """Return the papers that took effect with an entry of the office's stream."""
        found = []
        for event in events:
            match event:
                case e.ActDone():
                    self._waiting[event.number] = event
                case e.ActVoided():
                    self._waiting.pop(event.number, None)
                case e.ActCompleted():
                    paper = self._paper(entry, self._waiting.pop(event.number), event)
                    found += [paper] if paper else []
                case _:
                    pass
        return found

    def _paper(self, entry: int, done: e.ActDone, completed: e.ActCompleted) -> TablePaper | None:
        act, fields = done.act, done.fields
        about = done.things[0] if done.things else ""
        if act in _REQUESTS:
            self._slips[about] = fields
            return None
        if act in _COUNTS:
            cents = units_cents(fields.get("chips"))
            on_record = cents - _change_cents(completed, f"{done.kind}/{about}")
            return _paper_of(entry, done, _COUNTS[act], about, cents=cents, on_record=on_record)
        slip = self._slips.pop(about, None) if act in SLIPS_ENDED else self._slips.get(about)
        if act in _SLIPS and slip:
            return _paper_of(entry, done, _SLIPS[act], slip["table"], cents=units_cents(slip["units"]), about=about)
        if act in DROPS:
            self._boxes[fields["dropped"]] = about
            return _paper_of(entry, done, "drop", about, about=fields["dropped"])
        if act == _SOFT_COUNT and about in self._boxes:
            return _paper_of(entry, done, "soft_count", self._boxes.pop(about), cents=box_cents(fields), about=about)
        if act == _TIPS:
            return _paper_of(entry, done, "tips", about, about=str(fields.get("collected", "")))
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
