"""What the breaks of each clause came to: a table for the package, and a page where each survivor is explained.

`breaks.csv` has a line for each clause: how many breaks were tried and how many of them its own tests noticed. A run
replaces the lines of the clauses that it tried and keeps the others. `marks-survivors.txt` has a line for each break
that nobody noticed: clause, break, and why it is harmless. Explanations are written by hand; a run keeps them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BREAKS = ROOT / "src/passline/rulebooks/clauses/breaks.csv"
SURVIVORS = ROOT / "benchmarks/results/marks-survivors.txt"
UNEXPLAINED = "not explained yet"
_HEADS = ("clause", "tried", "noticed")
_BETWEEN = " | "
_TOP = """\
# Breaks that the tests of their own clause did not notice, one a line: clause | break | why it is harmless.
# `./x bench marks --part PART` writes it; the third column is written by hand and kept.
"""


@dataclass(frozen=True)
class ClauseTally:
    """What the breaks of one clause came to."""

    clause: str
    tried: int
    noticed: int
    survivors: tuple[str, ...] = ()  # each in words


def write_breaks(tallies: Iterable[ClauseTally], path: Path = BREAKS) -> None:
    """Put the figures of these clauses into the table; those of other clauses stay."""
    rows: dict[str, tuple[str, str]] = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows = {row["clause"]: (row["tried"], row["noticed"]) for row in csv.DictReader(file)}
    rows |= {one.clause: (str(one.tried), str(one.noticed)) for one in tallies}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_HEADS)
        writer.writerows((clause, *rows[clause]) for clause in sorted(rows))


def write_survivors(
    tallies: Sequence[ClauseTally], path: Path = SURVIVORS, *, explained: Mapping[str, Mapping[str, str]] | None = None
) -> list[str]:
    """Put the survivors of these clauses onto the page; return those that nobody has explained.

    `explained` has reasons that stand elsewhere, by clause and break.
    """
    known = dict(_survivors(path))
    for clause, reasons in (explained or {}).items():
        known |= {(clause, _in_a_line(survivor)): why for survivor, why in reasons.items()}
    tried = {one.clause for one in tallies}
    kept = {key: why for key, why in known.items() if key[0] not in tried}
    kept |= {
        (one.clause, survivor): known.get((one.clause, survivor), UNEXPLAINED)
        for one in tallies
        for survivor in map(_in_a_line, one.survivors)
    }
    lines = (_BETWEEN.join((*key, why)) for key, why in sorted(kept.items()))
    path.write_text(_TOP + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [_BETWEEN.join(key) for key, why in kept.items() if why == UNEXPLAINED]


def _survivors(path: Path) -> Mapping[tuple[str, str], str]:
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    found = (line.split(_BETWEEN) for line in lines if line and not line.startswith("#"))
    return {(clause, survivor): why for clause, survivor, why in found}


def _in_a_line(survivor: str) -> str:
    return " ".join(survivor.replace("|", "/").split())
