"""Every page that a newcomer follows in an empty folder does what it says."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from tests.followed_page import Follower, matches

ROOT = Path(__file__).resolve().parent.parent
FOLLOWED = sorted(
    path for part in ("tutorials", "guides", "explanation") for path in (ROOT / "docs" / part).glob("*.md")
)
WHOLE = ("adding-a-regulation",)
ORDINARY = ("craps-in-ten-minutes", "hand-files")
INTERNAL_ERROR = 70


def _marked(path: Path) -> object:
    """Return a page as a parameter. Pages with many commands take long: in an ordinary run there are few of them."""
    is_short = "```console" not in path.read_text(encoding="utf-8") or path.stem in ORDINARY
    is_long = path.stem in WHOLE
    return pytest.param(
        path, id=path.stem, marks=pytest.mark.whole if is_long else pytest.mark.long if is_short else pytest.mark.sweep
    )


@pytest.mark.parametrize("path", [_marked(path) for path in FOLLOWED])
def test_the_page_can_be_followed(path: Path, tmp_path: Path) -> None:
    follower = Follower(tmp_path)
    try:
        for printed in follower.follow(path.read_text(encoding="utf-8")):
            where = f"{path.name}:{printed.line}: {printed.command}"
            difference = "\n".join(difflib.unified_diff(printed.expected, printed.actual, where, "now", lineterm=""))
            assert printed.code != INTERNAL_ERROR, "\n".join(printed.actual)
            assert matches(printed.expected, printed.actual), difference
    finally:
        follower.close()


def test_there_are_pages_of_each_part() -> None:
    assert {path.parent.name for path in FOLLOWED} == {"tutorials", "guides", "explanation"}
