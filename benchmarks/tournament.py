"""A tournament held live: 1,000 entrants, 63 tables, 4 rounds, as a ratio to the same hands at ordinary tables.

One process, one sealed SQLite log. The desk enters everybody and has them sign in; seats are drawn by lot; every wager
and every roll is a command of its own at a live table; points are reported, the best go on, the prizes are paid and the
books closed. Then the same hands, with the same players, wagers and dice, are dealt at ordinary tables on a log of
their own. The ratio is of processor time, with the desk and without it; peers wait for nothing but the disk.

With --simulate nothing is held: `passline tournament simulate` plays tournaments of 40 entries by the kernels, and some
of the same through the engine; the ratio is of tournaments in a second of processor time. With --advise the last rolls
of a table of five players are solved, as `passline tournament advise` does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from passline.acts.judges.scene import Surroundings
from passline.game import commands as c
from passline.office.runtime import Offices
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED
from passline.store.data_folder import dice_secret, open_log
from passline.store.sealed import Log
from passline.store.timestamps import utc_now
from passline.streams.course import THE_HOUSE, Actor, Answer, Ask
from passline.tables.commands import DiceOut, KeyDice, OpenTable
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tournament import commands as k
from passline.tournament.advice.advise import advise
from passline.tournament.advice.situation import situation_of
from passline.tournament.plan.check import dealt_rules
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import Round
from passline.tournament.rehearsal.rehearse import rehearse, rolls_per_hour
from passline.tournament.rules import tournament_of
from passline.tournament.runtime import Tournaments
from passline.tournament.state import HeldRound, TournamentState

SEATS = 16
ADVANCE = 4
EVENT = "Main event"
STEPS = tuple(sorted(AUTOMATED - {"confirm"}))  # with physical dice the crew does that
STACK = 2500
WAGERS = (("field", 0), ("any_craps", 0), ("place_win", 6), ("place_win", 8), ("any_seven", 0))
STRATEGIES = (
    "pass_345:unit=10000", "molly:unit=5000", "six_eight:unit=12000", "dont_pass_345:unit=10000", "field:unit=20000",
)  # fmt: skip
SIX = ("field", "place_win 5", "place_win 8", "hardway 6", "any_seven", "any_craps")
ME = {"points": 2000, "strategy": "pass:unit=10000"}
RIVALS = [
    {"name": "Bob", "points": 2600, "strategy": "pass_345:unit=10000"},
    {"name": "Cleo", "points": 2400, "strategy": "field:unit=20000"},
    {"name": "Dan", "points": 2100, "strategy": "six_eight:unit=12000"},
    {"name": "Eve", "points": 1900, "strategy": "dont_pass:unit=20000"},
]
DIRECTOR = Actor("dora", "Dora", "director", is_employee=True)
STICK = Actor("stan", "Stan", "stickperson", is_employee=True)
_LOOK_SECONDS = 0.02
_TRIES = 10_000
_ids = count(1)


class Stages:
    """Processor and wall time of each stage."""

    def __init__(self) -> None:
        self.cpu: dict[str, float] = {}
        self.wall: dict[str, float] = {}
        self.commands: dict[str, int] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of a block to a stage."""
        cpu, wall, commands = time.process_time(), time.perf_counter(), next(_ids)
        yield
        self.cpu[name] = self.cpu.get(name, 0.0) + time.process_time() - cpu
        self.wall[name] = self.wall.get(name, 0.0) + time.perf_counter() - wall
        self.commands[name] = self.commands.get(name, 0) + next(_ids) - commands - 1


def plan_of(entrants: int, rounds: int, rolls: int) -> dict[str, Any]:
    """Return the plan: physical dice, every step of the house by itself, the best four of each table go on."""
    plan = example_plan("colorado")
    main = plan.events[0]
    first = main.places[0]
    played = tuple(
        Round(name=f"Round {number}", rolls=rolls, seats=SEATS, advance=ADVANCE, is_initial=number == 1)
        for number in range(1, rounds)
    )
    main = replace(
        main, last_day=main.first_day, rebuy=None, reentries_max=0, entries_max=entrants, points=STACK,
        rounds=(*played, Round(name="Final", rolls=rolls, seats=SEATS, is_initial=rounds == 1)),
        places=(replace(first, prize=replace(first.prize, voucher="", basis_points=10_000)),),
    )  # fmt: skip
    plan = replace(
        plan, id="bench", pools="one", events=(main,), automate=STEPS, splits=False,
        sheet=replace(plan.sheet, ties="shared", final_round="the most points win", conclusion="the best one wins"),
    )  # fmt: skip
    data: dict[str, Any] = to_builtins(plan)
    return data


async def done(asked: Awaitable[Answer | Refused]) -> Answer:
    """Return an answer that must not be a refusal."""
    answer = await asked
    if isinstance(answer, Refused):
        raise SystemExit(f"refused: {answer}")
    return answer


def ask_of(command: object, by: Actor = DIRECTOR) -> Ask:
    """Return a command with a new id."""
    return Ask(f"id-{next(_ids)}", command, by)


async def deal(table: RunningTable, players: Sequence[tuple[int, str]], rolls: int, seed: str) -> None:
    """Deal the hands of one table: two wagers of everybody before each roll, the shooter's line wager, the dice."""
    chance = random.Random(seed)
    for _ in range(rolls):
        while (position := table.live.game.position).dice == "offered":
            seat = position.offered_to
            await done(table.stream.ask(ask_of(c.AcceptDice(seat=seat), actor_at(players, seat))))
        shooter = position.shooter
        wagers: list[tuple[int, str, int, int]] = []
        if not position.puck and not any(one.seat == shooter and one.kind == "pass" for one in position.layout):
            wagers.append((shooter, "pass", 0, 5_00))
        for seat, _account in players:
            which = chance.sample(WAGERS, 2)
            wagers += ((seat, wager, number, 6_00 * chance.randint(1, 3)) for wager, number in which)
        asks = [
            ask_of(c.MakeWager(seat=seat, wager=wager, number=number, cents=cents), actor_at(players, seat))
            for seat, wager, number, cents in wagers
        ]
        await asyncio.gather(*(table.stream.ask(one) for one in asks))
        await done(table.stream.ask(ask_of(DiceOut(), STICK)))
        dice = KeyDice(first=chance.randint(1, 6), second=chance.randint(1, 6))
        await done(table.stream.ask(ask_of(dice, STICK)))


def actor_at(players: Sequence[tuple[int, str]], seat: int) -> Actor:
    """Return the player at a seat."""
    account = next(account for at, account in players if at == seat)
    return Actor(account, account, "player")


async def until(state: Callable[[], Awaitable[TournamentState]], is_so: Callable[[TournamentState], bool]) -> None:
    """Wait until a tournament is as wanted: its server does what follows by itself."""
    for _ in range(_TRIES):
        if is_so(await state()):
            return
        await asyncio.sleep(_LOOK_SECONDS)
    raise SystemExit("the tournament does not go on")


def seated(held: HeldRound, state: TournamentState, table: str) -> list[tuple[int, str]]:
    """Return the seats of a table with their players' accounts."""
    return [(one.seat, state.entries[str(one.entry)].account) for one in held.seats if one.table == table]


async def hold(log: Log, keys: DiceKeys, plan: dict[str, Any], stages: Stages) -> list[Any]:
    """Hold a tournament; return who sat where in each round."""
    floor = Floor(log, clock=utc_now, keys=keys)
    await floor.start()
    offices = Offices(log, floor.writer, utc_now, Surroundings(lambda _account: None))
    tournaments = Tournaments(log, floor, offices, utc_now, keys)
    await tournaments.start()
    hands: list[Any] = []
    event = plan["events"][0]
    entrants, rounds, rolls = event["entries_max"], len(event["rounds"]), event["rounds"][0]["rolls"]

    async def state() -> TournamentState:
        found = await tournaments.state("bench")
        assert found is not None
        return found

    async def ask(command: k.TournamentCommand) -> None:
        await done(tournaments.ask("bench", ask_of(command)))

    with stages.stage("desk"):
        _, planned = await tournaments.plan(ask_of(k.PlanTournament(plan=plan)))
        assert not isinstance(planned, Refused), str(planned)
        for number in range(1, entrants + 1):
            await ask(k.EnterPlayer(event=EVENT, name=f"Player {number}", account=f"p{number}"))
            await ask(k.SignInPlayer(entry=number))
    for number in range(1, rounds + 1):
        with stages.stage("rounds"):
            now = await state()
            playing = len(now.rounds[-1].advance) if now.rounds else entrants
            tables = tuple(f"r{number}-t{one}" for one in range(1, -(-playing // SEATS) + 1))
            await ask(k.PrepareRound(event=EVENT, tables=tables))
            await ask(k.StartRound())
            held = (await state()).round
            assert held is not None
            now = await state()
        with stages.stage("tables"):
            await asyncio.gather(
                *(
                    _deal_when_open(floor, tournaments.waiting, seated(held, now, table), table, rolls)
                    for table in tables
                )
            )
            await until(state, lambda one: one.round is not None and len(one.round.house) == len(one.round.tables))
        hands.append([(table, seated(held, now, table)) for table in tables])
        with stages.stage("rounds"):
            await ask(k.EndRound())
    with stages.stage("prizes"):
        await ask(k.ConcludeEvent(event=EVENT))
        for entry in list((await state()).awards):
            await ask(k.PayPrize(entry=int(entry), is_alone=True))
        await ask(k.CountFees(counted=(await state()).balances["fees"]))
        await ask(k.CloseTournament())
    await tournaments.close()
    await floor.close()
    return hands


async def _deal_when_open(
    floor: Floor, waiting: dict[str, dict[str, str]], players: list[tuple[int, str]], name: str, rolls: int
) -> None:
    """Deal at a table of a round as soon as its players sit there."""
    while (table := await floor.table(name)) is None or table.stream.state is None or not table.live.players:
        if why := waiting.get("bench", {}).get(name):
            raise SystemExit(f"{name} waits: {why}")
        await asyncio.sleep(_LOOK_SECONDS)
    await deal(table, players, rolls, name)


async def ordinary(log: Log, keys: DiceKeys, hands: list[Any], rolls: int, stages: Stages) -> None:
    """Deal the same hands at ordinary tables, round by round."""
    floor = Floor(log, clock=utc_now, keys=keys)
    await floor.start()
    with stages.stage("ordinary tables"):
        for tables in hands:
            await asyncio.gather(*(_ordinary(floor, name, players, rolls) for name, players in tables))
    await floor.close()


async def _ordinary(floor: Floor, name: str, players: list[tuple[int, str]], rolls: int) -> None:
    opening = OpenTable(
        name=name, house={"rules": "colorado", "seats": SEATS}, dice="physical", automate=STEPS,
        buy_in="self", bank_cents=10_000_000_00,
    )  # fmt: skip
    id_, opened = await floor.open(ask_of(opening, THE_HOUSE))
    assert not isinstance(opened, Refused), str(opened)
    table = await floor.table(id_)
    assert table is not None
    for seat, account in players:
        by = Actor(account, account, "player")
        await done(table.stream.ask(ask_of(c.TakeSeat(seat=seat), by)))
        await done(table.stream.ask(ask_of(c.BuyIn(seat=seat, cents=STACK * 100), by)))
    await deal(table, players, rolls, name)


def _last(log: Log) -> int:
    head = log.head()
    return head.sequence if head else 0


def simulate(entries: int, runs: int, by_engine: int) -> None:
    """Rehearse a tournament by the kernels and through the engine; as the last line print one JSON object."""
    plan = example_plan("colorado")
    event, rules = plan.events[0], dealt_rules(tournament_of("colorado"), plan)
    assert rules is not None
    held = partial(rehearse, plan, rules, STRATEGIES, event=event, entries=entries, seed=1, pace=rolls_per_hour(plan))
    held(runs=1)  # compiles what is not kept from an earlier run
    seconds = {}
    for how, times, states_max in (("kernels", runs, 0), ("engine", by_engine, 1)):
        cpu, wall = time.process_time(), time.perf_counter()
        found = held(runs=times, states_max=states_max)
        assert found.runs == times
        assert bool(found.by_engine) == (how == "engine")
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        seconds[how] = cpu
        print(
            f"  {how:8} {times:7,} tournaments  CPU {cpu:7.2f} s  wall {wall:7.2f} s  {times / cpu:9,.0f} a CPU second"
        )
    ratio = runs / seconds["kernels"] / (by_engine / seconds["engine"])
    print(f"\n  {entries} entries, 3 rounds of 60, 60 and 50 rolls, {len(STRATEGIES)} strategies: {ratio:,.0f} times\n")
    figures = {"bench": "tournament", "simulated": runs, "entries": entries, "cpu_s": round(seconds["kernels"], 2)}
    print(json.dumps({**figures, "ratio": round(ratio)}))


def advise_all() -> None:
    """Solve the last rolls of one table, with a few wagers and with all; as the last line print one JSON object."""
    seconds = {}
    for rolls, wagers in ((1, SIX), (2, SIX), (3, SIX), (1, ()), (2, ())):
        data = {"rules": "colorado", "rolls": rolls, "puck": 6, "me": ME, "rivals": RIVALS, "chip": 25}
        ending = situation_of({**data, "wagers": wagers} if wagers else data)
        advise(ending)  # compiles what is not kept from an earlier run
        cpu, wall = time.process_time(), time.perf_counter()
        found = advise(ending)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        name = f"{rolls}_rolls_{len(wagers) or 'all'}"
        seconds[name] = round(cpu, 2)
        looked = f"{found.one_wager:,} of one wager, {found.two_wagers:,} of two, {found.positions:,} positions"
        print(f"  {name:12} CPU {cpu:6.2f} s  wall {wall:6.2f} s  {looked}")
    print(json.dumps({"bench": "tournament", "advise_cpu_s": seconds}))


def main() -> None:
    """Hold both, print the stages, and as the last line one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--rolls", type=int, default=20, help="of each table in each round")
    parser.add_argument("--simulate", type=int, metavar="RUNS", default=0, help="rehearse so many tournaments instead")
    parser.add_argument("--entries", type=int, default=40, help="of each rehearsed tournament")
    parser.add_argument("--advise", action="store_true", help="solve the last rolls of a table instead")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} before\n")
    if options.advise:
        advise_all()
        return
    if options.simulate:
        simulate(options.entries, options.simulate, max(1, options.simulate // 250))
        return
    stages = Stages()
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "tournament", Path(folder) / "ordinary"
        log = open_log(ours)
        keys = DiceKeys(dice_secret(ours), log.log_id)
        hands = asyncio.run(hold(log, keys, plan_of(options.entrants, options.rounds, options.rolls), stages))
        entries = _last(log)
        log.close()
        log = open_log(theirs)
        keys = DiceKeys(dice_secret(theirs), log.log_id)
        asyncio.run(ordinary(log, keys, hands, options.rolls, stages))
        others = _last(log)
        log.close()
    tables = [len(one) for one in hands]
    print(f"{options.entrants:,} entrants, {' + '.join(map(str, tables))} tables, {options.rolls} rolls each")
    print("  stage             commands   CPU s    wall s   commands/CPU s")
    for name, cpu in stages.cpu.items():
        commands = stages.commands[name]
        print(f"  {name:16} {commands:9,} {cpu:8.2f} {stages.wall[name]:9.2f} {commands / cpu:12,.0f}")
    base = stages.cpu["ordinary tables"]
    held = sum(stages.cpu.values()) - base
    play = (held - stages.cpu["desk"]) / base
    print(
        f"\n  entries: {entries:,} of the tournament's log, {others:,} of the ordinary tables' (desk and prizes differ)"
    )
    print(f"  the tournament without its desk takes {play:.2f} times the ordinary tables, with it {held / base:.2f}\n")
    result = {"bench": "tournament", "entrants": options.entrants, "tables": tables, "rolls": options.rolls}
    figures = {f"{name.replace(' ', '_')}_cpu_s": round(cpu, 2) for name, cpu in stages.cpu.items()}
    print(json.dumps({**result, **figures, "ratio_play": round(play, 2), "ratio": round(held / base, 2)}))


if __name__ == "__main__":
    main()
