"""The digest by which a house is known, whatever file it stands in."""

from __future__ import annotations

from hashlib import sha256

from msgspec import json
from msgspec.structs import replace

from passline.rules.elections import House

__all__ = ["as_filed", "has_digest", "house_digest"]


def as_filed(house: House) -> House:
    """Return a house as its digest has it: a file may name the side wagers that are not offered, or leave them out."""
    offered = {key: table for key, table in house.side_wagers.items() if table != "none"}
    readings = {kind: reading for kind, reading in house.readings.items() if kind in offered}
    return replace(house, side_wagers=offered, readings=readings)


def house_digest(house: House) -> str:
    """Return the digest by which a house is filed, approved and put in force, complete with all its defaults."""
    return _digest(as_filed(house))


def _digest(house: House) -> str:
    return sha256(json.encode(house, order="deterministic")).hexdigest()


def has_digest(house: House, digest: str) -> bool:
    """Return whether a digest is that of a house; older logs have it of the very file."""
    return digest in {house_digest(house), _digest(house)}
