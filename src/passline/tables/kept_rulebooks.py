"""The rulebooks that a log keeps, which those who decide its entries again must know first."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from passline.rules.pages.texts import unpacked_pages
from passline.store.entry import LogRow
from passline.store.sealed import stored_of
from passline.streams.redecide import FORGED
from passline.tables import commands as k
from passline.tables.entries import HOUSE_CODEC
from passline.tables.rules_in_force import learn_rulebook

_KEPT = b"keep-rulebook"


def learn_kept_rulebooks(rows: Iterable[LogRow]) -> None:
    """Know every rulebook that a log keeps, before its entries are decided again.

    An upgrade keeps the rulebooks of entries before it: of a version that kept none itself.
    """
    for row in rows:
        if _KEPT in row.body:
            with suppress(*FORGED):  # told when the entry itself is read
                command = HOUSE_CODEC.command(stored_of(row).entry)
                if isinstance(command, k.KeepRulebook):
                    learn_rulebook(unpacked_pages(command.name, command.pages), is_kept=True)
