"""Sign-off: a second person confirms a privileged act with name and PIN; nobody signs their own request."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from passline.game.refusal import Refusal, Refused
from passline.people.accounts import Account, People
from passline.people.attempts import Attempts, Try, Wait
from passline.people.credentials import Credentials

__all__ = ["SIGNATURE_WRONG", "SignOff", "SignOffCheck"]

SIGNATURE_WRONG = "the name or the PIN is wrong, or that person may not sign this"
"""The one answer to every signature that is not good, so that nobody learns which part of it was."""


class SignOff(Struct, frozen=True, forbid_unknown_fields=True):
    """The name and PIN of the person who signs off a command."""

    name: str
    pin: str

    def __repr__(self) -> str:
        return f"SignOff(name={self.name!r}, pin=(withheld))"


class SignOffCheck:
    """Checks the name and PIN of the person who signs off."""

    def __init__(self, credentials: Credentials, attempts: Attempts) -> None:
        self._credentials = credentials
        self._attempts = attempts

    def check(
        self,
        people: People,
        *,
        name: str,
        pin: str,
        may_sign: Callable[[Account], bool],
        requester: str,
        address: str,
        now: str,
    ) -> Account | Refused | Wait:
        """Return the account that signs: one who may, not the requester, with the right PIN. Slow.

        The PIN of somebody who may not sign is not looked at; the answer takes as long and is the same. The requester
        has tries of their own at each name, so nobody locks out a colleague's signature. While many others try that
        name they wait for a turn, unless the two have signed together before.
        """
        account = people.named(name)
        if account is not None and account.id == requester:
            return _refused("nobody may sign off their own request; ask somebody else")
        one = Try(name, address, requester=requester)
        if wait := self._attempts.begin(one, now=now):
            return wait
        is_fit = account is not None and not account.is_disabled and may_sign(account)
        pin_name = account.pin if account is not None and is_fit else ""
        if not self._credentials.is_right("pin", pin_name, pin, is_known=True) or account is None:
            self._attempts.failed(one, now=now)
            return _refused(SIGNATURE_WRONG)
        self._attempts.succeeded(one, now=now)
        return account


def _refused(why: str) -> Refused:
    return Refused((Refusal("duties", why),))
