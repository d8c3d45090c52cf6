"""The policy file of best play: the situations that its own play reaches, and what it has up in each by money."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from passline.automaton.decisions.arrays import DecisionAutomaton
from passline.errors import CrapsError
from passline.exact.best.purpose import Purpose
from passline.money import dollars
from passline.strategy.policy_file import layout_text, policy_lines

CELLS_MAX = 400_000
"""The most cells (situation and money, at a roll) that a file is written for."""
_Rows = dict[int, int]  # the layout to have up, by money in units
ActAt = Callable[[int, int, int], int]
"""Returns the act in a position with so much money after so many rolls; -1 for none."""


class PolicyTooLarge(CrapsError):
    """A policy that reaches more cells than a file has lines for."""


def policy_text(
    automaton: DecisionAutomaton, purpose: Purpose, act_at: ActAt, *, name: str, about: str, left_over: int
) -> str:
    """Return the text of the policy file that plays for a purpose; `left_over` are the cents beyond whole units."""
    goal = -(-(purpose.target_cents - left_over) // automaton.unit) if purpose.kind == "goal" else 1 << 60
    shorts = _shorts(automaton)
    tables: dict[int, list[tuple[int, _Rows]]] = {}
    start = (purpose.bankroll_cents - left_over) // automaton.unit
    reached, cells = {(0, start)}, 0
    seen = set(reached) if purpose.rolls is None else set[tuple[int, int]]()
    rolls = 0
    while reached and rolls != purpose.rolls:
        cells += len(reached)
        if cells > CELLS_MAX:
            raise PolicyTooLarge(
                f"{purpose}: the policy reaches more than {CELLS_MAX:,} cells, more than a file has lines for: "
                "choose a larger unit, or fewer rolls"
            )
        acts = {cell: act_at(int(automaton.situation_position[cell[0]]), cell[1], rolls) for cell in reached}
        rows: dict[int, _Rows] = {}
        for (situation, money), act in acts.items():
            layout = (
                int(automaton.act_layout[act])
                if act >= 0
                else shorts.get(automaton.positions[int(automaton.situation_position[situation])].puck, -1)
            )
            rows.setdefault(situation, {})[money] = layout
        for situation, at_once in rows.items():
            _add(tables.setdefault(situation, []), rolls if purpose.rolls else 0, at_once)
        reached = {cell for found, act in acts.items() if act >= 0 for cell in _after(automaton, act, found[1], goal)}
        if purpose.rolls is None:
            reached -= seen
            seen |= reached
        rolls += 1
    head = {
        "name": name,
        "about": about,
        "bankroll": dollars(purpose.bankroll_cents),
        "goal": dollars(purpose.target_cents) if purpose.kind == "goal" else "0.00",
        "least": dollars(_least(automaton)),
        "rolls": str(purpose.rolls or 0),
        **({"frees": " ".join(sorted(_free_kinds(automaton)))} if purpose.kind == "least_loss" else {}),
    }
    short = {f"puck {f'ON {puck}' if puck else 'OFF'}": _layout_of(automaton, at) for puck, at in shorts.items()}
    return policy_lines(head, short, _lines(automaton, tables, left_over))


def _after(automaton: DecisionAutomaton, act: int, money: int, goal: int) -> Iterator[tuple[int, int]]:
    """Yield the situations and the money that follow an act, before the goal."""
    layout = automaton.act_layout[act]
    arcs = slice(automaton.arc_first[layout], automaton.arc_first[layout + 1])
    for situation, cash in zip(automaton.arc_situation[arcs].tolist(), automaton.arc_cash[arcs].tolist(), strict=True):
        if money + cash < goal:
            yield situation, money + cash


def _add(tables: list[tuple[int, _Rows]], rolls: int, rows: _Rows) -> None:
    """Add what holds from a roll on to the tables of a situation; the last one is kept on if nothing contradicts it."""
    if tables and all(tables[-1][1].get(money, layout) == layout for money, layout in rows.items()):
        tables[-1][1].update(rows)
    else:
        tables.append((rolls, rows))


def _shorts(automaton: DecisionAutomaton) -> dict[int, int]:
    """Return for each point at which a wager can be made the layout of the cheapest, which the short wish for."""
    found: dict[int, int] = {}
    for position, situation in enumerate(automaton.positions):
        acts = np.arange(automaton.act_first[position], automaton.act_first[position + 1])
        if not situation.mine and (made := acts[~automaton.is_waiting[acts]]).size:
            found.setdefault(situation.puck, int(automaton.act_layout[made[np.argmin(automaton.act_outlay[made])]]))
    return found


def _least(automaton: DecisionAutomaton) -> int:
    """Return in cents the least that any act of a player with nothing up needs."""
    bare = np.array([not automaton.positions[position].mine for position in automaton.act_position.tolist()])
    return int(automaton.act_outlay[bare & ~automaton.is_waiting].min()) * automaton.unit


def _free_kinds(automaton: DecisionAutomaton) -> set[str]:
    """Return the kinds of wager that may be taken down at any time, so that only their face counts at the end."""
    found = zip(automaton.situations, automaton.situation_position.tolist(), strict=True)
    return {wager.kind for up, at in found for wager in up.mine if wager not in automaton.positions[at].mine}


def _layout_of(automaton: DecisionAutomaton, layout: int) -> str:
    return layout_text(automaton.layouts[layout]) if layout >= 0 else "-"


def _lines(automaton: DecisionAutomaton, tables: dict[int, list[tuple[int, _Rows]]], left_over: int) -> Iterator[str]:
    for situation, found in tables.items():
        yield f"situation {automaton.situations[situation]}"
        for after, rows in found:
            if after:
                yield f"after {after}"
            last = None
            for money, layout in sorted(rows.items()):
                if layout != last:
                    yield f"{dollars(money * automaton.unit + left_over)}: {_layout_of(automaton, layout)}"
                last = layout
