"""The answers of an identity provider about somebody: it vouches, it does not, or it does not answer."""

from __future__ import annotations

from msgspec import Struct

from passline.errors import CrapsError


class ProviderAway(CrapsError):
    """The identity provider does not answer, or answers against the protocol."""


class NotVouched(CrapsError):
    """The identity provider does not vouch for somebody, or its word did not pass a check."""


class Vouched(Struct, frozen=True):
    """Somebody's identity as the provider gave it, after every check."""

    subject: str  # who they are at the provider, for ever
    name: str
    groups: tuple[str, ...]
    refresh: str  # with which to ask again; empty: the provider gives none
    is_silent: bool = False  # it vouches for them again, and says nothing of their groups
