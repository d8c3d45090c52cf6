"""Making and increasing wagers: every question asked of an offer, and the events that answer it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from passline.game.evolve import fold, one_wager_made
from passline.game.judges.amounts import not_in_units, unfit_limits, unpayable
from passline.game.judges.media import (
    confirmations,
    strange_amount,
    too_many_players,
    unfit_amount,
    unfit_media,
    unfit_player,
)
from passline.game.judges.offer import Offer, base_of, number_meant, tip_clause, unknown_wager
from passline.game.judges.seating import unfit_seat
from passline.game.judges.shooting import clearing_over
from passline.game.judges.timing import unfit_moment
from passline.game.judges.working import confirmation_cite
from passline.game.position import Table, Wager, place_of
from passline.game.refusal import Refusal, Verdict, refusal
from passline.game.settlement import high_part
from passline.money import dollars
from passline.rules.rules import Rules
from passline.rules.schema import Composite, SideWager, WagerEntry, cites_when, clause_text, joined

__all__ = ["make_wager", "wager_like_another"]


class _Judged(Struct, frozen=True, gc=False):
    """What the rules say to a wager, whoever has how much: the refusals, or the events and what they cost the rack."""

    refusals: tuple[Refusal, ...]
    events: tuple[e.Event, ...] = ()
    due: int = 0
    plain: Wager | None = None  # the one it makes, where that is lawful and asks nothing of other players


def wager_like_another(rules: Rules, table: Table, command: c.MakeWager) -> tuple[tuple[e.Event, ...], Table] | None:
    """Make a plain wager that has been judged in this very situation before: nine commands in ten (./x bench engine).

    Only what `make_wager` has remembered is used, so that both say the same; for anything else it gives None.
    """
    position, seat, number = table.position, command.seat, command.number
    if not type(seat) is type(number) is type(command.cents) is type(command.coupon) is int:
        return None  # 1.0 and True are not 1, though they are found where 1 is
    try:
        if position.dice != "held" or position.is_clearing or not 0 < seat <= len(position.seats):
            return None
        base, puck, rule = None, position.puck, rules.wagers[command.wager]
        if rule.behind:
            number = number_meant(rules, position, rule, number)
            base = base_of(rules, position, Wager(seat, "player", rule.kind, number, 0))
        else:
            puck = puck > 0  # as in _remembered
        place, standing = place_of(position, seat, rule.kind, number)
        key = (command, standing, base, puck, "held", position.seats[seat - 1], False)
        judged: _Judged | None = rules.remembered("making").get(key)
    except (KeyError, TypeError):  # there is no such wager, or it cannot be hashed: something in it is strange
        return None
    if judged is None or judged.plain is None or judged.due > table.money.racks[seat - 1]:
        return None
    return judged.events, one_wager_made(table, judged.plain, place)


def _is_plain(offer: Offer) -> bool:
    """Whether a wager is a new one, the player's own, in chips alone, and asks nothing of other players' wagers."""
    command, rule = offer.command, offer.rule
    is_own = command.by == "player" == command.owner and command.media == ("chips",) and not command.coupon
    return is_own and not (offer.standing or rule.breakdown or offer.rules.game.seats.wagering_max)


def make_wager(rules: Rules, table: Table, command: c.MakeWager) -> Verdict:
    """Judge a new wager or an addition to one; a composite wager without its area is booked as its parts.

    All that depends on the rules and the player's own wagers is judged once and remembered; money is judged every time.
    """
    rule = rules.wagers.get(command.wager)
    if rule is None:
        return [unknown_wager(rules, command.wager)]
    position = table.position
    if unaskable := unfit_seat(rules, table, command.seat) or strange_amount(rules, command):
        return unaskable
    offer = Offer(rules, position, command)
    if rule.breakdown and command.number in rule.numbers:
        return _booked_as_parts(offer, table)
    judged = _judge(offer) if isinstance(rule.entry, SideWager) else _remembered(offer)
    is_funded = judged.due <= table.money.racks[command.seat - 1] and not command.coupon
    if is_funded and not judged.refusals and not rules.game.seats.wagering_max:
        return judged.events
    unfunded = _unfunded(rules, table, command, judged.due)
    refusals = (*judged.refusals, *unfunded, *too_many_players(rules, position, command))
    return refusals or judged.events


def _unfit_offer(offer: Offer) -> list[Refusal]:
    """Ask what may be asked of any wager: whether it is offered, of this amount, by this player, with this, now."""
    return (
        _not_offered(offer)
        + unfit_amount(offer.rules, offer.command)
        + unfit_player(offer)
        + unfit_media(offer)
        + unfit_moment(offer)
    )


def _not_offered(offer: Offer) -> list[Refusal]:
    rule = offer.rule
    if rule.is_offered:
        return []
    why = f"this house does not offer the {rule.name}"
    return [Refusal(_offered_by(offer.rules, rule.entry), why)]


def _offered_by(rules: Rules, entry: WagerEntry) -> str:
    """Give the clauses by which a house offers a wager or not, as it elected."""
    key = entry.offered or "lay"
    elected = rules.house.side_wagers.get(key, "none") if isinstance(entry, SideWager) else getattr(rules.house, key)
    return joined(*cites_when(rules.rulebook.elections[key].cite, elected))


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
    refusals = _unfit_offer(offer)
    if not offer.has_number or offer.command.cents <= 0:
        return _Judged(tuple(refusals))
    after = _after(offer)
    refusals += unfit_limits(rules, rule, after, offer.base)
    if not unfit_amount(rules, offer.command):
        refusals += unpayable(rules, rule, after)
    refusals += _unfit_addition(offer, after)
    charged = after.vigorish - (offer.standing.vigorish if offer.standing else 0)
    due = charged if "cash" in offer.command.media else charged + offer.command.cents
    plain = after if _is_plain(offer) and not refusals else None
    return _Judged(tuple(refusals), tuple(_made(offer, after)), due, plain)


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
    needs = " and ".join(after.pending).replace("|", " or ")
    why = f"an addition that awaits confirmation by {needs} cannot lie with the {offer.rule.name} that stands"
    return [refusal(confirmation_cite(offer.rules, after), f"{why}; add it in time, or in chips")]


def _made(offer: Offer, after: Wager) -> list[e.Event]:
    rules, rule, position, command = offer.rules, offer.rule, offer.position, offer.command
    happened: list[e.Event] = []
    if "cash" in command.media:
        happened.append(e.BuyInMade(command.seat, command.cents, 0))
    grows = rule.entry.increase if offer.standing else None
    by = grows if grows and grows.until == "deciding_roll" else rule.entry.make  # one that ends before allows nothing
    clause = clause_text(by.cite, after.number)
    if offer.others and isinstance(rule.entry, SideWager) and rule.entry.beside:
        clause = joined(clause, clause_text(rule.entry.beside.cite))
    if rule.entry.offered and not isinstance(rule.entry, SideWager):
        clause = joined(clause, _offered_by(rules, rule.entry))
    if rule.vigorish and after.vigorish:
        clause = joined(clause, rule.vigorish.clause(after.number))
    clause += tip_clause(rules, after)
    if offer.standing is None:
        happened.append(e.WagerMade(after, clause))
    else:
        happened.append(e.WagerIncreased(offer.standing, after, clause))
    if position.is_clearing and not after.pending:
        happened += clearing_over(rules, position, command.seat)
    return happened


def _booked_as_parts(offer: Offer, table: Table) -> Verdict:
    """Book a composite wager as separate ones: judged as a whole first, then each as itself; all of them or none."""
    rules, rule, command, entry = offer.rules, offer.rule, offer.command, offer.rule.entry
    assert isinstance(entry, Composite)
    assert entry.breakdown is not None
    units = sum(count for _part, count in rule.breakdown)
    refusals = _unfit_offer(offer) + _unfit_parts(offer, units)
    refusals += _unfunded(rules, table, command, 0 if "cash" in command.media else command.cents)
    if refusals:
        return refusals
    happened: list[e.Event] = []
    for part, count in rule.breakdown:
        kind = high_part(rules, rule, command.number) if part == "high" else part
        share, coupon = command.cents // units * count, command.coupon // units * count
        verdict = make_wager(rules, table, replace(command, wager=kind, number=0, cents=share, coupon=coupon))
        if isinstance(verdict[0], Refusal):
            refusals += (one for one in verdict if isinstance(one, Refusal) and one not in refusals)
            continue
        events: list[e.Event] = [*verdict]
        table = fold(table, events)
        happened += events
    own = (clause_text(entry.make.cite), clause_text(entry.breakdown.cite))
    return refusals or [
        replace(one, clause=joined(one.clause, *own)) if isinstance(one, (e.WagerMade, e.WagerIncreased)) else one
        for one in happened
    ]


def _unfit_parts(offer: Offer, units: int) -> list[Refusal]:
    """Refuse an amount that does not divide into the parts."""
    rules, command, entry = offer.rules, offer.command, offer.rule.entry
    assert isinstance(entry, Composite)
    each = units * rules.chip
    if entry.units and (command.cents % each or command.coupon % each):
        return [not_in_units(rules, offer.rule, command.cents)]
    if command.cents % units or command.coupon % units:
        why = f"{dollars(command.cents)} does not divide into {units} parts of whole cents"
        return [refusal(rules.rulebook.general.unpayable.cite, why)]
    return []


def _unfunded(rules: Rules, table: Table, command: c.MakeWager, due: int) -> list[Refusal]:
    media = rules.rulebook.general.media
    rack, coupons = table.money.racks[command.seat - 1], table.money.coupons[command.seat - 1]
    refusals = []
    if due > rack:
        why = f"seat {command.seat} has {dollars(rack)}, and this needs {dollars(due)}; no call bets"
        refusals.append(refusal(media["call"].cite, why, is_money=True))
    if command.coupon > coupons:
        cite = media.get("match_play", media["chips"]).cite
        refusals.append(refusal(cite, f"seat {command.seat} has no such coupon", is_money=True))
    return refusals
