"""docs/commands.md says what the commands themselves say, and the launcher shows it where nothing is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from passline.cli import exit_codes
from passline.cli.main import main
from tests.cases import one_in
from tests.cli.commands_page import PAGE, commands, page

ROOT = PAGE.parent.parent


def test_the_page_is_what_the_commands_say() -> None:
    """Made again with PASSLINE_WRITE_GOLDEN=1."""
    if os.environ.get("PASSLINE_WRITE_GOLDEN") == "1":
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page(), "run this test with PASSLINE_WRITE_GOLDEN=1"


def test_every_exit_code_is_in_the_table() -> None:
    listed = set(map(int, re.findall(r"^\| (\d+) \|", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)))
    assert listed == {0, *(value for value in vars(exit_codes).values() if isinstance(value, int))}


@pytest.mark.parametrize("words", [("simulate", "--help"), ("simulate", "molly", "-h"), ("house", "check", "--help")])
def test_the_launcher_shows_help_and_installs_nothing(words: tuple[str, ...], tmp_path: Path) -> None:
    """In a copy of a fresh clone: `./x NAME --help` makes no .venv."""
    (tmp_path / "docs").mkdir()
    for name in ("x", "pyproject.toml", "requirements.lock", "docs/commands.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "x"), *words], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    command = " ".join(word for word in words if word in {"simulate", "house", "check"})
    assert done.stdout.startswith(f"passline {command} ")
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".venv")]


@pytest.mark.parametrize(
    "name", one_in(4, [pytest.param(one.name) for one in commands()], others=pytest.mark.whole), ids=" ".join
)
def test_every_command_has_a_short_option_for_its_help(
    name: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*name, "-h"]) == 0
    assert "Usage: passline" in capsys.readouterr().out
