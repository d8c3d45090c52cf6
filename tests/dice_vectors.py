"""The published vectors of electronic dice."""

from pathlib import Path

import msgspec

VECTORS = Path(__file__).parent / "vectors" / "dice.json"


class Vector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A roll and all that it follows from; bytes in hex."""

    master: str
    log_id: str
    stream: str
    number: int
    key: str
    digest: str
    closing: str
    nonce: str
    rejected: int  # words before the one that gives the roll
    roll: str


class _Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    about: str
    vectors: tuple[Vector, ...]


def published() -> tuple[Vector, ...]:
    return msgspec.json.decode(VECTORS.read_bytes(), type=_Published).vectors
