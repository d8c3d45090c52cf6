"""What a search finds: each hole once, with the shortest way to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.office.search.world import World

KNOWN = Path(__file__).parent / "known.txt"
"""The findings in today's pages that somebody has read, each with a sentence."""


@dataclass(frozen=True)
class Finding:
    """One hole: what kind it is, by which act, against which clause, and how one comes there."""

    regulation: str
    oracle: str
    act: str
    clause: str
    what: str
    seed: str
    path: tuple[str, ...]

    @property
    def key(self) -> str:
        """What tells it from others."""
        return f"{self.regulation} | {self.oracle} | {self.act} | {self.clause}"

    def __str__(self) -> str:
        way = "; ".join(self.path) or "as the day has it"
        return f"{self.key}\n    {self.what}\n    {self.seed}: {way}"


class Findings:
    """Findings by what tells them apart; of two ways to the same hole the shorter one is kept."""

    def __init__(self, regulation: str) -> None:
        self.regulation = regulation
        self.found: dict[str, Finding] = {}

    def add(self, oracle: str, act: str, clause: str, what: str, world: World) -> None:
        """Record a hole that shows in a world."""
        path = tuple(map(str, world.path))
        finding = Finding(self.regulation, oracle, act, clause, what, world.seed, path)
        known = self.found.get(finding.key)
        if known is None or len(path) < len(known.path):
            self.found[finding.key] = finding

    @property
    def sorted(self) -> list[Finding]:
        """All of them in the order of their keys."""
        return [self.found[key] for key in sorted(self.found)]


def read_known(*, deeper: bool = False) -> dict[str, str]:
    """Return the findings that somebody has read, each with what was said of it; also those of longer searches."""
    known: dict[str, str] = {}
    key = ""
    for line in KNOWN.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            key = line.strip()
            known[key] = ""
        else:
            known[key] = f"{known[key]} {line.strip()}".strip()
    return {key.removeprefix(_DEEPER): said for key, said in known.items() if deeper or not key.startswith(_DEEPER)}


_DEEPER = "deeper: "
"""Stands before what only a longer or another random search shows."""
