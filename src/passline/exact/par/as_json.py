"""A par sheet as JSON: one object a line; every figure that is a fraction as "p/q", whole ones as "1/1"."""

from __future__ import annotations

import json
from fractions import Fraction

from passline.exact.par.sheet import Line, Sheet

__all__ = ["sheet_json"]

_FRACTIONS = (
    *("win", "lose", "push", "edge", "edge_on_outlay", "edge_resolved", "edge_per_roll", "rolls", "variance"),
)


def sheet_json(sheet: Sheet) -> str:
    """Print a sheet as a list of objects. Stakes are in cents; a range of them without a last one has no bound.

    >>> from passline.exact.par.sheet import sheet
    >>> field = json.loads(sheet_json(sheet("section2", game="craps", wager="field")))[0]
    >>> field["stake"], field["edge"], field["rolls"], field["sd"], field["favours"]
    (500, '1/18', '1/1', '1.07869376883', 'house')
    """
    return json.dumps([_object(line) for line in sheet.lines], indent=2)


def _object(line: Line) -> dict[str, object]:
    par = line.par
    fractions = {name: _text(getattr(par, name)) for name in _FRACTIONS}
    stakes = [{"first": some.first, "last": some.last, "step": some.step} for some in line.favourable]
    return {
        "game": line.game,
        "wager": line.wager,
        "number": line.number,
        "option": line.option,
        "pays": line.pays,
        "stake": par.stake,
        **fractions,
        "sd": str(par.sd),
        "favours": par.favours,
        "favourable_stakes": stakes,
    }


def _text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
