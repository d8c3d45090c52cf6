"""Simulated sessions on one core: Passline against crapssim 0.4.1 in the same run, and the cost of a roll.

Rolls per CPU-second of sessions from $500 of at most 200 rolls, policy "stop", with every statistic: final bankroll,
peak, drawdown, rolls, amount wagered, time to ruin, endings, histograms. Both take turns in rounds on one core. W4 is a
table of eight and counts table rolls; for Passline those of the player who lasts longest.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import statistics
import time
from collections.abc import Callable, Sequence

from crapssim.bet import Field
from crapssim.strategy.single_bet import BetPassLine, BetPlace
from crapssim.strategy.tools import AddIfPointOn, AggregateStrategy
from crapssim.strategy.tools import Strategy as PeerStrategy
from crapssim.table import Table as PeerTable

from benchmarks import crapssim_table
from benchmarks._strategies import HardHopPress, lineup
from benchmarks.processor import processor_name
from passline.automaton.network import network, network_of_parts
from passline.automaton.terms import Terms
from passline.rules.rules import Rules
from passline.side_processes import cores_here
from passline.simulation.backends.cpu.backend import play_sessions
from passline.simulation.backends.cpu.lane_forms import FORMS, Form
from passline.simulation.backends.cpu.quickest_form import processor, quickest_form
from passline.simulation.kernel_tables import Tables, limits_of, tables_of
from passline.simulation.kernel_types import SessionLimits
from passline.strategy.lookup import strategy_of

ROLLS = 200
BANKROLL = 500_00
TERMS = Terms(bankroll_cents=BANKROLL, rolls=ROLLS)
SECTION2 = Rules.of("section2")
MARYLAND = Rules.of(
    "maryland",
    house={
        "wager_cents_min": 100,
        "come_odds_on_come_out": "off",
        "side_wagers": {"fire": "A", "bonus_craps": "A"},
    },
)
SIDES = ("fire", "small", "tall", "all")
SINGLE = {"W1": "pass:unit=1000,odds=0", "W2": "molly:unit=1000,odds=2", "W3": "iron_cross:unit=1000,field=1000"}
DESCRIPTIONS = {
    "W1": "flat pass $10",
    "W2": "three-point molly $10, 2x odds",
    "W3": "place 5 $10, 6 and 8 $12, field $10 while ON",
    "W4": "a table of eight, the eighth with fire, small, tall and all",
}
TARGETS = {"W1": 20_000, "W2": 75_000, "W3": 75_000, "W4": 40_000}
PARTS_BUDGET = 1200  # states of a product; larger parts need fewer look-ups but do not fit the processor's cache

Player = tuple[Tables, SessionLimits]


def single(text: str, rules: Rules = SECTION2) -> Player:
    """Return the kernel tables of one strategy as one automaton, and its limits."""
    tables = tables_of(network(rules, strategy_of(text, rules), budget=1 << 14))
    return tables, limits_of(tables, TERMS)


def eight() -> list[Player]:
    """Return the eight players of `bench engine`; the eighth also makes side wagers, as a network of parts."""
    tables = [tables_of(network(MARYLAND, strategy)) for strategy in lineup(MARYLAND)[:-1]]
    sides = [strategy_of(f"{name}:unit=100", MARYLAND) for name in SIDES]
    parts = (*HardHopPress(5_00).parts, *sides)
    tables.append(tables_of(network_of_parts(MARYLAND, parts, budget=PARTS_BUDGET)))
    return [(one, limits_of(one, TERMS)) for one in tables]


def rate(players: Sequence[Player], sessions: int, seed: int, form: Form | None = None) -> float:
    """Return rolls per CPU-second on one core, counting the rolls of the player who lasts longest."""
    begun = time.process_time()
    rolls = max(
        play_sessions(tables, limits, seed=seed, sessions=sessions, cores=1, form=form).rolls
        for tables, limits in players
    )
    return rolls / (time.process_time() - begun)


def peer_rate(strategy: Callable[[], PeerStrategy], sessions: int, seed: int) -> float:
    """Return crapssim's rolls per CPU-second for one player, after one untimed session."""
    seeds = random.Random(seed)
    rolls, begun = 0, 0.0
    for session in range(sessions + 1):
        if session == 1:
            rolls, begun = 0, time.process_time()
        table = PeerTable(seed=seeds.getrandbits(32))
        table.add_player(BANKROLL // 100, strategy())
        table.run(max_rolls=ROLLS, verbose=False)
        rolls += table.dice.n_rolls
    return rolls / (time.process_time() - begun)


def peer_iron_cross() -> PeerStrategy:
    """Place 5, 6 and 8 and play the field while the point is on."""
    return AggregateStrategy(BetPlace({5: 10.0, 6: 12.0, 8: 12.0}, skip_point=False), AddIfPointOn(Field(10)))


PEERS: dict[str, Callable[[], PeerStrategy]] = {
    "W1": lambda: BetPassLine(10),
    "W2": crapssim_table.molly,
    "W3": peer_iron_cross,
}


def take_turns(name: str, players: Sequence[Player], *, rounds: int, sessions: int) -> dict[str, float]:
    """Measure both in turns; return the medians and their ratio."""
    rate(players, 2048, seed=0)  # compiles kernels that are not cached yet
    ours, theirs = [], []
    for round_ in range(rounds):
        if name in PEERS:
            theirs.append(peer_rate(PEERS[name], 20, round_))
        else:
            theirs.append(crapssim_table.rate(sessions=3, rolls=ROLLS, seed=round_))
        ours.append(rate(players, sessions, round_))
    passline, crapssim = statistics.median(ours), statistics.median(theirs)
    ratio = passline / crapssim
    print(
        f"  {name}  {DESCRIPTIONS[name]:62}{passline:14,.0f}{crapssim:12,.0f}{ratio:11,.0f}x{TARGETS[name]:10,}x",
        flush=True,
    )
    return {"passline": round(passline), "crapssim": round(crapssim), "ratio": round(ratio)}


def curve(sessions: int) -> list[float]:
    """Print the cost of a roll for automata with more and more states; return the best nanoseconds of each."""
    print("\nthe cost of a roll by the states of one automaton")
    print(f"  {'strategy':34}{'states':>8}{'table KiB':>11}{'ns a roll':>11}")
    line, molly = SINGLE["W1"], SINGLE["W2"]
    texts = (line, "pass:odds=2", molly, "fire:unit=100", "molly:points=4", "all:unit=100", "molly + fire")
    players = [single(text, MARYLAND) for text in texts]
    for player in players:
        rate([player], 2048, 0)
    rounds = [[rate([player], sessions, seed) for player in players] for seed in range(9)]
    found = [1e9 / max(rates) for rates in zip(*rounds, strict=True)]
    for text, (tables, _limits), cost in zip(texts, players, found, strict=True):
        print(f"  {text:34}{len(tables):>8,}{len(tables.packed) // 128:>11,}{cost:>11.3f}", flush=True)
    return found


def forms(sessions: int) -> dict[str, dict[str, float]]:
    """Print the cost of a roll in every form of the kernel's look-up; return the best nanoseconds of each."""
    print("\nthe cost of a roll by the form of the look-up, in ns")
    print(f"  {'':34}{''.join(f'{name:>10}' for name in SINGLE)}")
    players = {name: [single(text)] for name, text in SINGLE.items()}
    found: dict[str, dict[str, float]] = {form.name: dict.fromkeys(players, math.inf) for form in FORMS.values()}
    for seed in range(-1, 9):  # the first one compiles
        for kind, form in FORMS.items():
            for name, player in players.items():
                cost = 1e9 / rate(player, sessions if seed >= 0 else 2048, max(seed, 0), kind())
                found[form.name][name] = min(found[form.name][name], cost)
    chosen = FORMS[type(quickest_form())].name
    for form_name, costs in found.items():
        mark = "  chosen" if form_name == chosen else ""
        print(f"  {form_name:34}{''.join(f'{cost:>10.3f}' for cost in costs.values())}{mark}", flush=True)
    return found


def growth(player: Player) -> None:
    """Print the cost of a roll for more and more sessions, and on all cores."""
    print("\nthe cost of a roll by sessions (molly), and on all cores")
    for sessions in (1 << 14, 1 << 17, 1 << 20):
        best = max(rate([player], sessions, seed) for seed in range(3))
        print(f"  {sessions:>10,} sessions, one core {1e9 / best:11.3f} ns", flush=True)
    cores = cores_here()
    one, every = (min(_wall(player, count) for _ in range(5)) for count in (1, cores))
    print(f"  {1 << 20:>10,} sessions, {cores} cores {every:12.3f} ns, {one / every:.2f} x as fast as one", flush=True)


def _wall(player: Player, cores: int) -> float:
    """Return the wall-clock nanoseconds of a roll."""
    begun = time.perf_counter()
    rolls = play_sessions(*player, seed=1, sessions=1 << 20, cores=cores).rolls
    return (time.perf_counter() - begun) / rolls * 1e9


def main() -> None:
    """Print the table of workloads, then the curves; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--sessions", type=int, default=1 << 17, help="of a round")
    options = parser.parse_args()
    workloads = {name: [single(text)] for name, text in SINGLE.items()} | {"W4": eight()}
    print(f"{processor_name()} (LLVM: {processor()}), load {os.getloadavg()[0]:.1f} before")
    print(f"rolls per CPU-second on one core, ${BANKROLL // 100}, {ROLLS} rolls, all statistics;", end=" ")
    print(f"medians of {options.rounds} rounds in turns")
    print(f"  {'':66}{'passline':>14}{'crapssim':>12}{'ratio':>12}{'target':>11}")
    found = {}
    for name, players in workloads.items():
        sessions = options.sessions if len(players) == 1 else options.sessions // 8
        found[name] = take_turns(name, players, rounds=options.rounds, sessions=sessions)
    costs = curve(options.sessions // 2)
    print(f"  the largest costs {costs[-1] / costs[0]:.2f} x the smallest")
    by_form = forms(options.sessions // 2)
    growth(workloads["W2"][0])
    print()
    print(json.dumps({**found, "processor": processor_name(), "ns_by_form": by_form}))


if __name__ == "__main__":
    main()
