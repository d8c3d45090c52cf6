"""Invariants of every table after any command; each check raises AssertionError with what it found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from random import Random

import msgspec
from msgspec.structs import replace

from passline.authority.roles import Role
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act, decide
from passline.game.evolve import evolve, fold
from passline.game.notation import format_table, parse_table
from passline.game.position import Position, Table, Wager, open_table
from passline.game.settlement import parts_of
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.rules.schema import Composite, SideWager, part_spot
from tests.game.ledger import brought, coupons_of, owed, racked, total_of
from tests.game.side_invariants import (
    Histories,
    check_owner,
    check_progress,
    check_settled,
    check_side_stake,
    check_whose,
)

_COMMAND = msgspec.json.Decoder(c.Command)
_EVENTS = msgspec.json.Decoder(tuple[e.Event, ...])
_TABLE = msgspec.json.Decoder(Table)
_ENCODER = msgspec.json.Encoder()
_HELD = frozenset({"accepted", "held", "air", "rest", "called", "centre"})
_AT_REST = frozenset({"rest", "called"})
_THROWN = frozenset({"air", "rest", "called"})


def _key(wager: Wager) -> tuple[int, str, str, int]:
    return wager.seat, wager.owner, wager.kind, wager.number


def check_position(rules: Rules, table: Table) -> None:
    """Check everything that a single look at a table can tell."""
    position, money = table.position, table.money
    assert len(position.seats) == len(money.racks) == len(money.coupons) == rules.house.seats
    assert min(money.racks) >= 0, f"a rack is negative: {money.racks}"
    assert min(money.coupons) >= 0, f"coupons are negative: {money.coupons}"
    for state, rack, coupons in zip(position.seats, money.racks, money.coupons, strict=True):
        assert state or rack == coupons == 0, "chips at an empty seat"
    _check_dice(rules, position)
    assert list(position.closed) == sorted({*position.closed} & {*rules.windows}), f"no such windows: {position.closed}"
    layout = position.layout
    for one, other in pairwise(layout):
        assert _key(one) < _key(other), f"out of order, or twice: {one}, {other}"
    keys = {_key(wager) for wager in layout}
    for wager in layout:
        _check_wager(rules, position, wager, keys)


def _check_dice(rules: Rules, position: Position) -> None:
    dice, seats = position.dice, ("", *position.seats)
    if dice in _HELD:
        assert 1 <= position.shooter < len(seats), f"no seat {position.shooter} to shoot"
        assert seats[position.shooter], f"nobody at seat {position.shooter} shoots"
    else:
        assert not position.shooter, f"seat {position.shooter} shoots with the dice {dice}"
    if dice == "offered":
        assert 1 <= position.offered_to < len(seats), f"no seat {position.offered_to} to offer the dice to"
        assert seats[position.offered_to], f"the dice lie before nobody, at seat {position.offered_to}"
        assert position.dice_set >= rules.procedures.dice.set_min
    assert (position.faces == (0, 0)) == (dice not in _AT_REST), f"faces {position.faces} with the dice {dice}"
    assert not position.is_disputed or dice in _AT_REST, f"a dispute with the dice {dice}"
    assert not position.puck or position.puck in rules.points
    assert not (position.puck and position.is_clearing), "clearing with the puck ON"
    if position.is_clearing:
        lines = rules.procedures.shooter.line_wagers
        up = [wager for wager in position.layout if wager.kind in lines and not wager.pending]
        assert not up, f"clearing with a line wager up: {up}"
        assert dice in _HELD, f"clearing with the dice {dice}"
        kinds = rules.procedures.clearing.wagers
        assert any(wager.kind in kinds for wager in position.layout), "clearing with nothing to clear"


def _check_wager(rules: Rules, position: Position, wager: Wager, keys: set[tuple[int, str, str, int]]) -> None:
    rule = rules.wagers[wager.kind]
    assert position.seats[wager.seat - 1], f"a wager of nobody: {wager}"
    assert wager.cents > 0 <= wager.vigorish, f"no amount: {wager}"
    assert 0 <= wager.coupon <= wager.cents, f"a coupon larger than its chips: {wager}"
    assert not rule.breakdown, f"booked whole, not as its parts: {wager}"
    if rule.behind:
        is_behind_line = rules.wagers[rule.behind].entry.make.when == "come_out"
        base = (wager.seat, wager.owner, rule.behind, 0 if is_behind_line else wager.number)
        assert base in keys, f"odds without their original wager: {wager}"
        assert not is_behind_line or wager.number == position.puck, f"odds not on the point: {wager}"
    if rule.family == "line":
        is_line = rule.entry.make.when == "come_out"
        assert wager.number in ({0} if is_line else {0, *rules.points}), f"no such number: {wager}"
        assert wager.number or is_line or position.puck, f"a {wager.kind} waits for a roll with the puck OFF: {wager}"
    elif not isinstance(rule.entry, SideWager):
        assert wager.number in rule.numbers, f"no such number: {wager}"
    check_owner(rules, position, wager)
    check_progress(rules, position, wager)
    assert wager.pending or not wager.late, f"confirmed, and still called late: {wager}"
    if wager.pending:
        assert "confirm" not in rules.automate, f"waits for a confirmation that is automated: {wager}"
        assert (position.dice == "air") if wager.late else (position.dice not in _THROWN), (
            f"unconfirmed with the dice {position.dice}: {wager}"
        )


def check_stakes(rules: Rules, table: Table, *, has_coins: bool) -> None:
    """Check that every wager could be made as it stands: within its limits, in whole chips, and always payable."""
    layout = {_key(wager): wager for wager in table.position.layout}
    for wager in table.position.layout:
        rule = rules.wagers[wager.kind]
        assert has_coins or wager.cents % rules.chip == 0, f"not of {rules.chip} cent chips: {wager}"
        assert has_coins or wager.vigorish % rules.chip == 0, f"not of {rules.chip} cent chips: {wager}"
        _check_payable(rules, wager)
        if rule.behind:
            is_behind_line = rules.wagers[rule.behind].entry.make.when == "come_out"
            base = layout[wager.seat, wager.owner, rule.behind, 0 if is_behind_line else wager.number]
            most = rules.odds_cents_max(rule, wager.number, base.cents)
            assert most is None or wager.cents <= most, f"{wager} over {most} behind {base}"
        elif rules.limits_apply:
            assert rule.min <= wager.cents <= rule.max, f"outside {rule.min} to {rule.max}: {wager}"
        if isinstance(rule.entry, SideWager):
            check_side_stake(rules, rule.entry, wager)


def _check_payable(rules: Rules, wager: Wager) -> None:
    rule = rules.wagers[wager.kind]
    if isinstance(rule.entry, Composite):
        each = rule.units * rules.chip if rule.entry.units else rule.units
        assert wager.cents % each == wager.coupon % each == 0, f"not in units: {wager}"
        spots = [(part_spot(part), cents + face) for part, cents, face in parts_of(rules, rule, wager)]
        parts = [(kind, cents, number) for (kind, number), cents in spots]
    else:
        parts = [(wager.kind, wager.cents, 0 if rule.family == "line" else wager.number)]
        parts += [(wager.kind, wager.coupon, parts[0][2])] if wager.coupon else []
    for kind, cents, number in parts:
        payouts = rules.wagers[kind].payouts
        is_by_number = number in payouts and not isinstance(rule.entry, SideWager)
        for payout in (payouts[number],) if is_by_number else payouts.values():
            assert rules.winnings(payout, cents) is not None, f"cannot be paid {payout.pays}: {wager}"


def check_citations(things: Iterable[object]) -> None:
    """Check that no event or refusal prints a clause twice."""
    for thing in things:
        clauses = [one for one in getattr(thing, "clause", "").split(", ") if one]
        assert len(set(clauses)) == len(clauses), f"a clause cited twice: {thing}"


def reorder(random: Random, table: Table) -> Table:
    """Return the table with its wagers made in another order."""
    layout = list(table.position.layout)
    random.shuffle(layout)
    bare = replace(table, position=replace(table.position, layout=()))
    return fold(bare, [e.WagerMade(wager, "") for wager in layout])


class Watched:
    """A table that checks its invariants after every step: the cheap ones always, all of them on request."""

    def __init__(self, rules: Rules, *, bank: int = 1_000_000_00, has_coins: bool = False) -> None:
        self.rules = rules
        self.has_coins = has_coins
        self.has_change = has_coins  # a winning part of a composite wager may leave less than a chip in a rack
        self.twin = Rules(rules.rulebook, rules.house, automate=rules.automate, limits_apply=rules.limits_apply)
        self.opening = self.table = open_table(rules, bank=bank)
        self.histories = Histories(rules)
        self.log: list[e.Event] = []
        self.commands: Counter[type[c.Command]] = Counter()
        self.refused: Counter[type[c.Command]] = Counter()
        self.events: Counter[type[e.Event]] = Counter()
        self.made: Counter[str] = Counter()
        self.won: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.tips: Counter[str] = Counter()
        self.beside: Counter[str] = Counter()
        self.turned_away: Counter[str] = Counter()
        self.declines = 0

    def play(self, command: c.Command, *, fully: bool = False) -> None:
        """Play a command and check the result."""
        before = self.table
        outcome = act(self.rules, before, command)
        if fully:
            self._check_again(command, outcome)
        if isinstance(outcome, Refused):
            self.refused[type(command)] += 1
            if isinstance(command, c.MakeWager):
                self.turned_away[command.wager] += 1
            assert outcome.refusals, "refused by no clause"
            assert all(one.clause and one.why for one in outcome.refusals), (
                f"a refusal without clause or cause: {outcome}"
            )
            check_citations(outcome.refusals)
            return
        happened, after = outcome
        check_citations(happened)
        assert happened, "nothing happened, and nothing refused it"
        self._check_sum(happened, after)
        check_settled(self.rules, before, happened, after)
        check_whose(command, happened)
        self.histories.follow(before, happened, after)
        self._count(command, happened)
        self.table = after
        self.log += happened
        check_position(self.rules, after)
        if fully:
            self._check_fully(happened, before)

    def ask(self, command: c.Command) -> None:
        """Play a command with a field of the wrong type, which must be refused."""
        outcome = act(self.rules, self.table, command)
        assert isinstance(outcome, Refused), f"{command} was taken for a command"
        assert outcome.refusals, "refused by no clause"

    def _check_sum(self, happened: tuple[e.Event, ...], after: Table) -> None:
        moved = [brought(event) for event in happened]
        cents, coupons = sum(one for one, _ in moved), sum(one for _, one in moved)
        assert total_of(after) == total_of(self.table) + cents, "chips are not conserved"
        assert coupons_of(after) == coupons_of(self.table) + coupons, "coupons are not conserved"

        money, earlier = after.money, self.table.money
        tips = sum(due for owner, due in map(owed, happened) if owner == "crew")
        assert money.tip_box == earlier.tip_box + tips >= earlier.tip_box, "the tip box has not what the crew is owed"
        assert sum(money.racks) == sum(earlier.racks) + sum(map(racked, happened)), (
            "the racks have not what they are owed"
        )

    def _check_again(self, command: c.Command, outcome: tuple[tuple[e.Event, ...], Table] | Refused) -> None:
        """Check that the same table and command give the same answer again."""
        table, text = self.table, _ENCODER.encode(self.table)
        assert act(self.rules, table, command) == outcome, "the same command on the same table gave another answer"
        self.twin.memos.clear()
        assert act(self.twin, table, command) == outcome, "what the rules remember changed an answer"
        expected = outcome if isinstance(outcome, Refused) else outcome[0]
        assert decide(self.rules, table, command) == expected, "decide and act disagree"
        assert _ENCODER.encode(table) == text, "judging a command changed the table"
        assert _COMMAND.decode(_ENCODER.encode(command)) == command, f"the command is not read back: {command}"

    def _check_fully(self, happened: tuple[e.Event, ...], before: Table) -> None:
        step = before
        for event in happened:
            following = evolve(step, event)
            cents, coupons = brought(event)
            assert total_of(following) == total_of(step) + cents, f"chips are not conserved by {event}"
            assert coupons_of(following) == coupons_of(step) + coupons, f"coupons are not conserved by {event}"
            step = following
        table = self.table
        assert step == table, "folding one event at a time leads elsewhere"
        assert _EVENTS.decode(_ENCODER.encode(happened)) == happened, f"the events are not read back: {happened}"
        assert _TABLE.decode(_ENCODER.encode(table)) == table, "the table is not read back"
        line = format_table(table)
        assert "\n" not in line, f"more than one line: {line!r}"
        assert parse_table(line) == table, f"not parsed back: {line!r}"
        other = reorder(Random(len(self.log)), table)
        assert other.position == table.position, "the order of making shows"
        assert hash(other.position) == hash(table.position), "equal positions, different hashes"
        check_stakes(self.rules, table, has_coins=self.has_coins)
        racks = table.money.racks
        assert self.has_change or all(rack % self.rules.chip == 0 for rack in racks), f"not of chips: {racks}"
        self.check_goes_on()

    def check_replay(self) -> None:
        """Check that folding the log leads from the opening to this table."""
        assert fold(self.opening, self.log) == self.table, "the log does not lead to this table"

    def check_goes_on(self) -> None:
        """Check that the table is not stuck: somebody may move the dice on."""
        rules, position = self.rules, self.table.position
        step = _way_on(rules, position)
        if step is not None:
            outcome = act(rules, self.table, step)
            assert not isinstance(outcome, Refused), f"stuck with the dice {position.dice}: {outcome}"

    def _count(self, command: c.Command, happened: tuple[e.Event, ...]) -> None:
        self.commands[type(command)] += 1
        for event in happened:
            self.events[type(event)] += 1
            self._count_tip(event)
            self._check_event(event)
            match event:
                case e.WagerMade():
                    self.made[event.after.kind] += 1
                    self.beside[event.after.kind] += event.after.number > 0
                case e.WagerWon():
                    self.won[event.wager.kind] += 1
                case e.WagerLost():
                    self.lost[event.wager.kind] += 1
                case _:
                    pass

    def _check_event(self, event: e.Event) -> None:
        """Check that the event itself is possible."""
        wagers, chip = self.rules.wagers, self.rules.chip
        if isinstance(event, (e.WagerMade, e.WagerIncreased, e.WagerReduced)):
            self.has_change |= event.after.cents % (wagers[event.after.kind].units * chip) > 0
        match event:
            case e.WagerIncreased():
                entry = wagers[event.wager.kind].entry
                is_fixed = isinstance(entry, SideWager) and entry.increase and entry.increase.until == "never"
                assert not is_fixed, f"grew, and may not: {event}"
            case e.WagerRemoved() | e.WagerReduced() | e.WagerReturned():
                is_pushed = isinstance(event, e.WagerReturned) and wagers[event.wager.kind].lines
                assert is_pushed or not self._is_locked(event.wager), f"a locked wager came down: {event}"
            case e.DiceOffered():
                self.declines = 0
            case e.DiceAccepted():
                state = self.table.position.seats[event.seat - 1]
                assert state not in _barred(self.rules), f"one who is {state or 'not there'} shoots"
            case e.DiceDeclined():
                self.declines += 1
                assert self.declines <= self.rules.house.seats, "the dice go round and round"
            case _:
                pass

    def _count_tip(self, event: e.Event) -> None:
        """Count the events of tips and of odds."""
        wager = getattr(event, "wager", None) or getattr(event, "after", None)
        if isinstance(wager, Wager) and wager.owner == "crew":
            self.tips[type(event).__name__] += 1
            self.tips["odds"] += isinstance(event, e.WagerMade) and bool(self.rules.wagers[wager.kind].behind)
            self.tips[wager.kind] += 1

    def _is_locked(self, wager: Wager) -> bool:
        """Return whether a wager has the point that locks it."""
        entry = self.rules.wagers[wager.kind].entry
        if isinstance(entry, SideWager):
            until = entry.remove.until if entry.remove else ""
            is_locked = until == "never" or wager.kind in self.rules.house.side_wagers_locked
            return is_locked or (until == "initial_point" and bool(wager.progress and wager.progress[0]))
        has_point = wager.number or (entry.make.when == "come_out" and self.table.position.puck)
        return bool(entry.remove and entry.remove.until == "point" and has_point)


def _barred(rules: Rules) -> set[str]:
    """Return the states of seats that may not wager, and so may not shoot."""
    standing = {"standing"} if rules.game.seats.seated else set()
    return {"", *standing, *({"employee"} if rules.rulebook.general.employees else ())}


def _way_on(rules: Rules, position: Position) -> c.Command | None:
    """Return a command that moves the dice on, or none if nobody may shoot."""
    if position.is_disputed:
        return c.DecideDispute(by=rules.procedures.dispute.by[0], first=1, second=1)
    if position.dice == "cup" and _barred(rules).issuperset(position.seats):
        return None
    return _WAYS_ON[position.dice](rules, position)


def _first(rules: Rules, by: tuple[Role, ...]) -> Role:
    return rules.roles(by)[0]  # type: ignore[return-value]


_WAYS_ON: dict[str, Callable[[Rules, Position], c.Command]] = {
    "cup": lambda rules, _: c.OfferDice(by=_first(rules, rules.procedures.dice.offered_by), dice=rules.house.dice_set),
    "offered": lambda _, position: c.DeclineDice(seat=position.offered_to),
    "accepted": lambda rules, position: c.ChooseDice(
        seat=position.shooter, chosen=tuple(range(1, rules.procedures.dice.chosen + 1))
    ),
    "held": lambda _, position: c.SurrenderDice(seat=position.shooter),
    "air": lambda _rules, _position: c.LandDice(by="dealer", first=1, second=2),
    "rest": lambda rules, position: c.CallRoll(
        by=_first(rules, rules.procedures.throw.called_by.by), total=sum(position.faces)
    ),
    "called": lambda rules, _: c.Settle(by=_first(rules, rules.procedures.throw.settled_first.by)),
    "centre": lambda rules, _: c.PassDice(by=_first(rules, rules.procedures.throw.passed_by.by)),
}
