"""The Pythons that the project says it is for, and those of this machine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

from tests.extras_matrix import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OLDEST = int(re.fullmatch(r">=3\.(\d+)", PROJECT["requires-python"])[1])  # type: ignore[index]
CLASSIFIER = re.compile(r"Programming Language :: Python :: 3\.(\d+)")
VERSION = "import sys; print('.'.join(map(str, sys.version_info[:3])), sys.executable)"


def minor_versions() -> list[int]:
    """Return which versions of Python the project says it is for: 11 for 3.11, and so on."""
    return [int(found[1]) for one in PROJECT["classifiers"] if (found := CLASSIFIER.fullmatch(one))]


@cache
def pythons() -> dict[str, Path]:
    """Return the Pythons of this machine that the project can be installed on, by version."""
    names = [f"python3.{minor}" for minor in range(OLDEST, OLDEST + 20)]
    managed = [Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")), Path.home() / ".local" / "share" / "uv"]
    candidates = [Path(sys.base_prefix) / "bin" / name for name in names]
    candidates += [Path(folder) / name for name in names for folder in os.get_exec_path()]
    candidates += [path for folder in managed for name in names for path in sorted(folder.glob(f"*/*/bin/{name}"))]
    found: dict[str, Path] = {}
    for path in candidates:
        if path.exists():
            done = subprocess.run([str(path), "-I", "-c", VERSION], check=False, capture_output=True, text=True)
            if done.returncode == 0:  # a shim of pyenv may stand for nothing
                version, _, executable = done.stdout.strip().partition(" ")
                found.setdefault(version, Path(executable))
    return found
