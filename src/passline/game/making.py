"""Making and increasing wagers: what, with what, when, how much."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_text
from passline.game import commands as c
from passline.game import events as e
from passline.game.evolve import fold
from passline.game.position import Position, Table, Wager, find
from passline.game.refusal import Refusal, Verdict, refusal
from passline.game.seating import unfit_seat
from passline.game.settling import high_part, parts_are_payable
from passline.money import dollars, round_up_to
from passline.rules.rules import Rules, WagerRule, clause_text
from passline.rules.schema import Composite, OddsWager

__all__ = ["base_of", "label", "make_wager"]

_PLACERS = ("player", "shooter", "dealer", "stickperson")


def label(rule: WagerRule, number: int) -> str:
    """Name a wager as a refusal or a call does."""
    return f"{rule.name} on {number_text(number)}" if number else rule.name


def base_of(rules: Rules, position: Position, wager: Wager) -> Wager | None:
    """Give the original wager that odds stand behind."""
    behind = rules.wagers[wager.kind].behind
    number = 0 if rules.wagers[behind].entry.make.when == "come_out" else wager.number
    return find(position, wager.seat, behind, number)


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
    unfit = _unknown(rules, rule, command) or unfit_seat(rules, table, command.seat) or _unfit_amount(rules, command)
    if unfit:
        return unfit
    assert rule is not None
    position, number = table.position, command.number
    base = None
    if rule.behind:
        if not number and rules.wagers[rule.behind].entry.make.when == "come_out":
            number = position.puck  # odds behind a line wager can only be on its point
        base = base_of(rules, position, Wager(command.seat, "player", rule.kind, number, 0))
    elif rule.breakdown and number in rule.numbers:
        return _booked_as_parts(rules, table, command, rule)
    standing = find(position, command.seat, command.wager, number)
    judged = _judged(rules, position, command, number, standing, base)
    is_funded = judged.due <= table.money.racks[command.seat - 1] and not command.coupon
    if is_funded and not judged.refusals and not rules.game.seats.wagering_max:
        return judged.events
    refusals = (*judged.refusals, *_unfunded(rules, table, command, judged.due), *_too_many(rules, position, command))
    return refusals or judged.events


def _judged(
    rules: Rules, position: Position, command: c.MakeWager, number: int, standing: Wager | None, base: Wager | None
) -> _Judged:
    known = rules.remembered("making")
    puck = position.puck if rules.wagers[command.wager].behind else position.puck > 0  # only odds ask which point
    state, clearing = position.seats[command.seat - 1], position.is_clearing and position.shooter
    key = (command, standing, base, puck, position.dice, state, clearing)
    judged: _Judged | None = known.get(key)
    if judged is None:
        judged = known[key] = _judge(rules, position, command, number, standing, base)
    return judged


def _judge(
    rules: Rules, position: Position, command: c.MakeWager, number: int, standing: Wager | None, base: Wager | None
) -> _Judged:
    rule = rules.wagers[command.wager]
    refusals = _unfit_player(rules, position, command)
    refusals += _unfit_media(rules, command, rule)
    refusals += _unfit_moment(rules, position, command, rule, number)
    if refusals and not _has_number(rules, position, command, rule, number):
        return _Judged(tuple(refusals))
    after = _standing_after(rules, position, command, rule, number, standing)
    refusals += _unfit_limits(rules, rule, after, base)
    refusals += _unpayable(rules, rule, after)
    if standing and after.pending and not standing.pending:  # else what stands, locked or not, would go back with it
        late = rules.game.late
        cite = (late.confirm or late).cite if after.late else rules.rulebook.general.media["chips"].cite
        needs = " and ".join(after.pending)
        why = f"an addition that {needs} must confirm cannot be told from the {rule.name} that stands"
        refusals.append(refusal(cite, why))
    charged = after.vigorish - (standing.vigorish if standing else 0)
    due = charged if "cash" in command.media else charged + command.cents
    return _Judged(tuple(refusals), tuple(_made(rules, position, command, standing, after)), due)


def _unknown(rules: Rules, rule: WagerRule | None, command: c.MakeWager) -> list[Refusal]:
    closed = rules.rulebook.general.closed_list
    if rule is None:
        return [refusal(closed.cite, f"{command.wager!r} is not a wager of {rules.rulebook.name}")]
    if not rule.is_offered:
        offered = rules.rulebook.elections.get(rule.entry.offered or "lay", closed)
        return [refusal(offered.cite, f"this house does not offer the {rule.name}")]
    return []


def _made(
    rules: Rules, position: Position, command: c.MakeWager, standing: Wager | None, after: Wager
) -> list[e.Event]:
    rule = rules.wagers[after.kind]
    happened: list[e.Event] = []
    if "cash" in command.media:
        happened.append(e.BuyInMade(command.seat, command.cents, 0))
    charged = f", {rule.vigorish.clause}" if rule.vigorish and after.vigorish else ""
    if standing is None:
        happened.append(e.WagerMade(after, clause_text(rule.entry.make.cite, _keyed(rule, after.number)) + charged))
    else:
        until = rule.entry.increase or rule.entry.make
        clause = clause_text(until.cite, _keyed(rule, after.number)) + charged
        happened.append(e.WagerIncreased(standing, after, clause))
    if position.is_clearing:
        ends = clause_text(rules.procedures.clearing.ends.cite)
        happened.append(e.ClearingEnded(ends))
        if command.seat != position.shooter:
            happened.append(e.DiceSurrendered(position.shooter, "line_wager_wanted", ends))
    return happened


def _keyed(rule: WagerRule, number: int) -> int:
    """Give the number where the rule's clauses differ by number, else 0."""
    return number if isinstance(rule.entry.make.cite, dict) else 0


def _booked_as_parts(rules: Rules, table: Table, command: c.MakeWager, rule: WagerRule) -> Verdict:
    entry = rule.entry
    assert isinstance(entry, Composite)
    units = sum(count for _part, count in rule.breakdown)
    if command.cents % (units * rules.chip) or command.coupon % (units * rules.chip):
        return [_not_in_units(rules, rule, command.cents)]
    happened: list[e.Event] = []
    for part, count in rule.breakdown:
        kind = high_part(rules, rule, command.number) if part == "high" else part
        share = command.cents // units * count
        coupon = command.coupon // units * count
        verdict = make_wager(rules, table, replace(command, wager=kind, number=0, cents=share, coupon=coupon))
        if verdict and isinstance(verdict[0], Refusal):
            return verdict
        table = fold(table, verdict)  # type: ignore[arg-type]  # a verdict that is no refusal is events
        happened += verdict  # type: ignore[arg-type]
    assert entry.breakdown is not None
    why = ", ".join((clause_text(entry.make.cite), clause_text(entry.breakdown.cite)))
    return [
        replace(one, clause=f"{one.clause}, {why}") if isinstance(one, (e.WagerMade, e.WagerIncreased)) else one
        for one in happened
    ]


def _unfit_amount(rules: Rules, command: c.MakeWager) -> list[Refusal]:
    chips = rules.rulebook.general.media["chips"]
    refusals = []
    if type(command.cents) is not int or command.cents <= 0:
        refusals.append(refusal(chips.cite, f"{command.cents!r} cents is not an amount to wager"))
    elif command.cents % rules.chip and "coins" not in command.media:
        why = f"{dollars(command.cents)} cannot be made of {dollars(rules.chip)} chips"
        refusals.append(refusal(chips.cite, why))
    if type(command.coupon) is not int or command.coupon < 0:
        refusals.append(refusal(chips.cite, f"{command.coupon!r} is not the face of a coupon"))
    if type(command.number) is not int:
        refusals.append(refusal(chips.cite, f"{command.number!r} is not a number of the layout"))
    return refusals


def _unfit_player(rules: Rules, position: Position, command: c.MakeWager) -> list[Refusal]:
    general, rule = rules.rulebook.general, rules.game.seats
    refusals = []
    if command.by not in _PLACERS:
        chips = general.media["chips"].cite
        refusals.append(refusal(chips, f"a wager is put up by a player, or a dealer for one, not the {command.by}"))
    state = position.seats[command.seat - 1]
    if state == "employee" and general.employees:
        refusals.append(refusal(general.employees.cite, "a gaming employee may not wager"))
    if state == "standing" and rule.seated:
        refusals.append(refusal(rule.seated.cite, "only a seated player may wager"))
    return refusals


def _too_many(rules: Rules, position: Position, command: c.MakeWager) -> list[Refusal]:
    rule = rules.game.seats
    wagering = {wager.seat for wager in position.layout} | {command.seat}
    if not rule.wagering_max or len(wagering) <= rule.wagering_max:
        return []
    return [refusal(rule.cite, f"{rule.wagering_max} players have wagers on this roll already")]


def _unfit_media(rules: Rules, command: c.MakeWager, rule: WagerRule) -> list[Refusal]:
    media = rules.rulebook.general.media
    refusals = []
    used = (*command.media, "match_play") if command.coupon else command.media
    for name in used or ("call",):
        medium = media.get(name)
        if medium is None or (medium.elect and not getattr(rules.house, medium.elect)):
            refusals.append(refusal((medium or media["chips"]).cite, f"{name} may not be wagered"))
        elif medium.wagers == "none":
            refusals.append(refusal(medium.cite, f"{name} may not be wagered"))
        elif medium.wagers != "any" and rule.kind not in medium.wagers:
            refusals.append(refusal(medium.cite, f"{name} may not be wagered on the {rule.name}"))
    if command.coupon > command.cents and "match_play" in media:
        refusals.append(refusal(media["match_play"].cite, "a match-play coupon needs chips of at least its face"))
    return refusals


def _has_number(rules: Rules, position: Position, command: c.MakeWager, rule: WagerRule, number: int) -> bool:
    if rule.family == "line" and number:
        return find(position, command.seat, rule.kind, number) is not None
    return number in rule.numbers


def _unfit_moment(
    rules: Rules, position: Position, command: c.MakeWager, rule: WagerRule, number: int
) -> list[Refusal]:
    entry, general = rule.entry, rules.rulebook.general
    refusals = []
    if not _has_number(rules, position, command, rule, number):
        wanted = ", ".join(number_text(one) for one in sorted(rule.numbers) if one) or "no number"
        refusals.append(Refusal(clause_text(entry.make.cite), f"the {rule.name} takes {wanted}, not {number_text(number) or 'none'}"))
    late = rules.game.late
    if position.dice in {"rest", "called"}:
        refusals.append(refusal(late.cite, "the dice have come to rest"))
    elif position.dice == "air" and not late.permitted:
        refusals.append(refusal(late.cite, "wagers are made before the dice are thrown"))
    if position.is_clearing:
        if rule.kind not in rules.procedures.shooter.line_wagers:
            refusals.append(refusal(rules.procedures.clearing.only.cite, "come wagers are being cleared; only a line wager may be made"))
        elif position.dice == "air":
            why = "a line wager waits until this throw, which clears come wagers, is over"
            refusals.append(refusal(rules.procedures.clearing.only.cite, why))
        return refusals
    if rule.behind:
        if base_of(rules, position, Wager(command.seat, "player", rule.kind, number, 0)) is None or not number or (
            rules.wagers[rule.behind].entry.make.when == "come_out" and number != position.puck
        ):
            behind = rules.wagers[rule.behind].name
            refusals.append(refusal(general.odds_follow.cite, f"odds need a {behind} whose point is {number_text(number) or 'set'}"))
        return refusals
    if number and rule.family == "line":
        if not entry.increase or entry.increase.until == "point":
            why = f"a {rule.name} on its number may not be increased"
            refusals.append(refusal((entry.increase or entry.make).cite, why))
    elif entry.make.when == "come_out" and position.puck:
        standing = find(position, command.seat, rule.kind, 0)
        if standing is None:
            refusals.append(refusal(entry.make.cite, f"a {rule.name} is made before a come-out roll"))
        elif not entry.increase or entry.increase.until == "point":
            why = f"a {rule.name} may not be increased once its point is set"
            refusals.append(refusal((entry.increase or entry.make).cite, why))
    elif entry.make.when == "point" and not position.puck:
        refusals.append(refusal(entry.make.cite, f"a {rule.name} needs the puck ON"))
    return refusals


def _standing_after(
    rules: Rules, position: Position, command: c.MakeWager, rule: WagerRule, number: int, standing: Wager | None
) -> Wager:
    base = standing or Wager(command.seat, "player", rule.kind, number, 0)
    cents = base.cents + command.cents
    vigorish = 0
    if rule.vigorish and rule.vigorish.is_due_when_made(number):
        vigorish = rules.vigorish_on(rule, number, cents)
    is_late = position.dice == "air"
    pending = _pending(rules, command, rule, is_late=is_late) or base.pending  # an addition is confirmed anew
    return Wager(
        seat=base.seat,
        owner=base.owner,
        kind=base.kind,
        number=number,
        cents=cents,
        working=base.working,
        vigorish=vigorish,
        coupon=base.coupon + command.coupon,
        pending=pending,
        late=bool(pending) and (is_late or base.late),
    )


def _pending(rules: Rules, command: c.MakeWager, rule: WagerRule, *, is_late: bool) -> tuple[str, ...]:
    """Give the confirmations a wager needs; one of several roles is written dealer|boxperson."""
    if "confirm" in rules.automate:
        return ()
    general, late = rules.rulebook.general, rules.game.late
    needed: list[str] = []
    if is_late and late.confirm:
        roles = rules.roles(late.confirm.by)
        needed += ["|".join(roles)] if late.confirm.needed == "any" else list(late.confirm.by)
    for name in command.media:
        medium = general.media.get(name)
        if medium and medium.confirm:
            needed.append("|".join(rules.roles(medium.confirm)))
    placed = general.centre_placed_by
    if rule.centre and placed and command.by not in placed.by:
        needed.append("|".join(rules.roles(placed.by)))
    return tuple(one for one in dict.fromkeys(needed) if command.by not in one.split("|"))


def _unfit_limits(rules: Rules, rule: WagerRule, after: Wager, base: Wager | None) -> list[Refusal]:
    if not rules.limits_apply:
        return []
    limits = rules.rulebook.general.limits
    refusals = []
    is_odds = bool(rule.behind)
    if after.cents < rule.min and not (is_odds and limits.odds_outside_min):
        refusals.append(refusal(limits.min.cite, f"{dollars(after.cents)} is under the minimum, {dollars(rule.min)}"))
    if is_odds:
        return refusals + _unfit_odds(rules, rule, after, base)
    if after.cents > rule.max:
        refusals.append(refusal(limits.max.cite, f"{dollars(after.cents)} is over the maximum, {dollars(rule.max)}"))
    return refusals


def _unfit_odds(rules: Rules, rule: WagerRule, after: Wager, base: Wager | None) -> list[Refusal]:
    entry, general = rule.entry, rules.rulebook.general
    assert isinstance(entry, OddsWager)
    if base is None or after.number not in rule.numbers:
        return []  # refused already: odds need their original wager
    refusals = []
    excess = f", {clause_text(general.odds_excess.cite)}" if rules.house.odds_excess else ""
    most = rules.odds_cents_max(rule, after.number, base.cents)
    if most is not None and after.cents > most:
        why = f"{dollars(after.cents)} is over the most behind {dollars(base.cents)} on {after.number}, {dollars(most)}"
        refusals.append(Refusal(clause_text(entry.limit.cite) + excess, why))
    posted = rule.max
    if rules.house.odds_excess:
        posted = round_up_to(Fraction(posted), rule.unit(after.number, rules.chip))
    if not general.limits.odds_outside_max and after.cents > posted:
        why = f"{dollars(after.cents)} is over the maximum, {dollars(rule.max)}"
        refusals.append(Refusal(clause_text(general.limits.max.cite) + excess, why))
    return refusals


def _not_in_units(rules: Rules, rule: WagerRule, cents: int) -> Refusal:
    assert isinstance(rule.entry, Composite)
    each = rule.units * rules.chip
    return refusal(rule.entry.units.cite, f"{dollars(cents)} is not a multiple of {rule.units} units ({dollars(each)})")


def _unpayable(rules: Rules, rule: WagerRule, after: Wager) -> list[Refusal]:
    """Refuse an amount that some win could not pay exactly, unless the house pays the next whole chip."""
    if isinstance(rule.entry, Composite):
        each = rule.units * rules.chip
        if after.cents % each or after.coupon % each:
            return [_not_in_units(rules, rule, after.cents)]
        if parts_are_payable(rules, rule, after):
            return []
        why = f"{dollars(after.cents)} has a part that cannot be paid in {dollars(rules.chip)} chips"
        return [refusal(rules.rulebook.general.unpayable.cite, why)]
    payouts = rule.payouts.values() if 0 not in rule.payouts and not after.number else (rule.payouts[_paid_on(rule, after)],)
    for payout in payouts:
        if rules.winnings(payout, after.cents) is None or rules.winnings(payout, after.coupon) is None:
            unit = rule.unit(_paid_on(rule, after), rules.chip)
            why = f"{dollars(after.cents)} at {payout.pays} cannot be paid in {dollars(rules.chip)} chips; use {dollars(unit)} steps"
            return [Refusal(clause_text(rules.rulebook.general.unpayable.cite), why)]
    return []


def _paid_on(rule: WagerRule, wager: Wager) -> int:
    return 0 if rule.family == "line" else wager.number


def _unfunded(rules: Rules, table: Table, command: c.MakeWager, due: int) -> list[Refusal]:
    rack = table.money.racks[command.seat - 1]
    refusals = []
    if due > rack:
        why = f"seat {command.seat} has {dollars(rack)}, and this needs {dollars(due)}; no call bets"
        refusals.append(refusal(rules.rulebook.general.media["call"].cite, why))
    if command.coupon and command.coupon > table.money.coupons[command.seat - 1]:
        media = rules.rulebook.general.media
        refusals.append(refusal(media.get("match_play", media["chips"]).cite, f"seat {command.seat} has no such coupon"))
    return refusals
