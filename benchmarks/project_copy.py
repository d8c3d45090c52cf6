"""A copy of the project, for a bench that breaks it."""

from __future__ import annotations

import shutil
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_LEFT_OUT = ("__pycache__", ".git", ".*cache", ".venv*", ".hypothesis", "node_modules", "dist", "site")


def copy_project(folder: Path) -> None:
    """Copy what the project is made of into a folder, which may exist; not its history, nor what tools made."""
    shutil.copytree(_ROOT, folder, ignore=shutil.ignore_patterns(*_LEFT_OUT), symlinks=True, dirs_exist_ok=True)
