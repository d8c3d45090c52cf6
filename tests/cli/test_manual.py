"""`passline manual`: man pages that say what --help says, and shells that complete what can be typed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

from passline import __version__
from passline.cli.main import app, main
from passline.cli.manual import COMPLETIONS, CommandHelp, help_texts, man_page, page_name

COMMANDS = list(help_texts(typer.main.get_command(app)))
MACROS = (".TH ", ".SH ", ".TP", ".PP")


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("share")
    assert main(["manual", str(folder)]) == 0
    return folder


def _read(page: str) -> str:
    """Return the words of a man page as its reader sees them, without macros."""
    lines = [line.removeprefix("\\&") for line in page.splitlines() if not line.startswith(MACROS)]
    text = " ".join(lines).replace("\\-", "-").replace("\\(ga", "`").replace("\\(aq", "'").replace("\\e", "\\")
    return " ".join(text.split())


def test_every_command_has_a_page(share: Path) -> None:
    pages = {path.name for path in (share / "man" / "man1").iterdir()}
    assert {"passline.1", "passline-house-check.1", "passline-simulate.1"} <= pages
    assert pages == {f"{page_name(one)}.1" for one in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS, ids=page_name)
def test_a_page_says_what_the_help_says(command: CommandHelp, share: Path) -> None:
    page = (share / "man" / "man1" / f"{page_name(command)}.1").read_text(encoding="utf-8")
    assert page == man_page(command, version=__version__) + "\n"
    words = _read(page)
    entries = (*command.commands, *command.takes)
    for text in (command.usage, *command.paragraphs, *(text for entry in entries for text in entry)):
        assert text in words
    wrong = [line for line in page.splitlines() if line.startswith((".", "'")) and not line.startswith(MACROS)]
    assert wrong == []


def test_what_looks_like_a_macro_is_text() -> None:
    odd = COMMANDS[0]._replace(usage=".so /etc/passwd", paragraphs=("'tis a \\fBtrap\\fR - `quoted`",))
    page = man_page(odd, version="1")
    assert "\n\\&.so /etc/passwd\n" in page
    assert "\\fB" not in page
    assert odd.paragraphs[0] in _read(page)


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
def test_a_strict_reader_has_no_complaint(share: Path) -> None:
    pages = sorted(str(path) for path in (share / "man" / "man1").iterdir())
    done = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", *pages], check=False, capture_output=True, text=True
    )
    complaints = [line for line in done.stdout.splitlines() if "missing date" not in line]  # a page has a version
    assert complaints == []


def _environment() -> dict[str, str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path}


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("sim", {"simulate"}),
        ("house ch", {"check"}),
        ("simulate --ru", {"--rules", "--rulebooks"}),
        ("simulate --rules ", {"colorado", "section2", "arizona", "maryland"}),
        ("odds mary", {"maryland"}),
        ("house show --game mini", {"mini_craps"}),
        ("simulate --short ", {"stop", "ride", "reduce"}),
        ("analyze pass+iron", {"pass+iron_cross"}),
    ],
)
def test_a_shell_completes(
    typed: str, offered: set[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"passline {typed}"
    asked = {"_PASSLINE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    assert main([]) == 0
    said = capsys.readouterr()
    assert (said.err, set(said.out.split())) == ("", offered)


def test_whatever_names_a_regulation_game_or_strategy_is_completed() -> None:
    named = {"regulation", "rules", "game", "strategy", "strategies"}

    def lacking(name: str, command: Any) -> list[str]:  # noqa: ANN401 - typer's own types
        params = [one for one in command.params if one.name in named]
        found = [f"{name} {one.name}" for one in params if one._custom_shell_complete is None]
        for word, one in getattr(command, "commands", {}).items():
            found += lacking(f"{name} {word}", one)
        return found

    assert lacking("passline", typer.main.get_command(app)) == []


TYPED = {
    "bash": """
        source {file}
        COMP_WORDS=(passline sim); COMP_CWORD=1
        _passline_completion passline
        echo "${{COMPREPLY[@]}}"
    """,
    "zsh": """
        compdef() {{ }}; _arguments() {{ print -r -- $@ }}; _describe() {{ print -r -- $commands }}
        words=(passline sim); CURRENT=2
        source {file}
    """,
    "fish": """
        source {file}
        complete -C "passline sim"
    """,
}


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_the_file_of_a_shell_completes_in_that_shell(shell: str, share: Path) -> None:
    """With the shell itself; what zsh would show is printed, for its editor needs a terminal."""
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    code = TYPED[shell].format(file=share / COMPLETIONS[shell])
    flags = ["-f"] if shell == "zsh" else []
    done = subprocess.run(
        [shell, *flags, "-c", code], check=False, env=_environment(), capture_output=True, text=True, timeout=60
    )
    assert re.search(r"\bsimulate\b", done.stdout), done.stderr
