"""`passline rehearse`: a backup is restored, served, dealt and verified, on a copy of which nothing stays."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

import pytest

from passline.cli import rehearse as rehearsing
from passline.cli.main import main
from passline.store.data_folder import DOCUMENTS_FOLDER, open_log
from passline.store.upkeep.backup import back_up
from passline.store.upkeep.encrypted_file import FileKey
from passline.web.startup import Settings
from tests.killed_server import seated_house
from tests.office.filed_house import LETTER, filed_house
from tests.postgres import PostgresServer

pytestmark = pytest.mark.long

KEY = bytes(range(32))


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    (tmp_path / "backup.key").write_text(KEY.hex())
    (tmp_path / "backup.key").chmod(0o600)
    (tmp_path / "work").mkdir()
    return [str(tmp_path / "b"), "--key", str(tmp_path / "backup.key"), "--work", str(tmp_path / "work")]


def _everything_in(folder: Path) -> dict[str, str]:
    return {str(one): sha256(one.read_bytes()).hexdigest() for one in sorted(folder.rglob("*")) if one.is_file()}


@pytest.mark.whole
def test_a_backup_is_rehearsed_and_the_house_is_not_touched(
    options: list[str], tmp_path: Path, postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    database = postgres.database()
    seated_house(Settings(tmp_path / "house", database), 2)
    log = open_log(tmp_path / "house", database)
    before, head = _everything_in(tmp_path / "house"), log.head()
    assert head is not None
    made, _ = back_up(tmp_path / "b", FileKey(KEY), tmp_path / "house", database)
    capsys.readouterr()
    assert main(["rehearse", *options]) == 0
    out = capsys.readouterr().out
    lines = [re.sub(r"[\d,.]+ (s|rolls)\b", r"N \1", line) for line in out.splitlines()]
    assert lines[0].startswith(f"rehearsing {tmp_path / 'b'} in {tmp_path / 'work'}")
    assert lines[1:-1] == [
        f"restored: {head.sequence} entries, {made.secrets} secrets, 0 documents, in N s",
        "served: ready after N s",
        "played: a hand of N rolls, each proved, in N s",
        "verified: intact, and the engine reaches the same decisions, in N s",
    ]
    assert f"up to entry {head.sequence}, was restored, served, dealt and verified" in lines[-1]
    assert lines[-1].endswith("restoring it took N s")
    assert (log.head(), _everything_in(tmp_path / "house")) == (head, before)
    assert not any((tmp_path / "work").iterdir()), "the copy has the keys of the house"
    log.close()


@pytest.mark.whole
def test_a_backup_that_does_not_verify_fails_and_says_why(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = filed_house(tmp_path / "house")
    digest = sha256(LETTER).hexdigest()
    (house / DOCUMENTS_FOLDER / digest[:2] / digest[2:]).unlink()
    back_up(tmp_path / "b", FileKey(KEY), house)
    assert main(["rehearse", *options]) == 2
    assert "is missing: so it stands in" in capsys.readouterr().err
    assert main(["rehearse", *options, "--leave-out-damaged"]) == 1
    out = capsys.readouterr().out
    assert "DAMAGED, and not restored: document" in out
    assert "FAILED: the copy does not verify:" in out
    assert "NOT INTACT: 1 fault" in out
    assert "rehearsed:" not in out
    assert not any((tmp_path / "work").iterdir())


def test_what_cannot_be_rehearsed_is_said(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_log(tmp_path / "demo", is_demo=True).close()
    back_up(tmp_path / "b", FileKey(KEY), tmp_path / "demo")
    for arguments, why in [
        (options, "is a demo's, with play money"),
        ([*options[:3], "--work", str(tmp_path / "nowhere")], "no such folder; name one with room"),
        (options[:1], "give either --key PATH"),
        ([str(tmp_path / "none"), *options[1:]], "No such file"),
    ]:
        code = main(["rehearse", *arguments])
        error = capsys.readouterr().err
        assert (code, why in error) == (2, True), error
    assert not any((tmp_path / "work").iterdir())


@pytest.mark.whole
def test_a_server_or_a_verification_that_takes_too_long_fails_the_rehearsal(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No server is ready, and no log verified, as soon as it was begun."""
    seated_house(Settings(tmp_path / "house"), 1)
    back_up(tmp_path / "b", FileKey(KEY), tmp_path / "house", "")
    monkeypatch.setattr(rehearsing, "_START_SECONDS", 0.01)
    monkeypatch.setattr(rehearsing, "_TIMES_AS_LONG", 0.0)
    assert main(["rehearse", *options]) == 1
    assert "FAILED: the copy is not served within 0 s" in capsys.readouterr().out
    monkeypatch.setattr(rehearsing, "serve_copy", lambda *_: nullcontext(("", 0.0)))
    monkeypatch.setattr(rehearsing, "_played_hand", lambda *_: 1)
    assert main(["rehearse", *options]) == 1
    assert "FAILED: passline verify of the copy did not end within 0 s" in capsys.readouterr().out
    assert not any((tmp_path / "work").iterdir())


@pytest.mark.whole
def test_a_rehearsal_that_is_stopped_leaves_no_keys_behind(options: list[str], tmp_path: Path) -> None:
    """As a scheduler does with a job that takes too long."""
    seated_house(Settings(tmp_path / "house"), 1)
    back_up(tmp_path / "b", FileKey(KEY), tmp_path / "house", "")
    rehearsal = subprocess.Popen(
        [sys.executable, "-m", "passline", "rehearse", *options], stdout=subprocess.PIPE, text=True
    )
    assert rehearsal.stdout is not None
    assert next(line for line in rehearsal.stdout if line.startswith("restored:"))
    assert any((tmp_path / "work").iterdir())
    rehearsal.terminate()
    rehearsal.communicate(timeout=60)
    assert rehearsal.returncode == 128 + signal.SIGTERM
    assert not any((tmp_path / "work").iterdir())
