"""The par of one wager: `par_of` compiles it against the engine and solves its chain over the rationals.

`ParCache` solves lines whose automata are the same once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Context, Decimal
from difflib import get_close_matches
from fractions import Fraction
from math import ceil

import msgspec
import numpy as np
from msgspec import Struct

from passline.automaton.arrays import IDLE, Automaton
from passline.automaton.compiler import compile_strategy
from passline.automaton.minimise import lump
from passline.dice import number_text
from passline.dice_weights import FAIR, DiceWeights
from passline.errors import CrapsError
from passline.exact.chain.chains import Chain, ChainError, Ending, chain_of, follow, mean_and_variance
from passline.exact.par.lines import Offered
from passline.money import dollars
from passline.rules.elections import Vigorish
from passline.rules.meters import at_meters
from passline.rules.rules import Rules, WagerRule
from passline.rules.rules_argument import must_be_rules
from passline.rules.schema import METER_UNIT, SideWager, part_spot
from passline.strategy.one_wager import OneWager

_DIGITS = 12


class Par(Struct, frozen=True, kw_only=True):
    """What a wager of one stake does in the long run. Edges are the house's; a negative one is the player's.

    Rolls on which the wager is off do not count. The amount wagered is the stake plus the mean odds taken; the outlay
    also includes vigorish paid when the wager is made. The standard deviation is of one wager, in stakes.
    """

    stake: int  # cents
    win: Fraction
    lose: Fraction
    push: Fraction
    edge: Fraction  # of the amount wagered
    edge_on_outlay: Fraction
    edge_resolved: Fraction  # of the amount wagered, leaving out wagers that end as a push
    edge_per_roll: Fraction
    rolls: Fraction  # until it is decided or returned
    variance: Fraction  # in stakes
    wagered: Fraction  # the amount wagered, in stakes
    top: Fraction | None = None  # the most that one wager gains, in stakes; None if there is no most
    top_chance: Fraction = Fraction(0)

    @property
    def volatility(self) -> Decimal:
        """The volatility index: 1.645 standard deviations of one wager, as a share of the amount wagered.

        >>> par_of(Rules.of("maryland"), kind="pass", cents=5_00).volatility
        Decimal('1.64468915')
        """
        return _in_deviations(self, _Z_90)

    def return_interval(self, plays: int) -> tuple[Decimal, Decimal]:
        """Return where the return of so many wagers lies with a chance of 95 %, by the normal law.

        >>> [str(end) for end in par_of(Rules.of("maryland"), kind="pass", cents=5_00).return_interval(10_000)]
        ['0.96626091', '1.00545627']
        """
        mean = 1 - Decimal(self.edge.numerator) / Decimal(self.edge.denominator)
        margin = _in_deviations(self, _Z_95) / Decimal(plays).sqrt()
        low, high = (end.quantize(_QUANTUM) for end in (mean - margin, mean + margin))
        return low, high

    @property
    def sd(self) -> Decimal:
        """The standard deviation to twelve digits, because the root of a rational is seldom rational.

        >>> par_of(Rules.of("maryland"), kind="pass", cents=5_00).sd
        Decimal('0.999900005204')
        """
        context = Context(prec=_DIGITS + 8)
        root = context.divide(Decimal(self.variance.numerator), Decimal(self.variance.denominator)).sqrt(context)
        return Context(prec=_DIGITS).plus(root)

    @property
    def favours(self) -> str:
        """Who has the edge: house, player or nobody."""
        return "house" if self.edge > 0 else "player" if self.edge < 0 else "nobody"


_Z_90, _Z_95 = Decimal("1.644853626951"), Decimal("1.959963984540")  # quantiles of the normal law
_QUANTUM = Decimal("0.00000001")


def _in_deviations(par: Par, count: Decimal) -> Decimal:
    """Return so many standard deviations of one wager, as a share of the amount wagered."""
    share = par.sd * par.wagered.denominator / par.wagered.numerator
    return (count * share).quantize(_QUANTUM)


def par_of(rules: Rules, *, kind: str, number: int = 0, cents: int, odds: str = "", dice: DiceWeights = FAIR) -> Par:
    """Return the par of a wager made once; if `odds` names an odds wager, with the most odds the house allows.

    >>> par = par_of(Rules.of("maryland"), kind="pass", cents=5_00)
    >>> par.edge, par.rolls
    (Fraction(7, 495), Fraction(557, 165))
    >>> from passline.dice_weights import dice_of_rolls_to_seven
    >>> par_of(Rules.of("maryland"), kind="any_seven", cents=5_00, dice=dice_of_rolls_to_seven(5)).edge
    Fraction(0, 1)
    """
    compiled = compile_wager(rules, kind=kind, number=number, cents=cents, odds=odds)
    automaton = replace(compiled, weights=dice.weights)
    return _par(lump(automaton, marks=IDLE), cents, rules.wagers[kind])


def compile_wager(rules: Rules, *, kind: str, number: int = 0, cents: int, odds: str = "") -> Automaton:
    """Return the automaton of a wager made once; raise CrapsError, naming the choices, if there is no such wager."""
    rules = must_be_rules(rules)
    _check_wager(rules, kind, number, cents, odds)
    strategy = OneWager(rules=rules, kind=kind, number=number, cents=cents, odds=odds)
    return compile_strategy(rules, strategy, only=strategy.counted_kinds)


def _check_wager(rules: Rules, kind: str, number: int, cents: int, odds: str) -> None:
    """Raise CrapsError, naming the choices, if there is no such wager, or no such amount of it."""
    for name in filter(None, (kind, odds)):
        if name not in rules.wagers:
            near = [known for known in rules.wagers if known.startswith(name)] or get_close_matches(name, rules.wagers)
            hint = f"did you mean {', '.join(near)}?" if near else f"choose {', '.join(rules.wagers)}"
            raise CrapsError(f"{rules.rulebook.name} has no wager {name!r}; {hint}")
    rule = rules.wagers[kind]
    if rule.numbers and number not in rule.numbers and rule.family == "number":
        raise CrapsError(f"{kind} on {number}: name a number, {', '.join(map(number_text, rule.numbers))}")
    if not isinstance(cents, int) or cents < 1:
        raise CrapsError(f"cents={cents!r}: a wager is a whole number of cents above 0")


def break_even_meter(rules: Rules, kind: str, cents: int) -> Fraction | None:
    """Return the cents on the meter of a progressive at which nobody has an edge; None if it is not one.

    A hit pays whole chips, so that near this the edge moves in steps; the figure leaves the rounding out.
    """
    if kind not in rules.progressives:
        return None
    costs = []
    for meter in (0, METER_UNIT * rules.chip):  # which every share divides
        par = par_of(at_meters(rules, {kind: meter}), kind=kind, cents=cents)
        costs.append(par.edge * par.wagered * cents)
    return costs[0] * METER_UNIT * rules.chip / (costs[0] - costs[1])


def meter_notes(rules: Rules) -> Iterator[str]:
    """Yield where the meter of each progressive stands in an analysis or a simulation, and where nobody has an edge.

    A meter that rose with the play would make every session depend on those before it, and on the other players.
    """
    for kind, progressive in rules.progressives.items():
        rule = rules.wagers[kind]
        even = break_even_meter(rules, kind, rule.min)
        assert even is not None
        base = dollars(progressive.base_cents)
        played = f"{rule.display_name()}: played with {base} on its meter, its base, all the time"
        yield f"{played}; the house has no edge from {dollars(ceil(even))} on it on"


def _par(automaton: Automaton, cents: int, rule: WagerRule) -> Par:
    """Solve the automaton of a wager of `cents`."""
    ends = money_ends(automaton)
    chain = chain_of(automaton)
    stake = Fraction(cents, automaton.unit)
    visited, endings, is_capped = _follow(chain, ends)
    top = max(ending.total for ending in endings)
    mean, variance = mean_and_variance(chain, 0, ends)
    win, lose = (sum((ending.share for ending in endings if ending.total * sign > 0), Fraction(0)) for sign in (1, -1))
    is_idle = (automaton.mark[:, 0] & IDLE) != 0
    rolls = sum((mean_visits for state, mean_visits in visited.items() if not is_idle[state]), Fraction(0))
    vigorish = _vigorish(automaton, chain, visited, stake) if rule.vigorish is not None else {}
    amounts = wagered_by_state(automaton, rule, cents, visited)
    wagered = sum((ending.share * amounts[ending.state] for ending in endings), Fraction(0))
    resolved = sum((ending.share * amounts[ending.state] for ending in endings if ending.total), Fraction(0))
    paid = sum((visited[state] * charge for state, charge in vigorish.items()), Fraction(0))
    return Par(
        stake=cents,
        win=win,
        lose=lose,
        push=1 - win - lose,
        edge=-mean / wagered,
        edge_on_outlay=-mean / (wagered + paid),
        edge_resolved=-mean / resolved,
        edge_per_roll=-mean / wagered / rolls,
        rolls=rolls,
        variance=variance / stake**2,
        wagered=wagered / stake,
        top=None if is_capped else Fraction(top) / stake,
        top_chance=Fraction(0) if is_capped else sum((e.share for e in endings if e.total == top), Fraction(0)),
    )


def wagered_by_state(
    automaton: Automaton, rule: WagerRule, cents: int, visited: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    """Return, in units, what has been wagered when the wager is decided from each state that is visited.

    That is what is up, less vigorish paid with it; of one that is booked as others, which may be decided one after
    another, all of it.
    """
    stake = Fraction(cents, automaton.unit)
    if rule.breakdown:
        return dict.fromkeys(visited, stake)
    chain = chain_of(automaton)
    vigorish = _vigorish(automaton, chain, visited, stake) if rule.vigorish is not None else {}
    return {state: int(automaton.outlay[state]) - vigorish.get(state, Fraction(0)) for state in visited}


def money_ends(automaton: Automaton) -> frozenset[int]:
    """Return the states from which no more money moves."""
    alive = (automaton.outlay != 0) | (automaton.cash != 0).any(axis=1)
    while True:
        leads = alive | alive[automaton.next].any(axis=1)
        if (leads == alive).all():
            return frozenset(np.flatnonzero(~alive).tolist())
        alive = leads


def _vigorish(
    automaton: Automaton, chain: Chain, visited: Mapping[int, Fraction], stake: Fraction
) -> dict[int, Fraction]:
    """Return the vigorish paid in each state that makes the wager: the outlay there, less the stake."""
    waiting = {state for state in visited if not automaton.outlay[state]}
    makers = {0} if 0 not in waiting else {arc.next for state in waiting for arc in chain.arcs[state]} - waiting
    return {state: int(automaton.outlay[state]) - stake for state in makers}


def _follow(chain: Chain, ends: frozenset[int]) -> tuple[dict[int, Fraction], list[Ending], bool]:
    """Follow the wager to its ends, and say whether totals are capped."""
    try:
        return *follow(chain, ends), False
    except ChainError:
        return *follow(chain, ends, cap=cap_above_losses(chain, ends)), True


def cap_above_losses(chain: Chain, ends: frozenset[int]) -> int:
    """Return the total from which on a wager that may pay repeatedly is won, whatever follows.

    The outlay of the state before an end is the amount wagered. The gains of a wager that pays repeatedly have no
    bound. Totals are then capped above the largest loss, which keeps the sign of the result: win, lose and push need no
    more.
    """
    if any(arc.cash < 0 and arc.next not in ends for row in chain.arcs for arc in row):
        raise ChainError("a wager that loses repeatedly before it ends is neither won nor lost") from None
    return 1 - min((arc.cash for row in chain.arcs for arc in row if arc.cash < 0), default=0)


_WORDS = frozenset({"name", "label", "cite", "or_cite", "reading", "says"})
# Keys of a wager's entry that the automaton of a wager made once does not depend on: those whose content `WagerRule`
# holds as payouts, lines and readings; and those about removing, increasing or making it again.
_COMPILED = frozenset({"offered", "pays", "tables", "readings", "tips", "notice", "marked", "not_here"})
_ONCE = frozenset({"make", "remove", "increase", "beside", "areas"})
# Keys of a house that it does not depend on: names, seats, procedures; limits and payouts, which `WagerRule` holds.
_HOUSE = frozenset(
    {"name", "game", "seats", "seat_left_of_stickperson", "procedures", "stickperson", "no_roll_callers", "variations"}
    | {"limits", "wager_cents_min", "wager_cents_max", "payouts", "side_wagers", "readings", "side_wagers_locked"}
    | {"payouts_uniform", "payouts_posted", "payouts_approved"}
)


def automaton_key(line: Offered) -> bytes:
    """Return a key of all that the automaton of a line depends on, except its stake.

    >>> from passline.exact.par.lines import permitted_lines
    >>> craps, mini = (next(permitted_lines("maryland", game)) for game in ("craps", "mini_craps"))
    >>> automaton_key(craps) == automaton_key(mini)
    True
    """
    rules = line.rules
    house = {key: value for key, value in msgspec.to_builtins(rules.house).items() if key not in _HOUSE}
    rule = rules.wagers[line.kind]
    parts = {
        "text": [rules.rulebook.name, rules.rulebook.digest if rules.rulebook.amendments else ""],
        "who": ["" if isinstance(rule.entry, SideWager) else line.kind, line.number, line.odds],
        "house": house,
        "limits_apply": rules.limits_apply,
        "meters": sorted(rules.meters.items()),
        "points": sorted(rules.points),
        "windows": _strip_words(msgspec.to_builtins(rules.windows)),
        "wager": _wager_key(rule),
        "with": [_wager_key(rules.wagers[kind]) for kind in _companions(rules, rule, line.odds)],
    }
    return msgspec.json.encode(parts, order="deterministic")


def _companions(rules: Rules, rule: WagerRule, odds: str) -> Iterator[str]:
    """Yield the other wagers that are made or settled with a wager: the shooter's line wager, odds, parts."""
    yield rules.procedures.shooter.line_wagers[0]
    if odds:
        yield odds
    if rule.machine is not None:
        yield from rule.machine.line_kinds
    for part, _units in (*rule.parts, *rule.breakdown):
        if (kind := part_spot(part)[0]) in rules.wagers:
            yield kind


def _wager_key(rule: WagerRule) -> list[object]:
    entry = {key: value for key, value in msgspec.to_builtins(rule.entry).items() if key not in _COMPILED | _ONCE}
    vigorish = rule.vigorish
    return [
        _strip_words(entry),
        rule.entry.make.when == "point",
        [rule.family, rule.min, rule.max, rule.works_on_come_out, rule.call, rule.off_calls, rule.units],
        [sorted(rule.numbers), rule.parts, rule.breakdown],
        [(number, str(payout.pays), payout.share) for number, payout in sorted(rule.payouts.items())],
        [(count, line.result) for count, line in sorted(rule.lines.items())],
        _strip_words(msgspec.to_builtins(rule.reading)),
        _vigorish_key(vigorish) if vigorish else None,
    ]


def _vigorish_key(vigorish: Vigorish) -> list[object]:
    key: list[object] = [vigorish.basis_points, vigorish.basis, vigorish.when, vigorish.won_on]
    by_number = [(number, _vigorish_key(charge)) for number, charge in vigorish.by_number]
    return [*key, vigorish.cents_min, by_number] if vigorish.cents_min or by_number else key


def _strip_words(node: object) -> object:
    """Return a node without the keys that hold names, citations and readings."""
    if isinstance(node, Mapping):
        return {str(key): _strip_words(value) for key, value in node.items() if key not in _WORDS}
    return [_strip_words(value) for value in node] if isinstance(node, list | tuple) else node


class ParCache:
    """Solves lines, each automaton once.

    >>> from passline.exact.par.lines import permitted_lines
    >>> cache = ParCache()
    >>> [cache.par(next(permitted_lines("maryland", game)), 5_00).edge for game in ("craps", "mini_craps")]
    [Fraction(7, 495), Fraction(7, 495)]
    """

    def __init__(self, dice: DiceWeights = FAIR) -> None:
        self.dice = dice
        self._known: dict[tuple[bytes, int], Par] = {}

    def par(self, line: Offered, cents: int) -> Par:
        """Return the par of a line at a stake; raise UnlawfulWish, with the clause, if the rules refuse it."""
        question = automaton_key(line), cents
        known = self._known.get(question)
        if known is None:
            wager = {"kind": line.kind, "number": line.number, "odds": line.odds}
            known = par_of(line.rules, **wager, cents=cents, dice=self.dice)  # type: ignore[arg-type] # by name
            self._known[question] = known
        return known
