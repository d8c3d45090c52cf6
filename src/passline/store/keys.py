"""Secrets that lie in files beside the database, never in it: above all the key that seals the log."""

from __future__ import annotations

import hmac
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from passline.store.log import LogError

SECRET_BYTES = 32
"""The length of every secret."""
_NEXT = ".next"  # the suffix of a key that takes the place of another once the log says so
_OTHERS = 0o077  # the permission bits of everybody but the file's owner


class SigningKey:
    """An Ed25519 key pair.

    >>> key = SigningKey(bytes(32))
    >>> is_signed(b"100", key.sign(b"100"), key.public), is_signed(b"900", key.sign(b"100"), key.public)
    (True, False)
    """

    def __init__(self, secret: bytes, path: Path | None = None) -> None:
        self._secret = secret
        self.path = path  # the file that it was read from
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def new(cls) -> SigningKey:
        """Create a random key."""
        return cls(os.urandom(SECRET_BYTES))

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message: 64 bytes."""
        return self._key.sign(message)

    def hex(self) -> str:
        """Return the secret itself, for its file and for an encrypted backup."""
        return self._secret.hex()

    def derive(self, purpose: str) -> bytes:
        """Return a secret for one purpose, such as authenticating rows; it does not reveal the key.

        >>> SigningKey(bytes(32)).derive("rows").hex()[:8] == SigningKey(bytes(32)).derive("other").hex()[:8]
        False
        """
        return hmac.digest(self._secret, b"passline derived/1\0" + purpose.encode(), sha256)


def is_signed(message: bytes, signature: bytes, public_key: bytes) -> bool:
    """Return whether the holder of a key signed a message; never for a key or signature of the wrong length."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def bytes_of_hex(text: str) -> bytes:
    """Return the bytes of a text in hex; none if it is not hex, so that no signature or digest fits it.

    >>> bytes_of_hex("6162"), bytes_of_hex("not hex")
    (b'ab', b'')
    """
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def load_key(path: Path, *, make: bool = False) -> SigningKey:
    """Read the key of a log from its file; with `make`, create the file if it is missing.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "log.key"
    ...     load_key(path, make=True).public == load_key(path).public, oct(path.stat().st_mode & 0o777)
    (True, '0o600')
    """
    return SigningKey(load_secret(path, "the key of this log", "without it nothing can be appended", make=make), path)


def next_key(path: Path) -> SigningKey:
    """Return the key that is to take the place of the one at `path`; make it if there is none yet.

    It lies beside the other, so that a rotation that was cut short ends with the same key when it is done again.
    """
    return load_key(path.with_name(path.name + _NEXT), make=True)


def key_in_force(
    key: SigningKey, public: bytes, before: Callable[[SigningKey], None] = lambda _following: None
) -> SigningKey | None:
    """Return the key that seals the log now, by its public part: the given one, or its successor if it lies beside it.

    The successor takes the other's place, which ends a rotation that was cut short; the old key is kept aside as
    log.key.1, log.key.2 and so on, until the owner removes it. `before` gets the successor first, so that what depends
    on the key changes with it; after a crash it gets it again.
    """
    if key.public == public:
        return key
    path = key.path
    if path is None or not (following := path.with_name(path.name + _NEXT)).exists():
        return None
    successor = load_key(following)
    if successor.public != public:
        return None
    before(successor)
    _keep_aside(path)
    try:
        following.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}: make the folder writable for this user") from error
    return load_key(path)


def _keep_aside(path: Path) -> None:
    """Link a key file under the first free number, unless it is there already."""
    for number in count(1):
        aside = path.with_name(f"{path.name}.{number}")
        try:
            aside.hardlink_to(path)
        except FileExistsError:
            if aside.read_bytes() == path.read_bytes():
                return
        except OSError as error:
            raise LogError(f"{aside}: {error.strerror or error}: make the folder writable for this user") from error
        else:
            return


def load_secret(path: Path, what: str, why: str, *, make: bool = False) -> bytes:
    """Read a secret from its file; with `make`, create a random one if the file is missing.

    The file is created atomically and for this user alone; if two processes create it at once, both read the same
    secret. A file that other users can read is refused. `what` it is and `why` it is needed are for the error.
    """
    try:
        if make and not path.exists():
            write_durably(path, os.urandom(SECRET_BYTES).hex().encode() + b"\n", replaces=False)
        if os.name == "posix" and (mode := path.stat().st_mode & _OTHERS):
            raise LogError(
                f"{path}: other users of this machine can read {what} (mode {mode:03o}): chmod 600 {path}, "
                "and replace it if anybody may have read it"
            )
        secret = _parse_secret(path.read_text(encoding="ascii"))
    except FileNotFoundError as error:
        raise LogError(f"{path}: {what} is missing; restore it from its backup: {why}") from error
    except ValueError as error:
        raise LogError(f"{path}: is not a key of {SECRET_BYTES} bytes in hex; restore it from its backup") from error
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from error
    return secret


def _parse_secret(text: str) -> bytes:
    secret = bytes.fromhex(text)
    if len(secret) != SECRET_BYTES:
        raise ValueError(text)
    return secret


def write_durably(path: Path, data: bytes, *, replaces: bool) -> None:
    """Write a whole file durably and for this user alone; unless it `replaces`, a file that exists stays."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # with mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replaces:
            Path(name).replace(path)
        else:
            with suppress(FileExistsError):
                path.hardlink_to(name)  # unlike a rename, it never replaces what another process just made
        sync_folder(path.parent)
    finally:
        Path(name).unlink(missing_ok=True)


def sync_folder(path: Path) -> None:
    """Make durable which files are in a folder."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
