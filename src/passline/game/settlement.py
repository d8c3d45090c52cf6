"""Settlement: what a roll takes, pays, returns and moves, wager by wager, cached per `Rules`.

The vigorish of a buy or lay wager that is due when the wager wins is charged in `_payment`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from itertools import chain
from typing import Literal

from msgspec.structs import replace

from passline.dice import Roll, roll_of
from passline.game import events as e
from passline.game.position import Position, Wager
from passline.game.wagers import Outcome, heed_of, outcome_of
from passline.rules.memo import Memo
from passline.rules.meters import meter_share
from passline.rules.rules import Payout, Rules, WagerRule
from passline.rules.schema import Composite, SideWager, cites_of, clause_text, join_clauses, part_spot

_Round = Literal["take", "pay", "side pay", "return", "move"]
_Verdict = tuple[tuple[_Round, e.Event], ...]
"""The events of one wager on one roll, each with its round of the settlement; none for a wager that stays."""
_VERDICTS: defaultdict[tuple[int, bool, Roll], Memo[Wager, _Verdict]] = defaultdict(Memo)  # by puck, clearing, roll
_VERDICTS_ON_ANY_POINT: defaultdict[Roll, Memo[Wager, _Verdict]] = defaultdict(Memo)
_THEN: tuple[_Round, ...] = ("side pay", "return", "move")  # a side wager is paid after the usual take and pay
_ORDERS: dict[str, tuple[_Round, ...]] = {
    "take_then_pay": ("take", "pay", *_THEN),
    "pay_then_take": ("pay", "take", *_THEN),
}


def settlement(rules: Rules, position: Position, roll: Roll) -> list[e.Event]:
    """Return the events of a roll's settlement: take and pay in the order the house elected, then return and move."""
    puck = position.puck
    if roll.first > roll.second:
        roll = roll_of(roll.second, roll.first)  # the order of the dice decides nothing
    verdicts = rules.memory_of(_VERDICTS[puck, position.is_clearing, roll])
    rounds: dict[_Round, list[e.Event]] = {group: [] for group in _ORDERS[rules.house.settlement]}
    for wager in position.layout:
        verdict = verdicts.get(wager)
        if verdict is None:
            verdict = verdicts[wager] = _remembered_verdict(rules, wager, position, roll)
        for group, event in verdict:
            rounds[group].append(event)
    return [*chain.from_iterable(rounds.values())]


def _remembered_verdict(rules: Rules, wager: Wager, position: Position, roll: Roll) -> _Verdict:
    """Settle a wager once for all points if the puck's own point does not matter to it."""
    puck, rule = position.puck, rules.wagers[wager.kind]
    if not puck or heed_of(rule, wager.number) == "point":
        return _verdict(rules, wager, puck, roll, is_clearing=position.is_clearing)
    verdicts = rules.memory_of(_VERDICTS_ON_ANY_POINT[roll])
    verdict = verdicts.get(wager)
    if verdict is None:
        verdict = verdicts[wager] = _verdict(rules, wager, puck, roll)
    return verdict


def _verdict(rules: Rules, wager: Wager, puck: int, roll: Roll, *, is_clearing: bool = False) -> _Verdict:
    rule = rules.wagers[wager.kind]
    if rule.family == "composite":
        return _composite(rules, rule, wager, roll)
    outcome = outcome_of(rules, wager, puck=puck, roll=roll, is_clearing=is_clearing)
    match outcome.does:
        case "stay":
            return ()
        case "move":
            moved = e.WagerMoved(wager, replace(wager, number=roll.total), outcome.clause)
            return (("move", moved),)
        case "advance":
            after = replace(wager, progress=outcome.progress)
            return (("move", e.WagerProgressed(wager, after, outcome.clause)),)
        case "pay":
            paid = _payment(rules, rule, wager, outcome)
            return (("side pay", replace(paid, after=replace(wager, progress=outcome.progress), cents=0)),)
        case "return":
            return (("return", e.WagerReturned(wager, _coupon(rules, wager, outcome.clause))),)
        case "lose":
            lost = e.WagerLost(wager, None, "", wager.cents, _coupon(rules, wager, outcome.clause))
            return (("take", lost),)
        case "win":
            paid = _payment(rules, rule, wager, outcome)
            return (("side pay" if isinstance(rule.entry, SideWager) else "pay", paid),)


def _payment(rules: Rules, rule: WagerRule, wager: Wager, outcome: Outcome) -> e.WagerWon:
    assert outcome.payout is not None
    winnings = _winnings(rules, outcome, wager.cents) + _winnings(rules, outcome, wager.coupon)
    vigorish, clause = 0, _coupon(rules, wager, outcome.clause)
    if rule.vigorish and not rule.vigorish.is_due_when_made(wager.number):
        vigorish = rules.vigorish_on(rule, wager.number, wager.cents)
        clause = join_clauses(clause, rule.vigorish.clause(wager.number))
    clause = join_clauses(clause, _rounding(rules, outcome, wager.cents + wager.coupon, winnings))
    if rules.meters and outcome.payout.share:
        winnings += meter_share(rules, rule.kind, outcome.payout.share)
    return e.WagerWon(
        wager=wager,
        after=None,
        part="",
        cents=wager.cents,
        pays=outcome.payout.pays,
        winnings=winnings,
        vigorish=vigorish,
        clause=clause,
        share=outcome.payout.share,
    )


def _coupon(rules: Rules, wager: Wager, clause: str) -> str:
    """Return the clauses of a settlement, with that of match play if the wager has a coupon."""
    return (
        join_clauses(clause, clause_text(rules.rulebook.general.media["match_play"].cite)) if wager.coupon else clause
    )


def _winnings(rules: Rules, outcome: Outcome, cents: int) -> int:
    assert outcome.payout is not None
    won = rules.winnings(outcome.payout, cents)
    assert won is not None, "an amount that cannot be paid was accepted"
    return won


def _rounding(rules: Rules, outcome: Outcome, cents: int, winnings: int) -> str:
    """Return the clause by which a payment was rounded up to the next chip, if it was."""
    assert outcome.payout is not None
    return "" if outcome.payout.pays.whole(cents) == winnings else clause_text(rules.rulebook.general.unpayable.cite)


def _composite(rules: Rules, rule: WagerRule, wager: Wager, roll: Roll) -> _Verdict:
    """Settle a composite wager part by part, in the order the house elected; the last event ends the wager."""
    judged: list[tuple[str, int, int, Outcome]] = []
    for kind, cents, face in parts_of(rules, rule, wager):
        alone = Wager(wager.seat, wager.owner, *part_spot(kind), cents)
        judged.append((kind, cents, face, outcome_of(rules, alone, puck=0, roll=roll)))
    own = _composite_clauses(rule, is_won=any(row[3].does == "win" for row in judged))
    last = "win" if rules.house.settlement == "take_then_pay" else "lose"
    judged.sort(key=lambda row: row[3].does == last)
    verdict: list[tuple[_Round, e.Event]] = []
    standing = wager
    for index, (part, cents, face, outcome) in enumerate(judged):
        is_last = index == len(judged) - 1
        after = None if is_last else replace(standing, cents=standing.cents - cents)
        clause = _coupon(rules, wager, join_clauses(outcome.clause, *own))
        if outcome.does == "lose":
            verdict.append(("take", e.WagerLost(standing, after, part, cents, clause)))
        else:
            assert outcome.payout is not None
            winnings = _winnings(rules, outcome, cents) + _winnings(rules, outcome, face)
            clause = join_clauses(clause, _rounding(rules, outcome, cents + face, winnings))
            won = e.WagerWon(standing, after, part, cents, outcome.payout.pays, winnings, 0, clause)
            verdict.append(("pay", won))
        standing = after or standing
    return tuple(verdict)


def parts_of(rules: Rules, rule: WagerRule, wager: Wager) -> list[tuple[str, int, int]]:
    """Return the parts of a composite wager: each kind with its share of the chips and of the coupon."""
    unit, coupon = wager.cents // rule.units, wager.coupon // rule.units
    return [
        (part if part != "high" else rules.high_part(rule, wager.number), unit * units, coupon * units)
        for part, units in rule.parts
    ]


def coupon_share(rule: WagerRule, wager: Wager, part: str) -> int:
    """Return one part's share of a wager's coupon; all of it if the wager has no parts."""
    units = next((units for kind, units in rule.parts if kind == part), rule.units)
    return wager.coupon // rule.units * units


def parts_are_in_chips(rules: Rules, rule: WagerRule, wager: Wager) -> bool:
    """Return whether every part of a composite wager can be made from the smallest chip."""
    if wager.cents % rule.units or wager.coupon % rule.units:
        return False
    return not any(cents % rules.chip or face % rules.chip for _part, cents, face in parts_of(rules, rule, wager))


def parts_are_payable(rules: Rules, rule: WagerRule, wager: Wager) -> bool:
    """Return whether every part of a composite wager could be paid exactly if it won."""
    return all(
        rules.winnings(payout, cents) is not None and rules.winnings(payout, face) is not None
        for part, cents, face in parts_of(rules, rule, wager)
        for payout in _payouts_of(rules, part)
    )


def _payouts_of(rules: Rules, part: str) -> Collection[Payout]:
    kind, number = part_spot(part)
    payouts = rules.wagers[kind].payouts
    return (payouts[number],) if number else payouts.values()


def _composite_clauses(rule: WagerRule, *, is_won: bool) -> list[str]:
    """Return the clauses by which a composite wager as a whole wins or loses and is settled in parts."""
    entry = rule.entry
    assert isinstance(entry, Composite)
    decided = entry.win if is_won else entry.lose
    return [*cites_of(decided.cite), *cites_of(entry.parts.cite)]
