"""Runs what the documents show, so that what a reader copies works and prints what the page says it prints."""

import difflib
import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from passline.automaton.cache import cache_folder
from tests.kernels import compile_kernel_of_sessions

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parent.parent
# Shown in the checkout. Pages in folders below docs/ are followed in an empty one: tests/test_followed_pages.py.
DOCUMENTS = [ROOT / "README.md", *sorted({ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")})]
MADE = ("docs/pictures/", "docs/reference/")  # by ./x docs; tests/handbook checks links to them
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"\$ (?:\./x|passline) (.+)")
# The launcher's own commands, and those that wait for a person.
NOT_RUN = re.compile(r"(test|bench|docs|lock|serve|-h|--help)\b.*|play")
INTERNAL_ERROR = 70


class Block(NamedTuple):
    """A fenced block: where it is, its language, its text."""

    path: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


_PLAIN = {"NO_COLOR": "1", "PASSLINE_PROGRESS": "off"}  # how a command prints what does not depend on the machine


def _blocks(*languages: str) -> list[Block]:
    """Every fenced block in these languages, in the order of the documents."""
    return [
        Block(path, line=text.count("\n", 0, match.start(2)) + 1, language=match[1], text=match[2])
        for path in DOCUMENTS
        if path.exists()
        for text in [path.read_text(encoding="utf-8")]
        for match in FENCE.finditer(text)
        if match[1] in languages
    ]


LINK = re.compile(r"\]\((?!\w+:|#)([^)\s#]+)")


def _links() -> list[tuple[Path, str]]:
    """Every link of every document that leads to a file of the repository."""
    documents = {*DOCUMENTS, *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")}
    return [(path, link) for path in sorted(documents) for link in LINK.findall(path.read_text(encoding="utf-8"))]


def test_every_link_leads_to_a_file() -> None:
    assert len(_links()) > 4
    lost = [f"{path.relative_to(ROOT)}: {link}" for path, link in _links() if not _is_there(path.parent / link)]
    assert lost == []


def _is_there(target: Path) -> bool:
    return target.exists() or target.resolve().relative_to(ROOT).as_posix().startswith(MADE)


def _commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block that is to be run, with the lines it is said to print."""
    for entry in re.split(r"^(?=\$ )", block.text.replace("\\\n", ""), flags=re.MULTILINE):
        first, *printed = entry.rstrip().split("\n")
        if (command := COMMAND.fullmatch(first)) and not NOT_RUN.fullmatch(command[1]):
            yield command[1], [line.rstrip() for line in printed]


def _matches(expected: list[str], actual: list[str]) -> bool:
    """Whether lines are as expected, where a line `...` stands for any number of them."""
    pattern = "".join(r"(.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in actual)) is not None


def _run(command: str, home: Path) -> tuple[int, list[str]]:
    """Run passline as a reader would, in the checkout, but apart from this person's home and terminal."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    command = re.sub(r"(?<= --to )(?=\w)", f"{home}/", command)  # what is written stays out of the checkout
    done = subprocess.run(
        ["sh", "-c", f"passline {command}"],
        check=False,
        cwd=ROOT,
        env={
            "PATH": path,
            "HOME": str(home),
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "LANG": "C.UTF-8",
            "PASSLINE_PROGRESS": "off",
            "PASSLINE_CACHE": str(cache_folder() or "off"),  # what a reader's second command finds too
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    return done.returncode, [line.rstrip() for line in done.stdout.rstrip().splitlines()]


def test_there_is_a_readme() -> None:
    shown = [block for block in _blocks("console") if block.path.name == "README.md"]
    assert shown, "README.md must exist and show at least one command in a ```console block"


def _marked(block: Block) -> object:
    """Return a block as a parameter: in an ordinary run those of the README, which readers try first."""
    return pytest.param(block, id=str(block), marks=[] if block.path.name == "README.md" else [pytest.mark.sweep])


@pytest.mark.parametrize("block", [*map(_marked, _blocks("console"))])
def test_commands_print_what_the_page_shows(block: Block, tmp_path: Path) -> None:
    if " simulate " in block.text:
        compile_kernel_of_sessions()
    for command, expected in _commands(block):
        code, actual = _run(command, tmp_path)
        difference = "\n".join(difflib.unified_diff(expected, actual, str(block), f"passline {command}", lineterm=""))
        assert code != INTERNAL_ERROR, "\n".join(actual)
        assert _matches(expected, actual), difference


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_does_what_the_page_shows(path: Path) -> None:
    """The blocks of one page are one conversation: a later one may use an earlier one's names."""
    names: dict[str, object] = {"__name__": "__main__"}
    for block in _blocks("python"):
        if block.path != path:
            continue
        if ">>>" in block.text:
            example = doctest.DocTestParser().get_doctest(block.text, names, str(block), str(block), 0)
            runner = doctest.DocTestRunner()
            report: list[str] = []
            runner.run(example, out=report.append, clear_globs=False)
            assert not runner.failures, "".join(report)
            names.update(example.globs)
        else:
            exec(compile(block.text, str(block), "exec"), names)  # noqa: S102  # our own page, as a reader would


def test_dots_stand_for_any_number_of_lines() -> None:
    assert _matches(["a", "...", "d"], ["a", "b", "c", "d"])
    assert _matches(["a", "...", "d"], ["a", "d"])
    assert _matches([], [])
    assert not _matches(["a", "...", "d"], ["a", "b"])
    assert not _matches([], ["a"])
    assert not _matches(["a.c"], ["abc"])
