"""The digest that identifies a house: of its elections, not of the bytes of its file."""

from __future__ import annotations

from hashlib import sha256

from msgspec import json
from msgspec.structs import replace

from passline.rules.elections import House

__all__ = ["as_filed", "has_digest", "house_digest"]


def as_filed(house: House) -> House:
    """Return a house in the form its digest is taken of: without the side wagers that it does not offer."""
    offered = {key: table for key, table in house.side_wagers.items() if table != "none"}
    readings = {kind: reading for kind, reading in house.readings.items() if kind in offered}
    return replace(house, side_wagers=offered, readings=readings)


def house_digest(house: House) -> str:
    """Return the digest by which a house is filed, approved and put in force, complete with all its defaults."""
    return _digest(as_filed(house))


def _digest(house: House) -> str:
    return sha256(json.encode(house, order="deterministic")).hexdigest()


def has_digest(house: House, digest: str) -> bool:
    """Return whether a digest is that of a house, or, as in older logs, of one that lists wagers it does not offer."""
    return digest in {house_digest(house), _digest(house)}
