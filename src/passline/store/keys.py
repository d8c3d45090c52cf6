"""The key that seals a log: a file beside the database, never in it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from passline.store.log import LogError

__all__ = ["SigningKey", "is_signed", "key_file"]

_SECRET_BYTES = 32


class SigningKey:
    """An Ed25519 key.

    >>> key = SigningKey(bytes(32))
    >>> is_signed(b"so much", key.sign(b"so much"), key.public), is_signed(b"more", key.sign(b"so much"), key.public)
    (True, False)
    """

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def new(cls) -> SigningKey:
        """Make a key nobody has."""
        return cls(os.urandom(_SECRET_BYTES))

    def sign(self, message: bytes) -> bytes:
        """Sign a message: 64 bytes."""
        return self._key.sign(message)


def is_signed(message: bytes, signature: bytes, public_key: bytes) -> bool:
    """Whether the holder of a key signed a message; a key or signature of the wrong length did not."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_file(path: Path, *, make: bool = False) -> SigningKey:
    """Read a key from its file; make the file first where that is allowed and it is not there.

    It appears whole, durable and readable by nobody else; of two processes that make it at once, both read the same.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "log.key"
    ...     key_file(path, make=True).public == key_file(path).public, oct(path.stat().st_mode & 0o777)
    (True, '0o600')
    """
    try:
        if make and not path.exists():
            _write(path, os.urandom(_SECRET_BYTES).hex() + "\n")
        text = path.read_text(encoding="ascii")
        return SigningKey(bytes.fromhex(text))
    except FileNotFoundError as error:
        raise LogError(
            f"{path}: the key of this log is missing; put it back from its backup, for without it nothing can be added"
        ) from error
    except ValueError as error:
        raise LogError(f"{path}: is not a key of {_SECRET_BYTES} bytes in hex; put it back from its backup") from error
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from error


def _write(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mkstemp: 0600
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            Path(path).hardlink_to(name)  # unlike a rename, it never replaces the key that another process just made
        except FileExistsError:
            return
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    finally:
        Path(name).unlink()
