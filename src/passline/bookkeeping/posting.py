"""Where the figure of an act of the office stands in the books of tables, in case it must be put right."""

from __future__ import annotations

from msgspec import Struct

from passline.acts.state import ShiftKey


class FigurePosting(Struct, frozen=True):
    """Where the figure of an act stands in the books."""

    key: ShiftKey
    column: str
    sign: int
    cents: int  # as it was put right
    followed: int = 0  # the count of the same tray that came next: the ledger had the figure in it
