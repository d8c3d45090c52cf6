"""The data folder: what is created in it, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from passline.store.data_folder import KEY_FILE, open_log
from passline.store.keys import SigningKey, is_signed, load_key
from passline.store.log import LogError


def test_the_key_is_a_private_file_and_not_in_the_database(tmp_path: Path) -> None:
    log = open_log(tmp_path / "house")
    log.close()
    key = tmp_path / "house" / KEY_FILE
    assert {file.stat().st_mode & 0o777 for file in (tmp_path / "house").iterdir()} == {0o600}
    secret = bytes.fromhex(key.read_text(encoding="ascii"))
    assert SigningKey(secret).public == log.public_key
    for file in (tmp_path / "house").iterdir():
        if file != key:
            assert secret not in file.read_bytes()
            assert secret.hex().encode() not in file.read_bytes()


def test_the_public_key_verifies_what_the_log_signs(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    signature = log.sign(b"a checkpoint")
    assert is_signed(b"a checkpoint", signature, log.public_key)
    assert not is_signed(b"a checkpoint", signature[:-1], log.public_key)
    assert not is_signed(b"a checkpoint", signature, b"too short")
    log.close()


def test_a_missing_key_is_not_replaced(tmp_path: Path) -> None:
    open_log(tmp_path).close()
    (tmp_path / KEY_FILE).unlink()
    with pytest.raises(LogError, match="the key of this log is missing; restore it"):
        open_log(tmp_path)
    assert not (tmp_path / KEY_FILE).exists()


@pytest.mark.parametrize("text", ["", "no hex", "00" * 31])
def test_an_invalid_key_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / KEY_FILE
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(LogError, match="is not a key of 32 bytes in hex"):
        load_key(path)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o602])
def test_a_key_that_others_can_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / KEY_FILE
    open_log(tmp_path).close()
    path.chmod(mode)
    with pytest.raises(LogError, match=r"other users of this machine can read the key of this log.*chmod 600"):
        open_log(tmp_path)


def test_an_existing_key_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / KEY_FILE
    assert load_key(path, make=True).public == load_key(path, make=True).public
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(LogError, match="choose a folder that this user can write to"):
        open_log(tmp_path / "file")


def test_a_database_that_is_not_postgresql_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="--database mysql://x: must be postgresql://"):
        open_log(tmp_path, "mysql://x")


def test_sqlite_does_not_need_the_postgresql_driver(tmp_path: Path) -> None:
    code = "import sys; sys.modules['psycopg'] = None; from pathlib import Path\n"
    code += "from passline.store.data_folder import open_log; open_log(Path(sys.argv[1])).close()\n"
    code += "open_log(Path(sys.argv[1]), 'postgresql://x')"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False, capture_output=True, text=True)
    assert "LogError: --database: PostgreSQL needs psycopg" in done.stderr


@pytest.mark.parametrize(("was", "is_now", "why"), [(True, False, "serve it with --demo"), (False, True, "without")])
def test_a_demo_and_a_house_never_share_a_log(was: bool, is_now: bool, why: str, tmp_path: Path) -> None:  # noqa: FBT001
    open_log(tmp_path, is_demo=was).close()
    with pytest.raises(LogError, match=why):
        open_log(tmp_path, is_demo=is_now)
    open_log(tmp_path, is_demo=was).close()
    open_log(tmp_path).close()  # either kind opens without is_demo
