"""The guide to running a house, docs/running.md, as commands that tests carry out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.extras_matrix import ROOT

GUIDE = ROOT / "docs" / "running.md"


def commands_of(title: str) -> Iterator[str]:
    """Yield the commands of a section of the guide."""
    section = GUIDE.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    for block in re.findall(r"^```text\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL):
        yield from re.findall(r"^\$ (.+)$", block.replace("\\\n", " "), flags=re.MULTILINE)
