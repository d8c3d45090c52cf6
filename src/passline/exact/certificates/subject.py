"""What a certificate is about: rules and a player, written down so that both can be had again from the page."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import msgspec

from passline.errors import CrapsError
from passline.rules.elections import house_digest
from passline.rules.house_reader import house_of
from passline.rules.meters import at_meters
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.strategy.interface import Combined, Strategy
from passline.strategy.one_wager import OneWager
from passline.strategy.strategy_file import FileStrategy, bind, read_strategy

Page = dict[str, Any]
"""A part of a certificate, as JSON has it."""


def rules_page(rules: Rules) -> Page:
    """Return rules as a certificate names them: the digests of rulebook and house, and every election.

    >>> page = rules_page(Rules.of("maryland"))
    >>> page["regulation"], page["game"], len(page["rulebook_sha256"])
    ('maryland', 'craps', 64)
    """
    return {
        "regulation": rules.rulebook.name,
        "game": rules.house.game,
        "rulebook_sha256": rules.rulebook.digest,
        "house_sha256": house_digest(rules.house),
        "limits_apply": rules.limits_apply,
        "house": msgspec.to_builtins(rules.house),
        "meters": dict(rules.meters),
    }


def rules_of_page(page: Page) -> Rules:
    """Return the rules that a certificate names; raise CrapsError if they are not what is installed."""
    name = page["regulation"]
    rulebook = rulebook_of(name)
    if rulebook.digest != page["rulebook_sha256"]:
        raise CrapsError(
            f"the certificate is about {name} with SHA-256 {page['rulebook_sha256']}, but the rulebook here has "
            f"{rulebook.digest}: another version of Passline, or the text of another day (--on)"
        )
    house, breaches = house_of(rulebook, page["house"])
    if house is None or breaches or house_digest(house) != page["house_sha256"]:
        raise CrapsError(f"the house of the certificate is not the one whose digest it names, {page['house_sha256']}")
    rules = Rules(rulebook, house, limits_apply=page["limits_apply"])
    return at_meters(rules, page["meters"]) if page["meters"] else rules


def player_page(strategy: Strategy) -> Page:
    """Return a strategy as a certificate names it: of files their text and parameters, of Python code its name."""
    if isinstance(strategy, OneWager):
        fields = ("kind", "number", "cents", "odds")
        return {"name": strategy.name, "wager": {field: getattr(strategy, field) for field in fields}}
    parts = list(_leaves(strategy))
    if not all(isinstance(part, FileStrategy) for part in parts):
        return {"name": strategy.name, "python": True}
    return {"name": strategy.name, "files": [_file_page(part) for part in parts if isinstance(part, FileStrategy)]}


def _leaves(strategy: Strategy) -> Iterator[Strategy]:
    if isinstance(strategy, Combined):
        yield from _leaves(strategy.first)
        yield from _leaves(strategy.second)
    else:
        yield strategy


def _file_page(strategy: FileStrategy) -> Page:
    file, _rules, chosen = strategy.made_of
    return {"file": Path(file.path).name, "text": file.text, "parameters": msgspec.to_builtins(chosen)}


def player_of_page(page: Page, rules: Rules) -> Strategy:
    """Return the strategy that a certificate names, bound to its rules.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> player_of_page(player_page(strategy_of("molly:odds=1 + field", rules)), rules).name
    'molly:odds=1 + field'
    """
    if "wager" in page:
        return OneWager(rules=rules, **page["wager"])
    if "files" not in page:
        raise CrapsError(f"{page['name']} is written in Python, and only whoever has it can compile it again")
    return reduce(add, (_bound(file, rules) for file in page["files"]))


def _bound(file: Page, rules: Rules) -> Strategy:
    chosen = {key: tuple(value) if isinstance(value, list) else value for key, value in file["parameters"].items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "strategy.toml"
        path.write_text(file["text"], encoding="utf-8", newline="")
        return bind(read_strategy(path, file["file"]), rules, chosen)
