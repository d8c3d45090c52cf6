"""The rules in force at a table: its house, compiled under its rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec

from passline.rules.rules import Rules
from passline.tables.live import LiveTable, version_of

__all__ = ["rulebook_digest", "rules_of", "rules_under", "rules_version"]

_RULES_MAX = 500  # compiled rules kept in memory
_rules: dict[tuple[str, tuple[str, ...]], Rules] = {}


def rules_of(live: LiveTable) -> Rules:
    """Return the rules in force at a table; equal houses share one compiled copy."""
    return rules_under(live.house, live.rules, live.automate)


def rules_under(house: Mapping[str, Any], version: str, automate: tuple[str, ...]) -> Rules:
    """Return the compiled rules of a complete house of this version."""
    known = _rules.get((version, automate))
    if known is None:
        if len(_rules) >= _RULES_MAX:
            _rules.clear()
        known = _rules[version, automate] = Rules.of(house["rules"], house=house, automate=frozenset(automate))
    return known


def rules_version(rules: Rules) -> str:
    """Return the version of rules: a short digest of the complete house and the rulebook's files.

    >>> rules_version(Rules.of("maryland")) == rules_version(Rules.of("maryland", house={"wager_cents_min": 100}))
    False
    """
    return version_of(msgspec.to_builtins(rules.house), rulebook_digest(rules.house.rules))


@cache
def rulebook_digest(name: str) -> str:
    """Return the digest of a rulebook's files."""
    folder = files("passline") / "rulebooks" / name
    pages = sorted((page for page in folder.iterdir() if page.name.endswith(".toml")), key=lambda page: page.name)
    digest = sha256()
    for page in pages:
        digest.update(page.name.encode() + b"\0" + page.read_bytes() + b"\0")
    return digest.hexdigest()
