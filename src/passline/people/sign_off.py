"""Sign-off: at the moment of a privileged act a second person gives name and PIN, and never for their own request."""

from __future__ import annotations

from collections.abc import Collection

from passline.game.refusal import Refusal, Refused
from passline.people.accounts import Account, People, in_order
from passline.people.attempts import Attempts, Wait
from passline.people.credentials import Credentials

__all__ = ["Signing"]


class Signing:
    """Checks who signs something off."""

    def __init__(self, credentials: Credentials, attempts: Attempts) -> None:
        self._credentials = credentials
        self._attempts = attempts

    def check(
        self, people: People, *, name: str, pin: str, roles: Collection[str], requester: str, address: str, now: str
    ) -> Account | Refused | Wait:
        """Give the account that signs with this PIN, if it has one of the roles and did not ask itself. Slow."""
        account = people.named(name)
        if account is not None and account.id == requester:
            return _refused("nobody signs off their own request; ask somebody else")
        if wait := self._attempts.begin(name, address, now=now):
            return wait
        is_right = self._credentials.is_right("pin", account.pin if account else "", pin)
        if not is_right or account is None or account.is_disabled:
            self._attempts.failed(address, now=now)
            return _refused("the name or the PIN is wrong, or that account has no PIN")
        self._attempts.succeeded(name, now=now)
        if not account.roles & set(roles):
            wanted = " or ".join(in_order(roles)) or "nobody"
            return _refused(f"this is for the {wanted} to sign; {account.name} is {', '.join(in_order(account.roles))}")
        return account


def _refused(why: str) -> Refused:
    return Refused((Refusal("duties", why),))
