"""Log-in by the identity provider at the front desk: begun, finished once, and asked about again while it lasts.

What a browser brings back is believed once: its state is taken out of the vault, belongs to that browser, and is over
in minutes. While somebody is in, the provider is asked every few minutes whether they still are: whom it no longer
vouches for is shut out on every server. A provider that does not answer shuts nobody out.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from secrets import token_bytes, token_hex, token_urlsafe
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import DecodeError, MsgspecError, Struct, json

from passline.extras import MissingExtra, extra_for
from passline.people import commands as c
from passline.people.accounts import Account, People, Provider
from passline.people.desk import FrontDesk
from passline.people.provider.vouching import NotVouched, ProviderAway, Vouched
from passline.people.sessions import SESSION_SECONDS, Welcome, digest_of
from passline.refusal import Refusal, Refused
from passline.store.log import Secret
from passline.store.sealed import Log
from passline.store.timestamps import later

if TYPE_CHECKING:
    from passline.people.provider.protocol import ProviderClient

PENDING_SECONDS = 600
"""How long somebody has to log in at the provider."""
CHECK_SECONDS = 300
"""After how long the provider is asked again about somebody who is in."""
UNCHECKED_SECONDS = 3600
"""How long a session lasts where the provider gives nothing to ask again with."""
_PENDING, _GRANT, _CHECK = "provider-log-in", "provider-grant", "provider-check"
_RANDOM_BYTES, _NONCE_BYTES = 32, 12


class Begun(Struct, frozen=True):
    """Where a browser is sent, and what it must bring back as a cookie."""

    address: str
    browser: str


class Finished(Struct, frozen=True):
    """Somebody who is logged in, and the page that they wanted."""

    welcome: Welcome
    next: str


class _Pending(Struct, frozen=True):
    issuer: str
    nonce: str
    verifier: str
    redirect: str
    next: str
    browser: str  # the digest of its cookie


class _Grant(Struct, frozen=True):
    refresh: str
    checked: str


class ProviderDesk:
    """The people of one log who come by its identity provider. Every call may wait for the network."""

    def __init__(self, desk: FrontDesk, log: Log, clock: Callable[[], str], secret: str = "") -> None:
        self._desk, self._clock, self._secret = desk, clock, secret
        self._vault = desk.vault
        self._cipher = AESGCM(log.derive("provider grants"))
        self._client: ProviderClient | None = None
        desk.provider_answers = self.is_there

    def is_there(self) -> bool:
        """Return whether people log in by a provider here, and it answers."""
        try:
            client = self._client_of(self._desk.people())
        except MissingExtra:
            return False
        return client is not None and client.is_there()

    def begin(self, *, redirect: str, next_: str) -> Begun | Refused:
        """Begin a log-in that comes back to `redirect`; refused if there is no provider, or it does not answer."""
        client = self._client_of(self._desk.people())
        if client is None:
            return _refuse("nobody logs in by an identity provider at this house")
        state, browser, nonce, verifier = (token_urlsafe(_RANDOM_BYTES) for _ in range(4))
        try:
            address = client.log_in_address(state=state, nonce=nonce, verifier=verifier, redirect=redirect)
        except ProviderAway as error:
            return _away(client.provider, error)
        pending = _Pending(client.provider.issuer, nonce, verifier, redirect, next_, digest_of(browser))
        ends = later(self._clock(), PENDING_SECONDS)
        self._vault.put(Secret(_PENDING, digest_of(state), json.encode(pending), ends))
        return Begun(address, browser)

    def finish(self, *, state: str, browser: str, code: str, denied: str = "") -> Finished | Refused:
        """Finish a log-in with what a browser brought back, which counts once."""
        now = self._clock()
        kept = self._vault.take(_PENDING, digest_of(state), now=now)
        pending = json.decode(kept.value, type=_Pending) if kept else None
        if pending is None or not hmac.compare_digest(pending.browser, digest_of(browser)):
            return _refuse("this log-in was finished, took too long, or was begun in another browser: begin again")
        if denied or not code:
            return _refuse(f"the identity provider did not log you in ({denied[:80] or 'no code'})")
        client = self._client_of(self._desk.people())
        if client is None or client.provider.issuer != pending.issuer:
            return _refuse("this house has changed its identity provider: begin again")
        try:
            vouched = client.exchange(
                code=code, verifier=pending.verifier, nonce=pending.nonce, redirect=pending.redirect, now=now
            )
        except ProviderAway as error:
            return _away(client.provider, error)
        except NotVouched as error:
            self._desk.note("log-in", "", "")
            return _refuse(str(error))
        return self._welcome(client.provider, vouched, pending.next)

    def check(self) -> list[str]:
        """Ask the provider about everybody who is in and due; return the accounts that were shut out."""
        people, now = self._desk.people(), self._clock()
        if not any(account.subject and not account.is_disabled for account in people.accounts.values()):
            return []
        shut = []
        for row in [row for row in self._vault.all() if row.kind == _GRANT and row.expires > now]:
            account, grant = people.accounts.get(row.key), self._open_grant(row)
            if account is None or account.is_disabled or grant is None:
                self._vault.forget(_GRANT, row.key)
            elif self._is_due(account, grant, now) and self._shut_out(people, account, grant, row.expires):
                shut.append(account.id)
        return shut

    # Internal

    def _welcome(self, provider: Provider, vouched: Vouched, next_: str) -> Finished | Refused:
        """Record that somebody logs in, in the roles of their groups, and begin their session."""
        known = self._desk.people().account_at_provider(provider.issuer, vouched.subject)
        account = known.id if known else token_hex(8)
        done = self._record(account, provider, vouched)
        if isinstance(done, Refused):
            return done
        now = self._clock()
        if vouched.refresh:
            self._keep(account, _Grant(vouched.refresh, now), later(now, SESSION_SECONDS))
        seconds = SESSION_SECONDS if vouched.refresh else UNCHECKED_SECONDS
        return Finished(self._desk.begin_session(account, seconds), next_)

    def _record(self, account: str, provider: Provider, vouched: Vouched, *, is_again: bool = False) -> Refused | None:
        command = c.LogInByProvider(
            account=account,
            issuer=provider.issuer,
            subject=vouched.subject,
            name=vouched.name,
            groups=provider.groups_with_roles(vouched.groups),
            is_again=is_again,
        )
        done = self._desk.record_as_house(command)
        return done if isinstance(done, Refused) else None

    def _shut_out(self, people: People, account: Account, grant: _Grant, expires: str) -> bool:
        """Ask the provider about somebody, and shut them out if it no longer vouches for them."""
        client, now = self._client_of(people), self._clock()
        if client is None or client.provider.issuer != account.issuer:
            return self._refuse(account, "this house no longer has people log in by that identity provider")
        try:
            told = client.ask_again(grant.refresh, subject=account.subject, now=now)
        except ProviderAway:
            return False
        except NotVouched as error:
            return self._refuse(account, str(error))
        self._keep(account.id, _Grant(told.refresh or grant.refresh, now), expires)
        roles = client.provider.roles_of(told.groups)
        if told.is_silent or roles == account.roles:
            return False
        if not roles:
            return self._refuse(account, "none of their groups at the identity provider has a role here any more")
        self._record(account.id, client.provider, told, is_again=True)
        return False

    def _refuse(self, account: Account, why: str) -> bool:
        done = self._desk.record_as_house(c.RefuseByProvider(account=account.id, reason=why))
        self._vault.forget(_GRANT, account.id)
        return not isinstance(done, Refused)

    def _is_due(self, account: Account, grant: _Grant, now: str) -> bool:
        """Return whether it is time to ask about somebody, and no other process does already."""
        if later(grant.checked, CHECK_SECONDS) > now:
            return False
        key = digest_of(f"{account.id} {grant.checked}")
        return self._vault.count(_CHECK, key, now=now, expires=later(now, CHECK_SECONDS)) == 1

    def _client_of(self, people: People) -> ProviderClient | None:
        if people.provider is None:
            return None
        with extra_for("log-in by an identity provider"):
            from passline.people.provider.protocol import ProviderClient  # noqa: PLC0415 - an extra
        client = self._client
        if client is None or client.provider != people.provider:
            client = self._client = ProviderClient(people.provider, self._secret)
        return client

    def _keep(self, account: str, grant: _Grant, expires: str) -> None:
        """Keep what the provider is asked again with, so that whoever reads the database cannot use it."""
        nonce = token_bytes(_NONCE_BYTES)
        sealed = nonce + self._cipher.encrypt(nonce, json.encode(grant), account.encode())
        self._vault.put(Secret(_GRANT, account, sealed, expires))

    def _open_grant(self, row: Secret) -> _Grant | None:
        nonce, sealed = row.value[:_NONCE_BYTES], row.value[_NONCE_BYTES:]
        try:
            return json.decode(self._cipher.decrypt(nonce, sealed, row.key.encode()), type=_Grant)
        except (InvalidTag, DecodeError, MsgspecError, ValueError):
            return None


def _refuse(why: str) -> Refused:
    return Refused((Refusal("people", why),))


def _away(provider: Provider, error: ProviderAway) -> Refused:
    who = f"the identity provider at {provider.issuer} cannot be used now: {error}"
    return _refuse(f"{who}. Tables go on; whoever has a password here logs in with name and password")
