"""Who could have given and signed the commands of a log: what `verify` asks of each entry of a table."""

from __future__ import annotations

from typing import Any

from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields, replace

from passline.authority.roles import OWNER, PLAYER
from passline.game import commands as c
from passline.store.entry import Entry
from passline.streams.course import THE_HOUSE
from passline.tables import commands as k
from passline.tables.live import LiveTable

_COMPUTER = "computer-"  # the prefix of the accounts of a demo's computer players
_COMPLETED: dict[type, tuple[str, ...]] = {  # the fields that the server sets, whatever the sender says
    k.SeatPlayer: ("is_employee", "resembles"),
    k.FreezeTable: ("shown",),
    k.OpenTable: ("dice_digest", "terms", "puts_in_dice", "clearance", "opener"),
    k.ChangeHouse: ("terms", "clearance"),
    k.AdoptRulebook: ("terms",),
    k.RenewDice: ("digest",),
}
_KEEPS_GOING = (c.OrderDicePassed, c.DeclineDice, c.RemoveWager, c.LeaveSeat, c.Fill)  # by a practice table's crew


def is_by_server(entry: Entry, *, is_demo: bool) -> bool:
    """Return whether the server itself acted: it opens tables, and in a demo it deals and plays."""
    if entry.actor == THE_HOUSE.account:
        return is_demo or entry.role == OWNER
    return is_demo and entry.actor.startswith(_COMPUTER) and entry.role == PLAYER


def signed_form(command: Any) -> Any:  # noqa: ANN401 - of a table or of the house
    """Return what of a command is signed: all that its sender says, and nothing that the server completes it with.

    It is the same before a command is completed and as it stands in the log, so that `verify` compares the two.

    >>> signed_form(k.ChangeHouse(house={}, terms=7, clearance=3)) == k.ChangeHouse(house={})
    True
    """
    completed = set(_COMPLETED.get(type(command), ())) | {"by"}
    left_out = {field.name: _default_of(field) for field in fields(command) if field.name in completed}
    return replace(command, **left_out) if left_out else command


def may_be_signed_forms(command: Any) -> tuple[Any, ...]:  # noqa: ANN401 - of a table or of the house
    """Return what may have been signed where a command stands in the log.

    Who was seated as somebody else than an employee of a like name is only seated, where nobody has such a name.
    """
    form = signed_form(command)
    if isinstance(form, k.SeatPlayer) and not form.is_somebody_else:
        return (form, replace(form, is_somebody_else=True))
    return (form,)


def _default_of(field: FieldInfo) -> Any:  # noqa: ANN401 - of any field
    """Return what a field has that its sender left out."""
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def is_for_server(live: LiveTable | None, command: object) -> bool:
    """Return whether the server itself may give a command: in a demo, or to keep a practice table going."""
    if live is not None and live.practice_cents_max and isinstance(command, _KEEPS_GOING):
        return True
    return live.is_demo if live else isinstance(command, k.OpenTable) and command.is_demo
