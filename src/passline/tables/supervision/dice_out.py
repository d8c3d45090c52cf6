"""Dice out: where a house requires it, no dice are keyed in before it, and wagers that come after it are marked."""

from __future__ import annotations

from passline.game import commands as c
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.live import LiveTable

__all__ = ["past_posted", "requires_by_default", "unannounced", "unfit_election"]

_UNANNOUNCED = (
    "this house requires dice out: announce it with dice-out when the dice leave the shooter's hand, then key them in; "
    "until then wagers would stay open"
)


def requires_by_default(dice: str, *, is_keyed: bool) -> bool:
    """Whether a table that is opened without a word about it requires dice out: where dice and wagers are keyed in.

    The command and its event have no such default: left out in a log, the field means what it meant before.

    >>> requires_by_default("physical", is_keyed=True), requires_by_default("electronic", is_keyed=True)
    (True, False)
    """
    return dice == "physical" and is_keyed


def unfit_election(command: k.OpenTable) -> list[Refusal]:
    """Refuse the election where nobody keys in dice, or where no wager is keyed in that could come too late.

    >>> [one.why for one in unfit_election(k.OpenTable(name="A", house={}, requires_dice_out=True))]
    ['requires_dice_out: only a table with physical dice and keyed wagers has a dice out to announce']
    """
    if not command.requires_dice_out or requires_by_default(command.dice, is_keyed=command.is_keyed):
        return []
    why = "requires_dice_out: only a table with physical dice and keyed wagers has a dice out to announce"
    return [Refusal("practice", why)]


def unannounced(live: LiveTable, command: TableCommand) -> list[Refusal]:
    """Refuse dice that are keyed in, void ones too, before anybody announced their throw."""
    is_early = isinstance(command, k.KeyDice) and live.game.position.dice != "air"
    return [Refusal("house", _UNANNOUNCED)] if live.requires_dice_out and is_early else []


def past_posted(live: LiveTable, rules: Rules, command: TableCommand) -> tuple[t.WagerPastPosted, ...]:
    """Mark a wager that is made or increased while the dice are in the air."""
    if not isinstance(command, c.MakeWager) or live.game.position.dice != "air":
        return ()
    clause = clause_text(rules.game.late.cite)
    what = (command.seat, command.owner, command.wager, command.number, command.cents)
    return (t.WagerPastPosted(live.track.roll + 1, *what, clause),)
