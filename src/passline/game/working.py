"""Calling wagers on and off, the dealer's button, and the crew's confirmations."""

from __future__ import annotations

from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from passline.game.offer import label
from passline.game.position import Table, Wager, find
from passline.game.refusal import Refusal, Verdict, refusal
from passline.game.seating import unfit_seat
from passline.rules.rules import Rules, WagerRule, clause_text
from passline.rules.schema import Cite

__all__ = ["call_wager", "confirm_wager", "confirmation_cite", "lapsed_calls", "place_button"]

_CALLS = ("on", "off")


def _standing(
    rules: Rules, table: Table, command: c.CallWager | c.PlaceButton | c.ConfirmWager
) -> tuple[Wager | None, list[Refusal]]:
    general = rules.rulebook.general
    if unfit := unfit_seat(rules, table, command.seat):
        return None, unfit
    rule = rules.wagers.get(command.wager)
    if rule is None:
        why = f"{command.wager!r} is not a wager of {rules.rulebook.name}"
        return None, [refusal(general.closed_list.cite, why)]
    wager = find(table.position, command.seat, command.wager, command.number, command.owner)
    if wager is None:
        return None, [refusal(general.call_on.cite, f"seat {command.seat} has no {label(rule, command.number)} up")]
    return wager, []


def _may_call(rules: Rules, rule: WagerRule, wager: Wager, call: str) -> bool:
    if wager.working.rstrip("?") == ("off" if call == "on" else "on"):
        return True  # a call can be taken back
    if call == "on":
        return rule.call == "on" and not rule.works_on_come_out
    return rule.call == "off" or (rules.house.off_calls and rule.family in {"number", "odds", "hardway"})


def call_wager(rules: Rules, table: Table, command: c.CallWager) -> Verdict:
    """Judge a player's call: what is off by default may be called on; what is on mostly stays on."""
    wager, unfit = _standing(rules, table, command)
    if wager is None:
        return unfit
    rule, general = rules.wagers[command.wager], rules.rulebook.general
    cite = (rule.entry.come_out or general.works).cite
    refusals = []
    if command.by not in {"player", "shooter"}:
        refusals.append(refusal(general.call_on.cite, f"a call is the player's, not the {command.by}'s"))
    if table.position.dice in {"air", "rest", "called"}:
        refusals.append(refusal(general.call_on.cite, "the dice have been thrown"))
    if command.call not in _CALLS:
        refusals.append(refusal(general.call_on.cite, f"a wager is called on or off, not {command.call!r}"))
    elif not _may_call(rules, rule, wager, command.call):
        why = f"a {rule.name} may not be called {command.call}" + (
            "; it can be removed" if command.call == "off" else ""
        )
        refusals.append(refusal(cite, why, command.number))
    if refusals:
        return refusals
    called = replace(wager, working=f"{command.call}?")
    happened: list[e.Event] = [
        e.WagerCalled(wager, called, clause_text(cite, command.number if isinstance(cite, dict) else 0))
    ]
    if "button" in rules.automate:
        happened.append(_marked(rules, called))
    return happened


def _marked(rules: Rules, wager: Wager) -> e.ButtonPlaced:
    after = replace(wager, working=wager.working.rstrip("?"))
    return e.ButtonPlaced(wager, after, clause_text(rules.rulebook.general.call_on.cite))


def place_button(rules: Rules, table: Table, command: c.PlaceButton) -> Verdict:
    """Judge the dealer's button; where the rules let one button do, it marks all like wagers the player has called."""
    wager, unfit = _standing(rules, table, command)
    if wager is None:
        return unfit
    call_on = rules.rulebook.general.call_on
    refusals = []
    if command.by not in rules.roles(call_on.button_by):
        refusals.append(refusal(call_on.cite, f"the button is the dealer's to place, not the {command.by}'s"))
    if not wager.working.endswith("?"):
        refusals.append(refusal(call_on.cite, "its player has not called this wager"))
    if table.position.dice in {"air", "rest", "called"}:
        refusals.append(refusal(call_on.cite, "the dice have been thrown"))
    if refusals:
        return refusals
    if not call_on.like_wagers:
        return [_marked(rules, wager)]
    alike = [
        one
        for one in table.position.layout
        if one.seat == wager.seat and one.kind == wager.kind and one.working == wager.working
    ]
    return [_marked(rules, one) for one in alike]


def confirm_wager(rules: Rules, table: Table, command: c.ConfirmWager) -> Verdict:
    """Judge one confirmation: late wagers, spoken cash wagers, centre wagers put up by the crew."""
    wager, unfit = _standing(rules, table, command)
    if wager is None:
        return unfit
    cite = confirmation_cite(rules, wager)
    rest = tuple(one for one in wager.pending if command.by not in one.split("|"))
    if table.position.dice in {"rest", "called"}:
        return [refusal(cite, "the dice have come to rest")]
    if rest == wager.pending:
        needs = " and ".join(wager.pending) or "no one"
        return [refusal(cite, f"this wager needs the confirmation of {needs}, not of the {command.by}")]
    after = replace(wager, pending=rest, late=wager.late and bool(rest))
    return [e.WagerConfirmed(wager, after, command.by, clause_text(cite))]


def confirmation_cite(rules: Rules, wager: Wager) -> Cite:
    """Give the clause by which a wager needs confirming: made late, put up in the centre, or spoken with cash."""
    general, late = rules.rulebook.general, rules.game.late
    if wager.late:
        return (late.confirm or late).cite
    if general.centre_placed_by and rules.wagers[wager.kind].centre:
        return general.centre_placed_by.cite
    cash = general.media.get("cash")
    return (cash if cash and cash.confirm else general.media["chips"]).cite


def lapsed_calls(rules: Rules, wagers: list[Wager]) -> list[e.Event]:
    """Give the calls that end because a point was set."""
    clause = clause_text(rules.rulebook.general.call_on.cite)
    return [e.CallLapsed(wager, replace(wager, working=""), clause) for wager in wagers if wager.working]
