"""The whole sheets of the four regulations, each solved once per run, and their lines by option."""

from functools import cache

from passline.exact.par.sheet import Sheet, SheetLine, sheet


@cache
def whole(regulation: str) -> Sheet:
    return sheet(regulation)


def lines(
    regulation: str, wager: str, *, number: str | None = None, game: str = "craps"
) -> dict[str | None, SheetLine]:
    found = [line for line in whole(regulation).lines if (line.game, line.wager, line.number) == (game, wager, number)]
    return {line.option: line for line in found}
