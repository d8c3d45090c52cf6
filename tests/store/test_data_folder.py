"""The data folder: what is created in it, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from time import time_ns
from typing import Any

import psycopg
import pytest

from passline.store import data_folder
from passline.store.data_folder import DATABASE_FILE, KEY_FILE, MARK_FILE, FileWatch, open_log
from passline.store.keys import SigningKey, is_signed, load_key
from passline.store.log import Appended, CommitInDoubt, LogChanged, LogError
from passline.store.sealed import Log
from passline.store.sqlite import SqliteLog, connect_sqlite
from passline.store.verify import verify_log
from tests.postgres import PostgresServer
from tests.store.drafts import draft
from tests.waiting import wait_until


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
    assert "MissingExtra: --database: PostgreSQL needs psycopg" in done.stderr


@pytest.mark.parametrize(("was", "is_now", "why"), [(True, False, "serve it with --demo"), (False, True, "without")])
def test_a_demo_and_a_house_never_share_a_log(was: bool, is_now: bool, why: str, tmp_path: Path) -> None:  # noqa: FBT001
    open_log(tmp_path, is_demo=was).close()
    with pytest.raises(LogError, match=why):
        open_log(tmp_path, is_demo=is_now)
    open_log(tmp_path, is_demo=was).close()
    open_log(tmp_path).close()  # either kind opens without is_demo


# --- A log that is lost is never replaced by a new one ---------------------------------------------------------------

LOST = "it was lost or is elsewhere. Restore it from its backup"


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith(("-wal", "-shm"))}


@pytest.mark.parametrize("is_marked", [True, False])
@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.write_bytes(b"")], ids=["deleted", "emptied"])
def test_a_key_without_its_log_never_begins_a_new_house(
    tmp_path: Path,
    is_marked: bool,  # noqa: FBT001
    lose: Callable[[Path], object],
) -> None:
    """Also in a folder of an older version, which has no mark."""
    open_log(tmp_path).close()
    if not is_marked:
        (tmp_path / MARK_FILE).unlink()
    lose(tmp_path / DATABASE_FILE)
    before = files(tmp_path)
    with pytest.raises(LogError, match=LOST):
        open_log(tmp_path)
    assert files(tmp_path) == before


def test_a_mark_alone_remembers_that_there_was_a_log(tmp_path: Path) -> None:
    open_log(tmp_path).close()
    for name in (KEY_FILE, DATABASE_FILE):
        (tmp_path / name).unlink()
    with pytest.raises(LogError, match=LOST):
        open_log(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [MARK_FILE]


def test_the_log_of_another_house_is_refused(tmp_path: Path) -> None:
    for name in ("ours", "theirs"):
        open_log(tmp_path / name).close()
    for name in (KEY_FILE, DATABASE_FILE):
        (tmp_path / "theirs" / name).replace(tmp_path / "ours" / name)
    with pytest.raises(LogError, match="belongs to this folder, but the log here is"):
        open_log(tmp_path / "ours")


def test_a_damaged_mark_is_not_taken_for_a_new_folder(tmp_path: Path) -> None:
    open_log(tmp_path).close()
    (tmp_path / MARK_FILE).write_text("{", encoding="utf-8")
    with pytest.raises(LogError, match="restore it from its backup; it names the log of this folder"):
        open_log(tmp_path)


def test_an_older_folder_is_marked_when_it_is_opened(tmp_path: Path) -> None:
    open_log(tmp_path).close()
    (tmp_path / MARK_FILE).unlink()
    with closing(open_log(tmp_path)) as log:
        assert log.log_id in (tmp_path / MARK_FILE).read_text(encoding="utf-8")


class Killed(BaseException):
    """The process is killed."""


@pytest.mark.parametrize(
    "step", ["data_folder.load_key", "sqlite.SqliteLog._prepare", "sqlite.SqliteLog.begin", "data_folder._mark_as"]
)
def test_an_interrupted_first_start_is_continued(tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_given: object, **_named: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(f"passline.store.{step}", killed)
        with pytest.raises(Killed):
            open_log(tmp_path)
    with closing(open_log(tmp_path)) as log:
        assert isinstance(log.append([draft(0)])[0], Appended)


@pytest.mark.long
def test_an_empty_database_is_not_taken_for_the_log(postgres: PostgresServer, tmp_path: Path) -> None:
    url = postgres.database()
    open_log(tmp_path, url).close()
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    with psycopg.connect(postgres.url(), autocommit=True) as operator:
        operator.execute(f"DROP DATABASE {name}".encode())
        operator.execute(f"CREATE DATABASE {name}".encode())
    with pytest.raises(LogError, match="the database has no log: " + LOST):
        open_log(tmp_path, url)
    with pytest.raises(LogError, match="has no log: " + LOST):
        open_log(tmp_path)  # nor a file beside it
    (tmp_path / MARK_FILE).unlink()
    with pytest.raises(LogError, match="is the key of a log, but the database has no log"):
        open_log(tmp_path, url)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT to_regnamespace('passline')").fetchone() == (None,)  # nothing was begun


@pytest.mark.long
def test_a_database_dropped_while_in_use_stops_the_log(postgres: PostgresServer, tmp_path: Path) -> None:
    url = postgres.database()
    with closing(open_log(tmp_path, url)) as log:
        log.append([draft(0)])
        name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        with psycopg.connect(postgres.url(), autocommit=True) as operator:
            operator.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
            operator.execute(f"CREATE DATABASE {name}".encode())
        with pytest.raises(LogError):
            log.append([draft(1)])
        open_log(tmp_path / "other", url).close()  # somebody begins another house there
        with pytest.raises(LogChanged, match="cut before acknowledged entry 2"):
            log.append([draft(1)])


# --- A folder that vanishes under an open log ------------------------------------------------------------------------


def replaced(path: Path) -> None:
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


@pytest.mark.parametrize(
    ("name", "lose"),
    [
        (DATABASE_FILE, Path.unlink),
        (DATABASE_FILE, replaced),
        (f"{DATABASE_FILE}-wal", Path.unlink),
        (f"{DATABASE_FILE}-shm", Path.unlink),
        (KEY_FILE, Path.unlink),
        ("", lambda folder: folder.rename(folder.with_name("elsewhere"))),
    ],
)
def test_a_file_that_vanishes_stops_the_log_at_once(tmp_path: Path, name: str, lose: Callable[[Path], object]) -> None:
    folder = tmp_path / "house"
    log = open_log(folder)
    log.append([draft(0)])
    lose(folder / name)
    for act in (lambda: log.append([draft(1)]), log.check):
        with pytest.raises(LogError, match="is gone or was replaced while it was in use") as error:
            act()
        assert not isinstance(error.value, CommitInDoubt)  # it was found before the commit
        assert error.value.public
    log.close()


def test_a_folder_that_comes_back_is_used_again_and_nothing_was_lost(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    with closing(open_log(folder)) as log:
        log.append([draft(0)])
        folder.rename(tmp_path / "elsewhere")
        with pytest.raises(LogError, match="is gone"):
            log.append([draft(1)])
        assert not folder.exists()  # nothing is made in its place
        (tmp_path / "elsewhere").rename(folder)
        assert isinstance(log.append([draft(1)])[0], Appended)
        assert verify_log(log.rows(), log.public_key, log.head()).is_intact


class Vanishing:
    """A connection whose file is deleted between the last check and the end of a commit."""

    path: Path | None = None

    def __init__(self, path: Path) -> None:
        self._real = connect_sqlite(path)

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Any:  # noqa: ANN401 - a cursor
        if sql == "COMMIT" and Vanishing.path:
            Vanishing.path.unlink()
            Vanishing.path = None
        return self._real.execute(sql, parameters)

    def close(self) -> None:
        self._real.close()


def test_a_commit_into_a_file_that_vanished_meanwhile_is_not_acknowledged(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    assert isinstance(log, SqliteLog)
    log._writer.close()
    log._writer = Vanishing(tmp_path / DATABASE_FILE)
    log.append([draft(0)])
    Vanishing.path = tmp_path / DATABASE_FILE
    with pytest.raises(CommitInDoubt, match="is gone or was replaced"):
        log.append([draft(1)])
    log.close()


@pytest.mark.parametrize("name", [DATABASE_FILE, f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-shm", KEY_FILE])
@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.rename(path.with_name("elsewhere"))])
def test_a_file_is_missed_though_only_its_folder_was_looked_at(
    tmp_path: Path, name: str, lose: Callable[[Path], object]
) -> None:
    with closing(open_log(tmp_path)) as log:
        watch = _watch_of_quiet(log, tmp_path)
        assert watch._known is not None, "while the folder is as it was, its files are"
        lose(tmp_path / name)
        with pytest.raises(LogError, match="is gone or was replaced"):
            log.append([draft(0)])


def test_a_file_that_is_replaced_is_missed_though_only_its_folder_was_looked_at(tmp_path: Path) -> None:
    with closing(open_log(tmp_path)) as log:
        _watch_of_quiet(log, tmp_path)
        replaced(tmp_path / DATABASE_FILE)
        with pytest.raises(LogError, match="is gone or was replaced"):
            log.append([draft(0)])


def test_each_file_is_looked_at_where_its_folder_does_not_tell(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"key")
    (tmp_path / "data").mkdir()
    link = tmp_path / "data" / "log.key"
    link.symlink_to(elsewhere)
    watch = FileWatch(needed=(link,))
    wait_until(lambda: time_ns() - (tmp_path / "data").stat().st_ctime_ns > data_folder._LATELY_NS)
    watch.check()
    elsewhere.unlink()
    with pytest.raises(LogError, match="is gone or was replaced"):
        watch.check()


def _watch_of_quiet(log: Log, folder: Path) -> FileWatch:
    """Check a folder in which nothing has changed lately; return what watches it."""
    wait_until(lambda: time_ns() - folder.stat().st_ctime_ns > data_folder._LATELY_NS)
    log.guard()
    watch = log.guard.__self__  # type: ignore[attr-defined]
    assert isinstance(watch, FileWatch)
    return watch
