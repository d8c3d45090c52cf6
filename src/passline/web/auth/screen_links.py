"""Links to the big screen of a tournament: whoever has one sees what the room may see, and nothing else.

The vault keeps the digest of the token, so that nobody reads a link out of the database. A tournament has one link at a
time: a new one, or the director's word, ends it.
"""

from __future__ import annotations

from secrets import token_urlsafe

from passline.people.sessions import digest_of
from passline.store.authentic_vault import ROWS_PURPOSE, AuthenticVault
from passline.store.log import Secret
from passline.store.sealed import Log
from passline.store.timestamps import later

_BY_TOKEN, _BY_TOURNAMENT = "screen-link", "screen-of"
_TOKEN_BYTES = 24
_SECONDS = 31 * 24 * 3600  # a screen that is forgotten goes dark by itself


class ScreenLinks:
    """The links of a house."""

    def __init__(self, log: Log) -> None:
        self._vault = AuthenticVault(log.vault, log.derive(ROWS_PURPOSE))

    def make(self, tournament: str, now: str) -> str:
        """Return the token of a new link; the one before it ends."""
        self.revoke(tournament, now)
        token, expires = token_urlsafe(_TOKEN_BYTES), later(now, _SECONDS)
        self._vault.put(Secret(_BY_TOKEN, digest_of(token), tournament.encode(), expires))
        self._vault.put(Secret(_BY_TOURNAMENT, tournament, digest_of(token).encode(), expires))
        return token

    def revoke(self, tournament: str, now: str) -> bool:
        """End the link of a tournament; return whether there was one."""
        kept = self._vault.take(_BY_TOURNAMENT, tournament, now=now)
        if kept is None:
            return False
        self._vault.forget(_BY_TOKEN, kept.value.decode())
        return True

    def tournament(self, token: str, now: str) -> str:
        """Return the tournament that a link shows; empty if it shows none, or none any more."""
        kept = self._vault.get(_BY_TOKEN, digest_of(token), now=now)
        return kept.value.decode() if kept else ""
