"""Files encrypted with a key of the owner's: a cut, a change or another order of their parts is found on reading.

A file is a line of magic, a line of JSON that says how its key is made, and chunks. The key of the file is derived
from the owner's key and the random salt, so that no two files share one; each chunk is ChaCha20-Poly1305 with its
number and whether it is the last as nonce, and the header as associated data.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BufferedIOBase
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from msgspec import DecodeError, Struct, ValidationError, json

from passline.store.keys import SECRET_BYTES, sync_folder
from passline.store.log import LogError

_MAGIC = b"passline backup/1\n"
_CHUNK = 2**20  # bytes of plain text
_TAG = 16
_SALT = 32
_HEADER_MAX = 1000
_COST, _COST_MIN, _COST_MAX = 2**17, 2, 2**20  # of scrypt: 128 MiB of memory, and at most 1 GiB if a file says so
_BLOCK, _PARALLEL = 8, 1


class FileKey(Struct, frozen=True):
    """What opens a file: 32 bytes from a key file, or a passphrase."""

    secret: bytes = b""
    passphrase: str = ""

    def __post_init__(self) -> None:
        if bool(self.secret) == bool(self.passphrase) or (self.secret and len(self.secret) != SECRET_BYTES):
            raise LogError(f"a backup needs a key of {SECRET_BYTES} bytes or a passphrase")


class _Header(Struct, frozen=True, forbid_unknown_fields=True):
    made_of: str  # key or passphrase
    salt: str  # hex
    check: str  # hex; tells a wrong key from a damaged file
    cost: int = 0  # of scrypt


def _file_key(key: FileKey, salt: bytes, cost: int) -> tuple[bytes, bytes]:
    """Return the key of one file, and its check."""
    secret = key.secret or Scrypt(salt=salt, length=SECRET_BYTES, n=cost, r=_BLOCK, p=_PARALLEL).derive(
        key.passphrase.encode()
    )
    made = HKDF(algorithm=SHA256(), length=2 * SECRET_BYTES, salt=salt, info=_MAGIC).derive(secret)
    return made[:SECRET_BYTES], made[SECRET_BYTES:]


def _nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11) + bytes([is_last])


class _Encrypting(BufferedIOBase):
    def __init__(self, file: BinaryIO, key: bytes, header: bytes) -> None:
        self._file, self._cipher, self._header = file, ChaCha20Poly1305(key), sha256(header).digest()
        self._plain, self._number = bytearray(), 0

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int:  # type: ignore[override]  # of bytes only
        self._plain += data
        while len(self._plain) > _CHUNK:  # the last chunk is never sent before its end is known
            self._send(bytes(self._plain[:_CHUNK]), is_last=False)
            del self._plain[:_CHUNK]
        return len(data)

    def finish(self) -> None:
        self._send(bytes(self._plain), is_last=True)

    def _send(self, plain: bytes, *, is_last: bool) -> None:
        self._file.write(self._cipher.encrypt(_nonce(self._number, is_last=is_last), plain, self._header))
        self._number += 1


@contextmanager
def write_encrypted(path: Path, key: FileKey, *, cost: int = _COST) -> Iterator[BufferedIOBase]:
    """Write a file for this user alone, encrypted, durably, and complete or not at all.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, key = Path(folder) / "file", FileKey(bytes(32))
    ...     with write_encrypted(path, key) as file:
    ...         count = file.write(b"chips")
    ...     b"".join(read_encrypted(path, key)), b"chips" in path.read_bytes()
    (b'chips', False)
    """
    salt = os.urandom(_SALT)
    cost = cost if key.passphrase else 0
    own, check = _file_key(key, salt, cost)
    header = json.encode(_Header("key" if key.secret else "passphrase", salt.hex(), check.hex(), cost)) + b"\n"
    part = path.with_name(path.name + ".part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(_MAGIC + header)
            writing = _Encrypting(file, own, header)
            yield writing
            writing.finish()
            file.flush()
            os.fsync(file.fileno())
        part.replace(os.path.realpath(path))  # a link stays, as everywhere
        sync_folder(path.parent)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}: choose a place with room that you can write to") from error
    finally:
        part.unlink(missing_ok=True)


def read_encrypted(path: Path, key: FileKey) -> Iterator[bytes]:
    """Yield the plain text of a file, piece by piece; raise LogError if anything was changed, cut or added.

    The last piece proves that the file is complete: nothing read before it may be put to use.
    """
    try:
        with path.open("rb") as file:
            yield from _chunks(path, file, key)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from error


def _chunks(path: Path, file: BinaryIO, key: FileKey) -> Iterator[bytes]:
    header_line = file.readline(_HEADER_MAX) if file.read(len(_MAGIC)) == _MAGIC else b""
    try:
        header = json.decode(header_line, type=_Header)
        salt, check = bytes.fromhex(header.salt), bytes.fromhex(header.check)
    except (DecodeError, ValidationError, UnicodeDecodeError, ValueError) as error:
        raise LogError(f"{path}: is not a backup of passline, or its beginning is damaged") from error
    wanted = "key" if key.secret else "passphrase"
    if header.made_of != wanted:
        raise LogError(f"{path}: was made with a {header.made_of}, not with a {wanted}")
    is_cost_sound = header.cost == 0 if key.secret else _COST_MIN <= header.cost <= _COST_MAX
    if not is_cost_sound or header.cost & (header.cost - 1):
        raise LogError(f"{path}: its beginning is damaged: a cost of {header.cost}")
    own, right = _file_key(key, salt, header.cost)
    if check != right:
        raise LogError(
            f"{path}: this {wanted} does not open it, or its beginning is damaged: give the one it was made with"
        )
    cipher, about, number = ChaCha20Poly1305(own), sha256(header_line).digest(), 0
    chunk = file.read(_CHUNK + _TAG)
    while True:
        following = file.read(_CHUNK + _TAG)
        try:
            yield cipher.decrypt(_nonce(number, is_last=not following), chunk, about)
        except InvalidTag as error:
            raise LogError(f"{path}: is damaged or cut in part {number + 1}: use another backup") from error
        if not following:
            return
        chunk, number = following, number + 1
