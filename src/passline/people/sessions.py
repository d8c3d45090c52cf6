"""What only its holder has: tokens of sessions and one-time links, and cookies of known devices.

The vault keeps the digest of a token; the log ends all sessions of an account, and says which links are unused.

The token of a session carries a code made with a key of this house, so one that a stranger made up is refused without a
look into the database. A session ends after twelve hours, and earlier if nobody uses it: see `idle_seconds`.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from secrets import token_hex, token_urlsafe
from threading import Lock

from msgspec import DecodeError, Struct, json

from passline.authority.roles import PLAYER
from passline.people.accounts import Account, Invitation, People
from passline.store.log import LogError, Secret, Vault
from passline.store.timestamps import later

SESSION_SECONDS = 12 * 3600
"""How long a session lasts: a long shift. It is never extended, so a stolen one ends too."""
IDLE_SECONDS = 30 * 60
"""After how long without a request or an open table the session of an employee or a regulator ends."""
PLAYER_IDLE_SECONDS = 4 * 3600
"""The same for somebody who only plays."""
_KIND = "session"
_SEEN = "session-seen"  # apart from the session's row: a late one cannot bring an ended session back
_ACT = "session-act"  # when money was moved last, or the PIN said again
_TOKEN_BYTES = 32
_CODE_LENGTH = 32  # hex digits
_WRITES = 6  # how often in an idle time-out the vault hears that a session is used, at most
_REMEMBERED_MAX = 20_000


class Session(Struct, frozen=True):
    """A person who is logged in, with their current account."""

    account: Account
    csrf: str
    expires: str


class Welcome(Struct, frozen=True):
    """A session that just began. Its token is shown only now."""

    token: str
    session: Session
    device: str = ""  # a cookie by which this device is known at the next log-in


class _Kept(Struct, frozen=True):
    account: str
    generation: int
    begun: str = ""


def idle_seconds(account: Account) -> int:
    """Return after how long without use a session of this account ends.

    >>> idle_seconds(Account("a1", "Ann", frozenset({"player"}))) // 60
    240
    """
    return PLAYER_IDLE_SECONDS if account.roles <= {PLAYER} else IDLE_SECONDS


def digest_of(token: str) -> str:
    """Return the digest under which the vault knows a token.

    >>> digest_of("abc")[:8]
    'ba7816bf'
    """
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def csrf_of(token: str) -> str:
    """Return the CSRF value that pages of this session send back; it does not reveal the token.

    >>> csrf_of("abc") == csrf_of("abc") != csrf_of("abd")
    True
    """
    return hmac.digest(token.encode("utf-8", "surrogatepass"), b"passline csrf/1", sha256).hex()


class Sessions:
    """The sessions of a house. `key` makes the codes in their tokens."""

    def __init__(self, vault: Vault, key: bytes) -> None:
        self._vault = vault
        self._key = key
        self._lock = Lock()
        self._seen: dict[str, tuple[str, str]] = {}  # by digest: when it was used here, and when the vault was told

    def begin(self, account: Account, *, now: str, seconds: int = SESSION_SECONDS) -> Welcome:
        """Begin a session under a new token, so that nobody can fix the token beforehand."""
        random = token_urlsafe(_TOKEN_BYTES)
        token = random + self._code(random)
        expires = later(now, seconds)
        kept = json.encode(_Kept(account.id, account.generation, now))
        self._vault.put(Secret(_KIND, digest_of(token), kept, expires))
        return Welcome(token, Session(account, csrf_of(token), expires))

    def is_ours(self, token: str) -> bool:
        """Return whether this house made a token, whether or not its session has ended. Quick."""
        return hmac.compare_digest(
            token[-_CODE_LENGTH:].encode("utf-8", "surrogatepass"), self._code(token[:-_CODE_LENGTH]).encode()
        )

    def find(self, token: str, people: People, *, now: str) -> Session | None:
        """Return the session of a token, or None if it has ended or is void."""
        return self.find_all((token,), people, now=now)[token]

    def find_all(self, tokens: Iterable[str], people: People, *, now: str) -> dict[str, Session | None]:
        """Return the session of each of many tokens, all of which are used by that."""
        asked = tuple(tokens)
        digests = {token: digest_of(token) for token in asked if self.is_ours(token)}
        secrets = self._vault.get_all(_KIND, digests.values(), now=now) if digests else {}
        found: dict[str, Session | None] = dict.fromkeys(asked)
        begun = dict[str, str]()
        for token, digest in digests.items():
            if (secret := secrets.get(digest)) and (kept := _read_kept(secret)) and (account := _account(kept, people)):
                found[token] = Session(account, csrf_of(token), secret.expires)
                begun[token] = kept.begun
        sessions = {token: session for token, session in found.items() if session}
        for token in self._idle(sessions, digests, begun, now=now):
            found[token] = None
            self.end(token)
        return found

    def end(self, token: str) -> None:
        """End a session."""
        digest = digest_of(token)
        self._vault.forget(_KIND, digest)
        with self._lock:
            was_told = self._seen.pop(digest, ("", ""))[1]
        if was_told:
            self._vault.forget(_SEEN, digest)

    def note_act(self, token: str, *, now: str) -> None:
        """Note that whoever has this session acts now, and is known to be who logged in."""
        self._vault.put(Secret(_ACT, digest_of(token), now.encode(), later(now, SESSION_SECONDS)))

    def last_act(self, token: str, *, now: str) -> str:
        """Return when whoever has this session acted last, at the earliest when it began; empty if it has ended."""
        digest = digest_of(token)
        session, act = self._vault.get(_KIND, digest, now=now), self._vault.get(_ACT, digest, now=now)
        kept = _read_kept(session) if session else None
        return max(kept.begun, act.value.decode() if act else "") if kept else ""

    def _idle(
        self, sessions: dict[str, Session], digests: dict[str, str], begun: dict[str, str], *, now: str
    ) -> list[str]:
        """Return the tokens that nobody has used for too long; note that the others are used."""
        with self._lock:
            seen = {token: self._seen.get(digests[token], ("", "")) for token in sessions}
        last = {token: max(here, begun[token]) for token, (here, _) in seen.items()}
        doubtful = [token for token in sessions if _is_over(last[token], sessions[token], now)]
        if doubtful:  # perhaps another process saw it
            told = self._vault.get_all(_SEEN, [digests[token] for token in doubtful], now=now)
            last |= {token: secret.value.decode() for token in doubtful if (secret := told.get(digests[token]))}
            doubtful = [token for token in doubtful if _is_over(last[token], sessions[token], now)]
        for token in sessions.keys() - {*doubtful}:
            self._note_use(digests[token], seen[token][1] or begun[token], sessions[token], now=now)
        return doubtful

    def _note_use(self, digest: str, told: str, session: Session, *, now: str) -> None:
        is_due = later(told, idle_seconds(session.account) // _WRITES) <= now
        if is_due:
            self._vault.put(Secret(_SEEN, digest, now.encode(), session.expires))
        with self._lock:
            self._seen.pop(digest, None)
            self._seen[digest] = now, now if is_due else told
            if len(self._seen) > _REMEMBERED_MAX:
                del self._seen[next(iter(self._seen))]

    def _code(self, random: str) -> str:
        text = b"passline session/1\0" + random.encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, text, sha256).hex()[:_CODE_LENGTH]


def _is_over(last: str, session: Session, now: str) -> bool:
    return later(last, idle_seconds(session.account)) <= now


def _read_kept(secret: Secret) -> _Kept | None:
    try:
        kept = json.decode(secret.value, type=_Kept)
    except DecodeError:
        return None
    return kept if kept.begun else None


def _account(kept: _Kept, people: People) -> Account | None:
    account = people.accounts.get(kept.account)
    is_void = account is None or account.is_disabled or account.generation != kept.generation
    return None if is_void else account


# --- One-time links: the log says which are unused, so one works once even if two people race for it ----------------

INVITATION_SECONDS = 24 * 3600
"""How long a link is valid."""
_INVITATION = "invitation"


class Link(Struct, frozen=True):
    """A link that was just made. Its token is shown only now."""

    token: str
    invitation: str  # its name in the log
    expires: str

    @property
    def path(self) -> str:
        """The path of the link on this server.

        >>> Link("abc", "i1", "2026-11-15T08:00:00.000000Z").path
        '/invitations/abc'
        """
        return f"/invitations/{self.token}"


class Invitations:
    """The one-time links of a house."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def make(self, *, now: str) -> Link:
        """Make a link; it is void until its invitation is in the log."""
        link = Link(token_urlsafe(_TOKEN_BYTES), token_hex(8), later(now, INVITATION_SECONDS))
        self._vault.put(Secret(_INVITATION, digest_of(link.token), link.invitation.encode(), link.expires))
        return link

    def find(self, token: str, people: People, *, now: str) -> tuple[str, Invitation] | None:
        """Return the name and the invitation of a token that is unused and has not expired, or None."""
        secret = self._vault.get(_INVITATION, digest_of(token), now=now) if token else None
        if secret is None or (found := people.invitations.get(secret.value.decode())) is None:
            return None
        return secret.value.decode(), found

    def forget(self, token: str) -> None:
        """Remove a used link from the vault, if the database allows it: the log says that it is used."""
        with suppress(LogError):  # what was recorded before is done all the same
            self._vault.forget(_INVITATION, digest_of(token))


# --- Known devices: a cookie opens nothing, but says that somebody with the right password was here ------------------

DEVICE_SECONDS = 180 * 24 * 3600
"""How long a browser keeps the cookie."""


class Devices:
    """The cookies of a house, made with its key. A new password makes those of before strangers again.

    >>> devices, ann = Devices(b"key"), Account("a1", "Ann", frozenset({"player"}))
    >>> cookie = devices.cookie(ann)
    >>> devices.device_of(cookie, ann) == cookie.split(".")[1], devices.device_of(cookie[:-1] + "x", ann)
    (True, '')
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def cookie(self, account: Account) -> str:
        """Return a new cookie for a device on which this account just logged in."""
        text = f"{account.id}.{token_hex(8)}.{account.generation}"
        return f"{text}.{self._code(text)}"

    def is_ours(self, cookie: str) -> bool:
        """Return whether this house made a cookie. Quick."""
        text, _, code = cookie.rpartition(".")
        return hmac.compare_digest(code.encode("utf-8", "surrogatepass"), self._code(text).encode())

    def device_of(self, cookie: str, account: Account | None) -> str:
        """Return the id of a device that is known for this account, or nothing."""
        if account is None or not self.is_ours(cookie):
            return ""
        id_, device, generation, _ = (*cookie.split("."), "", "", "", "")[:4]
        return device if (id_, generation) == (account.id, str(account.generation)) else ""

    def _code(self, text: str) -> str:
        whole = b"passline device/1\0" + text.encode("utf-8", "surrogatepass")
        return hmac.new(self._key, whole, sha256).hexdigest()[:32]
