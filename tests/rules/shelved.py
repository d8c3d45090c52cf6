"""A regulation of a test on a shelf of this process, as `--rulebooks` has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.rules.pages.library import FOLDERS
from passline.rules.pages.texts import Pages


def shelve(pages: Pages, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the pages of a regulation and have this process find them."""
    for page, text in pages.texts.items():
        place = shelf / pages.name / page
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)
    monkeypatch.setenv(FOLDERS, str(shelf))
