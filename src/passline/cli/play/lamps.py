"""The rows of side wagers below the layout: name, chips, lamps or count, and the pay table in force."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from passline.cli.play.canvas import Span
from passline.cli.play.messages import SEAT
from passline.cli.play.parser import NAMES
from passline.game.markers import Marker
from passline.game.position import Table, Wager
from passline.game.progressives import meters_of
from passline.game.spots import Spot
from passline.money import dollar_amount, in_currency, short_dollars
from passline.rules.explain.payouts import pay_line_text, pay_line_when
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Collection, Hand, Machine, Run, SideWager

_GAP = 2
_CHIPS = (("500", 500_00), ("100", 100_00), ("25", 25_00), ("5", 5_00), ("1", 0))
_DARK = Marker("")


class Cell(Struct, frozen=True):
    """One side wager in a row of the picture: its column, and its text in spans of one style."""

    x: int
    spot: Spot
    spans: tuple[Span, ...]

    @property
    def width(self) -> int:
        """How many columns it takes."""
        return sum(len(span.text) for span in self.spans)


def chip_style(cents: int) -> str:
    """Return the style of the largest chip in an amount."""
    return next(f"chip{name}" for name, least in _CHIPS if cents >= least)


def lamp_rows(
    rules: Rules, table: Table, markers: Mapping[str, Marker], *, width: int, rows_max: int
) -> list[list[Cell]]:
    """Return the side wagers row by row. If they need too many rows, show counts for lamps, then no pay tables."""
    kinds = [kind for kind, rule in rules.wagers.items() if rule.lines]
    rows: list[list[Cell]] = []
    for has_lamps, has_pays in ((True, True), (False, True), (False, False)):
        detail = _Detail(rules, table, has_lamps=has_lamps, has_pays=has_pays)
        rows = _in_rows([detail.cell(kind, markers.get(kind, _DARK)) for kind in kinds], width)
        if len(rows) <= rows_max:
            break
    return rows


def _in_rows(cells: list[Cell], width: int) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    x = width
    for cell in cells:
        if not rows or x + cell.width > width:
            rows.append([])
            x = 1
        rows[-1].append(Cell(x, cell.spot, cell.spans))
        x += cell.width + _GAP
    return rows


class _Detail:
    """Draws side wagers with a given amount of detail."""

    def __init__(self, rules: Rules, table: Table, *, has_lamps: bool, has_pays: bool) -> None:
        self.rules = rules
        self.table = table
        self.has_lamps = has_lamps
        self.has_pays = has_pays

    def cell(self, kind: str, marker: Marker) -> Cell:
        rule = self.rules.wagers[kind]
        up = [wager for wager in self.table.position.layout if wager.seat == SEAT and wager.kind == kind]
        name = NAMES[kind][0] if kind in NAMES else rule.display_name()
        parts = [Span(name.upper(), "name"), *_chips(up), *self._progress(rule, marker, up), *self._meter(kind)]
        spans = [span for part in parts for span in (part, Span(" ", "felt"))][:-1]
        pays = [Span("  ", "felt"), Span(_pays(self.rules, rule), "odds")] if self.has_pays else []
        return Cell(0, Spot(kind), (*spans, *pays))

    def _meter(self, kind: str) -> list[Span]:
        """Return what the meter of a progressive shows."""
        cents = meters_of(self.rules, self.table).get(kind) if self.rules.progressives else None
        amount = None if cents is None else in_currency(dollar_amount(cents), self.rules.rulebook.general.currency)
        return [] if amount is None else [Span(amount, "lit")]

    def _progress(self, rule: WagerRule, marker: Marker, up: list[Wager]) -> list[Span]:
        """Return each total that counts, in brackets if its lamp is lit, or only the count."""
        entry = rule.entry
        assert isinstance(entry, SideWager)
        has_none = isinstance(entry, Machine) and not entry.lamps
        if not self.has_lamps or has_none or (isinstance(entry, Hand) and entry.counts != "distinct_points"):
            count = f"{marker.count}/{len(entry.needs.totals)}" if isinstance(entry, Collection) else str(marker.count)
            return [Span(count, "lit" if marker.count else "print")]
        totals = entry.lamp_totals or tuple(sorted(self.rules.points))
        initial = up[0].progress[0] if isinstance(entry, Run) and up and up[0].progress else 0
        lamps = [Span(f"from {initial}", "print")] if initial else []
        lit = marker.lit
        return [*lamps, *(Span(f"({total})", "lit") if total in lit else Span(str(total), "print") for total in totals)]


def _chips(up: list[Wager]) -> list[Span]:
    """Return the player's chips, one amount per wager, and the crew's."""
    own = [wager.cents for wager in up if wager.owner == "player"]
    tips = [wager.cents for wager in up if wager.owner == "crew"]
    spans = [Span(f"●{'+'.join(map(short_dollars, own))}", chip_style(max(own)))] if own else []
    return [*spans, Span(f"◆{'+'.join(map(short_dollars, tips))}", "chip1")] if tips else spans


def _pays(rules: Rules, rule: WagerRule) -> str:
    """Return the pay table in force; an end that all lines share ("to 1") is printed once."""
    entry = rule.entry
    assert isinstance(entry, SideWager)
    lines = sorted(entry.tables[rules.house.side_wagers[entry.offered]], key=lambda line: line.counts)
    lines = [line for line in lines if line.result != "lose"]
    if isinstance(entry, Collection):
        return pay_line_text(lines[0])
    ends = {line.pays.partition(" ")[2] for line in lines if line.pays}
    end = f" {ends.pop()}" if len(ends) == 1 else ""
    texts = (f"{pay_line_when(entry, line)}:{pay_line_text(line).removesuffix(end)}" for line in lines)
    return f"{' '.join(texts)}{end}"
