"""Compiled kernels are kept where something can be written, and nowhere if nothing can."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from passline import kernel_cache
from passline.kernel_cache import choose_kernel_cache, kernel_cache_folder
from tests.pythons import pythons

TRIED = """
import sys
from passline import kernel_cache
kernel_cache._is_writable = lambda folder: False
if sys.argv[1] == "nothing":
    def refused(**_named): raise OSError(30, "Read-only file system")
    kernel_cache.tempfile.mkdtemp = refused
import passline.exact.session
from numba import config
from doubling import double
assert double(21) == 42
print(bool(config.CACHE_DIR))
"""
KERNEL = "from numba import njit\n\n\n@njit(cache=True)\ndef double(x):\n    return 2 * x\n"


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


def test_each_version_of_the_sources_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel kept by an older release names classes that are gone, and numba fails on reading it."""
    monkeypatch.delitem(sys.modules, "numba", raising=False)  # the kernels of this process stay where they are
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "mine"))
    module = tmp_path / "passline" / "simulation" / "constants.py"
    module.parent.mkdir(parents=True)
    folders = []
    for text in ("WIDTH = 8\n", "WIDTH = 16\n"):
        module.write_text(text, encoding="utf-8")
        choose_kernel_cache(module.parent.parent)
        choose_kernel_cache(module.parent.parent)  # as in a process that this one started
        folders.append(Path(os.environ["NUMBA_CACHE_DIR"]))
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "mine"))
    assert folders[0] != folders[1]
    assert {folder.parent for folder in folders} == {tmp_path / "mine"}


KEPT = """
import sys
from passline.kernel_cache import choose_kernel_cache
choose_kernel_cache()
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
