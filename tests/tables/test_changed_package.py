"""An insider changes one payout in the installed package: other processes, started from it, notice."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import json

import passline
from passline.game import commands as c
from passline.provable_dice import DiceKeys
from passline.store.data_folder import open_log
from passline.tables.views.dealt_by import this_program
from tests.tables.changed_rulebook import OLD, tamper
from tests.tables.running_floor import ANN, done, rolled, running

PACKAGE = Path(passline.__file__).parent
RESTARTED = """
import asyncio, sys
from pathlib import Path
from passline.game import commands as c
from passline.store.data_folder import open_log
from tests.tables.running_floor import ANN, ask, floor_over

async def main():
    floor = floor_over(open_log(Path(sys.argv[1])))
    await floor.start()
    table = await floor.table("craps-1")
    for command in (c.MakeWager(seat=1, wager="place_win", number=6, cents=6_00), c.BuyIn(seat=1, cents=100_00)):
        print(await ask(table, ANN, command))
    await floor.close()

asyncio.run(main())
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return the folder of a log whose table was dealt under the sound package, up to a point."""

    async def play() -> None:
        log = open_log(tmp_path / "data")
        async with running(log, keys=DiceKeys(bytes(32), log.log_id)) as (floor, table):
            await floor.record_start()
            await done(table, ANN, c.AcceptDice(seat=1))
            while not table.live.game.position.puck:  # real dice, since another process proves them
                await done(table, ANN, c.MakeWager(seat=1, wager="pass", cents=10_00))
                await rolled(table, ANN)
            await done(table, ANN, c.MakeWager(seat=1, wager="place_win", number=6, cents=6_00))
        log.close()

    asyncio.run(play())
    return tmp_path / "data"


@pytest.fixture
def changed(tmp_path: Path) -> tuple[Path, str]:
    """Return a copy of the package with another payout, and the digest of its rulebook."""
    copy = tmp_path / "installed" / "passline"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "static", "templates"))
    return copy, tamper(copy / "rulebooks")


def run(source: Path, *arguments: str) -> str:
    """Run Python with the package from this folder; return what it prints."""
    root = Path(__file__).resolve().parents[2]
    done_ = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{root}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done_.returncode == 0, done_.stdout + done_.stderr
    return done_.stdout


@pytest.mark.whole
def test_a_server_started_from_the_changed_package_deals_nothing(data: Path, changed: tuple[Path, str]) -> None:
    copy, new = changed
    said = run(copy.parent, "-c", RESTARTED, str(data)).splitlines()
    assert len(said) == 2
    for line in said:
        assert f"its maryland rulebook is {OLD[:12]}, but {new[:12]} is installed" in line


@pytest.mark.whole
def test_verify_deals_with_the_kept_rulebook_and_names_the_difference(data: Path, changed: tuple[Path, str]) -> None:
    copy, new = changed
    here = this_program()
    dealt = f"dealt by passline {here.version} (code {here.code[:12]}) under maryland {OLD[:12]}"
    said = run(PACKAGE.parent, "-m", "passline", "verify", str(data))
    assert dealt in said
    assert "installed rulebook" not in said
    said = run(copy.parent, "-m", "passline", "verify", str(data))
    assert dealt in said
    assert f"warning: the installed rulebook of maryland is {new[:12]};" in said
    assert f"are verified under {OLD[:12]}, kept in the log" in said
    assert said.endswith("intact, and the engine reaches the same decisions\n")
    report = json.decode(run(copy.parent, "-m", "passline", "verify", "--json", str(data)))
    part = report["dealt"]["parts"][-1]
    assert (part["table"], part["rulebook"], part["is_kept"]) == ("craps-1", OLD, True)
    assert part["program"]["code"] == here.code
    rulebook = [line for line in report["dealt"]["warnings"] if line.startswith("the installed rulebook")]
    program = [line for line in report["dealt"]["warnings"] if "verified by passline" in line]
    assert (len(rulebook), len(program)) == (2, 1)  # before and after the recorded start, which names the program


@pytest.mark.whole
def test_verify_says_when_another_program_dealt(data: Path, changed: tuple[Path, str]) -> None:
    copy, _new = changed
    version = copy / "version.py"
    version.write_bytes(version.read_bytes().replace(b'__version__ = "', b'__version__ = "9.'))
    said = run(copy.parent, "-m", "passline", "verify", str(data))
    assert f"were dealt by passline {this_program().version}" in said
    assert f"; verified by passline 9.{this_program().version} (code " in said
