"""An account: what was won, what should have been and how much was luck, for one subject in one period of time.

Scopes are the house, a game, a table, a crew, a set of dice, a player, a player's visit to a table, and a hand; periods
are the shift, gaming day, month and year. Sums are exact. Each account knows the first and last entry behind it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, NamedTuple

from msgspec import Struct, json

from passline.bookkeeping.accrual import Accrual
from passline.streams.projection_store import ViewReader, ViewWriter

Scope = Literal["house", "game", "table", "crew", "dice", "player", "visit", "hand"]
"""What an account is about."""
Period = Literal["shift", "day", "month", "year"]
"""How long an account runs."""
SCOPES: tuple[Scope, ...] = ("house", "game", "table", "crew", "dice", "player", "visit", "hand")
"""All scopes. Visits and hands have accounts by shift only: they are what the others are looked into by."""
PERIODS: tuple[Period, ...] = ("shift", "day", "month", "year")
"""All periods, the shortest first."""
NOBODYS = "tips"
"""The player's account of tips that are wagered for the crew."""
ACCOUNTS_TABLES = {
    "accounts": """CREATE TABLE accounts (rules TEXT NOT NULL, scope TEXT NOT NULL, period TEXT NOT NULL,
        span TEXT NOT NULL, subject TEXT NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (rules, scope, period, span, subject)) WITHOUT ROWID"""
}
"""How the table of accounts is created."""
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


class AccountKey(NamedTuple):
    """What an account is found by."""

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

    @property
    def key(self) -> AccountKey:
        """What it is found by."""
        return AccountKey(self.rules, self.scope, self.period, self.span, self.subject)

    @property
    def coverage(self) -> Fraction | None:
        """The share of the rolls for money whose wagers are known; None where there was none."""
        rolls = self.sums.rolls + self.unkeyed
        return Fraction(self.sums.rolls, rolls) if rolls else None


def _to_column(value: Any) -> str:  # noqa: ANN401 - as msgspec gives it
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    raise NotImplementedError(type(value))


def _from_column(kind: type, value: Any) -> Any:  # noqa: ANN401 - as msgspec gives it
    assert kind is Fraction
    over, _, under = value.partition("/")
    return Fraction(int(over), int(under))


_encoder = json.Encoder(enc_hook=_to_column)
_decoder = json.Decoder(PlayAccount, dec_hook=_from_column)


def kept_account(reader: ViewReader, key: AccountKey) -> PlayAccount | None:
    """Return an account, if there is one."""
    sql = "SELECT body FROM accounts WHERE rules = ? AND scope = ? AND period = ? AND span = ? AND subject = ?"
    found = opened_accounts(reader, reader.query(sql, key))
    return found[0] if found else None


def keep_accounts(writer: ViewWriter, accounts: list[PlayAccount]) -> None:
    """Write accounts, in the place of what they were."""
    rows = [(*account.key, writer.seal("account", _encoder.encode(account))) for account in accounts]
    writer.write("INSERT OR REPLACE INTO accounts VALUES (?, ?, ?, ?, ?, ?)", rows)


def opened_accounts(reader: ViewReader, rows: list[Any]) -> list[PlayAccount]:
    """Return the accounts in rows that have their bodies."""
    return [_decoder.decode(reader.unseal("account", body)) for [body] in rows]
