"""Sign-off: a second person confirms a privileged act with name and PIN; nobody signs their own request."""

from __future__ import annotations

from collections.abc import Collection

from passline.game.refusal import Refusal, Refused
from passline.people.accounts import Account, People
from passline.people.attempts import Attempts, Wait
from passline.people.credentials import Credentials
from passline.people.roles import in_order, in_words

__all__ = ["SignOffCheck"]


class SignOffCheck:
    """Checks the name and PIN of the person who signs off."""

    def __init__(self, credentials: Credentials, attempts: Attempts) -> None:
        self._credentials = credentials
        self._attempts = attempts

    def check(
        self, people: People, *, name: str, pin: str, roles: Collection[str], requester: str, address: str, now: str
    ) -> Account | Refused | Wait:
        """Return the account that signs: the right PIN, one of the roles, and not the requester. Slow."""
        account = people.named(name)
        if account is not None and account.id == requester:
            return _refused("nobody may sign off their own request; ask somebody else")
        if wait := self._attempts.begin(name, address, now=now):
            return wait
        is_right = self._credentials.is_right("pin", account.pin if account else "", pin)
        if not is_right or account is None or account.is_disabled:
            self._attempts.failed(address, now=now)
            return _refused("the name or the PIN is wrong, or that account has no PIN")
        self._attempts.succeeded(name, now=now)
        if not account.roles & set(roles):
            wanted = " or ".join(in_order(roles)) or "nobody"
            return _refused(f"only the {wanted} may sign this; {account.name} has {in_words(account.roles)}")
        return account


def _refused(why: str) -> Refused:
    return Refused((Refusal("duties", why),))
