"""The front desk of a house: the one place where people come in, change, sign and leave."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from secrets import token_hex
from threading import Lock
from uuid import uuid4

from argon2 import PasswordHasher
from msgspec import Raw, Struct, json

from passline.game.refusal import Refusal, Refused
from passline.people import commands as c
from passline.people.accounts import HOUSE, STREAM, Account, Invitation, People, evolve, in_order
from passline.people.attempts import Attempts, Wait
from passline.people.credentials import Credentials, password_faults, pin_faults
from passline.people.decide import judge
from passline.people.events import PeopleEvent, people_events
from passline.people.invitations import Invitations, Link
from passline.people.sessions import Session, Sessions, Welcome
from passline.people.sign_off import Signing
from passline.store.entry import Draft, Head
from passline.store.log import Conflict, Log
from passline.tables.duties import VISITOR

__all__ = ["REGISTRATION_CLOSED", "FrontDesk", "Recorded"]

REGISTRATION_CLOSED = (
    "registration is closed at this house: its owner or a floorperson opens an account for you, "
    "and hands you a one-time link to it"
)
"""What somebody is told who comes to register where the house opens accounts itself."""
_TRIES = 20  # to write a decision while other processes write theirs


class Recorded(Struct, frozen=True):
    """A decision about people, durably in the log."""

    events: tuple[PeopleEvent, ...]
    sequence: int
    head: Head


class FrontDesk:
    """The people of one log. Every call may come from any thread; those that check or set a secret are slow and say so.

    What other processes wrote is seen at every call, so a disabled account is out at once everywhere.
    """

    def __init__(
        self,
        log: Log,
        clock: Callable[[], str],
        *,
        is_demo: bool = False,
        can_register: bool = True,
        registrations: int = 200,  # of one address in a day before it has to wait
        hasher: PasswordHasher | None = None,
    ) -> None:
        self._log = log
        self._clock = clock
        self._is_demo = is_demo
        self.can_register = can_register
        self._people = People()
        self._version = 0
        self._reading, self._writing = Lock(), Lock()
        self._credentials = Credentials(log.vault, hasher)
        self._sessions = Sessions(log.vault)
        self._invitations = Invitations(log.vault)
        self._log_ins = Attempts(log.vault, "log-in")
        self._registrations = Attempts(log.vault, "register", address_tries=registrations)
        self._signing = Signing(self._credentials, Attempts(log.vault, "sign-off"))

    # Reading

    @property
    def version(self) -> int:
        """How many decisions about people were read: while it stays, nobody's roles have changed here."""
        return self._version

    def people(self) -> People:
        """Give everybody, as the log has them now."""
        return self._newest()[0]

    def is_employee(self, account: str) -> bool:
        """Whether an account is an employee's, as far as it was read; it waits for nothing, so tables may ask it."""
        known = self._people.accounts.get(account)
        return known is not None and known.is_employee

    def _newest(self) -> tuple[People, int]:
        """Give everybody and the version of the stream they are folded from."""
        with self._reading:
            news = list(self._log.read_stream(STREAM, after=self._version))
            if news:
                events = (event for stored in news for event in people_events(stored.entry))
                self._people = evolve(self._people, events)
                self._version = news[-1].entry.version
            return self._people, self._version

    def session_of(self, token: str) -> Session | None:
        """Give who is logged in by this token, with the roles they have now."""
        return self._sessions.find(token, self.people(), now=self._clock())

    def sessions_of(self, tokens: Iterable[str]) -> dict[str, Session | None]:
        """Give who is logged in by each of many tokens; what is known of people is read once for all."""
        return self._sessions.find_all(tokens, self.people(), now=self._clock())

    def invitation_of(self, token: str) -> Invitation | None:
        """Give what a link is for, if it can still be used."""
        found = self._invitations.find(token, self.people(), now=self._clock())
        return found[1] if found else None

    # Coming in

    def first_owner(self) -> Link | None:
        """Make a link for the owner, where there is none yet who could log in."""
        if self.people().owners():
            return None
        made = self.invite(by="", roles=("owner",))
        return made if isinstance(made, Link) else None

    def invite(self, *, by: str, account: str = "", roles: tuple[str, ...] = ()) -> Link | Refused:
        """Make a one-time link, for somebody new in these roles or for an account."""
        link = self._invitations.make(now=self._clock())
        command = c.Invite(account=account, invitation=link.invitation, roles=roles, expires=link.expires)
        done = self._record(command, by=by, actor=by or HOUSE)
        if isinstance(done, Refused):
            self._invitations.forget(link.token)
            return done
        return link

    def accept_invitation(self, token: str, *, name: str, password: str, pin: str = "") -> Welcome | Refused:
        """Use a one-time link: somebody new, or an account with a new password. Slow."""
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
        done = self._record(command, by="", actor=VISITOR)
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
        """Open an account to play. Slow."""
        if not self.can_register:
            return Refused((Refusal("duties", REGISTRATION_CLOSED),))
        now = self._clock()
        if wait := self._registrations.pending(address, now=now):
            return wait
        self._registrations.failed(address, now=now)
        if faults := tuple(password_faults(password, name=name)):
            return Refused(faults)
        command = c.Register(account=token_hex(8), name=name, password=self._credentials.keep("password", password))
        done = self._record(command, by="", actor=VISITOR)
        if isinstance(done, Refused):
            self._credentials.forget("password", command.password)
            return done
        return self._begin(command.account)

    def welcome_guest(self, name: str = "") -> Welcome | Refused:
        """Let a visitor of a demo play, under a name of theirs or one made up."""
        if not self._is_demo:
            return Refused((Refusal("duties", "guests without an account are for a demo; log in or register"),))
        account = token_hex(8)
        command = c.WelcomeGuest(account=account, name=name or f"Guest {account[:6]}")
        done = self._record(command, by="", actor=VISITOR)
        return done if isinstance(done, Refused) else self._begin(account)

    def log_in(self, *, name: str, password: str, address: str = "") -> Welcome | Refused | Wait:
        """Begin a session with a name and a password. Slow."""
        now = self._clock()
        if wait := self._log_ins.begin(name, address, now=now):
            return wait
        account = self.people().named(name)
        if not self._is_password(account, password) or account is None:
            self._log_ins.failed(address, now=now)
            return _refused("the name or the password is wrong")
        done = self._record(c.LogIn(account=account.id), by=account.id, actor=account.id)
        if isinstance(done, Refused):
            return done
        self._log_ins.succeeded(name, now=now)
        return self._begin(account.id)

    def log_out(self, token: str) -> None:
        """End a session."""
        self._sessions.end(token)

    # Changing

    def do(self, command: c.PeopleCommand, *, by: str, id: str = "") -> Recorded | Refused:  # noqa: A002 - the entry's word
        """Judge a command of an account and record it; the same id twice acts once."""
        if not by:
            return Refused((Refusal("duties", "log in first"),))
        return self._record(command, by=by, actor=by, id=id)

    def set_password(self, *, by: str, password: str, new: str, address: str = "") -> Welcome | Refused | Wait:
        """Change one's own password, which ends all sessions and begins a new one. Slow."""
        account = self.people().accounts.get(by)
        if fault := self._check(account, password, address):
            return fault
        assert account is not None
        if faults := tuple(password_faults(new, name=account.name)):
            return Refused(faults)
        command = c.SetPassword(account=by, password=self._credentials.keep("password", new))
        done = self._record(command, by=by, actor=by)
        self._credentials.forget("password", command.password if isinstance(done, Refused) else account.password)
        return done if isinstance(done, Refused) else self._begin(by)

    def set_pin(self, *, by: str, password: str, pin: str, address: str = "") -> Recorded | Refused | Wait:
        """Change one's own PIN; the password proves who asks. Slow."""
        account = self.people().accounts.get(by)
        if fault := self._check(account, password, address):
            return fault
        assert account is not None
        if faults := tuple(pin_faults(pin)):
            return Refused(faults)
        command = c.SetPin(account=by, pin=self._credentials.keep("pin", pin))
        done = self._record(command, by=by, actor=by)
        self._credentials.forget("pin", command.pin if isinstance(done, Refused) else account.pin)
        return done

    def sign_off(
        self, *, name: str, pin: str, roles: Collection[str], requester: str, address: str = ""
    ) -> Account | Refused | Wait:
        """Give who signs off what the requester asked for: another person, in one of the roles, by their PIN. Slow."""
        people, now = self.people(), self._clock()
        return self._signing.check(
            people, name=name, pin=pin, roles=roles, requester=requester, address=address, now=now
        )

    # Within

    def _begin(self, account: str) -> Welcome:
        return self._sessions.begin(self.people().accounts[account], now=self._clock())

    def _is_password(self, account: Account | None, password: str) -> bool:
        """Whether this is the password of an account that may log in; as slow where there is no such account."""
        is_right = self._credentials.is_right("password", account.password if account else "", password)
        return is_right and account is not None and not account.is_disabled

    def _check(self, account: Account | None, password: str, address: str) -> Refused | Wait | None:
        """Refuse to change a secret for somebody who does not know the password: a session left open is not enough."""
        now = self._clock()
        name = account.name if account else ""
        if wait := self._log_ins.begin(name, address, now=now):
            return wait
        if not self._is_password(account, password):
            self._log_ins.failed(address, now=now)
            return _refused("the password is wrong")
        self._log_ins.succeeded(name, now=now)
        return None

    def _record(self, command: c.PeopleCommand, *, by: str, actor: str, id: str = "") -> Recorded | Refused:  # noqa: A002
        """Judge on the newest state and append; whoever loses a race against another process judges again."""
        id = id or uuid4().hex  # noqa: A001 - the entry's word
        for _ in range(_TRIES):
            with self._writing:
                if known := self._log.find(STREAM, actor, id):
                    head = self._log.head()
                    assert head is not None
                    return Recorded(people_events(known.entry), known.entry.sequence, head)
                (people, version), at = self._newest(), self._clock()
                verdict = judge(people, command, by=by, at=at)
                if isinstance(verdict, Refused):
                    return verdict
                draft = Draft(
                    stream=STREAM,
                    expected=version,
                    at=at,
                    actor=actor,
                    role=next(reversed(in_order(people.accounts[by].roles)), "") if by else actor,
                    id=id,
                    command=Raw(json.encode(command)),
                    events=Raw(json.encode(verdict)),
                )
                (outcome,) = self._log.append([draft])
            if not isinstance(outcome, Conflict):
                events = people_events(outcome.stored.entry)
                self._newest()  # so that open screens notice it
                return Recorded(events, outcome.stored.entry.sequence, outcome.head)
        return _refused("too many others are writing; try again")


def _refused(why: str) -> Refused:
    return Refused((Refusal("people", why),))
