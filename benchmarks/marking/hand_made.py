"""Breaks of tournament code that were made by hand: named changes of its text, each with the clauses it breaks."""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass
from pathlib import Path

_FILE = Path(__file__).with_suffix(".toml")
_PACKAGE = "src/passline"


@dataclass(frozen=True)
class HandMade:
    """One change of a text: what it does in words, whose matter it is, and where it is made."""

    what: str
    clauses: tuple[str, ...]
    path: str
    was: str
    now: str

    def tree(self, root: Path) -> ast.Module:
        """Return the module with the change made; its lines stay where they were."""
        text = (root / self.path).read_text(encoding="utf-8")
        if text.count(self.was) != 1 or self.was.count("\n") != self.now.count("\n"):
            raise ValueError(
                f"{_FILE.name}: {self.what}: {self.was!r} stands {text.count(self.was)} times in {self.path}"
            )
        return ast.parse(text.replace(self.was, self.now))


def hand_made_breaks() -> list[HandMade]:
    """Return all of them, in the order of their file."""
    return [
        HandMade(one["what"], tuple(one["clauses"]), f"{_PACKAGE}/{one['file']}", one["was"], one["now"])
        for one in tomllib.loads(_FILE.read_text(encoding="utf-8"))["breaks"]
    ]
