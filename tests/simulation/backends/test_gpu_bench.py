"""The GPU's bench takes along all that it needs on a machine without Passline; no GPU is needed to see it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

from benchmarks import simulate_gpu
from passline.automaton.network import network
from passline.automaton.terms import Terms
from passline.rules.rules import Rules
from passline.simulation.kernel_tables import tables_of
from passline.strategy.lookup import strategy_of


def test_the_copied_modules_import_without_the_rest_of_passline(tmp_path: Path) -> None:
    """`check` and `rate` once failed on a machine without Passline: a module that device.py imports was left out."""
    simulate_gpu.copy_modules(tmp_path)
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        f"import {simulate_gpu.ENTRANCE}\n"
        "from importlib.resources import files\n"
        "assert (files('passline.simulation.backends.gpu') / 'kernel.cu').is_file()\n"
        "print(*sorted(module.__file__ for name, module in sys.modules.items() if name.startswith('passline')))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {Path(file).is_relative_to(tmp_path) for file in done.stdout.split()} == {True}


def test_a_copy_reaches_the_gpu_or_says_what_is_missing(tmp_path: Path) -> None:
    """The bench's own `check` comes as far as CuPy with nothing but the copy, and an empty folder is no success."""
    simulate_gpu.copy_modules(tmp_path)
    bench = [sys.executable, simulate_gpu.__file__, "check", str(tmp_path)]
    done = subprocess.run(bench, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "there is no case in" in done.stdout
    rules, terms = Rules.of("maryland"), Terms(bankroll_cents=100_00, rolls=20)
    tables = tables_of(network(rules, strategy_of("pass", rules)))
    simulate_gpu.write_case(tmp_path / "case00.npz", "pass", tables, terms, rows=10, sessions=100)
    done = subprocess.run(bench, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "No module named 'passline" not in done.stderr
    if importlib.util.find_spec("cupy") is None:
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1].endswith("pip install 'passline[gpu]'"), done.stderr
