"""Encrypted files: every change, cut, addition and reordering is found, and a wrong key is called one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from passline.store.log import LogError
from passline.store.upkeep import encrypted_file
from passline.store.upkeep.encrypted_file import FileKey, read_encrypted, write_encrypted

KEY = FileKey(bytes(range(32)))
SMALL = 64  # bytes in a chunk, so that a small file has several


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encrypted_file, "_CHUNK", SMALL)


def made(path: Path, text: bytes, key: FileKey = KEY) -> bytes:
    with write_encrypted(path, key, cost=4) as file:
        for start in range(0, len(text), 7):
            file.write(text[start : start + 7])
    return path.read_bytes()


def read(path: Path, key: FileKey = KEY) -> bytes:
    return b"".join(read_encrypted(path, key))


@pytest.mark.parametrize("length", [0, 1, SMALL - 1, SMALL, SMALL + 1, 3 * SMALL, 500])
@pytest.mark.parametrize("key", [KEY, FileKey(passphrase="twelve letters")])  # noqa: S106 - of a test
def test_what_was_written_is_read(tmp_path: Path, length: int, key: FileKey) -> None:
    text = Random(length).randbytes(length)
    whole = made(tmp_path / "file", text, key)
    assert read(tmp_path / "file", key) == text
    assert not text or length < 8 or text not in whole
    assert (tmp_path / "file").stat().st_mode & 0o077 == 0
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_every_flipped_bit_and_every_cut_is_found(tmp_path: Path) -> None:
    path, random = tmp_path / "file", Random("bits")
    whole = made(path, b"chips " * 40)
    changed: list[Callable[[], bytes]] = [lambda end=end: whole[:end] for end in range(len(whole))]  # type: ignore[misc]
    for bit in (random.randrange(8 * len(whole)) for _ in range(1500)):
        at, mask = bit // 8, 1 << bit % 8
        changed.append(lambda at=at, mask=mask: whole[:at] + bytes([whole[at] ^ mask]) + whole[at + 1 :])  # type: ignore[misc]
    changed += [lambda: whole + b"\0", lambda: whole + whole[-20:]]
    for change in changed:
        path.write_bytes(change())
        with pytest.raises(LogError):
            read(path)


def test_chunks_in_another_order_or_of_another_file_are_found(tmp_path: Path) -> None:
    path = tmp_path / "file"
    whole = made(path, bytes(4 * SMALL))
    other = made(path, bytes(4 * SMALL))
    size, start = SMALL + 16, whole.index(b"}\n") + 2
    chunks = [whole[at : at + size] for at in range(start, len(whole), size)]
    theirs = [other[at : at + size] for at in range(other.index(b"}\n") + 2, len(other), size)]
    assert len(chunks) == 4
    for order in ((1, 0, 2, 3), (0, 1, 3), (0, 1, 2), (0, 0, 1, 2, 3)):
        path.write_bytes(whole[:start] + b"".join(chunks[number] for number in order))
        with pytest.raises(LogError, match="damaged or cut in part"):
            read(path)
    path.write_bytes(whole[:start] + b"".join([*chunks[:2], theirs[2], chunks[3]]))
    with pytest.raises(LogError, match="damaged or cut in part 3"):
        read(path)


def test_a_wrong_key_is_called_one(tmp_path: Path) -> None:
    made(tmp_path / "file", b"chips")
    with pytest.raises(LogError, match="this key does not open it"):
        read(tmp_path / "file", FileKey(bytes(32)))
    with pytest.raises(LogError, match="made with a key, not with a passphrase"):
        read(tmp_path / "file", FileKey(passphrase="twelve letters"))  # noqa: S106 - of a test
    with pytest.raises(LogError, match="32 bytes or a passphrase"):
        FileKey(b"short")
    (tmp_path / "other").write_bytes(b"{}")
    with pytest.raises(LogError, match="is not a backup of passline"):
        read(tmp_path / "other")
    with pytest.raises(LogError, match="No such file"):
        read(tmp_path / "gone")


def test_a_file_that_failed_is_not_left_behind(tmp_path: Path) -> None:
    def fail() -> None:
        with write_encrypted(tmp_path / "file", KEY) as file:
            file.write(b"chips")
            raise LogError("stop")

    with pytest.raises(LogError, match="stop"):
        fail()
    assert list(tmp_path.iterdir()) == []
