"""The commonest decision of a table, a player's plain wager as it was judged before, decided in one step.

Nine commands in ten are such wagers. What is not one in every respect is left to `decide`, which reaches the same
decision by all its judges.
"""

from __future__ import annotations

from passline.authority.roles import PLAYER
from passline.game import commands as c
from passline.game.judges.fast_path import make_known_wager
from passline.streams.course import Decision
from passline.tables.duties import DUTIES
from passline.tables.live import LiveTable, fold_wagers
from passline.tables.rules_in_force import rules_of

CHIPS = ("chips",)
"""What a plain wager is made with."""
_IS_PLAYERS = PLAYER in DUTIES[c.MakeWager].by


def takes_wagers(live: LiveTable) -> bool:
    """Return whether nothing about a table keeps the wagers of its players from being made as they were before."""
    is_usual = live.status == "open" and live.closing is None and live.notice is None and live.dice == "electronic"
    is_for_money = live.is_keyed and live.points is None and not live.practice_cents_max and not live.requires_dice_out
    return is_usual and is_for_money and _IS_PLAYERS


def decide_known_wager(live: LiveTable, command: c.MakeWager, account: str) -> Decision | None:
    """Decide a wager by the player of its seat with nothing special about it; None if all judges must look at it."""
    if not (takes_wagers(live) and command.by == PLAYER and command.media == CHIPS):
        return None
    try:
        player = live.players.get(command.seat)
    except TypeError:  # a seat that cannot be looked for
        return None
    if player is None or player.account != account:
        return None
    made = make_known_wager(rules_of(live), live.game, command)
    if made is None or live.owes or made[1].money.bank < 0 or len(made[0]) != 1:
        return None
    return Decision(command, made[0], fold_wagers(live, ((command, made[0][0]),), made[1]))
