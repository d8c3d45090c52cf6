"""A house of version 0.1: rehearsed, upgraded, verified under its own rulebook, served; and the way back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from passline.cli.main import main
from passline.client import Client, RequestRefused
from passline.game.commands import MakeWager
from passline.rules.rulebook_reader import rulebook_of
from tests.deploy.guide import commands_of
from tests.extras_matrix import ROOT
from tests.serving import serving
from tests.upgrade.make_old_house import OLD, PASSWORD, PIN, old_environment, old_program, old_server

OLD_HOUSE, UNOPENED_HOUSE = (Path(__file__).parent / name for name in ("house-0.1", "unopened-0.1"))
OLD_RULEBOOK = "afb17aa9c57c"  # the beginning of its digest
TABLE = "maryland-1"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Copy the folder of 0.1 to where it can be changed."""
    return _copied(OLD_HOUSE, tmp_path / "house")


def _copied(folder: Path, place: Path) -> Path:
    """Copy a folder of 0.1; its key is readable by its user alone, as 0.1 made it."""
    shutil.copytree(folder, place)
    for path in (place, *place.iterdir()):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return place


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def _ran(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code = main(list(words))
    said = capsys.readouterr()
    assert code == 0, said.out + said.err
    return said.out


@pytest.mark.whole
def test_the_guide_is_carried_out_and_the_table_goes_on(
    house: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stop, copy, rehearse, upgrade, verify, serve: each command of the section, and then the wager that was up."""
    monkeypatch.setenv("PASSLINE_PROGRESS", "off")
    before, is_served = _contents(house), False
    for command in commands_of("Upgrade from 0.1"):
        words = command.replace("/var/lib/passline", str(house)).split()
        words = words[words.index("--") + 1 :] if words[0] == "runuser" else words
        if words[0] in {"cp", "chmod"}:
            subprocess.run(words, check=True)
        elif words[0] == "passline":
            said = _ran(capsys, *words[1:])
            if "--check" in words:
                _check_rehearsal(said)
                assert _contents(house) == before, "a rehearsal changes nothing"
            if words[1] == "verify":
                _check_verified(said)
        else:
            is_served |= words[:2] == ["systemctl", "start"]
            assert words[0] in {"systemctl", "curl"}
    assert is_served
    with serving(house) as server:
        assert httpx.get(f"{server.address}/health/ready", timeout=60).status_code == 200
        _play_out_and_adopt(server.address)
    _check_verified(_ran(capsys, "verify", str(house)))
    assert _contents(house.with_name("house.before")) == before


def _check_rehearsal(said: str) -> None:
    for line in (
        "written by a version that did not record itself, such as 0.1",
        f"rulebook maryland {OLD_RULEBOOK}, that of passline 0.1.0: NOT kept in the log",
        "What will change:",
        "everybody logs in once more",
        f"Maryland 1: dealt under maryland {OLD_RULEBOOK}; the wagers that are up (1) are played out under it",
        "The way back:",
        "put the copy of the folder that you made before in its place, and start 0.1",
        "without that copy there is none",
    ):
        assert line in said
    assert said.count("verified: intact, and the engine reaches the same decisions") == 2


def _check_verified(said: str) -> None:
    assert "intact, and the engine reaches the same decisions" in said
    assert f"were dealt and are verified under {OLD_RULEBOOK}" in said
    assert "of which the log keeps no copy" not in said


def _play_out_and_adopt(address: str) -> None:
    """Throw until the wager that was up is decided under its own rulebook; then adopt the installed one and go on."""
    with Client(address) as ann, Client(address) as bob, Client(address) as olga:
        ann.log_in("Ann", PASSWORD)
        bob.log_in("Bob", PASSWORD)
        olga.log_in("Olga", PASSWORD)
        table = ann.table(TABLE)["table"]
        shooter, players = table["shooter"], {1: ann, 2: bob}
        with pytest.raises(RequestRefused, match="no new stake is taken"):
            bob.command(TABLE, MakeWager(seat=2, wager="field", cents=5_00))
        with players[shooter].live(TABLE) as live:
            while live.roll(shooter).table["phase"] != "come_out":
                pass
        installed = rulebook_of("maryland").digest
        olga.command(TABLE, {"command": "adopt-rulebook", "digest": installed, "is_sole_owner": True}, role="owner")
        bob.command(TABLE, MakeWager(seat=2, wager="field", cents=5_00))


@pytest.mark.whole
def test_a_house_whose_owner_link_was_never_used_is_rehearsed_verified_and_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """0.1 gave the row of a link no code: this version cannot tell who wrote it, and lets nobody in by it."""
    monkeypatch.setenv("PASSLINE_PROGRESS", "off")
    house = _copied(UNOPENED_HOUSE, tmp_path / "house")
    unchecked = "warning: 1 link or session of an older version cannot be checked: serve the log once, which ends them"
    assert unchecked in _ran(capsys, "verify", str(house))
    assert "that of the first owner is made anew" in _ran(capsys, "upgrade", "--check", str(house))
    assert "upgraded: the log keeps 1 more rulebook" in _ran(capsys, "upgrade", str(house))
    with serving(house) as server, Client(server.address) as olga:
        olga.accept(server.owner_link, password=PASSWORD, name="Olga", pin=PIN)
    assert unchecked not in _ran(capsys, "verify", str(house))


def test_a_row_without_a_code_is_found_in_a_house_that_this_version_has_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attack: nobody has a password yet, and somebody writes a link of their own into the vault."""
    monkeypatch.setenv("PASSLINE_PROGRESS", "off")
    house = _copied(UNOPENED_HOUSE, tmp_path / "house")
    with serving(house):
        pass
    with closing(sqlite3.connect(house / "log.sqlite")) as database, database:
        forged = ("invitation", "ab" * 32, b"a5ef8d41cc476f7c", "2099-01-01T00:00:00.000000Z")
        database.execute("INSERT INTO secrets (kind, key, value, expires) VALUES (?, ?, ?, ?)", forged)
    assert main(["verify", str(house)]) == 1
    assert "invitation abababababababababab was not written by this server" in capsys.readouterr().out


def test_a_rehearsal_of_what_cannot_be_upgraded_says_why(
    house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSLINE_PROGRESS", "off")
    for words, why in (
        (("--check", str(tmp_path / "nowhere")), "is not a folder; give the data folder of a house"),
        (("--check", str(tmp_path)), "has no log.sqlite, so it is not the data folder of a house"),
        (("--check", str(house), "--rulebooks", str(tmp_path)), "has no rulebooks"),
    ):
        assert main(["upgrade", *words]) == 2
        assert why in capsys.readouterr().err
    (house / "elsewhere").symlink_to(tmp_path / "nowhere")
    assert main(["upgrade", "--check", str(house)]) == 2
    assert f"{house / 'elsewhere'}: cannot be copied" in capsys.readouterr().err
    (house / "elsewhere").unlink()
    (house / "log.key").unlink()
    assert main(["upgrade", str(house)]) == 2
    assert "has no log.key, the key of its log" in capsys.readouterr().err


@pytest.mark.whole
def test_a_damaged_log_is_not_upgraded(
    house: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSLINE_PROGRESS", "off")
    with closing(sqlite3.connect(house / "log.sqlite")) as database, database:
        database.execute("DROP TRIGGER IF EXISTS entries_stay_as_they_are")
        database.execute("UPDATE entries SET body = x'7b7d' WHERE sequence = 5")
    before = _contents(house)
    for words in (("--check", str(house)), (str(house),)):
        assert main(["upgrade", *words]) == 1
        assert "FAILED: the log does not verify" in capsys.readouterr().out
    assert _contents(house) == before


def _has_history() -> bool:
    found = subprocess.run(["git", "cat-file", "-e", OLD], check=False, cwd=ROOT, capture_output=True)
    return found.returncode == 0


@pytest.fixture(scope="module")
def program() -> Iterator[Path]:
    if not _has_history():
        pytest.skip("this checkout has no history to take version 0.1 from")
    with old_program() as found:
        yield found


@pytest.mark.sweep
def test_the_way_back_that_is_promised_works(
    program: Path, house: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy is verified and served by 0.1 itself; the upgraded folder it cannot read, as the rehearsal says."""
    monkeypatch.setenv("PASSLINE_PROGRESS", "off")
    copy = house.with_name("house.before")
    shutil.copytree(house, copy)
    _ran(capsys, "upgrade", str(house))
    with serving(house) as server:
        assert httpx.get(f"{server.address}/health/ready", timeout=60).status_code == 200

    def verified_by_old(folder: Path) -> int:
        words = [sys.executable, "-m", "passline", "verify", str(folder)]
        return subprocess.run(words, check=False, env=old_environment(program), capture_output=True).returncode

    assert verified_by_old(house) != 0
    shutil.rmtree(house)
    copy.rename(house)
    assert verified_by_old(house) == 0
    with old_server(program, house) as (address, _link):
        body = {"name": "Ann", "password": PASSWORD}
        assert httpx.post(f"{address}/api/log-in", json=body, timeout=60).status_code == 200


@pytest.mark.sweep
def test_rulebooks_of_another_day_are_taken_from_their_checkout(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house that 0.1 began under a text that no release had: kept in the log from the folder that is given."""
    monkeypatch.setenv("PASSLINE_PROGRESS", "off")
    changed, house = tmp_path / "src", tmp_path / "house"
    shutil.copytree(program, changed)
    with (changed / "passline" / "rulebooks" / "maryland" / "general.toml").open("a", encoding="utf-8") as file:
        file.write("\n# as it was read on another day\n")
    with old_server(changed, house) as (address, link):
        body = {"password": PASSWORD, "name": "Olga", "pin": PIN}
        token = link.rpartition("/")[2]
        assert httpx.post(f"{address}/api/invitations/{token}", json=body, timeout=60).status_code == 201
    assert "WARNING: the text of maryland" in _ran(capsys, "upgrade", str(house))
    said = _ran(capsys, "upgrade", str(house), "--rulebooks", str(changed / "passline" / "rulebooks"))
    assert "the log keeps 1 more rulebook" in said
    done = subprocess.run(
        [sys.executable, "-m", "passline", "verify", str(house)],
        check=False, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert "which an upgrade kept in the log" in done.stdout
    assert done.returncode == 0
