"""What the money of a wager depends on: two lines that are treated alike are figured once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from passline.exact.par.lines import Offered
from passline.exact.par.par import Par, par_of
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import SideWager

__all__ = ["Solver", "treatment"]

_WORDS = frozenset({"name", "label", "cite", "or_cite", "reading"})
# Of a wager's entry: what `WagerRule` has made payouts, lines and readings of; and what a wager that is made once, as
# soon as it may be, never comes to: being removed, increased, or made again.
_COMPILED = frozenset({"offered", "pays", "tables", "readings", "tips", "notice", "marked"})
_ONCE = frozenset({"make", "remove", "increase", "beside", "areas"})
# Of a house: who it is, where people sit and who does what; and what `WagerRule` has made limits and payouts of.
_HOUSE = frozenset(
    {"name", "game", "seats", "seat_left_of_stickperson", "procedures", "stickperson", "no_roll_callers", "variations"}
    | {"limits", "wager_cents_min", "wager_cents_max", "payouts", "side_wagers", "readings", "side_wagers_locked"}
    | {"payouts_uniform", "payouts_posted", "payouts_approved"}
)


def treatment(one: Offered) -> bytes:
    """Give all that the automaton of a line depends on but its stake.

    >>> from passline.exact.par.lines import permitted
    >>> craps, mini = (next(permitted("maryland", game)) for game in ("craps", "mini_craps"))
    >>> treatment(craps) == treatment(mini)
    True
    """
    rules = one.rules
    house = {key: value for key, value in msgspec.to_builtins(rules.house).items() if key not in _HOUSE}
    rule = rules.wagers[one.kind]
    parts = {
        "who": [rules.rulebook.name, "" if isinstance(rule.entry, SideWager) else one.kind, one.number, one.odds],
        "house": house,
        "limits_apply": rules.limits_apply,
        "points": sorted(rules.points),
        "windows": _stripped(msgspec.to_builtins(rules.windows)),
        "wager": _treated(rule),
        "with": [_treated(rules.wagers[kind]) for kind in _with(rules, rule, one.odds)],
    }
    return msgspec.json.encode(parts, order="deterministic")


def _with(rules: Rules, rule: WagerRule, odds: str) -> Iterator[str]:
    """The other wagers that are made or settled with one: the line wager of whoever shoots, odds, parts."""
    yield rules.procedures.shooter.line_wagers[0]
    if odds:
        yield odds
    for part, _units in (*rule.parts, *rule.breakdown):
        if part in rules.wagers:
            yield part


def _treated(rule: WagerRule) -> list[object]:
    entry = {key: value for key, value in msgspec.to_builtins(rule.entry).items() if key not in _COMPILED | _ONCE}
    vigorish = rule.vigorish
    return [
        _stripped(entry),
        rule.entry.make.when == "point",
        [rule.family, rule.min, rule.max, rule.works_on_come_out, rule.call, rule.off_calls, rule.units],
        [sorted(rule.numbers), rule.parts, rule.breakdown],
        [(number, str(payout.pays)) for number, payout in sorted(rule.payouts.items())],
        [(count, line.result) for count, line in sorted(rule.lines.items())],
        _stripped(msgspec.to_builtins(rule.reading)),
        [vigorish.basis_points, vigorish.basis, vigorish.when, vigorish.won_on] if vigorish else None,
    ]


def _stripped(node: object) -> object:
    """Leave out what is there to be read and cited."""
    if isinstance(node, Mapping):
        return {str(key): _stripped(value) for key, value in node.items() if key not in _WORDS}
    return [_stripped(value) for value in node] if isinstance(node, list | tuple) else node


class _Question(Struct, frozen=True):
    treatment: bytes
    cents: int


class Solver:
    """Figures lines, and no two that are treated alike.

    >>> from passline.exact.par.lines import permitted
    >>> solver = Solver()
    >>> [solver.par(next(permitted("maryland", game)), 5_00).edge for game in ("craps", "mini_craps")]
    [Fraction(7, 495), Fraction(7, 495)]
    >>> solver.solved
    1
    """

    def __init__(self) -> None:
        self._known: dict[_Question, Par] = {}

    @property
    def solved(self) -> int:
        """How many automata were compiled and solved."""
        return len(self._known)

    def par(self, one: Offered, cents: int) -> Par:
        """Figure a line at a stake; one that the rules refuse raises UnlawfulWish with the clause."""
        question = _Question(treatment(one), cents)
        known = self._known.get(question)
        if known is None:
            known = par_of(one.rules, kind=one.kind, number=one.number, cents=cents, odds=one.odds)
            self._known[question] = known
        return known
