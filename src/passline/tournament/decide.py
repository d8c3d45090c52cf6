"""Decides what is asked of a tournament: its events, or every clause that stands against it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from passline.authority import roles as r
from passline.authority.duties import SERVER, Duty, unfit_role
from passline.refusal import Refusal, Refused
from passline.streams.course import THE_HOUSE, Actor, Decision
from passline.tournament import commands as c
from passline.tournament.evolve import fold_tournament
from passline.tournament.judges import conclusion, desk, rounds, splits
from passline.tournament.judges.scene import TournamentScene, TournamentVerdict
from passline.tournament.rules import TournamentRules
from passline.tournament.state import TournamentState

_DIRECTORS = Duty(r.DIRECTORS)
_CASH = Duty((*r.DIRECTORS, r.CASHIER))
_COUNTING = Duty((*_CASH.by, r.ACCOUNTANT, r.COUNTER))
_CREW = Duty((*r.DIRECTORS, r.DEALER, r.BOXPERSON, r.FLOORPERSON, r.SUPERVISOR))
_DESK = Duty((*_CREW.by, r.CASHIER))
_ANYBODY = Duty((*_DESK.by, r.PLAYER))

_JUDGES: dict[type, tuple[Callable[[TournamentScene, Any], TournamentVerdict], Duty]] = {
    c.PlanTournament: (desk.keep_plan, _DIRECTORS),
    c.WaitForPlace: (desk.keep_waiting_list, _CASH),
    c.EnterPlayer: (desk.enter_player, _CASH),
    c.SignInPlayer: (desk.sign_in_player, _DESK),
    c.WithdrawEntry: (desk.withdraw_entry, _CASH),
    c.BuyChips: (desk.sell_chips, _CASH),
    c.Disqualify: (desk.disqualify, _DIRECTORS),
    c.CountFees: (conclusion.count_fees, _COUNTING),
    c.SettleFees: (conclusion.settle_fees, _DIRECTORS),
    c.AddMoney: (conclusion.add_money, _DIRECTORS),
    c.PrepareRound: (rounds.prepare_round, _DIRECTORS),
    c.DrawSeats: (rounds.draw_seats, SERVER),
    c.MoveSeat: (rounds.move_seat, _DIRECTORS),
    c.StartRound: (rounds.start_round, _DIRECTORS),
    c.SetColours: (rounds.set_colours, _DIRECTORS),
    c.ReportPoints: (rounds.report_points, SERVER),
    c.CountChips: (rounds.count_chips, _CREW),
    c.PartTie: (rounds.part_tie, _DIRECTORS),
    c.EndRound: (rounds.end_round, _DIRECTORS),
    c.ProposeSplit: (splits.propose_split, _ANYBODY),
    c.AgreeSplit: (splits.agree_split, _ANYBODY),
    c.ConfirmSplit: (splits.confirm_split, _DIRECTORS),
    c.StopSplit: (splits.stop_split, _ANYBODY),
    c.ConcludeEvent: (conclusion.conclude_event, _DIRECTORS),
    c.PayPrize: (conclusion.pay_prize, _CASH),
    c.ReturnVoucher: (conclusion.return_voucher, _CASH),
    c.CloseTournament: (conclusion.close_tournament, _DIRECTORS),
}
TOURNAMENT_DUTIES: dict[type, Duty] = {kind: duty for kind, (_, duty) in _JUDGES.items()}
"""The duty behind every command of a tournament."""


def decide_tournament(
    rules: TournamentRules, state: TournamentState | None, command: c.TournamentCommand, *, by: Actor, at: str
) -> Decision | Refused:
    """Decide a command to a tournament at a moment."""
    judge, duty = _JUDGES[type(command)]
    if unfit := _unfit(state, command, by, duty):
        return Refused((unfit,))
    verdict = judge(TournamentScene(rules, state or TournamentState(), at, by), command)
    if refused := tuple(found for found in verdict if isinstance(found, Refusal)):
        return Refused(refused)
    events = tuple(found for found in verdict if not isinstance(found, Refusal))
    return Decision(command, events, fold_tournament(state, events))


def _unfit(state: TournamentState | None, command: c.TournamentCommand, by: Actor, duty: Duty) -> Refusal | None:
    """Refuse a sender without the role, a tournament without a plan, and anything after its books are closed."""
    if why := unfit_role(duty, command, by.role, is_server=by == THE_HOUSE):
        return Refusal("duties", why)
    if state is None and not isinstance(command, c.PlanTournament):
        return Refusal("form", "there is no such tournament: plan it first")
    if state is not None and state.is_closed:
        return Refusal("form", "the books of this tournament are closed")
    return None
