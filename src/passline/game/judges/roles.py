"""Who may give which command where no clause names the role; the roles a clause names stay in the rulebook's data."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from passline.game import commands as c
from passline.game.position import Position
from passline.game.refusal import Refusal, refusal
from passline.rules.rules import Rules
from passline.rules.schema import Cite, Role

__all__ = ["HANDS", "role_cite", "unfit_role"]

HANDS: tuple[Role, ...] = ("player", "shooter", "dealer", "stickperson")
"""Who may put up and take down a player's wager: the player, or the crew for one."""
_PLAYER: tuple[Role, ...] = ("player", "shooter")
_CREW: tuple[Role, ...] = ("dealer", "stickperson", "boxperson", "floorperson")
_BOX: tuple[Role, ...] = ("boxperson", "floorperson")


class _May(Struct, frozen=True):
    """The roles that may give a command, the clause nearest to it, and how anybody else is refused."""

    by: tuple[Role, ...]
    cite: Callable[[Rules], Cite]
    why: str


def _seats(rules: Rules) -> Cite:
    return rules.game.seats.cite


def _chips(rules: Rules) -> Cite:
    return rules.rulebook.general.media["chips"].cite


def _fills(rules: Rules) -> Cite:
    fills = rules.rulebook.general.live.fills
    return fills.cite if fills else _chips(rules)


def _remove(rules: Rules) -> Cite:
    return rules.rulebook.general.remove.cite


_OWN_SEAT = _May(_PLAYER, _seats, "a player comes, goes, stands and sits alone, not by the {by}")
_CAGE = _May(_BOX, _fills, "chips are brought and taken by the boxperson or the floorperson, not by the {by}")
_TAKE_DOWN = _May(HANDS, _remove, "a player's wager is not the {by}'s to take down")
_DICE = _May(
    _PLAYER, lambda rules: rules.procedures.dice.accept_cite, "the dice are offered to a player, not to the {by}"
)
_SURRENDER = _May(
    _PLAYER,
    lambda rules: rules.procedures.shooter.surrender.cite,
    "the dice are the shooter's to give up, not the {by}'s",
)
_THROW = _May(
    _PLAYER, lambda rules: rules.procedures.throw.together.cite, "the dice are the shooter's to throw, not the {by}'s"
)
_ROLES: dict[type, _May] = {
    c.TakeSeat: _OWN_SEAT,
    c.LeaveSeat: _OWN_SEAT,
    c.StandUp: _OWN_SEAT,
    c.SitDown: _OWN_SEAT,
    c.BuyIn: _May((*_PLAYER, "dealer"), _chips, "cash is changed by a player or a dealer, not by the {by}"),
    c.Fill: _CAGE,
    c.Credit: _CAGE,
    c.MakeWager: _May(HANDS, _chips, "a wager is put up by a player, or a dealer for one, not the {by}"),
    c.ReduceWager: _TAKE_DOWN,
    c.RemoveWager: _TAKE_DOWN,
    c.CallWager: _May(
        _PLAYER, lambda rules: rules.rulebook.general.call_on.cite, "a call is the player's, not the {by}'s"
    ),
    c.AcceptDice: _DICE,
    c.DeclineDice: _DICE,
    c.ChooseDice: _May(
        _PLAYER, lambda rules: rules.procedures.dice.chosen_cite, "the shooter picks the dice, not the {by}"
    ),
    c.SurrenderDice: _SURRENDER,
    c.DeclineLineWager: _May(
        _PLAYER, lambda rules: rules.procedures.shooter.line_wager.cite, "a line wager is the shooter's, not the {by}'s"
    ),
    c.ThrowDice: _THROW,
    c.RollDice: _THROW,
    c.LandDice: _May(
        _CREW, lambda rules: rules.procedures.throw.one_face.cite, "the crew reads the dice, not the {by}"
    ),
    c.DisputeFaces: _May(
        _PLAYER, lambda rules: rules.procedures.dispute.cite, "faces are disputed by a player, not by the {by}"
    ),
}

# Whose roles a clause names itself; their judges refuse by it.
_NAMED: dict[type, Callable[[Rules], Cite]] = {
    c.OfferDice: lambda rules: rules.procedures.dice.first_cite,
    c.OrderDicePassed: lambda rules: rules.procedures.shooter.order_to_pass.cite,
    c.CallNoRoll: lambda rules: rules.procedures.no_roll.cite,
    c.DecideDispute: lambda rules: rules.procedures.dispute.cite,
    c.CallRoll: lambda rules: rules.procedures.throw.called_by.cite,
    c.Settle: lambda rules: rules.procedures.throw.settled_first.cite,
    c.PassDice: lambda rules: rules.procedures.throw.passed_by.cite,
    c.PlaceButton: lambda rules: rules.rulebook.general.call_on.cite,
    c.ConfirmWager: lambda rules: rules.game.late.cite,
}


def role_cite(rules: Rules, command: type) -> Cite:
    """Give the clause that names who gives a kind of command, or the one nearest to it.

    >>> role_cite(Rules.of("maryland"), c.CallRoll)
    'MD-9.A'
    """
    return _NAMED[command](rules) if command in _NAMED else _ROLES[command].cite(rules)


def unfit_role(rules: Rules, position: Position, command: c.Command) -> Refusal | None:
    """Refuse a command that is not this role's to give, or a shooter's that comes from another seat."""
    may = _ROLES.get(type(command))
    if may is None:
        return None
    if command.by not in may.by:
        return refusal(may.cite(rules), may.why.format(by=command.by))
    if command.by == "shooter" and getattr(command, "seat", position.shooter) != position.shooter:
        return refusal(may.cite(rules), f"seat {command.seat} is not the shooter's")  # type: ignore[union-attr]
    return None
