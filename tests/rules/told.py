"""Files of what is told of faults: a line for each change, and below it, indented, every message that it brings."""

from __future__ import annotations

from pathlib import Path

__all__ = ["cases_of"]

FOLDER = Path(__file__).parent / "faults"


def cases_of(name: str) -> list[tuple[str, list[str]]]:
    """Read the cases of a file; one without a message is lawful."""
    cases: list[tuple[str, list[str]]] = []
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            cases[-1][1].append(line.strip())
        elif line and not line.startswith("#"):
            cases.append((line, []))
    return cases
