"""The example regulation whose side wagers are all machines."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from passline.rules.pages.texts import read_toml
from passline.rules.rulebook_reader import load_rulebook
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from tests.source import ROOT

SIDE_WAGERS = ROOT / "examples" / "rulebooks" / "side_wagers"
STAKE = 5_00  # which every one of them pays exactly
LARGE = "replay"  # the one with tens of thousands of states
_STRATEGY = """
name = "{kind}"
description = "A side wager whenever it can be made."
source = "An example."

[[wish]]
make = "{kind}"
when = "not up('{kind}')"
cents = "{stake}"
"""


@cache
def rulebook() -> Rulebook:
    """The example, loaded once, which takes seconds."""
    return load_rulebook(SIDE_WAGERS)


@cache
def rules() -> Rules:
    """The default house of the example, which offers them all."""
    return Rules.under(rulebook())


def machines() -> list[str]:
    """The kinds of the side wagers, as the page names them: to read it whole takes seconds."""
    page = read_toml(SIDE_WAGERS / "sidewagers.toml")
    return [kind for kind, entry in page.items() if entry.get("family") == "machine"]


def write_strategy(folder: Path, kind: str) -> str:
    """Write a strategy that has this side wager up all the time; return what names it."""
    path = folder / f"{kind}.toml"
    path.write_text(_STRATEGY.format(kind=kind, stake=STAKE), encoding="utf-8")
    return str(path)
