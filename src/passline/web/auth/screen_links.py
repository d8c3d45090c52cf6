"""Links to the big screen of a tournament: whoever has one sees what the room may see, and nothing else.

A link names its tournament, and has a secret of which the vault keeps the digest, in the tournament's one row: nobody
reads a link out of the database, and a new link, or the director's word, ends the one before.
"""

from __future__ import annotations

from hmac import compare_digest
from secrets import token_urlsafe

from passline.people.sessions import digest_of
from passline.store.authentic_vault import ROWS_PURPOSE, AuthenticVault
from passline.store.log import Secret
from passline.store.sealed import Log
from passline.store.timestamps import later

_KIND = "screen-link"
_SECRET_BYTES = 24
_SECONDS = 31 * 24 * 3600  # a screen that is forgotten goes dark by itself
_END_OF_NAME = "."  # which is in no name of a tournament


class ScreenLinks:
    """The links of a house."""

    def __init__(self, log: Log) -> None:
        self._vault = AuthenticVault(log.vault, log.derive(ROWS_PURPOSE))

    def make(self, tournament: str, now: str) -> str:
        """Return the token of a new link; the one before it ends."""
        token = f"{tournament}{_END_OF_NAME}{token_urlsafe(_SECRET_BYTES)}"
        self._vault.put(Secret(_KIND, tournament, digest_of(token).encode(), later(now, _SECONDS)))
        return token

    def revoke(self, tournament: str, now: str) -> bool:
        """End the link of a tournament; return whether there was one."""
        return self._vault.take(_KIND, tournament, now=now) is not None

    def tournament(self, token: str, now: str) -> str:
        """Return the tournament that a link shows; empty if it shows none, or none any more."""
        name = token.partition(_END_OF_NAME)[0]
        kept = self._vault.get(_KIND, name, now=now)
        return name if kept and compare_digest(kept.value, digest_of(token).encode()) else ""
