"""At a table that opened with a clearance, money comes and goes by the office's papers and in no other way."""

from __future__ import annotations

from collections.abc import Callable

from passline.game import commands as c
from passline.game import events as e
from passline.money import dollars
from passline.refusal import Refusal
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.events import TableEvent
from passline.tables.ledger import COUNTED_TERMS, Books
from passline.tables.live import LiveTable

PRACTICE = "practice"
"""The citation of what no clause asks for."""
_WHERE = "in the office, under the table's money"


def without_slip(live: LiveTable, command: TableCommand) -> Refusal | None:
    """Refuse a fill or credit by the crew's word at a table whose chips move by the office's slips."""
    if live.books is None or not isinstance(command, c.Fill | c.Credit):
        return None
    kind = "fill" if isinstance(command, c.Fill) else "credit"
    why = f"a {kind} comes to this table by its slip: ask for one {_WHERE}; when it is accepted, the bank follows"
    if kind == "credit":
        why = f"a credit leaves this table by its slip: ask for one {_WHERE}; when it is made up, the bank follows"
    return Refusal(PRACTICE, why)


# --- Opening ----------------------------------------------------------------------------------------------------------


def unfit_inventory(live: LiveTable | None, command: k.OpenTable) -> list[Refusal]:
    """Refuse to open a table whose tray was not counted, or whose chips are on the papers of another office."""
    books, opener = live.books if live else None, command.opener
    if opener is not None and command.bank_cents:
        return [named_bank()]
    if opener is None and command.clearance and command.terms >= COUNTED_TERMS and not command.points:
        return [Refusal(PRACTICE, f"its opening inventory has not been counted: count it {_WHERE}")]
    if books is None:
        return []
    if opener is None or opener.office != books.office:
        return _left_over(live, books)  # type: ignore[arg-type]  # with books there is a table
    if books.opener == books.opened and not books.closer:
        return [Refusal(PRACTICE, f"its closing inventory has not been counted since it was closed: count it {_WHERE}")]
    if books.opener == books.opened or books.opener != opener.act:
        return [Refusal(PRACTICE, f"its opening inventory has not been counted since its closer: count it {_WHERE}")]
    return []


def named_bank() -> Refusal:
    """Refuse an opening that names a bank at a table whose bank the office counts."""
    why = "bank_cents: the bank of this table is its opening inventory, as the office has counted it; leave it out"
    return Refusal(PRACTICE, why)


def _left_over(live: LiveTable, books: Books) -> list[Refusal]:
    """Refuse to open a table without its office while the office's papers still have money there."""
    money = live.game.money
    held = (
        ("tray", money.bank, "take it to the cage by a credit slip"),
        ("drop box", money.drop, "drop it"),
        ("tip box", money.tip_box, "collect it"),
    )
    return [
        Refusal(PRACTICE, f"its {where} holds {dollars(cents)} by the papers of {books.office}'s office: {mend} first")
        for where, cents, mend in held
        if cents
    ]


def inventory_opened(live: LiveTable | None, opener: k.Opener) -> list[t.InventoryCounted]:
    """Return the opener with which a table's books begin; one of running books was entered when it was counted."""
    if live is not None and live.books is not None:
        return []
    begun = t.InventoryCounted(
        act=opener.act, kind="opener", cents=opener.cents, ledger=opener.on_record, layout=0, brought=opener.on_record
    )
    return [begun]


# --- Papers -----------------------------------------------------------------------------------------------------------


def enter_paper(live: LiveTable, command: k.EnterPaper) -> list[TableEvent] | list[Refusal]:
    """Enter a paper of the office: it has happened, so it is refused only if it is not this table's, or known."""
    books = live.books
    if books is None or books.office != command.office:
        return [Refusal("office", f"the money of {live.name} is not on the papers of {command.office!r}'s office")]
    if command.entry <= books.entered:
        why = f"the papers of {command.office}'s office are entered up to its entry {books.entered}"
        return [Refusal("office", f"{why}: act {command.act} is of entry {command.entry}")]
    make = _MADE.get(command.paper)
    if make is None:
        return [Refusal("form", f"there is no paper {command.paper[:40]!r}; the papers are: {', '.join(_MADE)}")]
    if command.cents < 0:
        return [Refusal("form", f"cents: {command.cents} is negative, and a paper has none or more")]
    return [make(live, books, command)]


def _count_tray(live: LiveTable, _books: Books, command: k.EnterPaper) -> TableEvent:
    return t.InventoryCounted(
        act=command.act,
        kind=command.paper,
        cents=command.cents,
        ledger=live.game.money.bank,
        layout=_layout(live),
        is_covered=live.is_keyed or command.paper == "opener",
    )


def _correct_tray(sign: int) -> Callable[[LiveTable, Books, k.EnterPaper], TableEvent]:
    """Return how more, or less, is put into the books of a tray after a count or slip of the office was corrected."""
    return lambda live, _books, paper: t.InventoryCounted(
        act=paper.act,
        kind="correction",
        cents=live.game.money.bank + sign * paper.cents,
        ledger=live.game.money.bank,
        layout=_layout(live),
        is_covered=live.is_keyed,
    )


def _drop_box(live: LiveTable, _books: Books, command: k.EnterPaper) -> TableEvent:
    return t.BoxDropped(act=command.act, box=command.about, ledger=live.game.money.drop, layout=_layout(live))


def _count_box(live: LiveTable, books: Books, command: k.EnterPaper) -> TableEvent:
    """Hold a box against the ledger; one that was dropped before these books began is in no ledger."""
    return t.BoxCounted(
        act=command.act,
        box=command.about,
        cents=command.cents,
        ledger=books.boxes.get(command.about, 0),
        is_covered=live.is_keyed and command.about in books.boxes,
    )


def _layout(live: LiveTable) -> int:
    return sum(wager.cents for wager in live.game.position.layout)


_MADE: dict[str, Callable[[LiveTable, Books, k.EnterPaper], TableEvent]] = {
    "opener": _count_tray,
    "shift": _count_tray,
    "closer": _count_tray,
    "fill": lambda _live, _books, paper: e.FillMade(paper.cents, paper.about),
    "credit": lambda _live, _books, paper: e.CreditMade(paper.cents, paper.about),
    "credit_back": lambda _live, _books, paper: e.FillMade(paper.cents, paper.about),
    "over": _correct_tray(1),
    "short": _correct_tray(-1),
    "drop": _drop_box,
    "soft_count": _count_box,
    "tips": lambda live, _books, paper: t.TipsCollected(act=paper.act, box=paper.about, ledger=live.game.money.tip_box),
}
