"""What an authenticator signs, and whether it did (WebAuthn). Pure: whoever has the log can check it again.

The challenge is made from a nonce and the digest of the very command that is signed, by whom it was asked for and who
signs it. So an assertion signs this command and no other.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from passline.extras import extra_for

AUTHENTICATORS_MAX = 5
"""The most authenticators of one account."""
LABEL_MAX = 40
"""The most characters in what somebody calls an authenticator."""
_PURPOSE = b"passline signature/1"
_TEXT_MAX = 4000
_Text = Annotated[str, Meta(max_length=_TEXT_MAX)]


class Assertion(Struct, frozen=True, forbid_unknown_fields=True):
    """What an authenticator answered, each part in base64url."""

    credential: _Text
    client_data: _Text
    authenticator_data: _Text
    signature: _Text


class Authenticator(Struct, frozen=True):
    """Something that somebody has, by its public key."""

    credential: str  # its name, base64url
    public_key: str  # COSE, base64url
    site: str  # for which it was made: the host of this house
    count: int = 0  # of what it signed, as it said last; 0: it does not count
    label: str = ""


def digest_of_act(command: object, *, requester: str, signer: str) -> str:
    """Return the digest of what is signed, in hex.

    >>> class Fill(Struct, tag="fill"): cents: int
    >>> digest_of_act(Fill(100), requester="a", signer="b") == digest_of_act(Fill(101), requester="a", signer="b")
    False
    """
    return sha256(msgspec.json.encode([requester, signer, command])).hexdigest()


def challenge_of(nonce: str, digest: str) -> bytes:
    """Return what an authenticator is to sign for an act."""
    return sha256(b"\0".join((_PURPOSE, nonce.encode(), digest.encode()))).digest()


def site_of(origin: str) -> str:
    """Return the host of an origin, which an authenticator is bound to.

    >>> site_of("https://craps.example:8443")
    'craps.example'
    """
    return urlsplit(origin).hostname or ""


def assertion_count(given: Assertion, by: Authenticator, *, origin: str, challenge: bytes) -> int | str:
    """Return the count that an authenticator says with its signature, or why the signature does not count."""
    with extra_for("a signature with an authenticator"):
        from webauthn import verify_authentication_response  # noqa: PLC0415 - an extra
        from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

    answer = {
        "id": given.credential,
        "rawId": given.credential,
        "type": "public-key",
        "response": {
            "clientDataJSON": given.client_data,
            "authenticatorData": given.authenticator_data,
            "signature": given.signature,
        },
    }
    try:
        verified = verify_authentication_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=by.site,
            expected_origin=origin,
            credential_public_key=bytes_of(by.public_key),
            credential_current_sign_count=by.count,
        )
    except (WebAuthnException, ValueError, TypeError, KeyError) as error:
        return str(error)
    return int(verified.new_sign_count)


def creation_options(*, site: str, account: str, name: str, challenge: bytes, others: tuple[str, ...]) -> bytes:
    """Return, as JSON, what a browser is asked to make an authenticator of an account with."""
    with extra_for("an authenticator"):
        from webauthn import generate_registration_options, options_to_json  # noqa: PLC0415 - an extra
        from webauthn.helpers.structs import PublicKeyCredentialDescriptor  # noqa: PLC0415

    options = generate_registration_options(
        rp_id=site,
        rp_name="Passline",
        user_name=name,
        user_id=account.encode(),
        challenge=challenge,
        exclude_credentials=[PublicKeyCredentialDescriptor(id=bytes_of(other)) for other in others],
    )
    return options_to_json(options).encode()


def authenticator_of(answer: dict[str, Any], *, origin: str, challenge: bytes, label: str) -> Authenticator | str:
    """Return the authenticator that a browser made, or why its answer does not count."""
    with extra_for("an authenticator"):
        from webauthn import verify_registration_response  # noqa: PLC0415 - an extra
        from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

    site = site_of(origin)
    try:
        made = verify_registration_response(
            credential=answer, expected_challenge=challenge, expected_rp_id=site, expected_origin=origin
        )
    except (WebAuthnException, ValueError, TypeError, KeyError) as error:
        return str(error)
    key = text_of(made.credential_public_key)
    return Authenticator(text_of(made.credential_id), key, site, int(made.sign_count), label)


def text_of(value: bytes) -> str:
    """Return bytes as base64url without padding, as WebAuthn writes them.

    >>> bytes_of(text_of(b"abc")) == b"abc"
    True
    """
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    """Return the bytes behind base64url; raise ValueError if it is none."""
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
