"""The accounts of the cage by double entry: every movement of a stock, and each place's opening and closing balance.

Places are accounts, and the acts that moved something between them are its entries. Money is kept by what it comes to;
chips are told by what they come to as well, so that both stand in one statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from passline.acts import events as e
from passline.acts.history import RecordedAct
from passline.acts.stocks import Stocks, stocks_after
from passline.bookkeeping.act_money import units_cents
from passline.money import Cents

OVER_SHORT = "over_short"
"""The place outside that takes up what a count of money finds over or short."""


class MoneyEntry(Struct, frozen=True, kw_only=True):
    """One movement between two places, made by an act that took effect."""

    at: str  # when it took effect
    act: int
    name: str  # of the act, as its page has it
    by: str  # the account
    stock: str
    source: str
    target: str
    cents: Cents


class Statement(Struct, frozen=True, kw_only=True):
    """The statement of a place and a stock: opening balance, what came and went by each act, and closing balance.

    >>> Statement(stock="cash", place="vault", opening=Cents(900), came={"count_box": 500}, went={}, over=-20).closing
    1380
    """

    stock: str
    place: str
    opening: Cents
    came: Mapping[str, int] = {}  # in cents, by act; what a count found is not among it
    went: Mapping[str, int] = {}
    over: int = 0  # what counts found over; below zero: short

    @property
    def closing(self) -> Cents:
        """The balance at the end."""
        return Cents(self.opening + sum(self.came.values()) - sum(self.went.values()) + self.over)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was there, and nothing came or went."""
        return not (self.opening or self.came or self.went or self.over)


def money_entries(acts: Iterable[RecordedAct], begins: str = "", ends: str = "") -> Iterator[MoneyEntry]:
    """Yield every movement of acts that took effect in a time, in the order of their numbers."""
    for act in acts:
        if act.result is None or not act.completed or act.completed < begins or (ends and act.completed >= ends):
            continue
        for move in act.result.moves:
            cents = Cents(units_cents(move.units))
            if cents:
                yield MoneyEntry(
                    at=act.completed,
                    act=act.done.number,
                    name=act.done.act,
                    by=act.done.by,
                    stock=move.stock,
                    source=move.source,
                    target=move.target,
                    cents=cents,
                )


def stocks_before(events: Iterable[tuple[str, e.ActEvent]], moment: str) -> Stocks:
    """Return the stocks of every place just before a moment, from all events of an office with their moments."""
    completed = (event for at, event in events if at < moment and isinstance(event, e.ActCompleted))
    return stocks_after({}, (move for event in completed for move in event.moves))


def statements(
    entries: Sequence[MoneyEntry], opening: Stocks, stocks: Iterable[str], outside: Iterable[str] = (OVER_SHORT,)
) -> list[Statement]:
    """Return the statement of every place that had a balance or a movement of these stocks, in order.

    `outside` are the places that take up what counts find.
    """
    taken_up, found = {*outside}, list[Statement]()
    for stock in stocks:
        own = [entry for entry in entries if entry.stock == stock]
        places = dict.fromkeys(
            (*opening.get(stock, {}), *(place for entry in own for place in (entry.source, entry.target)))
        )
        for place in sorted(places):
            before = Cents(units_cents(opening.get(stock, {}).get(place)))
            found.append(_statement(stock, place, before, own, taken_up))
    return found


def _statement(stock: str, place: str, opening: Cents, entries: Iterable[MoneyEntry], taken_up: set[str]) -> Statement:
    came, went, over = dict[str, int](), dict[str, int](), 0
    for entry in entries:
        other, sign = (entry.source, 1) if entry.target == place else (entry.target, -1)
        if place not in {entry.source, entry.target}:
            continue
        if other in taken_up:
            over += sign * entry.cents
            continue
        side = came if sign > 0 else went
        side[entry.name] = side.get(entry.name, 0) + entry.cents
    return Statement(stock=stock, place=place, opening=opening, came=came, went=went, over=over)


def stocks_at_end(found: Iterable[Statement]) -> Stocks:
    """Return the closing balances of statements in cents, as the opening balances of the next ones."""
    ends: Stocks = {}
    for statement in found:
        ends.setdefault(statement.stock, {})[statement.place] = {"1": statement.closing}
    return ends
