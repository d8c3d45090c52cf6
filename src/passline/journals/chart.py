"""The chart of accounts: which account stands for a place of chips, a result, or the money of an act."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import replace

from passline.bookkeeping.act_money import units_cents
from passline.bounded_text import parse_toml
from passline.errors import CrapsError

_COMMODITIES = {"$": "USD", "\N{EURO SIGN}": "EUR", "\N{POUND SIGN}": "GBP"}
_COMMODITY = re.compile(r"[A-Z]{2,12}")
_ACCOUNT = re.compile(r"(?:Assets|Liabilities|Equity|Income|Expenses)(?::(?:[A-Z0-9][A-Za-z0-9-]*|\{of\}))+")
_NO_PART = re.compile(r"[^A-Za-z0-9]+")


class ChartError(CrapsError):
    """A chart of accounts cannot be used: the message names the key and the problem."""


class ActMoney(Struct, frozen=True, forbid_unknown_fields=True):
    """Money of an act: a field of it, debited to one account and credited to another."""

    field: str
    debit: str
    credit: str
    less: str = ""  # a field that is in it already, posted by its chips
    is_shares: bool = False  # the field has cents by person, and not units by denomination

    def cents(self, fields: Mapping[str, Any]) -> int:
        """Return what the field comes to.

        >>> ActMoney("total", "cash.cage", "tips", less="chips").cents({"total": 41200, "chips": {"500": 50}})
        16200
        """
        value = fields.get(self.field)
        cents = sum((value or {}).values()) if self.is_shares else _cents_of(value)
        return cents - (_cents_of(fields.get(self.less)) if self.less else 0)


class ActAccounts(Struct, frozen=True, forbid_unknown_fields=True):
    """The accounts of an act."""

    players: str = ""
    patrons: str = ""
    unless: dict[str, str] = {}
    money: tuple[ActMoney, ...] = ()

    def for_players(self, fields: Mapping[str, Any]) -> str:
        """Return the account that stands for players; an empty string if none does."""
        return next((account for flag, account in self.unless.items() if fields.get(flag)), self.players)


class Chart(Struct, frozen=True, forbid_unknown_fields=True):
    """A chart of accounts."""

    commodity: str = ""
    accounts: dict[str, str] = {}
    names: dict[str, str] = {}
    acts: dict[str, ActAccounts] = {}

    def account(self, key: str, of: str = "") -> str:
        """Return the name of an account.

        >>> standard_chart().account("win", "craps-1"), standard_chart().account("chips.vault")
        ('Income:Tables:Craps-1', 'Equity:Suspense:Chips-vault')
        """
        if key not in self.accounts:
            key, of = "suspense", f"{key}.{of}" if of else key
        return self.accounts[key].replace("{of}", self.names.get(of) or _part_of(of))

    def commodity_for(self, sign: str) -> str:
        """Return the commodity of all amounts, by the sign before amounts where the chart names none."""
        if commodity := self.commodity or _COMMODITIES.get(sign, ""):
            return commodity
        raise ChartError(f'commodity: amounts have the sign {sign} before them; name their currency, such as "USD"')


def standard_chart_text() -> str:
    """Return the chart that comes with the program, for a house to copy."""
    return (files("passline") / "journals" / "chart.toml").read_text(encoding="utf-8")


def standard_chart() -> Chart:
    """Return the chart that comes with the program."""
    return convert(parse_toml(standard_chart_text()), Chart)


def read_chart(text: str, name: str) -> Chart:
    r"""Return a house's chart, laid over the one that comes with the program.

    >>> read_chart('[accounts]\nwin = "Income:Craps:{of}"', "ours.toml").account("win", "C1")
    'Income:Craps:C1'
    >>> read_chart('[accounts]\nwin = "Winnings"', "ours.toml")
    Traceback (most recent call last):
    passline.journals.chart.ChartError: ours.toml: accounts.win: 'Winnings' is not an account such as Income:Tables:{of}
    """
    try:
        own = convert(parse_toml(text), Chart)
    except (ValidationError, CrapsError) as error:
        raise ChartError(f"{name}: {error}") from None
    known = standard_chart()
    chart = replace(
        known,
        commodity=own.commodity,
        accounts={**known.accounts, **own.accounts},
        names=own.names,
        acts={**known.acts, **own.acts},
    )
    if faults := list(_faults_of(chart)):
        raise ChartError("\n".join(f"{name}: {fault}" for fault in faults))
    return chart


def _faults_of(chart: Chart) -> list[str]:
    faults = [
        f"accounts.{key}: {account!r} is not an account such as Income:Tables:{{of}}"
        for key, account in chart.accounts.items()
        if not _ACCOUNT.fullmatch(account)
    ]
    if chart.commodity and not _COMMODITY.fullmatch(chart.commodity):
        faults.append(f"commodity: {chart.commodity!r} is not a currency such as USD")
    faults += (
        f"names.{of}: {name!r} is not part of an account, such as Pit1-Craps1"
        for of, name in chart.names.items()
        if not re.fullmatch(r"[A-Z0-9][A-Za-z0-9-]*", name)
    )
    for act, accounts in chart.acts.items():
        named = [accounts.players, accounts.patrons, *accounts.unless.values()]
        named += (key for money in accounts.money for key in (money.debit, money.credit))
        faults += (
            f"acts.{act}: {key!r} is not among the accounts" for key in named if key and key not in chart.accounts
        )
    return faults


def _part_of(name: str) -> str:
    """Return a name as part of an account's: letters, digits and hyphens, the first a capital or a digit."""
    part = _NO_PART.sub("-", name).strip("-")
    return part[:1].upper() + part[1:] or "None"


def _cents_of(value: Any) -> int:  # noqa: ANN401 - cents, or units by denomination
    return units_cents(value) if isinstance(value, dict) else int(value or 0)
