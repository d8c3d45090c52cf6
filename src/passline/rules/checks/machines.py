"""Wagers that are machines: every state they can come to is known, has one answer to each roll, and is decided."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from passline.dice import OUTCOMES, SEVEN, Roll
from passline.expression_words import ExpressionError
from passline.rules.machines import CLEARING, MACHINE_WORDS, PAIRS, CompiledMachine, Memory, line_wagers
from passline.rules.schema import Machine, PayLine, Rulebook, WagerEntry

_TOTALS = frozenset(roll.total for roll in OUTCOMES)


def machine_problems(
    rulebook: Rulebook, points: Iterable[int], wagers: Mapping[str, WagerEntry], entry: Machine
) -> Iterator[str]:
    """Yield the problems of a machine: of its words, of a state it comes to, of a count without a line."""
    yield from _term_problems(entry)
    if unfit := [*_name_problems(entry)]:
        yield from unfit
        return
    try:
        machine = CompiledMachine(entry, frozenset(points), line_wagers(wagers))
        reach = reach_of(machine, _phases_when_made(rulebook, machine, entry))
    except ExpressionError as error:
        yield str(error)
        return
    if not reach.won and not reach.settled:
        yield "wins, settles: neither ever comes true, so the wager can never win"
    if reach.stuck:
        yield f"wins, loses, settles: {reach.stuck} no roll ever decides the wager"
    for name, lines in entry.tables.items():
        yield from (f"tables.{name}: {problem}" for problem in _line_problems(lines, reach))


def _term_problems(entry: Machine) -> Iterator[str]:
    if entry.lamps and not (entry.lamps in entry.memory and {*entry.memory[entry.lamps].each} & _TOTALS):
        yield f"lamps: {entry.lamps} is not a memory kept for each of some totals"
    elif entry.lamps and (strange := sorted({*entry.memory[entry.lamps].each} - _TOTALS)):
        yield f"lamps: {strange} of memory.{entry.lamps}.each are not totals"
    if isinstance(entry.marked.cite, dict):
        yield "marked: its citation does not differ by count; write a list"


def _name_problems(entry: Machine) -> Iterator[str]:
    for name, kept in entry.memory.items():
        if name in MACHINE_WORDS or not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
            yield f"memory.{name}: is a word of expressions, or not a plain word of letters, digits and _; rename it"
        if kept.start > kept.max:
            yield f"memory.{name}.start: {kept.start} is above its max, {kept.max}"


def _phases_when_made(rulebook: Rulebook, machine: CompiledMachine, entry: Machine) -> list[int]:
    """Return where the puck may be when the wager is made."""
    window = rulebook.general.windows.get(entry.make.when)
    if entry.make.when == "come_out" or (window and window.puck_off):
        return [0]
    return [*machine.points] if entry.make.when == "point" else [0, *machine.points]


def _line_problems(lines: Iterable[PayLine], reach: MachineReach) -> Iterator[str]:
    """Yield a problem for each count that the machine wins or is settled at without exactly one fitting line."""
    listed = [count for line in lines for count in line.counts]
    needed = reach.won | reach.settled
    if sorted(listed) != sorted(needed):
        yield f"every count of {sorted(needed)} needs exactly one line, has {sorted(listed)}"
    wins = {count for line in lines if line.result == "win" for count in line.counts}
    if lost := sorted(reach.won - wins):
        yield f"{lost}: the wager wins there, so its line pays; a line that loses or pushes is for what `settles`"


class MachineReach(Struct, frozen=True):
    """What a machine can come to: how many states, the counts at which it wins and is settled, and what is stuck."""

    states: int
    won: frozenset[int]
    settled: frozenset[int]
    stuck: str  # a state that no rolls decide; empty if there is none


MACHINE_STATES_MAX = 30_000
"""The most states of a machine: what it remembers, times where the puck may be."""


def reach_of(machine: CompiledMachine, phases: Iterable[int]) -> MachineReach:
    """Follow a machine made at any of these pucks through all rolls; raise ExpressionError for one that cannot be.

    Rolls that look alike to it are followed once.
    """
    first = [(phase, machine.start) for phase in (phases if machine.sees_points else (0,))]
    leads: dict[tuple[int, Memory], list[tuple[int, Memory]]] = {}
    waiting, found, decided = [*first], set(first), list[tuple[int, Memory]]()
    won, settled = set[int](), set[int]()
    rolls = {phase: _different_rolls(machine, phase) for phase in (CLEARING, 0, *machine.points)}
    while waiting:
        state = waiting.pop()
        phase, memory = state
        machine.marker_count(memory)  # its expression too has a value everywhere
        leads[state] = onward = []
        for roll, puck_after in rolls[phase]:
            step = machine.step(memory, roll, puck=max(phase, 0), is_clearing=phase < 0)
            if step.does == "go_on":
                onward += [(puck, step.memory) for puck in puck_after]
                continue
            decided.append(state)
            {"wins": won, "settles": settled}.get(step.does, set[int]()).add(step.count)
        fresh = [after for after in dict.fromkeys(onward) if after not in found]
        found.update(fresh)
        waiting += fresh
        if len(found) > MACHINE_STATES_MAX:
            message = f"memory: it has more than {MACHINE_STATES_MAX:,} states; let it remember less, or less far"
            raise ExpressionError(message)
    stuck = _find_stuck(leads, decided)
    told = machine.state_text(stuck[1], stuck[0]) if stuck else ""
    return MachineReach(len(found), frozenset(won), frozenset(settled), told)


def _different_rolls(machine: CompiledMachine, phase: int) -> list[tuple[Roll, tuple[int, ...]]]:
    """Return a roll of each kind that a machine tells apart at a puck, with where the puck may be after it."""
    rolls: dict[Any, tuple[Roll, tuple[int, ...]]] = {}
    for roll in PAIRS:
        after = _phases_after(machine, phase, roll.total)
        rolls.setdefault((machine.kind_of(phase, roll), after), (roll, after))
    return list(rolls.values())


def _phases_after(machine: CompiledMachine, phase: int, total: int) -> tuple[int, ...]:
    """Return where the puck may be after a roll; a shooter without a line wager may begin to clear come wagers."""
    if not machine.sees_points:
        return (0,)
    if phase > 0 and total not in {phase, SEVEN}:
        return (phase,)
    if phase == 0 and total in machine.points:
        return (total,)
    return (0, CLEARING)


def _find_stuck(
    leads: Mapping[tuple[int, Memory], list[tuple[int, Memory]]], decided: Iterable[tuple[int, Memory]]
) -> tuple[int, Memory] | None:
    """Return a state from which no rolls lead to a decision, if there is one."""
    back: dict[tuple[int, Memory], list[tuple[int, Memory]]] = {}
    for state, onward in leads.items():
        for after in onward:
            back.setdefault(after, []).append(state)
    ends = set(decided)
    waiting = list(ends)
    while waiting:
        fresh = [before for before in back.get(waiting.pop(), ()) if before not in ends]
        ends.update(fresh)
        waiting += fresh
    return next((state for state in leads if state not in ends), None)
