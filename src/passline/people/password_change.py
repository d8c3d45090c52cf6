"""A new password in place of an old one: strong enough, and none that came before where the house has them changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from passline.people import commands as c
from passline.people.accounts import Account, People
from passline.people.credentials import Credentials, password_faults
from passline.refusal import Refusal, Refused
from passline.streams.course import Answer

OVER_AGE = "age"
"""What a log-in is refused by whose password is too old, so that the page asks for a new one."""

BY_PROVIDER = "log in by the identity provider: your password counts only while the provider does not answer"
"""The refusal of a right password of somebody for whom an identity provider vouches."""


class _Record(Protocol):
    def __call__(self, command: c.PeopleCommand, *, by: str) -> Answer | Refused: ...


class PasswordChange:
    """Changes passwords of people who have proved the present one. Everything here hashes, and is slow."""

    def __init__(self, credentials: Credentials, people: Callable[[], People], record: _Record) -> None:
        self._credentials, self._people, self._record = credentials, people, record

    def change(self, account: Account, new: str) -> Answer | Refused:
        """Change a password; without a new one, say that it is over its age."""
        if not new:
            days = self._people().safeguards.password_days
            why = f"a password may be {days} days old here, and yours is older: choose a new one"
            return Refused((Refusal(OVER_AGE, why),))
        if faults := (*password_faults(new, name=account.name), *self.reuse_faults(account, new)):
            return Refused(faults)
        command = c.SetPassword(account=account.id, password=self._credentials.keep("password", new, is_known=True))
        done = self._record(command, by=account.id)
        if isinstance(done, Refused):
            self._credentials.forget("password", command.password)
        else:
            self.forget(account.password)
        return done

    def forget(self, password: str) -> None:
        """Forget an earlier password by its name in the vault, unless it must not be chosen again."""
        if not self._people().safeguards.password_days:
            self._credentials.forget("password", password)

    def reuse_faults(self, account: Account, new: str) -> tuple[Refusal, ...]:
        """Refuse a password that somebody had before, where the house has passwords changed."""
        if not self._people().safeguards.password_days:
            return ()
        had = (name for name in (account.password, *account.former_passwords) if name)
        if not any(self._credentials.is_right("password", name, new, is_known=True) for name in had):
            return ()
        return (Refusal("people", "you had this password before: choose one that is new"),)
