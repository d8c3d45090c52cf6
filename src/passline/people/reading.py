"""The reading half of a front desk: everybody's account, and the person behind a session or a link."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from passline.people.accounts import Invitation, People
from passline.people.presence import Presence
from passline.people.sessions import Devices, Invitations, Session, Sessions
from passline.streams.blocking import BlockingStream


class PeopleReading:
    """Reads people, sessions and links for a front desk. Calls may come from any thread."""

    _stream: BlockingStream[People]
    _presence: Presence
    _sessions: Sessions
    _devices: Devices
    _invitations: Invitations
    _clock: Callable[[], str]
    away: Callable[[], frozenset[str]]  # accounts of whoever is suspended or has left, now

    @property
    def version(self) -> int:
        """The version of the people as read last: while it stays the same, no roles have changed here."""
        return self._stream.version + self._presence.changes

    def people(self) -> People:
        """Return everybody, as the log has them now."""
        return self._presence.without_away(self._stream.newest() or People(), self.away())

    def latest(self) -> People | None:
        """Return everybody as read last. It never waits, so streams may call it."""
        return self._stream.state

    def is_employee(self, account: str) -> bool:
        """Return whether an account is an employee's, as read last. It never waits, so tables may call it."""
        known = (self.latest() or People()).accounts.get(account)
        return known is not None and known.is_employee

    def is_sole_owner(self, account: str) -> bool:
        """Return whether an account is the only owner who can act, as read last. It never waits."""
        people = self._stream.state
        return people is not None and [owner.id for owner in people.owners()] == [account]

    def is_token(self, token: str) -> bool:
        """Return whether this house made a token; a made-up one need not be looked up. Quick."""
        return self._sessions.is_ours(token)

    def is_device(self, cookie: str) -> bool:
        """Return whether somebody has logged in on a device before, by its cookie. Quick."""
        return self._devices.is_ours(cookie)

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
