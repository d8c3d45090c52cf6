"""The notebooks in examples/ run from top to bottom, and show what they print."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernels import compile_kernel_of_sessions
from tests.notebooks import code_cells, notebooks, outputs, read, run


def test_there_is_a_notebook_for_each_kind_of_reader() -> None:
    assert [path.stem for path in notebooks()] == ["laboratory", "researcher", "strategist"]


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content = read(path)
    if "simulate(" in str(content):
        compile_kernel_of_sessions()
    shown = [outputs(cell) for cell in code_cells(content)]
    assert any(shown)
    assert run(content) == shown, "run `python -m tests.notebooks` and read what changed"
