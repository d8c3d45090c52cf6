"""Finds names that need a second reading: functions that are bare participles, variables and arguments called `one`.

Run it over the rooms that are to be cleaned: `python -m tests.words src/passline/office`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.source import nodes_of, place

IRREGULAR = re.compile(
    "(?:fore|mis|out|over|re|un|with)?(?:"
    "beaten|become|been|begun|bent|born|bought|broken|brought|built|caught|chosen|come|dealt|done|drawn|driven|eaten|"
    "fallen|fed|felt|forgotten|fought|found|frozen|given|gone|got|grown|heard|held|hidden|hung|kept|known|laid|led|left|"
    "lent|lost|made|meant|met|paid|ridden|risen|rung|said|sat|seen|sent|shot|shown|shut|slept|sold|sought|spent|spoken|"
    "stolen|stood|struck|stuck|sung|sunk|swept|sworn|taken|taught|thought|thrown|told|torn|understood|woken|won|worn|written)"
)
NOUNS_AND_VERBS = re.compile(  # what ends like a participle and is none, and nouns or adjectives in their own right
    "outcome|unbroken|unknown|unmet|embed|exceed|feed|need|proceed|seed|speed|succeed|bring|building|closing|drawing|ending|greeting|heading|king|"
    "listing|marking|meaning|nothing|opening|padding|ping|rating|reading|ring|rounding|setting|string|thing|timing|"
    "warning|wording"
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_participle(name: str) -> bool:
    """Whether a function's name is one word, and that word a participle.

    >>> [name for name in ("_told", "_redone", "settled", "standing", "settle", "is_settled") if is_participle(name)]
    ['_told', '_redone', 'settled', 'standing']
    """
    word = name.strip("_")
    if "_" in word or NOUNS_AND_VERBS.fullmatch(word):
        return False
    return bool(IRREGULAR.fullmatch(word)) or (len(word) > 3 and word.endswith(("ed", "ing")))


def participles(path: Path) -> Iterator[str]:
    """Yield every function and method of a file whose name is a bare participle, with its place."""
    for node in nodes_of(path):
        if isinstance(node, Function) and is_participle(node.name):
            yield f"{place(path, node.lineno)} {node.name}: name what it does, or the thing that it returns"


def unnamed_variables(path: Path) -> Iterator[str]:
    """Yield every variable and argument of a file that is called `one`, also as `_one`, with its place."""
    for node in nodes_of(path):
        match node:
            case ast.arg(arg="one" | "_one") | ast.Name(id="one" | "_one", ctx=ast.Store()):
                yield f"{place(path, node.lineno)} one: call it what it is, such as fault, wager or entry"


def word_faults(path: Path) -> list[str]:
    """Return everything found in a file, or in the Python files of a folder."""
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [fault for file in files for fault in (*participles(file), *unnamed_variables(file))]


if __name__ == "__main__":
    found = [fault for argument in sys.argv[1:] for fault in word_faults(Path(argument).resolve())]
    sys.exit("\n".join(found))
