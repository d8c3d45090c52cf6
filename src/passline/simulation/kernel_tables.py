"""The tables that the kernels walk: the parts of a network joined, in common units; and the limits of a session."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import HAND, LINE, OUTCOMES, Automaton, Short
from passline.automaton.network import Network
from passline.exact.session.float_law import check_marks
from passline.exact.session.law import SessionError, Terms
from passline.money import dollars

__all__ = ["FIELDS", "NEVER", "SessionLimits", "Tables", "limits_of", "tables_of"]

NEVER = 1 << 60
"""A limit that no session reaches."""

FIELDS = {"row": 20, "action": 12, "cash": 16, "outlay": 16}
"""The bits of a packed entry from the top: the next row, the amount decided, the change of equity, the next outlay."""


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

    def __len__(self) -> int:
        return len(self.outlay)

    def part(self, index: int) -> slice:
        """Return the cells of a part.

        >>> from passline.automaton.network import network
        >>> from passline.rules.rules import Rules
        >>> from passline.strategy.lookup import strategy_of
        >>> rules = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
        >>> tables = tables_of(network(rules, strategy_of("pass + fire", rules), budget=10))
        >>> tables.part(0), tables.part(1), tables.unit
        (slice(0, 12672, None), slice(12672, 12924, None), 500)
        """
        ends = (*self.starts.tolist(), len(self.next))
        return slice(ends[index], ends[index + 1])


def tables_of(network: Network) -> Tables:
    """Join the parts of a network, with amounts in the greatest unit that all of them share."""
    parts = network.parts
    assert len(parts) == 1 or all(part.policy == "stop" for part in parts), "other policies are compiled as one part"
    unit = gcd(*(part.unit for part in parts))
    sizes = np.array([len(part) for part in parts])
    starts = (np.cumsum(sizes) - sizes) * OUTCOMES

    def joined(name: str) -> NDArray[np.int64]:
        return np.concatenate([getattr(part, name).ravel() * (part.unit // unit) for part in parts]).astype(np.int64)

    def led(name: str) -> NDArray[np.int32]:
        leads = [(getattr(part, name).ravel(), start) for part, start in zip(parts, starts, strict=True)]
        return np.concatenate([np.where(to < 0, -1, to * OUTCOMES + b) for to, b in leads]).astype(np.int32)

    arrays = {"next": led("next"), "cash": joined("cash"), "action": joined("action"), "outlay": joined("outlay")}
    return Tables(
        **arrays,  # type: ignore[arg-type] # by name
        mark=np.concatenate([part.mark.ravel() for part in parts]),
        short=led("short"),
        starts=starts.astype(np.int32),
        packed=_packed(parts, unit, **arrays),  # type: ignore[arg-type]
        unit=unit,
        policy=parts[0].policy,
        parts=tuple(zip(network.names, map(len, parts), strict=True)),
    )


def _packed(
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


class SessionLimits(NamedTuple):
    """The terms of a session in units: what it begins with and when it ends. NEVER stands for no limit."""

    equity: int
    goal: int
    rolls: int
    mark: int  # the mark that is counted: LINE, HAND or 0
    marks: int  # how many of them end the session
    loss: int  # per shooter
    left_over: int  # cents of the bankroll beyond whole units

    def cents(self, equity: int, unit: int) -> int:
        """Convert an equity to cents."""
        return equity * unit + self.left_over


def limits_of(tables: Tables, terms: Terms) -> SessionLimits:
    """Convert terms to units. Raise SessionError if the first wagers cannot be paid, or a session would never end.

    >>> from passline.automaton.network import network
    >>> from passline.rules.rules import Rules
    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> tables = tables_of(network(rules, strategy_of("pass", rules)))
    >>> limits_of(tables, Terms(bankroll_cents=105_00, rolls=20)).equity, tables.unit
    (10, 1000)
    """
    equity, left_over = divmod(terms.bankroll_cents, tables.unit)
    goal = NEVER if terms.goal_cents is None else -((left_over - terms.goal_cents) // tables.unit)
    mark, marks = (LINE, terms.decisions) if terms.decisions is not None else (HAND, terms.hands)
    if marks is None:
        mark, marks = 0, NEVER
    _must_be_funded(tables, equity, terms.bankroll_cents, "a bankroll")
    if terms.rolls is None:
        check_marks(_plain(tables), mark)
    loss = NEVER
    if terms.shooter_loss_cents is not None:
        if tables.policy == "stop":
            raise SessionError(
                'a loss limit per shooter needs the policy "ride" or "reduce", for wagers already up ride on'
            )
        loss = terms.shooter_loss_cents // tables.unit
        _must_be_funded(tables, loss, terms.shooter_loss_cents, "a loss limit per shooter")
    return SessionLimits(equity, goal, terms.rolls or NEVER, mark, marks, loss, left_over)


def _must_be_funded(tables: Tables, units: int, cents: int, what: str) -> None:
    if len(tables.starts) > 1:
        outlay = int(tables.outlay[tables.starts // OUTCOMES].sum())
    else:
        state = 0
        while units < (outlay := int(tables.outlay[state])) and tables.short[state] >= 0:
            state = int(tables.short[state]) // OUTCOMES
    if units < outlay:
        needed = dollars(outlay * tables.unit)
        raise SessionError(
            f"{what} of {dollars(cents)} is below the first outlay of {needed}: bring more, or wager less"
        )


def _plain(tables: Tables) -> Automaton:
    """Return the first part as an automaton; the marks of all parts are the same."""
    cells = tables.part(0)
    rows = slice(0, (cells.stop or 0) // OUTCOMES)

    def shaped(array: NDArray[Any]) -> NDArray[Any]:
        return array[cells].reshape(-1, OUTCOMES)

    return Automaton(
        next=(shaped(tables.next) // OUTCOMES).astype(np.int32),
        cash=shaped(tables.cash),
        outlay=tables.outlay[rows],
        short=tables.short[rows] // OUTCOMES,
        mark=shaped(tables.mark),
        action=shaped(tables.action),
        unit=tables.unit,
        labels=tuple(map(str, range(len(tables)))),
        policy=tables.policy,
    )
