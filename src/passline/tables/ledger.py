"""Double entry: every event moves cents between accounts, and its movements sum to zero.

Accounts: `bank`, `rack/SEAT`, `layout`, `tips` and `drop` are at the table; `cage`, `count`, `crew` and
`patron/ACCOUNT` are outside it. A table keeps one balance for all patrons, `patron`; the movements tell them apart.
Where the office's papers are entered, `boxes` holds dropped boxes until they are counted, and `variance` takes up
what a count differs from the ledger; `Books` says how far they are entered. At a tournament's table all of it is
points, which come from `points` and go back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.game import events as e
from passline.game.position import Table, Wager
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.events import Movement, RoundFinished, StacksGiven, TableEvent

OUTSIDE = frozenset({"cage", "count", "crew", "patron", "boxes", "variance", "points"})
"""The accounts that are not at the table: the game knows nothing of them."""

_Pairs = tuple[tuple[str, int], ...]
_OfWager = tuple[str, int, int]  # whose chips, and what comes to the layout and to the bank: both come from them
_Patron = Callable[[int], str]


def movements_of(event: TableEvent, accounts: Mapping[int, str]) -> tuple[Movement, ...]:
    """Return the movements of an event; `accounts` maps each seat to its account.

    >>> movements_of(e.BuyInMade(1, 500_00, 0), {1: "ann"})[2:]
    (Movement(account='bank', cents=-50000), Movement(account='rack/1', cents=50000))
    """
    return tuple(Movement(account, cents) for account, cents in _pairs(event, accounts) if cents)


def balances_after(balances: Mapping[str, int], happened: Iterable[TableEvent]) -> dict[str, int]:
    """Return the balances after some events, with all patrons as one."""
    after, up, kept = defaultdict(int, balances), 0, 0
    for event in happened:
        kind = type(event)
        if (move := _MOVES_OF_WAGERS.get(kind)) is not None:  # nearly all
            owner, layout, bank = move(event)
            if layout + bank:
                after[owner] -= layout + bank
            up, kept = up + layout, kept + bank
        elif (moves := _MOVES.get(kind)) is not None:
            for account, cents in moves(event, _any_patron):
                after[account] += cents
    for account, cents in (("layout", up), ("bank", kept)):
        if cents:
            after[account] += cents
    return dict(after)


def _any_patron(_seat: int) -> str:
    return "patron"


def balances_of(table: Table) -> dict[str, int]:
    """Return the balances of a game's own money, which the ledger must equal at any moment."""
    money = table.money
    racks = {f"rack/{seat}": cents for seat, cents in enumerate(money.racks, start=1) if cents}
    layout = sum([wager.cents for wager in table.position.layout])  # a list: quicker, after every entry
    held = {"bank": money.bank, "layout": layout, "tips": money.tip_box, "drop": money.drop}
    return {**racks, **{account: cents for account, cents in held.items() if cents}}


def money_between(before: Table, after: Table) -> tuple[Movement, ...]:
    """Return the movements that lead from the money of one table to that of another."""
    was, now = balances_of(before), balances_of(after)
    moved = {account: now.get(account, 0) - was.get(account, 0) for account in (was | now)}
    return tuple(Movement(account, cents) for account, cents in sorted(moved.items()) if cents)


def _pairs(event: TableEvent, accounts: Mapping[int, str]) -> _Pairs:
    if (move := _MOVES_OF_WAGERS.get(type(event))) is not None:
        owner, layout, bank = move(event)
        return ((owner, -layout - bank), ("layout", layout), ("bank", bank))
    moves = _MOVES.get(type(event))
    return () if moves is None else moves(event, lambda seat: f"patron/{accounts.get(seat, '')}")


def _owner(wager: Wager) -> str:
    """Return where a wager's chips go: its player's rack, or the crew's tip box."""
    return f"rack/{wager.seat}" if wager.owner == "player" else "tips"


def _wager_made(event: e.WagerMade) -> _OfWager:
    made = event.after  # a tip too comes from its player's rack
    return f"rack/{made.seat}", made.cents, made.vigorish


def _wager_changed(event: e.WagerIncreased | e.WagerReduced) -> _OfWager:
    before, after = event.wager, event.after
    added, charged = after.cents - before.cents, after.vigorish - before.vigorish
    from_whom = f"rack/{after.seat}" if added + charged > 0 else _owner(before)
    return from_whom, added, charged


def _came_down(event: e.WagerRemoved | e.WagerReturned) -> _OfWager:
    wager = event.wager
    return _owner(wager), -wager.cents, -wager.vigorish


def _wager_won(event: e.WagerWon) -> _OfWager:
    return _owner(event.wager), -event.cents, event.vigorish - event.winnings


def _bought_in(event: e.BuyInMade, patron: _Patron) -> _Pairs:
    cents = event.cents
    return (
        (patron(event.seat), -cents), ("drop", cents), ("bank", -cents), (f"rack/{event.seat}", cents),
    )  # fmt: skip


def _tray_counted(event: t.InventoryCounted, _patron: _Patron) -> _Pairs:
    differs, brought = event.cents - event.ledger, event.brought
    return (("cage", -brought), ("bank", brought + differs), (_against(event), -differs))


def _box_counted(event: t.BoxCounted, _patron: _Patron) -> _Pairs:
    return (("boxes", -event.ledger), ("count", event.cents), (_against(event), event.ledger - event.cents))


def _round_finished(event: RoundFinished, _patron: _Patron) -> _Pairs:
    racks = [(f"rack/{seat}", -cents) for seat, cents in event.stacks.items()]
    return (*racks, ("bank", -event.house), ("points", event.house + sum(event.stacks.values())))


def _stacks_given(event: StacksGiven, _patron: _Patron) -> _Pairs:
    racks = [(f"rack/{seat}", cents) for seat, cents in event.stacks.items()]
    return (("points", -sum(event.stacks.values())), *racks)


def _against(event: t.InventoryCounted | t.BoxCounted) -> str:
    """Return what takes up a difference: where no wagers are keyed in, it is what the players won or lost."""
    return "variance" if event.is_covered else "patron"


_MOVES_OF_WAGERS: dict[type, Callable[[Any], _OfWager]] = {
    e.WagerMade: _wager_made,
    e.WagerIncreased: _wager_changed,
    e.WagerReduced: _wager_changed,
    e.WagerRemoved: _came_down,
    e.WagerReturned: _came_down,
    e.WagerLost: lambda event: ("", -event.cents, event.cents),
    e.WagerWon: _wager_won,
    e.MeterPaid: lambda event: (_owner(event.wager), 0, -event.cents),
}
_MOVES: dict[type, Callable[[Any, _Patron], _Pairs]] = {
    e.BuyInMade: _bought_in,
    e.SeatLeft: lambda event, patron: ((f"rack/{event.seat}", -event.cents), (patron(event.seat), event.cents)),
    e.FillMade: lambda event, _patron: (("cage", -event.cents), ("bank", event.cents)),
    e.CreditMade: lambda event, _patron: (("bank", -event.cents), ("cage", event.cents)),
    t.TableClosed: lambda event, _patron: (
        ("drop", -event.drop),
        ("count", event.drop),
        ("tips", -event.tips),
        ("crew", event.tips),
    ),
    t.InventoryCounted: _tray_counted,
    t.BoxDropped: lambda event, _patron: (("drop", -event.ledger), ("boxes", event.ledger)),
    t.BoxCounted: _box_counted,
    t.TipsCollected: lambda event, _patron: (("tips", -event.ledger), ("crew", event.ledger)),
    StacksGiven: _stacks_given,
    RoundFinished: _round_finished,
    t.RollCorrected: lambda event, _patron: tuple((move.account, move.cents) for move in event.movements),
}


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
