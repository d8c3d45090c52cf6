"""Stocks by place and denomination, and movements between places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

Stocks = dict[str, dict[str, dict[str, int]]]
"""How many there are, by stock, place and denomination."""


class UnitsMove(Protocol):
    """Units of a stock that go from one place to another."""

    @property
    def stock(self) -> str:
        """Which stock it is."""
        ...

    @property
    def source(self) -> str:
        """Where they come from."""
        ...

    @property
    def target(self) -> str:
        """Where they go."""
        ...

    @property
    def units(self) -> dict[str, int]:
        """How many, by denomination."""
        ...


def units_sum(units: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """Return units added up by denomination; what there is none of is left out.

    >>> units_sum({"500": 2, "2500": 1}, {"500": -2, "10000": 3})
    {'2500': 1, '10000': 3}
    """
    sums = {unit: units.get(unit, 0) + other.get(unit, 0) for unit in {**units, **other}}
    return {unit: count for unit, count in sums.items() if count}


def units_brought(moves: Iterable[UnitsMove], stock: str, place: str) -> dict[str, int]:
    """Return what has come to a place by movements, less what has left it."""
    return stocks_after({}, moves).get(stock, {}).get(place, {})


def stocks_after(stocks: Stocks, moves: Iterable[UnitsMove]) -> Stocks:
    """Return stocks after units went from place to place."""
    for move in moves:
        places = dict(stocks.get(move.stock, {}))
        for place, sign in ((move.source, -1), (move.target, 1)):
            held = dict(places.get(place, {}))
            for denomination, count in move.units.items():
                held[denomination] = held.get(denomination, 0) + sign * count
            places[place] = {unit: count for unit, count in held.items() if count}
        stocks = {**stocks, move.stock: places}
    return stocks
