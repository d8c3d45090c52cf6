"""Files of cases: a line for each change, and below it, indented, every line that is told of it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["cases_of"]


def cases_of(path: Path) -> list[tuple[str, list[str]]]:
    """Read the cases of a file; one of which nothing is told has no lines."""
    cases: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            cases[-1][1].append(line.strip())
        elif line and not line.startswith("#"):
            cases.append((line, []))
    return cases
