"""A copy of the installed rulebooks whose files a test may change, as an insider would."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest

from passline.rules import rulebook_reader
from passline.rules.pages import amendments, clause_matrix, texts
from passline.rules.pages.texts import Pages, read_pages
from passline.rules.rulebook_reader import rulebook_of
from passline.tables import rules_in_force

OLD = rulebook_of("maryland").digest
_FAIR = b'{ numbers = [6], pays = "7 to 6", cite = "MD-5.A.7" }'
_FOUL = b'{ numbers = [6], pays = "9 to 6", cite = "MD-5.A.7" }'


def tamper(root: Path, *, fair: bytes = _FAIR, foul: bytes = _FOUL) -> str:
    """Have Maryland's Place Bets on 6 pay more; return the digest of the rulebook as it is now."""
    page = root / "maryland" / "wagers.toml"
    text = page.read_bytes()
    assert text.count(fair) == 1
    page.write_bytes(text.replace(fair, foul))
    return read_pages(page.parent).digest


def untamper(root: Path) -> None:
    """Put the files back."""
    assert tamper(root, fair=_FOUL, foul=_FAIR) == OLD


def changed_pages() -> Pages:
    """Return the tampered pages of Maryland."""
    pages = read_pages(Path(str(files("passline") / "rulebooks" / "maryland")))
    return Pages(pages.name, {**pages.texts, "wagers.toml": pages.texts["wagers.toml"].replace(_FAIR, _FOUL)})


def new_process() -> None:
    """Forget every rulebook that was read, as a process does that has just begun."""
    amendments._texts_in.cache_clear()
    clause_matrix._read_added.cache_clear()
    rulebook_reader._rulebook_in.cache_clear()
    rulebook_reader._sound_and_not.cache_clear()
    rules_in_force._RULEBOOKS._known.clear()
    rules_in_force._rules.clear()


@contextmanager
def installed_in(folder: Path) -> Iterator[Path]:
    """Have the rulebooks installed in a folder of the test's own; yield it."""
    root = folder / "rulebooks"
    shutil.copytree(str(files("passline") / "rulebooks"), root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "_ROOT", root)
        yield root
    new_process()
