"""The key that seals a log: a file beside the database, never in it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from passline.store.log import LogError

__all__ = ["SigningKey", "is_signed", "load_key"]

_SECRET_BYTES = 32


class SigningKey:
    """An Ed25519 key pair.

    >>> key = SigningKey(bytes(32))
    >>> is_signed(b"100", key.sign(b"100"), key.public), is_signed(b"900", key.sign(b"100"), key.public)
    (True, False)
    """

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def new(cls) -> SigningKey:
        """Create a random key."""
        return cls(os.urandom(_SECRET_BYTES))

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message: 64 bytes."""
        return self._key.sign(message)


def is_signed(message: bytes, signature: bytes, public_key: bytes) -> bool:
    """Return whether the holder of a key signed a message; never for a key or signature of the wrong length."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def load_key(path: Path, *, make: bool = False) -> SigningKey:
    """Read a key from its file; with `make`, create the file if it is missing.

    The file is created atomically and for this user alone; if two processes create it at once, both read the same key.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "log.key"
    ...     load_key(path, make=True).public == load_key(path).public, oct(path.stat().st_mode & 0o777)
    (True, '0o600')
    """
    try:
        if make and not path.exists():
            _write(path, os.urandom(_SECRET_BYTES).hex() + "\n")
        text = path.read_text(encoding="ascii")
        return SigningKey(bytes.fromhex(text))
    except FileNotFoundError as error:
        raise LogError(
            f"{path}: the key of this log is missing; restore it from its backup: without it nothing can be appended"
        ) from error
    except ValueError as error:
        raise LogError(f"{path}: is not a key of {_SECRET_BYTES} bytes in hex; restore it from its backup") from error
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from error


def _write(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            Path(path).hardlink_to(name)  # unlike a rename, it never replaces a key that another process just made
        except FileExistsError:
            return
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    finally:
        Path(name).unlink()
