"""The example of a learner: what it learns is close to the proved optimum, and never above it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("gymnasium")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "learn_to_double.py"


@pytest.mark.whole
@pytest.mark.slow
def test_the_example_comes_within_five_thousandths_of_the_optimum(capsys: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.spec_from_file_location("learn_to_double", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    gap = example.main(1200)
    assert -1e-9 <= gap < 0.005
    assert "best     0.492987, 949/1925" in capsys.readouterr().out
