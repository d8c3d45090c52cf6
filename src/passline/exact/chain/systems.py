"""Sparse linear systems x = b + A x over the rationals.

They are solved one strongly connected part at a time, each after the parts it depends on; a part of one state takes
one division.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

_Node = TypeVar("_Node", bound=Hashable)

Equation = tuple[Fraction, Mapping[_Node, int]]
"""The constant b of one unknown, and the whole-number weights of the unknowns it depends on."""


def solve(equations: Mapping[_Node, Equation[_Node]], *, scale: int) -> dict[_Node, Fraction]:
    """Solve x = b + (A / scale) x exactly; raise ZeroDivisionError if there is not exactly one solution.

    >>> solve({"a": (Fraction(1), {"a": 18, "b": 9}), "b": (Fraction(0), {"a": 36})}, scale=36)
    {'a': Fraction(4, 1), 'b': Fraction(4, 1)}
    """
    solved: dict[_Node, Fraction] = {}
    for part in strong_components({node: weights for node, (_, weights) in equations.items()}):
        if len(part) == 1:
            constant, weights = equations[part[0]]
            known = sum((weight * solved[node] for node, weight in weights.items() if node != part[0]), Fraction(0))
            solved[part[0]] = (constant * scale + known) / (scale - weights.get(part[0], 0))
        else:
            solved |= _eliminate(part, equations, solved, scale)
    return {node: solved[node] for node in equations}


def _eliminate(
    part: list[_Node], equations: Mapping[_Node, Equation[_Node]], solved: Mapping[_Node, Fraction], scale: int
) -> dict[_Node, Fraction]:
    """Solve one part by elimination, the unknown that touches the fewest others first."""
    inside = set(part)
    rows: dict[_Node, dict[_Node, Fraction]] = {}
    constants: dict[_Node, Fraction] = {}
    users: dict[_Node, set[_Node]] = {node: set() for node in part}
    for node in part:
        constant, weights = equations[node]
        known = sum((weight * solved[other] for other, weight in weights.items() if other not in inside), Fraction(0))
        constants[node] = constant + known / scale
        rows[node] = {other: Fraction(weight, scale) for other, weight in weights.items() if other in inside}
        for other in rows[node]:
            users[other].add(node)
    order = []
    left = set(part)
    while left:
        node = min(left, key=lambda node: len(rows[node]) * len(users[node]))
        left.remove(node)
        order.append(node)
        row = rows[node]
        for other in row:
            users[other].discard(node)
        own = 1 - row.pop(node, Fraction(0))
        for other in row:
            row[other] /= own
        constants[node] /= own
        for user in users[node] - {node}:
            target = rows[user]
            factor = target.pop(node)
            constants[user] += factor * constants[node]
            for other, weight in row.items():
                target[other] = target.get(other, Fraction(0)) + factor * weight
                users[other].add(user)
    values: dict[_Node, Fraction] = {}
    for node in reversed(order):
        values[node] = constants[node] + sum((w * values[o] for o, w in rows[node].items()), Fraction(0))
    return values


def strong_components(leads: Mapping[_Node, Iterable[_Node]]) -> list[list[_Node]]:
    """Return the strongly connected parts of a graph, each after all parts it leads to (Tarjan's algorithm).

    >>> strong_components({1: [2], 2: [1, 3], 3: [3]})
    [[3], [2, 1]]
    """
    index: dict[_Node, int] = {}
    low: dict[_Node, int] = {}
    stack: list[_Node] = []
    is_on_stack: set[_Node] = set()
    parts: list[list[_Node]] = []
    for root in leads:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        is_on_stack.add(root)
        work = [(root, iter(leads[root]))]
        while work:
            node, others = work[-1]
            for other in others:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    is_on_stack.add(other)
                    work.append((other, iter(leads[other])))
                    break
                if other in is_on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    part: list[_Node] = []
                    while not part or part[-1] != node:
                        part.append(stack.pop())
                        is_on_stack.discard(part[-1])
                    parts.append(part)
    return parts
