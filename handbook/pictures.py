"""The pictures of the pages, each drawn by the program itself."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from pathlib import Path

from rich.style import Style

from passline import CrapsGame, Rules, Terms, __version__, analyze, compile_strategy, hand_length, strategy_of
from passline.charts import COLOURS, drawing, percent
from passline.cli.play.canvas import FELT, STYLES
from passline.cli.play.layout import Picture, picture_of
from passline.exact.par.sheet import sheet
from passline.exact.plots import draw_hand_length, draw_laws, draw_ruin
from passline.papers.layout_drawing import layout_drawing
from passline.rules.explain.paper_head import head_of

_CELL = (8.43, 17)  # width and height of a character of 14 units in a drawing of the terminal
_BASELINE, _MARGIN = 13, 10
_LISTED_MAX = 6  # numbers in a label of the chart of edges


def draw_pictures(folder: Path) -> list[Path]:
    """Draw every picture into a folder and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    rules = Rules.of("maryland")
    _draw_layout(rules, folder / "felt.svg")
    drawing_of_house = layout_drawing(rules, head_of(rules, version=__version__))
    (folder / "layout.svg").write_text(drawing_of_house.svg, encoding="utf-8")
    _draw_edges(rules, folder / "edges.svg")
    terms = Terms(bankroll_cents=500_00, rolls=200)
    found = {name: analyze(rules, name, terms).law for name in ("molly", "iron_cross")}
    laws = {name: law for name, law in found.items() if law is not None}
    draw_laws(laws, folder / "sessions.svg")
    draw_ruin(laws, folder / "ruin.svg")
    draw_hand_length(hand_length(compile_strategy(rules, strategy_of("pass", rules))), folder / "hand-length.svg")
    return sorted(folder.iterdir())


def _draw_layout(rules: Rules, path: Path) -> None:
    """Draw the layout of the terminal with wagers on it, as `passline play` shows it."""
    game = CrapsGame(rules)
    seat = game.join(500_00)
    game.wager(seat, "pass", 10_00)
    game.roll(2, 4)
    for kind, cents, number in (("pass_odds", 20_00, ""), ("place_win", 12_00, "8"), ("field", 5_00, "")):
        game.wager(seat, kind, cents, number)
    path.write_text(_as_svg(picture_of(rules, game.table)), encoding="utf-8")


def _as_svg(picture: Picture) -> str:
    """Return rows of styled text as a drawing: each span at its own place, so that no font moves the next one."""
    width, height = _CELL
    across = max(sum(len(span.text) for span in row) for row in picture.rows)
    wide, high = across * width + 2 * _MARGIN, len(picture.rows) * height + 2 * _MARGIN
    behind, before = [], []
    for y, row in enumerate(picture.rows):
        x = 0
        for span in row:
            left, top, length = _MARGIN + x * width, _MARGIN + y * height, len(span.text) * width
            style, x = Style.parse(STYLES[span.style]), x + len(span.text)
            ground = style.bgcolor.name if style.bgcolor else FELT
            if ground != FELT:
                behind.append(
                    f'<rect x="{left:.1f}" y="{top}" width="{length:.1f}" height="{height}" fill="{ground}"/>'
                )
            if span.text.strip() and style.color:
                weight = ' font-weight="bold"' if style.bold else ""
                place = f'x="{left:.1f}" y="{top + _BASELINE}" textLength="{length:.1f}"'
                before.append(f'<text {place} fill="{style.color.name}"{weight}>{escape(span.text)}</text>')
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" role="img">',
        f'<rect width="100%" height="100%" rx="8" fill="{FELT}"/>',
    ]
    font = '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">'
    return "\n".join([*head, *behind, font, *before, "</g>", "</svg>", ""])


def _draw_edges(rules: Rules, path: Path) -> None:
    """Draw what every wager of a house costs, numbers with the same edge together."""
    numbers: dict[tuple[str, Fraction], list[str]] = {}
    for line in sheet(rules).lines:
        name = f"{line.name.removesuffix(' Bet')}, {line.option}" if line.option else line.name.removesuffix(" Bet")
        numbers.setdefault((name, line.par.edge), []).append(line.number or "")
    edges = sorted(numbers, key=lambda one: one[1], reverse=True)
    labels = [f"{name} {_listed(numbers[name, edge])}".strip() for name, edge in edges]
    title = f"What the house keeps of each dollar\nexact edges, {rules.house.name}"
    with drawing(path, title, height=10.5) as figure:
        axes = figure.subplots()
        bars = axes.barh(labels, [float(edge) for _, edge in edges], color=COLOURS[0], height=0.7)
        axes.bar_label(bars, [f"{percent(float(edge))} = {edge}" for _, edge in edges], padding=3, fontsize=8)
        axes.xaxis.set_major_formatter(lambda value, _: percent(value))
        axes.margins(x=0.14, y=0.01)
        axes.grid(visible=False, axis="y")


def _listed(numbers: list[str]) -> str:
    return ", ".join(numbers[:_LISTED_MAX]) + (" ..." if len(numbers) > _LISTED_MAX else "")
