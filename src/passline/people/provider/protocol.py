"""The protocol: authorization code with PKCE, and an id token that is believed only after every check.

The provider is found by discovery and its keys by its JWKS, which is read again when a key is not among those known: a
provider replaces its keys whenever it likes. Calls wait for the network: make them from a thread.
"""

from __future__ import annotations

from datetime import UTC, datetime
from threading import Lock
from time import monotonic
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from passline.extras import extra_for
from passline.people.accounts import Provider
from passline.people.provider.vouching import NotVouched, ProviderAway, Vouched
from passline.people.provider_address import address_fault

with extra_for("log-in by an identity provider"):
    import httpx
    from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
    from authlib.oauth2.rfc7636 import create_s256_code_challenge
    from authlib.oidc.core import CodeIDToken
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""The signatures of id tokens that are accepted: by a key of the provider, never by a shared secret, never none."""
SCOPES = "openid profile offline_access"
"""What is asked for: who it is, and a token with which to ask again whether they are still there."""
_DISCOVERY = "/.well-known/openid-configuration"
_KNOWN_SECONDS = 3600.0  # for which the provider's addresses are kept
_TRIES_SECONDS = 10.0  # between two looks at a provider that did not answer
_TIMEOUT = 5.0
_LEEWAY_SECONDS = 60  # by which clocks may differ
_BYTES_MAX = 2**20
_GROUPS_MAX = 500
_REFUSED = 400  # the status of a provider's no, with a reason


class _Found(Struct, frozen=True):
    authorization: str
    token: str
    keys: str


class ProviderClient:
    """Asks one identity provider. `secret` is what this house shows it; empty: none is agreed."""

    def __init__(self, provider: Provider, secret: str = "") -> None:
        self.provider = provider
        self._secret = secret
        self._lock = Lock()
        self._found: tuple[float, _Found] | None = None
        self._keys: KeySet | None = None
        self._failed: tuple[float, str] | None = None

    def is_there(self) -> bool:
        """Return whether the provider answers, as found in the last seconds."""
        try:
            self._addresses()
        except ProviderAway:
            return False
        return True

    def log_in_address(self, *, state: str, nonce: str, verifier: str, redirect: str) -> str:
        """Return the address to which a browser is sent to log in, and which sends it back to `redirect`."""
        return str(
            prepare_grant_uri(
                self._addresses().authorization,
                client_id=self.provider.client,
                response_type="code",
                redirect_uri=redirect,
                scope=SCOPES,
                state=state,
                nonce=nonce,
                prompt="consent",  # without which a provider may give no token to ask again with
                code_challenge=create_s256_code_challenge(verifier),
                code_challenge_method="S256",
            )
        )

    def exchange(self, *, code: str, verifier: str, nonce: str, redirect: str, now: str) -> Vouched:
        """Return whom the provider vouches for, by the code that their browser brought back."""
        asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "code_verifier": verifier}
        return self._read_answer(self._ask(asked), nonce=nonce, now=now)

    def ask_again(self, refresh: str, *, subject: str, now: str) -> Vouched:
        """Return what the provider says of somebody now; raise NotVouched if it no longer vouches for them."""
        answer = self._ask({"grant_type": "refresh_token", "refresh_token": refresh})
        if "id_token" not in answer:
            return Vouched(subject, "", (), str(answer.get("refresh_token") or ""), is_silent=True)
        told = self._read_answer(answer, nonce="", now=now)
        if told.subject != subject:
            raise NotVouched("the identity provider answered about somebody else")
        return told

    def _read_answer(self, answer: dict[str, Any], *, nonce: str, now: str) -> Vouched:
        claims = self._claims(answer.get("id_token"), access=answer.get("access_token"), nonce=nonce, now=now)
        groups = claims.get(self.provider.claim, ())
        listed = [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
        named = (claims.get(key) for key in ("name", "preferred_username", "sub"))
        return Vouched(
            subject=str(claims["sub"]),
            name=next(name for name in named if isinstance(name, str) and name),
            groups=tuple(group for group in listed[:_GROUPS_MAX] if isinstance(group, str)),
            refresh=str(answer.get("refresh_token") or ""),
        )

    def _claims(self, token: object, *, access: object, nonce: str, now: str) -> dict[str, Any]:
        """Return the claims of an id token after its signature, issuer, audience, times and nonce were checked."""
        if not isinstance(token, str):
            raise NotVouched("the identity provider sent no id token")
        try:
            signed = self._check_signature(token)
            claims = CodeIDToken(
                signed.claims,
                signed.header,
                {
                    "iss": {"essential": True, "value": self.provider.issuer},
                    "aud": {"essential": True, "value": self.provider.client},
                },
                {"client_id": self.provider.client, "nonce": nonce, "access_token": access},
            )
            claims.validate(now=_seconds_of(now), leeway=_LEEWAY_SECONDS)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise NotVouched(f"the identity provider's id token is not valid ({error})") from error
        return dict(claims)

    def _check_signature(self, token: str) -> jwt.Token:
        """Return a token whose signature one of the provider's keys made; the keys are read again if none did."""
        if self._keys is not None:
            try:
                return jwt.decode(token, self._keys, algorithms=[*ALGORITHMS])
            except (JoseError, ValueError):
                pass
        self._keys = KeySet.import_key_set(self._read(self._addresses().keys))  # type: ignore[arg-type]  # checked by it
        return jwt.decode(token, self._keys, algorithms=[*ALGORITHMS])

    # The network

    def _addresses(self) -> _Found:
        """Return the provider's addresses; raise ProviderAway at once if it did not answer a moment ago."""
        with self._lock:
            now = monotonic()
            if self._found and now - self._found[0] < _KNOWN_SECONDS:
                return self._found[1]
            if self._failed and now - self._failed[0] < _TRIES_SECONDS:
                raise ProviderAway(self._failed[1])
        try:
            told = self._read(self.provider.issuer.rstrip("/") + _DISCOVERY)
            self._check_name(told)
            wanted = ("authorization_endpoint", "token_endpoint", "jwks_uri")
            found = _Found(*(_sound_address(str(told.get(key) or "")) for key in wanted))
        except ProviderAway as error:
            with self._lock:
                self._failed = now, str(error)
            raise
        with self._lock:
            self._found, self._failed = (now, found), None
        return found

    def _check_name(self, told: dict[str, Any]) -> None:
        if told.get("issuer") != self.provider.issuer:
            raise ProviderAway(f"it calls itself {str(told.get('issuer'))[:80]!r}, not {self.provider.issuer}")

    def _ask(self, form: dict[str, str]) -> dict[str, Any]:
        """Send a form to where the provider gives tokens; raise NotVouched if it says no."""
        client, address = self.provider.client, self._addresses().token
        auth = (quote(client, safe=""), quote(self._secret, safe="")) if self._secret else None
        try:
            response = httpx.post(address, data={**form, "client_id": client}, auth=auth, timeout=_TIMEOUT)
        except httpx.HTTPError as error:
            self._forget()
            raise ProviderAway(f"it does not answer ({type(error).__name__})") from error
        answer = _json(response)
        if response.is_success:
            return answer
        if response.status_code == _REFUSED and answer.get("error") == "invalid_grant":
            raise NotVouched("the identity provider does not vouch for this person (any more)")
        self._forget()
        raise ProviderAway(f"it refuses this house: {str(answer.get('error') or response.status_code)[:80]}")

    def _read(self, address: str) -> dict[str, Any]:
        try:
            response = httpx.get(_sound_address(address), timeout=_TIMEOUT)
            response.raise_for_status()
        except httpx.HTTPError as error:
            raise ProviderAway(f"it does not answer ({type(error).__name__})") from error
        return _json(response)

    def _forget(self) -> None:
        """Have the provider looked for again before it is said to be there."""
        with self._lock:
            self._found = None


def _json(response: httpx.Response) -> dict[str, Any]:
    if len(response.content) > _BYTES_MAX:
        raise ProviderAway("its answer is too long")
    try:
        told = response.json()
    except ValueError as error:
        raise ProviderAway("its answer is not JSON") from error
    if not isinstance(told, dict):
        raise ProviderAway("its answer is not a JSON object")
    return told


def _sound_address(address: str) -> str:
    """Return an address that the provider names; raise ProviderAway if it is not safe to use."""
    if fault := address_fault(address):
        raise ProviderAway(fault)
    return address


def _seconds_of(now: str) -> int:
    return int(datetime.fromisoformat(now).astimezone(UTC).timestamp())
