"""The side wagers under the layout: name, chips, lamps or count, and the pay table in force, as many as fit a row."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from passline.cli.play.canvas import Run
from passline.cli.play.hints import SEAT, short_name
from passline.game.markers import Marker
from passline.game.position import Table, Wager
from passline.game.spots import Spot
from passline.money import dollars
from passline.rules.explain.payouts import pay_line_text, pay_line_when
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Collection, Hand, SideWager
from passline.rules.schema import Run as RunWager

__all__ = ["Cell", "amount_text", "chip_style", "lamp_rows"]

_GAP = 2
_CHIPS = (("500", 500_00), ("100", 100_00), ("25", 25_00), ("5", 5_00), ("1", 0))
_DARK = Marker("")


class Cell(Struct, frozen=True):
    """One side wager on one row of the picture: where it begins, and its text in pieces of one style."""

    x: int
    spot: Spot
    runs: tuple[Run, ...]

    @property
    def width(self) -> int:
        """How many columns it takes."""
        return sum(len(run.text) for run in self.runs)


def amount_text(cents: int) -> str:
    """Print an amount as it stands on chips.

    >>> amount_text(500), amount_text(250)
    ('5', '2.50')
    """
    return dollars(cents).removesuffix(".00")


def chip_style(cents: int) -> str:
    """Give the colour of the largest chip in an amount."""
    return next(f"chip{name}" for name, least in _CHIPS if cents >= least)


def lamp_rows(
    rules: Rules, table: Table, markers: Mapping[str, Marker], *, width: int, rows_max: int
) -> list[list[Cell]]:
    """Give the side wagers offered, row by row; where rows are few, counts instead of lamps, and then no pay tables."""
    kinds = [kind for kind, rule in rules.wagers.items() if rule.lines]
    rows: list[list[Cell]] = []
    for has_lamps, has_pays in ((True, True), (False, True), (False, False)):
        shown = _Shown(rules, table, has_lamps=has_lamps, has_pays=has_pays)
        rows = _flowed([shown.cell(kind, markers.get(kind, _DARK)) for kind in kinds], width)
        if len(rows) <= rows_max:
            break
    return rows


def _flowed(cells: list[Cell], width: int) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    x = width
    for cell in cells:
        if not rows or x + cell.width > width:
            rows.append([])
            x = 1
        rows[-1].append(Cell(x, cell.spot, cell.runs))
        x += cell.width + _GAP
    return rows


class _Shown:
    """How much is shown of each side wager."""

    def __init__(self, rules: Rules, table: Table, *, has_lamps: bool, has_pays: bool) -> None:
        self.rules = rules
        self.table = table
        self.has_lamps = has_lamps
        self.has_pays = has_pays

    def cell(self, kind: str, marker: Marker) -> Cell:
        rule = self.rules.wagers[kind]
        up = [one for one in self.table.position.layout if one.seat == SEAT and one.kind == kind]
        parts = [Run(short_name(Spot(kind)).upper(), "name"), *_chips(up), *self._progress(rule, marker, up)]
        runs = [run for part in parts for run in (part, Run(" ", "felt"))][:-1]
        pays = [Run("  ", "felt"), Run(_pays(self.rules, rule), "odds")] if self.has_pays else []
        return Cell(0, Spot(kind), (*runs, *pays))

    def _progress(self, rule: WagerRule, marker: Marker, up: list[Wager]) -> list[Run]:
        """Show each total that counts, in brackets where it is lit; or the count alone."""
        entry = rule.entry
        if not self.has_lamps or (isinstance(entry, Hand) and entry.counts != "distinct_points"):
            count = f"{marker.count}/{len(entry.needs.totals)}" if isinstance(entry, Collection) else str(marker.count)
            return [Run(count, "lit" if marker.count else "print")]
        totals = entry.needs.totals if isinstance(entry, Collection) else sorted(self.rules.points)
        initial = up[0].progress[0] if isinstance(entry, RunWager) and up and up[0].progress else 0
        lamps = [Run(f"from {initial}", "print")] if initial else []
        lit = marker.lit
        return [*lamps, *(Run(f"({one})", "lit") if one in lit else Run(str(one), "print") for one in totals)]


def _chips(up: list[Wager]) -> list[Run]:
    """Show the player's chips, those of further wagers beside the first, and the crew's."""
    own = [one.cents for one in up if one.owner == "player"]
    tips = [one.cents for one in up if one.owner == "crew"]
    runs = [Run(f"●{'+'.join(map(amount_text, own))}", chip_style(max(own)))] if own else []
    return [*runs, Run(f"◆{'+'.join(map(amount_text, tips))}", "chip1")] if tips else runs


def _pays(rules: Rules, rule: WagerRule) -> str:
    """Print the pay table in force; where all its lines end alike ("to 1"), the end is said once."""
    entry = rule.entry
    assert isinstance(entry, SideWager)
    lines = sorted(entry.tables[rules.house.side_wagers[entry.offered]], key=lambda line: line.counts)
    lines = [line for line in lines if line.result != "lose"]
    if isinstance(entry, Collection):
        return pay_line_text(lines[0])
    ends = {line.pays.partition(" ")[2] for line in lines if line.pays}
    end = f" {ends.pop()}" if len(ends) == 1 else ""
    texts = (f"{pay_line_when(entry, line.counts)}:{pay_line_text(line).removesuffix(end)}" for line in lines)
    return f"{' '.join(texts)}{end}"
