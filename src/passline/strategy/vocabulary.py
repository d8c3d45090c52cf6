"""The names and functions of strategy files: those of a wish (before acting) and those of a memory (after a roll).

A file's own names come before these, so a word that is new here changes no older file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_text, pair_code
from passline.expression_words import Evaluate, Evaluates, Function, Vocabulary
from passline.game.judges.proposed_wager import is_on_the_line
from passline.game.judges.removing import lock_refusals
from passline.game.position import Wager
from passline.money import round_down_to, round_up_to
from passline.rules.memo import Memo
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import OddsWager, SideWager
from passline.strategy.interface import Seen, StrategyError
from passline.strategy.moment import Aftermath, Moment
from passline.strategy.purse import MONEY_WORDS, SeenMoney
from passline.strategy.roll_effects import DetailedEffects

_S = TypeVar("_S")


_AMOUNTS_MAX = 4096  # amounts that each function of an expression remembers, for few come again and again
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
        return bool(moment.cents(rule.behind, 0 if on_line else number)) and (not on_line or number == seen.puck)
    if isinstance(entry, SideWager):
        return _is_open(rules, entry, moment)
    return entry.make.when not in {"come_out", "point"} or (entry.make.when == "point") == bool(seen.puck)


def numbers_up(rules: Rules, rule: WagerRule) -> frozenset[int]:
    """Return the numbers that a wager may have: those that it is made on, and those that a come wager moves to.

    >>> rules = Rules.of("maryland")
    >>> sorted(numbers_up(rules, rules.wagers["come"])), sorted(numbers_up(rules, rules.wagers["pass"]))
    ([0, 4, 5, 6, 8, 9, 10], [0])
    """
    moves = rule.family == "line" and not is_on_the_line(rules, rule.kind)
    return rule.numbers | (rules.points if moves else frozenset())


_OF_MOVED = frozenset({"up", "travelled"})  # functions of come wagers after they moved: each roll decides or moves them


def fault_of_number(rules: Rules, function: str, kind: str, number: int) -> str:
    """Return why a function of a kind of wager has nothing to tell of a number; "" if it may have.

    >>> rules = Rules.of("maryland")
    >>> fault_of_number(rules, "won", "place_win", 7)
    'the Place Bet to Win is never on 7; it is on 4, 5, 6, 8, 9, 10'
    >>> fault_of_number(rules, "up", "come", 0)
    "up tells of come wagers on their number; planned('come', 0) tells of one that a wish before this one makes"
    >>> [fault_of_number(rules, "up", "come", 6), fault_of_number(rules, "won", "come", 0)]
    ['', '']
    """
    rule = rules.wagers[kind]
    moves = rule.family == "line" and not is_on_the_line(rules, kind)
    if moves and not number and function in _OF_MOVED:
        made = f"planned('{kind}', 0) tells of one that a wish before this one makes"
        return f"{function} tells of {kind} wagers on their number; {made}"
    numbers = numbers_up(rules, rule)
    if number in numbers:
        return ""
    texts = ", ".join(number_text(other) for other in sorted(numbers) if other)
    where = f"it is on {texts}" if texts else f"it has no number: write {function}('{kind}')"
    return f"the {rule.name} is never on {number_text(number) or 0}; {where}"


def can_lower(rules: Rules, seen: Seen, wager: Wager) -> bool:
    """Return whether a wager may be reduced or taken down now: no rule locks it.

    >>> rules = Rules.of("maryland")
    >>> up = Wager(1, "player", "pass", 0, 10_00)
    >>> can_lower(rules, Seen(6, False, (up,)), up), can_lower(rules, Seen(0, False, (up,)), up)
    (False, True)
    """
    return not lock_refusals(rules, seen, wager)


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
    mine = {kind for (kind, _number), cents in moment.layout().items() if cents}
    return entry.line_wager is None or any(kind in mine for kind in lines)


ABOUT_ROLLS = frozenset({"total", "low", "high", "pair", "point_made", "point_set"})
"""The words of a memory for which its strategy has to hear of every roll."""
READS_ALL = frozenset({"layout", "planned_layout", "cents_won", "cents_lost"})
"""The words about all wagers of the player."""
DETAILS = frozenset({"low", "high", "pair", "cents_won", "cents_lost"})
"""The words of a memory for the details of a roll."""
DETAILS_CALLS = frozenset({"cents_won()", "cents_lost()", "travelled()"})
"""The functions of a memory for the details of a roll."""
SEEN_AFTER = MONEY_WORDS | {"puck", "come_out", "point_on", "layout"}
"""The words of a memory for what is seen after the roll."""
SEEN_AFTER_CALLS = frozenset({"up()", "count()", "travelled()"})
"""The functions of a memory for what is seen after the roll, and for what moved."""


class OwnWords(Struct, frozen=True):
    """The words that a file defines: its parameters, lists, memories and named expressions."""

    names: Mapping[str, Evaluate[Any]]
    lists: Mapping[str, tuple[int, ...] | Evaluates[Any]] = {}
    indexed: Mapping[str, Callable[[Any, int], int]] = {}
    lets: Mapping[str, str] = {}
    path: str = ""

    @property
    def words(self) -> frozenset[str]:
        """All of them."""
        return frozenset((*self.names, *self.lists, *self.lets))


def _vocabulary(
    rules: Rules, own: OwnWords, names: Mapping[str, Evaluate[_S]], functions: Mapping[str, Function[_S]]
) -> Vocabulary[_S]:
    return Vocabulary(
        names={**_table_names(), **names, **own.names},
        lists=own.lists,
        functions={**_table_functions(rules), **functions},
        wagers=rules.wagers,
        wagers_of=rules.rulebook.name,
        error=StrategyError,
        indexed=own.indexed,
        lets=own.lets,
        lets_where=f"{own.path}: let",
        fault_of_number=lambda function, kind, number: fault_of_number(rules, function, kind, number),
    )


def _table_names() -> dict[str, Evaluate[Any]]:
    """Return the words for what is seen, which before acting is the table then, and in a memory that after the roll."""
    return {
        "puck": lambda scope: scope.seen.puck,
        "come_out": lambda scope: int(not scope.seen.puck and not scope.seen.is_clearing),
        "point_on": lambda scope: int(scope.seen.puck > 0),
        "number": lambda scope: scope.number,
        "layout": lambda scope: _layout(scope.seen),
        "net": lambda scope: _money(scope.seen).net,
        "shooter_net": lambda scope: _money(scope.seen).shooter_net,
        "rack": lambda scope: _money(scope.seen).rack,
        "peak": lambda scope: _money(scope.seen).peak,
        "equity": lambda scope: _money(scope.seen).rack + _layout(scope.seen),
        "bankroll": lambda scope: _money(scope.seen).rack + _layout(scope.seen) - _money(scope.seen).net,
    }


def _money(seen: Seen) -> SeenMoney:
    assert seen.money is not None, "a strategy that reads money is given it"
    return seen.money


def _layout(seen: Seen) -> int:
    return sum(wager.cents for wager in seen.mine)


def _table_functions(rules: Rules) -> dict[str, Function[Any]]:
    return {
        "up": Function("up('come') or up('come', 6)", 1, 0, 1, _cents_up),
        "count": Function("count('come')", 1, 0, 0, _count),
        "table_min": Function("table_min('pass')", 1, 0, 0, lambda _scope, wagers, _n: rules.wagers[wagers[0]].min),
        "table_max": Function("table_max('pass')", 1, 0, 0, lambda _scope, wagers, _n: rules.wagers[wagers[0]].max),
    }


def before_acting(rules: Rules, rule: WagerRule, own: OwnWords) -> Vocabulary[Moment]:
    """Return the words of a wish's expressions: the table's, and the file's own names and lists."""
    names: dict[str, Evaluate[Moment]] = {
        "least": lambda _moment: rule.min,
        "table_min": lambda _moment: rule.min,
        "table_max": lambda _moment: rule.max,
        "chip": lambda _moment: rules.chip,
        "planned_layout": lambda moment: sum(moment.layout().values()),
    }
    functions: dict[str, Function[Moment]] = {
        "planned": Function("planned('come') or planned('come', 6)", 1, 0, 1, _cents_planned),
        "planned_count": Function("planned_count('come')", 1, 0, 0, _count_planned),
        "exact": _rounding("exact(cents)", rules, rule, round_up_to),
        "exact_down": _rounding("exact_down(cents)", rules, rule, round_down_to),
        "to_win": Function("to_win(cents)", 0, 1, 1, _to_win(rules, rule)),
    }
    if rule.behind:
        functions["most_odds"] = Function("most_odds()", 0, 0, 0, _most_odds(rules, rule))
    words = _vocabulary(rules, own, names, functions)
    hint = "tells of a roll: let a memory keep it, and read that memory here"
    return replace(words, elsewhere=ABOUT_ROLLS | DETAILS | _DECIDED, elsewhere_hint=hint)


def before_numbers(rules: Rules, rule: WagerRule, own: OwnWords) -> Vocabulary[Moment]:
    """Return the words of an expression for the numbers of a wish: those of a wish, but for what depends on one."""
    words = before_acting(rules, rule, own)
    names = {name: value for name, value in words.names.items() if name != "number" and name not in own.indexed}
    functions = {name: value for name, value in words.functions.items() if name not in _OF_ONE_NUMBER}
    return replace(words, names=names, functions=functions)


_OF_ONE_NUMBER = frozenset({"exact", "exact_down", "to_win", "most_odds"})
_DECIDED = frozenset({"won", "lost", "returned", "travelled", "loser_7"})
_OF_WISHES = _OF_ONE_NUMBER | {"least", "planned", "planned_count", "planned_layout"}


def _cents_up(scope: Any, wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:  # noqa: ANN401  # either scope
    """Return the cents up on a wager, on one number or on all."""
    kind = wagers[0]
    seen: Seen = scope.seen
    if numbers:
        return seen.up(kind, numbers[0])
    return sum(wager.cents for wager in seen.mine if wager.kind == kind)


def _count(scope: Any, wagers: tuple[str, ...], _numbers: tuple[int, ...]) -> int:  # noqa: ANN401
    seen: Seen = scope.seen
    return sum(wager.kind == wagers[0] for wager in seen.mine)


def _cents_planned(moment: Moment, wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
    """Return the cents of a wager after the wishes so far, on one number or on all."""
    kind = wagers[0]
    if numbers:
        return moment.cents(kind, numbers[0])
    return sum(cents for (other, _number), cents in moment.layout().items() if other == kind)


def _count_planned(moment: Moment, wagers: tuple[str, ...], _numbers: tuple[int, ...]) -> int:
    return sum(cents > 0 for (kind, _number), cents in moment.layout().items() if kind == wagers[0])


_Call = Callable[[Moment, tuple[str, ...], tuple[int, ...]], int]


def _rounding(usage: str, rules: Rules, rule: WagerRule, rounded: Callable[[Fraction, int], int]) -> Function[Moment]:
    @lru_cache(_AMOUNTS_MAX)
    def amount(cents: int, number: int) -> int:
        return rounded(Fraction(cents), unit_of(rules, rule, number))

    def call(moment: Moment, _wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
        return amount(numbers[0], moment.number)

    return Function(usage, 0, 1, 1, call)


def _to_win(rules: Rules, rule: WagerRule) -> _Call:
    """Return the function `to_win`: the least amount, paid exactly, that wins at least this much.

    A wager that pays some dice more than others is taken at the least of its payouts, and one of several at 1 to 1.
    """

    @lru_cache(_AMOUNTS_MAX)
    def amount(cents: int, number: int) -> int:
        payout = rule.payouts.get(0 if rule.family == "line" else number)
        payouts = [payout] if payout else rule.payouts.values() if rule.family == "one_roll" else ()
        ratio = min((each.pays.ratio for each in payouts), default=Fraction(1))
        return round_up_to(cents / ratio, unit_of(rules, rule, number))

    def call(moment: Moment, _wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
        return amount(numbers[0], moment.number)

    return call


def _most_odds(rules: Rules, rule: WagerRule) -> _Call:
    """Return the function `most_odds`: the most odds, paid exactly, behind the player's wager; 0 without one."""
    on_line = is_on_the_line(rules, rule.behind)

    @lru_cache(_AMOUNTS_MAX)
    def amount(number: int, base: int) -> int:
        bounds = (rules.odds_cents_max(rule, number, base), rules.odds_cents_posted(rule, number, base))
        most = min((bound for bound in bounds if bound is not None), default=_posted_odds(rules, rule, number, base))
        return round_down_to(Fraction(most), unit_of(rules, rule, number))

    def call(moment: Moment, _wagers: tuple[str, ...], _numbers: tuple[int, ...]) -> int:
        return amount(moment.number, moment.cents(rule.behind, 0 if on_line else moment.number))

    return call


def _posted_odds(rules: Rules, rule: WagerRule, number: int, base: int) -> int:
    """Return the odds that the house posts, for rules without limits: a strategy needs some amount."""
    entry = rule.entry
    assert isinstance(entry, OddsWager)
    cents = rules.multiples[number] * base
    return int(cents / rule.payouts[number].pays.ratio if entry.limit.on == "winnings" else cents)


def after_roll(rules: Rules, own: OwnWords) -> Vocabulary[Aftermath]:
    """Return the words of a memory's expression: the roll's, the table's after it, and the file's own words."""
    names: dict[str, Evaluate[Aftermath]] = {
        "loser_7": lambda after: after.effects.loser_7,
        "total": lambda after: after.effects.total,
        "low": lambda after: _details(after).low,
        "high": lambda after: _details(after).high,
        "pair": lambda after: pair_code(_details(after).low, _details(after).high),
        "point_made": lambda after: after.effects.point_made,
        "point_set": lambda after: after.effects.point_set,
        "cents_won": lambda after: sum(cents for _kind, _number, cents in _details(after).winnings),
        "cents_lost": lambda after: sum(cents for _kind, _number, cents in _details(after).stakes),
        "chip": lambda _after: rules.chip,
    }
    functions = {
        name: Function(f"{name}('pass') or {name}('place_win', 6)", 1, 0, 1, _count_decided(rules, name))
        for name in ("won", "lost", "returned")
    }
    functions["travelled"] = Function(
        "travelled('come') or travelled('come', 6)",
        1,
        0,
        1,
        lambda after, *which: _of_kind(_details(after).moved, *which),
    )
    functions["cents_won"] = _cents_of(rules, "cents_won", "winnings")
    functions["cents_lost"] = _cents_of(rules, "cents_lost", "stakes")
    words = _vocabulary(rules, own, names, functions)
    return replace(words, elsewhere=_OF_WISHES, elsewhere_hint="is a word of wishes: a roll has no wager to make")


def _details(after: Aftermath) -> DetailedEffects:
    assert isinstance(after.effects, DetailedEffects), "a memory that reads details is given them"
    return after.effects


def _of_kind(which: frozenset[tuple[str, int]], wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
    return sum(kind == wagers[0] and (not numbers or number == numbers[0]) for kind, number in which)


def _cents_of(rules: Rules, name: str, field: str) -> Function[Aftermath]:
    """Return the function `cents_won` or `cents_lost`: how much the wagers of a kind did, on one number or on all."""
    booked = {kind: booked_as(rules, rule) for kind, rule in rules.wagers.items()}

    def call(after: Aftermath, wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
        decided: tuple[tuple[str, int, int], ...] = getattr(_details(after), field)
        kinds = booked[wagers[0]]
        return sum(cents for kind, at, cents in decided if kind in kinds and (not numbers or at == numbers[0]))

    return Function(f"{name}('pass') or {name}('place_win', 6)", 1, 0, 1, call)


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
