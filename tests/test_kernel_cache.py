"""Compiled kernels are kept where something can be written, and nowhere if nothing can."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from passline import kernel_cache
from passline.kernel_cache import UNUSED_SECONDS, VERSIONS_KEPT, kernel_cache_folder, kernel_sources
from tests.pythons import pythons

PACKAGE = Path(kernel_cache.__file__).parent
TRIED = """
import sys
from passline import kernel_cache
kernel_cache._is_writable = lambda folder: False
if sys.argv[1] == "nothing":
    def refused(**_named): raise OSError(30, "Read-only file system")
    kernel_cache.tempfile.mkdtemp = refused
from doubling import double
assert double(21) == 42
print(bool(double.stats.cache_path))
"""
KERNEL = "from passline.kernel_cache import kernel\n\n\n@kernel()\ndef double(x):\n    return 2 * x\n"
KERNEL_MODULES = [
    ".".join(("passline", *path.relative_to(PACKAGE).with_suffix("").parts))
    for path in sorted(PACKAGE.rglob("*.py"))
    if re.search(r"^@kernel\(", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
]


def _unwritable(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    is_writable = kernel_cache._is_writable
    monkeypatch.setattr(kernel_cache, "_is_writable", lambda one: one not in folders and is_writable(one))


def test_a_checkout_keeps_kernels_in_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    own = tmp_path / "src" / "__pycache__" / "kernels"
    assert kernel_cache_folder(tmp_path / "src") == own
    _unwritable(monkeypatch, own)
    assert kernel_cache_folder(tmp_path / "src") == tmp_path / "cache" / "passline" / "kernels"


def test_an_installed_package_keeps_them_with_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "site-packages" / "passline"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert kernel_cache_folder(installed) == tmp_path / "cache" / "passline" / "kernels"


def test_without_a_home_and_a_writable_package_they_are_kept_for_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    _unwritable(monkeypatch, tmp_path / "src" / "__pycache__" / "kernels")
    folder = kernel_cache_folder(tmp_path / "src")
    assert folder is not None
    assert folder.parent == Path(tempfile.gettempdir())
    assert folder.stat().st_mode & 0o077 == 0, "another user could put code there"


@pytest.mark.parametrize(("writable", "kept"), [("temporary", "True"), ("nothing", "False")])
@pytest.mark.whole
def test_kernels_compile_where_nothing_else_can_be_written(writable: str, kept: str, tmp_path: Path) -> None:
    (tmp_path / "doubling.py").write_text(KERNEL, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", TRIED, writable],
        check=False,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.split() == [kept], done.stderr
    assert not list(tmp_path.rglob("*.nbi")), "nothing is kept beside the module"


@pytest.fixture
def invented(tmp_path: Path) -> Path:
    """A package whose kernels freeze what a module that their module imports takes from a third."""
    package = tmp_path / "invented"
    (package / "far").mkdir(parents=True)
    texts = {
        "__init__": "",
        "kernels": "from invented.near import (  # and (nothing) else\n    WIDTH as W,\n)\n",
        "near": "if True:\n    from invented.far import width\nWIDTH = width.WIDTH\n",
        "far/__init__": "",
        "far/width": "WIDTH = 8\n",
        "other": "import invented.kernels\n",
    }
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    return package


def test_kernels_are_of_their_module_and_of_all_that_it_imports(invented: Path) -> None:
    expected = {"kernels.py", "near.py", "far/__init__.py", "far/width.py"}
    assert {*kernel_sources("invented.kernels", invented)} == expected


@pytest.mark.parametrize("edited", ["kernels", "near", "far/__init__", "far/width"])
def test_an_edit_of_what_kernels_are_made_of_gives_them_another_folder(invented: Path, edited: str) -> None:
    """A constant of another module is compiled in, and numba looks at the kernel's own file only."""
    before = kernel_cache._version_of("invented.kernels", invented)
    (invented / f"{edited}.py").write_text("WIDTH = 16\n", encoding="utf-8")
    assert kernel_cache._version_of("invented.kernels", invented) != before


@pytest.mark.parametrize("edited", ["other", "__init__", "new"])
def test_an_edit_elsewhere_keeps_kernels(invented: Path, edited: str) -> None:
    before = kernel_cache._version_of("invented.kernels", invented)
    (invented / f"{edited}.py").write_text("WIDTH = 16\n", encoding="utf-8")
    assert kernel_cache._version_of("invented.kernels", invented) == before


@pytest.mark.whole
def test_a_changed_constant_of_another_module_is_compiled_in(tmp_path: Path) -> None:
    """A process after an edit has the new constant; one after an edit elsewhere reads what was kept."""
    source = Path(kernel_cache.__file__).read_text(encoding="utf-8")
    package = tmp_path / "invented"
    package.mkdir()
    (package / "kernel_cache.py").write_text(source, encoding="utf-8")
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "numbers.py").write_text("FACTOR = 2\n", encoding="utf-8")
    kernel = KERNEL.replace("passline", "invented").replace("2 * x", "FACTOR * x")
    (package / "doubling.py").write_text("from invented.numbers import FACTOR\n" + kernel, encoding="utf-8")
    tried = "from invented.doubling import double; print(double(21), sum(double.stats.cache_hits.values()))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kept"), "PYTHONPATH": str(tmp_path)}

    def run() -> list[str]:
        command = [sys.executable, "-c", tried]
        return subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout.split()

    assert [run(), run()] == [["42", "0"], ["42", "1"]]
    (package / "elsewhere.py").write_text("FACTOR = 5\n", encoding="utf-8")
    assert run() == ["42", "1"]
    (package / "numbers.py").write_text("FACTOR = 3\n", encoding="utf-8")
    assert run() == ["63", "0"]


def test_the_versions_used_last_are_kept_and_older_ones_removed(tmp_path: Path) -> None:
    (tmp_path / "cpu_of_another_program").mkdir()
    running = tmp_path / "exact.session.kernels-ffffffffffff"  # of a program that began yesterday
    running.mkdir()
    os.utime(running, (time.time() - UNUSED_SECONDS + 60,) * 2)
    old = [tmp_path / f"exact.session.kernels-{number:012x}" for number in range(VERSIONS_KEPT + 2)]
    another = tmp_path / "exact.session.kernels_more-000000000000"
    for number, path in enumerate([another, tmp_path / "0123456789ab", *old]):
        path.mkdir()
        os.utime(path, (number, number))
    folder = kernel_cache._folder_of(tmp_path, "passline.exact.session.kernels")
    kept = {path.name for path in tmp_path.iterdir()}
    last = {path.name for path in old[-VERSIONS_KEPT + 2 :]}
    assert kept == {"cpu_of_another_program", another.name, folder.name, running.name, *last}
    for number in range(VERSIONS_KEPT):
        (tmp_path / f"exact.session.kernels-a{number:011x}").mkdir()
    shutil.rmtree(folder)
    kernel_cache._folder_of.cache_clear()
    kernel_cache._folder_of(tmp_path, "passline.exact.session.kernels")
    assert running.exists(), "it may still be used"


@pytest.mark.parametrize("module", KERNEL_MODULES)
def test_kernels_reach_nothing_that_is_edited_every_day(module: str) -> None:
    """Or each edit there would have them compiled again: what they share with it is in modules of its own."""
    reached = {*kernel_sources(module)} - {"automaton/arrays.py"}
    assert not {file.split("/")[0] for file in reached} & {"automaton", "game", "rules", "strategy", "tables", "store"}


@pytest.mark.whole
def test_every_import_is_found_that_python_finds() -> None:
    """Imports are found by an expression, since to parse every file takes as long as loading the kernels."""
    for path in PACKAGE.rglob("*.py"):
        source = path.read_bytes()
        named = set[str]()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                named |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}: a relative import, which kernel_cache does not follow"
                named |= {str(node.module), *(f"{node.module}.{name.name}" for name in node.names if name.name != "*")}
        assert named <= {*kernel_cache._imports_of(source)}, path


KEPT = """
from doubling import double
assert double(21) == 42
print(sum(double.stats.cache_hits.values()))
"""


@pytest.mark.sweep
def test_a_kernel_is_kept_across_pythons_of_one_minor_version(tmp_path: Path) -> None:
    """An upgrade from 3.11.2 to 3.11.7 compiles nothing again."""
    minor = f"3.{sys.version_info.minor}."
    others = {version: path for version, path in pythons().items() if version.startswith(minor)}
    if len(others) < 2:
        pytest.skip(f"only one Python {minor[:-1]} on this machine")
    (tmp_path / "doubling.py").write_text(KERNEL, encoding="utf-8")
    paths = [str(Path(kernel_cache.__file__).parent.parent), *(path for path in sys.path if "site-packages" in path)]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(paths)}
    hits = [
        subprocess.run(
            [str(python), "-c", KEPT], check=True, cwd=tmp_path, env=environment, capture_output=True, text=True
        ).stdout.strip()
        for python in others.values()
    ]
    assert hits == ["0", *["1"] * (len(others) - 1)]
