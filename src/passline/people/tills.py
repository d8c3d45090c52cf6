"""Sessions at tills: whether nobody has moved money for a while, and whose PIN says that they are still there."""

from __future__ import annotations

from collections.abc import Callable

from passline.people.accounts import Account, People
from passline.people.attempts import Attempts, Try, Wait
from passline.people.credentials import Credentials
from passline.people.sessions import Sessions
from passline.refusal import Refusal, Refused
from passline.store.timestamps import later


class TillSessions:
    """The sessions of a house in which money is moved. Calls may come from any thread."""

    def __init__(
        self,
        sessions: Sessions,
        credentials: Credentials,
        attempts: Attempts,
        people: Callable[[], People],
        clock: Callable[[], str],
    ) -> None:
        self._sessions, self._credentials, self._attempts = sessions, credentials, attempts
        self._people, self._clock = people, clock

    def is_idle(self, token: str, seconds: int) -> bool:
        """Return whether nobody has moved money, or logged in, in a session for so many seconds."""
        now = self._clock()
        return later(self._sessions.last_act(token, now=now) or now, seconds) <= now

    def note_act(self, token: str) -> None:
        """Note that somebody who is known to be there moves money in a session."""
        self._sessions.note_act(token, now=self._clock())

    def check_pin(self, account: str, pin: str, *, address: str = "") -> Account | Refused | Wait:
        """Return the account whose own PIN this is; after as many wrong ones as at log-in one has to wait. Slow."""
        known, now = self._people().accounts.get(account), self._clock()
        attempt = Try(known.name if known else "", address, device="logged in")
        if wait := self._attempts.begin(attempt, now=now):
            return wait
        is_right = self._credentials.is_right("pin", known.pin if known else "", pin, is_known=True)
        if not is_right or known is None or known.is_disabled:
            self._attempts.count_failure(attempt, now=now)
            return Refused((Refusal("duties", "the PIN is wrong"),))
        self._attempts.count_success(attempt, now=now)
        return known
