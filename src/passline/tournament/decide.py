"""Decides what is asked of a tournament: its events, or every clause that stands against it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from msgspec.structs import replace

from passline.authority import roles as r
from passline.authority.duties import SERVER, Duty, unfit_role
from passline.authority.sign_off import signature_fault
from passline.refusal import Refusal, Refused
from passline.streams.course import THE_HOUSE, Actor, Decision
from passline.tournament import commands as c
from passline.tournament.evolve import fold_tournament
from passline.tournament.judges import cancelling, conclusion, cut, desk, rounds, splits
from passline.tournament.judges.scene import TournamentScene, TournamentVerdict
from passline.tournament.rules import TournamentRules
from passline.tournament.state import TournamentState

_DIRECTORS = Duty(r.DIRECTORS)
_CASH = Duty((*r.DIRECTORS, r.CASHIER))
_COUNTING = Duty((*_CASH.by, r.ACCOUNTANT, r.COUNTER))
_CREW = Duty((*r.DIRECTORS, r.DEALER, r.BOXPERSON, r.FLOORPERSON, r.SUPERVISOR))
_DESK = Duty((*_CREW.by, r.CASHIER))
_ANYBODY = Duty((*_DESK.by, r.PLAYER))
_WITNESSES = (r.BOXPERSON, r.FLOORPERSON, r.SUPERVISOR, r.CASHIER, *r.DIRECTORS)  # of what is done, or signed on paper
_ASKED = "where the pages of the tournament ask for it"
_OR_PLAYER = f"{_ASKED}, or by the player whose entry it is"

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
    c.PromiseNonce: (rounds.promise_nonce, Duty((r.PLAYER,))),
    c.RevealNonce: (rounds.reveal_nonce, Duty((r.PLAYER,))),
    c.DrawSeats: (rounds.draw_seats, SERVER),
    c.MoveSeat: (rounds.move_seat, replace(_DIRECTORS, signed_by=_WITNESSES, when=_ASKED)),
    c.StartRound: (rounds.start_round, _DIRECTORS),
    c.SetColours: (rounds.set_colours, _DIRECTORS),
    c.ReportPoints: (rounds.report_points, SERVER),
    c.CountChips: (rounds.count_chips, replace(_CREW, signed_by=_WITNESSES, when=_OR_PLAYER)),
    c.PartTie: (cut.part_tie, replace(_DIRECTORS, signed_by=_WITNESSES, when=_ASKED)),
    c.EndRound: (cut.end_round, _DIRECTORS),
    c.DrawCut: (cut.draw_cut, SERVER),
    c.ProposeSplit: (splits.propose_split, _ANYBODY),
    c.AgreeSplit: (splits.agree_split, _ANYBODY),
    c.ConfirmSplit: (splits.confirm_split, _DIRECTORS),
    c.StopSplit: (splits.stop_split, _ANYBODY),
    c.ConcludeEvent: (conclusion.conclude_event, _DIRECTORS),
    c.PayPrize: (conclusion.pay_prize, replace(_CASH, signed_by=_WITNESSES, when=_OR_PLAYER)),
    c.ReturnVoucher: (conclusion.return_voucher, _CASH),
    c.CancelTournament: (cancelling.cancel_tournament, replace(_DIRECTORS, signed_by=_WITNESSES, when=_ASKED)),
    c.RefundEntry: (cancelling.refund_entry, replace(_CASH, signed_by=_WITNESSES, when=_OR_PLAYER)),
    c.CloseTournament: (conclusion.close_tournament, _DIRECTORS),
}
TOURNAMENT_DUTIES: dict[type, Duty] = {kind: duty for kind, (_, duty) in _JUDGES.items()}
"""The duty behind every command of a tournament."""
_AFTER_CANCELLING = (c.RefundEntry, c.CloseTournament)
_SIGNED_BY_PLAYERS = (c.CountChips, c.PayPrize, c.RefundEntry)  # themselves, or a witness of what they signed on paper


def decide_tournament(
    rules: TournamentRules,
    state: TournamentState | None,
    command: c.TournamentCommand,
    *,
    by: Actor,
    at: str,
    signed_by: str = "",
) -> Decision | Refused:
    """Decide a command to a tournament at a moment; `signed_by` is the account that signed it."""
    judge, duty = _JUDGES[type(command)]
    if unfit := _unfit(state, command, by, duty) or signature_refusal(rules, command, by, signed_by):
        return Refused((unfit,))
    verdict = judge(TournamentScene(rules, state or TournamentState(), at, by), command)
    if refused := tuple(found for found in verdict if isinstance(found, Refusal)):
        return Refused(refused)
    events = tuple(found for found in verdict if not isinstance(found, Refusal))
    return Decision(command, events, fold_tournament(state, events))


def signature_refusal(
    rules: TournamentRules, command: c.TournamentCommand, by: Actor, signed_by: str
) -> Refusal | None:
    """Refuse what its pages have signed and nobody has, or only whoever asks. Who may sign, `may_sign` says."""
    asked = rules.pages.signed
    rule = {
        c.MoveSeat: asked.seats, c.PartTie: asked.ties, c.CountChips: asked.counts, c.PayPrize: asked.prizes,
        c.CancelTournament: asked.cancelling, c.RefundEntry: asked.refunds,
    }.get(type(command))  # fmt: skip
    if rule is None or by.account == THE_HOUSE.account or getattr(command, "is_alone", False):
        return None
    roles = TOURNAMENT_DUTIES[type(command)].signed_by
    who = (*roles, f"{r.PLAYER} whose entry it is") if isinstance(command, _SIGNED_BY_PLAYERS) else roles
    signer = (by if signed_by == by.account else Actor(signed_by, signed_by, "")) if signed_by else None
    what = f"to {c.IN_WORDS[type(command)]}"
    why = signature_fault(what, who, by=by.account, signer=signer, is_fit=True)
    return Refusal(rules.clause(rule), why) if why else None


def may_sign(state: TournamentState | None, command: c.TournamentCommand, account: str, roles: Collection[str]) -> bool:
    """Return whether an account may sign a command: as a witness, or as the player whose entry it is about."""
    entry = state.entry(getattr(command, "entry", 0)) if state else None
    is_own = isinstance(command, _SIGNED_BY_PLAYERS) and entry is not None and entry.account == account
    return is_own or not {*TOURNAMENT_DUTIES[type(command)].signed_by}.isdisjoint(roles)


def _unfit(state: TournamentState | None, command: c.TournamentCommand, by: Actor, duty: Duty) -> Refusal | None:
    """Refuse a sender without the role, a tournament without a plan, and anything after its books are closed."""
    words = c.IN_WORDS[type(command)]
    if why := unfit_role(duty, command, by.role, is_server=by == THE_HOUSE, words=words):
        return Refusal("duties", why)
    if state is None and not isinstance(command, c.PlanTournament):
        return Refusal("form", "there is no such tournament: plan it first")
    if state is not None and state.is_closed:
        return Refusal("form", "the books of this tournament are closed")
    if state is not None and state.cancelled and not isinstance(command, _AFTER_CANCELLING):
        why = f"this tournament is cancelled and never goes on: {state.cancelled}"
        return Refusal("form", f"{why}; what was paid goes back, then the books are closed")
    return None
