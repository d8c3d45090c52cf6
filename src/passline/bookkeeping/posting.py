"""Where the figures of office acts stand in the books of tables, so that corrections find them."""

from __future__ import annotations

from msgspec import Struct

from passline.acts.tills import ShiftKey


class FigurePosting(Struct, frozen=True):
    """The place of an act's figure in the books."""

    key: ShiftKey
    column: str
    sign: int
    cents: int  # as it was put right
    followed: int = 0  # the count of the same tray that came next: the ledger had the figure in it
    carried: int = 0  # of a slip: the act that brought it to the tray, or took it from there
    occurred: str = ""  # when that was


class LooseCarry(Struct, frozen=True):
    """What a slip brought to a tray or took from it while no shift of its table was open."""

    of: int  # the act whose figure it is
    carried: int
    column: str
    sign: int
    cents: int
    occurred: str = ""


class CountLine(Struct, frozen=True):
    """A count in the books: its shift and, for a tray, the counts before and after it and what came in between."""

    key: ShiftKey
    is_held: bool = True  # a ledger is told for it
    act: str = ""  # of a tray: the name of the act
    occurred: str = ""
    gaming_day: str = ""  # as it was said, if it was
    begun: ShiftKey | None = None  # the shift that was open until then
    previous: int = 0  # the count of the same tray before it
    following: int = 0  # and after it
    carried: tuple[int, ...] = ()  # acts whose figures came to the tray, or left it, until the following one
