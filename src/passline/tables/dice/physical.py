"""Physical dice: how old a set may grow and what condemns it, and where a house requires dice out before dice."""

from __future__ import annotations

from passline.game import commands as c
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook, clause_text, refusal
from passline.store.timestamps import later
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.live import LiveTable
from passline.tables.terms import WHOLE_TERMS

_HOUR = 3600
_TEXT_MAX = 2_000
_CALL = "put in a new set of dice"


def first_dice_set(live: LiveTable | None, rulebook: Rulebook, at: str) -> list[t.DiceSetPutIn]:
    """Return the new set that an opening table begins with, where the regulation asks for one."""
    sets = rulebook.general.live.dice_sets
    if sets is None:
        return []
    return [t.DiceSetPutIn(_number(live) + 1, at, clause_text(sets.reopened.cite))]


def put_in_dice(live: LiveTable, rules: Rules, at: str) -> list[t.DiceSetPutIn] | list[Refusal]:
    """Put in a new set; never while dice are in the air."""
    sets = rules.rulebook.general.live.dice_sets
    if sets is None:
        return [_no_sets(rules)]
    if live.game.position.dice == "air":
        return [refusal(sets.cite, "the dice are in the air: a new set waits until they have landed")]
    condemned = live.supervision.condemned
    return [t.DiceSetPutIn(_number(live) + 1, at, condemned.clause if condemned else clause_text(sets.cite))]


def condemn_dice(live: LiveTable, rules: Rules, command: k.CondemnDice) -> list[t.DiceCondemned] | list[Refusal]:
    """Condemn the set in play for a reason that the regulation names."""
    sets = rules.rulebook.general.live.dice_sets
    if sets is None:
        return [_no_sets(rules)]
    if (rule := sets.reasons.get(command.reason)) is None:
        why = f"a set is not condemned for {command.reason!r}; the reasons are: {', '.join(sets.reasons)}"
        return [refusal(sets.cite, why)]
    clause = clause_text(rule.cite)
    return [t.DiceCondemned(_number(live), command.reason, command.text[:_TEXT_MAX], clause)]


def unfit_dice(live: LiveTable, rules: Rules, at: str) -> list[Refusal]:
    """Refuse to throw dice of a set that is condemned, too old or unknown.

    A table from before sets were recorded throws its dice, unless they are condemned, until it adopts a rulebook.
    """
    sets, dice, condemned = rules.rulebook.general.live.dice_sets, live.supervision.dice, live.supervision.condemned
    if sets is None or live.dice != "physical":
        return []
    name = f"set {dice.number} of the dice" if dice else "the set of dice in play"
    refusals = []
    if condemned:
        refusals.append(Refusal(condemned.clause, f"{name} is {condemned.reason}: {_CALL}"))
    if dice is None and live.terms >= WHOLE_TERMS:
        refusals.append(refusal(sets.cite, f"no set of dice is on record at this table: {_CALL}"))
    if dice and dice_set_ends(live, rules) <= at:
        why = f"{name} is in use since {dice.at}, and {sets.hours_max} hours are the most: {_CALL}"
        refusals.append(refusal(sets.cite, why))
    return refusals


def dice_set_ends(live: LiveTable, rules: Rules) -> str:
    """Return the moment from which the set in play is too old; empty if no set of physical dice is on record."""
    sets, dice = rules.rulebook.general.live.dice_sets, live.supervision.dice
    return later(dice.at, sets.hours_max * _HOUR) if sets and dice and live.dice == "physical" else ""


def _number(live: LiveTable | None) -> int:
    return live.supervision.dice.number if live is not None and live.supervision.dice else 0


def _no_sets(rules: Rules) -> Refusal:
    why = "sets of dice are not recorded under this regulation"
    return refusal(rules.procedures.dice.set_cite, why)


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


def unannounced_throw(live: LiveTable, command: TableCommand) -> list[Refusal]:
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
