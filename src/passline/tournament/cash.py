"""The cash of tournaments: fees, buy-ins and more chips, what goes back of them, and prizes, each with its patron."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Lock

from passline.acts.patrons import entrant_key
from passline.office.views.cash import CashPart
from passline.store.entry import Entry
from passline.store.sealed import Log
from passline.tournament import events as e
from passline.tournament.events import Paid, TournamentEvent

_CASH = "cash"


class TournamentCash:
    """One tournament as far as it was read: the regulation it is held by, and who paid how much cash."""

    def __init__(self) -> None:
        self.rules = ""
        self._who: dict[int, str] = {}
        self._paid: dict[int, int] = {}  # what goes back where an entry is withdrawn

    def take(self, entry: Entry, events: Sequence[TournamentEvent]) -> Iterator[CashPart]:
        """Yield the cash of an entry of the tournament's stream."""
        where = f"tournament {entry.stream.partition('/')[2]}"
        for event in events:
            match event:
                case e.TournamentPlanned():
                    self.rules = str(event.plan.get("rules", ""))
                case e.PlayerEntered():
                    self._who[event.entry] = f"account/{event.account}" if event.account else entrant_key(event.name)
                    cents = self._paid[event.entry] = _cash_cents(event.fee, event.buy_in)
                    entered = "" if event.occurred == entry.at else entry.at
                    yield CashPart(self._who[event.entry], event.occurred, cents, where, entered, by=event.cashier)
                case e.ChipsBought():
                    yield CashPart(self._who[event.entry], entry.at, _cash_cents(event.paid), where)
                case e.EntryWithdrawn():
                    yield CashPart(self._who[event.entry], entry.at, -self._paid.pop(event.entry, 0), where)
                case e.EntryRefunded():
                    back = _cash_cents(event.fee, event.buy_in, *event.chips)
                    yield CashPart(self._who[event.entry], entry.at, -back, where)
                case e.PrizePaid():
                    yield CashPart(self._who[event.entry], entry.at, -event.pool_cents - event.house_cents, where)
                case _:
                    pass


def _cash_cents(*payments: Paid) -> int:
    return sum(paid.cents for paid in payments if paid.how == _CASH)


class TournamentsCash:
    """The cash of all tournaments of a log, read on as they grow: streams whose names begin with a prefix."""

    def __init__(self, log: Log, prefix: str, events_of: Callable[[Entry], Sequence[TournamentEvent]]) -> None:
        self._log, self._prefix, self._events_of = log, prefix, events_of
        self._lock = Lock()
        self._read: dict[str, tuple[int, TournamentCash, list[CashPart]]] = {}  # by stream: its version, and its cash

    def find(self, rules: str, since: str, until: str) -> list[CashPart]:
        """Return the cash of a regulation's tournaments, told for or entered from a moment on and before another."""
        with self._lock:
            for stream, version in self._log.streams().items():
                if stream.startswith(self._prefix):
                    self._read_on(stream, version)
            return [
                part
                for _, tournament, parts in self._read.values()
                if tournament.rules == rules
                for part in parts
                if since <= part.at < until or since <= part.entry_at < until
            ]

    def _read_on(self, stream: str, version: int) -> None:
        known, tournament, parts = self._read.get(stream, (0, TournamentCash(), []))
        if known == version:
            return
        for stored in self._log.read_stream(stream, after=known):
            found = tournament.take(stored.entry, self._events_of(stored.entry))
            parts += (part for part in found if part.cents)
            known = stored.entry.version
        self._read[stream] = known, tournament, parts
