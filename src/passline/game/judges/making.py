"""Making and increasing wagers: every check of a proposed wager, and the events that follow if it passes.

The vigorish of a buy or lay wager that is due when the wager is made is charged in `_wager_after`.
"""

from __future__ import annotations

from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from passline.game.evolve import fold
from passline.game.judges import Verdict
from passline.game.judges.amounts import (
    amount_refusals,
    amount_type_refusals,
    limit_refusals,
    parts_refusals,
    units_refusal,
    unpayable_refusals,
)
from passline.game.judges.fast_path import Judgement, is_plain, judge_once
from passline.game.judges.permission import (
    confirmations,
    media_refusals,
    player_count_refusals,
    player_refusals,
    timing_refusals,
)
from passline.game.judges.proposed_wager import ProposedWager, tip_clause, unknown_wager
from passline.game.judges.seating import seat_refusals
from passline.game.judges.shooting import clearing_over
from passline.game.judges.working import confirmation_cite
from passline.game.position import Table, Wager
from passline.game.progressives import is_closed
from passline.money import dollars
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import (
    Composite,
    SideWager,
    WagerEntry,
    cites_when,
    clause_text,
    join_clauses,
    part_spot,
    refusal,
)


def make_wager(rules: Rules, table: Table, command: c.MakeWager) -> Verdict:
    """Judge a new wager or an addition to one; a composite wager without its area is booked as its parts.

    What depends only on the rules and the player's own wagers is judged once (`fast_path`); money, every time.
    """
    rule = rules.wagers.get(command.wager)
    if rule is None:
        return [unknown_wager(rules, command.wager)]
    if (progressive := rules.progressives.get(rule.kind)) is not None and is_closed(table, rule.kind):
        return [
            refusal(
                (progressive.closes or progressive).cite, f"the meter of {rule.display_name()} is closed at this table"
            )
        ]
    position = table.position
    if malformed := seat_refusals(rules, table, command.seat) or amount_type_refusals(rules, command):
        return malformed
    proposed = ProposedWager(rules, position, command)
    if rule.breakdown and command.number in rule.numbers:
        return _booked_as_parts(proposed, table)
    judgement = _judge(proposed) if isinstance(rule.entry, SideWager) else judge_once(proposed, _judge)
    is_funded = judgement.due <= table.money.racks[command.seat - 1] and not command.coupon
    if is_funded and not judgement.refusals and not rules.game.seats.wagering_max:  # the short way
        return judgement.events
    unfunded = _funding_refusals(rules, table, command, judgement.due)
    refusals = (*judgement.refusals, *unfunded, *player_count_refusals(rules, position, command))
    return refusals or judgement.events


def _offer_refusals(proposed: ProposedWager) -> list[Refusal]:
    """Refuse a wager that is not offered, or not in this amount, by this player, with these media, or now."""
    return (
        _not_offered(proposed)
        + amount_refusals(proposed.rules, proposed.command)
        + player_refusals(proposed)
        + media_refusals(proposed)
        + timing_refusals(proposed)
    )


def _not_offered(proposed: ProposedWager) -> list[Refusal]:
    rule = proposed.rule
    if rule.is_offered:
        return []
    why = f"this house does not offer {rule.display_name(proposed.number)}"
    return [Refusal(_offered_by(proposed.rules, rule.entry), why)]


def _offered_by(rules: Rules, entry: WagerEntry) -> str:
    """Return the clauses of the house's election to offer a wager or not."""
    key = entry.offered or "lay"
    elected = rules.house.side_wagers.get(key, "none") if isinstance(entry, SideWager) else rules.choice_of(key)
    return join_clauses(*cites_when(rules.rulebook.elections[key].cite, elected))


def _judge(proposed: ProposedWager) -> Judgement:
    rules, rule = proposed.rules, proposed.rule
    refusals = _offer_refusals(proposed)
    if not proposed.has_number or proposed.command.cents <= 0:
        return Judgement(tuple(refusals))
    after = _wager_after(proposed)
    refusals += limit_refusals(rules, rule, after, proposed.base)
    if not amount_refusals(rules, proposed.command):
        refusals += unpayable_refusals(rules, rule, after)
    refusals += _addition_refusals(proposed, after)
    charged = after.vigorish - (proposed.standing.vigorish if proposed.standing else 0)
    due = charged if "cash" in proposed.command.media else charged + proposed.command.cents
    plain = after if is_plain(proposed) and not refusals else None
    return Judgement(tuple(refusals), tuple(_events_of(proposed, after)), due, plain)


def _wager_after(proposed: ProposedWager) -> Wager:
    """Return the wager as it would stand, with the vigorish that is due when it is made."""
    rule, command = proposed.rule, proposed.command
    base = proposed.standing or Wager(command.seat, command.owner, rule.kind, proposed.number, 0)
    cents = base.cents + command.cents
    vigorish = 0
    if rule.vigorish and rule.vigorish.is_due_when_made(proposed.number):
        vigorish = proposed.rules.vigorish_on(rule, proposed.number, cents)
    pending = confirmations(proposed) or base.pending  # an addition needs its own confirmation
    return replace(
        base,
        cents=cents,
        vigorish=vigorish,
        coupon=base.coupon + command.coupon,
        pending=pending,
        late=bool(pending) and (proposed.position.dice == "air" or base.late),
    )


def _addition_refusals(proposed: ProposedWager, after: Wager) -> list[Refusal]:
    """Refuse an addition that needs confirmation: if nobody confirmed it, the whole wager would be returned."""
    if not (proposed.standing and after.pending and not proposed.standing.pending):
        return []
    needs = " and ".join(after.pending).replace("|", " or ")
    name = proposed.rule.display_name(proposed.number)
    why = f"a wager that needs confirmation by {needs} cannot be added to {name} already up"
    return [refusal(confirmation_cite(proposed.rules, after), f"{why}; add it before the throw, in chips")]


def _events_of(proposed: ProposedWager, after: Wager) -> list[e.Event]:
    rules, rule, position, command = proposed.rules, proposed.rule, proposed.position, proposed.command
    happened: list[e.Event] = []
    if "cash" in command.media:
        happened.append(e.BuyInMade(command.seat, command.cents, 0))
    grows = rule.entry.increase if proposed.standing else None
    by = grows if grows and grows.until == "deciding_roll" else rule.entry.make
    clause = clause_text(by.cite, after.number)
    if proposed.others and isinstance(rule.entry, SideWager) and rule.entry.beside:
        clause = join_clauses(clause, clause_text(rule.entry.beside.cite))
    if rule.entry.offered and not isinstance(rule.entry, SideWager):
        clause = join_clauses(clause, _offered_by(rules, rule.entry))
    if rule.vigorish and after.vigorish:
        clause = join_clauses(clause, rule.vigorish.clause(after.number))
    clause += tip_clause(rules, after)
    if proposed.standing is None:
        happened.append(e.WagerMade(after, clause))
    else:
        happened.append(e.WagerIncreased(proposed.standing, after, clause))
    if position.is_clearing and not after.pending:
        happened += clearing_over(rules, position, command.seat)
    return happened


def _booked_as_parts(proposed: ProposedWager, table: Table) -> Verdict:
    """Book a composite wager as separate wagers, all or none: judge it as a whole, then each part by itself."""
    rules, rule, command, entry = proposed.rules, proposed.rule, proposed.command, proposed.rule.entry
    assert isinstance(entry, Composite)
    assert entry.breakdown is not None
    units = sum(count for _part, count in rule.breakdown)
    refusals = _offer_refusals(proposed) + _parts_refusals(proposed, units)
    refusals += _funding_refusals(rules, table, command, 0 if "cash" in command.media else command.cents)
    if refusals:
        return refusals
    happened: list[e.Event] = []
    for part, count in rule.breakdown:
        kind, number = part_spot(rules.high_part(rule, command.number) if part == "high" else part)
        share, coupon = command.cents // units * count, command.coupon // units * count
        verdict = make_wager(rules, table, replace(command, wager=kind, number=number, cents=share, coupon=coupon))
        if isinstance(verdict[0], Refusal):
            refusals += (refusal for refusal in verdict if isinstance(refusal, Refusal) and refusal not in refusals)
            continue
        events: list[e.Event] = [*verdict]
        table = fold(table, events)
        happened += events
    own = (clause_text(entry.make.cite), clause_text(entry.breakdown.cite))
    return refusals or [
        replace(event, clause=join_clauses(event.clause, *own))
        if isinstance(event, (e.WagerMade, e.WagerIncreased))
        else event
        for event in happened
    ]


def _parts_refusals(proposed: ProposedWager, units: int) -> list[Refusal]:
    """Refuse an amount that does not divide into whole parts."""
    rules, command, entry = proposed.rules, proposed.command, proposed.rule.entry
    assert isinstance(entry, Composite)
    each = units * rules.chip
    if entry.units and (command.cents % each or command.coupon % each):
        return [units_refusal(rules, proposed.rule, command.cents)]
    whole = Wager(command.seat, command.owner, command.wager, command.number, command.cents, coupon=command.coupon)
    if not amount_refusals(rules, command) and (unfit := parts_refusals(rules, proposed.rule, whole)):
        return unfit
    if command.cents % units or command.coupon % units:
        why = f"{dollars(command.cents)} does not divide into {units} parts of whole cents"
        return [refusal(rules.rulebook.general.unpayable.cite, why)]
    return []


def _funding_refusals(rules: Rules, table: Table, command: c.MakeWager, due: int) -> list[Refusal]:
    media = rules.rulebook.general.media
    rack, coupons = table.money.racks[command.seat - 1], table.money.coupons[command.seat - 1]
    refusals = []
    if due > rack:
        why = f"seat {command.seat} has {dollars(rack)} and this needs {dollars(due)}; call bets are not accepted"
        refusals.append(refusal(media["call"].cite, why, is_money=True))
    if command.coupon > coupons:
        cite = media.get("match_play", media["chips"]).cite
        refusals.append(refusal(cite, f"seat {command.seat} has no such coupon", is_money=True))
    return refusals
