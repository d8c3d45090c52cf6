"""The front desk of a house: the one place where people register, log in, change their account and sign off."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from secrets import token_hex
from uuid import uuid4

from argon2 import PasswordHasher

from passline.game.refusal import Refusal, Refused
from passline.people import commands as c
from passline.people.accounts import STREAM, Account, Invitation, People
from passline.people.attempts import Attempts, Wait
from passline.people.course import PeopleCourse, account_of
from passline.people.credentials import Credentials, password_faults, pin_faults
from passline.people.invitations import Invitations, Link
from passline.people.roles import THE_HOUSE, VISITOR
from passline.people.sessions import Session, Sessions, Welcome
from passline.people.sign_off import SignOffCheck
from passline.store.log import Log, LogError
from passline.streams.blocking import BlockingStream
from passline.streams.course import Actor, Answer, Ask
from passline.streams.writer import InDoubt

__all__ = ["REGISTRATION_CLOSED", "FrontDesk"]

REGISTRATION_CLOSED = (
    "registration is closed at this house: its owner or a floorperson opens an account for you "
    "and gives you a one-time link to it"
)
"""The refusal of a registration where only the house opens accounts."""


class FrontDesk:
    """The people of one log. Calls may come from any thread; those that hash a secret are slow and say so.

    Every call sees what other processes wrote, so a disabled account is locked out everywhere at once.
    """

    def __init__(
        self,
        log: Log,
        clock: Callable[[], str],
        *,
        is_demo: bool = False,
        can_register: bool = True,
        registrations: int = 200,  # from one address in a day before it has to wait
        hasher: PasswordHasher | None = None,
    ) -> None:
        self._clock = clock
        self._is_demo = is_demo
        self.can_register = can_register
        self._stream = BlockingStream(STREAM, PeopleCourse(), log=log, clock=clock)
        self._credentials = Credentials(log.vault, hasher)
        self._sessions = Sessions(log.vault)
        self._invitations = Invitations(log.vault)
        self._log_ins = Attempts(log.vault, "log-in")
        self._registrations = Attempts(log.vault, "register", address_tries=registrations)
        self._signing = SignOffCheck(self._credentials, Attempts(log.vault, "sign-off"))

    # Reading

    @property
    def version(self) -> int:
        """The version of the people as read last: while it stays the same, no roles have changed here."""
        return self._stream.version

    def people(self) -> People:
        """Return everybody, as the log has them now."""
        return self._stream.newest() or People()

    def is_employee(self, account: str) -> bool:
        """Return whether an account is an employee's, as read last. It never waits, so tables may call it."""
        people = self._stream.state
        known = people.accounts.get(account) if people else None
        return known is not None and known.is_employee

    def is_sole_owner(self, account: str) -> bool:
        """Return whether an account is the only owner who can act, as read last. It never waits."""
        people = self._stream.state
        return people is not None and [owner.id for owner in people.owners()] == [account]

    def session_of(self, token: str) -> Session | None:
        """Return the session of a token, with the roles its person has now; None if it has ended."""
        return self._sessions.find(token, self.people(), now=self._clock())

    def sessions_of(self, tokens: Iterable[str]) -> dict[str, Session | None]:
        """Return the session of each of many tokens; people are read once for all of them."""
        return self._sessions.find_all(tokens, self.people(), now=self._clock())

    def invitation_of(self, token: str) -> Invitation | None:
        """Return the invitation behind a link that can still be used, or None."""
        found = self._invitations.find(token, self.people(), now=self._clock())
        return found[1] if found else None

    # Registering and logging in

    def first_owner(self) -> Link | None:
        """Return a one-time link for the first owner, or None if an owner can log in already."""
        if self.people().owners():
            return None
        made = self.invite(by="", roles=("owner",))
        return made if isinstance(made, Link) else None

    def invite(self, *, by: str, account: str = "", roles: tuple[str, ...] = ()) -> Link | Refused:
        """Make a one-time link for somebody new in these roles, or for an existing account."""
        link = self._invitations.make(now=self._clock())
        command = c.Invite(account=account, invitation=link.invitation, roles=roles, expires=link.expires)
        done = self._record(command, by=by, as_=THE_HOUSE.account)
        if isinstance(done, Refused):
            self._invitations.forget(link.token)
            return done
        return link

    def accept_invitation(self, token: str, *, name: str, password: str, pin: str = "") -> Welcome | Refused:
        """Use a one-time link to open an account, or to set a new password for an existing one. Slow."""
        people = self.people()
        found = self._invitations.find(token, people, now=self._clock())
        if found is None:
            return _refused("this link was used or has expired; ask for another")
        invitation, link = found
        known = people.accounts.get(link.account)
        faults = [*password_faults(password, name=known.name if known else name), *(pin_faults(pin) if pin else ())]
        if faults:
            return Refused(tuple(faults))
        account = known.id if known else token_hex(8)
        kept = self._credentials.keep("password", password)
        command = c.AcceptInvitation(
            account=account,
            invitation=invitation,
            name="" if known else name,
            password=kept,
            pin=self._credentials.keep("pin", pin) if pin else "",
        )
        done = self._record(command, by="")
        if isinstance(done, Refused):
            self._credentials.forget("password", kept)
            self._credentials.forget("pin", command.pin)
            return done
        self._invitations.forget(token)
        if known:
            self._credentials.forget("password", known.password)
            self._credentials.forget("pin", known.pin if pin else "")
        return self._begin(account)

    def register(self, *, name: str, password: str, address: str = "") -> Welcome | Refused | Wait:
        """Open a player's account. Slow."""
        if not self.can_register:
            return Refused((Refusal("duties", REGISTRATION_CLOSED),))
        now = self._clock()
        if wait := self._registrations.pending(address, now=now):
            return wait
        self._registrations.failed(address, now=now)
        if faults := tuple(password_faults(password, name=name)):
            return Refused(faults)
        command = c.Register(account=token_hex(8), name=name, password=self._credentials.keep("password", password))
        done = self._record(command, by="")
        if isinstance(done, Refused):
            self._credentials.forget("password", command.password)
            return done
        return self._begin(command.account)

    def welcome_guest(self, name: str = "") -> Welcome | Refused:
        """Open a guest account for a visitor of a demo, under the given name or an invented one."""
        if not self._is_demo:
            return Refused((Refusal("duties", "guests without an account are for a demo; log in or register"),))
        account = token_hex(8)
        command = c.WelcomeGuest(account=account, name=name or f"Guest {account[:6]}")
        done = self._record(command, by="")
        return done if isinstance(done, Refused) else self._begin(account)

    def log_in(self, *, name: str, password: str, address: str = "") -> Welcome | Refused | Wait:
        """Log in with name and password. Slow."""
        now = self._clock()
        if wait := self._log_ins.begin(name, address, now=now):
            return wait
        account = self.people().named(name)
        if not self._is_password(account, password) or account is None:
            self._log_ins.failed(address, now=now)
            return _refused("the name or the password is wrong")
        done = self._record(c.LogIn(account=account.id), by=account.id)
        if isinstance(done, Refused):
            return done
        self._log_ins.succeeded(name, now=now)
        return self._begin(account.id)

    def log_out(self, token: str) -> None:
        """End a session."""
        self._sessions.end(token)

    # Changing

    def do(self, command: c.PeopleCommand, *, by: str, id: str = "") -> Answer | Refused:  # noqa: A002 - the entry's word
        """Carry out a command of an account; the same id twice acts once."""
        if not by:
            return Refused((Refusal("duties", "log in first"),))
        return self._record(command, by=by, id=id)

    def set_password(self, *, by: str, password: str, new: str, address: str = "") -> Welcome | Refused | Wait:
        """Change one's own password, which ends all sessions of the account and begins a new one. Slow."""
        account = self.people().accounts.get(by)
        if fault := self._check(account, password, address):
            return fault
        assert account is not None
        if faults := tuple(password_faults(new, name=account.name)):
            return Refused(faults)
        command = c.SetPassword(account=by, password=self._credentials.keep("password", new))
        done = self._record(command, by=by)
        self._credentials.forget("password", command.password if isinstance(done, Refused) else account.password)
        return done if isinstance(done, Refused) else self._begin(by)

    def set_pin(self, *, by: str, password: str, pin: str, address: str = "") -> Answer | Refused | Wait:
        """Change one's own PIN, proved by the password. Slow."""
        account = self.people().accounts.get(by)
        if fault := self._check(account, password, address):
            return fault
        assert account is not None
        if faults := tuple(pin_faults(pin)):
            return Refused(faults)
        command = c.SetPin(account=by, pin=self._credentials.keep("pin", pin))
        done = self._record(command, by=by)
        self._credentials.forget("pin", command.pin if isinstance(done, Refused) else account.pin)
        return done

    def sign_off(
        self, *, name: str, pin: str, roles: Collection[str], requester: str, address: str = ""
    ) -> Account | Refused | Wait:
        """Return the account that signs off a request: another person in one of the roles, proved by PIN. Slow."""
        people, now = self.people(), self._clock()
        return self._signing.check(
            people, name=name, pin=pin, roles=roles, requester=requester, address=address, now=now
        )

    # Internal

    def _begin(self, account: str) -> Welcome:
        """Begin a session after something was recorded: if that fails, it must not be told that nothing was done."""
        try:
            return self._sessions.begin(self.people().accounts[account], now=self._clock())
        except LogError as error:
            raise InDoubt("it was recorded, but the log failed before you were logged in; log in") from error

    def _is_password(self, account: Account | None, password: str) -> bool:
        """Return whether this is the password of an enabled account; just as slow if there is no such account."""
        is_right = self._credentials.is_right("password", account.password if account else "", password)
        return is_right and account is not None and not account.is_disabled

    def _check(self, account: Account | None, password: str, address: str) -> Refused | Wait | None:
        """Refuse to change a secret without the password: an open session is not enough."""
        now = self._clock()
        name = account.name if account else ""
        if wait := self._log_ins.begin(name, address, now=now):
            return wait
        if not self._is_password(account, password):
            self._log_ins.failed(address, now=now)
            return _refused("the password is wrong")
        self._log_ins.succeeded(name, now=now)
        return None

    def _record(self, command: c.PeopleCommand, *, by: str, id: str = "", as_: str = VISITOR) -> Answer | Refused:  # noqa: A002
        """Decide and record a command of the account `by`; if that is empty, of `as_`: a visitor or the house."""
        if by != account_of(by):
            return Refused((Refusal("duties", "log in first"),))
        return self._stream.ask(Ask(id or uuid4().hex, command, Actor(by or as_, by or as_, as_)))


def _refused(why: str) -> Refused:
    return Refused((Refusal("people", why),))
