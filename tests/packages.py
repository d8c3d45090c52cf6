"""Packages as their users get them: built, installed into clean environments, and tried command by command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.extras_matrix import ROOT

BUILD_FILES = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
"""What building a package needs besides `src`."""
OWN_PYTHON = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
"""The Python behind this environment, which has a pip."""


def apart() -> dict[str, str]:
    """Return an environment in which Python finds nothing of this checkout."""
    return {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}


def packages_built(folder: Path, source: Path = ROOT) -> tuple[Path, Path]:
    """Build the sdist and the wheel of a source tree, and return them."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, check=True, cwd=source, capture_output=True)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def clean_environment(place: Path, python: Path = OWN_PYTHON) -> Path:
    """Make an environment with nothing in it, and return its Python."""
    subprocess.run([str(python), "-m", "venv", "--without-pip", str(place)], check=True, env=apart())
    return place / "bin" / "python"


def pip_install(python: Path, *wanted: str, pip: Path = OWN_PYTHON, cwd: Path | None = None) -> None:
    """Install into an environment with the pip of another Python. Binary packages only, apart from what is named."""
    command = [str(pip), "-m", "pip", "--python", str(python), "install", "--quiet", "--only-binary", ":all:"]
    done = subprocess.run(
        [*command, "--no-binary", "passline", *wanted],
        check=False,
        cwd=cwd,
        env=apart(),
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr


def run_in(out: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder where it may write."""
    environment = {**os.environ, "PASSLINE_PROGRESS": "off", "XDG_DATA_HOME": str(out), "PASSLINE_DEBUG": "0"}
    return subprocess.run(
        command,
        check=False,
        cwd=out,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )


def tried(command: list[str], words: list[str], missing: str, out: Path) -> None:
    """Run a command: it works, or says in one line which extra it needs."""
    done = run_in(out, *command, *words)
    check_extra(words, missing, done.returncode, done.stderr)


def check_extra(words: list[str], missing: str, code: int, errors: str) -> None:
    """Check that a command has worked, or has said in one line which extra it needs."""
    said = f"{' '.join(words)}: {code}: {errors}"
    assert code != 70, said
    assert "Traceback" not in errors, said
    if missing:
        assert code == 2, said
        assert re.search(rf"needs \w+, which is not installed: pip install 'passline\[{missing}\]'\n$", errors), said
        assert len(errors.splitlines()) == 1, said
    else:
        assert "not installed" not in errors or "--on gpu" in errors, said
