"""Strategies of more than 200,000 states, simulated with everything included, and some of their sessions replayed.

Run it with `./x bench large [--sessions N] [--replays N] [FILE ...]`. For each file of `large_strategies` (or those
named): how many states were compiled or explored, the seconds until sessions begin and until all have ended, on the
clock and of the processor, and whether sessions drawn at random replay to the cent by the engine. Nothing is cached.
The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path

from benchmarks.processor import processor_name
from passline.automaton.terms import Terms
from passline.rules.rules import Rules
from passline.side_processes import cores_here
from passline.simulation.backends.cpu.backend import session_records
from passline.simulation.growing_tables import GrowingTables
from passline.simulation.replay import replay
from passline.simulation.simulation import PreparedStrategy, prepare_strategy, simulate_strategies
from passline.strategy.lookup import strategy_of

FILES = sorted((Path(__file__).parent / "large_strategies").glob("*.toml"))
TERMS = Terms(bankroll_cents=3_000_00, rolls=200)
RULES = Rules.of("maryland")
SEED = 36


def measure(path: Path, sessions: int, replays: int) -> dict[str, object]:
    """Simulate the sessions of one file and replay some of them; return the figures."""
    clock, processor = time.perf_counter(), time.process_time()
    prepared = prepare_strategy(RULES, str(path), TERMS)
    ready_s = time.perf_counter() - clock
    [found] = simulate_strategies([prepared], sessions=sessions, seed=SEED)
    whole_s, processor_s = time.perf_counter() - clock, time.process_time() - processor
    drawn = random.Random(SEED).sample(range(sessions), min(replays, sessions))
    differ = sum(not is_replayed(path, prepared, session) for session in drawn)
    return {
        "file": path.stem,
        "sessions": found.sessions,
        "parts": len(prepared.tables.parts),
        "states": sum(states for _name, states in prepared.tables.parts),
        "explored": isinstance(prepared.tables, GrowingTables),
        "ready_s": round(ready_s, 1),
        "whole_s": round(whole_s, 1),
        "processor_s": round(processor_s, 1),
        "replayed": len(drawn),
        "differ": differ,
    }


def is_replayed(path: Path, prepared: PreparedStrategy, session: int) -> bool:
    """Return whether the engine deals a session as the simulator has it: ending, rolls, equity and amount wagered."""
    ((_, rows),) = session_records(prepared.tables, prepared.limits, seed=SEED, first=session, sessions=1)
    ending, rolls, final, _peak, _drawdown, wagered = rows[0].tolist()
    *_, last = replay(RULES, strategy_of(str(path), RULES), TERMS, seed=SEED, session=session)
    unit = prepared.tables.unit
    simulated = (ending, rolls, prepared.limits.cents(final, unit), wagered * unit)
    return simulated == (last.ending, last.rolls, last.equity_cents, last.wagered_cents)


def main(arguments: list[str]) -> int:
    """Measure each file and print a table; fail if a session is replayed differently."""
    parser = argparse.ArgumentParser(prog="./x bench large")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", default=FILES)
    parser.add_argument("--sessions", type=int, default=1_000_000)
    parser.add_argument("--replays", type=int, default=100)
    given = parser.parse_args(arguments)
    os.environ["PASSLINE_CACHE"] = "off"
    print(f"{processor_name()}; {cores_here()} cores, load {os.getloadavg()[0]:.1f}; {TERMS}")
    heads = f"{'file':<26}{'sessions':>10}{'parts':>7}{'states':>10}{'ready s':>9}{'whole s':>9}"
    print(f"{heads}{'cpu s':>8}  replayed, differ")
    measured = []
    for path in given.files:
        row = measure(path, given.sessions, given.replays)
        measured.append(row)
        print(
            f"{row['file']:<26}{row['sessions']:>10,}{row['parts']:>7}{row['states']:>10,}{row['ready_s']:>9}"
            f"{row['whole_s']:>9}{row['processor_s']:>8}  {row['replayed']}, {row['differ']}",
            flush=True,
        )
    print(json.dumps({"large": measured, "processor": processor_name(), "cores": cores_here()}))
    return 1 if any(row["differ"] for row in measured) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
