"""Journals as files for a general ledger: CSV, beancount and hledger."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta

from passline.journals.journal import Journal, Transaction
from passline.journals.posting import Journals

_COLUMNS = (
    *("number", "journal", "gaming day", "shift", "description", "account", "debit", "credit", "currency"),
    *("acts", "refers to"),
)
_OPENED = 60  # columns up to the amount of a line
_STOCKS = ("Assets", "Liabilities")


def amount(cents: int) -> str:
    """Return cents as a decimal number.

    >>> amount(123456), amount(-5)
    ('1234.56', '-0.05')
    """
    return f"{'-' * (cents < 0)}{abs(cents) // 100}.{abs(cents) % 100:02}"


def as_csv(journals: Journals) -> str:
    """Return journals as a table, a line of a transaction in each row; `number` tells what was imported before."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for journal in journals.journals:
        for entry in journal.transactions:
            for line in entry.lines:
                sides = (amount(line.cents), "") if line.cents > 0 else ("", amount(-line.cents))
                about = (entry.number, journal.number, str(entry.day), entry.shift, entry.what, line.account)
                writer.writerow((*about, *sides, journals.commodity, " ".join(entry.acts), entry.refers))
    return made.getvalue()


def as_beancount(journals: Journals, *, is_whole: bool) -> str:
    """Return journals for beancount. Read twice they are refused; if they are whole, so is a gap.

    They are whole from the first day on: then the balances after each day are held too.
    """
    lines = ['plugin "beancount.plugins.noduplicates"', ""]
    first = journals.journals[0].day if journals.journals else None
    lines += (f"{first} open {account} {journals.commodity}" for account in accounts_of(journals))
    for journal, balances in _with_balances(journals):
        for entry in journal.transactions:
            lines += ("", f'{entry.day} * "{entry.what}" "{_about(entry)}" ^{entry.number}')
            lines += (f'  number: "{entry.number}"', *([f'  refers: "{entry.refers}"'] if entry.refers else []))
            lines += (_line(line.account, line.cents, journals.commodity) for line in entry.lines)
        if is_whole and balances:
            after = journal.day + timedelta(days=1)
            lines.append("")
            lines += (
                f"{after} balance {account} {amount(cents)} {journals.commodity}"
                for account, cents in sorted(balances.items())
            )
    return "\n".join(lines) + "\n"


def as_hledger(journals: Journals, *, is_whole: bool) -> str:
    """Return journals for hledger. If they are whole, from the first day on, the balances after each day are held."""
    lines = [f"commodity 1000.00 {journals.commodity}", *(f"account {name}" for name in accounts_of(journals))]
    for journal, balances in _with_balances(journals):
        for entry in journal.transactions:
            refers = f", refers: {entry.refers}" if entry.refers else ""
            lines += ("", f"{entry.day} * ({entry.number}) {entry.what} | {_about(entry)}")
            lines += (f"  ; number: {entry.number}{refers}",)
            lines += (_line(line.account, line.cents, journals.commodity) for line in entry.lines)
        if is_whole and balances:
            lines += ("", f"{journal.day} * ({journal.number}) balances after the day")
            lines += (
                f"{_line(account, 0, journals.commodity)} = {amount(cents)} {journals.commodity}"
                for account, cents in sorted(balances.items())
            )
    return "\n".join(lines) + "\n"


def accounts_of(journals: Journals) -> list[str]:
    """Return the accounts that journals post to."""
    return sorted(
        {line.account for journal in journals.journals for entry in journal.transactions for line in entry.lines}
    )


def _with_balances(journals: Journals) -> Iterator[tuple[Journal, Mapping[str, int]]]:
    """Yield each journal, with the balances of what the house has and owes after the last one of each day."""
    sums: Counter[str] = Counter()
    found = journals.journals
    for place, journal in enumerate(found):
        for entry in journal.transactions:
            for line in entry.lines:
                sums[line.account] += line.cents
        is_last = place + 1 == len(found) or found[place + 1].day != journal.day
        yield journal, {name: sums[name] for name in sums if name.startswith(_STOCKS)} if is_last else {}


def _line(account: str, cents: int, commodity: str) -> str:
    return f"  {account:<{_OPENED}}  {amount(cents):>14} {commodity}"


def _about(entry: Transaction) -> str:
    return f"{entry.shift}: acts {' '.join(entry.acts)}{f'; {entry.refers}' if entry.refers else ''}"


FORMATS: dict[str, Callable[[Journals, bool], str]] = {
    ".csv": lambda journals, _is_whole: as_csv(journals),
    ".beancount": lambda journals, is_whole: as_beancount(journals, is_whole=is_whole),
    ".journal": lambda journals, is_whole: as_hledger(journals, is_whole=is_whole),
}
"""The formats by the end of a file's name; the second argument says whether the journals begin with the log."""
