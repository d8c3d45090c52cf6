"""A cache over `par_of`: lines whose automata are the same are solved once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from passline.exact.par.lines import Offered
from passline.exact.par.par import Par, par_of
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import SideWager

__all__ = ["ParCache", "automaton_key"]

_WORDS = frozenset({"name", "label", "cite", "or_cite", "reading"})
# Keys of a wager's entry that the automaton of a wager made once does not depend on: those whose content `WagerRule`
# holds as payouts, lines and readings; and those about removing, increasing or making it again.
_COMPILED = frozenset({"offered", "pays", "tables", "readings", "tips", "notice", "marked"})
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
        "who": [rules.rulebook.name, "" if isinstance(rule.entry, SideWager) else line.kind, line.number, line.odds],
        "house": house,
        "limits_apply": rules.limits_apply,
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
    for part, _units in (*rule.parts, *rule.breakdown):
        if part in rules.wagers:
            yield part


def _wager_key(rule: WagerRule) -> list[object]:
    entry = {key: value for key, value in msgspec.to_builtins(rule.entry).items() if key not in _COMPILED | _ONCE}
    vigorish = rule.vigorish
    return [
        _strip_words(entry),
        rule.entry.make.when == "point",
        [rule.family, rule.min, rule.max, rule.works_on_come_out, rule.call, rule.off_calls, rule.units],
        [sorted(rule.numbers), rule.parts, rule.breakdown],
        [(number, str(payout.pays)) for number, payout in sorted(rule.payouts.items())],
        [(count, line.result) for count, line in sorted(rule.lines.items())],
        _strip_words(msgspec.to_builtins(rule.reading)),
        [vigorish.basis_points, vigorish.basis, vigorish.when, vigorish.won_on] if vigorish else None,
    ]


def _strip_words(node: object) -> object:
    """Return a node without the keys that hold names, citations and readings."""
    if isinstance(node, Mapping):
        return {str(key): _strip_words(value) for key, value in node.items() if key not in _WORDS}
    return [_strip_words(value) for value in node] if isinstance(node, list | tuple) else node


class _Question(Struct, frozen=True):
    key: bytes
    cents: int


class ParCache:
    """Solves lines, each automaton once.

    >>> from passline.exact.par.lines import permitted_lines
    >>> cache = ParCache()
    >>> [cache.par(next(permitted_lines("maryland", game)), 5_00).edge for game in ("craps", "mini_craps")]
    [Fraction(7, 495), Fraction(7, 495)]
    >>> cache.solved_count
    1
    """

    def __init__(self) -> None:
        self._known: dict[_Question, Par] = {}

    @property
    def solved_count(self) -> int:
        """The number of automata compiled and solved."""
        return len(self._known)

    def par(self, line: Offered, cents: int) -> Par:
        """Return the par of a line at a stake; raise UnlawfulWish, with the clause, if the rules refuse it."""
        question = _Question(automaton_key(line), cents)
        known = self._known.get(question)
        if known is None:
            known = par_of(line.rules, kind=line.kind, number=line.number, cents=cents, odds=line.odds)
            self._known[question] = known
        return known
