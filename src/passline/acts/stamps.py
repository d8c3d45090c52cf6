"""Stamps: the word of an outside body under its own Ed25519 key, for one act of one house.

A stamp signs what is approved: the house's log, its office, the act with its things and fields, and the document. It
needs nothing of the house but the request, which the house makes and the body reads before it stamps.
"""

from __future__ import annotations

import base64
import binascii
from hashlib import sha256
from typing import Any

from msgspec import MsgspecError, Struct, json

from passline.errors import CrapsError
from passline.store.keys import SECRET_BYTES, SigningKey, bytes_of_hex, is_signed

_MESSAGE = b"passline stamp/1\0"
_OPENING = "passline-stamp-1."
STAMP_MAX = 2_000
"""The most characters in a stamp."""


class StampRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a body is asked to stamp: an act as the house would record it."""

    house: str  # the id of its log
    office: str  # the regulation
    body: str
    act: str
    things: tuple[str, ...] = ()
    fields: dict[str, Any] = {}
    document: str = ""  # the SHA-256 of the paper that says it


class Stamp(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A body's answer to a request: when it was given, a number that no other stamp has, and the signature."""

    issued: str
    serial: str
    signature: str  # hex


def fingerprint(public_key: bytes) -> str:
    """Return what people compare a key by: the SHA-256 of its public part.

    >>> fingerprint(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return sha256(public_key).hexdigest()


def key_fault(public_key: str) -> str:
    """Return why a text cannot be a public key, or an empty string.

    >>> key_fault("ab"), key_fault("ab" * 32)
    ('a public key has 64 hexadecimal digits', '')
    """
    is_key = len(bytes_of_hex(public_key)) == SECRET_BYTES and public_key == public_key.lower().strip()
    return "" if is_key else f"a public key has {2 * SECRET_BYTES} hexadecimal digits"


def stamp_text(key: SigningKey, request: StampRequest, *, issued: str, serial: str) -> str:
    """Return the stamp on a request, as it is sent to the house.

    >>> request = StampRequest(house="a-log", office="arizona", body="TGO", act="tgo_approve_chip", things=("1",))
    >>> key = SigningKey(bytes(32))
    >>> text = stamp_text(key, request, issued="2026-03-02T09:00:00Z", serial="00")
    >>> stamp_fault(text, request, key.public)
    ''
    >>> stamp_fault(text, StampRequest(house="a-log", office="arizona", body="TGO", act="other"), key.public)
    'it does not stamp this: another house, act, thing, field, document or key'
    """
    signature = key.sign(_message(request, issued, serial)).hex()
    stamp = Stamp(issued=issued, serial=serial, signature=signature)
    return _OPENING + base64.urlsafe_b64encode(json.encode(stamp)).decode().rstrip("=")


def read_stamp(text: str) -> Stamp:
    """Read a stamp; raise CrapsError if the text is not one."""
    sealed = text.strip()
    data = sealed.removeprefix(_OPENING) if sealed.startswith(_OPENING) and len(sealed) <= STAMP_MAX else ""
    try:
        return json.decode(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)), type=Stamp)
    except (ValueError, binascii.Error, MsgspecError) as error:
        how = f"it begins with {_OPENING}, as passline regulator stamp prints it"
        raise CrapsError(f"this is not a stamp: {how}") from error


def stamp_fault(text: str, request: StampRequest, public_key: bytes) -> str:
    """Return why a stamp was not made on a request by the holder of a key, or an empty string."""
    try:
        stamp = read_stamp(text)
    except CrapsError as error:
        return str(error)
    message = _message(request, stamp.issued, stamp.serial)
    if is_signed(message, bytes_of_hex(stamp.signature), public_key):
        return ""
    return "it does not stamp this: another house, act, thing, field, document or key"


def stamp_digest(text: str) -> str:
    """Return the name under which a stamp that was used is remembered.

    Spaces round it, or another spelling of the same signature, make no other stamp of it.
    """
    stamp = read_stamp(text)
    return sha256(f"{stamp.issued}\0{stamp.serial}".encode()).hexdigest()


def _message(request: StampRequest, issued: str, serial: str) -> bytes:
    return _MESSAGE + json.encode([request, issued, serial], order="deterministic")
