"""Exact answers: cold par sheets, the law of 200 rolls of three-point molly in floats and rationals, and crapssim.

crapssim 0.4.1 plays the same strategy in the same run: how many sessions it would need for the precision of the float64
law at 95 %, how long they would take, and the ratio. The last table shows that a roll costs the same per cell (a state
and a reachable equity), whatever the strategy and the bankroll.
"""

from __future__ import annotations

import importlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from crapssim.table import Table as PeerTable

from benchmarks import crapssim_table
from passline.automaton.arrays import Automaton
from passline.automaton.compiler import compile_strategy
from passline.automaton.minimise import lump, minimise
from passline.automaton.terms import Terms
from passline.exact.session.float_law import session_law
from passline.exact.session.rational_law import rational_law
from passline.rules.rules import Rules
from passline.strategy.lookup import strategy_of

ROLLS = 200
BANKROLL = 500_00
MOLLY = "molly:unit=1000,odds=2"
ROUNDS = 5
PEER_SESSIONS = 100
Z = 1.959964  # of 95 %
YEAR = 365.25 * 24 * 3600
_Result = TypeVar("_Result")


def timed(function: Callable[[], _Result], rounds: int = 1) -> tuple[_Result, float]:
    """Return a function's result and the median seconds it took."""
    taken = []
    for _ in range(rounds):
        begun = time.perf_counter()
        result = function()
        taken.append(time.perf_counter() - begun)
    return result, statistics.median(taken)


def cold_sheet(regulation: str) -> float:
    """Return the seconds that a par sheet takes in a new process without a cache."""
    command = [sys.executable, "-m", "passline", "odds", regulation, "--json"]
    environment = {**os.environ, "PASSLINE_CACHE": "off"}
    begun = time.perf_counter()
    printed = subprocess.run(command, check=True, capture_output=True, env=environment)  # noqa: S603 - our own command
    seconds = time.perf_counter() - begun
    print(f"  {regulation:10} {len(json.loads(printed.stdout)):5} lines {seconds:8.2f} s")
    return seconds


def molly_under(rules: Rules) -> Automaton:
    """Compile three-point molly with double odds."""
    return compile_strategy(rules, strategy_of(MOLLY, rules))


def peer_seconds(sessions: int) -> float:
    """Return crapssim's CPU seconds for one session of the same strategy."""
    begun = time.process_time()
    for seed in range(sessions):
        table = PeerTable(seed=seed)
        table.add_player(BANKROLL // 100, crapssim_table.molly())
        table.run(max_rolls=ROLLS, verbose=False)
    return (time.process_time() - begun) / sessions


def curve(rules: Rules) -> list[float]:
    """Print the cost of one roll for more and more states and larger bankrolls; return the nanoseconds per cell."""
    print("\nthe cost of one roll")
    print(f"  {'strategy':24}{'states':>8}{'bankroll':>10}{'equities':>10}{'us a roll':>12}{'ns a cell':>12}")
    found = []
    for text in ("pass:odds=2", MOLLY, "iron_cross", "press", "molly:points=4"):
        automaton = lump(compile_strategy(rules, strategy_of(text, rules)))
        for bankroll in (200_00, 500_00, 1000_00, 2000_00):
            terms = Terms(bankroll_cents=bankroll, rolls=ROLLS)
            law, seconds = timed(lambda: session_law(automaton, terms), ROUNDS)  # noqa: B023 - called at once
            equities = (law.equity_cents[-1] - law.equity_cents[0]) // automaton.unit
            per_cell = seconds / ROLLS / (len(automaton) * equities)
            found.append(per_cell * 1e9)
            shown = f"{bankroll // 100:>10}{equities:>10}{seconds / ROLLS * 1e6:>12.1f}{per_cell * 1e9:>12.3f}"
            print(f"  {text:24}{len(automaton):>8}{shown}")
    return found


def main() -> None:
    """Print the tables; the last line is one JSON object."""
    rules = Rules.of("maryland")
    print("par sheets, each in a new process without a cache")
    sheets = {name: cold_sheet(name) for name in ("maryland", "colorado", "section2", "arizona")}
    whole, compiling = timed(lambda: molly_under(rules))
    automaton = lump(minimise(whole), marks=0)
    terms = Terms(bankroll_cents=BANKROLL, rolls=ROLLS)
    importlib.import_module("passline.exact.session.kernels")  # a process's first laws are solved without them
    session_law(automaton, terms)  # numba compiles the kernels once and caches them
    law, floats = timed(lambda: session_law(automaton, terms), ROUNDS)
    rational_law(automaton, Terms(bankroll_cents=BANKROLL, rolls=2))
    exact, rationals = timed(lambda: rational_law(automaton, terms))
    assert abs(float(exact.ruin) - law.ruin) <= law.error
    print(f"\nthree-point molly, double odds, $500, {ROLLS} rolls: ruin {law.ruin:.12f}, error at most {law.error:.1e}")
    print(f"  compiled in {compiling:.2f} s; {len(whole)} states found, {len(minimise(whole))} minimised,", end=" ")
    print(f"{len(lump(whole))} lumped, {len(automaton)} without marks")
    print(f"  law in float64 {floats * 1000:10.1f} ms\n  exact rationals {rationals:8.2f} s")
    each = peer_seconds(PEER_SESSIONS)
    sessions = Z * Z * law.ruin * (1 - law.ruin) / law.error**2
    print(f"  crapssim needs {sessions:.1e} sessions of {each * 1000:.1f} ms for that precision at 95 %:", end=" ")
    print(f"{sessions * each / YEAR:.1e} years")
    percent = Z * Z * law.ruin * (1 - law.ruin) / 0.001**2
    print(f"  for a tenth of a percent {percent:,.0f} sessions, {percent * each:,.0f} s:", end=" ")
    print(f"{percent * each / floats:,.0f} x the time of the law")
    cells = curve(rules)
    print(f"  a cell costs {min(cells):.2f} to {max(cells):.2f} ns, {statistics.median(cells):.2f} at the median\n")
    print(
        json.dumps(
            {
                "bench": "exact",
                "sheet_s": {name: round(seconds, 2) for name, seconds in sheets.items()},
                "law_s": round(floats, 4),
                "rational_s": round(rationals, 2),
                "peer_sessions": float(f"{sessions:.3g}"),
                "ratio": float(f"{sessions * each / floats:.3g}"),
                "ratio_at_a_tenth_of_a_percent": round(percent * each / floats),
                "ns_per_cell": [round(min(cells), 3), round(statistics.median(cells), 3), round(max(cells), 3)],
            }
        )
    )


if __name__ == "__main__":
    main()
