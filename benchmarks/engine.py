"""One table of eight strategies, 200 rolls, $500 each: Passline's engine against crapssim 0.4.1 in the same run.

One process, CPU time. Every wish goes through `decide` with every rule checked, and every event is folded. `Rules`
remembers its answers about wagers and rolls, as in any long game, so the table warms up first; a cold figure, with new
rules, is printed too.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time

from benchmarks import crapssim_table
from benchmarks._strategies import lineup
from passline.rules.rules import Rules
from passline.strategy.strategy_table import StrategyTable

ROLLS = 200
BANKROLL = 500_00
SESSIONS = 3
WARM_UP = 10
ROUNDS = 21
COLD = 5


def table_of_eight() -> StrategyTable:
    """Return the table: Maryland's default house, but with a $1 minimum and come odds off on come-out rolls."""
    rules = Rules.of("maryland", house={"wager_cents_min": 100, "come_odds_on_come_out": "off"})
    return StrategyTable(rules, lineup(rules))


def rate(table: StrategyTable, sessions: int, chance: random.Random) -> float:
    """Return table rolls per CPU-second over whole sessions, seating included."""
    begun = time.process_time()
    rolls = sum(play(table, chance) for _ in range(sessions))
    return rolls / (time.process_time() - begun)


def play(table: StrategyTable, chance: random.Random) -> int:
    """Play one session; return its number of rolls."""
    table.open(BANKROLL)
    outcomes = (int(chance.random() * 36) for _ in range(ROLLS))
    return table.play((outcome // 6 + 1, outcome % 6 + 1) for outcome in outcomes)


def main() -> None:
    """Measure both in turns, in short rounds so that a busy machine slows both, and print the medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    cold = statistics.median(rate(table_of_eight(), 1, random.Random(seed)) for seed in range(COLD))
    table, chance = table_of_eight(), random.Random(7)
    rate(table, WARM_UP, chance)  # fills what the rules remember; crapssim_table.rate warms up by itself
    ours, theirs = [], []
    for round_ in range(rounds):
        theirs.append(crapssim_table.rate(sessions=SESSIONS, rolls=ROLLS, seed=round_))
        ours.append(rate(table, SESSIONS, chance))
        ratio = ours[-1] / theirs[-1]
        print(
            f"round {round_ + 1:2}: passline {ours[-1]:8,.0f}   crapssim {theirs[-1]:8,.0f}   ratio {ratio:5.2f}",
            flush=True,
        )
    passline, crapssim = statistics.median(ours), statistics.median(theirs)
    print(f"\ntable rolls per CPU-second, eight players, median of {rounds} rounds of {SESSIONS} x {ROLLS} rolls")
    print(f"  passline {passline:10,.0f}\n  crapssim {crapssim:10,.0f}")
    print(f"  cold     {cold:10,.0f}   passline's first session under new rules\n")
    result = {"bench": "engine", "passline": round(passline), "crapssim": round(crapssim), "cold": round(cold)}
    print(json.dumps({**result, "ratio": round(passline / crapssim, 2)}))


if __name__ == "__main__":
    main()
