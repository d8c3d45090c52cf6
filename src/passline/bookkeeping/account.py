"""An account: what was won, what should have been and how much was luck, for one subject in one period of time.

Scopes are the house, a game, a pit, a shift by its name, a table, a crew, a set of dice, a player, a player's visit to
a table, and a hand; periods are the shift, gaming day, month and year. Sums are exact. Each account knows the first and
last entry behind it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct, json
from msgspec.structs import replace

from passline.bookkeeping.accrual_sums import Accrual
from passline.exact.luck_evidence import NO_PRICES, TiltPrices
from passline.streams.projection_store import ViewReader, ViewWriter

Scope = Literal["house", "game", "pit", "shift", "table", "crew", "dice", "player", "visit", "hand"]
"""What an account is about."""
Period = Literal["shift", "day", "month", "year"]
"""How long an account runs."""
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""All scopes. Visits and hands have accounts by shift only: they are what the others are looked into by."""
PERIODS: tuple[Period, ...] = ("shift", "day", "month", "year")
"""All periods, the shortest first."""
NOBODYS = "tips"
"""The player's account of tips that are wagered for the crew."""
ACCOUNTS_TABLES = {
    "accounts": """CREATE TABLE accounts (rules TEXT NOT NULL, scope TEXT NOT NULL, period TEXT NOT NULL,
        span TEXT NOT NULL, subject TEXT NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (rules, scope, period, span, subject)) WITHOUT ROWID""",
    "open_shifts": """CREATE TABLE open_shifts (rules TEXT PRIMARY KEY, shift TEXT NOT NULL, day TEXT NOT NULL,
        month TEXT NOT NULL, year TEXT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID""",
}
"""How the tables are created: accounts, and the shift of each regulation that the longer periods do not have yet."""
ACCOUNTS_INDEXES = ("CREATE INDEX accounts_by_subject ON accounts (rules, scope, subject, period, span)",)
"""The index by which the course of one subject is found."""


class Span(NamedTuple):
    """A shift of a gaming day; without an office that is set up, the UTC date and no shift."""

    day: str
    shift: str = ""

    def name(self, period: Period) -> str:
        """Return the name of the period in which it lies.

        >>> [Span("2026-11-15", "day").name(period) for period in PERIODS]
        ['2026-11-15 day', '2026-11-15', '2026-11', '2026']
        """
        match period:
            case "shift":
                return f"{self.day} {self.shift}".rstrip()
            case "day":
                return self.day
            case "month":
                return self.day[:7]
            case "year":
                return self.day[:4]


def name_in(shift: str, period: Period) -> str:
    """Return the name of the period in which a shift lies, from the shift's name.

    >>> [name_in("2026-11-15 swing", period) for period in PERIODS]
    ['2026-11-15 swing', '2026-11-15', '2026-11', '2026']
    """
    return Span(*shift.split(" ", 1)).name(period)


class AccountKey(NamedTuple):
    """The key of an account."""

    rules: str  # the regulation
    scope: Scope
    period: Period
    span: str  # such as "2026-11-15 swing", 2026-11-15, 2026-11 or 2026
    subject: str  # such as craps-1; of the house as a whole, nothing


class PlayAccount(Struct, frozen=True, kw_only=True):
    """The account of one subject in one period."""

    rules: str
    scope: Scope
    period: Period
    span: str
    subject: str
    sums: Accrual = Accrual()
    unkeyed: int = 0  # rolls at tables where no wagers are keyed in: the sums know nothing of them
    points: int = 0  # rolls of tournaments, whose chips are no money
    seconds: int = 0  # that a player was at a table
    first: int = 0  # the entry of the log that it begins with
    last: int = 0
    stream: str = ""  # of its entries; empty where they are of several
    at: str = ""  # when it begins
    crew: str = ""  # of a hand
    dice: str = ""  # of a hand
    scale: int = 0  # the order of size of the luck of its first roll, known before the dice landed
    scaled_by: int = 0  # the entry of that roll; 0: there was none that could move anything
    is_open: bool = False  # of an open shift: the accounts of longer periods do not have it yet

    @property
    def key(self) -> AccountKey:
        """The key of the account."""
        return AccountKey(self.rules, self.scope, self.period, self.span, self.subject)

    @property
    def coverage(self) -> Fraction | None:
        """The share of the rolls for money whose wagers are known; None where there was none."""
        rolls = self.sums.rolls + self.unkeyed
        return Fraction(self.sums.rolls, rolls) if rolls else None


class OpenShift(Struct, frozen=True):
    """The shift that runs under a regulation, and the moment of the entry with which it began."""

    span: Span
    since: str


class _Body(Struct, frozen=True, array_like=True):
    """What a row holds of an account beside its key; the names of fields would be half of it."""

    won: int
    theoretical: Fraction
    luck: Fraction
    variance: Fraction
    rolls: int
    carried: Fraction
    decided: int
    wagered: int
    corrections: int
    corrected: Fraction
    above: tuple[int, ...]
    below: tuple[int, ...]
    unkeyed: int
    points: int
    seconds: int
    first: int
    last: int
    stream: str
    at: str
    crew: str
    dice: str
    scale: int
    scaled_by: int
    is_open: bool


_SUMS = tuple(name for name in Accrual.__struct_fields__ if name != "prices")
_BESIDE = _Body.__struct_fields__[_Body.__struct_fields__.index("unkeyed") :]


def _to_column(value: Any) -> str:  # noqa: ANN401 - as msgspec gives it
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    raise NotImplementedError(type(value))


def _from_column(kind: type, value: Any) -> Any:  # noqa: ANN401 - as msgspec gives it
    assert kind is Fraction
    over, _, under = value.partition("/")
    return Fraction(int(over), int(under))


_encoder = json.Encoder(enc_hook=_to_column)
_decoder = json.Decoder(_Body, dec_hook=_from_column)
_open_shifts = json.Decoder(OpenShift)
ACCOUNT_COLUMNS = "rules, scope, period, span, subject, body"
"""The columns of an account's row, as `opened_accounts` takes them."""


def add_up(known: PlayAccount | None, brought: PlayAccount) -> PlayAccount:
    """Return the sum of two accounts, which does not depend on their order.

    >>> key = AccountKey("maryland", "table", "shift", "2026-11-15 day", "craps-1")
    >>> late = PlayAccount(**key._asdict(), seconds=60, first=7, last=9, stream="table/craps-1", at="b")
    >>> early = PlayAccount(**key._asdict(), seconds=30, first=2, last=8, stream="table/craps-1", at="a")
    >>> both = add_up(late, early)
    >>> both.seconds, both.first, both.last, both.at, both == add_up(early, late)
    (90, 2, 9, 'a', True)
    """
    if known is None:
        return brought
    is_before = brought.scaled_by and not 0 < known.scaled_by < brought.scaled_by
    return replace(
        known,
        sums=known.sums + brought.sums,
        unkeyed=known.unkeyed + brought.unkeyed,
        points=known.points + brought.points,
        seconds=known.seconds + brought.seconds,
        first=min(known.first, brought.first),
        last=max(known.last, brought.last),
        stream=known.stream if known.stream == brought.stream else "",
        at=min(known.at, brought.at),
        scale=brought.scale if is_before else known.scale,
        scaled_by=brought.scaled_by if is_before else known.scaled_by,
    )


def of_player(visit: PlayAccount) -> PlayAccount:
    """Return the account of a visit to a table as an account of the player."""
    return replace(visit, scope="player", subject=visit.subject.rpartition("@")[0])


def kept_account(reader: ViewReader, key: AccountKey) -> PlayAccount | None:
    """Return an account as it is stored, without what an open shift adds to it; None: it is not stored."""
    sql = f"SELECT {ACCOUNT_COLUMNS} FROM accounts WHERE rules = ? AND scope = ? AND period = ? AND span = ?"  # noqa: S608 - constants only
    found = opened_accounts(reader, reader.query(f"{sql} AND subject = ?", key))
    return found[0] if found else None


def keep_accounts(writer: ViewWriter, accounts: Iterable[PlayAccount]) -> None:
    """Store accounts, replacing earlier versions of them."""
    rows = [(*account.key, _sealed_body(writer, account)) for account in accounts]
    sql = "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body"
    writer.write(sql, rows)  # an index by the key's columns stays as it is


def opened_accounts(reader: ViewReader, rows: Iterable[Any]) -> list[PlayAccount]:
    """Return the accounts that are sealed in rows with the columns `ACCOUNT_COLUMNS`."""
    return [_account_of(reader, AccountKey(*row[:-1]), row[-1]) for row in rows]


def open_shift(reader: ViewReader, rules: str) -> OpenShift | None:
    """Return the shift that runs under a regulation, as far as the log was read."""
    rows = reader.query("SELECT body FROM open_shifts WHERE rules = ?", (rules,))
    return _open_shifts.decode(reader.unseal("open shift", rows[0][0], rules)) if rows else None


def keep_open_shift(writer: ViewWriter, rules: str, shift: OpenShift) -> None:
    """Store which shift runs under a regulation."""
    names = [shift.span.name(period) for period in PERIODS]
    row = (rules, *names, writer.seal("open shift", json.encode(shift), rules))
    writer.write("INSERT OR REPLACE INTO open_shifts VALUES (?, ?, ?, ?, ?, ?)", [row])


def _sealed_body(writer: ViewWriter, account: PlayAccount) -> bytes:
    sums = account.sums
    fields = {name: getattr(sums, name) for name in _SUMS} | {name: getattr(account, name) for name in _BESIDE}
    body = _Body(**fields, above=sums.prices.above, below=sums.prices.below)
    return writer.seal("account", zlib.compress(_encoder.encode(body), 1), _place(account.key))


def _account_of(reader: ViewReader, key: AccountKey, sealed: bytes) -> PlayAccount:
    body = _decoder.decode(zlib.decompress(reader.unseal("account", sealed, _place(key))))
    prices = TiltPrices(body.above, body.below) if body.above else NO_PRICES
    sums = Accrual(**{name: getattr(body, name) for name in _SUMS}, prices=prices)
    return PlayAccount(**key._asdict(), sums=sums, **{name: getattr(body, name) for name in _BESIDE})


def _place(key: AccountKey) -> str:
    return "\n".join(key)
