"""A physical table without keyed wagers, as most pits work: rolls are keyed in, chips counted, play estimated."""

from __future__ import annotations

from typing import get_args

from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.evolve import fold as fold_game
from passline.game.position import Table
from passline.money import CENTS_MAX
from passline.people.accounts import name_fault
from passline.refusal import Refusal, Refused
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.live import BeforeRoll, LiveTable, land_command
from passline.tables.money.books import PRACTICE
from passline.tables.rules_in_force import rules_under

NOT_COVERED = "not covered"
"""What is said of figures that only keyed wagers could give."""
NOT_KEYED = frozenset({*get_args(c.Command), k.SeatPlayer} - {c.Fill, c.Credit, c.CallNoRoll})
"""The commands about seats, wagers and the order of play, which nobody gives where no wagers are keyed in."""
_WHOLE_ROLL = frozenset({"call", "settle", "pass"})
_MINUTES_MAX = 24 * 60
_NOBODY = 0  # the shooter, whom nobody has seated


def unfit_unkeyed(live: LiveTable, command: TableCommand) -> Refusal | None:
    """Refuse seats, wagers and buy-ins where no wagers are keyed in, and estimates where they are."""
    if isinstance(command, k.RatePlayer):
        if not live.is_keyed:
            return None
        why = "wagers are keyed in at this table: play is rated by what was wagered, not by an estimate"
        return Refusal(PRACTICE, why)
    if live.is_keyed or type(command) not in NOT_KEYED:
        return None
    why = "wagers are not keyed in at this table: key in the dice, and estimate play with rate-player"
    return Refusal(PRACTICE, why)


def throw_unkeyed(live: LiveTable, command: k.DiceOut | k.KeyDice) -> tuple[tuple[e.Event, ...], Table] | Refused:
    """Throw dice that somebody shoots whom nobody has seated; keyed in, they are called and settled at once."""
    return _throw(live.game, command, _rules(live, live.house, live.rules))


def _throw(game: Table, command: k.DiceOut | k.KeyDice, rules: Rules) -> tuple[tuple[e.Event, ...], Table] | Refused:
    first: tuple[e.Event, ...] = ()
    if game.position.dice != "air":
        if game.position.dice != "held":
            first = (e.DiceAccepted(_NOBODY, clause_text(rules.procedures.dice.accept_cite)),)
        first = (*first, e.DiceThrown(_NOBODY))
    elif isinstance(command, k.DiceOut):
        return Refused((Refusal(clause_text(rules.procedures.throw.together.cite), "the dice are in the air"),))
    thrown = fold_game(game, first) if first else game
    if isinstance(command, k.DiceOut):
        return first, thrown
    landed = act(rules, thrown, land_command(command))
    return landed if isinstance(landed, Refused) else ((*first, *landed[0]), landed[1])


def _rules(live: LiveTable, house: dict[str, object], version: str) -> Rules:
    automate = tuple(sorted({*live.automate} - {"offer"} | _WHOLE_ROLL))
    return rules_under(house, live.rulebook, version, automate)


def correct_unkeyed(
    live: LiveTable, before: BeforeRoll, faces: tuple[int, int]
) -> tuple[tuple[e.Event, ...], Table] | Refused:
    """Throw the last roll again with other faces: nothing was wagered on it, so only the puck and records follow."""
    keyed = k.KeyDice(first=faces[0], second=faces[1])
    again = _throw(before.game, keyed, _rules(live, before.house, before.rules))
    return again if isinstance(again, Refused) else (again[0], replace(again[1], money=live.game.money))


def rate_player(command: k.RatePlayer) -> list[t.PlayerRated] | list[Refusal]:
    """Record an estimate of somebody's play."""
    refusals = []
    if fault := name_fault(command.name):
        refusals.append(Refusal("form", fault))
    if not 0 < command.average_cents <= CENTS_MAX:
        refusals.append(Refusal("form", f"average_cents: {command.average_cents} is not an average wager"))
    if not 0 < command.minutes <= _MINUTES_MAX:
        refusals.append(Refusal("form", f"minutes: {command.minutes} is not 1 to {_MINUTES_MAX}"))
    return refusals or [t.PlayerRated(command.name, command.average_cents, command.minutes, command.account)]
