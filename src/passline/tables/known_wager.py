"""The commonest decision of a table, a player's plain wager as it was judged before, decided in one step.

Nine commands in ten are such wagers. What is not one in every respect is left to `decide`, which reaches the same
decision by all its judges.
"""

from __future__ import annotations

from passline.authority.duties import unfit_role
from passline.authority.roles import PLAYER
from passline.game import commands as c
from passline.game.judges.fast_path import make_known_wager
from passline.streams.course import Decision
from passline.tables.duties import duty_of
from passline.tables.live import LiveTable, fold
from passline.tables.money.bank import debt_changed
from passline.tables.rules_in_force import rules_of

_CHIPS = ("chips",)


def decide_known_wager(live: LiveTable, command: c.MakeWager, account: str) -> Decision | None:
    """Decide a wager by the player of its seat with nothing special about it; None if all judges must look at it."""
    is_usual = live.status == "open" and live.closing is None and live.notice is None and live.dice == "electronic"
    is_for_money = live.is_keyed and live.points is None and not live.practice_cents_max and not live.requires_dice_out
    if not (is_usual and is_for_money and command.by == PLAYER and command.media == _CHIPS):
        return None
    if unfit_role(duty_of(command), command, PLAYER):
        return None
    try:
        player = live.players.get(command.seat)
    except TypeError:  # a seat that cannot be looked for
        return None
    if player is None or player.account != account:
        return None
    made = make_known_wager(rules_of(live), live.game, command)
    if made is None or debt_changed(live, made[1].money.bank):
        return None
    return Decision(command, made[0], fold(live, command, made[0], game=made[1]))
