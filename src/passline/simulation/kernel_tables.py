"""The tables that the kernels walk: the parts of a network joined, in common units; and the limits of a session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import NEVER, OUTCOMES, Automaton, Short
from passline.automaton.network import Network
from passline.automaton.terms import SessionError, Terms, check_bankroll, check_loss_limit, check_marks
from passline.dice_weights import FAIR
from passline.simulation.dealt_tables import DealtTables
from passline.simulation.growing_tables import GrowingTables
from passline.simulation.kernel_types import FIELDS, SessionLimits
from passline.simulation.recorded_dice import SessionDice


@dataclass(frozen=True, eq=False)
class Tables:
    """Automata as rows of 36 cells. State s of a part that begins at cell b has its row at cell b + 36 s.

    `next` and `short` hold the first cells of rows. An amount of the whole network is the sum over its parts.
    """

    next: NDArray[np.int32]  # [cells]
    cash: NDArray[np.int64]  # [cells]
    action: NDArray[np.int64]  # [cells]
    mark: NDArray[np.uint8]  # [cells]
    outlay: NDArray[np.int64]  # [rows]
    short: NDArray[np.int32]  # [rows]
    starts: NDArray[np.int32]  # [parts] the first cell of each part, whose state sessions begin in
    packed: NDArray[np.uint64]  # [cells] one packed entry per cell, or empty where the fields are too narrow
    unit: int
    policy: Short
    parts: tuple[tuple[str, int], ...]
    """The name and the number of states of each part."""
    dice: SessionDice = FAIR
    """What is thrown, on every backend."""

    def __len__(self) -> int:
        return len(self.outlay)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name} {states:,}" for name, states in self.parts)
        return f"<Tables of {parts} states in units of {self.unit} cents>"

    def part(self, index: int) -> slice:
        """Return the cells of a part.

        >>> from passline import Rules, strategy_of
        >>> from passline.automaton.network import network
        >>> rules = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
        >>> tables = tables_of(network(rules, strategy_of("pass + fire", rules), budget=10))
        >>> tables.part(0), tables.part(1), tables.unit
        (slice(0, 12672, None), slice(12672, 12924, None), 500)
        """
        ends = (*self.starts.tolist(), len(self.next))
        return slice(ends[index], ends[index + 1])

    @property
    def cash_of_parts(self) -> list[NDArray[np.int64]]:
        """The changes of equity of each part, a row for each state."""
        return [self.cash[self.part(part)].reshape(-1, OUTCOMES) for part in range(len(self.starts))]


def tables_of(network: Network) -> Tables:
    """Join the parts of a network, with amounts in the greatest unit that all of them share."""
    parts = network.parts
    assert len(parts) == 1 or all(part.policy == "stop" for part in parts), "other policies are compiled as one part"
    unit = gcd(*(part.unit for part in parts))
    sizes = np.array([len(part) for part in parts])
    starts = (np.cumsum(sizes) - sizes) * OUTCOMES

    def join(name: str) -> NDArray[np.int64]:
        return np.concatenate([getattr(part, name).ravel() * (part.unit // unit) for part in parts]).astype(np.int64)

    def join_leads(name: str) -> NDArray[np.int32]:
        leads = [(getattr(part, name).ravel(), start) for part, start in zip(parts, starts, strict=True)]
        return np.concatenate([np.where(to < 0, -1, to * OUTCOMES + b) for to, b in leads]).astype(np.int32)

    arrays = {"next": join_leads("next"), "cash": join("cash"), "action": join("action"), "outlay": join("outlay")}
    return Tables(
        **arrays,  # type: ignore[arg-type] # by name
        mark=np.concatenate([part.mark.ravel() for part in parts]),
        short=join_leads("short"),
        starts=starts.astype(np.int32),
        packed=_pack_cells(parts, unit, **arrays),  # type: ignore[arg-type]
        unit=unit,
        policy=parts[0].policy,
        parts=tuple(zip(network.names, map(len, parts), strict=True)),
    )


def _pack_cells(
    parts: tuple[Automaton, ...],
    unit: int,
    *,
    next: NDArray[np.int32],  # noqa: A002 - the arrays by their names
    cash: NDArray[np.int64],
    action: NDArray[np.int64],
    outlay: NDArray[np.int64],
) -> NDArray[np.uint64]:
    """Return one packed entry per cell, whose fields can be summed over the parts; empty if they do not fit."""
    sums = {
        name: sum(int(abs(getattr(part, name)).max()) * (part.unit // unit) for part in parts)
        for name in ("action", "cash", "outlay")
    }
    fits = len(next) < 1 << FIELDS["row"] and sums["cash"] < 1 << (FIELDS["cash"] - 1)
    fits = fits and all(sums[name] < 1 << FIELDS[name] for name in ("action", "outlay"))
    if not fits or min(int(action.min()), int(outlay.min())) < 0:
        return np.zeros(0, dtype=np.uint64)
    after = outlay[next // OUTCOMES]
    low = ((cash << FIELDS["outlay"]) + after) & 0xFFFFFFFF
    high = (next.astype(np.int64) << FIELDS["action"]) | action
    return (high.astype(np.uint64) << np.uint64(32)) | low.astype(np.uint64)


def packed_to_stop(tables: Tables, stop: int) -> NDArray[np.uint64]:
    """Return the packed entries with outlays above the equity `stop` of a stop loss; empty if they do not fit.

    Whoever is at or below it is then short. The first part has it, so that a sum over the parts is above it too.
    """
    if stop < 0 or not len(tables.packed):
        return tables.packed
    rows = [
        slice(cells.start // OUTCOMES, cells.stop // OUTCOMES) for cells in map(tables.part, range(len(tables.starts)))
    ]
    most = [int(tables.outlay[part].max()) for part in rows]
    if max(most[0], stop + 1) + sum(most[1:]) >= 1 << FIELDS["outlay"]:
        return tables.packed[:0]
    packed, first, mask = tables.packed.copy(), tables.part(0), np.uint64((1 << FIELDS["outlay"]) - 1)
    packed[first] = (packed[first] & ~mask) | np.maximum(packed[first] & mask, np.uint64(stop + 1))
    return packed


Playable = Tables | GrowingTables | DealtTables
"""What sessions are played on."""


def compiled_tables(tables: Playable, where: str) -> Tables:
    """Return the tables of a compiled strategy; raise SessionError for one that only the CPU plays."""
    if isinstance(tables, Tables):
        return tables
    why = "reads its money" if isinstance(tables, DealtTables) else "has too many states to be compiled"
    raise SessionError(f"{tables.name} {why}: it is played on the CPU, not on {where}")


def limits_of(tables: Playable, terms: Terms) -> SessionLimits:
    """Convert terms to units. Raise SessionError if the first wagers cannot be paid, or a session would never end.

    >>> from passline import Rules, strategy_of
    >>> from passline.automaton.network import network
    >>> rules = Rules.of("maryland")
    >>> tables = tables_of(network(rules, strategy_of("pass", rules)))
    >>> limits_of(tables, Terms(bankroll_cents=105_00, rolls=20)).equity, tables.unit
    (10, 1000)
    """
    equity, left_over, goal = terms.in_units(tables.unit)
    mark, marks = terms.counted
    if not isinstance(tables, DealtTables):  # which have checked it by playing
        parts = tuple(_automata(tables)) if isinstance(tables, Tables) else (tables.automaton.opening(),)
        check_bankroll(parts, terms.bankroll_cents)
        if terms.rolls is None and isinstance(tables, Tables):
            check_marks(parts[0], mark)  # all parts have the same marks
        if terms.shooter_loss_cents is not None:
            check_loss_limit(parts, terms.shooter_loss_cents)
    loss = NEVER if terms.shooter_loss_cents is None else terms.shooter_loss_cents // tables.unit
    stop, trail = terms.stops_in_units(tables.unit)
    streaks = (terms.line_wins or NEVER, terms.line_losses or NEVER)
    return SessionLimits(
        equity, goal, terms.rolls or NEVER, mark, marks or NEVER, loss, left_over, stop, trail, *streaks
    )


def _automata(tables: Tables) -> Iterator[Automaton]:
    """Yield the parts as automata again, in the unit of the tables."""
    for index, start in enumerate(tables.starts.tolist()):
        cells = tables.part(index)
        rows = slice(cells.start // OUTCOMES, cells.stop // OUTCOMES)
        yield Automaton(
            next=((tables.next[cells] - start) // OUTCOMES).reshape(-1, OUTCOMES),
            cash=tables.cash[cells].reshape(-1, OUTCOMES),
            outlay=tables.outlay[rows],
            short=np.where(tables.short[rows] < 0, -1, (tables.short[rows] - start) // OUTCOMES).astype(np.int32),
            mark=tables.mark[cells].reshape(-1, OUTCOMES),
            action=tables.action[cells].reshape(-1, OUTCOMES),
            unit=tables.unit,
            labels=tuple(map(str, range(rows.stop - rows.start))),
            policy=tables.policy,
        )
