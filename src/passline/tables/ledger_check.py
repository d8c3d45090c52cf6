"""What a table's ledger and the checkpoints of shifts are held against, when a log is decided again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from passline.store.keys import bytes_of_hex, is_signed
from passline.tables.entries import TABLE
from passline.tables.house import HouseState, checkpoint_message
from passline.tables.house_events import ShiftClosed
from passline.tables.ledger import OUTSIDE, balances_of
from passline.tables.live import LiveTable
from passline.tables.newest_balances import NewestBalances


def balance_faults(live: LiveTable) -> Iterator[str]:
    """Yield what a table's ledger says otherwise than its game."""
    if total := sum(live.balances.values()):
        yield f"the ledger sums to {total} cents, not to zero"
    held = {account: cents for account, cents in live.balances.items() if cents and account not in OUTSIDE}
    money = balances_of(live.game)
    if held != money:
        wrong = sorted(account for account in held | money if held.get(account, 0) != money.get(account, 0))
        yield f"the ledger and the game disagree about {', '.join(wrong)}"


def checkpoint_faults(
    closed: ShiftClosed, before: HouseState, public_key: bytes, balances: Mapping[str, NewestBalances]
) -> Iterator[str]:
    """Yield what is wrong with the checkpoint of a shift: its number, its signature, or the balances of a table."""
    if closed.shift != before.shift:
        yield f"shift {closed.shift} is closed where {before.shift} was open"
    if not is_signed(checkpoint_message(before.log_id, closed), bytes_of_hex(closed.signature), public_key):
        yield f"the signature of the checkpoint of shift {closed.shift} does not hold"
    for at_close in closed.tables:
        newest = balances.get(f"{TABLE}{at_close.table}")
        known = newest.at(at_close.version) if newest else None
        if known is None or {account: cents for account, cents in known.items() if cents} != at_close.balances:
            yield f"the checkpoint of shift {closed.shift} has other balances of {at_close.table} than its entries"
