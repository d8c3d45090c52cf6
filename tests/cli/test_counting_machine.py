"""What a counting machine wrote becomes a count; a file that it cannot have written is refused with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from passline.cli.options.act_fields import act_arguments, machine_count
from passline.errors import CrapsError
from tests.grids import every

HEAD = "denomination_cents,pieces\n"


def test_the_file_of_a_machine_is_a_count_by_denomination(tmp_path: Path) -> None:
    file = tmp_path / "count.csv"
    file.write_text(f"{HEAD}10000,5\n2000, 50\n\n", encoding="utf-8")
    words = [f"cash={machine_count(file)}"]
    assert act_arguments(words, {"cash": {"type": "units"}}) == ([], {"cash": {"10000": 5, "2000": 50}})


@every(bad=[
    ("2000,50\n", ":1: the first line is not denomination_cents,pieces"),
    (f"{HEAD}2000,fifty\n", ":2: '2000,fifty' is not a denomination in cents and a number"),
    (f"{HEAD}2000,50,3\n", ":2: '2000,50,3' is not"),
    (f"{HEAD}2000,50\n2000,3\n", ":3: denomination_cents: 2000 stands there twice"),
])  # fmt: skip
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, bad: tuple[str, str]) -> None:
    text, said = bad
    file = tmp_path / "count.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CrapsError, match=re.escape(f"{file}{said}")):
        machine_count(file)
