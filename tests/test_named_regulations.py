"""No regulation's name decides anything: neither in Python nor in a script of the pages. Examples may name them."""

from __future__ import annotations

import re

from passline.rules.clauses import REGULATIONS
from tests.source import FILES, SRC, example_lines, tree_of

_NAMES = re.compile("|".join(REGULATIONS))
_COMMENT = re.compile(r"^\s*(\*|//|/\*)")


def test_no_name_of_a_regulation_is_in_python_but_for_examples() -> None:
    wrong = [
        f"{path.relative_to(SRC)}:{number}: {line.strip()}"
        for path in FILES
        if _NAMES.search(text := path.read_text(encoding="utf-8"))
        for examples in [example_lines(tree_of(path))]
        for number, line in enumerate(text.splitlines(), start=1)
        if _NAMES.search(line) and number not in examples
    ]
    assert not wrong, "\n".join(wrong)


def test_no_name_of_a_regulation_is_in_a_script_but_for_comments() -> None:
    wrong = [
        f"{path.relative_to(SRC)}:{number}: {line.strip()}"
        for path in sorted((SRC / "passline").rglob("*.js"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if _NAMES.search(line) and not _COMMENT.match(line)
    ]
    assert not wrong, "\n".join(wrong)
