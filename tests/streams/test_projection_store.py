"""The store of projections is a cache: deleted, damaged or edited, it is made again; it never stands for the log."""

import stat
from pathlib import Path
from threading import Thread

import pytest

from passline.streams.projection_store import ViewsNotReady, ViewStore, delete_views

KEY = b"a key"


def _filled(path: Path | None) -> ViewStore:
    store = ViewStore(path, KEY)
    with store.transaction() as writer:
        writer.query("CREATE TABLE rolls (number INTEGER PRIMARY KEY, body BLOB)")
        writer.write("INSERT INTO rolls VALUES (?, ?)", [(n, writer.seal("roll", b"%d" % n)) for n in range(9)])
    return store


def test_only_its_own_user_may_read_it(tmp_path: Path) -> None:
    _filled(tmp_path / "views.sqlite")
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


@pytest.mark.parametrize("path", [None, "views.sqlite"])
def test_a_transaction_that_fails_writes_nothing(tmp_path: Path, path: str | None) -> None:
    store = _filled(path and tmp_path / path)  # type: ignore[arg-type]

    def interrupted() -> None:
        with store.transaction() as writer:
            writer.query("DELETE FROM rolls")
            assert writer.query("SELECT COUNT(*) FROM rolls") == [(0,)]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert store.query("SELECT COUNT(*) FROM rolls") == [(9,)]


@pytest.mark.parametrize("path", [None, "views.sqlite"])
def test_a_row_that_something_else_wrote_is_found_out_and_all_is_discarded(tmp_path: Path, path: str | None) -> None:
    store = _filled(path and tmp_path / path)  # type: ignore[arg-type]
    with store.transaction() as writer:
        writer.write("UPDATE rolls SET body = CAST(body || ? AS BLOB) WHERE number = 3", [(b"0",)])
    [[kept], [edited]] = store.query("SELECT body FROM rolls WHERE number IN (2, 3) ORDER BY number")
    assert store.unseal("roll", kept) == b"2"
    generation = store.generation
    with pytest.raises(ViewsNotReady, match="made again from the log"):
        store.unseal("roll", edited)
    assert store.generation > generation
    assert store.query("SELECT name FROM sqlite_master") == []


@pytest.mark.parametrize("sealed", [b"", b"short", bytes(16), bytes(16) + b"2"])
def test_what_has_no_seal_is_not_opened(sealed: bytes) -> None:
    with pytest.raises(ViewsNotReady):
        _filled(None).unseal("roll", sealed)


@pytest.mark.parametrize("path", [None, "views.sqlite"])
@pytest.mark.parametrize(
    "edit", ["UPDATE rolls SET body = body || 'x'", "UPDATE rolls SET body = 7", "DROP TABLE rolls"]
)
def test_whatever_was_edited_it_is_discarded_and_not_tried_for_ever(
    tmp_path: Path, path: str | None, edit: str
) -> None:
    store = _filled(path and tmp_path / path)  # type: ignore[arg-type]
    with store.transaction() as writer:
        writer.query("CREATE TABLE positions (name TEXT)")
        writer.query(edit)

    def read() -> None:
        for [body] in store.query("SELECT body FROM rolls"):
            store.unseal("roll", body)

    with pytest.raises(ViewsNotReady, match="made again from the log"):
        read()
    assert store.query("SELECT name FROM sqlite_master") == []


def test_a_row_of_one_kind_does_not_stand_for_another() -> None:
    store = _filled(None)
    with pytest.raises(ViewsNotReady):
        store.unseal("hand", store.seal("roll", b"2"))


@pytest.mark.parametrize("damage", [b"", b"not a database, but long enough to be read as the header of one" * 50])
def test_a_damaged_file_is_discarded(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "views.sqlite"
    _filled(path).close()
    delete_views(path)
    path.write_bytes(damage)
    store = ViewStore(path, KEY)
    with pytest.raises(ViewsNotReady):
        store.query("SELECT * FROM rolls")
    with store.transaction() as writer:
        writer.query("CREATE TABLE rolls (number INTEGER)")
    assert store.query("SELECT * FROM rolls") == []


def test_a_page_of_the_file_that_was_overwritten_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "views.sqlite"
    store = _filled(path)
    with store.transaction() as writer:
        writer.write("INSERT INTO rolls VALUES (?, ?)", [(n, writer.seal("roll", bytes(500))) for n in range(9, 2000)])
    store.close()
    body = bytearray(path.read_bytes())
    for at in range(4096, len(body), 4096):
        body[at : at + 64] = b"\xff" * 64
    path.write_bytes(body)
    with pytest.raises(ViewsNotReady):
        store.query("SELECT SUM(LENGTH(body)) FROM rolls")
    assert store.query("SELECT name FROM sqlite_master") == []


def test_a_file_that_is_deleted_while_it_is_open_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "views.sqlite"
    store = _filled(path)
    assert store.query("SELECT COUNT(*) FROM rolls") == [(9,)]
    delete_views(path)
    with pytest.raises(ViewsNotReady, match="no such table"):
        store.query("SELECT COUNT(*) FROM rolls")
    assert path.exists()


def test_a_folder_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    store = ViewStore(tmp_path / "gone" / "views.sqlite", KEY)
    with pytest.raises(ViewsNotReady, match="cannot be written: No such file or directory"):
        store.query("SELECT 1")
    assert not (tmp_path / "gone").exists()


def test_readers_do_not_see_a_transaction_before_it_is_committed(tmp_path: Path) -> None:
    store = _filled(tmp_path / "views.sqlite")
    with store.transaction() as writer:
        writer.query("DELETE FROM rolls")
        assert store.query("SELECT COUNT(*) FROM rolls") == [(9,)]
    assert store.query("SELECT COUNT(*) FROM rolls") == [(0,)]


def test_readers_do_not_wait_for_a_transaction(tmp_path: Path) -> None:
    store = _filled(tmp_path / "views.sqlite")
    found: list[object] = []
    with store.transaction() as writer:
        writer.query("DELETE FROM rolls")
        reader = Thread(target=lambda: found.extend(store.query("SELECT COUNT(*) FROM rolls")))
        reader.start()
        reader.join(10)
        assert found == [(9,)]


def test_a_reader_writes_nothing(tmp_path: Path) -> None:
    store = _filled(tmp_path / "views.sqlite")
    with pytest.raises(ViewsNotReady, match="readonly"):
        store.query("DELETE FROM rolls")
