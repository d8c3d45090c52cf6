"""The second factor of a signature: a challenge for this very act, used once, which an authenticator signs."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_bytes
from typing import Any

from msgspec import MsgspecError, Struct, json

from passline.authority.duties import name_of
from passline.errors import CrapsError
from passline.people import commands as c
from passline.people.accounts import Account, People
from passline.people.assertions import (
    Assertion,
    Authenticator,
    authenticator_of,
    bytes_of,
    challenge_of,
    creation_options,
    digest_of_act,
    site_of,
    text_of,
)
from passline.refusal import Refusal, Refused
from passline.store.log import Secret, Vault
from passline.store.timestamps import later
from passline.streams.course import Answer

CLAUSE = "second-factor"
"""The clause of a refusal that asks for an authenticator's signature."""
_SECONDS = 120  # in which it must come
_SIGNING, _MAKING = "signing-challenge", "authenticator-challenge"
_NONCE_BYTES = 32


class Challenge(Struct, frozen=True):
    """What a browser asks an authenticator to sign: the challenge, for this site, by one of these."""

    challenge: str
    site: str
    credentials: tuple[str, ...]


class SecondFactorNeeded(CrapsError):
    """Name and PIN are right, and the signer's authenticator is to sign as well."""

    def __init__(self, signer: str, challenge: Challenge) -> None:
        super().__init__(f"{signer} signs with an authenticator too: touch it when the browser asks")
        self.challenge = challenge


class _Pending(Struct, frozen=True):
    nonce: str
    digest: str


class _ClientData(Struct):
    challenge: str


class SecondFactor:
    """The authenticators of a house. What they sign is recorded before the act that it signs."""

    def __init__(
        self, vault: Vault, record: Callable[[c.PeopleCommand], Answer | Refused], clock: Callable[[], str]
    ) -> None:
        self._vault, self._record, self._clock = vault, record, clock

    def refusal_of(
        self, people: People, signer: Account, given: Assertion | None, *, requester: str, command: object
    ) -> Refused | None:
        """Return why a signature lacks its second factor, or None; raise SecondFactorNeeded with what is to be signed.

        None too where the house elects no second factor.
        """
        origin = people.safeguards.second_factor
        if not origin:
            return None
        site = site_of(origin)
        own = tuple(own.credential for own in signer.authenticators if own.site == site)
        if not own:
            return _refuse(f"{signer.name} has no authenticator yet: they add one on the page of their account")
        digest = digest_of_act(c.without_made_up(command), requester=requester, signer=signer.id)
        if given is None:
            pending = _Pending(text_of(token_bytes(_NONCE_BYTES)), digest)
            challenge = text_of(challenge_of(pending.nonce, digest))
            ends = later(self._clock(), _SECONDS)
            self._vault.put(Secret(_SIGNING, challenge, json.encode(pending), ends))
            raise SecondFactorNeeded(signer.name, Challenge(challenge, site, own))
        kept = self._vault.take(_SIGNING, _challenge_in(given.client_data), now=self._clock())
        pending_ = json.decode(kept.value, type=_Pending) if kept else None
        if pending_ is None or pending_.digest != digest:
            return _refuse("the authenticator signed something else, too long ago, or for the second time: sign again")
        done = self._record(
            c.GiveAssertion(
                account=signer.id,
                requester=requester,
                act=name_of(command),
                nonce=pending_.nonce,
                digest=digest,
                assertion=given,
            )
        )
        return done if isinstance(done, Refused) else None

    def options(self, account: Account, origin: str) -> bytes:
        """Return, as JSON, what a browser makes an authenticator with."""
        challenge = token_bytes(_NONCE_BYTES)
        ends = later(self._clock(), _SECONDS)
        self._vault.put(Secret(_MAKING, text_of(challenge), account.id.encode(), ends))
        others = tuple(own.credential for own in account.authenticators)
        return creation_options(
            site=site_of(origin), account=account.id, name=account.name, challenge=challenge, others=others
        )

    def made_by(self, account: Account, answer: dict[str, Any], *, origin: str, label: str) -> Authenticator | Refused:
        """Return the authenticator that a browser made for an account, once."""
        response = answer.get("response")
        client_data = response.get("clientDataJSON") if isinstance(response, dict) else ""
        challenge = _challenge_in(client_data if isinstance(client_data, str) else "")
        kept = self._vault.take(_MAKING, challenge, now=self._clock())
        if kept is None or kept.value != account.id.encode():
            return _refuse("this took too long, or was for somebody else: begin again")
        made = authenticator_of(answer, origin=origin, challenge=bytes_of(challenge), label=label)
        return _refuse(f"the authenticator's answer is not valid: {made}") if isinstance(made, str) else made


def _challenge_in(client_data: str) -> str:
    """Return the challenge that was signed; empty if it cannot be read."""
    try:
        return json.decode(bytes_of(client_data), type=_ClientData).challenge
    except (ValueError, MsgspecError):
        return ""


def _refuse(why: str) -> Refused:
    return Refused((Refusal("duties", why),))
