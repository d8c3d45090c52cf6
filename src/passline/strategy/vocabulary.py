"""The names and functions of strategy files: those of a wish (before acting) and those of a memory (after a roll)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm

from msgspec import Struct

from passline.dice import SEVEN
from passline.expression import Evaluate, Function, Vocabulary
from passline.game.events import DiceSurrendered, Event, PuckMoved, RollSettled, WagerLost, WagerReturned, WagerWon
from passline.game.judges.proposed_wager import is_on_the_line
from passline.money import round_down_to, round_up_to
from passline.rules.memo import Memo
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import OddsWager, SideWager
from passline.strategy.interface import Seen, StrategyError


class Moment(Struct):
    """What the expressions of a wish read: what is seen and remembered before acting, for one number of the wish."""

    seen: Seen
    memory: tuple[int, ...]
    number: int = 0
    wished: dict[tuple[str, int], int] = {}  # cents of the wagers wished for so far, which later ones may depend on
    taken_down: set[tuple[str, int]] = set()  # the wagers taken down so far; `wished` has those made again
    called: dict[tuple[str, int], bool] = {}  # whether the wagers called so far work now

    def base(self, kind: str, number: int) -> int:
        """Return the cents up on a wager, or else wished for so far."""
        return self.seen.up(kind, number) or self.wished.get((kind, number), 0)


class RollEffects(Struct, frozen=True, cache_hash=True):
    """What a roll did: which of the player's wagers won, lost or were returned, and what became of dice and puck."""

    won: frozenset[tuple[str, int]]
    lost: frozenset[tuple[str, int]]
    returned: frozenset[tuple[str, int]]
    loser_7: int
    total: int
    point_made: int
    point_set: int


class Aftermath(Struct):
    """What the expression of a memory reads: the roll's effects and the memory before it, for one number."""

    effects: RollEffects
    memory: tuple[int, ...]
    number: int = 0


def roll_effects(events: tuple[Event, ...]) -> RollEffects:
    """Return the effects of a roll; a wager of several parts counts as won if any part won.

    >>> roll_effects((RollSettled(3, 4, "XX-1"), DiceSurrendered(1, "loser_7", "XX-2"))).loser_7
    1
    """
    won, lost, returned = set(), set(), set()
    loser_7 = total = 0
    puck = -1
    for event in events:
        if isinstance(event, WagerWon):
            won.add((event.wager.kind, event.wager.number))
        elif isinstance(event, WagerLost):
            lost.add((event.wager.kind, event.wager.number))
        elif isinstance(event, WagerReturned):
            returned.add((event.wager.kind, event.wager.number))
        elif isinstance(event, DiceSurrendered):
            loser_7 = int(event.reason == "loser_7")
        elif isinstance(event, RollSettled):
            total = event.first + event.second
        elif isinstance(event, PuckMoved):
            puck = event.point
    return RollEffects(
        won=frozenset(won),
        lost=frozenset(lost - won),
        returned=frozenset(returned),
        loser_7=loser_7,
        total=total,
        point_made=int(puck == 0 and total != SEVEN),
        point_set=max(puck, 0),
    )


NO_EFFECTS = roll_effects(())
"""The effects of a roll that decided nothing of the player's, for a strategy that does not hear what was rolled."""
_UNITS: Memo[tuple[str, int], int] = Memo()


def unit_of(rules: Rules, rule: WagerRule, number: int) -> int:
    """Return the smallest amount of a wager on a number such that every multiple of it is paid exactly.

    >>> rules = Rules.of("maryland")
    >>> unit_of(rules, rules.wagers["place_win"], 6), unit_of(rules, rules.wagers["horn"], 0)
    (600, 400)
    """
    known = rules.memory_of(_UNITS)
    unit = known.get((rule.kind, number))
    if unit is None:
        unit = known[rule.kind, number] = _unit(rules, rule, number)
    return unit


def _unit(rules: Rules, rule: WagerRule, number: int) -> int:
    if rule.family == "composite":
        return lcm(rule.units, sum(units for _part, units in rule.breakdown) or 1) * rules.chip
    entry = rule.entry
    step = entry.amount.step if isinstance(entry, SideWager) and entry.amount else 0
    return lcm(rule.unit(0 if rule.family == "line" else number, rules.chip), step or 1)


def booked_as(rules: Rules, rule: WagerRule) -> tuple[str, ...]:
    """Return the kinds of wager that a wager is booked as: its parts where the house books them apart, else itself.

    >>> rules = Rules.of("section2")
    >>> booked_as(rules, rules.wagers["whirl"]), booked_as(rules, rules.wagers["horn"])
    (('horn', 'any_seven'), ('horn',))
    """
    kinds: list[str] = []
    for kind, _units in rule.breakdown:
        kinds += [rules.high_part(rule, number) for number in sorted(rule.numbers)] if kind == "high" else [kind]
    return tuple(kinds) or (rule.kind,)


def can_make(rules: Rules, rule: WagerRule, moment: Moment, number: int) -> bool:
    """Return whether a wager can be made now: come-out roll or point, open window, and the wager it goes behind."""
    seen, entry = moment.seen, rule.entry
    if seen.is_clearing:
        return rule.kind in rules.procedures.shooter.line_wagers
    if rule.behind:
        on_line = is_on_the_line(rules, rule.behind)
        return bool(moment.base(rule.behind, 0 if on_line else number)) and (not on_line or number == seen.puck)
    if isinstance(entry, SideWager):
        return _is_open(rules, entry, moment)
    return entry.make.when not in {"come_out", "point"} or (entry.make.when == "point") == bool(seen.puck)


def _is_open(rules: Rules, entry: SideWager, moment: Moment) -> bool:
    """Return whether a side wager's windows are all open and the line wager it may require is up or wished for."""
    seen, make = moment.seen, entry.make
    if make.when in {"come_out", "point"} and (make.when == "point") != bool(seen.puck):
        return False
    names = [make.when, *([make.or_when] if make.or_when and rules.choice_of(make.elect) else [])]
    for name in names:
        window = rules.rulebook.general.windows.get(name)
        if window and (name in seen.closed or (window.puck_off and seen.puck)):
            return False
    lines = rules.procedures.shooter.line_wagers
    mine = {wager.kind for wager in seen.mine} | {kind for kind, _number in moment.wished}
    return entry.line_wager is None or any(kind in mine for kind in lines)


def before_acting(
    rules: Rules, rule: WagerRule, own: Mapping[str, Evaluate[Moment]], lists: Mapping[str, tuple[int, ...]]
) -> Vocabulary[Moment]:
    """Return the words of a wish's expressions: the table's, and the file's own names and lists."""
    names: dict[str, Evaluate[Moment]] = {
        "puck": lambda moment: moment.seen.puck,
        "come_out": lambda moment: int(not moment.seen.puck and not moment.seen.is_clearing),
        "point_on": lambda moment: int(moment.seen.puck > 0),
        "number": lambda moment: moment.number,
        "least": lambda _moment: rule.min,
        "chip": lambda _moment: rules.chip,
        **own,
    }
    functions = {
        "up": Function("up('come') or up('come', 6)", 1, 0, 1, _cents_up),
        "count": Function("count('come')", 1, 0, 0, _count),
        "exact": _rounding("exact(cents)", rules, rule, round_up_to),
        "exact_down": _rounding("exact_down(cents)", rules, rule, round_down_to),
        "to_win": Function("to_win(cents)", 0, 1, 1, _to_win(rules, rule)),
    }
    if rule.behind:
        functions["most_odds"] = Function("most_odds()", 0, 0, 0, _most_odds(rules, rule))
    return Vocabulary(names, lists, functions, rules.wagers, rules.rulebook.name, StrategyError)


def _cents_up(moment: Moment, wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
    """Return the cents up on a wager, on one number or on all."""
    kind = wagers[0]
    if numbers:
        return moment.seen.up(kind, numbers[0])
    return sum(wager.cents for wager in moment.seen.mine if wager.kind == kind)


def _count(moment: Moment, wagers: tuple[str, ...], _numbers: tuple[int, ...]) -> int:
    return sum(wager.kind == wagers[0] for wager in moment.seen.mine)


_Call = Callable[[Moment, tuple[str, ...], tuple[int, ...]], int]


def _rounding(usage: str, rules: Rules, rule: WagerRule, rounded: Callable[[Fraction, int], int]) -> Function[Moment]:
    def call(moment: Moment, _wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
        return rounded(Fraction(numbers[0]), unit_of(rules, rule, moment.number))

    return Function(usage, 0, 1, 1, call)


def _to_win(rules: Rules, rule: WagerRule) -> _Call:
    """Return the function `to_win`: the least amount, paid exactly, that wins at least this much."""

    def call(moment: Moment, _wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
        payout = rule.payouts.get(0 if rule.family == "line" else moment.number)
        stake = Fraction(numbers[0]) if payout is None else numbers[0] / payout.pays.ratio
        return round_up_to(stake, unit_of(rules, rule, moment.number))

    return call


def _most_odds(rules: Rules, rule: WagerRule) -> _Call:
    """Return the function `most_odds`: the most odds, paid exactly, behind the player's wager; 0 without one."""

    def call(moment: Moment, _wagers: tuple[str, ...], _numbers: tuple[int, ...]) -> int:
        number = moment.number
        base = moment.base(rule.behind, 0 if is_on_the_line(rules, rule.behind) else number)
        bounds = (rules.odds_cents_max(rule, number, base), rules.odds_cents_posted(rule, number, base))
        most = min((bound for bound in bounds if bound is not None), default=_posted_odds(rules, rule, number, base))
        return round_down_to(Fraction(most), unit_of(rules, rule, number))

    return call


def _posted_odds(rules: Rules, rule: WagerRule, number: int, base: int) -> int:
    """Return the odds that the house posts, for rules without limits: a strategy needs some amount."""
    entry = rule.entry
    assert isinstance(entry, OddsWager)
    cents = rules.multiples[number] * base
    return int(cents / rule.payouts[number].pays.ratio if entry.limit.on == "winnings" else cents)


def after_roll(
    rules: Rules, own: Mapping[str, Evaluate[Aftermath]], lists: Mapping[str, tuple[int, ...]]
) -> Vocabulary[Aftermath]:
    """Return the words of a memory's expression: the roll's, and the file's own names and lists."""
    names: dict[str, Evaluate[Aftermath]] = {
        "loser_7": lambda after: after.effects.loser_7,
        "total": lambda after: after.effects.total,
        "point_made": lambda after: after.effects.point_made,
        "point_set": lambda after: after.effects.point_set,
        "number": lambda after: after.number,
        **own,
    }
    functions = {
        name: Function(f"{name}('pass') or {name}('place_win', 6)", 1, 0, 1, _count_decided(rules, name))
        for name in ("won", "lost", "returned")
    }
    return Vocabulary(names, lists, functions, rules.wagers, rules.rulebook.name, StrategyError)


def _count_decided(rules: Rules, how: str) -> Callable[[Aftermath, tuple[str, ...], tuple[int, ...]], int]:
    """Return the function `won`, `lost` or `returned`: how many wagers of a kind were, on one number or on all."""
    booked = {kind: booked_as(rules, rule) for kind, rule in rules.wagers.items() if rule.breakdown}

    def call(after: Aftermath, wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
        decided: frozenset[tuple[str, int]] = getattr(after.effects, how)
        kinds = booked.get(wagers[0], wagers)
        if how == "lost" and len(kinds) > 1 and any(kind in kinds for kind, _number in after.effects.won):
            return 0
        many = sum(kind in kinds and (not numbers or number == numbers[0]) for kind, number in decided)
        return min(many, 1) if len(kinds) > 1 else many

    return call
