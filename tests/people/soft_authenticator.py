"""An authenticator of the tests: what a security key does with WebAuthn, in Python."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_bytes
from typing import Any

import cbor2
import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from passline.people.assertions import bytes_of, text_of

_PRESENT, _VERIFIED, _ATTESTED = 1, 4, 64


class SoftAuthenticator:
    """One key for one site; `count` goes up with each signature, as a key's does."""

    def __init__(self, origin: str, site: str) -> None:
        self._origin, self._site = origin, site
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = token_bytes(32)
        self.count = 0

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return what a browser answers to the options of a new credential."""
        numbers = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        attested = bytes(16) + len(self._id).to_bytes(2) + self._id + cbor2.dumps(key)
        data = self._data(_PRESENT | _VERIFIED | _ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", options["challenge"])
        response = {"clientDataJSON": text_of(client_data), "attestationObject": text_of(attestation)}
        return {"id": text_of(self._id), "rawId": text_of(self._id), "type": "public-key", "response": response}

    def sign(self, challenge: str, *, counts: bool = True) -> dict[str, str]:
        """Return the parts of an assertion of a challenge."""
        self.count += counts
        data, client_data = self._data(_PRESENT | _VERIFIED), self._client_data("webauthn.get", challenge)
        signature = self._key.sign(data + sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return {
            "credential": text_of(self._id),
            "client_data": text_of(client_data),
            "authenticator_data": text_of(data),
            "signature": text_of(signature),
        }

    def _data(self, flags: int) -> bytes:
        return sha256(self._site.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _client_data(self, kind: str, challenge: str) -> bytes:
        bytes_of(challenge)
        return msgspec.json.encode({"type": kind, "challenge": challenge, "origin": self._origin, "crossOrigin": False})
