"""Calling wagers on and off, the dealer's button that marks a call, and the crew's confirmations."""

from __future__ import annotations

from msgspec.structs import replace

from passline.authority.duties import may_not, name_of
from passline.game import commands as c
from passline.game import events as e
from passline.game.judges import Verdict
from passline.game.judges.proposed_wager import number_meant, unknown_wager
from passline.game.judges.removing import lock_refusals, point_lock
from passline.game.judges.seating import seat_refusals
from passline.game.judges.shooting import clearing_over
from passline.game.position import Position, Table, Wager, find
from passline.game.wagers import is_working
from passline.refusal import Refusal
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Cite, clause_text, join_clauses, refusal

_CALLS = ("on", "off")


def _find_wager(
    rules: Rules, table: Table, command: c.CallWager | c.PlaceButton | c.ConfirmWager
) -> tuple[Wager | None, list[Refusal]]:
    if unfit := seat_refusals(rules, table, command.seat):
        return None, unfit
    rule = rules.wagers.get(command.wager)
    if rule is None:
        return None, [unknown_wager(rules, command.wager)]
    number = number_meant(rules, table.position, rule, command.number)
    wager = find(table.position, command.seat, command.wager, number, command.owner)
    if wager is None:
        why = f"seat {command.seat} has no {rule.display_name(number)} up"
        if isinstance(command, c.ConfirmWager):
            nothing = Wager(command.seat, "player", command.wager, number, 0, late=table.position.dice == "air")
            return None, [refusal(confirmation_cite(rules, nothing), why)]
        return None, [Refusal(call_clause(rules, rule, number), why)]
    return wager, []


def call_clause(rules: Rules, rule: WagerRule, number: int) -> str:
    """Return the clause by which a wager works or not, with the one about calls if the regulation has one."""
    call_on, cite = rules.rulebook.general.call_on, (rule.entry.come_out or rules.rulebook.general.works).cite
    own = clause_text(cite, number if number in rule.numbers else 0)
    return join_clauses(own, clause_text(call_on.cite)) if call_on.apart else own


def calls_of(rules: Rules, rule: WagerRule) -> tuple[str, ...]:
    """Return the calls a player may make on a wager, apart from taking one back.

    >>> rules = Rules.of("maryland")
    >>> calls_of(rules, rules.wagers["pass"]), calls_of(rules, rules.wagers["hardway"])
    ((), ('on',))
    """
    is_on = rule.call == "on" and not rule.works_on_come_out
    is_off = rule.call == "off" or (rules.house.off_calls and rule.family in {"number", "odds", "hardway"})
    return ("on",) * is_on + ("off",) * is_off


def call_wager(rules: Rules, table: Table, command: c.CallWager) -> Verdict:
    """Judge a player's call: a wager off by default may be called on; calling off depends on the house."""
    wager, unfit = _find_wager(rules, table, command)
    if wager is None:
        return unfit
    rule = rules.wagers[command.wager]
    clause = call_clause(rules, rule, wager.number)
    is_taken_back = wager.working.rstrip("?") not in {"", command.call}
    refusals = []
    if table.position.is_rolling:
        refusals.append(Refusal(clause, "the dice have been thrown"))
    if command.call not in _CALLS:
        refusals.append(Refusal(clause, f"a wager is called on or off, not {command.call!r}"))
    elif not is_taken_back and command.call not in calls_of(rules, rule):
        refusals.append(_no_such_call(rules, table.position, wager, command.call))
    if refusals:
        return refusals
    called = replace(wager, working="" if is_taken_back else f"{command.call}?")
    happened: list[e.Event] = [e.WagerCalled(wager, called, clause)]
    if "button" in rules.automate and not is_taken_back:
        happened.append(_place_button(rules, called))
    return happened


def _no_such_call(rules: Rules, position: Position, wager: Wager, call: str) -> Refusal:
    """Refuse a call that changes nothing or is not allowed; say so if the wager can be removed instead."""
    rule = rules.wagers[wager.kind]
    cite = (rule.entry.come_out or rules.rulebook.general.works).cite
    if is_working(rule, wager, is_come_out=not position.puck) is (call == "on"):
        return refusal(cite, f"{rule.display_name(wager.number)} is already {call}", wager.number)
    why = f"{rule.display_name(wager.number)} may not be called {call}"
    lock = point_lock(rules, position, wager)
    if lock is None:
        can_come_down = call == "off" and not lock_refusals(rules, position, wager)
        return refusal(cite, f"{why}; it can be removed" if can_come_down else why, wager.number)
    clause = join_clauses(clause_text(cite, wager.number), clause_text(lock.cite))
    return Refusal(clause, f"{why}, and is locked once its point is set")


def _place_button(rules: Rules, wager: Wager, *, with_others: bool = False) -> e.ButtonPlaced:
    clause = call_clause(rules, rules.wagers[wager.kind], wager.number)
    like = rules.rulebook.general.call_on.like_wagers
    if like and with_others:
        clause = join_clauses(clause, clause_text(like.cite))
    return e.ButtonPlaced(wager, replace(wager, working=wager.working.rstrip("?")), clause)


def place_button(rules: Rules, table: Table, command: c.PlaceButton) -> Verdict:
    """Judge the dealer's button; where one button is enough, it marks all wagers of a kind the player has called."""
    wager, unfit = _find_wager(rules, table, command)
    if wager is None:
        return unfit
    call_on, clause = rules.rulebook.general.call_on, call_clause(rules, rules.wagers[wager.kind], wager.number)
    refusals = []
    if command.by not in (dealers := rules.roles(call_on.button_by)):
        refusals.append(Refusal(clause, may_not(command.by, f"give {name_of(command)}", dealers)))
    if not wager.working.endswith("?"):
        refusals.append(Refusal(clause, "the player has not called this wager"))
    if table.position.is_rolling:
        refusals.append(Refusal(clause, "the dice have been thrown"))
    if refusals:
        return refusals
    if not call_on.like_wagers:
        return [_place_button(rules, wager)]
    alike = [
        other
        for other in table.position.layout
        if other.seat == wager.seat and other.kind == wager.kind and other.working == wager.working
    ]
    return [_place_button(rules, wager, with_others=len(alike) > 1) for wager in alike]


def confirm_wager(rules: Rules, table: Table, command: c.ConfirmWager) -> Verdict:
    """Judge one confirmation: of a late wager, a spoken cash wager, or a centre wager put up by the crew."""
    wager, unfit = _find_wager(rules, table, command)
    if wager is None:
        return unfit
    cite = confirmation_cite(rules, replace(wager, late=table.position.dice == "air"))  # in the air it is late
    rest = tuple(roles for roles in wager.pending if command.by not in roles.split("|"))
    if table.position.dice in {"rest", "called"}:
        return [refusal(cite, "the dice have come to rest")]
    if not wager.pending:
        return [refusal(cite, "this wager needs no confirmation, or already has it")]
    if rest == wager.pending:
        needs = " and ".join(wager.pending).replace("|", " or ")
        return [refusal(cite, f"the {needs} must confirm this wager, not the {command.by}")]
    after = replace(wager, pending=rest, late=wager.late and bool(rest))
    happened: list[e.Event] = [e.WagerConfirmed(wager, after, command.by, clause_text(cite))]
    if table.position.is_clearing and not rest:  # in a clearing only line wagers are made
        happened += clearing_over(rules, table.position, wager.seat)
    return happened


def confirmation_cite(rules: Rules, wager: Wager) -> Cite:
    """Return the clause by which a wager needs confirmation: late, in the centre, or spoken with cash."""
    general, late, cash = rules.rulebook.general, rules.game.late, rules.rulebook.general.media.get("cash")
    if wager.late:
        return (late.confirm or late).cite
    if general.centre_placed_by and rules.wagers[wager.kind].centre:
        return general.centre_placed_by.cite
    if cash and cash.confirm:
        return cash.cite
    return (late.confirm or general.media["chips"]).cite


def lapsed_calls(rules: Rules, wagers: list[Wager]) -> list[e.Event]:
    """Return the calls that end because a point was set."""
    return [
        e.CallLapsed(wager, replace(wager, working=""), call_clause(rules, rules.wagers[wager.kind], wager.number))
        for wager in wagers
        if wager.working
    ]
