"""The commit messages since they were first checked, and the check itself."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import pytest

from tests.source import ROOT

HOOK = ".githooks/commit-msg"


def _faults_of() -> Callable[[str], list[str]]:
    loader = SourceFileLoader("commit_msg", str(ROOT / HOOK))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    faults_of: Callable[[str], list[str]] = module.faults_of
    return faults_of


FAULTS_OF = _faults_of()


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], check=False, capture_output=True, text=True)
    return done.stdout if not done.returncode else ""


@pytest.mark.parametrize(
    "message",
    [
        "Move people beside tables",
        "Pass the clock as an argument\n\nThe engine reads none.",
        "Bring the layout's labels from the rulebook",
        "Merge room-game into main",
        "Focus the crew's keypad",
    ],
)
def test_a_good_message_has_no_faults(message: str) -> None:
    assert FAULTS_OF(message) == []


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("wip", "unfinished"),
        ("WIP: streams", "unfinished"),
        ("move people", "capital letter"),
        ("Moved people beside tables", "imperative"),
        ("Moves people beside tables", "imperative"),
        ("Moving people beside tables", "imperative"),
        ("Move people beside tables.", "full stop"),
        ("Move people beside tables\nso that streams come first", "second line"),
        ("Move " + "x" * 68, "73 characters of at most 72"),
        ("", "capital letter"),
    ],
)
def test_a_bad_message_is_told_why(message: str, says: str) -> None:
    assert any(says in fault for fault in FAULTS_OF(message))


def test_every_commit_since_the_check_began_has_a_good_message() -> None:
    if not shutil.which("git") or _git("rev-parse", "--is-shallow-repository").strip() != "false":
        pytest.skip("not a clone with its history")
    began = _git("log", "--diff-filter=A", "--format=%H", "--", HOOK).split()
    assert began, "git log does not know when the check began"
    found = _git("log", "--no-merges", "--format=%h%x00%B%x01", f"{began[-1]}..HEAD").split("\x01")
    commits = [entry.strip().partition("\0")[::2] for entry in found if entry.strip()]
    wrong = [f"{commit} {fault}" for commit, message in commits for fault in FAULTS_OF(message)]
    assert not wrong, "\n".join(wrong)
