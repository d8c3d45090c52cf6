"""The launcher's own commands, as far as they work without setting anything up."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = [path.stem for path in sorted(ROOT.glob("benchmarks/[!_]*.py")) if path.stem != "crapssim_table"]


def _x(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "x"), *arguments], check=False, capture_output=True, text=True, timeout=60
    )


def test_bench_lists_the_benchmarks_with_descriptions() -> None:
    listed = _x("bench").stdout.splitlines()
    assert {line.split()[0] for line in listed} >= set(BENCHMARKS)
    assert all(len(line.split()) > 3 for line in listed)


def test_an_unknown_benchmark_is_refused_by_name() -> None:
    done = _x("bench", "nothing")
    assert done.returncode == 2
    assert "no benchmark 'nothing'" in done.stderr


_IMPORT_ALL = """
import importlib, sys, traceback
for name in sys.argv[1:]:
    try:
        importlib.import_module(f"benchmarks.{name}")
    except BaseException:
        traceback.print_exc()
"""


@pytest.mark.whole
def test_every_benchmark_can_be_imported_where_the_launcher_runs_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT_ALL, *BENCHMARKS],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.whole
def test_the_benchmark_of_tournaments_holds_a_small_one() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.tournament", "--entrants", "20", "--rounds", "2", "--rolls", "2"],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert (result["bench"], result["tables"]) == ("tournament", [2, 1])
    assert result["ratio"] > result["ratio_play"] > 0


LAYERS = {
    "simulate molly --on ray": "cluster",
    "simulate --on=ray://10.0.0.1:10001 molly": "cluster",
    "simulate molly --on cpu": "exact",
    "simulate ray --seed 7": "exact",
    "analyze molly": "exact",
    "play --on ray": "run",
    "house check ours.toml": "exact",
    "house show": "run",
    "tournament simulate plan.toml": "serve",
}


def test_a_command_uses_the_layer_it_needs() -> None:
    lines = [line.split() for line in LAYERS]
    code = f"import runpy; x = runpy.run_path('x'); print(*(x['layer_of'](name, rest) for name, *rest in {lines!r}))"
    done = subprocess.run([sys.executable, "-I", "-c", code], check=False, cwd=ROOT, capture_output=True, text=True)
    assert dict(zip(LAYERS, done.stdout.split(), strict=True)) == LAYERS, done.stderr


@pytest.mark.parametrize("is_ci", [False, True])
def test_without_node_the_scripts_are_skipped_aloud_and_in_ci_it_fails(tmp_path: Path, *, is_ci: bool) -> None:
    code = "import runpy; runpy.run_path('x')['check_scripts']()"
    env = {"PATH": str(tmp_path), **({"CI": "1"} if is_ci else {})}
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], check=False, cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert done.returncode == int(is_ci)
    said = "cannot be checked" if is_ci else "skipped: format, lint, types and tests of the scripts of the pages"
    assert said in done.stderr + done.stdout
    assert "node and npm are not on this machine" in done.stderr + done.stdout


_BESIDE = """
import runpy, sys
x = runpy.run_path("x")
first, second = ([sys.executable, "-c", code] for code in sys.argv[1:])
with x["beside"](first, ["types"]) as running:
    x["check"](second, ["tests"], until=running)
"""


_WAITS = "import signal; signal.pause()"


_ORPHANED = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]])"
_BUSY = "import time\nwhile time.process_time() < 0.8: pass"


def test_it_is_said_how_long_the_processor_was_busy_also_for_processes_that_outlived_their_parent() -> None:
    code = "import runpy, subprocess, sys; x = runpy.run_path('x'); x['adopt_orphans'](); "
    code += "subprocess.run([sys.executable, '-c', *sys.argv[1:]]); print(x['processor_use']())"
    command = [sys.executable, "-I", "-c", code, _ORPHANED, _BUSY]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    said = re.fullmatch(r"(\d+) s of processor time on \d+ cores of .+\n", done.stdout)
    assert said, done.stderr
    assert int(said[1]) >= (sys.platform == "linux")


@pytest.mark.parametrize(
    ("types", "tests", "code", "said"),
    [
        ("print('no fault')", "print('12 passed')", 0, "12 passed\n"),
        ("print('a fault'); exit(1)", _WAITS, 2, "a fault\n"),
        (_WAITS, "print('1 failed'); exit(1)", 1, "1 failed\n"),
    ],
)
def test_a_check_beside_the_tests_stops_them_and_they_stop_it(types: str, tests: str, code: int, said: str) -> None:
    ignores = "trap '' INT; exec \"$@\""  # as a shell's background job does
    command = ["sh", "-c", ignores, "sh", sys.executable, "-I", "-c", _BESIDE, types, tests]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
    assert done.stdout == f"== types (beside what follows)\n== tests\n{said}"
