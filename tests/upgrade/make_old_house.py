"""Makes the data folders of houses of version 0.1 with its own program, as those beside this file were made.

    python -m tests.upgrade.make_old_house HOUSE UNOPENED

It needs git and the whole history: the program is taken from the commit `OLD`. A server of that version serves the
folder; an owner takes the one-time link, two players sit down at the first table and play fifteen rolls, and a wager
is left up with a point. Then the server is stopped, as an operator would stop it. Passwords and PINs are below. The
other folder is of a house that was served and stopped, and whose link nobody has taken.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent.parent
OLD = "cdeca4eb0a206154bfb2fa3545f4194cfd69f8a1"
"""The last commit of version 0.1, before logs kept rulebooks."""
PASSWORD, PIN = "correct horse battery", "72941836"
_PLAY = """
import sys
from passline.client import Client
from passline.game import commands as c
from passline.tables.commands import Roll

address, link, password, pin = sys.argv[1:]
with Client(address) as olga, Client(address) as ann, Client(address) as bob:
    olga.accept(link, password=password, name="Olga", pin=pin)
    players = {1: ann, 2: bob}
    for seat, (client, name) in enumerate(((ann, "Ann"), (bob, "Bob")), start=1):
        client.register(name, password)
        client.command("maryland-1", c.TakeSeat(seat=seat))
        client.command("maryland-1", c.BuyIn(seat=seat, cents=500_00))
    rolls, is_up = 0, False
    while rolls < 15 or not is_up:
        table = ann.table("maryland-1")["table"]
        shooter = table["shooter"]
        if not shooter:
            shooter = table["offered_to"] or 1
            players[shooter].command("maryland-1", c.MakeWager(seat=shooter, wager="pass", cents=10_00))
            players[shooter].command("maryland-1", c.AcceptDice(seat=shooter))
        elif table["phase"] == "come_out":
            players[shooter].command("maryland-1", c.MakeWager(seat=shooter, wager="pass", cents=10_00))
        if not rolls % 3:
            bob.command("maryland-1", c.MakeWager(seat=2, wager="field", cents=5_00))
        players[shooter].command("maryland-1", Roll(seat=shooter))
        rolls += 1
        after = ann.table("maryland-1")["table"]
        is_up = after["phase"] != "come_out" and bool(after["shooter"])
    print(rolls, "rolls")
"""


@contextmanager
def old_program() -> Iterator[Path]:
    """Yield a folder with the source of version 0.1."""
    with TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", OLD, "src"], check=True, cwd=ROOT, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder) / "src"


def old_environment(program: Path) -> dict[str, str]:
    """Return the environment in which Python finds that program instead of this one."""
    return {**os.environ, "PYTHONPATH": str(program), "PYTHONDONTWRITEBYTECODE": "1"}


@contextmanager
def old_server(program: Path, data: Path) -> Iterator[tuple[str, str]]:
    """Serve a folder with the program of version 0.1; yield its address, and the link that makes the first owner."""
    command = [sys.executable, "-m", "passline", "serve", "--port", "0", "--data", str(data)]
    process = subprocess.Popen(command, env=old_environment(program), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if "Ctrl-C stops" in line:
                break
        address, link = re.search(r"http://[\d.]+:\d+", said), re.search(r"http://\S+/invitations/\S+", said)
        assert address, said
        yield address[0], link[0] if link else ""
    finally:
        process.terminate()
        process.communicate(timeout=60)


def make_old_house(data: Path) -> None:
    """Make the folder of a house of version 0.1, with rolls in it."""
    with old_program() as program:
        with old_server(program, data) as (address, link):
            arguments = [sys.executable, "-c", _PLAY, address, link, PASSWORD, PIN]
            subprocess.run(arguments, check=True, env=old_environment(program), cwd=program)
        _verify(program, data)


def make_unopened_house(data: Path) -> None:
    """Make the folder of a house of version 0.1 that nobody has entered."""
    with old_program() as program:
        with old_server(program, data) as (_address, link):
            assert link
        _verify(program, data)


def _verify(program: Path, data: Path) -> None:
    words = [sys.executable, "-m", "passline", "verify", str(data)]
    subprocess.run(words, check=True, env=old_environment(program), cwd=program)


if __name__ == "__main__":
    make_old_house(Path(sys.argv[1]))
    make_unopened_house(Path(sys.argv[2]))
