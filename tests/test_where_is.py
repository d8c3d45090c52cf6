"""Holds "Where is..." in CONTRIBUTING.md: what it names is there, its rows are short, and its links lead somewhere."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tests.source import ROOT, SRC

_TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_PART = _TEXT[_TEXT.index("\n## Where is...\n") : _TEXT.index("\n## Adding a regulation\n")]
_HEADS = ("| question |", "| ---")
_ROWS = [line for line in _PART.splitlines() if line.startswith("| ") and not line.startswith(_HEADS)]
_ROW_LENGTH_MAX = 350
_IS_PATH = re.compile(r"/$|\.(py|js|ts|css|typ|toml|cu|txt|csv|md)$")
_IN_FILE = re.compile(r"((?:`[\w.:]+`(?:, | and )?)+) in `([^`]+\.\w+)`")


@cache
def _names() -> frozenset[str]:
    """Return the names of all files and folders of the repository that a row may name without their folder."""
    roots = [ROOT / name for name in ("src", "tests", "benchmarks", "docs", "deploy", "examples")]
    return frozenset(
        path.name
        for path in (*ROOT.iterdir(), *(path for root in roots for path in root.rglob("*")))
        if "__pycache__" not in path.parts
    )


@cache
def _places(path: str) -> tuple[Path, ...]:
    """Return the files and folders that a row means by a path; `NAME` stands for any, and so does `*`."""
    pattern = path.rstrip("/").replace("NAME", "*")
    if "/" in path:
        return (*(SRC / "passline").glob(pattern), *ROOT.glob(pattern))
    return tuple((SRC / "passline").rglob(pattern))


def _is_there(path: str) -> bool:
    return bool(_places(path)) or ("/" not in path and path in _names())


def _lost_paths(row: str) -> list[str]:
    quoted = re.findall(r"`([^`\s]+)`", row)
    return [path for path in quoted if _IS_PATH.search(path) and not path.startswith(".") and not _is_there(path)]


def _lost_names(row: str) -> list[str]:
    """Return what a row says is in a file and is not."""
    lost = []
    for names, path in _IN_FILE.findall(row):
        texts = [place.read_text(encoding="utf-8") for place in _places(path) if place.is_file()]
        for name in re.findall(r"`([\w.:]+)`", names):
            last = re.split(r"[.:]+", name)[-1]
            if not _IS_PATH.search(name) and not any(re.search(rf"\b{last}\b", text) for text in texts):
                lost.append(f"{name} in {path}")
    return lost


def test_what_a_row_names_is_there() -> None:
    wrong = [f"{lost}: {row[:80]}" for row in _ROWS for lost in (*_lost_paths(row), *_lost_names(row))]
    assert len(_ROWS) > 100  # they were found
    assert not wrong, "\n".join(wrong)
    assert _lost_paths("| a thing? | `web/nowhere.py`, `nowhere.py` |") == ["web/nowhere.py", "nowhere.py"]
    assert _lost_names("| a thing? | `nothing_such` in `money.py` |") == ["nothing_such in money.py"]


def test_rows_are_short_and_each_question_is_asked_once() -> None:
    wrong = [row for row in _ROWS if len(row) > _ROW_LENGTH_MAX or row.count(" | ") != 1]
    assert not wrong, "split these:\n" + "\n".join(wrong)
    questions = [row.partition(" | ")[0] for row in _ROWS]
    assert len({*questions}) == len(questions)


def test_links_lead_to_headings_and_every_group_is_in_the_index() -> None:
    slugs = {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^##+ (.+)$", _TEXT, flags=re.MULTILINE)
    }
    assert {*re.findall(r"\]\(#([\w-]+)\)", _TEXT)} <= slugs
    index = _PART[: _PART.index("\n### ")]
    assert re.findall(r"\(#([\w-]+)\)", index) == [
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^### (.+)$", _PART, flags=re.MULTILINE)
    ]
    kinds = re.findall(r"^## (Adding an? .+|Changing .+)$", _TEXT, flags=re.MULTILINE)
    assert not [kind for kind in kinds if f"[{kind}](#" not in _PART], "a row for each"
