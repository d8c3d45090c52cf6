"""The books of a table whose money is on the office's papers: which papers are entered, and what they changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from passline.game.position import Table
from passline.tables import commands as k
from passline.tables import events as t

if TYPE_CHECKING:
    from passline.tables.commands import TableCommand

__all__ = ["COUNTED_TERMS", "ENTERED", "Books", "after_papers", "books_after"]


COUNTED_TERMS = 3
"""The terms from which on a table that its office clears opens with the inventory that was counted there."""


class Books(Struct, frozen=True):
    """How far the papers of an office are entered at a table."""

    office: str  # the regulation
    began: int  # the version of the office's stream with the opener that these books begin with
    entered: int  # that of the newest paper
    opener: int  # the act that counted the newest opener
    opened: int  # the act by whose opener the table was opened last
    closer: int = 0  # the act that counted the closer since; 0: it is still to be counted
    boxes: dict[str, int] = {}  # dropped and not counted yet: the cash in each, by the ledger


ENTERED = frozenset({t.InventoryCounted, t.BoxDropped, t.BoxCounted, t.TipsCollected})
"""The events that enter a paper, besides fills and credits."""


def books_after(books: Books | None, command: TableCommand, happened: Sequence[t.TableEvent]) -> Books | None:
    """Return the books after a decision; those of a table that opens without its office are closed."""
    match command:
        case k.OpenTable(opener=None):
            return None
        case k.OpenTable(opener=opener) if opener is not None:
            if books is not None:
                return replace(books, opened=books.opener)
            return Books(opener.office, opener.entry, opener.entry, opener.act, opener.act)
        case k.EnterPaper() if books is not None:
            after = replace(books, entered=command.entry)
            for event in happened:
                after = _with(after, event)
            return after
        case _:
            return books


def _with(books: Books, event: t.TableEvent) -> Books:
    match event:
        case t.InventoryCounted(kind="opener"):
            return replace(books, opener=event.act, closer=0)
        case t.InventoryCounted(kind="closer"):
            return replace(books, closer=event.act)
        case t.BoxDropped():
            return replace(books, boxes={**books.boxes, event.box: books.boxes.get(event.box, 0) + event.ledger})
        case t.BoxCounted():
            return replace(books, boxes={box: cents for box, cents in books.boxes.items() if box != event.box})
        case _:
            return books


def after_papers(table: Table, happened: Sequence[t.TableEvent]) -> Table:
    """Return the game's table after papers were entered: the bank is what was counted, a box taken off is gone."""
    money = table.money
    for event in happened:
        match event:
            case t.InventoryCounted():
                money = replace(money, bank=event.cents)
            case t.BoxDropped():
                money = replace(money, drop=money.drop - event.ledger)
            case t.TipsCollected():
                money = replace(money, tip_box=money.tip_box - event.ledger)
            case _:
                pass
    return Table(table.position, money)
