"""Reads rulebooks and the names of people from a log; old house files are read under the rulebooks that it keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import json

from passline.acts.papers.houses import HouseRules, rules_of_file
from passline.people import accounts
from passline.people.course import PEOPLE, PeopleCourse
from passline.rules.rules import Rules
from passline.store.entry import Entry, Stored
from passline.store.genesis import HOUSE
from passline.store.sealed import Log
from passline.tables import house
from passline.tables.entries import HOUSE_CODEC
from passline.tables.house import HouseState
from passline.tables.rules_in_force import known_rulebook
from passline.tables.runtime.house_stream import learn_kept


def kept_house_rules(state: HouseState | None) -> HouseRules:
    """Return a function that reads house files under the newest rulebook that the log keeps of their regulation.

    Logs from before rulebooks were kept have none: then house files are read under the installed rulebook.
    """
    kept = sorted(state.rulebooks, key=state.rulebooks.__getitem__, reverse=True) if state else []

    def read(data: Mapping[str, Any]) -> Rules:
        name = str(data.get("rules", ""))
        digest = next((rulebook for rulebook in kept if known_rulebook(rulebook, name) is not None), "")
        return _under(digest, json.encode(data, order="deterministic")) if digest else rules_of_file(data)

    return read


@lru_cache(maxsize=64)
def _under(digest: str, text: bytes) -> Rules:
    rulebook = known_rulebook(digest)
    assert rulebook is not None
    return Rules.under(rulebook, json.decode(text))


def stored_until(log: Log, stream: str, until: int | None) -> Iterator[Stored]:
    """Yield the stored entries of a stream, up to the entry of the log with the sequence `until`, if that is given."""
    for stored in log.read_stream(stream):
        if until is not None and stored.entry.sequence > until:
            return
        yield stored


def entries_until(log: Log, stream: str, until: int | None) -> Iterator[Entry]:
    """Yield the entries of a stream, up to the entry of the log with the sequence `until`, if that is given."""
    return (stored.entry for stored in stored_until(log, stream, until))


def house_of_log(log: Log, until: int | None = None) -> HouseState | None:
    """Return the house as of an entry of a log, or now; this process then knows the rulebooks that the log keeps."""
    state: HouseState | None = None
    for entry in entries_until(log, HOUSE, until):
        events = HOUSE_CODEC.events(entry)
        state = house.fold(state, events)
        learn_kept(entry, events)
    return state


def names_of_log(log: Log, until: int | None = None) -> dict[str, str]:
    """Return everybody's name by account, as of an entry of a log, or now."""
    entries = entries_until(log, accounts.STREAM, until)
    people = PeopleCourse().fold_all(None, ((entry, PEOPLE.events(entry)) for entry in entries))
    return {account.id: account.name for account in people.accounts.values()}
