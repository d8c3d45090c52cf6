"""Who gives which command of the game, by which clause, and who signs it off at a live table.

A live table adds who keys it in (`keyed_by`) and who may enter it for a player (`by` beside `whose`).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from passline.authority.duties import Duty, allowed_roles, may_not, name_of
from passline.authority.roles import BOX_AND_FLOOR, CREW, DEALER, PLAYER, SHOOTER, STICKPERSON, TABLE_ROLES
from passline.game import commands as c
from passline.game.position import Position
from passline.refusal import Refusal
from passline.rules.memo import Memo
from passline.rules.rules import Rules
from passline.rules.schema import Cite, refusal

_OWN = (PLAYER,)
_HANDS = (PLAYER, DEALER, STICKPERSON)


def _at(path: str) -> Callable[[Rules], Cite]:
    """Return what cites the entry of the rules at a path."""
    return attrgetter(f"{path}.cite")


def _named_at(path: str, *, is_whole: bool = True) -> Duty:
    """Return the duty of those of the crew whom the entry at a path names: with all whom a dealer includes, or not."""
    by = attrgetter(f"{path}.by")
    return Duty(CREW, named=(lambda rules: rules.roles(by(rules))) if is_whole else by, cite=_at(path))


def _chips(rules: Rules) -> Cite:
    return rules.rulebook.general.media["chips"].cite


def _fills(rules: Rules) -> Cite:
    fills = rules.rulebook.general.live.fills
    return fills.cite if fills else _chips(rules)


def _of_player(cite: Callable[[Rules], Cite]) -> Duty:
    """Return the duty of what is a player's to do, and keyed in for those without a page."""
    return Duty(_OWN, keyed_by=CREW, whose=_OWN, cite=cite)


_SEATS, _CALLS, _THROW = _at("game.seats"), _at("rulebook.general.call_on"), _at("procedures.throw.together")
_ACCEPTING = attrgetter("procedures.dice.accept_cite")
GAME_DUTIES: dict[type, Duty] = {
    c.TakeSeat: Duty(_OWN, keyed_by=CREW, cite=_SEATS),
    c.LeaveSeat: Duty((*_OWN, *BOX_AND_FLOOR), keyed_by=CREW, whose=_OWN, cite=_SEATS),  # who walked away is cashed out
    c.StandUp: _of_player(_SEATS),
    c.SitDown: _of_player(_SEATS),
    c.BuyIn: Duty((PLAYER, DEALER), cite=_chips),
    c.Fill: Duty(BOX_AND_FLOOR, signed_by=BOX_AND_FLOOR, cite=_fills),
    c.Credit: Duty(BOX_AND_FLOOR, signed_by=BOX_AND_FLOOR, cite=_fills),
    c.MakeWager: Duty(_HANDS, cite=_chips),
    c.ReduceWager: Duty(_HANDS, cite=_at("rulebook.general.remove")),
    c.RemoveWager: Duty(_HANDS, cite=_at("rulebook.general.remove")),
    c.CallWager: _of_player(_CALLS),
    c.PlaceButton: Duty(CREW, named=lambda rules: rules.roles(rules.rulebook.general.call_on.button_by), cite=_CALLS),
    c.ConfirmWager: Duty(CREW, cite=_at("game.late")),  # its judge knows who of them, by the wager
    c.OfferDice: Duty(
        CREW,
        named=lambda rules: rules.roles(rules.procedures.dice.offered_by),
        cite=attrgetter("procedures.dice.first_cite"),
    ),
    c.AcceptDice: _of_player(_ACCEPTING),
    c.DeclineDice: Duty((*_OWN, *CREW), whose=_OWN, cite=_ACCEPTING),  # the crew passes them on if nobody answers
    c.ChooseDice: _of_player(attrgetter("procedures.dice.chosen_cite")),
    c.SurrenderDice: _of_player(_at("procedures.shooter.surrender")),
    c.OrderDicePassed: _named_at("procedures.shooter.order_to_pass", is_whole=False),
    c.DeclineLineWager: _of_player(_at("procedures.shooter.line_wager")),
    c.ThrowDice: Duty(_OWN, cite=_THROW),
    c.RollDice: Duty(_OWN, cite=_THROW),
    c.LandDice: Duty(CREW, cite=_at("procedures.throw.one_face")),
    c.CallNoRoll: Duty(
        CREW,
        named=lambda rules: rules.roles(rules.house.no_roll_callers or rules.procedures.no_roll.by),
        cite=_at("procedures.no_roll"),
    ),
    c.DisputeFaces: _of_player(_at("procedures.dispute")),
    c.DecideDispute: _named_at("procedures.dispute", is_whole=False),
    c.CallRoll: _named_at("procedures.throw.called_by"),
    c.Settle: _named_at("procedures.throw.settled_first"),
    c.PassDice: _named_at("procedures.throw.passed_by"),
}
"""The duty behind every command of the game."""
_BY_WAGER = frozenset({c.PlaceButton, c.ConfirmWager})  # whose judges cite what their wager says
_ALLOWED: Memo[type, tuple[str, ...]] = Memo()  # the roles that give a command: asked before every decision


def role_refusal(rules: Rules, position: Position, command: c.Command) -> Refusal | None:
    """Refuse a command that this role may not give, or a shooter's command from another seat.

    >>> from passline.game.position import Position
    >>> str(role_refusal(Rules.of("maryland"), Position(), c.CallRoll(by="dealer", total=7)))
    'the dealer may not give call-roll; the stickperson may [MD-9.A]'
    """
    known, kind = rules.memory_of(_ALLOWED), type(command)
    allowed = known.get(kind)
    if allowed is None:
        allowed = known[kind] = TABLE_ROLES if kind in _BY_WAGER else allowed_roles(GAME_DUTIES[kind], rules)
    if command.by in allowed:
        return None
    duty = GAME_DUTIES[kind]
    assert duty.cite is not None
    if command.by == SHOOTER and PLAYER in duty.by:
        if getattr(command, "seat", position.shooter) == position.shooter:
            return None
        return refusal(duty.cite(rules), f"the shooter is not at seat {command.seat}")  # type: ignore[union-attr]
    return refusal(duty.cite(rules), may_not(command.by, f"give {name_of(command)}", allowed))
