"""Random commands of every type by every role, most of them plausible next steps.

The property tests and `./x bench fuzz` share the generator; its random source is an argument, so hypothesis can shrink.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any, get_args

from msgspec import UnsetType
from msgspec.structs import replace

from passline.authority.roles import Role
from passline.dice import number_code
from passline.game import commands as c
from passline.game.position import Position, Table, Wager
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Collection, Hand, Run, SideWager

# Every type of command.
COMMANDS: tuple[type[c.Command], ...] = get_args(c.Command)

_ROLES: tuple[Role, ...] = get_args(Role)
_HANDS: tuple[Role, ...] = ("player", "player", "player", "shooter", "dealer", "stickperson")
_LIES = ("flat", "flat", "flat", "flat", "flat", "flat", "cocked", "off_table", "stacked", "two_faces", "sideways")
_REASONS = (
    *("not_together", "short_throw", "on_bank", "in_cup", "on_rail", "cheating", "improper", "touched_chips"),
    *("delay", "repeated_invalid", "violation", "boredom"),
)
_STRANGE_CENTS = (0, -100, 1, 37, 100, 250, 500, 1000, 99_99, 10**9, 10**25)
_STRANGE_NUMBERS = (0, 1, 4, 5, 6, 7, 8, 9, 10, 12, 111, 113, 116, 134, 999, -6)
_STRANGE_SEATS = (-1, 0, 1, 2, 3, 4, 21, 10**20)
_STRANGE_MEDIA = ("chips", "cash", "coins", "tokens", "plaques", "match_play", "call", "foreign_chips", "beads")
_STRANGE_OWNERS = ("crew", "dealer", "house", "", "Player")
_JUNK: dict[type, tuple[object, ...]] = {
    int: (1.5, 5.0, "5", None, True, [], b"5"),
    str: (None, 5, [], {}, b"pass", True),
    tuple: (None, "chips", ["chips"], 5, ("chips", None), (1.0, 2), ([],), {}),
    bool: (None, 1, "yes", []),
    UnsetType: (1.5, "5", None, True, []),
}
_HOPS = tuple(number_code(f"{low}-{high}") for low in range(1, 7) for high in range(low, 7))


class Commands:
    """Commands for tables under one set of rules."""

    def __init__(self, rules: Rules, *, has_coins: bool = False) -> None:
        self.rules = rules
        self.has_coins = has_coins
        self.kinds = tuple(kind for kind, rule in rules.wagers.items() if rule.is_offered)
        self.lines = rules.procedures.shooter.line_wagers
        self.odds = {rule.behind: kind for kind, rule in rules.wagers.items() if rule.behind}
        self.side = tuple(kind for kind in self.kinds if rules.wagers[kind].lines)
        self.tipping = 0.2 if rules.rulebook.general.tips else 0.02
        self.media = tuple(name for name in rules.rulebook.general.media if name != "coins" or has_coins)

    def draw(self, random: Random, table: Table) -> c.Command:
        """Return the next command: a house step, a player's act, coming and going, or anything at all."""
        lot = random.random()
        if lot < 0.07:
            return self.wild(random)
        if lot < 0.50:
            command = self._dice_step(random, table)
        elif lot < 0.58:
            command = self._seating(random, table)
        elif lot < 0.84 or not table.position.layout:
            command = self._making(random, table)
        else:
            command = self._touching(random, table)
        if command.by == "shooter" and getattr(command, "seat", 0) not in {0, table.position.shooter}:
            command = replace(command, by="player")
        return replace(command, by=random.choice(_ROLES)) if random.random() < 0.03 else command

    def make_each(self, random: Random, seat: int) -> Iterator[Callable[[Table], c.MakeWager]]:
        """Yield, for every kind of wager in random order, a draw of a command to make it at a seat."""
        for kind in random.sample(self.kinds, len(self.kinds)):
            yield partial(self._make_one, random, seat, kind)

    def _make_one(self, random: Random, seat: int, kind: str, table: Table) -> c.MakeWager:
        rule, position = self.rules.wagers[kind], table.position
        bases = [wager for wager in position.layout if wager.seat == seat and wager.kind == rule.behind]
        if bases:
            base = random.choice(bases)
            return self._make(random, seat, kind, base.number or position.puck, base=base)
        return self._make(random, seat, kind, random.choice(sorted(rule.numbers)))

    def wild(self, random: Random) -> c.Command:
        """Return a command of any type with arbitrary fields of the right types."""
        kind = random.choice(COMMANDS)
        return kind(**{name: _ANYTHING[name](self, random) for name in kind.__struct_fields__})

    def ill_typed(self, random: Random, table: Table) -> c.Command:
        """Return a command with one field of the wrong type."""
        command = self.draw(random, table)
        name = random.choice(command.__struct_fields__)
        junk = _JUNK[type(getattr(command, name))]
        return replace(command, **{name: random.choice(junk)})

    # House steps: they move the dice on.

    def _dice_step(self, random: Random, table: Table) -> c.Command:
        position = table.position
        if position.dice in {"rest", "called"} and position.is_disputed:
            return self._decided_dispute(random)
        return _STEPS[position.dice](self, random, position)

    def _offer(self, random: Random, position: Position) -> c.Command:
        dice = self.rules.procedures.dice
        if not any(position.seats):
            return c.TakeSeat(seat=random.randint(1, len(position.seats)))
        return c.OfferDice(by=self._role(random, dice.offered_by), dice=self.rules.house.dice_set)

    def _answer(self, random: Random, position: Position) -> c.Command:
        if random.random() < (0.85 if position.declined else 0.25):
            return c.DeclineDice(seat=position.offered_to)
        return c.AcceptDice(seat=position.offered_to, by=random.choice(("player", "shooter")))

    def _choose(self, random: Random, position: Position) -> c.Command:
        if random.random() < 0.1:
            return c.SurrenderDice(seat=position.shooter)
        first, second = random.randint(1, position.dice_set), random.randint(1, position.dice_set)
        return c.ChooseDice(seat=position.shooter, chosen=(first, second))

    def _throw(self, random: Random, position: Position) -> c.Command:
        lot, seat = random.random(), position.shooter
        if lot < 0.03:
            return c.SurrenderDice(seat=seat, by="shooter")
        if lot < 0.05:
            by = self._role(random, self.rules.procedures.shooter.order_to_pass.by)
            return c.OrderDicePassed(by=by, reason=random.choice(_REASONS[-4:]))
        own = [wager for wager in position.layout if wager.seat == seat and wager.owner == "player"]
        has_line = any(wager.kind in self.lines for wager in own)
        if position.phase == "come_out" and not has_line:
            is_owed = any(wager.kind in self.rules.procedures.clearing.wagers for wager in position.layout)
            if lot < (0.7 if is_owed else 0.2):
                return c.DeclineLineWager(seat=seat)
            return self._make(random, seat, random.choice(self.lines), 0)
        if lot < 0.6:
            first, second = self._faces(random, position)
            return c.RollDice(by="shooter", first=first, second=second)
        return c.ThrowDice(seat=seat, by=random.choice(("player", "shooter")))

    def _land(self, random: Random, position: Position) -> c.Command:
        pending = [wager for wager in position.layout if wager.pending]
        if pending and random.random() < 0.7:
            return self._confirm(random, random.choice(pending))
        if random.random() < 0.1:
            return self._no_roll(random)
        first, second = self._faces(random, position)
        return c.LandDice(
            by=random.choice(_ROLES[2:]),
            first=first,
            second=second,
            first_lie=random.choice(_LIES) if random.random() < 0.3 else "flat",
            second_lie=random.choice(_LIES) if random.random() < 0.3 else "flat",
        )

    def _faces(self, random: Random, position: Position) -> tuple[int, int]:
        """Return a roll, often one that advances a side wager, so that high lines of pay tables are reached."""
        side = [wager for wager in position.layout if wager.kind in self.side]
        hopes = self._hopes(random.choice(side), position) if side and random.random() < 0.6 else ()
        if not hopes:
            return random.randint(1, 6), random.randint(1, 6)
        total = random.choice(hopes)
        first = random.randint(max(1, total - 6), min(6, total - 1))
        return first, total - first

    def _hopes(self, wager: Wager, position: Position) -> tuple[int, ...]:
        """Return the totals that advance a side wager."""
        entry, points = self.rules.wagers[wager.kind].entry, tuple(sorted(self.rules.points))
        bits = wager.progress[-1] if wager.progress else 0
        left = tuple(total for total in points if not bits & 1 << total)
        match entry:
            case Collection():
                return tuple(total for total in entry.needs.totals if not bits & 1 << total)
            case Hand(counts="totals"):
                return tuple(total for total in entry.counted.totals if total != 7 or not position.puck)
            case Hand():
                return (position.puck,) if position.puck else (entry.counts == "distinct_points" and left) or points
            case Run() if wager.progress and (initial := wager.progress[0]):
                return tuple(total for total in left if total != initial) or (initial,)
            case _:
                return points

    def _call(self, random: Random, position: Position) -> c.Command:
        lot = random.random()
        if lot < 0.1:
            return self._no_roll(random)
        if lot < 0.25:
            return c.DisputeFaces(seat=self._somebody(random, position))
        by = self._role(random, self.rules.procedures.throw.called_by.by)
        return c.CallRoll(by=by, total=sum(position.faces) + (lot > 0.95))

    def _settle(self, random: Random, position: Position) -> c.Command:
        lot = random.random()
        if lot < 0.08:
            return self._no_roll(random)
        if lot < 0.16:
            return c.DisputeFaces(seat=self._somebody(random, position))
        return c.Settle(by=self._role(random, self.rules.procedures.throw.settled_first.by))

    def _pass(self, random: Random, position: Position) -> c.Command:
        if random.random() < 0.05:
            return c.SurrenderDice(seat=position.shooter)
        return c.PassDice(by=self._role(random, self.rules.procedures.throw.passed_by.by))

    def _no_roll(self, random: Random) -> c.Command:
        by = self._role(random, self.rules.house.no_roll_callers or self.rules.procedures.no_roll.by)
        return c.CallNoRoll(by=by, reason=random.choice(_REASONS[:8]))

    def _decided_dispute(self, random: Random) -> c.Command:
        by = self._role(random, self.rules.procedures.dispute.by)
        if random.random() < 0.3:
            return c.DecideDispute(by=by)
        return c.DecideDispute(by=by, first=random.randint(1, 6), second=random.randint(1, 6))

    # Coming, going, and changing cash.

    def _seating(self, random: Random, table: Table) -> c.Command:
        seats = table.position.seats
        seat = random.randint(1, len(seats))
        lot = random.random()
        if not seats[seat - 1]:
            return c.TakeSeat(seat=seat, is_employee=lot < 0.04)
        if seats[seat - 1] == "standing" and lot < 0.6:
            return c.SitDown(seat=seat)
        if lot < 0.1:
            return c.LeaveSeat(seat=seat)
        if lot < 0.2:
            return c.StandUp(seat=seat)
        if lot < 0.23:
            return c.Fill(by="floorperson", cents=self.rules.chip * random.randint(0, 5000))
        if lot < 0.26:
            return c.Credit(by="floorperson", cents=self.rules.chip * random.randint(0, 500))
        return self._buy_in(random, seat)

    def _buy_in(self, random: Random, seat: int) -> c.Command:
        chip = self.rules.chip
        coupon = chip * random.randint(1, 20) if "match_play" in self.media and random.random() < 0.4 else 0
        return c.BuyIn(seat=seat, cents=chip * random.choice((50, 200, 500)), coupon=coupon)

    # Wagers.

    def _making(self, random: Random, table: Table) -> c.Command:
        position = table.position
        seat = self._somebody(random, position)
        if seat <= len(position.seats) and position.seats[seat - 1] and random.random() < 0.5:
            rack = table.money.racks[seat - 1]
            if rack < 20 * self.rules.chip:
                return self._buy_in(random, seat)
        own = [wager for wager in position.layout if wager.seat == seat]
        bases = [wager for wager in own if wager.kind in self.odds and (wager.number or position.puck)]
        if bases and random.random() < 0.3:
            base = random.choice(bases)
            number = base.number or position.puck
            return self._make(random, seat, self.odds[base.kind], number, base=base)
        if own and random.random() < 0.2:
            again = random.choice(own)
            number = again.number if again.kind not in self.side or random.random() < 0.1 else 0
            owner = again.owner if random.random() < 0.7 else self._owner(random)
            if getattr(self.rules.wagers[again.kind].entry, "tips", None) and random.randrange(2):
                owner = "crew"  # a tip of its own kind, which needs the player's wager
            return replace(self._make(random, seat, again.kind, number), owner=owner)
        is_new_hand = not position.puck and not position.closed
        if self.side and random.random() < (0.6 if is_new_hand else 0.1):
            return self._make(random, seat, random.choice(self.side), 0)
        kind = random.choice(self._fitting(position)) if random.random() < 0.9 else random.choice(self.kinds)
        return self._make(random, seat, kind, self._number(random, self.rules.wagers[kind], position))

    def _fitting(self, position: Position) -> tuple[str, ...]:
        """Return the kinds that may be made now; those that build up a game more often."""
        if position.is_clearing:
            return self.lines
        if not position.puck:
            return (*self.lines, *self.lines, *self.kinds)
        come = tuple(kind for kind in ("come", "dont_come") if kind in self.kinds)
        return (*come, *come, *(kind for kind in self.kinds if kind not in self.lines))

    def _number(self, random: Random, rule: WagerRule, position: Position) -> int:
        lot = random.random()
        if lot < 0.02:
            return random.choice(_STRANGE_NUMBERS)
        if rule.behind and lot < 0.6:
            return position.puck
        return random.choice(sorted(rule.numbers))

    def _make(self, random: Random, seat: int, kind: str, number: int, *, base: Wager | None = None) -> c.MakeWager:
        rule, rules = self.rules.wagers[kind], self.rules
        lot = random.random()
        unit = self._unit(rule, number)
        cents = unit * -(-rule.min // unit) * random.choice((1, 1, 2, 3))
        if base is not None and number in rule.numbers and lot < 0.8:
            most = rules.odds_cents_max(rule, number, base.cents) or 10 * base.cents
            cents = max(most // unit * random.choice((1, 1, 2)) // random.choice((1, 2)) * unit, unit)
        elif lot < 0.08:
            cents = rules.chip * random.randint(1, 40)
        elif lot < 0.1:
            cents = random.choice(_STRANGE_CENTS)
        by = random.choice(_HANDS)
        media: tuple[str, ...] = ("chips",)
        if random.random() < 0.2:
            media = (random.choice(self.media),) if random.random() < 0.8 else ("chips", random.choice(self.media))
        if self.has_coins and kind in self.lines and random.random() < 0.3:
            media, cents = ("chips", "coins"), cents + random.randint(1, max(rules.chip - 1, 1))
        coupon = 0
        if "match_play" in self.media and random.random() < 0.15:
            coupon = unit * random.choice((1, 1, 2))
        owner = base.owner if base is not None and random.random() < 0.95 else self._owner(random)
        return c.MakeWager(
            seat=seat, by=by, wager=kind, number=number, owner=owner, cents=cents, media=media, coupon=coupon
        )

    def _owner(self, random: Random) -> str:
        if random.random() < self.tipping:
            return "crew"
        return "player" if random.random() < 0.998 else random.choice(_STRANGE_OWNERS)

    def _unit(self, rule: WagerRule, number: int) -> int:
        chip = self.rules.chip
        if rule.family == "composite":
            return chip * rule.units
        if rule.family == "line":
            return rule.unit(0, chip)
        if isinstance(rule.entry, SideWager):
            return rule.unit(0, chip)
        by_total = rule.family == "one_roll" and rule.numbers == {0}
        return rule.unit(number, chip) if by_total or number in rule.payouts else chip

    def _touching(self, random: Random, table: Table) -> c.Command:
        """Return a command that reduces, removes, calls, marks or confirms a wager that is up."""
        position = table.position
        pending = [wager for wager in position.layout if wager.pending]
        called = [wager for wager in position.layout if wager.working.endswith("?")]
        lot = random.random()
        if pending and lot < 0.5:
            return self._confirm(random, random.choice(pending))
        if called and lot < 0.6:
            wager = random.choice(called)
            by = self._role(random, self.rules.rulebook.general.call_on.button_by)
            return c.PlaceButton(**which_wager(wager), by=by)
        wager = random.choice(position.layout)
        which = which_wager(wager)
        if random.random() < 0.02:
            which["owner"] = "player" if wager.owner == "crew" else "crew"
        if lot < 0.8:
            call = random.choice(("on", "on", "on", "off"))
            return c.CallWager(**which, call=call)
        if lot < 0.88:
            return c.RemoveWager(**which)
        unit = self._unit(self.rules.wagers[wager.kind], wager.number)
        cents = unit * random.randint(1, max(wager.cents // unit, 1)) if lot < 0.98 else self.rules.chip
        return c.ReduceWager(**which, cents=cents)

    def _confirm(self, random: Random, wager: Wager) -> c.Command:
        by = random.choice(random.choice(wager.pending).split("|"))
        return c.ConfirmWager(**which_wager(wager), by=by)  # type: ignore[arg-type]

    def _somebody(self, random: Random, position: Position) -> int:
        taken = [seat for seat, state in enumerate(position.seats, start=1) if state]
        if not taken or random.random() < 0.03:
            return random.randint(0, len(position.seats) + 1)
        return random.choice(taken)

    def _role(self, random: Random, by: tuple[str, ...]) -> Role:
        return random.choice(self.rules.roles(by) or _ROLES)  # type: ignore[arg-type]


def which_wager(wager: Wager) -> dict[str, Any]:
    """Return the fields by which a command names a wager that is up."""
    return {"seat": wager.seat, "owner": wager.owner, "wager": wager.kind, "number": wager.number}


_STEPS: dict[str, Callable[[Commands, Random, Position], c.Command]] = {
    "cup": Commands._offer,
    "offered": Commands._answer,
    "accepted": Commands._choose,
    "held": Commands._throw,
    "air": Commands._land,
    "rest": Commands._call,
    "called": Commands._settle,
    "centre": Commands._pass,
}

_ANYTHING: dict[str, Callable[[Commands, Random], Any]] = {
    "by": lambda _commands, random: random.choice(_ROLES),
    "seat": lambda _commands, random: random.choice(_STRANGE_SEATS),
    "is_employee": lambda _commands, random: random.random() < 0.2,
    "cents": lambda _commands, random: random.choice(_STRANGE_CENTS),
    "coupon": lambda _commands, random: random.choice((0, 0, 0, -1, 100, 500)),
    "medium": lambda _commands, random: random.choice(("cash", *_STRANGE_MEDIA)),
    "media": lambda commands, random: tuple(
        random.choice(commands.media if not commands.has_coins else _STRANGE_MEDIA) for _ in range(random.randrange(3))
    ),
    "wager": lambda commands, random: random.choice((*commands.rules.wagers, "parlay", "")),
    "number": lambda _commands, random: random.choice((*_STRANGE_NUMBERS, *_HOPS)),
    "owner": lambda _commands, random: random.choice(("player", "player", *_STRANGE_OWNERS)),
    "call": lambda _commands, random: random.choice(("on", "off", "maybe", "")),
    "dice": lambda _commands, random: random.choice((-1, 0, 2, 4, 5, 6, 10**20)),
    "chosen": lambda _commands, random: tuple(random.randint(-1, 8) for _ in range(random.randrange(4))),
    "reason": lambda _commands, random: random.choice((*_REASONS, "")),
    "first": lambda _commands, random: random.randint(-1, 7),
    "second": lambda _commands, random: random.randint(-1, 7),
    "first_lie": lambda _commands, random: random.choice(_LIES),
    "second_lie": lambda _commands, random: random.choice(_LIES),
    "total": lambda _commands, random: random.randint(-1, 13),
}
