"""Binds the secrets of an older log to it: each gets a name that holds its digest, and rows without a code go."""

from __future__ import annotations

from collections.abc import Callable

from passline.people import commands as c
from passline.people.accounts import People, is_bound_name
from passline.people.credentials import Credentials, secrets_of
from passline.refusal import Refused
from passline.store.authentic_vault import UNSEALED_KINDS, is_authentic
from passline.store.log import Vault
from passline.streams.course import Answer
from passline.streams.writer import LogDown


def bind_secrets(
    people: People,
    credentials: Credentials,
    vault: Vault,
    key: bytes,
    record: Callable[[c.PeopleCommand], Answer | Refused],
) -> int:
    """Bind the secrets of an older log to it, once: return how many. Its sessions and links end."""
    if people.safeguards.vault != "old" and any(account.password for account in people.accounts.values()):
        return 0
    secrets = [secret for account in people.accounts.values() for secret in secrets_of(account)]
    loose = [(kind, name) for kind, name in secrets if not is_bound_name(name)]
    names = tuple((name, new) for kind, name in loose if (new := credentials.bound(kind, name)))
    if people.safeguards.vault == "old" and isinstance(done := record(c.BindSecrets(names=names)), Refused):
        raise LogDown(f"the secrets of this older log are not bound to it yet: {done}")  # so nothing is forgotten
    for kind, name in loose:
        credentials.forget(kind, name)
    for row in vault.all():
        if row.kind not in UNSEALED_KINDS and not is_authentic(key, row):
            vault.forget(row.kind, row.key)
    return len(names)
