"""Decides what is asked of a tournament: its events, or every clause that stands against it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from passline.game.refusal import Refusal, Refused
from passline.people.duties import name_of
from passline.people.roles import THE_HOUSE
from passline.streams.course import Actor, Decision
from passline.tournament import commands as c
from passline.tournament.evolve import fold_tournament
from passline.tournament.judges import conclusion, desk, rounds, splits
from passline.tournament.judges.scene import DIRECTORS, TournamentScene, TournamentVerdict
from passline.tournament.rules.tournament_rules import TournamentRules
from passline.tournament.state import TournamentState

__all__ = ["decide_tournament"]

_CASH = DIRECTORS | {"cashier"}
_CREW = DIRECTORS | {"dealer", "boxperson", "floorperson", "supervisor"}
_ANYBODY = _CASH | _CREW | {"player"}
_SERVER = frozenset[str]()

_JUDGES: dict[type, tuple[Callable[[TournamentScene, Any], TournamentVerdict], frozenset[str]]] = {
    c.PlanTournament: (desk.planned, DIRECTORS),
    c.WaitForPlace: (desk.waits, _CASH),
    c.EnterPlayer: (desk.entered, _CASH),
    c.SignInPlayer: (desk.signed_in, _CASH | _CREW),
    c.WithdrawEntry: (desk.withdrawn, _CASH),
    c.BuyChips: (desk.bought, _CASH),
    c.Disqualify: (desk.disqualified, DIRECTORS),
    c.CountFees: (conclusion.fees_counted, _CASH | {"accountant", "counter"}),
    c.AddMoney: (conclusion.money_added, DIRECTORS),
    c.PrepareRound: (rounds.round_prepared, DIRECTORS),
    c.DrawSeats: (rounds.seats_drawn, _SERVER),
    c.MoveSeat: (rounds.seat_moved, DIRECTORS),
    c.StartRound: (rounds.round_started, DIRECTORS),
    c.SetColours: (rounds.colours_set, DIRECTORS),
    c.ReportPoints: (rounds.points_reported, _SERVER),
    c.CountChips: (rounds.chips_counted, _CREW),
    c.PartTie: (rounds.tie_parted, DIRECTORS),
    c.EndRound: (rounds.round_ended, DIRECTORS),
    c.ProposeSplit: (splits.split_proposed, _ANYBODY),
    c.AgreeSplit: (splits.split_agreed, _ANYBODY),
    c.ConfirmSplit: (splits.split_confirmed, DIRECTORS),
    c.StopSplit: (splits.split_stopped, _ANYBODY),
    c.ConcludeEvent: (conclusion.concluded, DIRECTORS),
    c.PayPrize: (conclusion.prize_paid, _CASH),
    c.ReturnVoucher: (conclusion.voucher_returned, _CASH),
    c.CloseTournament: (conclusion.closed, DIRECTORS),
}


def decide_tournament(
    rules: TournamentRules, state: TournamentState | None, command: c.TournamentCommand, *, by: Actor, at: str
) -> Decision | Refused:
    """Decide a command to a tournament at a moment."""
    judge, roles = _JUDGES[type(command)]
    if unfit := _unfit(state, command, by, roles):
        return Refused((unfit,))
    verdict = judge(TournamentScene(rules, state or TournamentState(), at, by), command)
    if refused := tuple(one for one in verdict if isinstance(one, Refusal)):
        return Refused(refused)
    events = tuple(one for one in verdict if not isinstance(one, Refusal))
    return Decision(command, events, fold_tournament(state, events))


def _unfit(
    state: TournamentState | None, command: c.TournamentCommand, by: Actor, roles: frozenset[str]
) -> Refusal | None:
    """Refuse a sender without the role, a tournament without a plan, and anything after its books are closed."""
    name = name_of(command)
    if not roles and by != THE_HOUSE:
        return Refusal("duties", f"nobody may give {name}: the server does it by itself")
    if roles and by.role not in roles:
        return Refusal("duties", f"the {by.role} may not give {name}; {', '.join(sorted(roles))} may")
    if state is None and not isinstance(command, c.PlanTournament):
        return Refusal("form", "there is no such tournament: plan it first")
    if state is not None and state.is_closed:
        return Refusal("form", "the books of this tournament are closed")
    return None
