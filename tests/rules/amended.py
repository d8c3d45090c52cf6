"""A regulation of the tests' own that an order amends from a day on."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from passline.papers.new_rulebook import write_rulebook
from passline.rules.pages.library import FOLDERS

NAME = "quay"
DAY = date(2027, 1, 1)
BEFORE = date(2026, 12, 31)
ORDER = """instrument = "Order 27-01"
from = 2027-01-01

[wagers.field]
pays = [
  { totals = [3, 4, 9, 10, 11], pays = "1 to 1", cite = "QUAY-3.5" },
  { totals = [2, 12], pays = "3 to 1", cite = "QUAY-3.5" },
]

[elections.wager_cents_max]
max = 100000

[house]
wager_cents_max = 100000
"""


def write_amended(shelf: Path, order: str = ORDER, *, file: str = "2027-01") -> Path:
    """Write the regulation, or only one more amendment of it; return its folder."""
    folder = shelf / NAME
    if not folder.exists():
        write_rulebook(shelf, NAME)
    place = folder / "amendments" / f"{file}.toml"
    place.parent.mkdir(exist_ok=True)
    place.write_text(order, encoding="utf-8")
    return folder


@pytest.fixture
def amended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the regulation, known to this process."""
    folder = write_amended(tmp_path / "rulebooks")
    monkeypatch.setenv(FOLDERS, str(folder.parent))
    return folder
