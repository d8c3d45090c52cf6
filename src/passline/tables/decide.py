"""Decides every command to a live table: who may give it, what the game says, what the house says.

Time, dice and approvals are arguments, so `verify` can decide a recorded command again with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.authority.roles import PLAYER, SHOOTER
from passline.dice import Roll
from passline.game import commands as c
from passline.game.decide import act
from passline.game.position import Table
from passline.people.accounts import name_fault
from passline.refusal import Refusal, Refused
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook, clause_text, refusal
from passline.streams.course import THE_HOUSE, Actor, Decision
from passline.tables import commands as k
from passline.tables import conduct
from passline.tables import events as t
from passline.tables import house_events as h
from passline.tables.approvals import Approvals
from passline.tables.commands import TableCommand
from passline.tables.correction import correct_roll
from passline.tables.dice import physical, throwing
from passline.tables.duties import NOT_AT, duty_clause, duty_of, unfit_duty, unfit_signer, unnamed_role
from passline.tables.events import TableEvent
from passline.tables.known_wager import decide_known_wager
from passline.tables.limits import limits_due, notice_limits, play_money_bought, unfit_play_money
from passline.tables.live import LiveTable, Player, fold, is_void, land_command, seat_of, table_id, with_limits
from passline.tables.meters import close_meter, open_meter
from passline.tables.money.bank import debt_changed, short_of_chips
from passline.tables.money.books import enter_paper, without_slip
from passline.tables.money.points import finish_round, seat_entrants, unfit_points
from passline.tables.money.unkeyed import rate_player, throw_unkeyed, unfit_unkeyed
from passline.tables.opening import adoption_of, closing_of, house_change_of, opening_of
from passline.tables.rules_in_force import rules_of
from passline.tables.uniform_odds import recently_set

_Played = tuple[tuple[TableEvent, ...], Table]
_WHILE_CLOSED = (k.TakeNonce, k.CompleteRoll, k.RenewDice)
_WHILE_FROZEN = (
    *(k.ReleaseTable, k.CorrectRoll, k.FreezeTable, k.ReportConduct, k.ReportShown),
    *(k.CommitDice, k.RenewDice, k.PutInDice, k.CondemnDice),
    *(k.ReportIrregularity, k.DirectAction, k.ObserveAction, k.EnterPaper),
)


def decide(  # noqa: C901 - one question after another
    live: LiveTable | None,
    command: TableCommand,
    *,
    by: Actor,
    at: str,
    approvals: Approvals,
    signed_by: str = "",
    employed: Callable[[str], bool] = lambda _account: False,
    excluded: Callable[[str], str] = lambda _account: "",
    recorded: Callable[[], Roll] | None = None,
    rulebooks: Callable[[str], Rulebook] = rulebook_of,
    odds: Mapping[str, h.OddsSet] | None = None,
) -> Decision | Refused:
    """Decide a command at a moment.

    `recorded` throws the dice of an old entry, from before electronic rolls could be proved; only `verify` has them.
    `signed_by` is the account that signed it off, which must not be the sender's, nor play at this table; its roles are
    judged where people are known: by the server that asks for the PIN, and by `verify`. `employed` tells whether an
    account is an employee's by now, `excluded` why it is kept away from the games; `verify` leaves both out, since that
    was lawful when it was decided. `rulebooks`
    returns the rulebook of a name to open a table under or to adopt; every other command is judged by the table's own.
    `odds` is what the house says that every table of the casino pays; without it payouts are not compared.
    """
    unfit = unfit_duty(command, by, is_physical=live is not None and live.dice == "physical")
    if unfit is not None:
        clause = duty_clause(rules_of(live), command) if live else unfit.clause
        return Refused((replace(unfit, clause=clause),))
    is_plain = type(command) is c.MakeWager and by.role == PLAYER and not (signed_by or by.is_employee)
    is_plain = is_plain and live is not None and not (employed(by.account) or excluded(by.account))
    if is_plain and (known := decide_known_wager(live, command, by.account)) is not None:  # type: ignore[arg-type]
        return known
    if unsigned := unfit_signer(command, by, signed_by, live=live):
        return Refused((unsigned,))
    if live is not None and live.status == "closed" and isinstance(command, k.EnterPaper | k.CloseMeter):
        judged = enter_paper(live, command) if isinstance(command, k.EnterPaper) else close_meter(live, command)
        return _conclude(live, command, (), judged)
    if live is None or live.status == "closed":
        return _conclude(live, command, (), _opening(live, command, approvals, rulebooks, odds, at=at, by=by))
    if (standing_still := _standing_still(live, command)) is not None:
        return standing_still
    first: tuple[TableEvent, ...] = ()
    standing = live
    if (change := limits_due(live, at)) is not None:
        first = (change,)
        live = with_limits(live, change)
    if signed_by and not live.is_demo and (seat := seat_of(live, signed_by)):
        why = f"the person who signs is playing at this table, at seat {seat}; ask somebody else"
        return Refused((_on_both_sides(live, why),))
    asked = _as_asked(live, command, by)
    asked = _unfit_employee(live, asked, by, employed) or asked
    asked = _unfit_excluded(live, asked, excluded) or asked
    asked = _unfit_money(live, asked, by, at) or asked
    if isinstance(asked, Refusal):
        return Refused((asked,))
    case = _Case(live, rules_of(live), asked, at, approvals, recorded, rulebooks, odds, by.role)
    verdict = _OWN[type(asked)](case) if type(asked) in _OWN else act(case.rules, live.game, asked)  # type: ignore[arg-type]
    if isinstance(verdict, Refused):
        return verdict
    if isinstance(verdict, tuple):  # the game's table comes with its events, so it need not be folded again
        bought = play_money_bought(live, asked, at) if live.practice_cents_max else ()
        marked = physical.past_posted(live, case.rules, asked) if live.requires_dice_out else ()
        happened = (*first, *verdict[0], *marked, *bought, *debt_changed(live, verdict[1].money.bank))
        return Decision(asked, happened, fold(standing, asked, happened, game=verdict[1]))
    return _conclude(standing, asked, first, verdict)


def _standing_still(live: LiveTable, command: TableCommand) -> Refused | None:
    """Refuse what is not possible while a dispute has frozen the table, or while thrown dice have not landed."""
    if live.status == "frozen" and not isinstance(command, _WHILE_FROZEN):
        assert live.frozen is not None
        cite = rules_of(live).procedures.dispute.cite
        return Refused((refusal(cite, f"the table is frozen over a dispute: {live.frozen.reason}"),))
    if live.closing is not None and not isinstance(command, _WHILE_CLOSED):
        return throwing.refused_while_closed(rules_of(live))
    return None


def _opening(
    live: LiveTable | None,
    command: TableCommand,
    approvals: Approvals,
    rulebooks: Callable[[str], Rulebook],
    odds: Mapping[str, h.OddsSet] | None,
    *,
    at: str,
    by: Actor,
) -> Sequence[TableEvent] | Sequence[Refusal]:
    """Decide a command to a table that is not open: only opening this very table is possible."""
    if not isinstance(command, k.OpenTable):
        return [Refusal("house", "the table is not open; open-table opens it")]
    if live is not None and (other := table_id(command.table or command.name)) != live.id:
        why = f"this is the table {live.id!r} and the command opens {other!r}: send it to POST /api/tables"
        return [Refusal("house", why)]
    if command.points is not None and by.account != THE_HOUSE.account:
        return [Refusal("duties", "points: a tournament's table is opened by its round, at the director's desk")]
    events = opening_of(command, approvals, rulebooks, recently_set(odds, at), live=live)
    if command.dice_digest and not isinstance(events[0], Refusal):
        events = [*events, t.DiceCommitted(throwing.number_after(live), command.dice_digest)]
    if command.puts_in_dice and not isinstance(events[0], Refusal):
        events = [*events, *physical.first_dice_set(live, rulebooks(command.house["rules"]), at)]
    return events


class _Case(Struct, frozen=True):
    """What the judge of one of a live table's own commands is given."""

    live: LiveTable
    rules: Rules
    command: Any
    at: str
    approvals: Approvals
    recorded: Callable[[], Roll] | None
    rulebooks: Callable[[str], Rulebook]
    odds: Mapping[str, h.OddsSet] | None
    role: str


def _conclude(
    live: LiveTable | None,
    command: TableCommand,
    first: tuple[TableEvent, ...],
    verdict: Sequence[TableEvent] | Sequence[Refusal],
) -> Decision | Refused:
    if isinstance(verdict[0], Refusal):
        return Refused(tuple(verdict))  # type: ignore[arg-type]  # a verdict is all refusals or all events
    happened = (*first, *verdict)
    after = fold(live, command, happened)
    if changed := debt_changed(after, after.game.money.bank):
        happened = (*happened, *changed)
        after = fold(live, command, happened)
    return Decision(command, happened, after)


# --- Who acts, and for whom -----------------------------------------------------------------------------------------

_STAKES = (c.MakeWager, c.BuyIn)


def _as_asked(live: LiveTable, command: TableCommand, by: Actor) -> TableCommand | Refusal:
    """Complete a command with its actor: a player acts at their own seat only, the crew in its own role."""
    if type(command) in NOT_AT[live.dice]:
        return _of_other_dice(live, command)
    if unfit := unfit_unkeyed(live, command) or without_slip(live, command) or unfit_points(live, command):
        return unfit
    if by.role == PLAYER:
        return _by_player(live, command, by)
    if not live.is_demo and seat_of(live, by.account):  # in a demo one person may try out everything
        return _on_both_sides(live, f"{by.name} plays at this table and cannot be its {by.role} as well")
    if isinstance(command, c.TakeSeat):
        return refusal(rules_of(live).game.seats.cite, "the crew seats players by their account: send seat-player")
    if unfit := unnamed_role(rules_of(live), command, by.role) if type(command) in _OWN else None:
        return unfit
    if isinstance(command, k.KeyDice) and is_void(command):
        return replace(command, first=0, second=0)  # the log shows no faces of a void throw
    if type(command) in _OWN:
        return command
    asked: c.Command = command  # type: ignore[assignment]  # what is left is the game's
    role = PLAYER if duty_of(asked).whose else by.role
    return asked if asked.by == role else replace(asked, by=role)


def _on_both_sides(live: LiveTable, why: str) -> Refusal:
    """Refuse somebody on both sides of a table: by the clause against employees' wagers, or by our own duties."""
    employees = rules_of(live).rulebook.general.employees
    return refusal(employees.cite, why) if employees else Refusal("duties", why)


def _of_other_dice(live: LiveTable, command: TableCommand) -> Refusal:
    """Refuse a command that belongs to the other kind of dice."""
    procedures = rules_of(live).procedures
    if isinstance(command, (k.Roll, k.DiceOut, k.KeyDice)):
        how = "throw them with roll" if live.dice == "electronic" else "use dice-out, then key them in with key-dice"
        return refusal(procedures.throw.together.cite, f"this table has {live.dice} dice: {how}")
    if isinstance(command, (k.PutInDice, k.CondemnDice)):
        return refusal(procedures.dice.set_cite, "this table has electronic dice: there is no set to change")
    why = "the faces of electronic dice are final: nobody corrects or voids them; a dispute freezes the table"
    return refusal(procedures.dispute.cite, f"{why}, by freeze-table")


def _by_player(live: LiveTable, command: TableCommand, by: Actor) -> TableCommand | Refusal:
    match command:
        case c.TakeSeat() | k.SeatPlayer():
            if isinstance(command, k.SeatPlayer) and command.account != by.account:
                return refusal(rules_of(live).game.seats.cite, f"{by.name} cannot take a seat for somebody else")
            return k.SeatPlayer(seat=command.seat, account=by.account, name=by.name, is_employee=by.is_employee)
        case k.FreezeTable():
            if seat := seat_of(live, by.account):
                return replace(command, seat=seat)
            return refusal(rules_of(live).procedures.dispute.cite, "only a player at the table can dispute")
        case _:
            pass
    seat = getattr(command, "seat", 0)
    player = _player_at(live, seat)
    if player is None or player.account != by.account:
        return refusal(rules_of(live).game.seats.cite, f"seat {seat!r} is not {by.name}'s")
    if isinstance(command, k.Roll):
        return command
    if unfit := _unfit_stake(live, command):
        return unfit
    if command.by in (PLAYER, SHOOTER):  # type: ignore[union-attr]  # what is left is the game's
        return command
    return replace(command, by=PLAYER)


def _player_at(live: LiveTable, seat: object) -> Player | None:
    return live.players.get(seat) if type(seat) is int else None


def _unfit_employee(
    live: LiveTable, asked: TableCommand | Refusal, by: Actor, employed: Callable[[str], bool]
) -> Refusal | None:
    """Refuse an employee's stake where employees may not wager, whoever keys it in and even if hired while seated."""
    if not isinstance(asked, _STAKES) or (rule := rules_of(live).rulebook.general.employees) is None:
        return None
    player = _player_at(live, asked.seat)
    if player is None or not (employed(player.account) or (by.is_employee and by.account == player.account)):
        return None
    return refusal(rule.cite, f"{player.name} is a gaming employee and may only take down their wagers and leave")


def _unfit_excluded(live: LiveTable, asked: TableCommand | Refusal, excluded: Callable[[str], str]) -> Refusal | None:
    """Refuse to seat somebody who is kept away from the games, and their stakes once seated; they may take down."""
    if isinstance(asked, k.SeatPlayer):
        account, name = asked.account, asked.name
    elif isinstance(asked, _STAKES) and (player := _player_at(live, asked.seat)):
        account, name = player.account, player.name
    else:
        return None
    if not (why := excluded(account)):
        return None
    may = "" if isinstance(asked, k.SeatPlayer) else ", and may only take down wagers and leave"
    return Refusal(_PRACTICE, f"{name} {why}{may}")


_PRACTICE = "practice"


def _unfit_money(live: LiveTable, asked: TableCommand | Refusal, by: Actor, at: str) -> Refusal | None:
    """Refuse chips that the bank does not have, and more play money than a practice table gives."""
    if isinstance(asked, Refusal):
        return None
    unfit = unfit_play_money(live, asked, at) if live.practice_cents_max else None
    return unfit or short_of_chips(live, asked, by)


def _unfit_stake(live: LiveTable, command: TableCommand) -> Refusal | None:
    """Refuse cash and coupons that a player must hand to the dealer."""
    if not isinstance(command, _STAKES):
        return None
    general = rules_of(live).rulebook.general
    if live.buy_in != "self" and (isinstance(command, c.BuyIn) or "cash" in command.media):
        return refusal(general.media["chips"].cite, "at this table the dealer changes cash; hand it to the dealer")
    if isinstance(command, c.BuyIn) and command.coupon:
        return refusal(general.media["chips"].cite, "show the coupon to the dealer")
    return None


# --- Seats and dice -------------------------------------------------------------------------------------------------


def _seat_player(case: _Case) -> list[TableEvent] | list[Refusal]:
    """Seat an account: once at a table, and no employee where employees may not wager."""
    live, rules, command = case.live, case.rules, case.command
    refusals, decided = [], list[TableEvent]()
    if not command.account:
        refusals.append(refusal(rules.game.seats.cite, "a player needs an account"))
    if fault := name_fault(command.name):
        refusals.append(refusal(rules.game.seats.cite, fault))
    if seat := seat_of(live, command.account):
        refusals.append(refusal(rules.game.seats.cite, f"{command.name} is already at seat {seat}"))
    rule = rules.rulebook.general.employees
    if rule and command.is_employee:
        refusals.append(refusal(rule.cite, f"{command.name} is a gaming employee and may watch, not wager"))
    elif rule and command.resembles and not command.is_somebody_else:
        look = "a floorperson looks, and signs that it is somebody else (is_somebody_else) or sends them away"
        refusals.append(refusal(rule.cite, f"{command.name} may be {command.resembles}, who is employed here: {look}"))
    elif rule and command.resembles:
        decided.append(t.EmployeeRuledOut(command.seat, command.name, command.resembles, clause_text(rule.cite)))
    outcome = act(rules, live.game, c.TakeSeat(seat=command.seat, is_employee=command.is_employee))
    if isinstance(outcome, Refused):
        return [*refusals, *outcome.refusals]
    return refusals or [t.PlayerSeated(command.seat, command.account, command.name), *decided, *outcome[0]]


def _roll(case: _Case) -> _Played | Refused:
    """Close wagers for electronic dice; the dice of an old entry land in the same entry."""
    if case.recorded is None:
        return throwing.close_wagers(case.live, case.rules, case.command, case.approvals)
    thrown = act(case.rules, case.live.game, c.ThrowDice(by=SHOOTER, seat=case.command.seat))
    if isinstance(thrown, Refused):
        return thrown
    if unapproved := throwing.unapproved_dice(case.live, case.rules, case.approvals):
        return Refused(tuple(unapproved))
    roll = case.recorded()
    return _land(case, thrown, c.LandDice(first=roll.first, second=roll.second))


def _throw(case: _Case) -> _Played | Refused:
    """Throw physical dice, and land them if they are keyed in."""
    thrown: _Played | Refused = ((), case.live.game)
    is_thrown = isinstance(case.command, k.KeyDice) and case.live.game.position.dice == "air"
    if not is_thrown and (unfit := physical.unfit_dice(case.live, case.rules, case.at)):
        return Refused(tuple(unfit))
    if unfit := physical.unannounced_throw(case.live, case.command):
        return Refused(tuple(unfit))
    if not case.live.is_keyed:
        return throw_unkeyed(case.live, case.command)
    if not is_thrown:
        thrown = act(case.rules, case.live.game, c.ThrowDice(by=SHOOTER, seat=case.live.game.position.shooter))
    if isinstance(case.command, k.DiceOut) or isinstance(thrown, Refused):
        return thrown
    return _land(case, thrown, land_command(case.command))


def _land(case: _Case, thrown: _Played, land: c.LandDice) -> _Played | Refused:
    landed = act(case.rules, thrown[1], land)
    return landed if isinstance(landed, Refused) else ((*thrown[0], *landed[0]), landed[1])


_OWN: dict[type, Callable[[_Case], _Played | Refused | Sequence[TableEvent] | Sequence[Refusal]]] = {
    k.OpenTable: lambda case: [Refusal("house", f"{case.live.name} is already open; choose another name")],
    k.CloseTable: lambda case: conduct.open_irregularities(case.live, case.rules) or closing_of(case.live),
    k.SeatPlayer: _seat_player,
    k.Roll: _roll,
    k.TakeNonce: lambda case: throwing.take_nonce(case.live, case.command),
    k.CompleteRoll: lambda case: throwing.complete_roll(case.live, case.rules, case.command),
    k.CommitDice: lambda case: throwing.commit_dice(case.live, case.command),
    k.RenewDice: lambda case: throwing.renew_dice(case.live, case.rules, case.command),
    k.DiceOut: _throw,
    k.KeyDice: _throw,
    k.CorrectRoll: lambda case: correct_roll(case.live, case.command),
    k.FreezeTable: lambda case: conduct.freeze_table(case.live, case.rules, case.command),
    k.ReportShown: lambda case: conduct.report_shown(case.live, case.rules, case.command),
    k.ReleaseTable: lambda case: conduct.release_table(case.live, case.rules, case.command),
    k.NoticeLimits: lambda case: notice_limits(case.live, case.rules, case.command, case.at),
    k.CloseMeter: lambda case: close_meter(case.live, case.command),
    k.OpenMeter: lambda case: open_meter(case.live, case.command, case.approvals),
    k.AdoptRulebook: lambda case: adoption_of(
        case.live, case.command, case.approvals, case.rulebooks, recently_set(case.odds, case.at)
    ),
    k.ChangeHouse: lambda case: house_change_of(
        case.live, case.rules, case.command, case.approvals, recently_set(case.odds, case.at)
    ),
    k.ReportConduct: lambda case: conduct.report_conduct(case.live, case.rules, case.command, case.approvals),
    k.PutInDice: lambda case: physical.put_in_dice(case.live, case.rules, case.at),
    k.CondemnDice: lambda case: physical.condemn_dice(case.live, case.rules, case.command),
    k.EnterPaper: lambda case: enter_paper(case.live, case.command),
    k.RatePlayer: lambda case: rate_player(case.command),
    k.SeatEntrants: lambda case: seat_entrants(case.live, case.rules, case.command),
    k.FinishRound: lambda case: finish_round(case.live),
    k.ReportIrregularity: lambda case: conduct.report_irregularity(case.live, case.rules, case.command),
    k.DirectAction: lambda case: conduct.direct_action(case.live, case.rules, case.command),
    k.ObserveAction: lambda case: conduct.observe_action(case.live, case.rules, case.command),
}
