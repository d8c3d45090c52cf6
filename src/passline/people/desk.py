"""The front desk of a house: the one place where people register, log in, change their account and sign off."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import TypeVar
from uuid import uuid4

from argon2 import PasswordHasher
from msgspec.structs import replace

from passline.authority.duties import name_of
from passline.authority.roles import OWNER, VISITOR
from passline.authority.sign_off import OWNERS_MIN
from passline.people import commands as c
from passline.people.accounts import STREAM, Account, People, unseen_fault
from passline.people.assertions import Assertion
from passline.people.attempts import Attempts, Try, Wait
from passline.people.binding import bind_secrets
from passline.people.course import PeopleCourse, account_of
from passline.people.credentials import Credentials, SignOff, SignOffCheck, password_faults, pin_faults
from passline.people.decide import decide
from passline.people.duties import why_second_owner
from passline.people.guard.incidents import Alarms, Incidents
from passline.people.password_change import BY_PROVIDER, PasswordChange
from passline.people.presence import Presence
from passline.people.reading import PeopleReading
from passline.people.second_factor import SecondFactor
from passline.people.sessions import SESSION_SECONDS, Devices, Invitations, Link, Sessions, Welcome
from passline.people.tills import TillSessions
from passline.refusal import Refusal, Refused
from passline.store.authentic_vault import ROWS_PURPOSE, AuthenticVault
from passline.store.log import LogError
from passline.store.sealed import Log
from passline.streams.blocking import BlockingStream
from passline.streams.course import THE_HOUSE, Actor, Answer, Ask
from passline.streams.writer import InDoubt, LogDown

T = TypeVar("T")
REGISTRATION_CLOSED = (
    "registration is closed at this house: its owner or a floorperson opens an account for you "
    "and gives you a one-time link to it"
)
"""The refusal of a registration where only the house opens accounts."""


class FrontDesk(PeopleReading):
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
        self._log, self._clock = log, clock
        self._is_demo, self.can_register = is_demo, can_register
        self._stream = BlockingStream(STREAM, PeopleCourse(), log=log, clock=clock)
        self.away = frozenset
        self._presence, self._incidents = Presence(), Incidents(clock)
        alarms = Alarms(self._incidents, lambda secret: self.people().owner_of(secret))
        self.provider_answers: Callable[[], bool] = lambda: False  # whether people can log in by an identity provider
        self.vault = vault = AuthenticVault(log.vault, log.derive(ROWS_PURPOSE), alarms.report_forged)
        self._credentials = Credentials(log.vault, hasher, alarms.report_swapped)
        self._passwords = PasswordChange(self._credentials, self.people, self._record)
        self._sessions = Sessions(vault, log.derive("session tokens"))
        self._devices = Devices(log.derive("known devices"))
        self._invitations = Invitations(vault)
        self._log_ins = Attempts(vault, "log-in")
        self._registrations = Attempts(vault, "register", address_tries=registrations)
        self.second_factor = SecondFactor(vault, self.record_as_house, clock)
        attempts = Attempts(vault, "sign-off")
        self._signing = SignOffCheck(self._credentials, attempts, self.second_factor, self._incidents.note)
        self.tills = TillSessions(self._sessions, self._credentials, Attempts(vault, "own PIN"), self.people, clock)

    # Registering and logging in

    def first_owner(self) -> Link | None:
        """Return a one-time link for the first owner, or None if an owner can log in already."""
        if self.people().owners():
            return None
        made = self.invite(by="", roles=(OWNER,))
        return made if isinstance(made, Link) else None

    def invite(
        self,
        *,
        by: str,
        account: str = "",
        roles: tuple[str, ...] = (),
        sign_off: SignOff | None = None,
        signed_by: str = "",
        address: str = "",
    ) -> Link | Refused | Wait:
        """Make a one-time link for somebody new in these roles, or for an existing account.

        A second owner signs it where that is needed: by PIN, or `signed_by` what came just before.
        """
        link = self._invitations.make(now=self._clock())
        command = c.Invite(account=account, invitation=link.invitation, roles=roles, expires=link.expires)
        signed = signed_by or self._second_owner(command, by, sign_off, address)
        done = (
            self._record(command, by=by, as_=THE_HOUSE.account, signed_by=signed) if isinstance(signed, str) else signed
        )
        if isinstance(done, Refused | Wait):
            self._invitations.forget(link.token)
            return self._note_refusal(done, command, by, address)
        return link

    def accept_invitation(self, token: str, *, name: str, password: str, pin: str = "") -> Welcome | Refused:
        """Use a one-time link to open an account, or to set a new password for an existing one. Slow."""
        people = self._people_guarded()
        found = self._invitations.find(token, people, now=self._clock())
        if found is None:
            return _refuse("this link was used or has expired; ask for another")
        invitation, link = found
        known = people.accounts.get(link.account)
        faults = [*password_faults(password, name=known.name if known else name), *(pin_faults(pin) if pin else ())]
        if known is None:
            faults += _name_faults(name)
        elif not faults:
            faults += self._passwords.reuse_faults(known, password)
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
        self._people_guarded()
        if known:
            self._passwords.forget(known.password)
            self._credentials.forget("pin", known.pin if pin else "")
        return self.begin_session(account)

    def register(self, *, name: str, password: str, address: str = "") -> Welcome | Refused | Wait:
        """Open a player's account. Slow."""
        if not self.can_register:
            return Refused((Refusal("duties", REGISTRATION_CLOSED),))
        now = self._clock()
        if wait := self._registrations.wait_of(address, now=now):
            return wait
        self._registrations.count_address(address, now=now)
        if faults := (*password_faults(password, name=name), *_name_faults(name)):
            return Refused(faults)
        command = c.Register(account=token_hex(8), name=name, password=self._credentials.keep("password", password))
        done = self._record(command, by="")
        if isinstance(done, Refused):
            self._credentials.forget("password", command.password)
            return done
        return self.begin_session(command.account)

    def welcome_guest(self, name: str = "") -> Welcome | Refused:
        """Open a guest account for a visitor of a demo, under the given name or an invented one."""
        if not self._is_demo:
            return Refused((Refusal("duties", "guests without an account are for a demo; log in or register"),))
        if faults := _name_faults(name):
            return Refused(faults)
        account = token_hex(8)
        command = c.WelcomeGuest(account=account, name=name or f"Guest {account[:6]}")
        done = self._record(command, by="")
        return done if isinstance(done, Refused) else self.begin_session(account)

    def log_in(
        self, *, name: str, password: str, address: str = "", device: str = "", new: str = ""
    ) -> Welcome | Refused | Wait:
        """Log in with name and password; `device` is the cookie of an earlier log-in, if any. Slow.

        Whoever has an older password than the house lets anybody have says a `new` one too.
        """
        now, account = self._clock(), self.people().account_named(name)
        attempt = Try(name, address, self._devices.device_of(device, account))
        if wait := self._log_ins.begin(attempt, now=now):
            self._incidents.note("log-in-wait", account.id if account else "", address)
            return wait
        if not self._is_password(account, password, is_known=bool(attempt.device)) or account is None:
            self._log_ins.count_failure(attempt, now=now)
            self._incidents.note("log-in", account.id if account else "", address)
            return _refuse("the name or the password is wrong")
        if account.subject and self.provider_answers():
            return _refuse(BY_PROVIDER)
        if self.people().is_password_over(account, now) or new:
            changed = self._passwords.change(account, new)
            if isinstance(changed, Refused):
                return changed
        done = self._record(c.LogIn(account=account.id), by=account.id)
        if isinstance(done, Refused):
            return done
        self._log_ins.count_success(attempt, now=now)
        return self.begin_session(account.id)

    def log_out(self, token: str) -> None:
        """End a session."""
        self._sessions.end(token)

    # Changing

    def do(
        self,
        command: c.PeopleCommand,
        *,
        by: str,
        id: str = "",  # noqa: A002 - the entry's word
        sign_off: SignOff | None = None,
        address: str = "",
    ) -> Answer | Refused | Wait:
        """Carry out a command of an account; the same id twice acts once. A second owner signs where that is needed."""
        signed = self.second_owner(command, by=by, sign_off=sign_off, address=address)
        if not isinstance(signed, str):
            return signed
        return self.do_signed(command, by=by, id=id, signed_by=signed, address=address)

    def do_signed(
        self,
        command: c.PeopleCommand,
        *,
        by: str,
        signed_by: str,
        id: str = "",  # noqa: A002
        address: str = "",
    ) -> Answer | Refused:
        """Carry out a command that `second_owner` found to be signed."""
        if not by:
            return Refused((Refusal("duties", "log in first"),))
        faults = _name_faults(command.name) if isinstance(command, c.CreateAccount) else ()
        done = Refused(faults) if faults else self._record(command, by=by, id=id, signed_by=signed_by)
        self._people_guarded()
        return self._note_refusal(done, command, by, address)

    def second_owner(
        self, command: c.PeopleCommand, *, by: str, sign_off: SignOff | None, address: str = ""
    ) -> str | Refused | Wait:
        """Return the owner who signs a command, empty if it takes none; or why not. Slow if there is a PIN to check.

        The PIN is looked at only where this command of this person would be done with it.
        """
        signed = self._second_owner(command, by, sign_off, address) if by else ""
        return signed if isinstance(signed, str) else self._note_refusal(signed, command, by, address)

    def break_glass(self, reason: str) -> Answer | Refused:
        """Let one owner act alone for an hour; for whoever runs the server, who has the log's key."""
        return self.record_as_house(c.BreakGlass(reason=reason))

    def set_password(self, *, by: str, password: str, new: str, address: str = "") -> Welcome | Refused | Wait:
        """Change one's own password, which ends all sessions of the account and begins a new one. Slow."""
        account = self._check(self.people().accounts.get(by), password, address)
        if not isinstance(account, Account):
            return account
        done = self._passwords.change(account, new)
        return done if isinstance(done, Refused) else self.begin_session(by)

    def set_pin(self, *, by: str, password: str, pin: str, address: str = "") -> Answer | Refused | Wait:
        """Change one's own PIN, proved by the password. Slow."""
        account = self._check(self.people().accounts.get(by), password, address)
        if not isinstance(account, Account):
            return account
        if faults := tuple(pin_faults(pin)):
            return Refused(faults)
        command = c.SetPin(account=by, pin=self._credentials.keep("pin", pin, is_known=True))
        done = self._record(command, by=by)
        self._credentials.forget("pin", command.pin if isinstance(done, Refused) else account.pin)
        return done

    def sign_off(
        self,
        *,
        name: str,
        pin: str,
        may_sign: Callable[[Account], bool],
        requester: str,
        address: str = "",
        command: object = None,
        assertion: Assertion | None = None,
    ) -> Account | Refused | Wait:
        """Return the account that signs off a command: another person who may sign it, proved by PIN. Slow.

        Raise SecondFactorNeeded where the house elects an authenticator, and it has not signed this command yet.
        """
        return self._signing.check(
            self.people(),
            SignOff(name, pin, assertion),
            command=command,
            may_sign=may_sign,
            requester=requester,
            address=address,
            now=self._clock(),
        )

    # What was refused, and what does not fit

    def note(self, what: str, account: str, address: str) -> None:
        """Add something that was refused to somebody, such as a command that is not theirs to give."""
        self._incidents.note(what, account, address)

    def record_incidents(self, *, at_once: bool = False) -> None:
        """Record in the log what was refused, at most once a minute; call it now and then, and at the end.

        What the log does not take is kept and recorded at a later call, once: raise LogDown or LogError.
        """
        while (due := self._incidents.due(at_once=at_once)) is not None:
            id_, command = due
            if isinstance(done := self._record(command, by="", id=id_, as_=THE_HOUSE.account), Refused):
                raise LogDown(f"incidents are not in the log yet: {done}")
            self._incidents.forget_recorded(id_)

    def bind(self) -> int:
        """Bind the secrets of an older log to it, once: return how many. Its sessions and links end."""
        key = self._log.derive(ROWS_PURPOSE)
        return bind_secrets(self.people(), self._credentials, self._log.vault, key, self.record_as_house)

    # Internal

    def _people_guarded(self) -> People:
        """Return everybody; as soon as there are two owners, the house begins dual control."""
        people = self.people()
        if not people.safeguards.dual_control and len(people.owners()) >= OWNERS_MIN:
            self.record_as_house(c.ElectDualControl(is_on=True))
            people = self.people()
        return people

    def _second_owner(
        self, command: c.PeopleCommand, by: str, sign_off: SignOff | None, address: str
    ) -> str | Refused | Wait:
        people, now, command = self._people_guarded(), self._clock(), c.with_terms(command)
        others = {owner.id for owner in people.owners()} - {by}
        if sign_off is None or not others or not why_second_owner(people, command, now):
            return ""
        as_signed = decide(people, command, by=account_of(by), at=now, signed_by=min(others))
        if isinstance(as_signed, Refused):
            return as_signed
        signed = self.sign_off(
            name=sign_off.name,
            pin=sign_off.pin,
            assertion=sign_off.assertion,
            command=command,
            may_sign=lambda account: account.id in others,
            requester=by,
            address=address,
        )
        return signed.id if isinstance(signed, Account) else signed

    def _note_refusal(self, done: T, command: c.PeopleCommand, by: str, address: str) -> T:
        """Note what somebody may not do, and return it."""
        if isinstance(done, Refused) and by and any(refusal.clause == "duties" for refusal in done.refusals):
            self.note(name_of(command), by, address)
        return done

    def begin_session(self, account: str, seconds: int = SESSION_SECONDS) -> Welcome:
        """Begin a session after something was recorded: if that fails, it must not be told that nothing was done."""
        try:
            known = self.people().accounts[account]
            return replace(
                self._sessions.begin(known, now=self._clock(), seconds=seconds), device=self._devices.cookie(known)
            )
        except LogError as error:
            raise InDoubt("it was recorded, but the log failed before you were logged in; log in") from error

    def _is_password(self, account: Account | None, password: str, *, is_known: bool) -> bool:
        """Return whether this is the password of an enabled account; just as slow if there is no such account."""
        name = account.password if account else ""
        is_right = self._credentials.is_right("password", name, password, is_known=is_known)
        return is_right and account is not None and not account.is_disabled

    def _check(self, account: Account | None, password: str, address: str) -> Account | Refused | Wait:
        """Refuse to change a secret without the password: an open session is not enough."""
        now = self._clock()
        attempt = Try(account.name if account else "", address, device="logged in")
        if wait := self._log_ins.begin(attempt, now=now):
            return wait
        if not self._is_password(account, password, is_known=True) or account is None:
            self._log_ins.count_failure(attempt, now=now)
            self._incidents.note("log-in", account.id if account else "", address)
            return _refuse("the password is wrong")
        self._log_ins.count_success(attempt, now=now)
        return account

    def record_as_house(self, command: c.PeopleCommand) -> Answer | Refused:
        """Record what the server itself found out."""
        return self._record(command, by="", as_=THE_HOUSE.account)

    def _record(
        self,
        command: c.PeopleCommand,
        *,
        by: str,
        id: str = "",  # noqa: A002
        as_: str = VISITOR,
        signed_by: str = "",
    ) -> Answer | Refused:
        """Decide and record a command of the account `by`; if that is empty, of `as_`: a visitor or the house."""
        if by != account_of(by):
            return Refused((Refusal("duties", "log in first"),))
        command = c.with_terms(command)
        return self._stream.ask(Ask(id or uuid4().hex, command, Actor(by or as_, by or as_, as_), signed_by))


def _refuse(why: str) -> Refused:
    return Refused((Refusal("people", why),))


def _name_faults(name: str) -> tuple[Refusal, ...]:
    return (Refusal("people", fault),) if (fault := unseen_fault(name)) else ()
