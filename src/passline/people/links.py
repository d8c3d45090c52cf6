"""The state of one-time links: whether the last one of an account can still be used."""

from __future__ import annotations

from typing import Literal

from passline.people import commands as c
from passline.people.accounts import Invitation, People
from passline.people.duties import why_second_owner

LinkState = Literal["", "waits", "expired", "unsigned"]
"""Of an account without a link: empty. An unsigned link was one owner's, and two must agree by now."""


def links_of(people: People) -> dict[str, Invitation]:
    """Return the last unused link of every account that has one."""
    return {link.account: link for link in people.invitations.values() if link.account}


def link_state(people: People, link: Invitation | None, at: str) -> LinkState:
    """Return what has become of a link that nobody has used."""
    if link is None:
        return ""
    if link.expires <= at:
        return "expired"
    asked = c.with_terms(c.Invite(account=link.account, invitation="", roles=link.roles, expires=link.expires))
    return "unsigned" if not link.signed_by and why_second_owner(people, asked, at) else "waits"
