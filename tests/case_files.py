"""Case files: a line for each case, and below it, indented, the lines that are expected."""

from __future__ import annotations

from pathlib import Path


def cases_of(path: Path) -> list[tuple[str, list[str]]]:
    """Read each case of a file with its expected lines, if any."""
    cases: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            cases[-1][1].append(line.strip())
        elif line and not line.startswith("#"):
            cases.append((line, []))
    return cases
