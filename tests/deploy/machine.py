"""A machine of its own for the guide to running: below one folder, on free ports, with stand-ins for what needs root.

Paths and ports of the guide and of the files in `deploy` are moved there when they are used, so that what is carried
out is what a reader would type and install.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.extras_matrix import ROOT
from tests.packages import OWN_PYTHON, apart

_PLACES = re.compile(r"/(?=(var/lib/passline|etc/|mnt/|media/|usr/local/|src\b))")
_READY = "Ctrl-C stops"


def settings_of(unit: str) -> dict[str, str]:
    """Return the settings of a unit of systemd, its lines joined; of a name given twice, the last."""
    lines = unit.replace("\\\n", " ").splitlines()
    return {
        name: value for name, _, value in (line.partition("=") for line in lines if not line.startswith(("#", "[")))
    }


class Machine:
    """A folder that stands for `/`, and the house that runs there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.ports = {"8000": free_port(), "9100": free_port()}
        self.printed = ""
        self._house: subprocess.Popen[str] | None = None
        programs = root / "usr" / "local" / "bin"
        programs.mkdir(parents=True)
        for name in ("python", "python3"):
            (programs / name).symlink_to(OWN_PYTHON)
        self.environment = apart() | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "HOME": str(root)}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def address(self) -> str:
        """Where the house is served."""
        return f"http://127.0.0.1:{self.ports['8000']}"

    def moved(self, text: str) -> str:
        """Return a text with the paths and ports of this machine."""
        text = _PLACES.sub(f"{self.root}/", text)
        for port, own in self.ports.items():
            text = re.sub(rf"\b{port}\b", str(own), text)
        return text

    def run(self, line: str, cwd: Path = ROOT) -> None:
        """Carry out a command line of the guide; what it says is in the failure if it fails."""
        words = shlex.split(self.moved(line))
        if words[0] == "runuser":
            words = words[words.index("--") + 1 :]
        if words[0] == "systemctl":
            self._systemctl(words[1:])
        elif words[0] == "install" and "--owner" in words:  # there is no such user here
            at = words.index("--owner")
            self._done([*words[:at], *words[at + 2 :]], cwd)
        elif words[0] == "useradd":
            assert words[-1] == "passline"
        elif words[0] != "caddy" or shutil.which("caddy"):
            self._done(words, cwd)

    def _done(self, words: list[str], cwd: Path) -> None:
        done = subprocess.run(
            words, check=False, cwd=cwd, env=self.environment, capture_output=True, text=True, timeout=900
        )
        assert done.returncode == 0, f"{shlex.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}"

    def _systemctl(self, words: list[str]) -> None:
        """Do what systemd does with the units that were installed."""
        units = self.root / "etc" / "systemd" / "system"
        match words:
            case ["daemon-reload"]:
                assert list(units.iterdir())
            case ["reload", "caddy"]:
                assert (self.root / "etc" / "caddy" / "Caddyfile").exists()
            case ["enable", "--now", "passline-backup.timer"]:
                assert settings_of((units / words[-1]).read_text(encoding="utf-8"))["OnCalendar"] == "hourly"
                assert (units / "passline-backup.service").exists()
            case ["start", "passline-backup.service"]:
                self._done(self._started_by(units / words[-1]), self.root)
            case ["enable", "--now", "passline"] | ["start", "passline"]:
                self.start(self._started_by(units / "passline.service"))
            case ["stop", "passline"]:
                self.stop()
            case _:
                raise AssertionError(f"no stand-in for systemctl {shlex.join(words)}")

    def _started_by(self, unit: Path) -> list[str]:
        settings = settings_of(unit.read_text(encoding="utf-8"))
        return shlex.split(self.moved(settings["ExecStart"]).replace("%%", "%"))

    def start(self, command: list[str]) -> None:
        """Start the house and wait until it says where it is."""
        assert self._house is None, "it runs already"
        self._house = subprocess.Popen(
            command,
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._house.stdout is not None
        self.printed = ""
        for line in self._house.stdout:
            self.printed += line
            if _READY in line:
                return
        raise AssertionError(f"the house did not start:\n{self.printed}")

    def stop(self) -> None:
        """Stop the house as systemd and container runtimes do."""
        if self._house is not None:
            self._house.terminate()
            self._house.communicate(timeout=60)
            self._house = None


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
