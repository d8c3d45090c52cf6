"""A page of the documentation, followed as its reader would: in an empty folder, step by step, its server included."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from passline.client import Client

_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([^"]+)"')
_READY = "Ctrl-C stops"
_PORT = "8000"  # as pages write it: where a server listens if nothing else is said
_WAITS = "passline play"  # for a person
# Whoever follows a page that starts a server opens the link it prints, and chooses these.
_OWNER = {"name": "Olga", "password": "correct horse battery", "pin": "7294"}


class Printed(NamedTuple):
    """A command of a page: where it stands, what the page says it prints, what it printed, and its exit code."""

    line: int
    command: str
    expected: list[str]
    actual: list[str]
    code: int


def matches(expected: list[str], actual: list[str]) -> bool:
    """Return whether lines are as expected, where `...` stands for the rest of a line, or alone for any lines.

    >>> matches(["a", "...", "b ..."], ["a", "x", "y", "b 1"]), matches(["a", "b"], ["a", "c"])
    (True, False)
    """
    parts = []
    for line in expected:
        part = re.escape(line).replace(r"\.\.\.", ".*")
        parts.append(r"(.*\n)*?" if line == "..." else rf"{part}\n")
    return re.fullmatch("".join(parts), "".join(f"{line}\n" for line in actual)) is not None


class Follower:
    """Somebody who does what a page says, in a folder that was empty when they began."""

    def __init__(self, folder: Path, program: Path | None = None) -> None:
        """Follow with the program of this checkout, or with one that is installed elsewhere."""
        self.folder = folder
        self._port = _free_port()
        self._server: subprocess.Popen[str] | None = None
        self._names: dict[str, object] = {"__name__": "__main__"}
        self._exported: dict[str, str] = {}
        programs = folder / ".programs"
        programs.mkdir()
        run = str(program) if program else f"{sys.executable} -m passline"
        (programs / "passline").write_text(f'#!/bin/sh\nexec {run} "$@"\n', encoding="utf-8")
        (programs / "passline").chmod(0o755)
        self._environment = {
            "PATH": os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)]),
            "PYTHONPATH": "" if program else os.environ.get("PYTHONPATH", ""),
            "HOME": str(folder),
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "LANG": "C.UTF-8",
            "PASSLINE_PROGRESS": "off",
        }

    def close(self) -> None:
        """Stop the server, if one runs."""
        if self._server is not None:
            self._server.terminate()
            self._server.wait(timeout=60)
            assert self._server.stdout is not None
            self._server.stdout.close()
            self._server = None

    def follow(self, page: str) -> Iterator[Printed]:
        """Go through the blocks of a page in order; yield what each command printed. Python is run as it stands."""
        for block in _FENCE.finditer(page):
            language, options, text = block.groups()
            line = page.count("\n", 0, block.start(3)) + 1
            if title := _TITLE.search(options):
                (self.folder / title[1]).write_text(text, encoding="utf-8")
            elif language == "console":
                yield from self._commands(text, line)
            elif language == "python":
                self._python(text, line)

    def _commands(self, text: str, line: int) -> Iterator[Printed]:
        for entry in re.split(r"^(?=\$ )", text.replace("\\\n", ""), flags=re.MULTILINE):
            first, *printed = entry.rstrip().split("\n")
            command = first.removeprefix("$ ")
            if first.startswith("$ ") and command != _WAITS:
                actual, code = self._run(command)
                yield Printed(line, command, [one.rstrip() for one in printed], actual, code)

    def _run(self, command: str) -> tuple[list[str], int]:
        if command.startswith("export "):
            self._exported |= dict(word.split("=", 1) for word in shlex.split(command)[1:])
            self._environment |= self._exported
            return [], 0
        if command.startswith(("passline serve", "passline lab")):
            return self._serve(command), 0
        done = subprocess.run(
            ["sh", "-c", self._at_our_port(command)],
            check=False,
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        return self._lines(done.stdout), done.returncode

    def _serve(self, command: str) -> list[str]:
        """Start the server in another window, so to say, and become its owner if it has none."""
        self.close()
        self._server = subprocess.Popen(
            shlex.split(f"{command} --port {self._port}".replace(f"--port {_PORT} ", "")),
            cwd=self.folder,
            env=self._environment | {"PATH": self._environment["PATH"]},
            executable=str(self.folder / ".programs" / "passline"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._server.stdout is not None
        said = ""
        for line in self._server.stdout:
            said += line
            if _READY in line:
                break
        address = re.search(r"https?://[\d.]+:\d+", said)
        assert address, said
        self._environment["PASSLINE_SERVER"] = address[0]
        if link := re.search(r"http://\S+/invitations/\S+", said):  # over TLS it is the page that is tried
            with Client(address[0]) as owner:
                owner.accept(link[0], **_OWNER)
        return self._lines(said)

    def _python(self, text: str, line: int) -> None:
        """Run Python where the reader would: in the folder, with what the page exported."""
        with chdir(self.folder), mock.patch.dict(os.environ, self._exported):
            if ">>>" not in text:
                exec(compile(self._at_our_port(text), f"line {line}", "exec"), self._names)  # noqa: S102 - our own page
                return
            example = doctest.DocTestParser().get_doctest(
                self._at_our_port(text), self._names, f"line {line}", f"line {line}", 0
            )
            runner, report = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), list[str]()
            runner.run(example, out=report.append, clear_globs=False)
            assert not runner.failures, "".join(report)
            self._names.update(example.globs)

    def _at_our_port(self, text: str) -> str:
        return re.sub(rf"\b{_PORT}\b", str(self._port), text)

    def _lines(self, text: str) -> list[str]:
        text = text.replace(str(self._port), _PORT)
        return [line.rstrip() for line in text.rstrip().splitlines()]


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
