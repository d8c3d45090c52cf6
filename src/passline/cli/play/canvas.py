"""A grid of styled characters: boxes whose lines join, and text in them."""

from __future__ import annotations

from msgspec import Struct

FELT = "#0b3d2e"
"""The colour of the cloth."""
STYLES = {
    "felt": f"on {FELT}",
    "line": f"#7fae98 on {FELT}",
    "print": f"#e8f3ec on {FELT}",
    "name": f"bold #ffffff on {FELT}",
    "number": f"bold #ffe08a on {FELT}",
    "odds": f"#a9cbb9 on {FELT}",
    "on": "bold #000000 on #ffffff",
    "lit": "bold #000000 on #ffe08a",
    "chip1": f"bold #ffffff on {FELT}",
    "chip5": "bold #ffffff on #a3242f",
    "chip25": "bold #ffffff on #1a7f37",
    "chip100": "bold #ffffff on #000000",
    "chip500": "bold #ffffff on #6b2fa0",
}
"""How each style of a span is shown, as Rich writes it."""

_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8
_JOINTS = {
    _NORTH: "│", _SOUTH: "│", _NORTH | _SOUTH: "│", _EAST: "─", _WEST: "─", _EAST | _WEST: "─",
    _EAST | _SOUTH: "┌", _WEST | _SOUTH: "┐", _NORTH | _EAST: "└", _NORTH | _WEST: "┘",
    _NORTH | _EAST | _SOUTH: "├", _NORTH | _WEST | _SOUTH: "┤", _EAST | _SOUTH | _WEST: "┬",
    _NORTH | _EAST | _WEST: "┴", _NORTH | _EAST | _SOUTH | _WEST: "┼",
}  # fmt: skip


class Span(Struct, frozen=True):
    """A part of a row in one style."""

    text: str
    style: str


class Canvas:
    """Characters and styles by row and column."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._characters = [[" "] * width for _ in range(height)]
        self._styles = [["felt"] * width for _ in range(height)]
        self._lines = [[0] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "print") -> None:
        """Write text, cut off at the edges of the canvas."""
        for column, character in enumerate(text, start=x):
            if 0 <= column < self.width and 0 <= y < self.height:
                self._characters[y][column] = character
                self._styles[y][column] = style

    def box(self, x: int, y: int, right: int, bottom: int) -> None:
        """Draw a box; where boxes meet, their lines join.

        >>> canvas = Canvas(5, 3)
        >>> canvas.box(0, 0, 2, 2)
        >>> canvas.box(2, 0, 4, 2)
        >>> canvas.texts()
        ['┌─┬─┐', '│ │ │', '└─┴─┘']
        """
        for column in range(x, right):
            for row in (y, bottom):
                self._lines[row][column] |= _EAST
                self._lines[row][column + 1] |= _WEST
        for row in range(y, bottom):
            for column in (x, right):
                self._lines[row][column] |= _SOUTH
                self._lines[row + 1][column] |= _NORTH

    def rows(self) -> list[list[Span]]:
        """Return each row as spans of one style."""
        return [self._row(y) for y in range(self.height)]

    def _row(self, y: int) -> list[Span]:
        spans: list[Span] = []
        text, style = "", ""
        for x in range(self.width):
            is_line = self._lines[y][x] and self._styles[y][x] == "felt"  # text hides lines
            character = _JOINTS[self._lines[y][x]] if is_line else self._characters[y][x]
            its_style = "line" if is_line else self._styles[y][x]
            if its_style != style and text:
                spans.append(Span(text, style))
                text = ""
            text, style = text + character, its_style
        return [*spans, Span(text, style)]

    def texts(self) -> list[str]:
        """Return each row as plain text."""
        return ["".join(span.text for span in spans).rstrip() for spans in self.rows()]
