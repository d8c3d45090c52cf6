"""Wagers of known families that no layout lists: of one roll, of two parts, on numbers, and a line that travels."""

from __future__ import annotations

import shutil
from pathlib import Path

from passline.rules.rulebook_reader import load_rulebook
from passline.rules.rules import Rules
from tests.rules.rulebooks import HARBOUR

UNLISTED = """
[over_7]
family = "one_roll"
name = "Over the Pier Bet"
make = { when = "any", cite = "HB-60" }
win = { totals = [8, 9, 10, 11, 12], cite = "HB-61" }
lose = { cite = "HB-62" }
centre = false
pays = [{ totals = [8, 9, 10, 11, 12], pays = "1 to 1", cite = "HB-63" }]

[under_7]
family = "one_roll"
name = "Under the Pier Bet"
make = { when = "any", cite = "HB-60" }
win = { totals = [2, 3, 4, 5, 6], cite = "HB-61" }
lose = { cite = "HB-62" }
centre = false
pays = [{ totals = [2, 3, 4, 5, 6], pays = "1 to 1", cite = "HB-63" }]

[anchors]
family = "one_roll"
name = "Twin Anchors Bet"
make = { when = "any", cite = "HB-60" }
win = { totals = [2, 12], cite = "HB-61" }
lose = { cite = "HB-62" }
centre = false
pays = [{ totals = [2, 12], pays = "14 to 1", cite = "HB-63" }]

[buoys]
family = "composite"
name = "Buoys Bet"
centre = false
make = { when = "any", cite = "HB-60" }
win = { totals = [2, 8, 9, 10, 11, 12], cite = "HB-61" }
lose = { cite = "HB-62" }
parts = { units = { anchors = 1, over_7 = 1 }, cite = "HB-63" }

[lighthouse]
family = "number"
name = "Lighthouse Bet"
numbers = [5, 6, 8, 9]
make = { when = "any", cite = "HB-50" }
win = { on = "number", cite = "HB-51" }
lose = { on = "seven", cite = "HB-52" }
come_out = { works = false, call = "on", cite = "HB-53" }
pays = [{ numbers = [5, 6, 8, 9], pays = "1 to 1", cite = "HB-54" }]

[ebb]
family = "line"
name = "Ebb Bet"
make = { when = "point", cite = "HB-30" }
remove = { until = "point", cite = "HB-31" }
first_win = { totals = [7, 11], cite = "HB-32" }
first_lose = { totals = [2, 3, 4, 10, 12], cite = "HB-33" }
moves = { cite = "HB-34" }
win = { on = "number", cite = "HB-35" }
lose = { on = "seven", cite = "HB-36" }
pays = [{ pays = "1 to 1", cite = "HB-37" }]
"""
KINDS = ("over_7", "under_7", "anchors", "buoys", "lighthouse", "ebb")
SPOTS = {
    *((kind, 0) for kind in KINDS if kind != "lighthouse"),
    *(("lighthouse", number) for number in (5, 6, 8, 9)),
    *(("ebb", number) for number in (5, 6, 8, 9)),
}
"""Where they are made, and where the line wager travels to."""


def harbour_with(folder: Path, added: str = UNLISTED) -> Rules:
    """Read the invented rulebook with further wagers, from a copy in a folder."""
    shutil.copytree(HARBOUR, folder / "harbour")
    with (folder / "harbour" / "wagers.toml").open("a", encoding="utf-8") as file:
        file.write(added)
    if "[ebb]" in added:  # a line wager that moves is played out when the game is cleared
        craps = folder / "harbour" / "craps.toml"
        text = craps.read_text(encoding="utf-8")
        craps.write_text(text.replace('wagers = ["come"]', 'wagers = ["come", "ebb"]', 1), encoding="utf-8")
    if "composite" in added:
        with (folder / "harbour" / "general.toml").open("a", encoding="utf-8") as file:
            file.write('\n[composite_parts]\ncite = "HB-64"\n')
    return Rules.under(load_rulebook(folder / "harbour"))
