"""Which roles may give which command, where no clause of the rulebook names them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from passline.game import commands as c
from passline.game.position import Position
from passline.game.refusal import Refusal, refusal
from passline.rules.rules import Rules
from passline.rules.schema import Cite, Role

__all__ = ["role_cite", "role_refusal"]

_HANDS: tuple[Role, ...] = ("player", "shooter", "dealer", "stickperson")
_PLAYER: tuple[Role, ...] = ("player", "shooter")
_CREW: tuple[Role, ...] = ("dealer", "stickperson", "boxperson", "floorperson")
_BOX: tuple[Role, ...] = ("boxperson", "floorperson")


class _May(Struct, frozen=True):
    """The roles that may give a command, the clause closest to it, and the words that refuse anybody else."""

    by: tuple[Role, ...]
    cite: Callable[[Rules], Cite]
    why: str


def _chips(rules: Rules) -> Cite:
    return rules.rulebook.general.media["chips"].cite


def _fills(rules: Rules) -> Cite:
    fills = rules.rulebook.general.live.fills
    return fills.cite if fills else _chips(rules)


_OWN_SEAT = _May(_PLAYER, lambda rules: rules.game.seats.cite, "only a player takes or leaves a seat, stands or sits")
_CAGE = _May(_BOX, _fills, "only the boxperson or the floorperson brings and takes chips")
_TAKE_DOWN = _May(
    _HANDS, lambda rules: rules.rulebook.general.remove.cite, "only a player or a dealer takes down a wager"
)
_DICE = _May(_PLAYER, lambda rules: rules.procedures.dice.accept_cite, "only a player accepts or declines the dice")
_THROW = _May(_PLAYER, lambda rules: rules.procedures.throw.together.cite, "only the shooter throws the dice")
_ROLES: dict[type, _May] = {
    c.TakeSeat: _OWN_SEAT,
    c.LeaveSeat: _OWN_SEAT,
    c.StandUp: _OWN_SEAT,
    c.SitDown: _OWN_SEAT,
    c.BuyIn: _May((*_PLAYER, "dealer"), _chips, "only a player or a dealer changes cash"),
    c.Fill: _CAGE,
    c.Credit: _CAGE,
    c.MakeWager: _May(_HANDS, _chips, "only a player or a dealer puts up a wager"),
    c.ReduceWager: _TAKE_DOWN,
    c.RemoveWager: _TAKE_DOWN,
    c.CallWager: _May(
        _PLAYER, lambda rules: rules.rulebook.general.call_on.cite, "only a player calls wagers on or off"
    ),
    c.AcceptDice: _DICE,
    c.DeclineDice: _DICE,
    c.ChooseDice: _May(_PLAYER, lambda rules: rules.procedures.dice.chosen_cite, "only the shooter picks the dice"),
    c.SurrenderDice: _May(
        _PLAYER, lambda rules: rules.procedures.shooter.surrender.cite, "only the shooter gives up the dice"
    ),
    c.DeclineLineWager: _May(
        _PLAYER, lambda rules: rules.procedures.shooter.line_wager.cite, "only the shooter declines a line wager"
    ),
    c.ThrowDice: _THROW,
    c.RollDice: _THROW,
    c.LandDice: _May(_CREW, lambda rules: rules.procedures.throw.one_face.cite, "only the crew reads the dice"),
    c.DisputeFaces: _May(_PLAYER, lambda rules: rules.procedures.dispute.cite, "only a player disputes the faces"),
}

# Commands whose roles a clause names: their judges check the role and refuse by that clause.
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
    """Return the clause that names who gives a kind of command, or the closest to it.

    >>> role_cite(Rules.of("maryland"), c.CallRoll)
    'MD-9.A'
    """
    return _NAMED[command](rules) if command in _NAMED else _ROLES[command].cite(rules)


def role_refusal(rules: Rules, position: Position, command: c.Command) -> Refusal | None:
    """Refuse a command that this role may not give, or a shooter's command from another seat."""
    may = _ROLES.get(type(command))
    if may is None:
        return None
    if command.by not in may.by:
        return refusal(may.cite(rules), f"{may.why}, not the {command.by}")
    if command.by == "shooter" and getattr(command, "seat", position.shooter) != position.shooter:
        return refusal(may.cite(rules), f"the shooter is not at seat {command.seat}")  # type: ignore[union-attr]
    return None
