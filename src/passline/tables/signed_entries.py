"""Who could have given and signed the commands of a log: what `verify` asks of each entry of a table."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import fields, replace

from passline.authority.duties import name_of
from passline.authority.roles import OWNER, PLAYER
from passline.game import commands as c
from passline.people.accounts import Account
from passline.store.entry import Entry
from passline.streams.course import THE_HOUSE, Actor
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.duties import needs_signature, unfit_signature
from passline.tables.live import LiveTable

_COMPUTER = "computer-"  # the prefix of the accounts of a demo's computer players
# What the server completes with what it alone knows, so that nobody can say how it was sent:
_COMPLETED = (c.TakeSeat, k.SeatPlayer, k.FreezeTable, k.OpenTable, k.ChangeHouse, k.AdoptRulebook, k.RenewDice)
_KEEPS_GOING = (c.OrderDicePassed, c.DeclineDice, c.RemoveWager, c.LeaveSeat, c.Fill)  # by a practice table's crew


def is_by_server(entry: Entry, *, is_demo: bool) -> bool:
    """Return whether the server itself acted: it opens tables, and in a demo it deals and plays."""
    if entry.actor == THE_HOUSE.account:
        return is_demo or entry.role == OWNER
    return is_demo and entry.actor.startswith(_COMPUTER) and entry.role == PLAYER


def as_sent(command: TableCommand) -> tuple[TableCommand, ...]:
    """Return a command as it may have been sent and signed: who it is by is completed; of some the server adds more."""
    if isinstance(command, _COMPLETED):
        return ()
    left_out = {field.name: field.default for field in fields(command) if field.name == "by"}
    return (command, replace(command, **left_out)) if left_out else (command,)


def is_for_server(live: LiveTable | None, command: object) -> bool:
    """Return whether the server itself may give a command: in a demo, or to keep a practice table going."""
    if live is not None and live.practice_cents_max and isinstance(command, _KEEPS_GOING):
        return True
    return live.is_demo if live else isinstance(command, k.OpenTable) and command.is_demo


def may_have_signed(command: object, by: Actor, account: Account, live: LiveTable | None) -> bool:
    """Return whether an account has a role that may sign a command for whoever gives it."""
    signers = (Actor(account.id, account.name, role) for role in account.roles)
    return any(unfit_signature(command, by, signer, live=live) is None for signer in signers)


def signature_faults(entry: Entry, command: object, *, is_demo: bool = False) -> Iterator[str]:
    """Yield a fault if a needed signature is missing or the actor's own."""
    if needs_signature(command, Actor(entry.actor, entry.actor, entry.role), is_demo=is_demo):
        if not entry.signed_by:
            yield f"{name_of(command)} was not signed"
        elif entry.signed_by == entry.actor:
            yield f"{name_of(command)} was signed by {entry.actor}, who asked for it"
