"""A par sheet as JSON: one object per line, with fractions as "p/q", also whole ones ("1/1")."""

from __future__ import annotations

import json
from fractions import Fraction

from passline.exact.par.sheet import Sheet, SheetLine

__all__ = ["sheet_json"]

_FRACTIONS = ("win", "lose", "push", "edge", "edge_on_outlay", "edge_resolved", "edge_per_roll", "rolls", "variance")


def sheet_json(*sheets: Sheet) -> str:
    """Return sheets as a JSON list of objects, one for each line.

    Stakes are in cents; a range without a last one has no bound.

    >>> from passline.exact.par.sheet import sheet
    >>> field = json.loads(sheet_json(sheet("section2", game="craps", wager="field")))[0]
    >>> field["stake"], field["edge"], field["rolls"], field["sd"], field["favours"]
    (500, '1/18', '1/1', '1.07869376883', 'house')
    """
    return json.dumps([_object(sheet, line) for sheet in sheets for line in sheet.lines], indent=2)


def _object(sheet: Sheet, line: SheetLine) -> dict[str, object]:
    par = line.par
    fractions = {name: _text(getattr(par, name)) for name in _FRACTIONS}
    favourable = [{"first": stakes.first, "last": stakes.last, "step": stakes.step} for stakes in line.favourable]
    return {
        "house": sheet.house,
        "game": line.game,
        "wager": line.wager,
        "number": line.number,
        "option": line.option,
        "pays": line.pays,
        "clauses": line.clauses,
        "stake": par.stake,
        **fractions,
        "sd": str(par.sd),
        "favours": par.favours,
        "favourable_stakes": favourable,
    }


def _text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
