"""Making and increasing wagers: every question asked of an offer, and the events that answer it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from passline.game.amounts import not_in_units, unfit_limits, unpayable
from passline.game.evolve import fold
from passline.game.media import confirmations, too_many_players, unfit_amount, unfit_media, unfit_player
from passline.game.moments import unfit_moment
from passline.game.offer import Offer, tip_clause
from passline.game.position import Position, Table, Wager
from passline.game.refusal import Refusal, Verdict, refusal
from passline.game.seating import unfit_seat
from passline.game.settling import high_part
from passline.money import dollars
from passline.rules.rules import Rules, WagerRule, clause_text
from passline.rules.schema import Composite, SideWager, cites_of

__all__ = ["make_wager"]


class _Judged(Struct, frozen=True, gc=False):
    """What the rules say to a wager, whoever has how much: the refusals, or the events and what they cost the rack."""

    refusals: tuple[Refusal, ...]
    events: tuple[e.Event, ...] = ()
    due: int = 0


def make_wager(rules: Rules, table: Table, command: c.MakeWager) -> Verdict:
    """Judge a new wager or an addition to one; a composite wager without its area is booked as its parts.

    All that depends on the rules and the player's own wagers is judged once and remembered; money is judged every time.
    """
    rule = rules.wagers.get(command.wager)
    unfit = _unknown(rules, rule, command) or unfit_seat(rules, table, command.seat) or unfit_amount(rules, command)
    if unfit:
        return unfit
    assert rule is not None
    if rule.breakdown and command.number in rule.numbers:
        return _booked_as_parts(rules, table, command, rule)
    position = table.position
    offer = Offer(rules, position, command)
    judged = _judge(offer) if isinstance(rule.entry, SideWager) else _remembered(offer)
    is_funded = judged.due <= table.money.racks[command.seat - 1] and not command.coupon
    if is_funded and not judged.refusals and not rules.game.seats.wagering_max:
        return judged.events
    unfunded = _unfunded(rules, table, command, judged.due)
    refusals = (*judged.refusals, *unfunded, *too_many_players(rules, position, command))
    return refusals or judged.events


def _unknown(rules: Rules, rule: WagerRule | None, command: c.MakeWager) -> list[Refusal]:
    closed = rules.rulebook.general.closed_list
    if without := rules.game.without.get(command.wager):
        name = rules.rulebook.wagers[command.wager].name
        return [refusal(without.cite, f"{rules.house.game} has no {name}")]
    if rule is None:
        return [refusal(closed.cite, f"{command.wager!r} is not a wager of {rules.rulebook.name}")]
    if not rule.is_offered:
        offered = rules.rulebook.elections.get(rule.entry.offered or "lay", closed)
        return [refusal(offered.cite, f"this house does not offer the {rule.name}")]
    return []


def _remembered(offer: Offer) -> _Judged:
    """Judge an offer, or recall what was said to one like it."""
    position, command = offer.position, offer.command
    known = offer.rules.remembered("making")
    puck = position.puck if offer.rule.behind else position.puck > 0  # only odds ask which point it is
    state, clearing = position.seats[command.seat - 1], position.is_clearing and position.shooter
    key = (command, offer.standing, offer.base, puck, position.dice, state, clearing)
    judged: _Judged | None = known.get(key)
    if judged is None:
        judged = known[key] = _judge(offer)
    return judged


def _judge(offer: Offer) -> _Judged:
    rules, rule = offer.rules, offer.rule
    refusals = unfit_player(offer) + unfit_media(offer) + unfit_moment(offer)
    if not offer.has_number:
        return _Judged(tuple(refusals))
    after = _after(offer)
    refusals += unfit_limits(rules, rule, after, offer.base)
    refusals += unpayable(rules, rule, after)
    refusals += _unfit_addition(offer, after)
    charged = after.vigorish - (offer.standing.vigorish if offer.standing else 0)
    due = charged if "cash" in offer.command.media else charged + offer.command.cents
    return _Judged(tuple(refusals), tuple(_made(offer, after)), due)


def _after(offer: Offer) -> Wager:
    """Give the wager as it would stand."""
    rule, command = offer.rule, offer.command
    base = offer.standing or Wager(command.seat, command.owner, rule.kind, offer.number, 0)
    cents = base.cents + command.cents
    vigorish = 0
    if rule.vigorish and rule.vigorish.is_due_when_made(offer.number):
        vigorish = offer.rules.vigorish_on(rule, offer.number, cents)
    pending = confirmations(offer) or base.pending  # an addition is confirmed anew
    return replace(
        base,
        cents=cents,
        vigorish=vigorish,
        coupon=base.coupon + command.coupon,
        pending=pending,
        late=bool(pending) and (offer.position.dice == "air" or base.late),
    )


def _unfit_addition(offer: Offer, after: Wager) -> list[Refusal]:
    """Refuse an addition that awaits confirmation: unconfirmed, it would take what stands back with it."""
    if not (offer.standing and after.pending and not offer.standing.pending):
        return []
    late = offer.rules.game.late
    cite = (late.confirm or late).cite if after.late else offer.rules.rulebook.general.media["chips"].cite
    needs = " and ".join(after.pending)
    why = f"an addition that {needs} must confirm cannot be told from the {offer.rule.name} that stands"
    return [refusal(cite, why)]


def _made(offer: Offer, after: Wager) -> list[e.Event]:
    rule, position, command = offer.rule, offer.position, offer.command
    happened: list[e.Event] = []
    if "cash" in command.media:
        happened.append(e.BuyInMade(command.seat, command.cents, 0))
    by = rule.entry.make if offer.standing is None else rule.entry.increase or rule.entry.make
    clause = clause_text(by.cite, after.number if isinstance(by.cite, dict) else 0)
    if offer.others and isinstance(rule.entry, SideWager) and rule.entry.beside:
        clause = ", ".join(dict.fromkeys([*clause.split(", "), *cites_of(rule.entry.beside.cite)]))
    if rule.vigorish and after.vigorish:
        clause = f"{clause}, {rule.vigorish.clause}"
    clause += tip_clause(offer.rules, after)
    if offer.standing is None:
        happened.append(e.WagerMade(after, clause))
    else:
        happened.append(e.WagerIncreased(offer.standing, after, clause))
    if position.is_clearing:
        happened += _clearing_over(offer.rules, position, command.seat)
    return happened


def _clearing_over(rules: Rules, position: Position, seat: int) -> list[e.Event]:
    """A line wager ends the clearing; unless the shooter made it, the dice go round again."""
    ends = clause_text(rules.procedures.clearing.ends.cite)
    happened: list[e.Event] = [e.ClearingEnded(ends)]
    if seat != position.shooter:
        happened.append(e.DiceSurrendered(position.shooter, "line_wager_wanted", ends))
    return happened


def _booked_as_parts(rules: Rules, table: Table, command: c.MakeWager, rule: WagerRule) -> Verdict:
    """Book a composite wager as separate ones, each judged as itself; all of them or none."""
    entry = rule.entry
    assert isinstance(entry, Composite)
    assert entry.breakdown is not None
    units = sum(count for _part, count in rule.breakdown)
    if command.cents % (units * rules.chip) or command.coupon % (units * rules.chip):
        return [not_in_units(rules, rule, command.cents)]
    happened: list[e.Event] = []
    for part, count in rule.breakdown:
        kind = high_part(rules, rule, command.number) if part == "high" else part
        share, coupon = command.cents // units * count, command.coupon // units * count
        verdict = make_wager(rules, table, replace(command, wager=kind, number=0, cents=share, coupon=coupon))
        if isinstance(verdict[0], Refusal):
            return verdict
        events: list[e.Event] = [*verdict]
        table = fold(table, events)
        happened += events
    why = f"{clause_text(entry.make.cite)}, {clause_text(entry.breakdown.cite)}"
    return [
        replace(one, clause=f"{one.clause}, {why}") if isinstance(one, (e.WagerMade, e.WagerIncreased)) else one
        for one in happened
    ]


def _unfunded(rules: Rules, table: Table, command: c.MakeWager, due: int) -> list[Refusal]:
    media = rules.rulebook.general.media
    rack, coupons = table.money.racks[command.seat - 1], table.money.coupons[command.seat - 1]
    refusals = []
    if due > rack:
        why = f"seat {command.seat} has {dollars(rack)}, and this needs {dollars(due)}; no call bets"
        refusals.append(refusal(media["call"].cite, why))
    if command.coupon > coupons:
        cite = media.get("match_play", media["chips"]).cite
        refusals.append(refusal(cite, f"seat {command.seat} has no such coupon"))
    return refusals
