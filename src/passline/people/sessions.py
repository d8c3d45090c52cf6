"""Sessions: a token that only its holder has. The vault keeps its digest; the log ends all sessions of an account."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from hashlib import sha256
from secrets import token_urlsafe

from msgspec import DecodeError, Struct, json

from passline.people.accounts import Account, People
from passline.store.log import Secret, Vault
from passline.store.timestamps import later

__all__ = ["SESSION_SECONDS", "Session", "Sessions", "Welcome", "csrf_of", "digest_of"]

SESSION_SECONDS = 12 * 3600
"""How long a session lasts: a long shift. It is never extended, so a stolen one ends too."""
_KIND = "session"
_TOKEN_BYTES = 32


class Session(Struct, frozen=True):
    """A person who is logged in, with their current account."""

    account: Account
    csrf: str
    expires: str


class Welcome(Struct, frozen=True):
    """A session that just began. Its token is shown only now."""

    token: str
    session: Session


class _Kept(Struct, frozen=True):
    account: str
    generation: int


def digest_of(token: str) -> str:
    """Return the digest under which the vault knows a token.

    >>> digest_of("abc")[:8]
    'ba7816bf'
    """
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def csrf_of(token: str) -> str:
    """Return the CSRF value that pages of this session send back; it does not reveal the token.

    >>> csrf_of("abc") == csrf_of("abc") != csrf_of("abd")
    True
    """
    return hmac.new(token.encode("utf-8", "surrogatepass"), b"passline csrf/1", sha256).hexdigest()


class Sessions:
    """The sessions of a house."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def begin(self, account: Account, *, now: str) -> Welcome:
        """Begin a session under a new token, so that nobody can fix the token beforehand."""
        token = token_urlsafe(_TOKEN_BYTES)
        expires = later(now, SESSION_SECONDS)
        kept = json.encode(_Kept(account.id, account.generation))
        self._vault.put(Secret(_KIND, digest_of(token), kept, expires))
        return Welcome(token, Session(account, csrf_of(token), expires))

    def find(self, token: str, people: People, *, now: str) -> Session | None:
        """Return the session of a token, or None if it has ended or is void."""
        return self.find_all((token,), people, now=now)[token]

    def find_all(self, tokens: Iterable[str], people: People, *, now: str) -> dict[str, Session | None]:
        """Return the session of each of many tokens."""
        digests = {token: digest_of(token) for token in tokens}
        secrets = self._vault.get_all(_KIND, digests.values(), now=now)
        return {token: _session(token, secrets.get(digest), people) for token, digest in digests.items()}

    def end(self, token: str) -> None:
        """End a session."""
        self._vault.forget(_KIND, digest_of(token))


def _session(token: str, secret: Secret | None, people: People) -> Session | None:
    if secret is None:
        return None
    try:
        kept = json.decode(secret.value, type=_Kept)
    except DecodeError:
        return None
    account = people.accounts.get(kept.account)
    if account is None or account.is_disabled or account.generation != kept.generation:
        return None
    return Session(account, csrf_of(token), secret.expires)
