"""One-time links. The log says which are unused, so a link works once even if two people race for it.

The vault maps the digest of a link's token to the invitation's name in the log.
"""

from __future__ import annotations

from contextlib import suppress
from secrets import token_hex, token_urlsafe

from msgspec import Struct

from passline.people.accounts import Invitation, People
from passline.people.sessions import digest_of
from passline.store.log import LogError, Secret, Vault
from passline.store.timestamps import later

__all__ = ["INVITATION_SECONDS", "Invitations", "Link"]

INVITATION_SECONDS = 24 * 3600
"""How long a link is valid."""
_KIND = "invitation"
_TOKEN_BYTES = 32


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
        self._vault.put(Secret(_KIND, digest_of(link.token), link.invitation.encode(), link.expires))
        return link

    def find(self, token: str, people: People, *, now: str) -> tuple[str, Invitation] | None:
        """Return the name and the invitation of a token that is unused and has not expired, or None."""
        secret = self._vault.get(_KIND, digest_of(token), now=now) if token else None
        if secret is None or (found := people.invitations.get(secret.value.decode())) is None:
            return None
        return secret.value.decode(), found

    def forget(self, token: str) -> None:
        """Remove a used link from the vault, if the database allows it: the log says that it is used."""
        with suppress(LogError):  # what was recorded before is done all the same
            self._vault.forget(_KIND, digest_of(token))
