"""`passline tournament simulate`: a plan is played many times by named strategies before it is held."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.cli.exit_codes import FAILED
from passline.cli.options.session import complete_strategy
from passline.cli.output import progress_bar
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.tournament.plan.schema import Event, Plan
    from passline.tournament.rehearsal.figures import Rehearsal

FileArgument = Annotated[Path, typer.Argument(help="A plan of a tournament.", show_default=False)]
"""The plan that a command reads."""
_DEFAULT_STRATEGIES = (
    "pass_345:unit=10000, molly:unit=5000, six_eight:unit=12000, dont_pass_345:unit=10000, field:unit=20000"
)
_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
_NORMAL = 1.96  # half a 95 % interval, in standard deviations


def lawful_plan(file: Path) -> Plan:
    """Return the plan in a file; print every fault of its shape, or else every breach, and leave if there is one."""
    from passline.tournament.plan.check import check_plan
    from passline.tournament.plan.reader import read_plan
    from passline.tournament.rules import tournament_of

    plan, faults, name = read_plan(file)
    rules = tournament_of(name)  # raises where its text has no tournaments, whatever else is wrong with the plan
    found = faults if plan is None else check_plan(rules, plan)
    for fault in found:
        print(fault)
    if plan is None or found:
        raise typer.Exit(FAILED)
    return plan


def simulate(
    file: FileArgument,
    *,
    event: Annotated[str, typer.Option(help="Which event of it; else the first.")] = "",
    entries: Annotated[int, typer.Option(min=0, help="How many enter; 0: as many as may.")] = 0,
    strategies: Annotated[
        str,
        typer.Option(
            help="Strategies, divided by commas; the players take them in turn. A point is 100 units.",
            autocompletion=complete_strategy,
        ),
    ] = _DEFAULT_STRATEGIES,
    runs: Annotated[int, typer.Option(min=1, max=1_000_000, help="How often it is held.")] = 2000,
    seed: Annotated[str, typer.Option(help="The seed of dice and seat draws.")] = "0",
    pace: Annotated[
        float, typer.Option(min=0, help="Rolls an hour at a table; 0: by the sheet's time for wagering.")
    ] = 0,
    buy_again: Annotated[
        bool,
        typer.Option("--buy-again", help="Everybody buys the re-buys and add-ons of the plan as soon as they may."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Simulate a tournament: how long it takes, what the winner has, how often one wager decides it, and who wins.

    It is held a thousand times a second or more. A strategy that reads its money, and whatever else the kernels cannot
    take, is dealt by the engine, which comes to the same and is slower: the answer says so. Nobody enters again. Ctrl-C
    shows the runs that are over. Example:
    passline tournament simulate spring.toml --entries 80 --strategies "molly:unit=5000, pass:unit=20000" --runs 10000
    """
    from passline.dice_sources import seed_of
    from passline.tournament.plan.check import dealt_rules
    from passline.tournament.rehearsal.rehearse import rehearse, rolls_per_hour
    from passline.tournament.rules import tournament_of

    plan = lawful_plan(file)
    chosen = _event(plan, event)
    rules = dealt_rules(tournament_of(plan.rules), plan)
    assert rules is not None, "a lawful plan has lawful tables"
    names = [name.strip() for name in strategies.split(",") if name.strip()]
    with progress_bar("tournaments held") as show:
        found = rehearse(
            plan,
            rules,
            names,
            event=chosen,
            entries=entries or chosen.entries_max,
            runs=runs,
            seed=seed_of(seed),
            pace=pace or rolls_per_hour(plan),
            are_chips_bought=buy_again,
            done=lambda held: show(held, runs, "tournaments held"),
        )
    if as_json:
        print(json.dumps(_rehearsal_json(found)))
    else:
        _show(plan, found, wanted=runs, seed=seed, is_by_sheet=not pace)


def _event(plan: Plan, name: str) -> Event:
    found = next((event for event in plan.events if name in {"", event.name}), None)
    if found is None:
        known = ", ".join(event.name for event in plan.events)
        raise CrapsError(f"{plan.name} has no event {name!r}; it has {known}")
    return found


def _show(plan: Plan, found: Rehearsal, *, wanted: int, seed: str, is_by_sheet: bool) -> None:
    from passline.tournament.rehearsal.rehearse import DECIDED

    if found.runs < wanted:
        print(f"Interrupted after {found.runs:,} of {wanted:,} runs.")
    print(f"{plan.name}, {found.event}: {sum(found.entries)} entries, held {found.runs:,} times, seed {seed}.")
    seconds = plan.sheet.wagering_seconds
    why = f" ({seconds} seconds of wagering, 15 for the throw)" if is_by_sheet and seconds else ""
    bought = (
        "everybody buys chips again as the plan allows, nobody"
        if found.are_chips_bought
        else "nobody buys chips again or"
    )
    print(f"{found.pace:.0f} rolls an hour{why}; {bought} reads the standings; a lot stands for a roll-off.")
    if found.by_engine:
        print(f"Its tables are dealt by the engine: {found.by_engine}.")
    print(f"\n{'round':20} {'players':>8} {'tables':>7} {'rolls':>6} {'minutes':>8}")
    for round_ in found.rounds:
        print(f"{round_.name:20} {round_.players:8} {round_.tables:7} {round_.rolls:6} {round_.minutes:8.0f}")
    print(f"{'together':20} {'':8} {'':7} {sum(round_.rolls for round_ in found.rounds):6} {found.minutes:8.0f}")
    points = ", ".join(f"{share:.0%} {found.points_at(share):,}" for share in _SHARES)
    if found.are_chips_bought:
        print("players and tables are those without chips that are bought again")
    print(f"\npoints of the winner, in so many of the runs at most: {points}")
    print(f"several who wager differently were level for the first place: {_share(found.level, found.runs)}")
    print(f"the lead changed on the last roll: {_share(found.last_roll, found.runs)}")
    print(f"one wager of the last roll decided it: {_share(found.decided, found.runs)}")
    print(f"  that is: {DECIDED}")
    print(f"\n{'strategy':30} {'entries':>8} {'wins':>18} {'each entry':>11} {'in the final':>13}")
    for at, name in enumerate(found.strategies):
        each = found.wins[at] / found.runs / found.entries[at] if found.entries[at] else 0.0
        wins, final = _share(found.wins[at], found.runs), f"{found.finalists[at] / found.runs:.1%}"
        print(f"{name:30} {found.entries[at]:8} {wins:>18} {each:11.2%} {final:>13}")


def _share(count: int, runs: int) -> str:
    share = count / runs
    return f"{share:.1%} ± {_NORMAL * sqrt(share * (1 - share) / runs):.1%}"


def _rehearsal_json(found: Rehearsal) -> dict[str, Any]:
    from msgspec import to_builtins

    answer: dict[str, Any] = to_builtins(found)
    points = {str(share): found.points_at(share) for share in _SHARES}
    return {**answer, "minutes": found.minutes, "quantiles": points}
