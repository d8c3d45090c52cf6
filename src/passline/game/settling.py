"""Settlement: what a roll takes, pays, returns and moves, wager by wager, memoised on the rules."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import Roll
from passline.game import events as e
from passline.game.position import Position, Wager
from passline.game.wagers import outcome_of
from passline.game.wagers.outcome import Outcome
from passline.rules.rules import Rules, WagerRule, clause_text
from passline.rules.schema import Composite, OneRoll

__all__ = ["high_part", "settlement"]

_ORDERS = {"take_then_pay": ("takes", "pays"), "pay_then_take": ("pays", "takes")}


class _Verdict(Struct, frozen=True):
    """The events one roll makes of one wager, sorted into the four rounds of a settlement."""

    takes: tuple[e.Event, ...] = ()
    pays: tuple[e.Event, ...] = ()
    returns: tuple[e.Event, ...] = ()
    moves: tuple[e.Event, ...] = ()


_STAYS = _Verdict()


def settlement(rules: Rules, position: Position, roll: Roll) -> list[e.Event]:
    """Give the settlement of a roll in order: take and pay as the house elected, then return and move."""
    puck = position.puck
    verdicts: dict[Wager, _Verdict] = rules.memo.setdefault((puck, roll), {})
    decided = []
    for wager in position.layout:
        verdict = verdicts.get(wager)
        if verdict is None:
            verdict = verdicts[wager] = _verdict(rules, wager, puck, roll)
        if verdict is not _STAYS:
            decided.append(verdict)
    first, second = _ORDERS[rules.house.settlement]
    happened: list[e.Event] = []
    for round_ in (first, second, "returns", "moves"):
        for verdict in decided:
            happened.extend(getattr(verdict, round_))
    return happened


def _verdict(rules: Rules, wager: Wager, puck: int, roll: Roll) -> _Verdict:
    rule = rules.wagers[wager.kind]
    if rule.family == "composite":
        return _composite(rules, rule, wager, roll)
    outcome = outcome_of(rules, wager, puck=puck, roll=roll)
    match outcome.does:
        case "stay":
            return _STAYS
        case "move":
            moved = e.WagerMoved(wager, replace(wager, number=roll.total), outcome.clause)
            return _Verdict(moves=(moved,))
        case "return":
            return _Verdict(returns=(e.WagerReturned(wager, outcome.clause),))
        case "lose":
            return _Verdict(takes=(e.WagerLost(wager, None, "", wager.cents, outcome.clause),))
        case "win":
            return _Verdict(pays=(_paid(rules, rule, wager, outcome),))


def _paid(rules: Rules, rule: WagerRule, wager: Wager, outcome: Outcome) -> e.WagerWon:
    assert outcome.payout is not None
    winnings = _winnings(rules, outcome, wager.cents) + _winnings(rules, outcome, wager.coupon)
    vigorish, clause = 0, outcome.clause
    if rule.vigorish and not rule.vigorish.is_due_when_made(wager.number):
        vigorish = rules.vigorish_on(rule, wager.number, wager.cents)
        clause = f"{clause}, {rule.vigorish.clause}"
    return e.WagerWon(
        wager=wager,
        after=None,
        part="",
        cents=wager.cents,
        pays=outcome.payout.pays,
        winnings=winnings,
        vigorish=vigorish,
        clause=clause,
    )


def _winnings(rules: Rules, outcome: Outcome, cents: int) -> int:
    assert outcome.payout is not None
    won = rules.winnings(outcome.payout, cents)
    assert won is not None, "an amount that cannot be paid was accepted"
    return won


def _composite(rules: Rules, rule: WagerRule, wager: Wager, roll: Roll) -> _Verdict:
    """Settle part by part: the losing parts are taken, then the winning ones paid; the last event ends the wager."""
    unit, coupon = wager.cents // rule.units, wager.coupon // rule.units
    judged: list[tuple[str, int, int, Outcome]] = []
    for part, units in rule.parts:
        kind = part if part != "high" else high_part(rules, rule, wager.number)
        alone = Wager(wager.seat, wager.owner, kind, 0, unit * units)
        outcome = outcome_of(rules, alone, puck=0, roll=roll)
        judged.append((kind, unit * units, coupon * units, outcome))
    judged.sort(key=lambda one: one[3].does == "win")
    takes: list[e.Event] = []
    pays: list[e.Event] = []
    standing = wager
    for index, (part, cents, face, outcome) in enumerate(judged):
        is_last = index == len(judged) - 1
        after = None if is_last else replace(standing, cents=standing.cents - cents)
        clause = f"{outcome.clause}, {_parts_clause(rule)}"
        if outcome.does == "lose":
            takes.append(e.WagerLost(standing, after, part, cents, clause))
        else:
            assert outcome.payout is not None
            winnings = _winnings(rules, outcome, cents) + _winnings(rules, outcome, face)
            pays.append(e.WagerWon(standing, after, part, cents, outcome.payout.pays, winnings, 0, clause))
        standing = after or standing
    return _Verdict(takes=tuple(takes), pays=tuple(pays))


def high_part(rules: Rules, rule: WagerRule, number: int) -> str:
    """Give the wager that the chosen number of a composite wager stands for: 12 is craps_12, 11 is eleven."""
    for part, _units in rule.parts:
        entry = rules.wagers[part].entry if part != "high" else None
        if isinstance(entry, OneRoll) and entry.win.totals == (number,):
            return part
    message = f"{rule.kind} has no part on {number}"
    raise AssertionError(message)


def _parts_clause(rule: WagerRule) -> str:
    assert isinstance(rule.entry, Composite)
    return clause_text(rule.entry.parts.cite)
