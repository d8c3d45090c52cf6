"""Check certificates of Passline with Python alone: `python check_certificate.py FILE`.

This file imports nothing but the standard library, so that whoever doubts Passline need not trust it. A certificate has
an automaton: states, and for each of the 36 outcomes of two dice the next state and the change of money in whole units.
What it claims is checked by substitution and addition in whole numbers and fractions:

- `long_run`: the mean of an amount x per roll lies between `low` and `high` if some numbers h, one per class of states,
  have low <= mean of x + h(next) - h <= high in every class. Added up over n rolls, h cancels but for its ends.
- `wager`: visits v to each class and total so far solve v = start + v P, and means m to the end solve m = mean of cash
  + m(next). A finite v exists only if the wager ends, and then it is the only one.
- `session`: masses by class and equity, whole numbers over 36^n, are moved roll by roll and added up.

It cannot show that the arrays, and the amounts that count as `wagered`, are those of the rules: `passline certify
--verify FILE` compiles them again. Or deal any row at a table: `ways` leads to each state by dice, `labels` says what
is up there; outcome d is the dice d // 6 + 1 and d % 6 + 1.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

FORMAT = "passline-certificate/1"  # of what this program reads
_OUTCOMES = 36
_LINE, _HAND, _IDLE = 1, 2, 4
_ROWS = ("next", "cash", "action", "initial", "mark")
_SHOWN_MAX = 60  # letters of a fraction that is printed whole
_Range = tuple[Fraction, Fraction]
_Results = dict[str, str]
_Masses = dict[int, dict[int, int]]  # by class and equity
_GOAL = -2  # in place of a class; -1 is ruin


class Refuted(Exception):
    """A certificate that is not in order; the message says where."""


def require(holds: object, message: str) -> None:
    """Raise Refuted with a message unless something holds."""
    if not holds:
        raise Refuted(message)


def json_digest(page: object) -> str:
    """Return the SHA-256 of a value as JSON in ASCII with sorted keys and without blanks."""
    return hashlib.sha256(json.dumps(page, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def check(text: str) -> dict[str, _Results]:
    """Return what a certificate proves, by kind and name; raise Refuted if anything in it is not so."""
    try:
        page = json.loads(text, parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_once)
        return _check_page(page)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Refuted(f"this is not a certificate as it should be: {type(error).__name__}: {error}") from None


def _refuse(number: str) -> None:
    raise Refuted(f"{number}: a certificate has whole numbers and fractions only")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require(len(dict(pairs)) == len(pairs), "a key stands in it twice")
    return dict(pairs)


def _check_page(page: dict[str, Any]) -> dict[str, _Results]:
    require(page["format"] == FORMAT, f"its format is {page['format']}, not {FORMAT}")
    content = {key: value for key, value in page.items() if key != "sha256"}
    require(json_digest(content) == page["sha256"], "its digest is not that of its content: it was changed")
    require(json_digest(page["automaton"]) == page["automaton_sha256"], "its automaton has another digest")
    require(page["proofs"], "it proves nothing")
    chain, found = _Chain(page["automaton"], page["classes"]), {}
    for kind, proof in page["proofs"].items():
        found[kind] = results = _CHECKS[kind](chain, proof)
        wrong = [name for name in {*results, *proof["results"]} if proof["results"].get(name) != results.get(name)]
        require(not wrong, f"{kind}: it claims another {', '.join(sorted(wrong))} than it proves")
    return found


class _Chain:
    """The automaton, its alike states merged into classes: of each class, how many outcomes do what."""

    def __init__(self, automaton: dict[str, Any], classes: list[int]) -> None:
        self.unit = _whole(automaton["unit"])
        rows, outlay, short = [automaton[name] for name in _ROWS], automaton["outlay"], automaton["short"]
        states = len(outlay)
        require(states and self.unit > 0, "it has no states, or no unit")
        columns = (*rows, outlay, short, classes, automaton["labels"])
        require(all(len(column) == states for column in columns), "there are not as many rows as states")
        for row in (row for column in rows for row in column):
            require(len(row) == _OUTCOMES and all(type(cell) is int for cell in row), "a row has not 36 whole numbers")
        require(all(type(cell) is int for cell in (*outlay, *short, *classes)), "a cell is not a whole number")
        require(all(0 <= cell < states for row in rows[0] for cell in row), "a state leads to none")
        require(all(-1 <= cell < states for cell in short), "a state is short to none")
        _check_ways(automaton["ways"], rows[0], short)
        first: dict[int, int] = {}
        for state, place in enumerate(classes):
            first.setdefault(place, state)
        require(list(first) == list(range(len(first))), "classes are not numbered in order")
        ending = [*classes, -1]  # whose last element is at -1
        whole = [
            (Counter(zip([classes[to] for to in row], *cells, strict=True)), outlay[state], ending[short[state]])
            for state, (row, *cells) in enumerate(zip(*rows, strict=True))
        ]
        for state, place in enumerate(classes):
            require(whole[state] == whole[first[place]], f"state {state} is not like state {first[place]} of its class")
        self.start = classes[0]
        merged = [whole[state] for state in first.values()]
        self.rows = [[(count, *cell) for cell, count in cells.items()] for cells, _, _ in merged]
        self.outlay, self.short = [up for _, up, _ in merged], [to for _, _, to in merged]
        after = [*self.short, -1]
        for _ in first:
            after = [after[place] for place in after]
        require(set(after) <= {-1}, "states are short to each other in a circle")


def _check_ways(ways: list[list[int]], following: list[list[int]], short: list[int]) -> None:
    """Check that each state is reached as listed: from a state before it by an outcome, or by being short (-1)."""
    known = {0}
    for state, before, outcome in ways:
        require(before in known and -1 <= outcome < _OUTCOMES, f"the way to state {state} does not begin at the start")
        require((short[before] if outcome < 0 else following[before][outcome]) == state, f"no way leads to {state} so")
        known.add(state)
    require(len(known) == len(following), "some states are never reached")


def _whole(value: Any) -> int:  # noqa: ANN401 - of JSON
    require(type(value) is int, f"{value!r} is not a whole number")
    return int(value)


def _vector(proof: dict[str, Any], length: int) -> list[Fraction]:
    """Return whole numbers over one denominator as fractions."""
    denominator = _whole(proof["denominator"])
    require(denominator > 0 and len(proof["values"]) == length, "a witness is too long or short, or has no denominator")
    return [Fraction(_whole(value), denominator) for value in proof["values"]]


_RATES = ("cash", "action", "initial", "up", "decisions", "hands")


def _amounts(outlay: int, cash: int, action: int, initial: int, mark: int) -> tuple[int, ...]:
    """Return what `_RATES` are of, for an arc from a class with this outlay."""
    return cash, action, initial, max(outlay, 0), mark & _LINE, (mark & _HAND) // _HAND


def _long_run(chain: _Chain, proof: dict[str, Any]) -> _Results:
    """Return the edges of a strategy that is played for ever by a player who can always pay."""
    rates: dict[str, _Range] = {}
    for at, name in enumerate(_RATES):
        rate = proof["rates"][name]
        low, high = rates[name] = Fraction(rate["low"]), Fraction(rate["high"])
        bias = _vector(rate, len(chain.rows))
        for place, row in enumerate(chain.rows):
            gains = sum(count * (_amounts(chain.outlay[place], *cell)[at] + bias[to]) for count, to, *cell in row)
            mean = Fraction(gains, _OUTCOMES) - bias[place]
            require(low <= mean <= high, f"long_run: {name}: class {place} has {mean}, not from {low} to {high}")
    unit, (gain_low, gain_high) = chain.unit, rates["cash"]
    loss = (-gain_high * unit, -gain_low * unit)
    results = {"loss_cents_per_roll": loss, "average_wager_cents": (rates["up"][0] * unit, rates["up"][1] * unit)}
    shares = {"loss_cents_per_decision": ("decisions", 1), "loss_cents_per_hand": ("hands", 1)}
    shares |= {"edge_on_action": ("action", unit), "edge_on_initial": ("initial", unit)}
    for name, (by, scale) in shares.items():
        if rates[by][0] > 0:
            corners = [lost / (end * scale) for lost in loss for end in rates[by]]
            results[name] = (min(corners), max(corners))
    return {name: str(low) if low == high else f"{low} to {high}" for name, (low, high) in results.items()}


def _wager(chain: _Chain, proof: dict[str, Any]) -> _Results:
    """Return what a wager does that is made once; its ends are classes in which nothing is up and no money moves."""
    ends, cap = set(proof["ends"]), proof["cap"]
    for end in ends:
        is_still = all(to in ends and not cash for _, to, cash, *_ in chain.rows[end])
        require(is_still and chain.outlay[end] == 0, f"wager: class {end} is not an end")
    nodes = {(place, total): at for at, (place, total) in enumerate(proof["nodes"])}
    visits = _vector(proof["visits"], len(nodes))
    flows = [Fraction(0)] * len(nodes)
    flows[nodes[chain.start, 0]] += 1
    shares: list[tuple[int, int, Fraction]] = []  # the class before the end, the total, the chance
    by_class: dict[int, Fraction] = defaultdict(Fraction)
    for (place, so_far), visited in zip(nodes, visits, strict=True):
        require(visited > 0 and place not in ends, "wager: a class is listed that is never visited, or an end")
        by_class[place] += visited
        for count, to, cash, *_ in chain.rows[place]:
            share = visited * Fraction(count, _OUTCOMES)
            if to in ends:
                require(cap is None or cash + cap > 0, "wager: a total at the cap can still be lost")
                shares.append((place, so_far + cash, share))
            else:
                require(cap is None or cash >= 0, "wager: with a cap, something is lost before the end")
                flows[nodes[to, so_far + cash if cap is None else min(so_far + cash, cap)]] += share
    require(flows == visits, "wager: the visits do not balance")
    means = [Fraction(0) if at in ends else m for at, m in enumerate(_vector(proof["means"], len(chain.rows)))]
    variance = Fraction(0)
    for place, visited in by_class.items():
        rest = [(count, cash + means[to]) for count, to, cash, *_ in chain.rows[place]]
        require(sum(count * x for count, x in rest) == _OUTCOMES * means[place], "wager: the means do not balance")
        variance += visited * (sum(count * x * x for count, x in rest) / Fraction(_OUTCOMES) - means[place] ** 2)
    wagered = sum((share * _whole(proof["wagered"][place]) for place, _, share in shares), Fraction(0))
    idle = {place for place in by_class if all(cell[-1] & _IDLE for cell in chain.rows[place])}
    win, lose, push = (
        sum((share for _, total, share in shares if (total > 0) - (total < 0) == sign), Fraction(0))
        for sign in (1, -1, 0)
    )
    require(win + lose + push == 1, "wager: it does not always end")
    mean = means[chain.start] * chain.unit
    results = {"win": win, "lose": lose, "push": push, "mean_cents": mean, "variance_cents": variance * chain.unit**2}
    results["rolls"] = sum((visited for place, visited in by_class.items() if place not in idle), Fraction(0))
    results |= {"wagered_cents": wagered, "edge": -mean / wagered}
    return {name: str(value) for name, value in results.items()}


def _session(chain: _Chain, proof: dict[str, Any]) -> _Results:
    """Return what becomes of a session of so many rolls."""
    bankroll, rolls = _whole(proof["bankroll_cents"]), _whole(proof["rolls"])
    start, left = divmod(bankroll, chain.unit)
    goal = None if proof["goal_cents"] is None else -((left - _whole(proof["goal_cents"])) // chain.unit)
    sums = dict.fromkeys(("ruin", "goal", "ahead", "equity", "rolls", "action", "initial"), 0)  # over 36^n
    playing: _Masses = {chain.start: {start: 1}}
    for n in range(rolls + 1):
        acting: _Masses = defaultdict(lambda: defaultdict(int))
        for place, equity, mass in ((place, *cell) for place, cells in playing.items() for cell in cells.items()):
            at = place if goal is None or equity < goal else _GOAL  # before each roll the goal comes first,
            while n < rolls and at >= 0 and equity < chain.outlay[at]:  # then the last roll, then the outlay
                at = chain.short[at]
            if n < rolls and at >= 0:
                acting[at][equity] += mass
                continue
            amounts = {"ruin": at == -1, "goal": at == _GOAL, "ahead": equity > start, "equity": equity, "rolls": n}
            for name, amount in amounts.items():
                sums[name] += mass * amount
        if n < rolls:
            sums = {name: total * _OUTCOMES for name, total in sums.items()}
            playing = _roll(chain, acting, sums)
    means = {name: Fraction(total, _OUTCOMES**rolls) for name, total in sums.items()}
    mean = means["equity"] * chain.unit + left
    results = {name: means[name] for name in ("ruin", "goal", "ahead")}
    results |= {"mean_cents": mean, "loss_cents": bankroll - mean, "mean_rolls": means["rolls"]}
    for name in ("action", "initial"):
        if means[name]:
            results[f"edge_on_{name}"] = (bankroll - mean) / (means[name] * chain.unit)
    return {name: str(value) for name, value in results.items()}


def _roll(chain: _Chain, acting: _Masses, sums: dict[str, int]) -> _Masses:
    """Return the masses after a roll, and add what was decided by it to the sums."""
    after: _Masses = defaultdict(lambda: defaultdict(int))
    for place, cells in acting.items():
        everything = sum(cells.values())
        for count, to, cash, action, initial, _ in chain.rows[place]:
            sums["action"] += everything * count * action
            sums["initial"] += everything * count * initial
            into = after[to]
            for equity, mass in cells.items():
                into[equity + cash] += count * mass
    return after


_CHECKS = {"long_run": _long_run, "wager": _wager, "session": _session}


def report(text: str, proven: dict[str, _Results]) -> Iterator[str]:
    """Yield lines that say what a certificate is about and what it proves, as decimals and short fractions."""
    page = json.loads(text)
    rules, states = page["rules"], f"{len(page['classes']):,} states in {max(page['classes']) + 1:,} classes"
    yield f"{page['player']['name']}, {rules['regulation']} {rules['game']}: {states}"
    yield f"SHA-256 of the rulebook {rules['rulebook_sha256']}, of the house {rules['house_sha256']}"
    for kind, results in proven.items():
        terms = [f"{name} {value}" for name, value in page["proofs"][kind].items() if type(value) is int]
        yield ", ".join((kind, *terms))
        for name, value in results.items():
            decimals = " to ".join(f"{float(Fraction(end)):.12g}" for end in value.split(" to "))
            yield f"  {name:24}{decimals}" + (f" = {value}" if "/" in value and len(value) <= _SHOWN_MAX else "")


def check_file(arguments: list[str]) -> int:
    """Check the file that is named, print what it proves, and return 1 if it is refuted."""
    try:
        require(len(arguments) == 1, "name one certificate: python check_certificate.py FILE")
        text = Path(arguments[0]).read_text(encoding="utf-8")
        print("\n".join(report(text, check(text))))
    except (OSError, UnicodeDecodeError, Refuted) as error:
        print(f"REFUTED: {error}")
        return 1
    print("CONFIRMED; whether its arrays are those of the rules: passline certify --verify FILE")
    return 0


if __name__ == "__main__":
    sys.set_int_max_str_digits(0)  # fractions of sessions have thousands
    sys.exit(check_file(sys.argv[1:]))
