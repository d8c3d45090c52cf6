"""The sheets of the four regulations, each solved once per process, whole or of one wager; lines by their option."""

from functools import cache

import pytest

from passline.exact.par.sheet import Sheet, SheetLine, sheet

# A whole sheet of theirs takes 13, 13 and 2 seconds.
LONG = {"maryland": pytest.mark.sweep, "colorado": pytest.mark.whole, "arizona": pytest.mark.whole}


@cache
def whole(regulation: str) -> Sheet:
    return sheet(regulation)


@cache
def sheet_of(regulation: str, wager: str, game: str = "craps") -> Sheet:
    return sheet(regulation, game=game, wager=wager)


def lines(
    regulation: str, wager: str, *, number: str | None = None, game: str = "craps"
) -> dict[str | None, SheetLine]:
    made = sheet_of(regulation, wager, game) if regulation in LONG else whole(regulation)
    found = [line for line in made.lines if (line.game, line.wager, line.number) == (game, wager, number)]
    return {line.option: line for line in found}
